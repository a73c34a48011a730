"""Decision problems of 4x4 Kriegspiel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from ipomdp.engine.history import Event
from ipomdp.engine.model import Blind, Frame, nested
from ipomdp.engine.problem import Problem, common_prior
from ipomdp.engine.step import Rules
from ipomdp.errors import ImpossibleObservation, InvalidInput
from ipomdp.fields import (
    FIELDS,
    FRAME_FIELDS,
    HISTORY_FIELDS,
    OPTIONS,
    PRIOR_FIELDS,
    checked,
    flattened,
)
from ipomdp.game import BoolArray, FloatArray, IntArray
from ipomdp.kriegspiel.board import CAPTURED, SIDES, squares
from ipomdp.kriegspiel.evaluation import Weights, evaluation
from ipomdp.kriegspiel.referee import announcements
from ipomdp.kriegspiel.rules import Kriegspiel4x4
from ipomdp.show.quoting import shown


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
        return _posed(self)

    @property
    def i(self) -> int:
        """The player we advise: the one to move after the history."""
        turns = sum(entry.heard is not None for entry in self.history)
        return (self.problem_side + turns) % 2

    @property
    def problem_side(self) -> int:
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


def read_kriegspiel(name: str, content: Mapping[str, Any]) -> Scenario:
    """Return the scenario in a parsed file; errors name the field."""
    flat = flattened({k: v for k, v in content.items() if k != "game"}, FIELDS)
    values: dict[str, Any] = checked(flat, FIELDS)
    if "fen" not in values and "prior" not in values:
        raise InvalidInput("position.fen: missing; expected a position")
    if "candidates" in values:
        values["candidates"] = tuple(values["candidates"])
    weights = _weights(values, Weights())
    for part, inner, path in (
        ("prior", PRIOR_FIELDS, "position.prior"),
        ("history", HISTORY_FIELDS, "history"),
        ("frames", FRAME_FIELDS, "opponent.frames"),
    ):
        if part in values:
            values[part] = _tables(values[part], inner, path)
    if "prior" in values:
        values["prior"] = tuple(
            Placed(**_needing(t, "position.prior", k, "fen"))
            for k, t in enumerate(values["prior"], start=1)
        )
    if "history" in values:
        values["history"] = tuple(
            Entry(**{**_needing(t, "history", k, "by"), "refused": tuple(t.get("refused", ()))})
            for k, t in enumerate(values["history"], start=1)
        )
    if "frames" in values:
        shared = {k: values[k] for k in ("rationality",) if k in values}
        if "opponent_horizon" in values:
            shared["horizon"] = values["opponent_horizon"]
        values["frames"] = tuple(
            Mind(**{"weights": _weights(t, weights), **shared, **t}) for t in values["frames"]
        )
        deepest = max(m.level if m.policy == "model" else 0 for m in values["frames"])
        values.setdefault("level", 1 + deepest)
    return Scenario(name=name, weights=weights, **values)


def _weights(values: dict[str, Any], default: Weights) -> Weights:
    given = {w.name: values.pop(w.name) for w in fields(Weights) if w.name in values}
    return replace(default, **given)


def _tables(items: Iterable[object], inner: Mapping[str, Any], path: str) -> list[dict[str, Any]]:
    """Return the tables of a list, each field checked."""
    found = []
    for k, item in enumerate(items, start=1):
        if not isinstance(item, dict):
            raise InvalidInput(f"{path}: expected a table as entry {k}, not {shown(item)}")
        try:
            found.append(checked(flattened(item, inner), inner))
        except InvalidInput as error:
            raise InvalidInput(f"{path}, entry {k}: {error}") from None
    return found


def _needing(table: dict[str, Any], path: str, entry: int, name: str) -> dict[str, Any]:
    if name not in table:
        raise InvalidInput(f"{path}, entry {entry}: {name}: missing")
    return table


def _posed(scenario: Scenario) -> Problem:
    """Return the scenario as a problem; what cannot be is an error that names the field."""
    game = Kriegspiel4x4()
    states, chances, path = _start(scenario, game)
    _check_frames(scenario)
    player, sights = scenario.i, (scenario.white, scenario.black)
    if scenario.fen is not None:
        sights = ("all", "all")
    seen = tuple(_sight(states, side, sight) for side, sight in enumerate(sights))
    node = _own_node(scenario, seen[player])
    first = _candidates(scenario, game, states[seen[player] == node], path)
    return Problem(
        game=game,
        rules=Rules(
            retry=scenario.tries == "retry",
            audible=scenario.tries == "retry" and scenario.illegal_heard_by == "both",
        ),
        views=common_prior(states, chances, (seen[0], seen[1])),
        player=player,
        frame=scenario.frame(),
        node=node,
        first=first,
        particles=scenario.particles,
        exact_up_to=scenario.exact_up_to,
        seed=scenario.seed,
        **_events(scenario, game),
    )


def _start(scenario: Scenario, game: Kriegspiel4x4) -> tuple[IntArray, FloatArray, str]:
    """Return the positions at the start, their probabilities, and the field they come from."""
    if scenario.fen is not None:
        if scenario.prior:
            raise InvalidInput("position: expected either fen or prior, not both")
        try:
            return np.array([game.read(scenario.fen)]), np.ones(1), "position.fen"
        except InvalidInput as error:
            raise InvalidInput(f"position.fen: {error}") from None
    states, chances = [], []
    for k, placed in enumerate(scenario.prior, start=1):
        try:
            states.append(game.read(placed.fen))
        except InvalidInput as error:
            raise InvalidInput(f"position.prior, entry {k}: fen: {error}") from None
        if states.count(states[-1]) > 1:
            raise InvalidInput(f"position.prior, entry {k}: fen: {placed.fen} is listed twice")
        if game.turn(states[-1]) != game.turn(states[0]):
            raise InvalidInput(
                f"position.prior, entry {k}: fen: expected the same side to move in all positions"
            )
        chances.append(placed.probability)
    if not states:
        raise InvalidInput("position.fen: missing; expected a position")
    weights = np.array(chances)
    return np.array(states), weights / weights.sum(), "position.prior"


def _check_frames(scenario: Scenario) -> None:
    if not scenario.frames:
        return
    deepest = max(m.level if m.policy == "model" else 0 for m in scenario.frames)
    if scenario.level != deepest + 1:
        raise InvalidInput(
            f"agent.level: with these opponent.frames i is at level {deepest + 1}, "
            f"not {scenario.level}"
        )
    if scenario.policy != "model":
        raise InvalidInput('opponent.policy: expected "model" beside opponent.frames')


def _sight(states: IntArray, side: int, sight: str) -> IntArray:
    """Return, for each position, the number of what a side sees of it."""
    if sight == "all":
        return np.arange(states.size) if states.size > 1 else np.zeros(1, dtype=np.int64)
    pieces = squares(states)
    looks = pieces[side] * (CAPTURED + 1) + pieces[2 + side]
    number: IntArray = np.unique(looks, return_inverse=True)[1]
    return number


def _own_node(scenario: Scenario, seen: IntArray) -> int:
    """Return the number of what i sees at the start."""
    if scenario.sees is None:
        if len(set(seen.tolist())) > 1:
            raise InvalidInput(
                "position.sees: missing; the positions of the prior look different to "
                f"{SIDES[scenario.i]}, so name the one that looks as what it sees"
            )
        return int(seen[0])
    names = [placed.fen for placed in scenario.prior]
    if scenario.sees not in names:
        raise InvalidInput(
            f"position.sees: expected one of the positions of the prior, not {shown(scenario.sees)}"
        )
    return int(seen[names.index(scenario.sees)])


def _candidates(
    scenario: Scenario, game: Kriegspiel4x4, states: IntArray, path: str
) -> BoolArray | None:
    """Return the first moves considered, as a mask."""
    if scenario.candidates is None:
        return None
    if scenario.problem_side != scenario.i:
        raise InvalidInput("agent.candidates: the first move is the other's; leave it out")
    legal = game.legal(states, scenario.problem_side).any(axis=0)
    names = [game.actions[a] for a in np.flatnonzero(legal)]
    for move in scenario.candidates:
        if move not in names:
            where = scenario.fen if path == "position.fen" else "any position of the prior"
            raise InvalidInput(
                f"agent.candidates: {shown(move)} is not legal in {where}; "
                f"legal are {', '.join(names)}"
            )
        if scenario.candidates.count(move) > 1:
            raise InvalidInput(f"agent.candidates: {shown(move)} is listed twice")
    return np.isin(game.actions, scenario.candidates)


def _events(scenario: Scenario, game: Kriegspiel4x4) -> dict[str, Any]:
    """Return the history as events, and what is refused in the turn under way."""
    events: list[Event] = []
    side, i = scenario.problem_side, scenario.i
    for k, entry in enumerate(scenario.history, start=1):
        try:
            refused = _refused(scenario, game, entry, side)
            pending = entry.move is None and entry.heard is None
            if side == i and pending and k == len(scenario.history):
                return {"events": tuple(events), "refused": refused}
            events.append(_event(scenario, game, entry, refused, mine=side == i))
        except InvalidInput as error:
            raise InvalidInput(f"history, entry {k}: {error}") from None
        side = 1 - side
    return {"events": tuple(events)}


def _refused(scenario: Scenario, game: Kriegspiel4x4, entry: Entry, side: int) -> tuple[int, ...]:
    """Return the tries refused in a turn, which must be that of the side to move."""
    if entry.by != SIDES[side]:
        raise InvalidInput(f"by: it is {SIDES[side]}'s turn, not {entry.by}'s")
    if entry.refused and scenario.tries != "retry":
        raise InvalidInput('refused: nothing is tried again unless rules.tries = "retry"')
    return tuple(_action(game, move, "refused") for move in entry.refused)


def _event(
    scenario: Scenario, game: Kriegspiel4x4, entry: Entry, refused: tuple[int, ...], *, mine: bool
) -> Event:
    if entry.heard is None:
        raise InvalidInput("heard: missing; expected what the referee said")
    if entry.heard not in announcements():
        raise InvalidInput(
            f'heard: expected an announcement like "Silent", "Check by File" or "Capture in b2, '
            f'Check by Long Diagonal", not {shown(entry.heard)}'
        )
    heard = announcements().index(entry.heard)
    if mine:
        if entry.move is None:
            raise InvalidInput("move: missing; i knows its own moves")
        return Event(heard=heard, action=_action(game, entry.move, "move"), refused=refused)
    if entry.move is not None or refused:
        raise InvalidInput(f"{'move' if entry.move else 'refused'}: j's are hidden from i")
    if entry.refusals and scenario.illegal_heard_by != "both":
        raise InvalidInput('refusals: i hears them only if rules.illegal_heard_by = "both"')
    return Event(heard=heard, refusals=entry.refusals)


def _action(game: Kriegspiel4x4, move: str, name: str) -> int:
    if move not in game.actions:
        raise InvalidInput(f"{name}: expected a move like Qd1, not {shown(move)}")
    return game.actions.index(move)
