"""JSON Schemas in words."""

import json

from markdown_text import prose

WORDS = {"integer": "whole number", "object": "object", "array": "list", "string": "text"}
SEVERAL = {
    one + null: f"{one}s{null and ' or nulls'}"
    for one in ("number", "whole number")
    for null in ("", " or null")
}
# A limit that is this large is that of the type, and tells nobody anything.
LARGEST = 2**32 - 1


def name_of(reference):
    """The name at the end of a reference."""
    return reference.rpartition("/")[2]


def is_forbidden(schema):
    """Whether a member may not be given: it can only be null."""
    return schema.get("type") == "null"


def allows_null(schema):
    """Whether a value may be null."""
    if "enum" in schema:
        return None in schema["enum"]
    forms = schema.get("anyOf") or schema.get("oneOf") or []
    types = schema.get("type", [])
    return "null" in ([types] if isinstance(types, str) else types) or any(map(allows_null, forms))


def number(value):
    """A number as people write it."""
    whole = value == int(value) and abs(value) <= 2**53
    return str(int(value)) if whole else repr(value).replace("e+", "e")


def limits(schema):
    """The least and the largest value in words, such as `1 to 1000`; "" without limits."""
    least, most = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if "integer" in schema.get("type", []):
        # Whole numbers start at 0 where nothing is said.
        most = None if most is not None and most >= LARGEST else most
        least = None if least == 0 and most is None else least
    if least is not None and most is not None:
        return f"{number(least)} to {number(most)}"
    bounds = [("at least", least), ("above", above), ("at most", most), ("below", below)]
    return ", ".join(f"{word} {number(bound)}" for word, bound in bounds if bound is not None)


def length(schema, fewest, most):
    """How many items or characters there may be, such as `1 to 128`; "" without limits."""
    least, largest = schema.get(fewest), schema.get(most)
    if least is not None and largest is not None:
        return str(least) if least == largest else f"{least} to {largest}"
    said = [f"at least {least}"] if least else []
    return ", ".join([*said, *([] if largest is None else [f"at most {largest}"])])


def listed(schema, link):
    """A list in words."""
    if "prefixItems" in schema:
        needed = schema.get("minItems", 0)
        items = [
            kind(item, link) + ("" if place < needed else " (may be left out)")
            for place, item in enumerate(schema["prefixItems"])
        ]
        return f"list: {'; '.join(items)}"
    many = length(schema, "minItems", "maxItems")
    if not isinstance(schema.get("items"), dict):
        return f"list of {many}" if many else "list"
    items = kind(schema["items"], link)
    if many in ("", "2"):
        items = SEVERAL.get(items, items)
    if many == "2":
        return f"pair of {items}"
    if many and items.startswith("list"):
        return f"list of lists ({many}), each a {items}"
    if many and items == "number":
        return f"list of {many} numbers"
    if many and allows_null(schema["items"]):
        return f"list of {many}, each a {items}"
    if many:
        return f"list of {many}: {items}"
    for one, several in (("pair of", "pairs of"), ("list:", "lists:"), ("list of", "lists of")):
        items = items.replace(one, several, 1)
    return f"list of {items}"


def text(schema):
    """A text in words."""
    said = "text"
    characters = length(schema, "minLength", "maxLength")
    if characters == "at least 1":
        said += ", not empty"
    elif characters:
        said += f" of {characters} characters"
    if "pattern" in schema:
        said += f" that matches `{schema['pattern']}`"
    return said


def kind(schema, link=lambda name: f"`{name}`"):
    """What values a schema allows, in a few words."""
    null = ["null"] if allows_null(schema) else []
    return " or ".join(filter(None, [kind_but_null(schema, link), *null]))


def kind_but_null(schema, link=lambda name: f"`{name}`"):
    """What values a schema allows beside null, in a few words."""
    if "$ref" in schema:
        return link(name_of(schema["$ref"]))
    for key in ("anyOf", "oneOf"):
        if key in schema:
            kinds = [kind_but_null(one, link) for one in schema[key]]
            return " or ".join(filter(None, dict.fromkeys(kinds)))
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"] if value is not None)
    types = schema.get("type", "anything")
    types = [one for one in ([types] if isinstance(types, str) else types) if one != "null"]
    said = []
    for one in types:
        if one == "array":
            said.append(listed(schema, link))
        elif one == "string":
            said.append(text(schema))
        elif one == "object" and isinstance(schema.get("additionalProperties"), dict):
            said.append(f"object of {kind(schema['additionalProperties'], link)}")
        else:
            bounds = limits(schema) if one in ("integer", "number") else ""
            said.append(WORDS.get(one, one) + (f" ({bounds})" if bounds else ""))
    return " or ".join(said)


def default(schema):
    """The default value, where there is one that says something and is short."""
    value = schema.get("default")
    inner = value if isinstance(value, list) else [value]
    if value in (None, "", []) or any(isinstance(one, dict) for one in inner):
        return ""
    return f"`{json.dumps(value)}`"


def row(name, member, required, link=lambda name: f"`{name}`"):
    """The row of a member: name, kind, default, meaning.

    Where a member may be left out, null says the same as that, and is not worth a word.
    """
    needed = "required" if required else default(member)
    value = kind(member, link) if required else kind_but_null(member, link)
    return [f"`{name}`", value, needed, prose(member.get("description", ""))]


def rows(schema, link=lambda name: f"`{name}`"):
    """One row for each member that may be given."""
    required = schema.get("required", [])
    for name, member in schema.get("properties", {}).items():
        if not is_forbidden(member):
            yield row(name, member, name in required, link)
