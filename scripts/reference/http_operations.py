"""The page of the HTTP API, from the service's own OpenAPI document."""

from http import HTTPStatus

from json_schema import kind, name_of, rows
from markdown import NOTE, anchor, opening, prose, table

HEADS = ["member", "value", "default", "meaning"]


def link(name):
    """A link to a schema on the page."""
    return f"[{name}](#{anchor(name)})"


def bodies(content):
    """What a request or an answer carries."""
    said = []
    for media, held in content.items():
        shown = kind(held.get("schema", {}), link)
        said.append(shown if media == "application/json" else f"{shown} (`{media}`)")
    return " or ".join(dict.fromkeys(said))


def operation(path, method, told):
    """The part of the page on one operation."""
    text = f"### {method.upper()} {path}\n\n{prose(told['summary'])}"
    text += (
        f" Scope: `{told['x-scope']}`.\n\n" if told.get("x-scope") not in (None, "open") else "\n\n"
    )
    parameters = [
        [
            f"`{one['name']}`",
            one["in"],
            kind(one["schema"], link),
            prose(one.get("description", "")),
        ]
        for one in told.get("parameters", [])
        if one["in"] != "path"
    ]
    if parameters:
        text += table(["parameter", "in", "value", "meaning"], parameters) + "\n"
    if "requestBody" in told:
        text += f"Body: {bodies(told['requestBody']['content'])}\n\n"
    for code, answer in told["responses"].items():
        if code.startswith("2"):
            held = bodies(answer.get("content", {}))
            text += f"Answer {code}: {held or 'nothing'}\n\n"
    refused = [code for code in told["responses"] if not code.startswith("2")]
    return text + "Errors: " + ", ".join(refused) + "\n\n"


def schema_part(name, schema):
    """The part of the page on one type."""
    text = f"### {name}\n\n{prose(schema.get('description', ''))}\n\n"
    if "properties" in schema:
        return text + table(HEADS, list(rows(schema, link))) + "\n"
    for key in ("oneOf", "anyOf"):
        for choice in schema.get(key, []):
            said = prose(choice.get("description", "")) or "One of its forms."
            if "properties" in choice:
                text += f"{said}\n\n{table(HEADS, list(rows(choice, link)))}\n"
            else:
                text += f"- {kind(choice, link)}: {said}\n"
    if not any(key in schema for key in ("oneOf", "anyOf")):
        text += f"Value: {kind(schema, link)}\n"
    return text + "\n"


def page(document):
    """The whole page."""
    text = f"{NOTE}\n{opening('http')}\n## Operations\n\n"
    listed = [
        (path, method, told)
        for path, methods in document["paths"].items()
        for method, told in methods.items()
    ]
    text += table(
        ["request", "what it does"],
        [
            [f"[{method.upper()} {path}](#{anchor(f'{method} {path}')})", prose(told["summary"])]
            for path, method, told in listed
        ],
    )
    text += "\n"
    text += "".join(operation(path, method, told) for path, method, told in listed)
    parts = document["components"]
    text += "## Errors\n\n"
    codes = {}
    for _, _, told in listed:
        for code, answer in told["responses"].items():
            if "$ref" in answer:
                codes[int(code)] = parts["responses"][name_of(answer["$ref"])]["description"]
    text += table(
        ["status", "", "meaning"],
        [[str(code), HTTPStatus(code).phrase, prose(said)] for code, said in sorted(codes.items())],
    )
    text += "\n## Types\n\n"
    text += "".join(schema_part(name, schema) for name, schema in parts["schemas"].items())
    return text.rstrip() + "\n"
