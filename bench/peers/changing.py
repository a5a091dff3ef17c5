#!/usr/bin/env python3
"""Rewards that change: graph-bandit on complete graphs against SMPyBandits.

    python3 bench/peers/changing.py [--quick]

Makes a virtual environment under target/, runs every peer and `gbandit run` on the same means, which
change at the same moments, checks that each pair of equal algorithms agrees within statistical error,
and prints one table, also written to target/peers/changing.{json,md}. bench/peers/README.md says which
parts of the peer are corrected.
"""

import argparse
import contextlib
import io
import json
import math
import multiprocessing
import os
import pathlib
import random
import statistics
import subprocess
import sys
import venv
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
WORK = TARGET / "peers"
REQUIREMENTS = pathlib.Path(__file__).with_name("requirements-changing.txt")
# Every difference is judged by itself, as in bandits.py.
FURTHEST = 3.5

# The steps, and the means from each moment on, counted from the first step after each node was
# visited once. Pb1 and Pb4 are those of Besson's thesis (2019).
PROBLEMS = {
    "Pb1": (5_000, [(0, [.3, .5, .9]), (1_000, [.3, .2, .9]), (2_000, [.3, .2, .1]),
                    (3_000, [.7, .2, .1]), (4_000, [.7, .5, .1])]),
    "Pb4": (5_000, [(0, [.1, .5, .9]), (2_500, [.3, .4, .1]), (3_125, [.5, .3, .2]),
                    (3_750, [.7, .4, .3]), (4_375, [.1, .5, .2])]),
    "five nodes, two changes": (5_000, [(0, [.2, .3, .4, .5, .8]), (1_500, [.8, .3, .4, .5, .2]),
                                        (3_500, [.2, .3, .9, .5, .2])]),
    "two nodes, nine changes": (4_000, [(400 * k, [.8, .4] if k % 2 == 0 else [.3, .7])
                                        for k in range(10)]),
}

# Their algorithm, whether it is corrected, and our counterpart.
PAIRS = [
    ("klUCB", "klucb"),
    ("SW-klUCB", "sw-klucb:{tuned}"),
    ("CUSUM-klUCB, corrected", "cusum-klucb:{tuned}"),
    ("M-klUCB, corrected", "m-klucb:{tuned}"),
    ("discounted TS, corrected", "discounted-ts:gamma=0.95"),
    ("EXP3.S", "exp3s:{tuned}"),
    ("oracle restarts of klUCB, corrected", "restarting-klucb"),
    ("GLR-klUCB, local, corrected", "glr-klucb:restarts=local,{tuned}"),
    ("GLR-klUCB, global, corrected", "glr-klucb:restarts=global,{tuned}"),
]
# As released.
ALONE = ["CUSUM-klUCB", "M-klUCB", "discounted TS", "oracle restarts of klUCB"]
# Peers that scan all earlier rewards again and again make fewer runs.
SLOWER = {"GLR-klUCB, local, corrected": 3, "GLR-klUCB, global, corrected": 3, "CUSUM-klUCB": 6}


def main():
    arguments = argparse.ArgumentParser(description="Rewards that change, against SMPyBandits.")
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
    """The Python of a virtual environment with the peer; made once."""
    home = WORK / "venv-changing"
    python = home / "bin" / "python"
    made = home / "requirements.txt"
    if not made.exists() or made.read_text() != REQUIREMENTS.read_text():
        venv.create(home, with_pip=True, clear=True)
        # The list is complete; the peer's other dependencies serve other parts of it.
        install = [python, "-m", "pip", "install", "--quiet", "--no-deps", "-r", REQUIREMENTS]
        subprocess.run(install, check=True)
        made.write_text(REQUIREMENTS.read_text())
    return python


def compare(runs):
    ours_runs = 20 * runs
    theirs = measure_theirs([name for name, _ in PAIRS] + ALONE, runs)
    rows, apart = [], 0
    for problem, (steps, segments) in PROBLEMS.items():
        tuned = f"changes={len(segments) - 1},horizon={steps}"
        for name, ours in PAIRS + [(name, None) for name in ALONE]:
            of_peer = theirs[problem, name]
            row = {"problem": problem, "algorithm": name, "theirs": statistics.fmean(of_peer),
                   "error": statistics.stdev(of_peer) / math.sqrt(len(of_peer))}
            if ours:
                row["agent"] = ours.format(tuned=tuned)
                row["ours"], row["our_error"] = measure_ours(row["agent"], problem, ours_runs)
                # Equal algorithms have equal spread, and we have many more runs to estimate it.
                spread = row["our_error"] * math.sqrt(1 + ours_runs / len(of_peer))
                row["apart"] = (row["ours"] - row["theirs"]) / spread
                apart += abs(row["apart"]) > FURTHEST
            rows.append(row)
    (WORK / "changing.json").write_text(json.dumps(rows, indent=1) + "\n")
    table = markdown(rows)
    (WORK / "changing.md").write_text(table)
    print(table, end="")
    if apart:
        sys.exit(f"{apart} pairs are more than {FURTHEST} standard errors apart")


def measure_theirs(names, runs):
    """The regrets of the peer, by problem and algorithm."""
    tasks = [(problem, name, seed) for problem in PROBLEMS for name in names
             for seed in range(max(2, runs // SLOWER.get(name, 1)))]
    with multiprocessing.Pool(2) as pool:
        regrets = pool.map(play, tasks, chunksize=2)
    theirs = {}
    for (problem, name, _), regret in zip(tasks, regrets):
        theirs.setdefault((problem, name), []).append(regret)
    return theirs


def measure_ours(agent, problem, runs):
    """The mean dynamic regret of one of our agents, and its standard error."""
    steps, segments = PROBLEMS[problem]
    nodes = len(segments[0][1])
    table = WORK / f"{problem.replace(' ', '-').replace(',', '')}.csv"
    lines = ["from," + ",".join(map(str, range(nodes)))]
    lines += [",".join(map(str, [moment, *means])) for moment, means in segments]
    table.write_text("\n".join(lines) + "\n")
    command = [TARGET / "release" / "gbandit", "run", "--graph", f"complete:{nodes}", "--json"]
    command += ["--agents", agent, "--means", f"changes:{table}", "--noise", "bernoulli"]
    command += ["--steps", str(steps), "--runs", str(runs), "--checkpoints", "1", "--jobs", "2"]
    command += ["--against", "free"]
    answer = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    regret = answer["agents"][0]
    return regret["regret_mean"][0], regret["regret_sd"][0] / math.sqrt(runs)


def play(task):
    """The dynamic regret of one run of the peer: every arm once, then the choices that count."""
    problem, name, seed = task
    import numpy

    numpy.random.seed(seed)
    random.seed(seed)
    rewards = numpy.random.default_rng([seed, 1])
    steps, segments = PROBLEMS[problem]
    arms = len(segments[0][1])
    policy = make(name, arms, steps, [moment for moment, _ in segments[1:]])
    policy.startGame()
    means = segments[0][1]
    for arm in range(arms):
        policy.getReward(arm, float(rewards.random() < means[arm]))
    regret, ahead = 0.0, segments[1:]
    for step in range(steps):
        if ahead and ahead[0][0] <= step:
            means, ahead = ahead[0][1], ahead[1:]
        arm = policy.choice()
        policy.getReward(arm, float(rewards.random() < means[arm]))
        regret += max(means) - means[arm]
    return regret


def make(name, arms, steps, changes):
    """The peer's policy of this name."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from SMPyBandits import Policies
        from SMPyBandits.Policies.GLR_UCB import BernoulliGLR_IndexPolicy
        from SMPyBandits.Policies.klUCB_forGLR import klUCB_forGLR
        import numpy

        count = len(changes)
        # Time includes the first visit to each arm.
        moments = [moment + arms for moment in changes]

        class Uniform:
            """The peer's own draw never chooses the last arm."""

            def choice(self):
                if random.random() < self.proba_random_exploration:
                    return numpy.random.randint(0, self.nbArms)
                return self.policy.choice()

        class Cusum(Uniform, Policies.CUSUM_IndexPolicy):
            sums = {}

            def detect_change(self, arm):
                # The rewards that tell the mean are not tested against it.
                seen = self.all_rewards[arm]
                if len(seen) <= self.M:
                    self.sums = {**self.sums, arm: (numpy.mean(seen), 0.0, 0.0)}
                    return False, None
                first, above, below = self.sums[arm]
                above = max(0.0, above + seen[-1] - first - self.epsilon)
                below = max(0.0, below + first - seen[-1] - self.epsilon)
                self.sums[arm] = first, above, below
                return max(above, below) >= self.threshold_h, None

        class Glr(Uniform, BernoulliGLR_IndexPolicy):
            def getReward(self, arm, reward):
                super().getReward(arm, reward)
                # A restart keeps nothing; the peer keeps the last reward.
                if self.last_restart_times[arm] == self.t:
                    self.last_pulls[arm], self.all_rewards[arm] = 0, []
                    self.policy.rewards[arm] = self.policy.pulls[arm] = 0

        class Monitored(Policies.Monitored_IndexPolicy):
            def detect_change(self, arm):
                # The pair that theirs returns is true whatever it holds.
                found = super().detect_change(arm)
                return found if isinstance(found, bool) else bool(found[0])

            def getReward(self, arm, reward):
                super().getReward(arm, reward)
                # A restart sets the time to zero but keeps the moment of the restart.
                if self.last_update_time_tau > self.t:
                    self.last_update_time_tau = self.t

        class Discounted(Policies.DiscountedThompson):
            def getReward(self, arm, reward):
                # Theirs discounts the arm itself once more for every other arm.
                self.posterior[arm].update(reward)
                for other in range(self.nbArms):
                    if other != arm:
                        self.posterior[other].discount()
                self.t += 1

        class Oracle(Policies.klUCB):
            """Theirs restarts after every reward, as the pair that it tests is always true."""

            def startGame(self):
                super().startGame()
                self.made = 0

            def getReward(self, arm, reward):
                super().getReward(arm, reward)
                self.made += 1
                if self.made in moments:
                    self.pulls[:], self.rewards[:], self.t = 0, 0.0, 0

        kl = Policies.klUCB
        cusum = {"horizon": steps, "max_nb_random_events": count, "policy": kl, "epsilon": 0.1,
                 "min_number_of_observation_between_change_point": 150, "use_localization": False,
                 "lazy_detect_change_only_x_steps": 1}
        monitored = {"horizon": steps, "max_nb_random_events": count, "policy": kl, "w": 150}

        def glr(per_arm):
            hardness = count * (arms if per_arm else 1)
            return Glr(arms, policy=klUCB_forGLR, per_arm_restart=per_arm, use_localization=False,
                       delta=1 / math.sqrt(hardness * steps),
                       alpha0=0.05 * math.sqrt(hardness * math.log(steps) / steps))

        policies = {
            "klUCB": lambda: kl(arms),
            "SW-klUCB": lambda: Policies.SWklUCB(arms, tau=int(2 * math.sqrt(steps * math.log(steps) / count))),
            "CUSUM-klUCB": lambda: Policies.CUSUM_IndexPolicy(arms, **cusum),
            "CUSUM-klUCB, corrected": lambda: Cusum(arms, **cusum),
            "M-klUCB": lambda: Policies.Monitored_IndexPolicy(arms, **monitored),
            "M-klUCB, corrected": lambda: Monitored(arms, **monitored),
            "discounted TS": lambda: Policies.DiscountedThompson(arms, gamma=0.95),
            "discounted TS, corrected": lambda: Discounted(arms, gamma=0.95),
            # Their `max_nb_random_events` is the number of stretches between changes.
            "EXP3.S": lambda: Policies.Exp3S(arms, horizon=steps, max_nb_random_events=count + 1),
            "oracle restarts of klUCB": lambda: Policies.OracleSequentiallyRestartPolicy(
                arms, changePoints=moments, policy=kl),
            "oracle restarts of klUCB, corrected": lambda: Oracle(arms),
            "GLR-klUCB, local, corrected": lambda: glr(True),
            "GLR-klUCB, global, corrected": lambda: glr(False),
        }
        return policies[name]()


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
