"""Bandits on graphs: an agent walks a known graph, every node pays from an unknown law, and the
total over one long walk counts.

>>> import graph_bandit as gb
>>> world = gb.World("grid:10x10", means=gb.uniform(0.5, 9.5), noise=gb.uniform_noise(0.5))
>>> study = gb.run(world, ["g-ucb", "g-star"], steps=2000, runs=10, seed=7)
>>> bool(study.regret[1, :, -1].mean() < study.regret[0, :, -1].mean())
True
"""

from . import agents, graphs, plan, plots, rewards, service, theory
from ._core import IllegalMove, Leg, Sample, Situation, UnknownNode, Visit, __version__
from .agents import *  # noqa: F403
from .cases import Interrupted, Studies, run_cases
from .graphs import *  # noqa: F403
from .gym_registration import register as _register_environments
from .own_agents import Agent
from .rewards import *  # noqa: F403
from .service import Fleet, ServedAgent, ServedLeg, ServiceError, connect
from .sessions import Session, agent, load
from .studies import Protocol, Study, Trace, run, trace
from .study_files import StoredStudy, merge, study
from .trajectories import Trajectories
from .world import World

__all__ = [
    "Agent",
    "Fleet",
    "IllegalMove",
    "Interrupted",
    "Leg",
    "Protocol",
    "Sample",
    "ServedAgent",
    "ServedLeg",
    "ServiceError",
    "Session",
    "Situation",
    "StoredStudy",
    "Studies",
    "Study",
    "Trace",
    "Trajectories",
    "UnknownNode",
    "Visit",
    "World",
    "__version__",
    "agent",
    "connect",
    "load",
    "merge",
    "plan",
    "plots",
    "run",
    "run_cases",
    "service",
    "study",
    "theory",
    "trace",
]
__all__ += agents.__all__
__all__ += graphs.__all__
__all__ += rewards.__all__

_register_environments()


def __dir__() -> list[str]:
    return sorted(__all__)
