"""The pages of the reference: all of them follow from the program and the packages."""

import json
import shutil
import subprocess
import sysconfig
import urllib.error
import urllib.request
from dataclasses import dataclass

import command_line
import http_operations
import python_names
import registry_entries
import rust_crates
import toml_keys


@dataclass(frozen=True)
class Facts:
    """What the program says of itself in JSON."""

    study_schema: dict
    operations: dict
    registry: dict
    #: The answer to a method that a path does not have: no operation has this problem.
    wrong_method: dict


def installed_program():
    """The command that the installed package brings."""
    program = shutil.which("gbandit", path=sysconfig.get_path("scripts"))
    if program is None:
        raise FileNotFoundError(
            "the reference is made from the command gbandit of the Python package, which is not "
            "installed: run `pip install '.[gym,pettingzoo]'` at the root of the repository"
        )
    return program


def answer(url, method, path):
    """The JSON that a service answers, also if it refuses."""
    request = urllib.request.Request(url + path, method=method)
    try:
        with urllib.request.urlopen(request) as answered:
            return json.load(answered)
    except urllib.error.HTTPError as refused:
        with refused:
            return json.load(refused)


def served(gbandit, *requests):
    """What a service of its own answers to these requests, such as `GET /readyz`."""
    command = [gbandit, "serve", "--store", "memory:", "--listen", "127.0.0.1:0", "--log", "error"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
        try:
            url = service.stdout.readline().removeprefix("listening on ").strip()
            return [answer(url, *request.split()) for request in requests]
        finally:
            service.terminate()


def facts(gbandit):
    """Asks the program."""
    schema = subprocess.run([gbandit, "schema"], check=True, capture_output=True, text=True).stdout
    asked = served(gbandit, "GET /openapi.json", "GET /v1/registry", "POST /healthz")
    return Facts(json.loads(schema), *asked)


def pages(gbandit, known):
    """The text of each page, by its name; `known` are the facts."""
    return {
        "command-line.md": command_line.page(gbandit),
        "toml.md": toml_keys.page(known.study_schema),
        "http.md": http_operations.page(known.operations, known.wrong_method, known.registry),
        "registry.md": registry_entries.page(known.registry),
        "python.md": python_names.page(),
        "rust.md": rust_crates.page(),
    }
