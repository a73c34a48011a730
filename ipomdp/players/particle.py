"""The I-POMDP player on big boards: particles are boards with a frame of the other, weighed.

A board is as likely as the other was to play to it, by the quantal response of its model; the model
holds a cloud of placements of our men (``wild16.minds``). A try is worth what is left after the
reply that the model predicts, and a refusal what the tries after it are worth.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np

from ipomdp.fields import FIELDS, Field
from ipomdp.game import BoardGame, FloatArray, IntArray
from ipomdp.players.player import Advice, Thinker
from ipomdp.players.sampling import unique_boards, whole
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.bridge import Bridge
from ipomdp.wild16.minds import (
    KNOWING,
    MODEL,
    RANDOM,
    draw_maps,
    followed,
    imagine,
    lose,
    value_tries,
)
from ipomdp.wild16.moves import STATUS, WIDTH
from ipomdp.wild16.own import OwnSide
from ipomdp.wild16.referee import CAPTURED, SQUARE, illegal, own_move
from ipomdp.wild16.sample import histories, neighbours, placements
from ipomdp.wild16.warm import warm_up
from ipomdp.wild16.words import LETTERS, square_name

CLOUD = 128
"""Placements of our men that the other's model holds possible."""
TEMPER = 0.5
"""Particles are drawn by their weights to this power."""
WEIGHED = 200
"""Boards that a decision looks at when there is no time limit."""
CHUNK = 8
TRUSTED = 50
"""Where so few particles are left, boards like them are trusted as much as they are."""
EFFORT = 20_000
"""Moves looked at for games that fit, when no particle is left."""


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


class ParticlePlayer(Thinker):
    """Level 0 to 2 on any board of wild 16."""

    def __init__(
        self, game: BoardGame, *, level: int = 1, rationality: float = 0.03, particles: int = 2000,
        boards: int = WEIGHED, random: float = 0.1, knowing: float = 0.4,
    ) -> None:  # fmt: skip
        super().__init__(game)
        warm_up()
        self._bridge = Bridge(game)
        self._level, self._lambda = level, rationality
        self._most, self._boards = particles, boards
        self._random, self._knowing = random, knowing
        self._per_particle = 2e-5
        self.lost = 0
        """How often no particle explained what was heard."""

    def begin(self, side: int, state: int, rng: np.random.Generator) -> None:
        """Start a game."""
        start = self._bridge.board(state)
        k = self._bridge.k
        self._side, self._rng = side, rng
        self._own = OwnSide(start, side, k)
        self._set(start[None], np.ones(1))
        self._cloud: Bits = np.repeat(self._own.board[None], CLOUD, axis=0)
        self._maps = np.zeros((3, 64))
        draw_maps(self._cloud, side, k, self._maps)
        self._where = -1
        self._cut = False
        self._after_own_move: int | None = None
        self._waiting: list[int] = []
        self._forget()
        self.lost = 0

    def _set(self, boards: Bits, weights: FloatArray) -> None:
        """Believe in boards, each with every frame that the other may have."""
        blind = 1.0 - self._random - self._knowing
        frames = [(RANDOM, self._random), (MODEL, blind), (KNOWING, self._knowing)]
        if self._level == 0:
            frames = [(RANDOM, 1.0)]
        frames = [(frame, share) for frame, share in frames if share > 0]
        self._particles = np.concatenate([boards] * len(frames))
        self._frames = np.repeat([frame for frame, _ in frames], boards.shape[0])
        self._weights: FloatArray = np.concatenate([share * weights for _, share in frames])
        self._weights /= self._weights.sum()

    def _forget(self) -> None:
        """Drop what was weighed in the turn that is over."""
        self._looked: tuple[IntArray, Bits, FloatArray, FloatArray] | None = None

    # What it is told.

    def refused(self, action: int) -> None:
        """Drop the boards on which the try is legal."""
        move = self._bridge.move(action, self._own.board, self._side)
        self._own.refuse(move)
        before = self._particles, self._weights
        self._keep(illegal(self._particles, move, self._bridge.k))
        if self._particles.shape[0] < self._fewest and self._cut:
            self._renew(*before)
        if self._looked is not None:
            moves, boards, weights, values = self._looked
            left = illegal(boards, move, self._bridge.k)
            self._looked = (moves, boards[left], weights[left], values[left])

    def _keep(self, kept: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> None:
        self._particles, self._frames = self._particles[kept], self._frames[kept]
        self._weights = self._weights[kept]
        total = self._weights.sum()
        if total > 0:
            self._weights = self._weights / total

    def moved(self, action: int, heard: int) -> None:
        """Move on every board, and move the other's idea of our men."""
        k, side = self._bridge.k, self._side
        move, said = self._bridge.move(action, self._own.board, side), self._bridge.said(heard)
        before = self._particles, self._weights
        after, kept = own_move(self._particles, move, said, k)
        self._particles = after
        self._keep(kept)
        self._own.move(move, said)
        self._after_own_move = said
        if self._particles.shape[0] < self._fewest and self._cut:
            taken = (said >> CAPTURED) & 3
            some = before if not kept.any() else (self._particles, self._weights)
            self._renew(
                *some, taken=taken << 6 | (said >> SQUARE) & 63 if taken and not kept.any() else -1
            )
        stay = imagine(self._cloud, said, self._level - 1, self._lambda, k, self._rng)
        self._refill(stay)
        draw_maps(self._cloud, side, k, self._maps)
        self._where = (move >> 6) & 63 if (said >> CAPTURED) & 3 else -1
        self._forget()

    def _refill(self, stay: int) -> None:
        """Fill the cloud up again; the truth, which fits all that was heard, is always in it."""
        picks = self._rng.integers(0, max(stay, 1), CLOUD - 1) if stay else np.zeros(0, np.int64)
        copies = [self._cloud[picks]] if stay else []
        truth = np.repeat(self._own.board[None], CLOUD - picks.size, axis=0)
        self._cloud = np.ascontiguousarray(np.concatenate([truth, *copies]))

    def heard(self, heard: int) -> None:
        """Note what was said; the work is done in the player's own time."""
        said = self._bridge.said(heard)
        self._waiting.append(said)
        self._own.hear(said)

    # What it believes.

    def _catch_up(self, seconds: float | None) -> None:
        """Carry the particles through the other's moves."""
        for said in self._waiting:
            begun = time.perf_counter()
            if seconds is not None:
                self._thin(max(50, int(0.3 * seconds / self._per_particle)))
            size = self._particles.shape[0]
            before = self._particles, self._weights
            if size:
                self._follow(said)
            self._after_own_move = None
            if self._particles.shape[0] < self._fewest and self._cut and size:
                some = (self._particles, self._weights) if self._particles.shape[0] else before
                square = (said >> SQUARE) & 63 if (said >> CAPTURED) & 3 else -1
                self._renew(*some, lost=square)
            self._per_particle += 0.3 * (
                min((time.perf_counter() - begun) / max(size, 1), 1e-3) - self._per_particle
            )
            if (said >> CAPTURED) & 3:
                pawn = (said >> CAPTURED) & 3 == 1
                self._refill(lose(self._cloud, self._side, (said >> SQUARE) & 63, pawn))
                draw_maps(self._cloud, self._side, self._bridge.k, self._maps)
        self._waiting.clear()
        if not self._particles.shape[0]:
            self._recover()
        self._thin(self._most)

    def _follow(self, said: int) -> None:
        room = 64 + 12 * self._particles.shape[0]
        while True:
            case, chance = np.empty(room, np.int64), np.empty(room)
            after = np.empty((room, WIDTH), np.uint64)
            n = followed(
                self._particles, self._frames, self._weights, said, self._maps, self._where,
                self._level - 1, self._lambda, self._bridge.k, case, after, chance,
            )  # fmt: skip
            if n >= 0:
                break
            room *= 4
        first, inverse = unique_boards(after[:n], self._frames[case[:n]])
        self._weights = np.bincount(inverse, chance[:n], first.size).astype(np.float64)
        self._particles, self._frames = after[first], self._frames[case[first]]
        self._keep(self._weights > 0)

    def _thin(self, most: int) -> None:
        """Keep at most so many particles, drawn by their tempered weights."""
        if self._particles.shape[0] <= most:
            return
        self._cut = True
        chance = self._weights**TEMPER
        picks, times = _systematic(chance / chance.sum(), most, self._rng)
        share = chance[picks] / chance.sum()
        weights = self._weights[picks] * times / share
        self._particles, self._frames = self._particles[picks], self._frames[picks]
        self._weights = weights / weights.sum()

    @property
    def _fewest(self) -> int:
        """With fewer particles than this, many boards that fit are missing.

        That depends on how many men the other has left: a bare king has few squares to be on.
        """
        others = int(self._own.men_left[:6].sum() - self._own.men_left[6])
        return int(min(self._most // 8, 8 * 6 ** min(others - 1, 9)))

    def _renew(
        self, parents: Bits, weights: FloatArray, *, lost: int = -1, taken: int = -1
    ) -> None:
        """Believe also in boards like those believed in, where few are left that fit.

        So few stand for very many that went unseen: a man may be a move away from where it was
        thought to be. The fewer are left, the less they are trusted.
        """
        own, size = self._own, self._particles.shape[0]
        most = max(self._fewest // 2, 1)
        board, said = np.array(own.board), own.said
        if self._after_own_move is not None:
            board[STATUS] ^= np.uint64(1)
            said = self._after_own_move
        if not parents.shape[0]:
            return
        picks = parents[_systematic(weights, 64, self._rng)[0]]
        found, _ = neighbours(
            picks, board, self._side, said, np.array(own.refused, dtype=np.int64), most, 20 * most,
            self._bridge.k, self._rng, lost=lost, taken=taken,
        )  # fmt: skip
        if not found.shape[0]:
            return
        trust = size / (size + TRUSTED)
        kept, frames, old = self._particles, self._frames, self._weights
        self._set(found, np.ones(found.shape[0]))
        self._particles = np.concatenate([kept, self._particles])
        self._frames = np.concatenate([frames, self._frames])
        self._weights = np.concatenate([trust * old, (1 - trust) * self._weights])
        self._weights /= self._weights.sum()

    def _recover(self) -> None:
        """Believe again in something: games that fit all that was heard, or anything that fits."""
        self.lost += 1
        own, k = self._own, self._bridge.k
        found = [histories(own.start, own.past(), 50, EFFORT, k, self._rng)]
        found.append(
            placements(
                own.board, own.men_left, own.said, np.array(own.refused, dtype=np.int64), 100,
                EFFORT, k, self._rng,
            )
        )  # fmt: skip
        boards = np.concatenate(found)
        if boards.shape[0]:
            self._set(boards, np.ones(boards.shape[0]))

    # What it does.

    def propose(self, tries: IntArray, seconds: float | None = None) -> int:
        """Return the try worth most."""
        ranked = self.advice(tries, seconds)
        return ranked[0].action if ranked else int(self._rng.choice(tries))

    def advice(self, tries: IntArray, seconds: float | None = None) -> tuple[Advice, ...]:
        """Return the tries that may be legal, best first; none where nothing is believed."""
        self._look(tries, seconds)
        if self._looked is None:
            return ()
        moves, _, weights, values = self._looked
        open_ = np.array([self._bridge.move(int(a), self._own.board, self._side) for a in tries])
        columns = np.flatnonzero(np.isin(moves, open_))
        worth, legal = valued(values[:, columns], weights)
        action = {m: int(a) for m, a in zip(open_.tolist(), tries, strict=True)}
        order = [j for j in np.argsort(-worth, kind="stable") if legal[j] > 0]
        names = [action[int(moves[column])] for column in columns]
        return tuple(
            Advice(action=names[j], value=float(worth[j]), legal=float(legal[j])) for j in order
        )

    def _look(self, tries: IntArray, seconds: float | None) -> None:
        """Value the tries on a sample of the boards believed in, as many as time allows."""
        begun = time.perf_counter()
        self._catch_up(seconds)
        if not self._particles.shape[0]:
            self._recover()
        if self._looked is not None and self._looked[1].shape[0] >= 20:
            return
        size = self._particles.shape[0]
        if not size:
            self._looked = None
            return
        until = None if seconds is None else begun + 0.85 * seconds
        most = self._boards if seconds is None else 20 * WEIGHED
        picks, times = _systematic(self._weights, most, self._rng)
        if until is not None:
            order = self._rng.permutation(picks.size)
            picks, times = picks[order], times[order]
        moves = np.array([self._bridge.move(int(a), self._own.board, self._side) for a in tries])
        parts = []
        for start in range(0, picks.size, CHUNK):
            if until is not None and start and time.perf_counter() > until:
                break
            these = picks[start : start + CHUNK]
            out = np.empty((these.size, moves.size))
            value_tries(
                self._particles[these], self._frames[these], moves, self._maps, self._level,
                self._lambda, self._bridge.k, out,
            )  # fmt: skip
            parts.append(out)
        values = np.concatenate(parts)
        done = values.shape[0]
        weights = times[:done].astype(np.float64)
        self._looked = (moves, self._particles[picks[:done]], weights / weights.sum(), values)

    def belief(self) -> Mapping[tuple[str, str], float]:
        """Return how likely each man of the other stands on each square."""
        self._catch_up(None)
        found: dict[tuple[str, str], float] = {}
        for column in range(6 - 6 * self._side, 12 - 6 * self._side):
            for square in range(64):
                there = (self._particles[:, column] >> np.uint64(square)) & np.uint64(1)
                share = float(self._weights @ there.astype(np.float64))
                if share > 0:
                    found[square_name(square), LETTERS[column]] = share
        return found


def _systematic(
    chance: FloatArray, most: int, rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Draw ``most`` systematically; return those drawn and how often each."""
    places = (np.arange(most) + rng.random()) / most
    edges = np.cumsum(chance)
    picks = np.searchsorted(edges / edges[-1], places)
    return np.unique(np.minimum(picks, chance.size - 1), return_counts=True)


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
