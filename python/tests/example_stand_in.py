"""Stands in for `gbandit` where examples of helps are run: python3 THIS PROGRAM SERVICE ARGUMENTS..

The program itself reads the arguments, so a flag that it does not have fails. Only what would run
for ever, take long, need a free port or another machine is changed:

- `serve` checks what it would do (`--check`), on any free port;
- `play` ends as soon as it has said where it plays, and opens no browser;
- `run` makes 2 runs of 200 steps, and drones make 2 reports each, to the service at SERVICE;
- a PostgreSQL store is a file.
"""

import os
import re
import subprocess
import sys


def set_flag(arguments, flag, value):
    """The arguments with another value of a flag, or with the flag, if it was not there."""
    if flag not in arguments:
        return [*arguments, flag, value]
    place = arguments.index(flag) + 1
    return [*arguments[:place], value, *arguments[place + 1 :]]


def adapted(arguments, service):
    """The arguments that the program gets."""
    arguments = [
        re.sub(r"^postgres://.*", "sqlite://in-place-of-postgres.db", one) for one in arguments
    ]
    command = arguments[0]
    if command == "serve":
        listen = "127.0.0.1:0"
        if "--listen" in arguments:
            host, _, _ = arguments[arguments.index("--listen") + 1].rpartition(":")
            listen = f"{host}:0"
        arguments = set_flag(arguments, "--listen", listen)
        return arguments if "--check" in arguments else [*arguments, "--check"]
    if command == "play":
        return set_flag(
            [*(one for one in arguments if one != "--no-open"), "--no-open"], "--port", "0"
        )
    if command == "run":
        return set_flag(set_flag(arguments, "--runs", "2"), "--steps", "200")
    if command == "drone":
        return set_flag(set_flag(arguments, "--server", service), "--reports", "2")
    return arguments


def play(command):
    """Starts the page and ends it; answers with an exit code."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as playing:
        line = playing.stdout.readline()
        playing.kill()
    return 0 if line.startswith("playing at http://") else 1


if __name__ == "__main__":
    program, service, *arguments = sys.argv[1:]
    command = [program, *adapted(arguments, service)]
    if arguments[0] == "play":
        sys.exit(play(command))
    os.execv(program, command)
