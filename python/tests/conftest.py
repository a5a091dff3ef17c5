import os
import pathlib
import signal

import networkx as nx
import pytest
from service_process import Server

import graph_bandit as gb

ROOT = pathlib.Path(__file__).parents[2]

# A program in the background of a script inherits that Ctrl-C is ignored; so would all that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def gbandit() -> str:
    """The command line, built from the same sources."""
    named = os.environ.get("GBANDIT")
    places = [pathlib.Path(named)] if named else [ROOT / "target" / "release" / "gbandit"]
    for place in places:
        if place.exists():
            return str(place)
    raise FileNotFoundError(f"no gbandit at {places[0]}; build it with `cargo build --release`")


@pytest.fixture
def no_windows():
    """Figures open no window, and none stays open for the next test."""
    import matplotlib as mpl
    from matplotlib import pyplot as plt

    mpl.use("agg")
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def server(gbandit):
    """The service, for the tests of one file."""
    with Server(gbandit) as server:
        yield server


@pytest.fixture
def fleet(server):
    """All agents of the service; none are left for the next test."""
    with gb.connect(server.url) as fleet:
        yield fleet
        for name in fleet:
            fleet[name].delete()


@pytest.fixture(scope="module")
def walk():
    """A run that figures show."""
    world = gb.World(nx.grid_2d_graph(4, 4), means=gb.uniform_means(0.5, 9.5))
    return gb.trace(world, "g-ucb", steps=600, seed=2)
