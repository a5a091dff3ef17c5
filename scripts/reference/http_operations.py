"""The page of the HTTP API, from the service's own OpenAPI document."""

from http_problems import problems_part
from http_types import link, type_part
from json_schema import default, kind
from markdown_text import anchor, opening, prose, table
from registry_entries import names

PARAMETER_HEADS = ["parameter", "in", "value", "default", "meaning"]


def bodies(content):
    """What a request or an answer carries."""
    said = []
    for media, held in content.items():
        is_file = media == "application/octet-stream"
        shown = "a file" if is_file else kind(held.get("schema", {}), link)
        said.append(shown if media == "application/json" else f"{shown} (`{media}`)")
    return " or ".join(dict.fromkeys(said))


def parameter(one):
    """The row of a parameter."""
    return [
        f"`{one['name']}`",
        one["in"],
        kind(one["schema"], link),
        "required" if one.get("required") else default(one["schema"]),
        prose(one.get("description", "")),
    ]


def answered(code, answer):
    """What a request is answered with if all is well."""
    text = f"Answer {code}: {bodies(answer.get('content', {})) or 'nothing'}"
    # "Done." stands where there is nothing to say.
    said = prose(answer.get("description", "")).removeprefix("Done.")
    text += f". {said}" if said else ""
    if headers := ", ".join(f"`{name}`" for name in answer.get("headers", {})):
        text += f"{'' if said else '.'} Header: {headers}."
    return f"{text}\n\n"


def operation(path, method, told):
    """The part of the page on one operation."""
    text = f"### {method.upper()} {path}\n\n{prose(told['summary'])}"
    text += (
        f" Scope: `{told['x-scope']}`.\n\n" if told.get("x-scope") not in (None, "open") else "\n\n"
    )
    if parameters := [parameter(one) for one in told.get("parameters", [])]:
        text += table(PARAMETER_HEADS, parameters) + "\n"
    if "requestBody" in told:
        text += f"Body: {bodies(told['requestBody']['content'])}\n\n"
    for code, answer in told["responses"].items():
        if code.startswith("2"):
            text += answered(code, answer)
    refused = [code for code in told["responses"] if not code.startswith("2")]
    return text + "[Errors](#errors): " + ", ".join(refused) + "\n\n"


def page(document, wrong_method, registry):
    """The whole page; `wrong_method` is the answer to a method that a path does not have."""
    entries = names(registry)
    text = f"{opening('http')}\n## Operations\n\n"
    listed = [
        (path, method, told)
        for path, methods in document["paths"].items()
        for method, told in methods.items()
    ]
    text += table(
        ["request", "what it does"],
        [
            [f"[{method.upper()} {path}](#{anchor(f'{method} {path}')})", prose(told["summary"])]
            for path, method, told in listed
        ],
    )
    text += "\n"
    text += "".join(operation(path, method, told) for path, method, told in listed)
    text += problems_part(document, wrong_method)
    text += "\n## Types\n\n"
    types = document["components"]["schemas"].items()
    parts = (type_part(name, schema, entries) for name, schema in types)
    return (text + "".join(parts)).rstrip() + "\n"
