"""The pages of docs/reference that follow from the program."""

import json
import subprocess
import urllib.request

import command_line
import http_operations
import python_names
import registry_entries
import toml_keys


def served(gbandit, *paths):
    """What a service of its own answers to requests for these paths."""
    command = [gbandit, "serve", "--store", "memory:", "--listen", "127.0.0.1:0", "--log", "error"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service:
        try:
            url = service.stdout.readline().removeprefix("listening on ").strip()
            return [json.load(urllib.request.urlopen(url + path)) for path in paths]
        finally:
            service.terminate()


def pages(gbandit):
    """The text of each page, by its name."""
    schema = subprocess.run([gbandit, "schema"], check=True, capture_output=True, text=True).stdout
    operations, registry = served(gbandit, "/openapi.json", "/v1/registry")
    return {
        "command-line.md": command_line.page(gbandit),
        "toml.md": toml_keys.page(json.loads(schema)),
        "http.md": http_operations.page(operations),
        "registry.md": registry_entries.page(registry),
        "python.md": python_names.page(),
    }
