"""How the runs of a study are made."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, TypeAlias

from . import _core
from .agents import Spec
from .own_agents import Agent, Maker, copied, label_apart
from .registry import AGENTS, REGISTRY
from .rewards import Drawer, OwnRewards
from .teams import TeamSettings
from .whole_numbers import MOST_STEPS, whole_number
from .world import World

#: A built-in agent, by name or with parameters, or your own agent.
AgentLike: TypeAlias = "str | Spec | Agent"


@dataclass(frozen=True)
class RunSettings:
    """The settings of a study: everything that determines its results."""

    world: World
    agents: tuple[str | Agent, ...]
    steps: int
    runs: int
    seed: int
    start: Hashable | None
    init: str
    back: str
    window: str
    tape: str
    checkpoints: int | tuple[int, ...]
    preset: str
    against: str = "free"
    team: TeamSettings | None = None
    regret_from: str | None = None

    def compile(self) -> _core.Study:
        """The study for the compiled part; refuses settings that make no sense."""
        world = self.world
        noise: Any = str(world.noise)
        if isinstance(world.noise, OwnRewards):
            noise = (Drawer(world.noise, world.graph), world.noise.scale)
        checkpoints = self.checkpoints
        setting = SimpleNamespace(
            graph=world.graph,
            agents=[a if isinstance(a, str) else (a.name, Maker(a)) for a in self.agents],
            preset=self.preset,
            means=world._means_for_core(),
            noise=noise,
            steps=whole_number("steps", self.steps, most=MOST_STEPS),
            runs=whole_number("runs", self.runs),
            seed=whole_number("seed", self.seed, least=0),
            start=self.start,
            init=self.init,
            back=self.back,
            window=self.window,
            tape=self.tape,
            against=self.against,
            checkpoints=checkpoints if isinstance(checkpoints, int) else list(checkpoints),
            closures=world._closures_for_core(),
            travel_noise=world.travel_noise,
            team=None if self.team is None else self.team.for_core(),
            regret_from=self.regret_from,
        )
        return _core.Study(setting)


def walks(name: str, group: AgentLike, world: World) -> bool:
    """Whether a member of a group can walk the graph; warns if not."""
    refused = _core.cannot_walk(name, world.graph)
    if refused is not None:
        warnings.warn(f"{group} without {refused}", stacklevel=4)
    return refused is None


def entrants_of(
    agents: Iterable[AgentLike], world: World, team: TeamSettings | None = None
) -> list[str | Agent]:
    """The agents of a study, with the members of groups in place of the groups.

    As on the command line, you can name groups only for a single walker, not for a team.
    """
    given = list(agents)
    named = {str(agent) for agent in given if isinstance(agent, Spec | str)}
    entrants: list[str | Agent] = []
    for agent in given:
        if isinstance(agent, type) and issubclass(agent, Agent):
            entrants.append(agent())
        elif isinstance(agent, Agent):
            # Later changes of the prototype must not change this study.
            entrants.append(copied(agent, world.graph))
        elif team is None and str(agent) in REGISTRY["origins"]:
            # As on the command line: a member of a group that is also named by itself counts once.
            names = [name for name, entry in AGENTS.items() if entry["origin"] == str(agent)]
            # The oracle needs the means, so it cannot be served and is not in the registry.
            names += ["oracle"] if str(agent) == "baseline" else []
            names = [name for name in names if name not in named and name not in entrants]
            entrants += [name for name in names if name == "oracle" or walks(name, agent, world)]
        elif isinstance(agent, Spec | str):
            entrants.append(str(agent))
        else:
            raise TypeError(
                f"{agent!r} is not an agent; give a name such as 'g-ucb', an agent with parameters "
                "such as gb.GUcb(bonus=0.5), or your own, an instance of a subclass of gb.Agent"
            )
    label_apart(entrant for entrant in entrants if isinstance(entrant, Agent))
    return entrants
