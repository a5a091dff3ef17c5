#!/usr/bin/env python3
"""Teams on complete graphs: graph-bandit against the multiple-play UCB of SMPyBandits.

    python3 bench/peers/teams.py [--quick]

If a node pays one draw however many walkers are on it, a team on a complete graph is a bandit with multiple plays. The
script makes a virtual environment under target/, runs `CentralizedMultiplePlay` of SMPyBandits and `gbandit run` on the
same means, checks that each pair of equal algorithms agrees within statistical error, and prints one table, also written
to target/peers/teams.{json,md}. bench/peers/README.md says which part of the peer is corrected.
"""

import argparse
import contextlib
import io
import json
import math
import multiprocessing
import os
import pathlib
import statistics
import subprocess
import sys
import warnings

# The same peer, in the same virtual environment.
from changing import environment

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
WORK = TARGET / "peers"
# Every difference is judged by itself, as in bandits.py.
FURTHEST = 3.5

STEPS = 5_000
# The number of walkers and the means.
PROBLEMS = {
    "three of nine": (3, [.1, .2, .3, .4, .5, .6, .7, .8, .9]),
    "six of nine": (6, [.1, .2, .3, .4, .5, .6, .7, .8, .9]),
    "two of six, close": (2, [.5, .55, .45, .6, .4, .52]),
}
# Their algorithm, and our counterpart. Our radius is bonus * sqrt(2 ln t / n); theirs is sqrt(2 ln t / n) for UCB and
# sqrt(alpha ln t / (2 n)) for UCBalpha.
PAIRS = [
    ("UCB, corrected", "comb-ucb:bonus=1"),
    ("UCBalpha(alpha=3), corrected", "comb-ucb"),
    ("UCBalpha(alpha=1), corrected", "comb-ucb:bonus=0.5"),
]
# As released.
ALONE = ["UCB"]


def main():
    arguments = argparse.ArgumentParser(description="Teams on complete graphs, against SMPyBandits.")
    arguments.add_argument("--quick", action="store_true", help="a tenth of the runs")
    arguments.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.inside:
        compare(20 if options.quick else 200)
        return
    python = environment()
    subprocess.run(["cargo", "build", "--release", "--locked", "--quiet"], cwd=ROOT, check=True)
    again = [python, "-W", "ignore", __file__, "--inside"] + (["--quick"] if options.quick else [])
    sys.exit(subprocess.run(again).returncode)


def compare(runs):
    ours_runs = 20 * runs
    theirs = measure_theirs([name for name, _ in PAIRS] + ALONE, runs)
    rows, apart = [], 0
    for problem in PROBLEMS:
        for name, ours in PAIRS + [(name, None) for name in ALONE]:
            of_peer = theirs[problem, name]
            row = {"problem": problem, "algorithm": name, "theirs": statistics.fmean(of_peer),
                   "error": statistics.stdev(of_peer) / math.sqrt(len(of_peer))}
            if ours:
                row["agent"] = ours
                row["ours"], row["our_error"] = measure_ours(ours, problem, ours_runs)
                # Equal algorithms have equal spread, and we have many more runs to estimate it.
                spread = row["our_error"] * math.sqrt(1 + ours_runs / len(of_peer))
                row["apart"] = (row["ours"] - row["theirs"]) / spread
                apart += abs(row["apart"]) > FURTHEST
            rows.append(row)
    (WORK / "teams.json").write_text(json.dumps(rows, indent=1) + "\n")
    table = markdown(rows)
    (WORK / "teams.md").write_text(table)
    print(table, end="")
    if apart:
        sys.exit(f"{apart} pairs are more than {FURTHEST} standard errors apart")


def measure_theirs(names, runs):
    """The regrets of the peer, by problem and algorithm."""
    tasks = [(problem, name, seed) for problem in PROBLEMS for name in names for seed in range(runs)]
    with multiprocessing.Pool(2) as pool:
        regrets = pool.map(play, tasks, chunksize=4)
    theirs = {}
    for (problem, name, _), regret in zip(tasks, regrets):
        theirs.setdefault((problem, name), []).append(regret)
    return theirs


def measure_ours(agent, problem, runs):
    """The mean regret of one of our agents, and its standard error."""
    walkers, means = PROBLEMS[problem]
    command = [TARGET / "release" / "gbandit", "run", "--graph", f"complete:{len(means)}", "--json"]
    command += ["--walkers", str(walkers), "--share", "equal", "--agents", agent]
    command += ["--means", "fixed:" + ",".join(map(str, means)), "--noise", "bernoulli"]
    command += ["--regret-from", "cover"]
    command += ["--steps", str(STEPS), "--runs", str(runs), "--checkpoints", "1", "--jobs", "2"]
    answer = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    regret = answer["agents"][0]
    return regret["regret_mean"][0], regret["regret_sd"][0] / math.sqrt(runs)


def play(task):
    """The expected regret of one run of the peer, over the steps after every arm was seen."""
    problem, name, seed = task
    import numpy

    numpy.random.seed(seed)
    rewards = numpy.random.default_rng([seed, 1])
    players, means = PROBLEMS[problem]
    means = numpy.array(means)
    best = float(numpy.sort(means)[-players:].sum())
    policy = make(name, players, len(means))
    for child in policy.children:
        child.startGame()
    regret, counted = 0.0, 0
    while counted < STEPS:
        counts = policy.player.pulls.min() > 0
        arms = [child.choice() for child in policy.children]
        drawn = rewards.random(players) < means[arms]
        for child, arm, reward in zip(policy.children, arms, drawn):
            child.getReward(arm, float(reward))
        if counts:
            regret += best - float(means[arms].sum())
            counted += 1
    return regret


def make(name, players, arms):
    """The peer's policy of this name."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from SMPyBandits import Policies
        from SMPyBandits.PoliciesMultiPlayers import CentralizedMultiplePlay

        class Steps(CentralizedMultiplePlay):
            def _getReward_one(self, player, arm, reward):
                # Theirs counts every reward as a step of time: in a step, time grows by the number of players.
                super()._getReward_one(player, arm, reward)
                if player != 0:
                    self.player.t -= 1

        algorithm, *corrected = name.split(", ")
        team = Steps if corrected else CentralizedMultiplePlay
        if algorithm == "UCB":
            return team(players, arms, Policies.UCB)
        alpha = float(algorithm.removeprefix("UCBalpha(alpha=").removesuffix(")"))
        return team(players, arms, Policies.UCBalpha, alpha=alpha)


def markdown(rows):
    lines = ["| problem | SMPyBandits | theirs | ours | agent | standard errors apart |",
             "|---|---|--:|--:|---|--:|"]
    for row in rows:
        cells = [row["problem"], row["algorithm"], f"{row['theirs']:.1f} ± {1.96 * row['error']:.1f}"]
        if "ours" in row:
            ours = f"{row['ours']:.1f} ± {1.96 * row['our_error']:.1f}"
            cells += [ours, f"`{row['agent']}`", f"{row['apart']:+.1f}"]
        else:
            cells += ["", "", ""]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
