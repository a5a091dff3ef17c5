"""Requests over kept connections, which are sent again until they are answered.

Every request may be repeated: reports have numbers, the client chooses the names of new agents, and
all other requests change nothing. So whatever is lost on the way, the request is sent again.
"""

from __future__ import annotations

import http.client
import json
import logging
import math
import os
import random
import ssl
import threading
import time
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from .errors import ServiceError, UnavailableError, problem

_LOGGER = logging.getLogger("graph_bandit")
#: How many seconds one try may take; the service allows itself 30.
_PATIENCE = 35.0
_FIRST_WAIT = 0.05
_LONGEST_WAIT = 2.0
#: Too many requests, or not ready: from the service or from a proxy in front of it.
_NOT_NOW = (429, 502, 503, 504)
#: What is raised if there is no answer, or only a part of it.
LOST = (OSError, http.client.HTTPException)


@dataclass(frozen=True)
class Address:
    """Where a service is."""

    secure: bool
    host: str
    port: int | None
    #: What a proxy expects before the paths of the service.
    prefix: str

    @staticmethod
    def read(url: str) -> Address:
        """The address in a URL.

        >>> Address.read("http://127.0.0.1:8080/")
        Address(secure=False, host='127.0.0.1', port=8080, prefix='')
        """
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError:
            raise ValueError(f"{url!r} is not the address of a service; {_EXAMPLE}") from None
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query:
            raise ValueError(f"{url!r} is not the address of a service; {_EXAMPLE}")
        if parts.username is not None:
            raise ValueError("the address contains a user; give the token as token=..")
        return Address(parts.scheme == "https", parts.hostname, port, parts.path.rstrip("/"))

    def __str__(self) -> str:
        """The address as text, always with its port.

        >>> print(Address.read("http://[::1]:8080"), Address.read("https://robots.example.org/a"))
        http://[::1]:8080 https://robots.example.org:443/a
        """
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = self.port or (443 if self.secure else 80)
        return f"{'https' if self.secure else 'http'}://{host}:{port}{self.prefix}"


_EXAMPLE = "give one such as 'http://127.0.0.1:8080'"


class Wire:
    """Connections to a service, for any number of threads."""

    def __init__(
        self, url: str, token: str | None, deadline: float, context: ssl.SSLContext | None
    ) -> None:
        if not deadline > 0:
            raise ValueError(
                f"deadline is {deadline!r}; give a positive number of seconds, or math.inf"
            )
        self.address = Address.read(url)
        self.deadline = float(deadline)
        self._context = context
        self._headers = {"Accept": "application/json"}
        if token:
            if not (token.isascii() and token.isprintable()):
                raise ValueError("this is not a token; give it as `gbandit token` printed it")
            self._headers["Authorization"] = f"Bearer {token}"
        self._idle: list[http.client.HTTPConnection] = []
        self._lock = threading.Lock()
        self._process = os.getpid()
        # At the latest when nobody uses this object any more, or when Python exits.
        weakref.finalize(self, _close_all, self._idle)

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Sends a request until it is answered, and returns the answer; raises refusals."""
        sent = None if body is None else _encode(body)
        end = time.monotonic() + self.deadline
        attempts, waits, warned = 0, 0, False
        while True:
            attempts += 1
            fresh, asked_to_wait, reason = True, 0.0, ""
            try:
                with self._connection(end) as (connection, fresh):
                    status, headers, received = self._exchange(connection, method, path, sent)
            except ssl.SSLCertVerificationError as error:
                # Another try would fail in the same way.
                raise UnavailableError(f"{self.address} is not trusted: {error}") from error
            except LOST as error:
                if not fresh:
                    # A kept connection may have ended long ago; that does not count as a try.
                    self.close()
                    continue
                reason = str(error) or type(error).__name__
                failure = UnavailableError(
                    f"no service answers at {self.address} ({attempts} "
                    f"{'try' if attempts == 1 else 'tries'}: {reason}); "
                    "start one with `gbandit serve`, or connect to the right address",
                    attempts=attempts,
                )
                failure.__cause__ = error
            else:
                if status < 300:
                    return _checked(received, status)
                if status < 400:
                    place = headers.get("Location", "elsewhere")
                    raise ServiceError(f"the service is at {place}; connect there", status=status)
                refusal = problem(status, received, attempts)
                if status not in _NOT_NOW:
                    raise refusal
                failure = UnavailableError(
                    refusal.detail, status=status, kind=refusal.kind, attempts=attempts
                )
                asked_to_wait = _seconds(headers.get("Retry-After"))
            wait = max(asked_to_wait, backoff(waits))
            waits += 1
            if time.monotonic() + wait >= end:
                raise failure
            if reason and not warned:
                # Without a word, a program with a wrong address seems to hang.
                warned = True
                _LOGGER.warning(
                    "no service answers at %s (%s); trying again %s",
                    self.address,
                    reason,
                    _for_how_long(end - time.monotonic()),
                )
            time.sleep(wait)

    def _exchange(
        self, connection: http.client.HTTPConnection, method: str, path: str, sent: bytes | None
    ) -> tuple[int, http.client.HTTPMessage, Any]:
        headers = dict(self._headers)
        if sent is not None:
            headers["Content-Type"] = "application/json"
        connection.request(method, self.address.prefix + path, sent, headers)
        response = connection.getresponse()
        body = response.read()
        return response.status, response.headers, _read(body)

    @contextmanager
    def _connection(self, end: float) -> Iterator[tuple[http.client.HTTPConnection, bool]]:
        """A connection, and whether it is new; it is kept if all goes well."""
        with self._lock:
            if self._process != os.getpid():
                # A forked process must not use the connections of its parent; this closes copies.
                _close_all(self._idle)
                self._process = os.getpid()
            kept = self._idle.pop() if self._idle else None
        patience = min(_PATIENCE, max(0.01, end - time.monotonic()))
        connection = kept or self._new(patience)
        if connection.sock is not None:
            connection.sock.settimeout(patience)
        try:
            yield connection, kept is None
        except BaseException:
            connection.close()
            raise
        with self._lock:
            self._idle.append(connection)

    def lines(self, path: str) -> Iterator[bytes]:
        """The lines of an answer that does not end, over a connection of its own."""
        connection = self._new(_PATIENCE)
        try:
            headers = {**self._headers, "Accept": "text/event-stream"}
            connection.request("GET", self.address.prefix + path, headers=headers)
            response = connection.getresponse()
            if response.status != 200:
                raise problem(response.status, _read(response.read()))
            yield from response
        finally:
            connection.close()

    def _new(self, patience: float) -> http.client.HTTPConnection:
        place = self.address
        if place.secure:
            return http.client.HTTPSConnection(
                place.host, place.port, timeout=patience, context=self._context
            )
        return http.client.HTTPConnection(place.host, place.port, timeout=patience)

    def close(self) -> None:
        """Closes the connections that are not in use."""
        with self._lock:
            _close_all(self._idle)


def _close_all(idle: list[http.client.HTTPConnection]) -> None:
    while idle:
        idle.pop().close()


def _read(body: bytes) -> Any:
    if not body:
        return None
    try:
        return json.loads(body)
    except ValueError:
        return body.decode("utf-8", "replace")


def _checked(received: Any, status: int) -> Any:
    if received is None or isinstance(received, dict):
        return received
    raise ServiceError("the answer is not one of `gbandit serve`; check the address", status=status)


def _for_how_long(seconds: float) -> str:
    """How long a request is repeated, in words.

    >>> _for_how_long(59.9), _for_how_long(0.25), _for_how_long(math.inf)
    ('for 60 seconds', 'for 0.2 seconds', 'until it answers')
    """
    if math.isinf(seconds):
        return "until it answers"
    return f"for {seconds:.0f} seconds" if seconds > 10 else f"for {seconds:.1f} seconds"


def backoff(waits: int) -> float:
    """How many seconds to wait after this many earlier waits."""
    longest = min(_LONGEST_WAIT, _FIRST_WAIT * 2.0 ** min(waits, 30))
    # Clients that lost their connections together should not all come back at once.
    return longest * random.uniform(0.5, 1.0)


def _seconds(header: str | None) -> float:
    """How many seconds ``Retry-After`` asks to wait; it is a number or a date.

    >>> _seconds("2"), _seconds(None), _seconds("soon")
    (2.0, 0.0, 0.0)
    """
    if header is None:
        return 0.0
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(header).timestamp() - time.time()
        except ValueError:
            return 0.0
    return max(0.0, seconds) if math.isfinite(seconds) else 0.0


def _encode(body: Any) -> bytes:
    """The body as JSON, which has no NaN and no infinity."""
    try:
        return json.dumps(body, allow_nan=False).encode()
    except ValueError:
        for name, value in _numbers(body, ""):
            if not math.isfinite(value):
                raise ValueError(f"{name} is {value}; give a finite number") from None
        raise


def _numbers(value: Any, name: str) -> Iterator[tuple[str, float]]:
    """All floats in a body, each with the name of its place.

    >>> list(_numbers({"share": [[1.0, 1.5], [2.0]]}, ""))
    [('share[0][0]', 1.0), ('share[0][1]', 1.5), ('share[1][0]', 2.0)]
    """
    if isinstance(value, float):
        yield name, value
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _numbers(part, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list | tuple):
        for index, part in enumerate(value):
            yield from _numbers(part, f"{name}[{index}]")
