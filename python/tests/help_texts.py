"""What the program's help says, read plainly."""

import os
import re
import subprocess

_FLAG = re.compile(r"^ {2,6}(?:-\w, )?(--[a-z][\w-]*)", re.M)
_COMMAND = re.compile(r"^  ([a-z][\w-]*)(?:  |$)", re.M)


def helped(gbandit, command, columns=100):
    """The help of a command, such as ["store", "backup"], on a terminal of that width."""
    env = {**os.environ, "COLUMNS": str(columns)}
    shown = [gbandit, *command, "--help"]
    return subprocess.run(shown, check=True, capture_output=True, text=True, env=env).stdout


def section(text, heading):
    """The lines below a heading of a help text, up to the next line at its edge."""
    found = re.search(rf"^{heading}:\n((?: .*\n|\n(?= ))*)", text, re.M)
    return found[1] if found else ""


def subcommands(text):
    listed = section(text, "Commands") + section(text, "For operators and tests")
    return [name for name in _COMMAND.findall(listed) if name != "help"]


def flags(text):
    # What follows the options may name flags of its own.
    return set(_FLAG.findall(text.split("\nExamples:")[0])) - {"--help", "--version"}


def all_commands(gbandit, command=()):
    """Every command with its help, the program itself first."""
    text = helped(gbandit, command)
    yield list(command), text
    for name in subcommands(text):
        yield from all_commands(gbandit, (*command, name))
