"""The page of agents, graphs, means, noises and shares, from the registry."""

import json

from markdown_text import NOTE, opening, prose, table

KINDS = {
    "agents": ("Agents", "`--agents`, and `agents` of a study"),
    "teams": (
        "Agents for teams",
        "`--agents` with `--walkers`, and `agents` of a study with `walkers`",
    ),
    "families": ("Graphs", "`--graph`, and `graph` of a case"),
    "means": ("Means", "`--means`, and `means` of a study or a case"),
    "noises": ("Noises", "`--noise`, and `noise` of a study or a case"),
    "shares": ("Shares", "`--share`, and `share` of a study or a case"),
}


def part(entry):
    """The part of the page on one entry."""
    text = f"### {entry['name']}\n\n{prose(entry['about'])}\n\n"
    if entry.get("usage", entry["name"]) != entry["name"] and "look" not in entry:
        text += f"`{entry['usage']}`, as in `{entry['example']}`\n\n"
    listed = [
        [
            f"`{one['name']}`",
            prose(one["need"]),
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
    text = f"{NOTE}\n{opening('registry')}\n"
    for key, (title, where) in KINDS.items():
        text += f"## {title}\n\nFor {where}.\n\n" + "".join(part(entry) for entry in registry[key])
    return text.rstrip() + "\n"
