"""The service that a page starts: `gbandit serve` or `gbandit play`, alone in its block."""

from __future__ import annotations

import re
import shlex
import signal
import socket
import subprocess
from pathlib import Path

# A hidden line that stops the service that a page started.
STOP = "stop the service"
# The ports of a page; a run has free ones in their place.
PORTS = {"serve": "8080", "play": "7353"}
_MENTION = re.compile(r"\bgbandit\s+(serve|play)\b")
# With these, the command ends by itself.
_ENDING = {"--check", "--help", "-h"}


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _commands(text: str) -> list[list[str]]:
    """The words of each simple command."""
    text = text.replace("\\\n", " ")
    lexer = shlex.shlex(text, posix=True, punctuation_chars=";&|()<>\n")
    lexer.whitespace, lexer.commenters, lexer.whitespace_split = " \t", "", True
    commands: list[list[str]] = [[]]
    for word in lexer:
        if set(word) <= set(";&|()<>\n"):
            commands.append([])
        else:
            commands[-1].append(word)
    return [command for command in commands if command]


def service_in(text: str) -> str | None:
    """Which service a block starts, if it starts one.

    Raises ValueError if it starts one among other commands, which then would not be run.
    """
    if not _MENTION.search(text):
        return None
    try:
        commands = _commands(text)
    except ValueError as error:
        raise ValueError(f"{error} in a block with a service: give the service its own") from error
    starting = [
        found[1]
        for command in commands
        if (found := _MENTION.search(" ".join(command))) and not _ENDING & set(command)
    ]
    if not starting:
        return None
    if len(commands) > 1 or commands[0][0] != "gbandit":
        raise ValueError(
            f"`gbandit {starting[0]}` runs until the page ends: give it a block of its own, "
            "with this one command, and put the other commands into blocks before and after it"
        )
    return starting[0]


class Service:
    """At most one running service."""

    def __init__(self, directory: Path, environment: dict[str, str]) -> None:
        self.directory, self.environment = directory, environment
        self.ports = {shown: str(free_port()) for shown in PORTS.values()}
        self.process: subprocess.Popen[str] | None = None

    def real(self, text: str) -> str:
        """A text of the page with the ports of this run."""
        for shown, real in self.ports.items():
            text = text.replace(f":{shown}", f":{real}")
        return text

    def shown(self, text: str) -> str:
        """What was printed, with the ports of the page."""
        for shown, real in self.ports.items():
            text = text.replace(f":{real}", f":{shown}")
        return text

    def start(self, kind: str, command: str) -> None:
        """Starts a service and waits until it listens; the one before it stops first."""
        self.stop()
        port = self.ports[PORTS[kind]]
        flags = {"serve": f"--listen 127.0.0.1:{port}", "play": f"--no-open --port {port}"}[kind]
        if "--listen" not in command:
            command = re.sub(rf"^gbandit\s+{kind}", rf"gbandit {kind} {flags}", command)
        self.process = subprocess.Popen(
            ["bash", "-c", f"exec {command}"],
            cwd=self.directory,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert "http://" in line, f"{command} said {line!r}"

    def stop(self) -> None:
        """Stops the service that is running, if there is one."""
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            self.process.communicate(timeout=60)
            self.process = None
