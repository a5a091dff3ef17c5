"""The client of the version before passes its own tests against this service.

Whoever has not updated a robot yet can still talk to a service that was updated.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

FIXTURES = pathlib.Path(__file__).parents[2] / "tests" / "fixtures"


#: What was changed on purpose since a version: what its tests said of it, and what they say now.
#: An edge without which nodes are cut off was refused; such nodes are set aside now.
#: Some messages are worded better. Agents that forget came later. The service gives their means of what they remember.
CHANGED = {
    "0.1": [
        (
            """match="falls apart") as refused:
        rover.block("hall", "gate")""",
            """match="there is no edge") as refused:
        rover.block("hall", "roof")""",
        ),
        ('match="was another one"', 'match="already has the number"'),
        ('match="is no name for an agent"', 'match="is not a name for an agent"'),
        ('match="wants scope admin"', 'match="needs scope admin"'),
        ('match="wants scope decide"', 'match="needs scope decide"'),
        (
            """    assert served.means == pytest.approx(local.means, rel=1e-15, abs=0)
""",
            """    forgets = ("sw-", "discounted-", "glr-", "cusum-", "m-klucb", "g-drift")
    if not name.startswith(forgets):
        assert served.means == pytest.approx(local.means, rel=1e-15, abs=0)
""",
        ),
    ]
}


def unchanged_client(version, place):
    """The client of a version with its tests, but for what was changed on purpose."""
    client = shutil.copytree(FIXTURES / version / "client", place / "client")
    tests = client / "python" / "tests" / "test_service.py"
    said = tests.read_text()
    for before, now in CHANGED[version]:
        assert said.count(before) == 1, before
        said = said.replace(before, now)
    tests.write_text(said)
    return client


@pytest.mark.parametrize("version", ["0.1"])
def test_the_previous_client_passes_its_own_tests(gbandit, version, tmp_path):
    client = unchanged_client(version, tmp_path)
    paths = [str(client), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        "GBANDIT": str(pathlib.Path(gbandit).resolve()),
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-o", "addopts="]
    command += ["--rootdir", str(client), "python/tests"]
    ran = subprocess.run(
        command, env=environment, cwd=client, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    # With that client: Python goes on where its `sitecustomize.py` fails, and says so.
    assert "sitecustomize" not in ran.stderr, ran.stderr
    # All of them: none was skipped. Former names warn, and nothing else does.
    assert re.search(r"=+ \d+ passed(, \d+ warnings)? in .*=+$", ran.stdout, re.MULTILINE), (
        ran.stdout
    )
    warned = set(re.findall(r"\b\w*Warning\b", ran.stdout))
    assert warned <= {"GraphBanditDeprecationWarning"}, ran.stdout
