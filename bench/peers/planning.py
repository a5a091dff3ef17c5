#!/usr/bin/env python3
"""Shortest paths to one node: graph-bandit and petgraph against rustworkx, scipy and igraph.

    python3 bench/peers/planning.py [--quick]

Makes a virtual environment under target/, lets `graph-bandit-bench planning` write its problems with
their solutions and its own times, gives every peer the same problems on the same graphs, checks
that all distances agree, and prints one table, also written to target/peers/planning.{json,md}.
bench/peers/README.md says how each peer is called.
"""

import argparse
import json
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
# A round takes seconds on the largest graphs and microseconds on the smallest.
SECONDS_PER_PEER = 3.0
FEWEST_ROUNDS, MOST_ROUNDS = 3, 200
AGREEMENT = 1e-9
CHECKED = 2


def main():
    arguments = argparse.ArgumentParser(description="Shortest paths against other libraries.")
    arguments.add_argument("--quick", action="store_true", help="graphs of up to 10^5 nodes")
    arguments.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.inside:
        compare()
        return
    python = environment()
    measure_ours(options.quick)
    subprocess.run([python, __file__, "--inside"], check=True)


def environment():
    """The Python of a virtual environment with the peers; made once."""
    home = WORK / "venv"
    python = home / "bin" / "python"
    made = home / "requirements.txt"
    if not made.exists() or made.read_text() != REQUIREMENTS.read_text():
        venv.create(home, with_pip=True, clear=True)
        install = [python, "-m", "pip", "install", "--quiet", "-r", REQUIREMENTS]
        subprocess.run(install, check=True)
        made.write_text(REQUIREMENTS.read_text())
    return python


def measure_ours(quick):
    """Writes problems, solutions and the times of the library and petgraph to WORK/problems."""
    subprocess.run(["cargo", "build", "--release", "--locked", "--quiet", "-p", "graph-bandit-bench"], cwd=ROOT, check=True)
    problems = WORK / "problems"
    for old in problems.glob("*"):
        old.unlink()
    problems.mkdir(parents=True, exist_ok=True)
    bench = [TARGET / "release" / "graph-bandit-bench", "planning", "--json"]
    bench += ["--export", problems] + (["--quick"] if quick else [])
    report = subprocess.run(bench, check=True, stdout=subprocess.PIPE)
    (WORK / "ours.json").write_bytes(report.stdout)


def compare():
    import numpy

    rows = []
    ours = json.loads((WORK / "ours.json").read_text())["planning"]["rows"]
    for row in ours:
        stem = row["graph"].replace(":", "-").replace(",", "-")
        read = lambda ending, kind: numpy.fromfile(WORK / "problems" / f"{stem}.{ending}", kind)
        about = json.loads((WORK / "problems" / f"{stem}.json").read_text())
        problem = {"nodes": about["nodes"], "edges": read("edges", "<u4").reshape(-1, 2)}
        # On roads: the cost of a unit of time in each task, and the time of each road.
        prices = about["times"] or [0.0] * len(about["targets"])
        problem["times"] = read("times", "<f8") if about["times"] else None
        costs = read("costs", "<f8").reshape(-1, about["nodes"])
        expected = read("distances", "<f8").reshape(-1, about["nodes"])
        tasks = list(zip(costs, about["targets"], prices))
        line = {
            "graph": row["graph"],
            "nodes": row["nodes"],
            "edges": row["edges"],
            "graph-bandit": row["policy"],
            "graph-bandit, one path": row["path"],
            "petgraph": row["petgraph"]["seconds"],
        }
        for name, peer in PEERS.items():
            task = peer(problem)
            for (costs, target, price), distances in zip(tasks[:CHECKED], expected):
                check(name, row["graph"], task(costs, target, price)(), distances)
            line[name] = median_time(task, tasks)
            del task
            print(f"{row['graph']}: {name} {line[name] * 1e3:.3g} ms", file=sys.stderr)
        rows.append(line)
    (WORK / "planning.json").write_text(json.dumps(rows, indent=1) + "\n")
    table = markdown(rows)
    (WORK / "planning.md").write_text(table)
    print(table, end="")


def outward(problem):
    """Every edge in both directions, as (from, to, time), for a search outward from the target: the step
    back from `from` to `to` enters `from`, and has its cost. Roads are reversed."""
    import numpy

    a, b = problem["edges"][:, 0], problem["edges"][:, 1]
    if problem["times"] is not None:
        return b, a, problem["times"]
    return numpy.concatenate([a, b]), numpy.concatenate([b, a]), numpy.zeros(2 * len(a))


# A peer takes the graph and returns a function of a task's costs and target. That function puts the
# costs into the graph and returns the function to be timed.


def scipy_peer(problem):
    import numpy
    import scipy.sparse
    from scipy.sparse.csgraph import dijkstra

    source, sink, times = outward(problem)
    shape = (problem["nodes"], problem["nodes"])
    # One more than the time, so that no edge is dropped as a zero.
    matrix = scipy.sparse.csr_matrix((times + 1.0, (source, sink)), shape=shape)
    source_in_order = numpy.repeat(numpy.arange(problem["nodes"]), numpy.diff(matrix.indptr))
    times_in_order = matrix.data - 1.0

    def task(costs, target, price):
        matrix.data[:] = costs[source_in_order] + price * times_in_order
        # An explicit zero would not be an edge, but the target's own edges cost nothing. The
        # smallest positive number does not change any sum of costs.
        matrix.data[matrix.data == 0.0] = 5e-324
        return lambda: dijkstra(matrix, directed=True, indices=target)

    return task


def rustworkx_peer(problem):
    import rustworkx

    source, sink, times = outward(problem)
    graph = rustworkx.PyDiGraph(multigraph=False)
    graph.add_nodes_from(range(problem["nodes"]))
    graph.add_edges_from(list(zip(source.tolist(), sink.tolist(), range(len(source)))))

    def task(costs, target, price):
        # An edge holds its number, so the call is only a lookup.
        cost = (costs[source] + price * times).tolist().__getitem__
        ask = rustworkx.digraph_dijkstra_shortest_path_lengths
        return lambda: ask(graph, target, edge_cost_fn=cost)

    return task


def igraph_peer(problem):
    import igraph
    import numpy

    source, sink, times = outward(problem)
    edges = numpy.stack([source, sink], axis=1)
    graph = igraph.Graph(n=problem["nodes"], edges=edges, directed=True)

    def task(costs, target, price):
        graph.es["weight"] = (costs[source] + price * times).tolist()
        return lambda: graph.distances(source=target, weights="weight", algorithm="dijkstra")[0]

    return task


PEERS = {"scipy": scipy_peer, "rustworkx": rustworkx_peer, "igraph": igraph_peer}


def check(name, graph, answer, expected):
    import numpy

    if not isinstance(answer, (list, numpy.ndarray)):
        # rustworkx leaves the source out of its mapping.
        lengths = numpy.zeros(len(expected))
        for node, length in answer.items():
            lengths[node] = length
        answer = lengths
    answer = numpy.asarray(answer)
    apart = numpy.abs(answer - expected) > AGREEMENT * (1.0 + expected)
    if apart.any():
        node = int(numpy.argmax(apart))
        sys.exit(f"{graph}: {name} says {answer[node]} of node {node}, not {expected[node]}")


def time_in_line():
    """Seconds this thread has waited for a core; section `planning` subtracts them as well."""
    try:
        return int(pathlib.Path("/proc/thread-self/schedstat").read_text().split()[1]) * 1e-9
    except OSError:
        return 0.0


def median_time(task, tasks):
    times = []
    begun = time.perf_counter()
    while len(times) < MOST_ROUNDS:
        if len(times) >= FEWEST_ROUNDS and time.perf_counter() - begun > SECONDS_PER_PEER:
            break
        solve = task(*tasks[len(times) % len(tasks)])
        start, waited = time.perf_counter(), time_in_line()
        solve()
        times.append(time.perf_counter() - start - (time_in_line() - waited))
    return statistics.median(times)


def markdown(rows):
    columns = ["graph-bandit", "petgraph", *PEERS, "graph-bandit, one path"]
    lines = ["| graph | " + " | ".join(columns) + " |", "|---|" + "--:|" * len(columns)]
    for row in rows:
        cells = []
        for column in columns:
            ratio = row[column] / row["graph-bandit"]
            beside = "" if column == "graph-bandit" else f" ({ratio:.2g}x)"
            cells.append(f"{row[column] * 1e3:.3g} ms{beside}")
        lines.append(f"| {row['graph']} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
