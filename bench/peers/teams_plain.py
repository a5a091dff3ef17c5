#!/usr/bin/env python3
"""Multi-G-UCB's own program in plain Python, with numpy and scipy.

    python3 bench/peers/teams_plain.py [NAME] [--rules RULE ..] [--runs N] [--stays one-by-one|at-once]
    python3 bench/peers/teams_plain.py --bench

Does what the program of Paschalidis, Zhang and Li (2024) does, written from its description in
crates/graph-bandit-paper/data/reference/teams/README.md. Runs it on the instance NAME (default: er100-5), and compares
the realized regret with the published curves. Ends with an error if an end value is more than 4.5 standard errors away.
With --bench, it takes turns with `graph-bandit-bench teams` instead, and prints how many times faster that is. Makes a virtual
environment under target/.
"""

import argparse
import csv
import heapq
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
WORK = TARGET / "peers"
REQUIREMENTS = pathlib.Path(__file__).with_name("requirements.txt")
DATA = ROOT / "crates" / "graph-bandit-paper" / "data" / "reference" / "teams"
RULES = ["original", "median", "max"]
FURTHEST = 4.5
NOISE = 0.06
BENCH_TURNS = 3
# The search for all nodes, and some dozen episodes.
GRID_STEPS = 3_000
# Added to every step of a way: of equally cheap ways, the one of fewest hops wins. Also, scipy takes an explicit zero
# for a missing edge.
PER_HOP = 1e-9


def main():
    arguments = argparse.ArgumentParser(description="Multi-G-UCB's program in plain Python.")
    arguments.add_argument("name", nargs="?", default="er100-5", help="the instance (default: er100-5)")
    arguments.add_argument("--rules", nargs="+", choices=RULES, default=RULES, metavar="RULE",
                           help="when episodes end: original, median, max (default: all three)")
    arguments.add_argument("--runs", type=int, default=10, help="runs of each rule (default: 10)")
    arguments.add_argument("--stays", choices=["one-by-one", "at-once"], default="one-by-one",
                           help="draw the rewards of a stay step by step, or all with one call")
    arguments.add_argument("--bench", action="store_true", help="take turns with `graph-bandit-bench teams`")
    arguments.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if not options.inside:
        if options.bench:
            subprocess.run(["cargo", "build", "--release", "--locked", "--quiet", "-p", "graph-bandit-bench"], cwd=ROOT, check=True)
        again = [environment(), __file__, "--inside", *sys.argv[1:]]
        # One thread, as ours.
        one = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
        sys.exit(subprocess.run(again, env=one).returncode)
    if options.bench:
        bench()
    else:
        compare(Instance.published(options.name), options.rules, options.runs, options.stays)


def environment():
    """The Python of a virtual environment with numpy and scipy; made once, also by planning.py."""
    home = WORK / "venv"
    python = home / "bin" / "python"
    made = home / "requirements.txt"
    if not made.exists() or made.read_text() != REQUIREMENTS.read_text():
        venv.create(home, with_pip=True, clear=True)
        install = [python, "-m", "pip", "install", "--quiet", "-r", REQUIREMENTS]
        subprocess.run(install, check=True)
        made.write_text(REQUIREMENTS.read_text())
    return python


class Instance:
    """A graph, its means, and what nodes pay several agents."""

    def __init__(self, name, edges, means, agents, bend):
        import numpy
        import scipy.sparse

        self.name, self.agents, self.means, self.nodes = name, agents, means, len(means)
        both_ways = sorted(edges + [(w, v) for v, w in edges])
        self.neighbours = [[] for _ in range(self.nodes)]
        for v, w in both_ways:
            self.neighbours[v].append(w)
        rows, columns = zip(*both_ways)
        self.matrix = scipy.sparse.csr_matrix((numpy.ones(len(rows)), (rows, columns)))
        # f_k(c) of node k, one column for each c from 0 on.
        bend, counts = bend[:, None], numpy.arange(agents + 1)[None, :]
        self.share = numpy.log1p(bend * counts) / numpy.log1p(bend)

    @classmethod
    def published(cls, name):
        """An instance of the paper, with what was published about it."""
        import numpy

        about = json.loads((DATA / f"{name}.json").read_text())
        means = numpy.loadtxt(DATA / f"{name}.means.csv", delimiter=",")
        with open(DATA / f"{name}.edges.csv", newline="") as file:
            edges = [(int(row["source"]), int(row["target"])) for row in csv.DictReader(file)]
        self = cls(name, edges, means, about["agents"], 0.05 * (2 + numpy.arange(len(means))))
        self.steps = about["steps"]
        self.stated_optimum = about["stated_optimum_per_step"]
        self.regrets = about["realized_cumulative_regret_against_stated_optimum"]
        return self

    @classmethod
    def grid(cls, side, agents):
        """The large team of `graph-bandit-bench teams`."""
        import numpy

        means = numpy.random.default_rng(1).uniform(0.25, 0.75, side * side)
        across = [(v, v + 1) for v in range(side * side) if (v + 1) % side]
        down = [(v, v + side) for v in range(side * side - side)]
        return cls(f"grid:{side}x{side}", across + down, means, agents, numpy.ones(side * side))

    def allocation(self, values):
        """The places of highest total value, ascending, by marginal gains: exact for concave shares."""
        gains = [(-gain, node, 1) for node, gain in enumerate(self.share[:, 1] * values)]
        heapq.heapify(gains)
        places = []
        for _ in range(self.agents):
            _, node, count = gains[0]
            places.append(node)
            if count < self.agents:
                gain = (self.share[node, count + 1] - self.share[node, count]) * values[node]
                heapq.heapreplace(gains, (-gain, node, count + 1))
            else:
                heapq.heappop(gains)
        return sorted(places)

    def optimum(self):
        """What the best static allocation earns per step, from the means."""
        import numpy

        places, counts = numpy.unique(self.allocation(self.means), return_counts=True)
        return float((self.share[places, counts] * self.means[places]).sum())


class Program:
    """One run."""

    def __init__(self, instance, rule, stays, steps, seed):
        import numpy

        self.of, self.rule, self.stays, self.steps = instance, rule, stays, steps
        self.random = numpy.random.default_rng(seed)
        self.counts = numpy.zeros(instance.nodes, dtype=int)
        self.sums = numpy.zeros(instance.nodes)
        self.index = numpy.zeros(instance.nodes)
        self.earned = numpy.zeros(steps)
        self.made = 0
        # The processor seconds of the plan of each episode.
        self.plans = []

    def run(self):
        """The reward of every step."""
        self.stand(self.random.integers(self.of.nodes, size=self.of.agents))
        self.initialize()
        while self.made < self.steps:
            self.episode()
        return self.earned

    def stand(self, at):
        """Puts agents on nodes, and finds which nodes are occupied, and what multiple of a draw each pays."""
        import numpy

        self.at = numpy.array(at)
        self.occupied, agents = numpy.unique(self.at, return_counts=True)
        self.multiples = self.of.share[self.occupied, agents]

    def sample(self, t):
        """One draw of every occupied node, at time t."""
        if self.made == self.steps:
            return
        nodes = self.occupied
        drawn = self.of.means[nodes] + NOISE * self.random.standard_normal(len(nodes))
        self.earned[self.made] = self.multiples @ drawn
        self.made += 1
        self.counts[nodes] += 1
        self.sums[nodes] += drawn
        self.update_index(nodes, t)

    def update_index(self, nodes, t):
        import numpy

        counts = self.counts[nodes]
        self.index[nodes] = self.sums[nodes] / counts + numpy.sqrt(2 * math.log(t) / counts)

    def initialize(self):
        """Depth-first searches that share their marks, until every node is marked."""
        entered_from = {int(node): int(node) for node in self.at}
        t = 1
        while len(entered_from) < self.of.nodes:
            t += 1
            self.sample(t)
            reached = []
            for node in map(int, self.at):
                new = [near for near in self.of.neighbours[node] if near not in entered_from]
                if new:
                    entered_from[new[0]] = node
                reached.append(new[0] if new else entered_from[node])
            self.stand(reached)
        self.sample(t)

    def episode(self):
        begun = time.process_time()
        places = self.of.allocation(self.index)
        by_count = sorted(places, key=lambda node: self.counts[node])
        rank = {"original": 0, "median": len(places) // 2, "max": len(places) - 1}[self.rule]
        decisive = by_count[rank]
        wanted = 2 * self.counts[decisive]
        paths = self.ways(places)
        self.plans.append(time.process_time() - begun)
        for step in range(max(map(len, paths))):
            self.stand([path[min(step, len(path) - 1)] for path in paths])
            self.sample(self.made + 1)
        if self.stays == "at-once":
            self.stay(min(wanted - self.counts[decisive], self.steps - self.made))
            return
        while self.counts[decisive] < wanted and self.made < self.steps:
            self.sample(self.made + 1)

    def ways(self, places):
        """The paths of all agents to places, with their starts, matched to cost least together."""
        import numpy
        from scipy.optimize import linear_sum_assignment
        from scipy.sparse.csgraph import dijkstra

        entry = numpy.maximum(self.index[places].max() - self.index, 0.0)
        self.of.matrix.data = entry[self.of.matrix.indices] + PER_HOP
        costs, before = dijkstra(self.of.matrix, indices=self.at, return_predecessors=True)
        paths = [None] * self.of.agents
        for agent, column in zip(*linear_sum_assignment(costs[:, places])):
            path = [places[column]]
            while path[-1] != self.at[agent]:
                path.append(int(before[agent, path[-1]]))
            paths[agent] = path[::-1]
        return paths

    def stay(self, steps):
        """The same as `sample` after `sample` where all agents are, with one call of numpy."""
        if steps <= 0:
            return
        nodes = self.occupied
        drawn = self.of.means[nodes] + NOISE * self.random.standard_normal((steps, len(nodes)))
        self.earned[self.made:self.made + steps] = drawn @ self.multiples
        self.made += steps
        self.counts[nodes] += steps
        self.sums[nodes] += drawn.sum(axis=0)
        self.update_index(nodes, self.made)


def timed_run(instance, rule, stays, seed):
    """The reward of every step, the number of episodes, and processor seconds, which leave out the time that the
    program waited for a core."""
    program = Program(instance, rule, stays, instance.steps, seed)
    begun = time.process_time()
    earned = program.run()
    return earned, len(program.plans), time.process_time() - begun


def compare(instance, rules, runs, stays):
    import numpy

    corrected = instance.optimum()
    print(f"{instance.name}: {instance.nodes} nodes, {instance.agents} agents, {instance.steps:,} steps, {runs} runs")
    print(f"optimum per step: stated {instance.stated_optimum:.5f}, from the means {corrected:.5f}\n")
    print("| rule | published | here, against the stated optimum | standard errors apart: at the end | at most | against "
          "the optimum from the means | episodes | seconds per run |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    apart = 0
    for rule in rules:
        results = [timed_run(instance, rule, stays, [RULES.index(rule), run]) for run in range(runs)]
        published = instance.regrets[rule]
        t = numpy.array(published["t"])
        earned = numpy.array([numpy.cumsum(earned)[t - 1] for earned, _, _ in results])
        regret = t * instance.stated_optimum - earned
        mean, sd = regret.mean(axis=0), regret.std(axis=0, ddof=1 if runs > 1 else 0)
        their_mean, their_sd = numpy.array(published["mean"]), numpy.array(published["sd"])
        # One run has no spread of its own.
        our_sd = sd if runs > 1 else their_sd
        errors = (mean - their_mean) / numpy.sqrt(their_sd**2 / published["n"] + our_sd**2 / runs)
        apart += abs(errors[-1]) > FURTHEST
        episodes = statistics.fmean(episodes for _, episodes, _ in results)
        seconds = statistics.median(seconds for _, _, seconds in results)
        moved = t[-1] * (corrected - instance.stated_optimum)
        print(f"| {rule} | {their_mean[-1]:,.0f} ± {their_sd[-1]:,.0f} ({published['n']}) "
              f"| {mean[-1]:,.0f} ± {sd[-1]:,.0f} ({runs}) | {errors[-1]:+.1f} | {errors[abs(errors).argmax()]:+.1f} "
              f"| {mean[-1] + moved:,.0f} | {episodes:,.0f} | {seconds:.2f} |", flush=True)
    print("\n± is the standard deviation of runs")
    if apart:
        sys.exit(f"{apart} rules end more than {FURTHEST} standard errors from what was published")


def bench():
    """Takes turns with `graph-bandit-bench teams`, and prints both sides and their ratios."""
    instance, grid = Instance.published("er300-20"), Instance.grid(100, 100)
    runs, plans = {}, {}
    for turn in range(BENCH_TURNS):
        ours = [TARGET / "release" / "graph-bandit-bench", "teams", "--json"]
        ours = json.loads(subprocess.run(ours, check=True, stdout=subprocess.PIPE).stdout)["teams"]
        for row in ours["runs"]:
            runs.setdefault(f"gbandit, rewards {row['tape']}", []).append(row["seconds_per_run"])
        for row in ours["plans"]:
            plans.setdefault(f"{row['agent']} ({row['preset']}), {row['legs']} legs", []).append(row["seconds"])
        for stays in ["one-by-one", "at-once"]:
            _, _, seconds = timed_run(instance, "original", stays, [9, turn])
            runs.setdefault(f"plain Python, stays {stays}", []).append(seconds)
        program = Program(grid, "original", "at-once", GRID_STEPS, [9, turn])
        program.run()
        plans.setdefault(f"plain Python, {grid.agents} legs", []).append(statistics.median(program.plans[1:]))
    for title, times in [(f"{instance.name}, {instance.steps:,} steps", runs), (f"A plan on {grid.name}", plans)]:
        first = statistics.median(next(iter(times.values())))
        print(f"| {title} | milliseconds | times the first row |\n|---|--:|--:|")
        for name, seconds in times.items():
            middle = statistics.median(seconds)
            print(f"| {name} | {1e3 * middle:.4g} | {middle / first:.3g} |")
        print()


if __name__ == "__main__":
    main()
