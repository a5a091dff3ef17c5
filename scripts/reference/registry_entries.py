"""The page of agents, graphs, means, noises and shares, from the registry."""

import json

from json_schema import kind
from markdown_text import opening, prose, table

KINDS = {
    "agents": ("Agents", "`--agents`, or as `agents` in a study"),
    "teams": (
        "Agents for teams",
        "`--agents` and `--walkers`, or as `agents` in a study that sets `walkers`",
    ),
    "families": ("Graphs", "`--graph`, or as `graph` in a case of a [study](../guides/studies.md)"),
    "means": ("Means", "`--means`, or as `means` in a study or in one of its cases"),
    "noises": ("Noises", "`--noise`, or as `noise` in a study or in one of its cases"),
    "shares": ("Shares", "`--share`, or as `share` in a study or in one of its cases"),
}


def names(registry):
    """The names of all entries."""
    return {entry["name"] for kind in KINDS for entry in registry[kind]}


def allowed(parameter):
    """The values that a parameter may have; names as they are written in texts."""
    schema = parameter["schema"]
    if "enum" in schema:
        return ", ".join(f"`{name}`" for name in schema["enum"])
    return prose(parameter["need"]) if schema.get("type") == "array" else kind(schema)


def part(entry):
    """The part of the page on one entry."""
    text = f"### {entry['name']}\n\n{prose(entry['about'])}\n\n"
    # The opening says how to write agents, whose parameters all have defaults.
    if entry["example"] != entry["name"]:
        text += f"Write `{entry['usage']}`, for example `{entry['example']}`.\n\n"
    listed = [
        [
            f"`{one['name']}`",
            allowed(one),
            "" if one["default"] is None else f"`{json.dumps(one['default']).strip(chr(34))}`",
            f"{prose(one['help'])}. {prose(one['when'])}",
        ]
        for one in entry["parameters"]
    ]
    if listed:
        text += (
            table(["parameter", "value", "default", "meaning, and when to change it"], listed)
            + "\n"
        )
    return text


def page(registry):
    """The whole page."""
    text = f"{opening('registry')}\n"
    for key, (title, where) in KINDS.items():
        text += f"## {title}\n\nUse these names with {where}.\n\n"
        text += "".join(part(entry) for entry in registry[key])
    return text.rstrip() + "\n"
