"""The part of the HTTP page on types: their members, and the forms that some of them have."""

import json

from json_schema import is_forbidden, kind, row, rows
from markdown_text import anchor, prose, sentence, table

HEADS = ["member", "value", "default", "meaning"]


def link(name):
    """A link to a schema on the page."""
    return f"[{name}](#{anchor(name)})"


def forms_of(schema):
    """The forms of a type; none if it has one only."""
    return schema.get("oneOf") or schema.get("anyOf") or []


def shared_members(forms):
    """The members that every form has, with the same value and as much required."""
    first = forms[0]
    return [
        name
        for name, member in first.get("properties", {}).items()
        if all(
            form.get("properties", {}).get(name) == member
            and (name in form.get("required", [])) == (name in first.get("required", []))
            for form in forms
        )
        and "const" not in member
    ]


def description_in(forms, name):
    """What some form says of a member; forms that say nothing of it mean the same."""
    said = (form.get("properties", {}).get(name, {}).get("description") for form in forms)
    return next(filter(None, said), "")


def form_heading(form, forms):
    """What marks a form: the value of one of its members, or a member that only it requires."""
    marks = [
        f'`"{name}": {json.dumps(member["const"])}`'
        for name, member in form["properties"].items()
        if "const" in member
    ]
    others = [name for other in forms if other is not form for name in other.get("required", [])]
    marks = marks or [f"`{name}`" for name in form.get("required", []) if name not in others]
    return f"With {', '.join(marks)}"


def form_part(form, forms, shared):
    """The part of the page on one form with members of its own."""
    own = [
        row(
            name,
            {"description": description_in(forms, name), **member},
            name in form.get("required", []),
            link,
        )
        for name, member in form["properties"].items()
        if name not in shared and not is_forbidden(member) and "const" not in member
    ]
    text = form_heading(form, forms)
    if said := form.get("description", ""):
        text += f". {sentence(said[0].upper() + said[1:])}\n\n"
    else:
        text += ":\n\n"
    return text + (f"{table(HEADS, own)}\n" if own else "")


def mark_of(form):
    """The member that tells a form from the others by its value, and that value."""
    members = form.get("properties", {}).items()
    return next(((name, told["const"]) for name, told in members if "const" in told), None)


def are_entries(forms, entries):
    """Whether every form is that of an entry of the registry."""
    return bool(forms) and all((mark := mark_of(form)) and mark[1] in entries for form in forms)


def entries_part(forms):
    """The part on a type whose forms are entries: the page of the registry has the parameters."""
    key = mark_of(forms[0])[0]
    text = f"`{key}` is one of these names; the other members are the parameters that it has:\n\n"
    names = (mark_of(form)[1] for form in forms)
    return text + ", ".join(f"[{name}](registry.md#{anchor(name)})" for name in names) + ".\n\n"


def type_part(name, schema, entries):
    """The part of the page on one type; `entries` are the names in the registry."""
    text = f"### {name}\n\n{prose(schema.get('description', ''))}\n\n"
    forms = forms_of(schema)
    if are_entries(forms, entries):
        return text + entries_part(forms)
    own = list(rows(schema, link))
    if forms and all("properties" in form for form in forms):
        shared = shared_members(forms)
        own += [
            row(name, forms[0]["properties"][name], name in forms[0].get("required", []), link)
            for name in shared
        ]
        own.sort()
        if own:
            text += f"In every form:\n\n{table(HEADS, own)}\n"
        return text + "".join(form_part(form, forms, shared) for form in forms)
    if own:
        text += table(HEADS, own) + "\n"
    if forms and all(set(form) == {"required"} for form in forms):
        needed = (" and ".join(f"`{name}`" for name in form["required"]) for form in forms)
        return text + f"Exactly one of these is required: {', '.join(needed)}.\n\n"
    for form in forms:
        said = prose(form.get("description", ""))
        text += f"- {kind(form, link)}" + (f": {said}\n" if said else "\n")
    if not own and not forms:
        text += f"Value: {kind(schema, link)}\n"
    return text + ("" if text.endswith("\n\n") else "\n")
