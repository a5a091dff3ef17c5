"""Bandits on graphs: an agent walks a known graph, every node pays random rewards from an
unknown law, and the total over one long walk counts.

>>> import graph_bandit as gb
>>> world = gb.World("grid:10x10", means=gb.uniform_means(0.5, 9.5), noise=gb.uniform_noise(0.5))
>>> results = gb.run(world, ["g-ucb", "g-star"], steps=2000, runs=10, seed=7)
>>> bool(results.regret[1, :, -1].mean() < results.regret[0, :, -1].mean())
True
"""

from . import agents, graphs, means_over_time, plan, plots, rewards, service, theory
from ._core import IllegalMoveError, Leg, Sample, Situation, UnknownNodeError, Visit, __version__
from .agents import *  # noqa: F403
from .cases import Interrupted, ResultsByCase, run_cases
from .graphs import *  # noqa: F403
from .gym_registration import register as _register_environments
from .means_over_time import *  # noqa: F403
from .own_agents import Agent
from .results import Results
from .rewards import *  # noqa: F403
from .run_results import RunBest, RunResults
from .run_settings import RunSettings
from .service import (
    Fleet,
    NameTakenError,
    NotAllowedError,
    RefusedError,
    SequenceConflictError,
    ServedAgent,
    ServedLeg,
    ServedTeam,
    ServedWalker,
    ServiceError,
    UnavailableError,
    UnknownAgentError,
    connect,
)
from .sessions import Session, SessionStatus, agent, load
from .studies import run, trace
from .study_files import StoredResults, load_results, merge, run_study
from .team_sessions import Team, TeamSessionStatus, TeamWalkerStatus, team
from .team_traces import TeamTrace
from .teams import Walker
from .traces import Trace
from .trajectories import Trajectories
from .world import World

__all__ = [
    "Agent",
    "Fleet",
    "IllegalMoveError",
    "Interrupted",
    "Leg",
    "NameTakenError",
    "NotAllowedError",
    "RefusedError",
    "Results",
    "ResultsByCase",
    "RunBest",
    "RunResults",
    "RunSettings",
    "Sample",
    "SequenceConflictError",
    "ServedAgent",
    "ServedLeg",
    "ServedTeam",
    "ServedWalker",
    "ServiceError",
    "Session",
    "SessionStatus",
    "Situation",
    "StoredResults",
    "Team",
    "TeamSessionStatus",
    "TeamTrace",
    "TeamWalkerStatus",
    "Trace",
    "Trajectories",
    "UnavailableError",
    "UnknownAgentError",
    "UnknownNodeError",
    "Visit",
    "Walker",
    "World",
    "__version__",
    "agent",
    "connect",
    "load",
    "load_results",
    "merge",
    "plan",
    "plots",
    "run",
    "run_cases",
    "run_study",
    "service",
    "team",
    "theory",
    "trace",
]
__all__ += agents.__all__
__all__ += graphs.__all__
__all__ += means_over_time.__all__
__all__ += rewards.__all__

_register_environments()


def __dir__() -> list[str]:
    return sorted(__all__)
