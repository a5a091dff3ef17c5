"""Pages of the reference have every command, flag, key, entry and name."""

import collections
import importlib
import inspect
import json
import pkgutil
import re
import subprocess
import urllib.request

import gymnasium
import help_texts
from reference_page import pages, parts, rows_of, writer

import graph_bandit as gb


def test_every_command_and_flag_is_there(gbandit):
    page = parts(pages(gbandit)["command-line.md"])
    commands = list(help_texts.all_commands(gbandit))
    assert len(commands) > 25
    count = 0
    for command, text in commands:
        part = page[" ".join(["gbandit", *command]) if command else "Command line"]
        listed = re.findall(r"^- `([^`]+)`: ", part, re.M)
        flags = help_texts.flags(text)
        count += len(flags)
        assert {name.split()[0] for name in listed if name.startswith("--")} == flags, command
        positional = re.findall(r"^  ([<\[][A-Z].*?[>\]](?:\.\.\.)?)(?:  |$)", text, re.M)
        assert [name for name in listed if not name.startswith("--")] == positional, command
        for name in help_texts.subcommands(text):
            assert f"- [`{name}`](#{'-'.join(['gbandit', *command, name])}): " in part
        # Help breaks lines; the page does not.
        for default in re.findall(r"\[default: (.*?)\]", " ".join(text.split())):
            assert f"Default: `{default}`." in part, (command, default)
        for value in re.findall(r"^ +- ([\w-]+): ", text, re.M):
            assert f"  - `{value}`: " in part, (command, value)
        assert "\\[default" not in part
    assert count > 100


def test_every_key_of_a_study_file_is_there(gbandit):
    shown = subprocess.run([gbandit, "schema"], check=True, capture_output=True, text=True)
    schema, page = json.loads(shown.stdout), parts(pages(gbandit)["toml.md"])
    places = {"Case": "Keys of `[[cases]]`", "Drawing": "Keys of a drawing"}
    tables = [("Keys of a study", schema)]
    for name, part in schema["$defs"].items():
        if "properties" in part:
            tables.append((places[name], part))
        for form in part.get("oneOf", []):
            tables.append((f'`kind = "{form["properties"]["kind"]["const"]}"`', form))
    assert len(tables) > 6
    for heading, part in tables:
        for key, told in part["properties"].items():
            if "const" in told:
                continue
            (row,) = rows_of(page[heading], key)
            assert (" required " in row) == (key in part.get("required", [])), key
            if isinstance(told.get("default"), str | int | float) and told["default"] != "":
                assert f"| `{json.dumps(told['default'])}` |" in row, key
            for word in told.get("enum", []):
                assert word is None or f'`"{word}"`' in row, (key, word)


def test_every_entry_of_the_registry_is_there(server, gbandit):
    with urllib.request.urlopen(f"{server.url}/v1/registry") as answer:
        registry = json.load(answer)
    page = parts(pages(gbandit)["registry.md"])
    kinds = ("agents", "teams", "families", "means", "noises", "shares")
    assert all(registry[kind] for kind in kinds)
    entries = [entry for kind in kinds for entry in registry[kind]]
    # An agent may also lead teams: then two parts of the page have its name.
    named = collections.Counter(
        (entry["name"], one["name"]) for entry in entries for one in entry["parameters"]
    )
    assert all(entry["name"] in page for entry in entries)
    for (name, parameter), times in named.items():
        assert len(rows_of(page[name], parameter)) == times, (name, parameter)


PAGE = writer("python_names").page()


def is_read(name):
    """Whether the site reads this name from the package; `name` is below the package."""
    module = name.partition(".")[0]
    return bool(
        re.search(rf"^\.\. auto\w+:: graph_bandit\.{re.escape(name)}$", PAGE, re.M)
        or re.search(rf"^\.\. automodule:: graph_bandit\.{module}$", PAGE, re.M)
    )


def test_every_public_name_is_there():
    assert len(gb.__all__) > 90
    for name in gb.__all__:
        value = getattr(gb, name)
        if inspect.ismodule(value):
            inner = [below if below in dir(gb) else f"{name}.{below}" for below in value.__all__]
            assert all(map(is_read, inner)), (name, inner)
        elif name == "__version__":
            assert "`gb.__version__`" in PAGE
        else:
            places = [name, f"graphs.{name}", f"rewards.{name}", f"agents.{name}"]
            assert any(map(is_read, places)), name


def test_every_environment_of_gymnasium_is_there():
    spec = gymnasium.spec("graph_bandit/GraphBandit-v0")
    for place in (spec.entry_point, spec.vector_entry_point):
        assert is_read(place.removeprefix("graph_bandit.").replace(":", ".")), place


def classes():
    """Every class of the package by its name, and where it is defined."""
    found = {}
    for module in pkgutil.walk_packages(gb.__path__, "graph_bandit."):
        if not module.name.endswith((".__main__", "._core")):
            for name, value in vars(importlib.import_module(module.name)).items():
                if inspect.isclass(value) and value.__module__ == module.name and name[0] != "_":
                    found[name] = value
    return found


def annotated(value):
    """The annotations of what a function returns, or of a class's fields, methods and properties."""
    if inspect.isclass(value):
        yield from (str(told) for told in vars(value).get("__annotations__", {}).values())
        for name, member in vars(value).items():
            if name[0] != "_":
                yield from annotated(getattr(member, "fget", member))
    elif inspect.isfunction(value):
        yield str(value.__annotations__.get("return", ""))


def test_every_class_that_a_public_name_answers_with_is_there():
    known = classes()
    seen, new = set(), [getattr(gb, name) for name in dir(gb)]
    new += [getattr(module, name) for module in list_modules() for name in module.__all__]
    while new:
        value = new.pop()
        for annotation in annotated(value):
            for name in set(re.findall(r"\w+", annotation)) & set(known) - seen:
                seen.add(name)
                new.append(known[name])
    assert {"Best", "BracketedNode", "Receipt", "Policy"} <= seen
    read = {name.rpartition(".")[2] for name in re.findall(r"auto\w+:: (\S+)", PAGE)}
    for module in list_modules():
        read |= set(module.__all__)
    assert seen - read == set()


def list_modules():
    return [value for value in map(gb.__dict__.get, gb.__all__) if inspect.ismodule(value)]
