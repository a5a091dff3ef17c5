"""The page of the command line, from the program's own help."""

import os
import re
import subprocess

from markdown_text import anchor, prose, sentence

_HEADING = re.compile(r"([A-Z][\w ]*):$")
_ENTRY = re.compile(r" {2,6}(-\S.*?|<.*?>(?:\.\.\.)?|\[.*?\](?:\.\.\.)?|[a-z-]+)(?: {2,}(\S.*))?$")
_VALUE = re.compile(r"- ([\w-]+): +(.*)")
# The headings of commands.
COMMANDS = ["Commands", "For operators and tests"]
_SKIPPED = {"help", "-h, --help", "-V, --version"}
_OPENING = """# Command line

This page lists all commands and their options. [The model](../explanations/model.md#words) explains
words such as *leg*, *road* and *regret*.
"""


def helped(gbandit, command):
    """The long help of a command, such as ["store", "backup"]."""
    shown = [gbandit, *command, "--help"]
    # Lines as wide as where nobody says how wide the terminal is.
    env = {**os.environ, "COLUMNS": "100"}
    return subprocess.run(shown, check=True, capture_output=True, text=True, env=env).stdout


def sections(text):
    """The lines of a help text by section; those before the first heading are under ""."""
    found, at = {"": []}, ""
    for line in text.split("\n"):
        if heading := _HEADING.match(line):
            at = heading[1]
            found[at] = []
        elif line.startswith("Usage: "):
            found["Usage"] = [line.removeprefix("Usage: ")]
        else:
            # What follows the examples at the edge belongs to the command, not to them.
            if at == "Examples" and line and not line.startswith(" "):
                at = "More"
                found[at] = []
            found[at].append(line)
    return found


def entries(lines):
    """Flags, arguments or commands, and the lines that describe each."""
    found = []
    for line in lines:
        entry = _ENTRY.match(line)
        deeper = found and len(line) - len(line.lstrip()) >= 8
        if entry and not deeper:
            found.append((entry[1], [entry[2] or ""]))
        elif found:
            found[-1][1].append(line.strip())
    return [(name, told) for name, told in found if name not in _SKIPPED]


def subcommands(told):
    """The subcommands that the sections of a help text name."""
    return [name for heading in COMMANDS for name, _ in entries(told.get(heading, []))]


def described(lines):
    """What a flag does, its values and its default, as Markdown below a list entry."""
    text, values, default = [], [], ""
    for line in lines:
        if value := _VALUE.match(line):
            values.append([value[1], value[2]])
        elif found := re.match(r"\[default: (.*)\]$", line):
            default = f" Default: `{found[1]}`."
        elif line == "Possible values:":
            pass
        elif values and line:
            values[-1][1] += f" {line}"
        elif line:
            text.append(line)
    # Short helps have these at the end of the line.
    said = " ".join(text)
    if found := re.search(r" \[default: (.*)\]$", said):
        said, default = said[: found.start()], f" Default: `{found[1]}`."
    if found := re.search(r" \[possible values: (.*)\]$", said):
        said = said[: found.start()]
        default += f" Possible values: {', '.join(f'`{one}`' for one in found[1].split(', '))}."
    said = sentence(said)
    listed = "".join(f"  - `{name}`: {prose(help_)}\n" for name, help_ in values)
    return f"{said}{default}\n{listed}"


def section(gbandit, command):
    """The part of the page on one command, and those on its subcommands."""
    name = " ".join(["gbandit", *command])
    told = sections(helped(gbandit, command))
    text = f"{'#' * (len(command) + 1)} {name}\n\n" if command else ""
    for paragraph in "\n".join(told.pop("")).strip().split("\n\n"):
        text += f"{sentence(paragraph)}\n\n"
    text += f"```text\nusage: {told.pop('Usage')[0]}\n```\n\n"
    for heading, lines in told.items():
        if heading == "Examples":
            text += "```text\nExamples:\n" + "\n".join(lines).strip("\n") + "\n```\n\n"
        elif heading == "More":
            text += prose(" ".join(lines)) + "\n\n"
        elif listed := entries(lines):
            text += f"**{heading}**\n\n"
            for entry, help_ in listed:
                linked = f"`{entry}`"
                if heading in COMMANDS:
                    linked = f"[{linked}](#{anchor(' '.join([name, entry]))})"
                text += f"- {linked}: {described(help_)}"
            text += "\n"
    return text + "".join(section(gbandit, [*command, sub]) for sub in subcommands(told))


def page(gbandit):
    """The whole page."""
    return f"{_OPENING}\n{section(gbandit, []).rstrip()}\n"
