"""Fingerprints of your own code: results of different code are different results."""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Iterator
from functools import partial
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, FunctionType, ModuleType
from typing import Any

from .own_agents import Agent
from .rewards import OwnRewards

#: The text of a module's file when it was first read, by name. Importing the module again gives it
#: a new specification.
_SEEN: dict[str, tuple[ModuleSpec | None, str]] = {}


def fingerprint_of(text: str, found: Any) -> str:
    """A fingerprint of the named module, and of the files that define what was found in it.

    For a class, these are the files of the class and its bases. Modules that those files import do
    not count. Code without a file, as in a notebook, counts by its own lines.
    """
    digest = hashlib.sha256()
    named = sys.modules.get(text.partition(":")[0])
    if named is not None:
        digest.update(f"{named.__name__}\n{_source(named, named)}\n".encode())
    for part in _parts(found):
        module = sys.modules.get(part.__module__)
        source = _source(part, module)
        if module is not None and _was_edited(part, module, source):
            raise ValueError(
                f"{text}: {module.__file__} was edited after it was imported; restart Python, or "
                f"call importlib.reload on {module.__name__!r}"
            )
        digest.update(f"{part.__module__}\n{source}\n".encode())
    return digest.hexdigest()[:16]


def _parts(found: Any) -> Iterator[Any]:
    """The user's classes and functions behind an agent or a reward law."""
    if isinstance(found, OwnRewards):
        found = found.draw
    while isinstance(found, partial):
        found = found.func
    if not isinstance(found, type | FunctionType):
        found = type(found)
    for part in found.__mro__ if isinstance(found, type) else (found,):
        if part.__module__ != "builtins" and part is not Agent:
            yield part


def _source(part: Any, module: ModuleType | None) -> str:
    written: Any = module if getattr(module, "__file__", None) else part
    try:
        return inspect.getsource(written)
    except (OSError, TypeError):
        return ""  # Compiled, or typed into a shell that keeps no source.


def _was_edited(part: Any, module: ModuleType, source: str) -> bool:
    """Whether the code that runs differs from the file as it is now."""
    loader = getattr(module.__spec__, "loader", None)
    if type(loader) is not SourceFileLoader or not source:
        return False  # Import hooks may rewrite code, so that what runs never equals the file.
    spec, before = _SEEN.setdefault(module.__name__, (module.__spec__, source))
    if spec is module.__spec__ and before != source:
        return True
    _SEEN[module.__name__] = (module.__spec__, source)
    functions = vars(part).values() if isinstance(part, type) else (part,)
    running = [of.__code__ for of in functions if isinstance(of, FunctionType)]
    running = [code for code in running if code.co_filename == module.__file__]
    if not running:
        return False
    try:
        written = list(_codes(compile(source, module.__file__ or "", "exec", dont_inherit=True)))
    except SyntaxError:
        return True
    return any(code not in written for code in running)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
