"""The I-POMDP player on big boards: particles are boards with a frame of the other, weighed.

A board is as likely as the other was to play to it, by the quantal response of its model; the model
holds a cloud of placements of our men (``wild16.minds``). A try is worth what is left after the
reply that the model predicts, and a refusal what the tries after it are worth.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ipomdp.fields import FIELDS, Field
from ipomdp.game import BoardGame, FloatArray, IntArray
from ipomdp.players.believing import Assumed, Believing, systematic
from ipomdp.players.player import Advice, Thinker, Worlds
from ipomdp.players.sampling import unique_boards
from ipomdp.players.settings import whole
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.bridge import Bridge
from ipomdp.wild16.minds import value_tries
from ipomdp.wild16.own import OwnSide
from ipomdp.wild16.referee import illegal
from ipomdp.wild16.warm import warm_up
from ipomdp.wild16.words import LETTERS, square_name

WEIGHED = 200
"""Boards that a decision looks at when there is no time limit."""
CHUNK = 8
"""Boards looked at between two looks at the clock."""
DECIDING = 0.85
"""The part of the time after which no more boards are looked at."""
ENOUGH = 20
"""After a refusal so many boards looked at before will do."""


def _share(name: str) -> Field:
    return Field(
        name, lambda v: isinstance(v, int | float) and 0 <= v <= 0.5, "a chance from 0 to 0.5"
    )


SETTINGS: dict[str, Field] = {
    "level": whole("level", 0, 2),
    "lambda": FIELDS["opponent.rationality"],
    "particles": whole("particles", 10, 1_000_000),
    "boards": whole("boards", 1, 1_000_000),
    "random": _share("random"),
    "knowing": _share("knowing"),
}
"""What users may set, by the names they type."""


class Looked(NamedTuple):
    """What was made of the tries of a turn on some boards."""

    moves: IntArray
    boards: Bits
    weights: FloatArray
    values: FloatArray
    """(boards, moves): NaN where a try is refused."""


class ParticlePlayer(Thinker):
    """Level 0 to 2 on any board of wild 16."""

    def __init__(
        self, game: BoardGame, *, level: int = 1, rationality: float = 0.03, particles: int = 2000,
        boards: int = WEIGHED, random: float = 0.1, knowing: float = 0.4,
    ) -> None:  # fmt: skip
        super().__init__(game)
        warm_up()
        self._bridge = Bridge(game)
        self._most, self._boards = particles, boards
        self._assumed = Assumed(
            level=level, rationality=rationality, random=random, knowing=knowing
        )

    def begin(self, side: int, state: int, rng: np.random.Generator) -> None:
        """Start a game."""
        self._rng = rng
        self._own = OwnSide(self._bridge.board(state), side, self._bridge.k)
        self.believing = Believing(self._own, self._assumed, self._most, rng)
        self._waiting: list[int] = []
        self._looked: Looked | None = None

    def _move(self, action: int) -> int:
        return self._bridge.move(action, self._own.board, self._own.side)

    def refused(self, action: int) -> None:
        """Drop the boards on which the try is legal."""
        self._catch_up(None)  # whoever was not asked before still has the other's move to hear
        move = self._move(action)
        self._own.refuse(move)
        self.believing.refuse(move)
        if self._looked is not None:
            moves, boards, weights, values = self._looked
            left = illegal(boards, move, self._own.k)
            self._looked = Looked(moves, boards[left], weights[left], values[left])

    def moved(self, action: int, heard: int) -> None:
        """Move on every board, and move the other's idea of our men."""
        self._catch_up(None)
        move, said = self._move(action), self._bridge.said(heard)
        self._own.move(move, said)
        self.believing.move(move, said)
        self._looked = None

    def heard(self, heard: int) -> None:
        """Note what was said; the work is done in the player's own time."""
        said = self._bridge.said(heard)
        self._waiting.append(said)
        self._own.hear(said)

    def _catch_up(self, seconds: float | None) -> None:
        for said in self._waiting:
            self.believing.hear(said, seconds)
        self._waiting.clear()
        if not self.believing.boards.shape[0]:
            self.believing.recover()

    def propose(self, tries: IntArray, seconds: float | None = None) -> int:
        """Return the try worth most."""
        ranked = self.advice(tries, seconds)
        return ranked[0].action if ranked else int(self._rng.choice(tries))

    def advice(self, tries: IntArray, seconds: float | None = None) -> tuple[Advice, ...]:
        """Return the tries that may be legal, best first; none where nothing is believed."""
        begun = time.perf_counter()
        self._catch_up(seconds)
        open_ = np.array([self._move(int(action)) for action in tries])
        if self._looked is None or self._looked.boards.shape[0] < ENOUGH:
            until = None if seconds is None else begun + DECIDING * seconds
            self._looked = self._look(open_, until)
        if self._looked is None:
            return ()
        moves, _, weights, values = self._looked
        columns = np.flatnonzero(np.isin(moves, open_))
        worth, legal = valued(values[:, columns], weights)
        action = {m: int(a) for m, a in zip(open_.tolist(), tries, strict=True)}
        names = [action[int(moves[column])] for column in columns]
        order = [j for j in np.argsort(-worth, kind="stable") if legal[j] > 0]
        return tuple(
            Advice(action=names[j], value=float(worth[j]), legal=float(legal[j])) for j in order
        )

    def _look(self, moves: IntArray, until: float | None) -> Looked | None:
        """Value the tries on a sample of the boards believed in, as many as time allows."""
        held, assumed = self.believing, self._assumed
        if not held.boards.shape[0]:
            return None
        most = self._boards if until is None else 20 * WEIGHED
        picks, times = systematic(held.weights, most, self._rng)
        if until is not None:
            order = self._rng.permutation(picks.size)
            picks, times = picks[order], times[order]
        parts = []
        for start in range(0, picks.size, CHUNK):
            if until is not None and start and time.perf_counter() > until:
                break
            these = picks[start : start + CHUNK]
            out = np.empty((these.size, moves.size))
            value_tries(
                held.boards[these], held.frames[these], moves, held.maps, assumed.level,
                assumed.rationality, self._own.k, out,
            )  # fmt: skip
            parts.append(out)
        values = np.concatenate(parts)
        done = picks[: values.shape[0]]
        weights = times[: done.size].astype(np.float64)
        return Looked(moves, held.boards[done], weights / weights.sum(), values)

    def belief(self) -> Mapping[tuple[str, str], float]:
        """Return how likely each man of the other stands on each square."""
        self._catch_up(None)
        held, other = self.believing, 1 - self._own.side
        found: dict[tuple[str, str], float] = {}
        for column in range(6 * other, 6 * other + 6):
            for square in range(64):
                there = (held.boards[:, column] >> np.uint64(square)) & np.uint64(1)
                share = float(held.weights @ there.astype(np.float64))
                if share > 0:
                    found[square_name(square), LETTERS[column]] = share
        return found

    def worlds(self) -> Worlds:
        """Return its particles, each board once."""
        self._catch_up(None)
        held = self.believing
        first, inverse = unique_boards(held.boards)
        weights = np.bincount(inverse, held.weights, first.size).astype(np.float64)
        return Worlds(held.boards[first], weights, held.exact)


def valued(values: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what each try is worth, what follows a refusal included, and how likely it is legal.

    After a refusal the others are tried in the order of what they are worth where they are legal,
    which costs nothing: only the mover hears of it.
    """
    legal = ~np.isnan(values)
    chance = weights @ legal
    sums = weights @ np.where(legal, values, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        alone = np.where(chance > 0, sums / chance, -np.inf)
    order = np.argsort(-alone, kind="stable")
    first = legal[:, order].argmax(axis=1)  # on each board, the first in that order that is legal
    fallback = np.where(legal.any(axis=1), values[np.arange(values.shape[0]), order[first]], 0.0)
    worth = sums + weights @ np.where(legal, 0.0, fallback[:, None])
    return np.where(chance > 0, worth, -np.inf), chance
