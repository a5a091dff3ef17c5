"""The service is what its description says: schemathesis holds the one against the other."""

import json
import os
import pathlib
import subprocess
import sys
import urllib.request
from collections import Counter

import pytest
from service_process import Server, tokens

HERE = pathlib.Path(__file__).parent
# A stream has no end to wait for; test_service.py reads it.
STREAMS = {"events"}


def schemathesis(server, answers, directory, token=None):
    """Runs all phases with all checks; answers are counted by operation and status."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(HERE),
        "SCHEMATHESIS_HOOKS": "openapi_hooks",
        "GBANDIT_URL": server.url,
        "GBANDIT_ANSWERS": str(answers),
        "GBANDIT_TOKEN": token or "",
    }
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{server.url}/openapi.json"]
    command += ["--checks", "all", "--seed", "7", "--max-examples", "40"]
    for stream in STREAMS:
        command += ["--exclude-operation-id", stream]
    if token:
        command += ["--header", f"Authorization: Bearer {token}"]
    ran = subprocess.run(
        command, env=environment, cwd=directory, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return Counter(tuple(line.split()) for line in answers.read_text().splitlines())


def operations(server):
    with urllib.request.urlopen(f"{server.url}/openapi.json") as answer:
        description = json.load(answer)
    return {
        operation["operationId"]
        for path in description["paths"].values()
        for method, operation in path.items()
        if method != "parameters"
    }


@pytest.mark.parametrize("door", ["open", "tokens"])
def test_the_service_is_what_its_description_says(gbandit, tmp_path, door):
    token, more = None, []
    if door == "tokens":
        made = tokens(gbandit, tmp_path / "tokens", "admin")
        token, more = made["admin"], ["--token-file", str(tmp_path / "tokens")]
    with Server(gbandit, f"sqlite://{tmp_path / 'fleet.db'}", *more) as server:
        answers = schemathesis(server, tmp_path / "answers", tmp_path, token)
        # It has read the description, and need not ask for it again.
        wanted = operations(server) - STREAMS - {"openapi"}
        with urllib.request.urlopen(server.url) as page:
            if b"/dashboard/" not in page.read():
                wanted.remove("pageFile")
    done = {operation for operation, status in answers if status.startswith("2")}
    assert wanted - done == set()
    # Not by luck: reports got through, and were refused for what they said, not only for their form.
    for report in ["tell", "observe", "edgeBlocked", "edgeOpened", "legFailed"]:
        assert {"200", "409", "422"} <= {status for done, status in answers if done == report}
