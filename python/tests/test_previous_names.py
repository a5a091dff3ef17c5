"""Programs written for earlier versions of the package go on, or are told what to change."""

import ast
import importlib
import importlib.util
import inspect
import json
import pathlib
import pickle
import warnings

import numpy as np
import pytest

import graph_bandit as gb
from graph_bandit.service.answers import Estimates, Status

FIXTURES = pathlib.Path(__file__).parents[2] / "tests" / "fixtures"
NAMES = json.loads((FIXTURES / "0.1" / "names.json").read_text(encoding="utf-8"))

#: Where a name of 0.1 warns as soon as it is looked up, and what it is called now.
RENAMED = {
    "graph_bandit.IllegalMove": "graph_bandit.IllegalMoveError",
    "graph_bandit.Protocol": "graph_bandit.RunSettings",
    "graph_bandit.Study": "graph_bandit.RunResults",
    "graph_bandit.UnknownNode": "graph_bandit.UnknownNodeError",
    "graph_bandit.studies.Protocol": "graph_bandit.RunSettings",
    "graph_bandit.studies.Study": "graph_bandit.RunResults",
    "graph_bandit.service.NameTaken": "graph_bandit.service.NameTakenError",
    "graph_bandit.service.NotAllowed": "graph_bandit.service.NotAllowedError",
    "graph_bandit.service.Refused": "graph_bandit.service.RefusedError",
    "graph_bandit.service.SequenceConflict": "graph_bandit.service.SequenceConflictError",
    "graph_bandit.service.Sight": "graph_bandit.service.Update",
    "graph_bandit.service.Unavailable": "graph_bandit.service.UnavailableError",
    "graph_bandit.service.UnknownAgent": "graph_bandit.service.UnknownAgentError",
}
#: Functions that warn when they are called.
CALLED_OTHERWISE = {
    "bernoulli": lambda: gb.bernoulli() == gb.bernoulli_noise(),
    "best_noise": lambda: (
        gb.best_noise(gb.no_noise(), gb.uniform_noise(1))
        == gb.best_node_noise(gb.no_noise(), gb.uniform_noise(1))
    ),
    "needle": lambda: gb.needle(0, 1) == gb.needle_means(0, 1),
    "one_of": lambda: gb.one_of(gb.no_noise()) == gb.mixed_noise(gb.no_noise()),
    "uniform": lambda: gb.uniform(0, 1) == gb.uniform_means(0, 1),
}
#: What only the library makes: new fields may stand between old ones.
MADE_HERE = {"Protocol", "Study", "Trace", "ServedAgent", "ServedLeg", "Record", "Fleet"}
MADE_HERE |= {"Status", "Sight", "Why", "KnownNode", "Estimates", "Session"}
#: What was changed on purpose, and why a program of 0.1 goes on.
CHANGED = {
    # The order is turned around; the old one is recognized and warned of, tested below.
    "graph_bandit.agent",
    "graph_bandit.sessions.agent",
    # A new agent covers its graph by `nearest`. An agent that is there is found as before.
    "graph_bandit.Fleet.create",
    # What `gb.read_map` calls; it was never documented.
    "graph_bandit.Graph.load",
}


def parameters(text):
    """The parameters of a signature: names by position, then keywords, with their defaults."""
    made = ast.parse(f"def f{text}: ...").body[0].args
    plain = [argument.arg for argument in made.posonlyargs + made.args]
    missing = [None] * (len(plain) - len(made.defaults))
    defaults = dict(zip(plain, [*missing, *map(ast.unparse, made.defaults)], strict=True))
    for argument, default in zip(made.kwonlyargs, made.kw_defaults, strict=True):
        defaults[argument.arg] = None if default is None else ast.unparse(default)
    return plain, defaults


def assert_callable_as_before(name, value, text):
    """Whatever could be called by ``text`` can be called the same way."""
    former = getattr(value, "former_arguments", {})
    if isinstance(value, type):
        former = getattr(value.__init__, "former_arguments", {})
    plain, defaults = parameters(text)
    now = inspect.signature(value).parameters
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    positional = [p.name for p in now.values() if p.kind in kinds]
    wanted = [former.get(parameter, parameter) for parameter in plain]
    assert positional[: len(wanted)] == wanted, name
    for parameter, default in defaults.items():
        there = now[former.get(parameter, parameter)]
        if default is None:
            continue
        # An ellipsis stands for what is not a plain value.
        assert default == "Ellipsis" or repr(there.default) == default, (name, parameter)
    new = [p for p in now.values() if p.name not in {former.get(d, d) for d in defaults}]
    for parameter in new:
        variadic = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        assert variadic or parameter.default is not parameter.empty, (name, parameter.name)


def every_name():
    for module, names in NAMES["modules"].items():
        for name, signature in names.items():
            yield pytest.param(module, name, signature, id=f"{module}.{name}")


@pytest.mark.parametrize(("module", "name", "signature"), list(every_name()))
def test_every_name_is_there_or_warns(module, name, signature):
    full, found = f"{module}.{name}", importlib.import_module(module)
    if full in RENAMED:
        home, _, now = RENAMED[full].rpartition(".")
        with pytest.warns(gb.GraphBanditDeprecationWarning, match=f"now called {RENAMED[full]}"):
            value = getattr(found, name)
        assert value is getattr(importlib.import_module(home), now)
    else:
        value = getattr(found, name)
    if signature is not None and name not in MADE_HERE and full not in CHANGED:
        assert_callable_as_before(full, value, signature)


def every_method():
    for kind, members in NAMES["classes"].items():
        for member, signature in members.items():
            yield pytest.param(kind, member, signature, id=f"{kind}.{member}")


@pytest.mark.filterwarnings("ignore::graph_bandit.GraphBanditDeprecationWarning")
@pytest.mark.parametrize(("kind", "member", "signature"), list(every_method()))
def test_every_method_is_there(kind, member, signature):
    module, _, name = kind.rpartition(".")
    found = getattr(importlib.import_module(module), name)
    value = inspect.getattr_static(found, member)
    if signature is not None and f"{kind}.{member}" not in CHANGED:
        value = getattr(found, member)
        assert_callable_as_before(f"{kind}.{member}", value, signature)


def instances():
    """Of today, what 0.1 was asked for, by the names of 0.1."""
    place = FIXTURES / "make" / "public_names.py"
    spec = importlib.util.spec_from_file_location("public_names", place)
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    former = {"RunResults": "Study", "RunSettings": "Protocol"}
    return {former.get(name, name): found for name, found in maker.instances().items()}


def test_every_attribute_of_an_object_is_there_or_warns():
    warned = {}
    for name, instance in instances().items():
        for attribute in NAMES["instances"][name]:
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                getattr(instance, attribute)
            if told:
                warned[f"{name}.{attribute}"] = str(told[0].message)
    assert set(NAMES["instances"]) == set(instances())
    assert set(warned) == {"Study.episodes", "Study.protocol"}
    assert "now called legs" in warned["Study.episodes"]
    assert "now called settings" in warned["Study.protocol"]


@pytest.mark.parametrize("name", CALLED_OTHERWISE)
def test_former_functions_warn_where_they_are_called(name):
    with pytest.warns(
        gb.GraphBanditDeprecationWarning, match=f"^graph_bandit.{name} is now called graph_bandit."
    ) as told:
        assert CALLED_OTHERWISE[name]()
    assert [warning.filename for warning in told] == [__file__]


def test_a_star_import_brings_former_names():
    names = {}
    with pytest.warns(gb.GraphBanditDeprecationWarning) as told:
        exec("from graph_bandit import *", names)
    assert len(told) == 4
    assert set(NAMES["modules"]["graph_bandit"]) <= set(names)
    assert {str(warning.message).split()[0] for warning in told} == {
        "graph_bandit.IllegalMove",
        "graph_bandit.Protocol",
        "graph_bandit.Study",
        "graph_bandit.UnknownNode",
    }


def test_a_former_name_in_an_import_warns_once():
    with pytest.warns(gb.GraphBanditDeprecationWarning) as told:
        from graph_bandit import Study
    assert Study is gb.RunResults
    assert [(warning.filename, "Study" in str(warning.message)) for warning in told] == [
        (__file__, True)
    ]
    with pytest.warns(gb.GraphBanditDeprecationWarning) as told:
        from graph_bandit.service import Refused, Sight
    assert (Refused, Sight) == (gb.service.RefusedError, gb.service.Update)
    assert [warning.filename for warning in told] == [__file__] * 2
    with pytest.warns(gb.GraphBanditDeprecationWarning) as told:
        from graph_bandit.studies import Protocol
    assert Protocol is gb.RunSettings
    assert [warning.filename for warning in told] == [__file__]


def test_new_names_do_not_warn():
    for name in dir(gb):
        getattr(gb, name)
    for name in gb.service.__all__:
        getattr(gb.service, name)
    with pytest.raises(AttributeError, match="has no attribute 'Studie'"):
        _ = gb.Studie


@pytest.mark.parametrize(
    "made",
    [
        lambda: gb.agent("g-ucb:bonus=0.5", "line:4", start=2, seed=3),
        lambda: gb.agent(gb.GUcb(bonus=0.5), "line:4", start=2, seed=3),
        lambda: gb.agent("g-ucb", "line:4", start=2, seed=3, bonus=0.5),
        lambda: gb.agent("g-ucb:bonus=0.5", graph_like="line:4", start=2, seed=3),
        lambda: gb.agent("g-ucb:bonus=0.5", graph="line:4", start=2, seed=3),
        lambda: gb.agent(spec="g-ucb:bonus=0.5", graph_like="line:4", start=2, seed=3),
    ],
)
def test_the_former_order_of_agent_and_graph_warns(made):
    with pytest.warns(gb.GraphBanditDeprecationWarning) as told:
        session = made()
    assert [warning.filename for warning in told] == [__file__]
    now = gb.agent("line:4", "g-ucb:bonus=0.5", start=2, seed=3)
    assert (session.spec, session.at, len(session.graph)) == (now.spec, now.at, len(now.graph))
    for agent in (session, now):
        for visit in range(20):
            agent.tell(agent.ask().node, visit % 3)
    assert session.ask() == now.ask()


def test_mistakes_in_the_former_order_are_explained():
    with pytest.raises(TypeError, match="g-ucb is an agent; the graph comes first"):
        gb.agent("g-ucb")
    with pytest.raises(FileNotFoundError, match="'ucb'") as refused:
        gb.agent("ucb", "line:4")
    assert refused.value.__notes__[1:] == [
        "agent() takes the graph first, then the agent, which is 'line:4' here"
    ]
    with pytest.raises(FileNotFoundError, match=r"'town\.csv'") as refused:
        gb.agent("town.csv", "g-ucb")
    assert len(refused.value.__notes__) == 1


def test_former_keywords_warn(walk):
    means = [1.0, 2.0, 3.0]
    study = gb.run("line:3", ["g-ucb", "g-star"], steps=30, runs=2)
    calls = [
        lambda: gb.World(graph_like="line:3", means=means),
        lambda: gb.plan.shortest_path(graph_like="line:3", means=means),
        lambda: gb.theory.minimax_bound(graph_like="line:3", steps=10, init_steps=3),
        lambda: gb.plots.regret_data(study=study),
        lambda: gb.agent(graph_like="line:3"),
    ]
    named = ["World", "plan.shortest_path", "theory.minimax_bound", "plots.regret_data", "agent"]
    for call, name in zip(calls, named, strict=True):
        expected = f" of graph_bandit.{name} is now called '"
        with pytest.warns(gb.GraphBanditDeprecationWarning, match=expected) as told:
            call()
        assert [warning.filename for warning in told] == [__file__]


@pytest.mark.parametrize(
    "call",
    [
        lambda: gb.World(graph_like="line:3", graph="line:4"),
        lambda: gb.World("line:3", graph_like="line:4"),
        lambda: gb.plan.shortest_path("line:3", graph_like="line:3", means=[1, 2, 3]),
        lambda: gb.agent(graph="line:3", graph_like="line:4"),
        lambda: gb.agent("line:3", graph_like="line:4"),
        lambda: gb.agent("line:3", "g-ucb", graph_like="line:4"),
        lambda: gb.agent("g-ucb", graph="line:3", graph_like="line:4"),
        lambda: gb.agent("g-ucb", "line:3", graph_like="line:4"),
    ],
)
def test_a_graph_given_twice_is_refused(call):
    with pytest.raises(TypeError, match=r"^graph_bandit\.\S+ got graph_like and graph; give only"):
        call()


def test_properties_that_sent_requests_warn(monkeypatch):
    graph = gb.graph("line:2")
    shown = {"id": "rover", "agent": {"agent": "g-star"}, "sequence": 0}
    rover = gb.ServedAgent(None, graph, shown)
    status = Status("rover", 0, at=1, visits=7, reward=0.5, phase="learn", blocked=((0, 1),))
    numbers = np.array([0.25, 0.5])
    known = Estimates(graph, np.array([3, 4]), numbers, numbers, numbers, numbers, numbers > 9)
    monkeypatch.setattr(rover, "status", lambda: status, raising=True)
    monkeypatch.setattr(rover, "estimates", lambda: known, raising=True)
    expected = {
        "at": 1,
        "visits": 7,
        "blocked": ((0, 1),),
        "counts": known.visits,
        "means": known.estimate,
    }
    for name, value in expected.items():
        with pytest.warns(gb.GraphBanditDeprecationWarning, match=rf"ServedAgent\.{name} sends"):
            assert getattr(rover, name) is value


def test_properties_of_the_client_send_nothing():
    """A wire that fails on use: no property that stays may touch it."""
    rover = gb.ServedAgent(
        None, gb.graph("line:2"), {"id": "rover", "agent": {"agent": "g-star"}, "sequence": 4}
    )
    kept = [
        name
        for name, value in inspect.getmembers(
            type(rover), lambda value: isinstance(value, property)
        )
        if not hasattr(value.fget, "__deprecated__")
    ]
    assert kept == ["graph", "id", "sequence", "spec"]
    for name in kept:
        getattr(rover, name)


@pytest.fixture(scope="module")
def held():
    return json.loads((FIXTURES / "0.1" / "pickles" / "held.json").read_text(encoding="utf-8"))


def unpickled(name):
    return pickle.loads((FIXTURES / "0.1" / "pickles" / f"{name}.pickle").read_bytes())


def test_pickled_results_are_read_and_say_to_pickle_them_again(held):
    with (
        pytest.warns(gb.GraphBanditDeprecationWarning, match=r"studies\.Study is now"),
        pytest.warns(gb.GraphBanditDeprecationWarning, match=r"studies\.Protocol is now"),
    ):
        results = unpickled("study")
    assert isinstance(results, gb.RunResults)
    assert list(results.agents) == held["agents"]
    assert results.regret.tolist() == held["regret"]
    assert results.legs.tolist() == held["legs"]
    assert results.means(1).tolist() == held["means"]
    assert results.settings.seed == 3
    assert results.trace("g-star", run=1).nodes.tolist() == held["nodes"]
    assert (results.unit, results.window, results.init_travel.sum()) == ("steps", "first", 0)
    assert "best_right" not in results.summary()[0]
    assert "g-star" in repr(results)
    with pytest.raises(
        AttributeError, match=r"0\.1 pickled these results.* best_node; run the study"
    ):
        results.best()
    # Pickled again it is like any other, and the same runs come out.
    again = pickle.loads(pickle.dumps(results))
    assert again.regret.tolist() == held["regret"]
    now = gb.run(again.settings.world, ["g-ucb", "g-star"], steps=40, runs=2, seed=3, checkpoints=4)
    assert now.regret.tolist() == held["regret"]


def test_other_pickles_are_read_without_a_word(held):
    trace = unpickled("trace")
    assert trace.nodes.tolist() == held["nodes"]
    assert trace.rewards.tolist() == held["rewards"]
    assert trace.times.tolist() == list(range(1, 1 + len(held["nodes"])))
    assert trace.travel.tolist() == [0.0] * len(held["nodes"])
    session = unpickled("session")
    assert [list(node) for node in session.ask().path] == held["path"]
    assert session.counts.tolist() == held["counts"]
    world = unpickled("world")
    assert repr(world) == repr(gb.World("line:4", means="uniform:0.0,1.0", noise="bernoulli"))
    assert unpickled("graph").nodes == ((0, 0), (0, 1), (1, 0), (1, 1))
    assert unpickled("spec") == gb.GUcb(bonus=0.5)
    assert unpickled("leg") == session.ask()
