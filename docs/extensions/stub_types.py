"""Types of what is compiled, from the stub of the compiled module.

Sphinx reads stubs of compiled modules only where it imports these itself; ours is imported by the
package. So signatures and the types of properties are looked up here.
"""

import ast
import inspect
from importlib.util import find_spec
from pathlib import Path

from graph_bandit import _core


def _types():
    """Signatures and types of properties by `Class.name`."""
    package = Path(find_spec("graph_bandit").origin).parent
    signatures, properties = {}, {}
    for part in ast.parse((package / "_core.pyi").read_text()).body:
        if isinstance(part, ast.ClassDef):
            for member in part.body:
                if not isinstance(member, ast.FunctionDef):
                    continue
                name = f"{part.name}.{member.name}"
                marks = [ast.unparse(mark) for mark in member.decorator_list]
                returns = ast.unparse(member.returns) if member.returns else None
                if "property" in marks:
                    properties[name] = returns
                else:
                    if "staticmethod" not in marks:
                        (member.args.posonlyargs or member.args.args).pop(0)
                    signatures[name] = (f"({ast.unparse(member.args)})", returns)
        elif isinstance(part, ast.FunctionDef):
            signatures[part.name] = (f"({ast.unparse(part.args)})", ast.unparse(part.returns))
    return signatures, properties


def _name_in_stub(value):
    """What the stub calls an object of the compiled module; None for others."""
    if isinstance(value, type):
        return f"{value.__name__}.__new__" if _is_compiled(value) else None
    owner = getattr(value, "__objclass__", None) or getattr(value, "__self__", None)
    return f"{owner.__name__}.{value.__name__}" if _is_compiled(owner) else None


def _is_compiled(value):
    return isinstance(value, type) and getattr(_core, value.__name__, None) is value


def setup(app):
    """Called by Sphinx."""
    signatures, properties = _types()

    def signature(_app, _kind, name, value, _options, _given, _returns):
        if (key := _name_in_stub(value)) in signatures:
            arguments, returns = signatures[key]
            return arguments, None if isinstance(value, type) else returns
        # Static methods are plain functions: their place is in the name.
        key = ".".join(name.split(".")[-2:])
        if inspect.isbuiltin(value) and key in signatures:
            return signatures[key]
        return None

    def docstring(_app, _kind, _name, value, _options, lines):
        if (key := _name_in_stub(value)) in properties:
            lines[:0] = [f"``{properties[key]}``", ""]

    app.connect("autodoc-process-signature", signature)
    app.connect("autodoc-process-docstring", docstring)
    return {"version": "1", "parallel_read_safe": True}
