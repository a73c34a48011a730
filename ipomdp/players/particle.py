"""The I-POMDP player on big boards: particles are boards with a frame of the other, weighed.

A board is as likely as the other was to play to it, by the quantal response of its model; the model
holds a cloud of placements of our men (``wild16.minds``). A try is worth what is left after the
reply that the model predicts, and a refusal what the tries after it are worth.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from ipomdp.errors import InvalidInput
from ipomdp.fields import FIELDS, Field
from ipomdp.game import BoardGame, FloatArray, IntArray
from ipomdp.players.believing import Assumed, Believing, systematic
from ipomdp.players.bits import Listening, listened
from ipomdp.players.explain_particle import Explainer
from ipomdp.players.explanation import Explanation
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
    frames: IntArray
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
            level=level, rationality=float(rationality), random=random, knowing=knowing
        )

    def begin(self, side: int, state: int, rng: np.random.Generator) -> None:
        """Start a game."""
        self._rng = rng
        self._own = OwnSide(self._bridge.board(state), side, self._bridge.k)
        self.believing = Believing(self._own, self._assumed, self._most, rng)
        self._waiting: list[int] = []
        self._looked: Looked | None = None
        self._copy: ParticlePlayer | None = None

    def _move(self, action: int) -> int:
        return self._bridge.move(action, self._own.board, self._own.side)

    def refused(self, action: int) -> None:
        """Drop the boards on which the try is legal."""
        self._copy = None
        self._catch_up(None)  # whoever was not asked before still has the other's move to hear
        move = self._move(action)
        self._own.refuse(move)
        self.believing.refuse(move)
        if self._looked is not None:
            moves, boards, frames, weights, values = self._looked
            left = illegal(boards, move, self._own.k)
            kept = Looked(moves, boards[left], frames[left], weights[left], values[left])
            self._looked = kept if kept.boards.shape[0] >= ENOUGH else None

    def moved(self, action: int, heard: int) -> None:
        """Move on every board, and move the other's idea of our men."""
        self._copy = None
        self._catch_up(None)
        move, said = self._move(action), self._bridge.said(heard)
        self._own.move(move, said)
        self.believing.move(move, said)
        self._looked = None

    def heard(self, heard: int) -> None:
        """Note what was said; the work is done in the player's own time."""
        self._copy = None
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
        ranked = self._ranked(tries, seconds)
        return ranked[0][0] if ranked else int(self._rng.choice(tries))

    def _ranked(
        self, tries: IntArray, seconds: float | None = None
    ) -> list[tuple[int, float, float]]:
        """Return the tries that may be legal, best first, with what they are worth and how likely.

        None where nothing is believed.
        """
        begun = time.perf_counter()
        self._catch_up(seconds)
        open_ = np.array([self._move(int(action)) for action in tries])
        if self._looked is None or not np.isin(open_, self._looked.moves).all():
            until = None if seconds is None else begun + DECIDING * seconds
            self._looked = self._look(open_, until)
        if self._looked is None:
            return []
        columns = np.flatnonzero(np.isin(self._looked.moves, open_))
        worth, legal = valued(self._looked.values[:, columns], self._looked.weights)
        action = {m: int(a) for m, a in zip(open_.tolist(), tries, strict=True)}
        names = [action[int(self._looked.moves[column])] for column in columns]
        order = [j for j in np.argsort(-worth, kind="stable") if legal[j] > 0]
        return [(names[j], float(worth[j]), min(1.0, float(legal[j]))) for j in order]

    # What it is asked: a copy answers, so that the player stays as it is.

    def _aside(self) -> ParticlePlayer:
        if self._copy is None:
            self._copy = copy.copy(self)
            self._copy.part()
        return self._copy

    def part(self) -> None:
        """Share nothing that changes by thinking with the player that this is a copy of."""
        shared = (self._rng, self._own, self.believing)
        self._rng, self._own, self.believing = copy.deepcopy(shared)
        self._waiting = list(self._waiting)

    def advice(self, tries: IntArray, seconds: float | None = None) -> tuple[Advice, ...]:
        """Return the tries that may be legal, best first; none where nothing is believed."""
        return self._aside().advised(tries, seconds)

    def explain(self, action: int) -> Explanation:
        """Return what stands behind the worth of a try."""
        return self._aside().explained(action)

    def belief(self) -> Mapping[tuple[str, str], float]:
        """Return how likely each man of the other stands on each square."""
        return self._aside().believed()

    def advised(self, tries: IntArray, seconds: float | None = None) -> tuple[Advice, ...]:
        """Return the advice, whatever must be drawn for it."""
        ranked = self._ranked(tries, seconds)
        leak = self._leaks([action for action, _, _ in ranked])
        return tuple(
            Advice(action=action, value=value, legal=legal, leak_bits=bits)
            for (action, value, legal), bits in zip(ranked, leak, strict=True)
        )

    def explained(self, action: int) -> Explanation:
        """Return the explanation, whatever must be drawn for it."""
        own, move = self._own, self._move(action)
        open_ = own.tries() if self._looked is None else self._looked.moves
        moves = np.setdiff1d(np.append(open_, move), own.refused)
        tries = [self._bridge.action(int(m), own.board, own.side) for m in moves]
        advice = [a for a in self.advised(np.array(tries)) if a.action == action]
        if not advice or self._looked is None:
            raise InvalidInput(f"{self.game.actions[action]} is sure to be refused")
        _, boards, frames, weights, _ = self._looked
        listening, maps = self._listening(), self.believing.maps
        explainer = Explainer(self._bridge, own.side, self._assumed, listening, maps)
        return explainer.explained(advice[0], move, boards, frames, weights)

    def _leaks(self, actions: list[int]) -> list[float]:
        """Return the bits that the announcement of each of some tries gives the other."""
        if self._looked is None or not actions:
            return []
        moves = np.array([self._move(action) for action in actions])
        column = {int(move): j for j, move in enumerate(self._looked.moves)}
        values = self._looked.values[:, [column[move] for move in moves.tolist()]]
        picks, weights = listened(self._looked.weights, ~np.isnan(values))
        found = self._listening().leaks(self._looked.boards[picks], weights, moves)
        return [float(bits) for bits in found]

    def _listening(self) -> Listening:
        return Listening(self.believing.cloud, self._assumed, self._own.k)

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
        return Looked(moves, held.boards[done], held.frames[done], weights / weights.sum(), values)

    def believed(self) -> Mapping[tuple[str, str], float]:
        """Return the belief, whatever must be drawn for it."""
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
