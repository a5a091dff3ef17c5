"""The results of runs: arrays by agent, run and checkpoint, and what is computed from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .own_agents import Agent
from .run_settings import AgentLike
from .tables import Tidy

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Results"]


class Results(Tidy):
    """The results of all runs of some agents on one world: arrays by agent, run and checkpoint."""

    #: The names of the agents.
    agents: tuple[str, ...]
    #: The steps at which runs were measured; units of time, where there are roads.
    t: npt.NDArray[np.int64]
    #: How many runs each agent made.
    runs: int
    #: How many steps of a run count; units of time, where there are roads.
    steps: int
    #: The preset of the parameters that agents were not given: ``"paper"`` or ``"program"``.
    preset: str
    #: Which steps count: ``"first"`` or ``"last"``, never both.
    window: str
    #: Whether :attr:`t` counts units of time.
    on_roads: bool
    #: Cumulative expected regret, by agent, run and checkpoint.
    regret: npt.NDArray[np.float64]
    #: As :attr:`regret`, but with the rewards collected instead of their means.
    realized_regret: npt.NDArray[np.float64]
    #: Rewards collected.
    reward: npt.NDArray[np.float64]
    #: Legs begun.
    legs: npt.NDArray[np.int64]
    #: Visits of initialization (for teams, its steps), which are not part of the above; by agent
    #: and run.
    init_steps: npt.NDArray[Any]
    #: Expected regret of initialization, which is not part of the above.
    init_regret: npt.NDArray[np.float64]

    @property
    def unit(self) -> str:
        """What :attr:`t` counts: ``"steps"`` or ``"units of time"``.

        It counts units of time where roads run one way or take time.
        """
        return "units of time" if self.on_roads else "steps"

    def _counted(self) -> str:
        """How many steps count, and which, if they are not the first."""
        counted = f"{self.steps:,} {self.unit}"
        return counted if self.window == "first" else f"{counted}, window {self.window}"

    def summary(self) -> list[dict[str, Any]]:
        """One entry per agent: mean final regret, half its 95% interval, deviation, reward."""
        last = self.regret[:, :, -1:]
        half = self.ci()[:, -1]
        many = self.runs > 1
        return [
            {
                "agent": agent,
                "regret": float(last[i].mean()),
                "ci": float(half[i]) if many else None,
                "sd": float(last[i].std(ddof=1)) if many else None,
                "reward": float(self.reward[i, :, -1].mean()),
                "legs": float(self.legs[i, :, -1].mean()),
                "init_steps": float(self.init_steps[i].mean()),
                "init_regret": float(self.init_regret[i].mean()),
            }
            for i, agent in enumerate(self.agents)
        ]

    def _label(self, name: str) -> str:
        try:
            return _core.agent_label(name, self.preset)
        except ValueError:
            return name

    def __repr__(self) -> str:
        lines = [f"Results of {self.runs} runs, {self._counted()}"]
        width = max(map(len, self.agents))
        for row in self.summary():
            half = "" if row["ci"] is None else f" ± {row['ci']:,.1f}"
            lines.append(f"  {row['agent']:{width}}  regret {row['regret']:>12,.1f}{half}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        from html import escape

        def cell(value: float | None) -> str:
            return "-" if value is None else f"{value:,.1f}"

        rows = "".join(
            f"<tr><td style='text-align:left'>{escape(row['agent'])}</td>"
            + "".join(f"<td>{cell(row[key])}</td>" for key in ("regret", "ci", "sd", "reward"))
            + "</tr>"
            for row in self.summary()
        )
        head = "<tr><th style='text-align:left'>agent</th><th>regret</th><th>± 95%</th>"
        head += "<th>SD</th><th>reward</th></tr>"
        caption = f"{self.runs} runs of {self._counted()}"
        return f"<table><caption>{caption}</caption>{head}{rows}</table>"

    def index(self, agent: AgentLike) -> int:
        """The position of an agent among :attr:`agents`."""
        name = agent.name if isinstance(agent, Agent) else str(agent)
        for wanted in (name, *([] if isinstance(agent, Agent) else [self._label(name)])):
            if wanted in self.agents:
                return self.agents.index(wanted)
        known = ", ".join(self.agents)
        raise ValueError(f"{name!r} is not an agent of these results; they have {known}")

    def ci(
        self, level: float = 0.95, values: npt.NDArray[Any] | None = None
    ) -> npt.NDArray[np.float64]:
        """Half the width of the confidence interval of a mean over runs, by Student's t.

        By default the mean is that of :attr:`regret`, by agent and checkpoint. Give ``values`` for
        other numbers, with the runs on axis 1. With a single run the result is NaN.
        """
        numbers = self.regret if values is None else values
        runs = numbers.shape[1]
        if runs < 2:
            return np.full(np.delete(numbers.shape, 1), np.nan)
        error = numbers.std(axis=1, ddof=1) / np.sqrt(runs)
        return np.asarray(_core.student(runs - 1, level) * error)

    def differences(self, agent: AgentLike, baseline: AgentLike) -> npt.NDArray[np.float64]:
        """Regret of ``agent`` minus that of ``baseline``, with the same luck."""
        return np.asarray(self.regret[self.index(agent)] - self.regret[self.index(baseline)])

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """The columns of a tidy table with one row per agent, run and checkpoint."""
        agents, runs, points = self.regret.shape
        rows = agents * runs * points
        return {
            "agent": np.repeat(np.array(self.agents, object), runs * points),
            "run": np.tile(np.repeat(np.arange(runs), points), agents),
            "t": np.tile(self.t, agents * runs),
            "regret": self.regret.reshape(rows),
            "realized_regret": self.realized_regret.reshape(rows),
            "reward": self.reward.reshape(rows),
            "legs": self.legs.reshape(rows),
        }

    def plot_regret(self, **options: Any) -> Any:
        """Mean regret against steps with bands; see :func:`graph_bandit.plots.regret`."""
        from . import plots

        return plots.regret(self, **options)

    def plot_differences(self, baseline: AgentLike | None = None, **options: Any) -> Any:
        """Paired differences; see :func:`graph_bandit.plots.differences`."""
        from . import plots

        return plots.differences(self, baseline, **options)
