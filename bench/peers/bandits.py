#!/usr/bin/env python3
"""Ordinary bandits: graph-bandit on complete graphs against SMPyBandits and rlberry.

    python3 bench/peers/bandits.py [--quick]

Makes a virtual environment under target/, runs every peer and `gbandit run` on the same means under
the same laws, checks that each pair of equal algorithms agrees within statistical error, and prints
one table with g-star next to them, also written to target/peers/bandits.{json,md}.
bench/peers/README.md says how each peer is called, and which of its parts are corrected.
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
import venv
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
WORK = TARGET / "peers"
REQUIREMENTS = pathlib.Path(__file__).with_name("requirements-bandits.txt")
SCALE = 0.5
STEPS = 2_000
# Every difference is judged by itself: with 30 pairs of equals, one is beyond 3.5 standard errors
# in one of seventy runs of this program.
FURTHEST = 3.5

MEANS = [0.5, 0.1, 0.3, 0.45, 0.9, 0.55, 0.8, 0.2, 0.7, 0.35]
CLOSE = [0.5, 0.45, 0.4, 0.48, 0.55, 0.42, 0.52, 0.46, 0.38, 0.5]
INSTANCES = [("wide", MEANS), ("close", CLOSE)]
LAWS = ["bernoulli", "gaussian:0.5", "uniform:0.5"]
# On a complete graph, a leg of one visit to the highest index is the ordinary bandit's choice.
EACH_VISIT = "growth=0,per-hop=0"
PLAIN = f"noise-scale={SCALE},variance=declared,travel=ignored,{EACH_VISIT}"

# The library, its algorithm, our counterpart, and the laws on which they are compared.
PAIRS = [
    ("rlberry", "UCB", "local-ucb:bonus=0.5", LAWS),
    ("rlberry", "TS, Gaussian", f"g-ts:{PLAIN}", LAWS),
    ("rlberry", "TS, Beta", f"g-ts:rewards=bernoulli,travel=ignored,{EACH_VISIT}", LAWS[:1]),
    ("SMPyBandits", "UCB", "local-ucb:bonus=0.5", LAWS),
    ("SMPyBandits", "TS, Beta", f"g-ts:rewards=bernoulli,travel=ignored,{EACH_VISIT}", LAWS[:1]),
    ("SMPyBandits", "KL-UCB+, Gaussian", f"g-klucb:{PLAIN}", LAWS),
    ("SMPyBandits", "KL-UCB+, Bernoulli", f"g-klucb:rewards=bernoulli,travel=ignored,{EACH_VISIT}", LAWS[:1]),
    ("SMPyBandits", "MOSS, anytime", f"g-moss:{PLAIN}", LAWS),
    ("SMPyBandits", "IMED, Gaussian, infimum corrected", f"g-imed:{PLAIN}", LAWS),
]
# Peers with the same knowledge but without a counterpart here, and one that is broken as released.
ALONE = [
    ("rlberry", "IMED, bounded", LAWS[:1]),
    ("SMPyBandits", "IMED, Gaussian, as it comes", LAWS[:1]),
]
# Peers that search for a minimum or a root in every step make fewer runs.
SLOWER = {"KL-UCB+, Bernoulli": 3, "IMED, bounded": 15, "IMED, Gaussian, as it comes": 15}
# Algorithms that know more than the noise scale: that rewards are 0 or 1.
KNOWS_MORE = ["TS, Beta", "KL-UCB+, Bernoulli", "IMED, bounded"]
STARS = ["g-star", "g-star:variance=declared", f"g-star:variance=declared,{EACH_VISIT}"]


def main():
    arguments = argparse.ArgumentParser(description="Ordinary bandits against other libraries.")
    arguments.add_argument("--quick", action="store_true", help="a sixth of the runs")
    arguments.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.inside:
        compare(10 if options.quick else 60)
        return
    python = environment()
    subprocess.run(["cargo", "build", "--release", "--locked", "--quiet"], cwd=ROOT, check=True)
    again = [python, "-W", "ignore", __file__, "--inside"] + (["--quick"] if options.quick else [])
    sys.exit(subprocess.run(again).returncode)


def environment():
    """The Python of a virtual environment with the peers; made once."""
    home = WORK / "venv-bandits"
    python = home / "bin" / "python"
    made = home / "requirements.txt"
    if not made.exists() or made.read_text() != REQUIREMENTS.read_text():
        venv.create(home, with_pip=True, clear=True)
        # The list is complete; the peers' other dependencies serve other parts of them.
        install = [python, "-m", "pip", "install", "--quiet", "--no-deps", "-r", REQUIREMENTS]
        subprocess.run(install, check=True)
        made.write_text(REQUIREMENTS.read_text())
    return python


def compare(runs):
    ours_runs = 20 * runs
    tasks = [(peer, name, law, means, seed)
             for _, means in INSTANCES
             for peer, name, laws in [pair[:2] + pair[-1:] for pair in PAIRS] + ALONE
             for law in laws
             for seed in range(max(2, runs // SLOWER.get(name, 1)))]
    with multiprocessing.Pool(2) as pool:
        regrets = pool.map(play, tasks, chunksize=2)
    theirs = {}
    for (peer, name, law, means, _), regret in zip(tasks, regrets):
        theirs.setdefault((tuple(means), law, peer, name), []).append(regret)
    rows, apart = [], 0
    for instance, means in INSTANCES:
        for law in LAWS:
            best, known = [], {}
            ours_named = {ours for _, _, ours, laws in PAIRS if law in laws}
            ours_of = measure_ours(sorted(ours_named) + STARS, means, law, ours_runs)
            for peer, name, ours, laws in PAIRS + [pair[:2] + (None,) + pair[2:] for pair in ALONE]:
                if law not in laws:
                    continue
                of_peer = theirs[(tuple(means), law, peer, name)]
                mean, error = moments(of_peer)
                row = {"means": instance, "law": law, "peer": peer, "algorithm": name,
                       "theirs": mean, "error": error}
                if ours:
                    row["ours"], row["our_error"] = ours_of[ours]
                    row["agent"] = ours
                    # Equal algorithms have equal spread, and we have many more runs to estimate it.
                    # The ten or so runs of a peer, with a rare bad one among them, would often show
                    # far too little.
                    spread = row["our_error"] * math.sqrt(1 + ours_runs / len(of_peer))
                    row["apart"] = (row["ours"] - mean) / spread
                    apart += abs(row["apart"]) > FURTHEST
                (known.setdefault("more", []) if name in KNOWS_MORE else best).append((mean, name))
                rows.append(row)
            for star in STARS:
                mean, error = ours_of[star]
                rows.append({"means": instance, "law": law, "agent": star, "ours": mean, "our_error": error,
                             "of_best": mean / min(best)[0], "best": min(best)[1],
                             "of_more": mean / min(known["more"])[0] if known else None})
    (WORK / "bandits.json").write_text(json.dumps(rows, indent=1) + "\n")
    table = markdown(rows)
    (WORK / "bandits.md").write_text(table)
    print(table, end="")
    if apart:
        sys.exit(f"{apart} pairs are more than {FURTHEST} standard errors apart")


def moments(regrets):
    return statistics.fmean(regrets), statistics.stdev(regrets) / math.sqrt(len(regrets))


def measure_ours(agents, means, law, runs):
    """The mean regret of our agents and its standard error, by agent."""
    found = {}
    for agent in agents:
        command = [TARGET / "release" / "gbandit", "run", "--graph", f"complete:{len(means)}", "--json"]
        command += ["--agents", agent, "--means", "fixed:" + ",".join(map(str, means)), "--noise", law]
        command += ["--steps", str(STEPS), "--runs", str(runs), "--checkpoints", "1", "--jobs", "2"]
        answer = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        regret = answer["agents"][0]
        found[agent] = regret["regret_mean"][0], regret["regret_sd"][0] / math.sqrt(runs)
    return found


def play(task):
    """The regret of one run of a peer: every arm once, then STEPS choices that count."""
    peer, name, law, means, seed = task
    import numpy

    numpy.random.seed(seed)
    rewards = numpy.random.default_rng([seed, 1])
    best = max(means)

    def pay(arm):
        kind, _, width = law.partition(":")
        if kind == "bernoulli":
            return float(rewards.random() < means[arm])
        if kind == "gaussian":
            return rewards.normal(means[arm], float(width))
        return rewards.uniform(means[arm] - float(width), means[arm] + float(width))

    choose, learn = PEERS[peer](name, len(means), seed)
    for arm in range(len(means)):
        learn(arm, pay(arm))
    regret = 0.0
    for _ in range(STEPS):
        arm = choose()
        learn(arm, pay(arm))
        regret += best - means[arm]
    return regret


def smpybandits(name, arms, _seed):
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from SMPyBandits import Policies
        from SMPyBandits.Policies import kullback

    variance = SCALE * SCALE

    def gaussian(x, y):
        return kullback.klGauss(x, y, variance)

    def bound(x, d, _tolerance):
        # Passed on directly, klucbGauss would take the tolerance for the variance.
        return kullback.klucbGauss(x, d, variance)

    class Imed(Policies.IMED):
        def one_Dinf(self, x, mu):
            # Theirs returns the y at which kl(x, y) is least; the index needs the least value.
            return gaussian(x, mu)

    make = {
        "UCB": lambda: Policies.UCBalpha(arms, alpha=1),
        "TS, Beta": lambda: Policies.Thompson(arms),
        "KL-UCB+, Gaussian": lambda: Policies.klUCBPlus(arms, klucb=bound),
        "KL-UCB+, Bernoulli": lambda: Policies.klUCBPlus(arms, klucb=kullback.klucbBern),
        "MOSS, anytime": lambda: Policies.MOSSAnytime(arms, alpha=0),
        "IMED, Gaussian, infimum corrected": lambda: Imed(arms, kl=gaussian),
        "IMED, Gaussian, as it comes": lambda: Policies.IMED(arms, kl=gaussian),
    }
    policy = make[name]()
    policy.startGame()
    return policy.choice, policy.getReward


class Tracker:
    """The methods of rlberry's tracker that its indices and priors use, without its log."""

    def __init__(self, arms, seed):
        import numpy

        self.arms, self.n_arms, self.t = range(arms), arms, 0
        self.rng = numpy.random.default_rng([seed, 2])
        self.counts, self.sums, self.seen = [0] * arms, [0.0] * arms, [[] for _ in range(arms)]

    def update(self, arm, reward):
        self.t += 1
        self.counts[arm] += 1
        self.sums[arm] += reward
        self.seen[arm].append(reward)

    def n_pulls(self, arm):
        return self.counts[arm]

    def total_reward(self, arm):
        return self.sums[arm]

    def mu_hat(self, arm):
        return self.sums[arm] / self.counts[arm]

    def rewards(self, arm):
        return self.seen[arm]


def rlberry(name, arms, seed):
    import numpy
    from rlberry.agents import bandits

    make = {
        "UCB": lambda: bandits.makeSubgaussianUCBIndex(SCALE, lambda t: 1 / t)[0],
        "IMED, bounded": lambda: bandits.makeBoundedIMEDIndex()[0],
        "TS, Gaussian": lambda: bandits.makeGaussianPrior(SCALE)[0]["sampler"],
        "TS, Beta": lambda: bandits.makeBetaPrior()[0]["sampler"],
    }
    tracker, index = Tracker(arms, seed), make[name]()
    return lambda: int(numpy.argmax(index(tracker))), tracker.update


PEERS = {"SMPyBandits": smpybandits, "rlberry": rlberry}


def markdown(rows):
    lines = ["| means | law | peer | algorithm | theirs | ours | standard errors apart |",
             "|---|---|---|---|--:|--:|--:|"]
    for row in rows:
        with_error = lambda value, error: f"{row[value]:.1f} ± {1.96 * row[error]:.1f}"
        if "algorithm" in row:
            cells = [row["peer"], row["algorithm"], with_error("theirs", "error")]
            ours = [with_error("ours", "our_error"), f"{row['apart']:+.1f}"] if "ours" in row else ["", ""]
            cells += ours
        else:
            more = f"; of the best that knows more: {row['of_more']:.2f}" if row["of_more"] else ""
            beside = f"of the best at the same knowledge ({row['best']}): {row['of_best']:.2f}{more}"
            cells = ["", f"`{row['agent']}`: {beside}", "", with_error("ours", "our_error"), ""]
        lines.append("| " + " | ".join([row["means"], row["law"], *cells]) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
