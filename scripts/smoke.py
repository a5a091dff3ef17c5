"""Checks that an installed wheel works: the compiled part, its results, its commands.

    python scripts/smoke.py

Needs only the wheel. The workflow that makes wheels runs it outside the repository.
"""

import subprocess
import sys
import sysconfig
from importlib.metadata import distribution
from pathlib import Path

import graph_bandit as gb


def main():
    """Fails with a message."""
    installed = distribution("graph-bandit")
    names = [Path(file).name for file in installed.files or []]
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"]:
        assert licence in names, f"{licence} is not in the wheel"
    # Node 2 of a line pays most, so an agent that walks for long enough stays there.
    world = gb.World("line:3", means=[0.0, 0.5, 5.0], noise=gb.uniform_noise(0.5))
    session = gb.agent("line:3", "g-star", noise_scale=0.5, seed=1)
    for _ in range(200):
        leg = session.ask()
        session.tell(leg.node, reward=float(leg.node == 2))
    assert session.ask().node == 2, "the agent did not find the best node"
    results = gb.run(world, ["g-ucb"], steps=500, runs=2, seed=7)
    assert "g-ucb" in str(results), f"results without their agent: {results}"
    scripts = Path(sysconfig.get_path("scripts"))
    commands = [entry.name for entry in installed.entry_points if entry.group == "console_scripts"]
    for command in commands:
        subprocess.run([scripts / command, "--version"], check=True)
    print(f"graph-bandit {installed.version} works in Python {sys.version.split()[0]}")


if __name__ == "__main__":
    main()
