"""How the runs of a study are made."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, TypeAlias

from . import _core
from .agents import Spec
from .own_agents import Agent, Maker, copied, label_apart
from .registry import AGENTS, REGISTRY
from .rewards import Drawer, Means, OwnRewards
from .whole_numbers import whole_number
from .world import World

#: A built-in agent by its text or with its parameters, or one of your own.
AgentLike: TypeAlias = "str | Spec | Agent"


@dataclass(frozen=True)
class RunSettings:
    """How runs are made: all that a study is, its results apart."""

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

    def compile(self) -> _core.Study:
        """The study as the compiled part has it; refuses what makes no sense."""
        world = self.world
        noise: Any = str(world.noise)
        if isinstance(world.noise, OwnRewards):
            noise = (Drawer(world.noise, world.graph), world.noise.scale)
        checkpoints = self.checkpoints
        setting = SimpleNamespace(
            graph=world.graph,
            agents=[a if isinstance(a, str) else (a.name, Maker(a)) for a in self.agents],
            preset=self.preset,
            means=str(world.means) if isinstance(world.means, Means) else world.means,
            noise=noise,
            steps=whole_number("steps", self.steps),
            runs=whole_number("runs", self.runs),
            seed=whole_number("seed", self.seed, least=0),
            start=self.start,
            init=self.init,
            back=self.back,
            window=self.window,
            tape=self.tape,
            checkpoints=checkpoints if isinstance(checkpoints, int) else list(checkpoints),
            closures=world._closures_for_core(),
            travel_noise=world.travel_noise,
        )
        return _core.Study(setting)


def entrants_of(agents: Iterable[AgentLike], world: World) -> list[str | Agent]:
    """The agents that are meant, groups spelled out."""
    given = list(agents)
    named = {str(agent) for agent in given if isinstance(agent, Spec | str)}
    entrants: list[str | Agent] = []
    for agent in given:
        if isinstance(agent, type) and issubclass(agent, Agent):
            entrants.append(agent())
        elif isinstance(agent, Agent):
            # What becomes of the prototype later is not part of this study.
            entrants.append(copied(agent, world.graph))
        elif str(agent) in REGISTRY["origins"]:
            # As on the command line: whom a group brings in is there once, and not beside itself.
            names = [name for name, entry in AGENTS.items() if entry["origin"] == str(agent)]
            # The oracle is told the means, so it is not in the registry: nobody could serve it.
            names += ["oracle"] if str(agent) == "baseline" else []
            entrants += [name for name in names if name not in named and name not in entrants]
        elif isinstance(agent, Spec | str):
            entrants.append(str(agent))
        else:
            raise TypeError(
                f"{agent!r} is no agent; give a name such as 'g-ucb', an agent with parameters "
                "such as gb.GUcb(bonus=0.5), or one of your own, a subclass of gb.Agent"
            )
    label_apart(entrant for entrant in entrants if isinstance(entrant, Agent))
    return entrants
