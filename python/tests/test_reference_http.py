"""The page on HTTP has all that the service's own description has."""

import json
import urllib.error
import urllib.request

import pytest
from reference_page import pages, parts, rows_of


@pytest.fixture(scope="module")
def document(server):
    with urllib.request.urlopen(f"{server.url}/openapi.json") as answer:
        return json.load(answer)


@pytest.fixture(scope="module")
def page(gbandit):
    return parts(pages(gbandit)["http.md"])


@pytest.fixture(scope="module")
def registry(gbandit):
    return parts(pages(gbandit)["registry.md"])


def operations(document):
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            yield f"{method.upper()} {path}", told


def shown(number):
    """A limit as the page writes it."""
    return f"{number:.0f}" if abs(number) <= 2**53 else f"{number:g}".replace("e+", "e")


def check_value(schema, row):
    """A row names the default, the limits and the allowed words of a schema."""
    default = schema.get("default")
    if (
        "| required |" not in row
        and default not in (None, "", [])
        and not isinstance(default, list | dict)
    ):
        assert f"| `{json.dumps(default)}` |" in row, row
    if "integer" in schema.get("type", "") and schema.get("maximum", 0) >= 2**32 - 1:
        # The largest number of its type, and 0, are what a reader expects.
        schema = {**schema, "maximum": None, "minimum": schema["minimum"] or None}
    for limit in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
        if schema.get(limit) is not None:
            assert shown(schema[limit]) in row, (limit, row)
    for limit in ("minLength", "maxLength", "pattern"):
        if schema.get(limit, 1) != 1:
            assert str(schema[limit]) in row, (limit, row)
    for word in [*schema.get("enum", []), *([schema["const"]] if "const" in schema else [])]:
        assert word is None or f"`{json.dumps(word)}`" in row, (word, row)


def test_every_operation_is_there_with_its_parameters_and_answers(document, page):
    assert len(document["paths"]) > 20
    for name, told in operations(document):
        part = page[name]
        assert f"[{name}](#" in page["Operations"]
        for one in told.get("parameters", []):
            (row,) = rows_of(part, one["name"])
            assert f"| {one['in']} |" in row
            assert (" required " in row) == one.get("required", False)
            check_value(one["schema"], row)
        errors = part.split("[Errors](#errors): ")[1].split("\n")[0].split(", ")
        for status in told["responses"]:
            assert (f"Answer {status}: " in part) if status[0] == "2" else (status in errors)
        assert len(errors) == sum(status[0] != "2" for status in told["responses"])


def members(schema):
    """Every member that a schema or one of its forms describes here, not by reference."""
    for name, member in schema.get("properties", {}).items():
        # A member that can only be null may not be given in that form.
        if member.get("type") != "null":
            yield name, member, name in schema.get("required", [])
        yield from members(member)
    for form in [*schema.get("oneOf", []), *schema.get("anyOf", []), *schema.get("allOf", [])]:
        yield from members(form)
    if isinstance(schema.get("items"), dict):
        yield from members(schema["items"])


def named(schema):
    """The names of the types that a part of the document refers to."""
    if isinstance(schema, list):
        return {name for one in schema for name in named(one)}
    if not isinstance(schema, dict):
        return set()
    own = {schema["$ref"].rpartition("/")[2]} if "/schemas/" in schema.get("$ref", "") else set()
    return own.union(*(named(one) for one in schema.values()))


# The parameters of these are on the page of the registry.
IN_REGISTRY = {"AgentSpec": "agent", "FamilySpec": "family"}


def check_entries(name, schema, part, registry):
    """The page names every entry, and leads to all parameters that it has here."""
    key = IN_REGISTRY[name]
    for form in schema["oneOf"]:
        entry = form["properties"][key]["const"]
        assert f"[{entry}](registry.md#{entry})" in part
        for parameter in set(form["properties"]) - {key}:
            assert rows_of(registry[entry], parameter), (entry, parameter)


def test_every_type_within_reach_is_there_with_its_members(document, page, registry):
    schemas = document["components"]["schemas"]
    reached, new = set(), named([document["paths"], document["components"]["responses"]])
    while new:
        reached |= new
        new = named([schemas[name] for name in new]) - reached
    assert len(reached) > 40
    count = 0
    for name in reached:
        part = page[name]
        assert schemas[name]["description"].split(".")[0].split("`")[0] in part
        if name in IN_REGISTRY:
            check_entries(name, schemas[name], part, registry)
            continue
        for member, told, required in members(schemas[name]):
            count += 1
            if "const" in told:
                assert f'`"{member}": {json.dumps(told["const"])}`' in part
            else:
                # Several forms may have a member of the same name.
                rows = [row for row in rows_of(part, member) if ("| required |" in row) == required]
                assert any(fits(told, row) for row in rows), (name, member)
    assert reached > set(IN_REGISTRY)
    assert count > 200


def fits(schema, row):
    try:
        check_value(schema, row)
    except AssertionError:
        return False
    return True


def test_rows_hold_something(page):
    for name, part in page.items():
        for line in part.split("\n"):
            if line.startswith("| `"):
                cells = line.replace("\\|", "").strip("|").split("|")
                assert cells[1].strip(), (name, line)


def test_every_status_and_every_kind_of_problem_is_there(document, page, server):
    statuses, kinds = [], set()
    for answer in document["components"]["responses"].values():
        problem = answer["content"]["application/problem+json"]["schema"]["properties"]
        statuses.append((problem["status"]["const"], answer["description"]))
        kinds |= {(urn, problem["status"]["const"]) for urn in problem["type"]["enum"]}
    for status, meaning in statuses:
        assert f"| {status} | {meaning} |" in page["Errors"]
    # A method that a path does not have is a problem of no operation.
    request = urllib.request.Request(f"{server.url}/healthz", method="DELETE")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    with refused.value as answer:
        kinds.add((json.load(answer)["type"], answer.status))
    assert len(kinds) > 30
    listed = page["Kinds of problems"]
    assert listed.count("| `urn:graph-bandit:") == len(kinds)
    for urn, status in kinds:
        (row,) = rows_of(listed, urn)
        assert f"| {status} |" in row


def test_the_meaning_of_a_problem_is_the_title_that_the_service_gives_it(page, server):
    for path, urn in [("/nowhere", "nowhere"), ("/v1/agents/nobody", "unknown-agent")]:
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(server.url + path)
        with refused.value as answer:
            problem = json.load(answer)
        (row,) = rows_of(page["Kinds of problems"], f"urn:graph-bandit:{urn}")
        assert row.endswith(f"| {problem['title']}. |")
