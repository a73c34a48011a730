"""Decision problems of the multi-agent tiger."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ipomdp.engine.layer import Rows
from ipomdp.engine.model import Blind, Frame
from ipomdp.engine.problem import Problem
from ipomdp.engine.step import Rules
from ipomdp.errors import ImpossibleObservation, InvalidInput
from ipomdp.fields import BELIEF_FIELDS, FIELDS, TIGER_FIELDS, checked, flattened
from ipomdp.quoting import shown
from ipomdp.tiger.game import LEFT, RIGHT, Rewards, Tiger

OPTIONS = ("title", "description", "level", "horizon", "policy", "rationality")
"""What may be changed in a scenario, by the names of its attributes."""
FARTHEST_AT = ((1, 6), (3, 4), (64, 3))
"""(level, horizon): up to a level, the longest horizon against a modelled j that is quick."""
FARTHEST_AGAINST_RANDOM = 9
MOST_BELIEFS = 8
KRIEGSPIEL_ALONE = {
    part for path in FIELDS.keys() - TIGER_FIELDS.keys() for part in (path, path.split(".")[0])
} - {path.split(".")[0] for path in TIGER_FIELDS}
"""Fields, and whole tables, that the other game has and this one has not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OthersBelief:
    """Something that j may believe at the start, and how likely."""

    tiger_left: float = 0.5
    weight: float = 1.0


@dataclass(frozen=True, kw_only=True)
class TigerScenario:
    """A decision about the doors: what i believes, and how it thinks of j."""

    name: str
    """The file's name without its ending."""
    title: str = ""
    description: str = ""
    """What to look at."""
    growl_accuracy: float = 0.85
    creak_accuracy: float = 0.9
    discount: float = 0.95
    tiger_left: float = 0.5
    """i's probability that the tiger is behind the left door; j, at level 1 and above, knows it."""
    level: int = 1
    """How deep i models j; level 0 is the single-agent tiger."""
    horizon: int = 1
    """How many decisions are left to both players."""
    policy: str = "model"
    """``model``: j responds quantally one level down; ``random``: uniformly over its actions."""
    rationality: float = math.inf
    """lambda, at every nested level."""
    beliefs: tuple[OthersBelief, ...] = (OthersBelief(),)
    """What j may believe at the start, whatever i believes."""

    def __post_init__(self) -> None:
        for path, entry in TIGER_FIELDS.items():
            if problem := entry.problem(getattr(self, entry.attribute)):
                raise InvalidInput(f"{path}: {problem}")
        if len(self.beliefs) > MOST_BELIEFS:
            raise InvalidInput(
                f"opponent.beliefs: expected at most {MOST_BELIEFS}, not {len(self.beliefs)}"
            )
        for k, belief in enumerate(self.beliefs, start=1):
            for inner, entry in BELIEF_FIELDS.items():
                if problem := entry.problem(getattr(belief, entry.attribute)):
                    raise InvalidInput(f"opponent.beliefs, entry {k}: {inner}: {problem}")
        self._check_horizon()

    def _check_horizon(self) -> None:
        if self.level == 0:
            return
        longest = next(h for level, h in FARTHEST_AT if self.level <= level)
        named, against = "agent.level, agent.horizon", f"a modelled j at level {self.level}"
        if self.policy == "random":
            named, longest, against = "agent.horizon", FARTHEST_AGAINST_RANDOM, "a random j"
        if self.horizon > longest:
            raise InvalidInput(
                f"{named}: expected at most {longest} decisions against {against}, "
                f"not {self.horizon}"
            )

    @property
    def tries(self) -> str:
        """The reading of illegal actions, of which there are none."""
        return "paper"

    @property
    def position(self) -> str:
        """What i believes, in words."""
        short = f"{self.tiger_left:.2f}"
        return f"tiger left {short if float(short) == self.tiger_left else f'{self.tiger_left:g}'}"

    @cached_property
    def problem(self) -> Problem:
        """The scenario as the solvers see it."""
        sides = ((LEFT, self.tiger_left), (RIGHT, 1 - self.tiger_left))
        mine = (
            (0, side, other, chance * belief.weight)
            for side, chance in sides
            for other, belief in enumerate(self.beliefs)
        )
        others = (
            (node, side, 0, chance)
            for node, belief in enumerate(self.beliefs)
            for side, chance in ((LEFT, belief.tiger_left), (RIGHT, 1 - belief.tiger_left))
        )
        game = Tiger(growl_accuracy=self.growl_accuracy, creak_accuracy=self.creak_accuracy)
        views = (_rows(mine), _rows(others))
        return Problem(game=game, rules=Rules(), views=views, player=0, frame=self.frame())

    def frame(self) -> Frame:
        """Return i's frame, with those it imagines inside it; all plan to the same end."""
        utility = Rewards()

        def facing(opponent: Frame | Blind) -> Frame:
            return Frame(
                utility=utility, rationality=self.rationality, opponents=(opponent,),
                horizon=self.horizon, shrinking=True, discount=self.discount,
            )  # fmt: skip

        if self.level > 0 and self.policy == "random":
            return facing(Blind.RANDOM)
        frame = facing(Blind.IMAGINED)
        for _ in range(self.level):
            frame = facing(frame)
        return frame

    def impossible(self, error: ImpossibleObservation) -> str:
        """Return what is wrong with what i has heard, which is nothing yet."""
        return str(error)

    def with_options(self, **changes: object) -> TigerScenario:
        """Return the scenario with some fields changed, checked like a file's; ``None`` keeps."""
        given = {name: value for name, value in changes.items() if value is not None}
        for name in given:
            if name not in OPTIONS:
                paths = [path for path, entry in FIELDS.items() if entry.attribute == name]
                raise InvalidInput(
                    f"{(paths or [name])[0]}: the tiger has none; {self.name} is no Kriegspiel"
                )
        return replace(self, **given)  # type: ignore[arg-type]


def read_tiger(name: str, content: Mapping[str, Any]) -> TigerScenario:
    """Return the scenario in a parsed file; errors name the field."""
    game = {k: v for k, v in content["game"].items() if k != "kind"}
    flat = flattened({**content, "game": game}, TIGER_FIELDS)
    if others := [field for field in flat if field in KRIEGSPIEL_ALONE]:
        raise InvalidInput(f"{others[0]}: a field of Kriegspiel, not of the tiger")
    values: dict[str, Any] = checked(flat, TIGER_FIELDS)
    if "beliefs" in values:
        if values.get("policy") == "random":
            raise InvalidInput("opponent.beliefs: a random j has none; leave them out")
        values["beliefs"] = _beliefs(values["beliefs"])
    return TigerScenario(name=name, **values)


def _beliefs(listed: Iterable[object]) -> tuple[OthersBelief, ...]:
    found = []
    for k, item in enumerate(listed, start=1):
        if not isinstance(item, dict):
            raise InvalidInput(
                f"opponent.beliefs: expected a table as entry {k}, not {shown(item)}"
            )
        try:
            values: dict[str, Any] = checked(flattened(item, BELIEF_FIELDS), BELIEF_FIELDS)
        except InvalidInput as error:
            raise InvalidInput(f"opponent.beliefs, entry {k}: {error}") from None
        found.append(OthersBelief(**values))
    return tuple(found)


def _rows(listed: Iterable[tuple[int, int, int, float]]) -> Rows:
    """Return rows (node, state, other's node, weight); without weight they explain only surprises.

    Whoever rules a side out may still be seen by the other in a state with the tiger there.
    """
    node, state, other, chance = (np.array(column) for column in zip(*listed, strict=True))
    likely = chance > 0
    log = np.log(np.where(likely, chance, 1.0))
    return Rows(node, state, np.zeros_like(node), other, log, (~likely).astype(np.int64))
