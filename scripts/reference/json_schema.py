"""JSON Schemas in words."""

import json

from markdown import prose


def name_of(reference):
    """The name at the end of a reference."""
    return reference.rpartition("/")[2]


def kind(schema, link=lambda name: f"`{name}`"):
    """What values a schema allows, in a few words."""
    if "$ref" in schema:
        return link(name_of(schema["$ref"]))
    for key in ("anyOf", "oneOf"):
        if key in schema:
            kinds = [kind(one, link) for one in schema[key] if one.get("type") != "null"]
            return " or ".join(dict.fromkeys(kinds))
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"] if value is not None)
    types = schema.get("type", "anything")
    types = [one for one in ([types] if isinstance(types, str) else types) if one != "null"]
    words = {"integer": "whole number", "object": "object", "array": "list", "string": "text"}
    said = " or ".join(words.get(one, one) for one in types)
    if "array" in types and isinstance(schema.get("items"), dict):
        said += f" of {kind(schema['items'], link)}"
    if "object" in types and isinstance(schema.get("additionalProperties"), dict):
        said += f" of {kind(schema['additionalProperties'], link)}"
    return said


def default(schema):
    """The default value, where there is one that says something."""
    value = schema.get("default")
    if value in (None, "", [], False) or isinstance(value, list | dict):
        return ""
    return f"`{json.dumps(value)}`"


def rows(schema, link=lambda name: f"`{name}`"):
    """One row for each member: name, kind, default, meaning."""
    required = schema.get("required", [])
    for name, member in schema.get("properties", {}).items():
        needed = "required" if name in required else default(member)
        yield [f"`{name}`", kind(member, link), needed, prose(member.get("description", ""))]
