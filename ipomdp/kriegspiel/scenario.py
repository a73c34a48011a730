"""Decision problems of 4x4 Kriegspiel."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

from ipomdp.engine.model import Blind, Frame, nested
from ipomdp.engine.problem import Problem
from ipomdp.errors import ImpossibleObservation, InvalidInput
from ipomdp.fields import (
    FIELDS,
    OPTIONS,
)
from ipomdp.kriegspiel.evaluation import Weights, evaluation
from ipomdp.kriegspiel.posing import posed


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A position of a prior and how likely it is."""

    fen: str
    probability: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A turn of the history, as i knows it."""

    by: str
    move: str | None = None
    """i's own move; j's are hidden."""
    heard: str | None = None
    refused: tuple[str, ...] = ()
    """i's own tries refused before it."""
    refusals: int = 0
    """How many of j's tries were heard refused before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mind:
    """A frame that j may have."""

    weight: float = 1.0
    level: int = 0
    policy: str = "model"
    rationality: float = 0.004
    horizon: int = 1
    weights: Weights = field(default_factory=Weights)

    def frame(self) -> Frame | Blind:
        """Return the frame."""
        if self.policy == "random":
            return Blind.RANDOM
        return nested(
            self.level, utility=evaluation(self.weights), rationality=self.rationality,
            horizon=self.horizon,
        )  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A decision problem: what was known at the start, what i has heard, how each player thinks."""

    name: str
    """The file's name without its ending."""
    fen: str | None = None
    """The position at the start, as ``1q1k/4/4/K1Q1 w``, known to both players."""
    prior: tuple[Placed, ...] = ()
    """Or the positions that it may be, with their probabilities, known to both players."""
    white: str = "own"
    """What White sees of the position drawn from the prior: ``own`` pieces, or ``all``."""
    black: str = "own"
    sees: str | None = None
    """A position of the prior that looks to i as what i sees, where they look different."""
    title: str = ""
    description: str = ""
    """What to look at."""
    level: int = 1
    """How deep i models j."""
    horizon: int = 1
    """How many own decisions i plans."""
    candidates: tuple[str, ...] | None = None
    """The moves i considers, and everyone believes i considers; all legal ones if ``None``."""
    policy: str = "model"
    """``model``: j responds quantally one level down; ``random``: uniformly over its actions."""
    rationality: float = 0.004
    """lambda, at every nested level."""
    opponent_horizon: int = 1
    """How many own decisions every nested player plans."""
    frames: tuple[Mind, ...] = ()
    """Frames that j may have, in place of the one above."""
    tries: str = "paper"
    """What an illegal action does: ``paper`` ends the line with the position unchanged; after
    ``retry`` the player tries again, knowing more."""
    illegal_heard_by: str = "mover"
    """Whether the other hears a refusal too."""
    particles: int = 200
    """How many pairs (position, model of j) a belief keeps once there are too many."""
    exact_up_to: int = 20_000
    """How many such pairs are too many."""
    seed: int = 0
    weights: Weights = field(default_factory=Weights)
    history: tuple[Entry, ...] = ()
    """What has happened since the start, as i knows it."""

    def __post_init__(self) -> None:
        for path, entry in FIELDS.items():
            holder = self.weights if path.startswith("utility.") else self
            value = getattr(holder, entry.attribute)
            unset = value is None or value == ()
            if not unset and (problem := entry.problem(value)):
                raise InvalidInput(f"{path}: {problem}")
        _ = self.problem

    @cached_property
    def problem(self) -> Problem:
        """The scenario as the solvers see it."""
        return posed(self)

    @property
    def i(self) -> int:
        """The player we advise: the one to move after the history."""
        turns = sum(entry.heard is not None for entry in self.history)
        return (self.first_mover + turns) % 2

    @property
    def first_mover(self) -> int:
        """The player who moves first."""
        fen = self.fen if self.fen is not None else self.prior[0].fen
        return "wb".index(fen[-1]) if fen[-1:] in ("w", "b") else 0

    @property
    def position(self) -> str:
        """The position at the start in words, or the likeliest of the prior."""
        if self.fen is not None:
            return self.fen
        return self.sees or max(self.prior, key=lambda placed: placed.probability).fen

    def impossible(self, error: ImpossibleObservation) -> str:
        """Return what is wrong with the history, naming the entry."""
        entry = "" if error.entry is None else f", entry {error.entry + 1}"
        return f"history{entry}: {error}"

    def frame(self) -> Frame:
        """Return i's frame, with those it imagines inside it."""
        utility = evaluation(self.weights)
        minds: tuple[Frame | Blind, ...] = (Blind.IMAGINED,)
        shares: tuple[float, ...] = (1.0,)
        if self.frames:
            minds = tuple(mind.frame() for mind in self.frames)
            shares = tuple(mind.weight for mind in self.frames)
        elif self.level > 0 and self.policy == "random":
            minds = (Blind.RANDOM,)
        elif self.level > 0:
            minds = (
                nested(
                    self.level - 1, utility=utility, rationality=self.rationality,
                    horizon=self.opponent_horizon,
                ),
            )  # fmt: skip
        return Frame(
            utility=utility, rationality=self.rationality, opponents=minds, weights=shares,
            horizon=self.horizon,
        )  # fmt: skip

    def with_options(self, **changes: object) -> Scenario:
        """Return the scenario with some fields changed, checked like a file's; ``None`` keeps."""
        for name in changes:
            if name not in OPTIONS:
                raise TypeError(f"no option {name!r} of a scenario; there are {', '.join(OPTIONS)}")
        given = {name: value for name, value in changes.items() if value is not None}
        return replace(self, **given)  # type: ignore[arg-type]
