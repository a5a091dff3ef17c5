"""Server-sent events of an agent, as one stream across lost connections."""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from typing import Any

from .errors import UnavailableError, UnknownAgentError
from .wire import LOST, Wire, backoff


def watched(wire: Wire, path: str) -> Iterator[Any]:
    """The states in the events at ``path``, each once, until the agent is deleted."""
    seen: int | None = None
    end = time.monotonic() + wire.deadline
    waits = 0
    while True:
        failure = UnavailableError("the service ended the stream of events")
        try:
            for event, data in events(wire.lines(path)):
                waits, end = 0, time.monotonic() + wire.deadline
                if event == "gone":
                    return
                # After a lost connection, the last state may come again.
                if event == "state" and data["sequence"] != seen:
                    seen = data["sequence"]
                    yield data
                    end = time.monotonic() + wire.deadline
        except UnknownAgentError:
            if seen is None:
                raise
            return
        except UnavailableError as error:
            failure = error
        except LOST as error:
            failure.__cause__ = error
        wait = backoff(waits)
        waits += 1
        if time.monotonic() + wait >= end:
            raise failure
        time.sleep(wait)


def events(lines: Iterable[bytes]) -> Iterator[tuple[str, Any]]:
    """The kind and content of each event in the lines of a stream.

    >>> list(events([b": hello\\n", b"event: state\\n", b"id: 3\\n", b'data: {"a": 1}\\n', b"\\n"]))
    [('state', {'a': 1})]
    """
    event, data = "message", ""
    for line in lines:
        name, _, value = line.decode().rstrip("\r\n").partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            event = value
        elif name == "data":
            data += value
        elif not name and not value and data:
            yield event, json.loads(data)
            event, data = "message", ""
