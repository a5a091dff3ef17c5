"""The page of the Python package: what Sphinx is to read from it, by the module that defines it."""

import inspect

from markdown_text import opening

import graph_bandit as gb

# Titles in the order of the page, and the modules whose names stand below them.
SECTIONS = {
    "Graphs": ["graphs"],
    "Worlds, means and noise": ["world", "rewards", "means_over_time"],
    "Studies": [
        "studies",
        "cases",
        "study_files",
        "results",
        "run_results",
        "run_settings",
        "traces",
        "trajectories",
    ],
    "Teams": ["teams", "team_sessions", "team_traces"],
    "Ask and tell": ["sessions", "best", "estimates", "found"],
    "The service": ["service.fleet", "service.agent", "service.team"],
    "Answers of the service": ["service.answers"],
    "Errors of the service": ["service.errors"],
    "Your own agents": ["own_agents"],
    "Gymnasium": ["gym", "gym_vector"],
    "PettingZoo": ["pettingzoo"],
    "Agents of the registry": ["agents"],
}
# The compiled module and values say nothing of where they belong.
PLACES = {
    "Graph": "Graphs",
    "GraphLike": "Graphs",
    "Draw": "Worlds, means and noise",
    "Leg": "Ask and tell",
    "Situation": "Your own agents",
    "Visit": "Your own agents",
    "Sample": "Your own agents",
    "IllegalMoveError": "Ask and tell",
    "UnknownNodeError": "Ask and tell",
    "SPECS": "Agents of the registry",
}
# Sphinx finds what a value is for beside its definition.
VALUES = {
    "GraphLike": "graphs.GraphLike",
    "Draw": "rewards.Draw",
    "SPECS": "agents.SPECS",
}
# What public functions answer with and Gymnasium or PettingZoo makes, without a name at the top
# of the package.
DEEPER = [
    "best.Best",
    "best.BracketedNode",
    "teams.TeamSettings",
    "gym.GraphBanditEnv",
    "gym_vector.GraphBanditVectorEnv",
    "pettingzoo.GraphTeam",
]
# Gymnasium and PettingZoo document what these take from them.
WITHOUT_INHERITED = {
    "gym.GraphBanditEnv",
    "gym_vector.GraphBanditVectorEnv",
    "pettingzoo.GraphTeam",
}
MODULES = {"Planning": "plan", "Theory": "theory", "Figures": "plots"}


def section_of(name, module):
    """The title under which a name stands."""
    if name in PLACES:
        return PLACES[name]
    module = (module or "").removeprefix("graph_bandit.")
    for title, modules in SECTIONS.items():
        if module in modules:
            return title
    raise LookupError(f"no section of the reference takes {name} of {module}; name it in SECTIONS")


def directive(name, value):
    """What makes Sphinx read a name."""
    if name in VALUES:
        return f".. autodata:: graph_bandit.{VALUES[name]}\n   :no-value:\n"
    if inspect.isclass(value):
        kind = "autoexception" if issubclass(value, BaseException) else "autoclass"
    else:
        kind = "autofunction"
    return f".. {kind}:: graph_bandit.{name}\n"


def names():
    """Every public name below the package, with its value and the module that defines it."""
    for name in dir(gb):
        value = getattr(gb, name)
        if not inspect.ismodule(value) and name != "__version__":
            yield name, value, getattr(value, "__module__", None)
    for name in gb.service.__all__:
        if name not in dir(gb):
            value = getattr(gb.service, name)
            yield f"service.{name}", value, value.__module__
    for path in DEEPER:
        module, name = path.split(".")
        value = getattr(__import__(f"graph_bandit.{module}", fromlist=[name]), name)
        yield path, value, value.__module__


def page():
    """The whole page."""
    read = {title: "" for title in SECTIONS}
    for name, value, module in names():
        read[section_of(name, module)] += directive(name, value)
        if name in WITHOUT_INHERITED:
            read[section_of(name, module)] += "   :no-inherited-members:\n"
    for title, module in MODULES.items():
        read[title] = f".. automodule:: graph_bandit.{module}\n"
    text = opening("python")
    for title, directives in read.items():
        text += f"\n## {title}\n\n```{{eval-rst}}\n{directives}```\n"
    return text
