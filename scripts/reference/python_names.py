"""The page of the Python package: what Sphinx is to read from it, by the module that defines it."""

import inspect

from markdown import NOTE, opening

import graph_bandit as gb

# Titles in the order of the page, and the modules whose names stand below them.
SECTIONS = {
    "Graphs": ["graphs"],
    "Worlds, means and noise": ["world", "rewards"],
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
    "Ask and tell": ["sessions"],
    "The service": ["service"],
    "Your own agents": ["own_agents"],
    "Warnings": ["deprecation"],
    "Agents of the registry": ["agents"],
}
# The compiled module says nothing of where its names belong.
COMPILED = {
    "Graph": "Graphs",
    "Leg": "Ask and tell",
    "Situation": "Your own agents",
    "Visit": "Your own agents",
    "Sample": "Your own agents",
    "IllegalMoveError": "Ask and tell",
    "UnknownNodeError": "Ask and tell",
}
MODULES = {
    "Planning": "plan",
    "Theory": "theory",
    "Figures": "plots",
    "Errors of the service": "service",
}
# Types that only annotations name.
LEFT_OUT = {"__version__", "GraphLike", "Draw", "SPECS"}


def section_of(name, value):
    """The title under which a name stands."""
    if name in COMPILED:
        return COMPILED[name]
    module = (getattr(value, "__module__", None) or "").removeprefix("graph_bandit.").split(".")[0]
    for title, modules in SECTIONS.items():
        if module in modules:
            return title
    raise LookupError(f"no section of the reference takes {name} of {module}; name it in SECTIONS")


def directive(name, value):
    """What makes Sphinx read a name."""
    if inspect.isclass(value):
        kind = "autoexception" if issubclass(value, BaseException) else "autoclass"
    else:
        kind = "autofunction"
    return f".. {kind}:: graph_bandit.{name}\n"


def page():
    """The whole page."""
    read = {title: "" for title in SECTIONS}
    for name in dir(gb):
        value = getattr(gb, name)
        if name not in LEFT_OUT and not inspect.ismodule(value):
            read[section_of(name, value)] += directive(name, value)
    for title, module in MODULES.items():
        members = getattr(gb, module).__all__
        known = [name for name in members if name in dir(gb)]
        read[title] = f".. automodule:: graph_bandit.{module}\n"
        if known:
            read[title] += f"   :exclude-members: {', '.join(known)}\n"
    text = f"{NOTE}\n{opening('python')}"
    for title, directives in read.items():
        text += f"\n## {title}\n\n```{{eval-rst}}\n{directives}```\n"
    return text
