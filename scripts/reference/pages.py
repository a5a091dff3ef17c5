"""The pages of docs/reference that follow from the program."""

import json
import subprocess
import urllib.error
import urllib.request

import command_line
import http_operations
import python_names
import registry_entries
import toml_keys


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


def pages(gbandit):
    """The text of each page, by its name."""
    schema = subprocess.run([gbandit, "schema"], check=True, capture_output=True, text=True).stdout
    # No operation has the problem of a method that its path does not have, so one is met here.
    operations, registry, wrong_method = served(
        gbandit, "GET /openapi.json", "GET /v1/registry", "POST /healthz"
    )
    return {
        "command-line.md": command_line.page(gbandit),
        "toml.md": toml_keys.page(json.loads(schema)),
        "http.md": http_operations.page(operations, wrong_method),
        "registry.md": registry_entries.page(registry),
        "python.md": python_names.page(),
    }
