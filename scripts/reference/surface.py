"""The public names, one a line and sorted, so that a review sees when one comes or goes."""

import contextlib
import dataclasses
import inspect

import command_line
import python_names
import registry_entries
import rust_crates
from http_problems import refusals
from http_types import are_entries, forms_of

import graph_bandit as gb


def of_commands(gbandit, command=()):
    """Commands, flags and arguments."""
    name = " ".join(["gbandit", *command])
    yield f"command {name}"
    told = command_line.sections(command_line.helped(gbandit, command))
    for heading, lines in told.items():
        if heading in ("", "Usage", "Examples", "More"):
            continue
        for entry, _ in command_line.entries(lines):
            if heading in command_line.COMMANDS:
                yield from of_commands(gbandit, [*command, entry])
            else:
                yield f"command {name} {entry[max(entry.find('--'), 0) :].split()[0]}"


def of_studies(schema):
    """Keys of a study file."""
    parts = schema["$defs"]
    yield from (f"toml {key}" for key in schema["properties"])
    yield from (f"toml cases.{key}" for key in parts["Case"]["properties"])
    yield from (f"toml drawing.{key}" for key in parts["Drawing"]["properties"])
    for figure in parts["FigureRequest"]["oneOf"]:
        kind = figure["properties"]["kind"]["const"]
        yield from (f"toml figures.{kind}.{key}" for key in figure["properties"])


def of_registry(registry):
    """Agents, graphs and laws, each with its parameters."""
    for kind in registry_entries.KINDS:
        for entry in registry[kind]:
            yield f"{kind} {entry['name']}"
            yield from (f"{kind} {entry['name']} {one['name']}" for one in entry["parameters"])


def of_operations(document, entries):
    """Requests, their parameters, the members of all types, and the kinds of problems."""
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            request = f"http {method.upper()} {path}"
            yield request
            yield from (f"{request} {one['name']}" for one in told.get("parameters", []))
    for name, schema in document["components"]["schemas"].items():
        forms = forms_of(schema)
        # An agent and its parameters are in the registry.
        for form in [schema] if are_entries(forms, entries) else [schema, *forms]:
            yield from (f"http {name}.{member}" for member in form.get("properties", {}))
    for _, _, kinds in refusals(document):
        yield from (f"http {kind}" for kind in kinds["enum"])


def arguments(function):
    """The names of a function's parameters."""
    # A class without a constructor of its own has no signature.
    with contextlib.suppress(ValueError, TypeError):
        for name in inspect.signature(function).parameters:
            if name != "self" and not name.startswith("_"):
                yield name


# Every public value of the Python package by its name.
VALUES = {
    **{name: value for name, value, _ in python_names.names()},
    **{
        f"{module}.{name}": getattr(getattr(gb, module), name)
        for module in python_names.MODULES.values()
        for name in getattr(gb, module).__all__
    },
}
CLASSES = {value for value in VALUES.values() if inspect.isclass(value)}


def of_value(name, value):
    """A Python name, the parameters of a function, and the members of a class."""
    yield name
    # The registry has the agents' parameters.
    if inspect.isclass(value) and gb.Spec in value.__bases__:
        return
    # The fields of a dataclass are its members.
    if callable(value) and not dataclasses.is_dataclass(value):
        yield from (f"{name}({argument})" for argument in arguments(value))
    if inspect.isclass(value):
        for base in value.__mro__:
            inherited = base is not value and base in CLASSES
            if base.__module__.startswith("graph_bandit") and not inherited:
                for member in {**vars(base), **inspect.get_annotations(base)}:
                    if not member.startswith("_"):
                        yield from of_value(f"{name}.{member}", getattr(base, member, None))


def surface(gbandit, known):
    """The whole list."""
    lines = {
        *of_commands(gbandit),
        *of_studies(known.study_schema),
        *of_registry(known.registry),
        *of_operations(known.operations, registry_entries.names(known.registry)),
        *(f"python {line}" for name, value in VALUES.items() for line in of_value(name, value)),
        *(f"rust {name}" for name, _ in rust_crates.crates()),
    }
    return "".join(f"{line}\n" for line in sorted(lines))
