"""Leaves former calls out of the reference: they are overloads, for type checkers only."""

from sphinx.pycode import ModuleAnalyzer

# A function with overloads is shown with each of them, and without its own signature. If a former
# call is gone, so must be its name here: the build stops.
FORMER_CALLS = {
    "graph_bandit.sessions": ["agent"],
    "graph_bandit.world": ["World.__init__"],
    "graph_bandit.service.fleet": ["Fleet.create", "Fleet.attach"],
}


def _forget_former_calls(_app):
    for module, names in FORMER_CALLS.items():
        # Sphinx keeps what it has read of a module, and uses it for the reference.
        read = ModuleAnalyzer.for_module(module)
        read.analyze()
        for name in names:
            del read.overloads[name]


def setup(app):
    """Called by Sphinx."""
    app.connect("builder-inited", _forget_former_calls)
    return {"version": "1", "parallel_read_safe": True}
