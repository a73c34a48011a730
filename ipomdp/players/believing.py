"""What the I-POMDP player believes on big boards: particles, and the cloud nested in them."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from ipomdp.game import BoolArray, FloatArray, IntArray
from ipomdp.players.sampling import unique_boards
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.cloud import draw_maps, imagine, lose
from ipomdp.wild16.minds import KNOWING, MODEL, RANDOM, followed
from ipomdp.wild16.moves import STATUS, WIDTH
from ipomdp.wild16.neighbours import neighbours
from ipomdp.wild16.own import OwnSide
from ipomdp.wild16.referee import CAPTURED, SQUARE, illegal, own_move
from ipomdp.wild16.sample import histories, placements

CLOUD = 128
"""Placements of our men that the other's model holds possible."""
TEMPER = 0.5
"""Particles are drawn by their weights to this power."""
TRUSTED = 50
"""Where so few particles are left, boards like them are trusted as much as they are."""
EFFORT = 20_000
"""Moves looked at for games that fit, when no particle is left."""
LISTENING = 0.3
"""The part of the time that may be spent on carrying particles through the other's move."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumed:
    """What is assumed of the other."""

    level: int
    """The level of the player that assumes it; the other is one below."""
    rationality: float
    random: float
    """How likely the other is, at first, to move at random."""
    knowing: float
    """How likely, at first, it knows where our men stand."""

    @property
    def frames(self) -> tuple[tuple[int, float], ...]:
        """The frames that the other may have, with their prior weights."""
        if self.level == 0:
            return ((RANDOM, 1.0),)
        blind = 1.0 - self.random - self.knowing
        shares = ((RANDOM, self.random), (MODEL, blind), (KNOWING, self.knowing))
        return tuple((frame, share) for frame, share in shares if share > 0)


class Believing:
    """Boards with a frame of the other each, weighed; and what the other may believe of our men."""

    def __init__(self, own: OwnSide, assumed: Assumed, most: int, rng: np.random.Generator) -> None:
        self._own, self._assumed, self._most, self._rng = own, assumed, most, rng
        self.lost = 0
        """How often no particle explained what was heard."""
        self._seconds_each = 2e-5  # to carry a particle through a move, measured as it goes
        self._cut = False
        self._said_of_own: int | None = None  # while the other is to move
        self._shown = -1  # where our man that captured last stands
        self._set(own.start[None], np.ones(1))
        self._cloud: Bits = np.repeat(own.board[None], CLOUD, axis=0)
        self.maps = np.zeros((3, 64))
        draw_maps(self._cloud, own.side, own.k, self.maps)

    @property
    def cloud(self) -> Bits:
        """The placements of our men that the other's model holds possible, all as likely."""
        return self._cloud

    def _set(self, boards: Bits, weights: FloatArray) -> None:
        """Believe in boards, each with every frame that the other may have."""
        frames = self._assumed.frames
        self.boards = np.concatenate([boards] * len(frames))
        self.frames: IntArray = np.repeat([frame for frame, _ in frames], boards.shape[0])
        self.weights: FloatArray = np.concatenate([share * weights for _, share in frames])
        self.weights /= self.weights.sum()

    def _keep(self, kept: BoolArray) -> None:
        self.boards, self.frames = self.boards[kept], self.frames[kept]
        self.weights = self.weights[kept]
        total = self.weights.sum()
        if total > 0:
            self.weights = self.weights / total

    # What it is told; what is certain has been told to the own side before.

    def refuse(self, move: int) -> None:
        """Drop the boards on which a try is legal."""
        before = self.boards, self.weights
        self._keep(illegal(self.boards, move, self._own.k))
        if self._too_few:
            self._renew(*before)

    def move(self, move: int, said: int) -> None:
        """Move on every board, and move the other's idea of our men."""
        own, assumed = self._own, self._assumed
        before = self.boards, self.weights
        self.boards, kept = own_move(self.boards, move, said, own.k)
        self._keep(kept)
        self._said_of_own = said
        if self._too_few:
            taken = (said >> CAPTURED) & 3
            if kept.any():
                self._renew(self.boards, self.weights)
            else:
                where = taken << 6 | (said >> SQUARE) & 63 if taken else -1
                self._renew(*before, taken=where)
        stay = imagine(self._cloud, said, assumed.level - 1, assumed.rationality, own.k, self._rng)
        self._refill(stay)
        self._shown = (move >> 6) & 63 if (said >> CAPTURED) & 3 else -1

    def hear(self, said: int, seconds: float | None) -> None:
        """Carry the particles through a move of the other."""
        begun = time.perf_counter()
        if seconds is not None:
            self._thin(max(50, int(LISTENING * seconds / self._seconds_each)))
        size, before = self.boards.shape[0], (self.boards, self.weights)
        if size:
            self._follow(said)
        self._said_of_own = None
        taken = (said >> CAPTURED) & 3
        where = (said >> SQUARE) & 63 if taken else -1
        if self._too_few and size:
            some = (self.boards, self.weights) if self.boards.shape[0] else before
            self._renew(*some, lost=where)
        spent = min((time.perf_counter() - begun) / max(size, 1), 1e-3)
        self._seconds_each += 0.3 * (spent - self._seconds_each)
        if taken:
            self._refill(lose(self._cloud, self._own.side, where, taken == 1))
        if not self.boards.shape[0]:
            self.recover()
        self._thin(self._most)

    # The particles.

    def _follow(self, said: int) -> None:
        """Weigh every board that a move of the other announced so leads to."""
        assumed, room = self._assumed, 64 + 12 * self.boards.shape[0]
        while True:
            case, chance = np.empty(room, np.int64), np.empty(room)
            after = np.empty((room, WIDTH), np.uint64)
            n = followed(
                self.boards, self.frames, self.weights, said, self.maps, self._shown,
                assumed.level - 1, assumed.rationality, self._own.k, case, after, chance,
            )  # fmt: skip
            if n >= 0:
                break
            room *= 4
        first, inverse = unique_boards(after[:n], self.frames[case[:n]])
        self.weights = np.bincount(inverse, chance[:n], first.size).astype(np.float64)
        self.boards, self.frames = after[first], self.frames[case[first]]
        self._keep(self.weights > 0)

    def _thin(self, most: int) -> None:
        """Keep at most so many particles, drawn by their tempered weights."""
        if self.boards.shape[0] <= most:
            return
        self._cut = True
        chance = self.weights**TEMPER
        picks, times = systematic(chance / chance.sum(), most, self._rng)
        weights = self.weights[picks] * times / chance[picks]
        self.boards, self.frames = self.boards[picks], self.frames[picks]
        self.weights = weights / weights.sum()

    @property
    def exact(self) -> bool:
        """Whether every board that the rules leave possible is held.

        Whoever may move at random may have made any move; nobody else is sure to.
        """
        anything = any(frame == RANDOM for frame, _ in self._assumed.frames)
        return anything and not self._cut and not self.lost

    @property
    def _fewest(self) -> int:
        """With fewer particles than this, many boards that fit are missing.

        That depends on how many men the other has left: a bare king has few squares to be on.
        """
        others = int(self._own.men_left[:6].sum() - self._own.men_left[6])
        return int(min(self._most // 8, 8 * 6 ** min(others - 1, 9)))

    @property
    def _too_few(self) -> bool:
        """Whether particles are missing; before any was cut none is."""
        return self._cut and self.boards.shape[0] < self._fewest

    def _renew(
        self, parents: Bits, weights: FloatArray, *, lost: int = -1, taken: int = -1
    ) -> None:
        """Believe also in boards like those believed in, where few are left that fit.

        So few stand for very many that went unseen: a man may be a move away from where it was
        thought to be. The fewer are left, the less they are trusted.
        """
        if not parents.shape[0]:
            return
        own, size, most = self._own, self.boards.shape[0], max(self._fewest // 2, 1)
        board, said = np.array(own.board), own.said
        if self._said_of_own is not None:
            board[STATUS] ^= np.uint64(1)
            said = self._said_of_own
        picks = parents[systematic(weights, 64, self._rng)[0]]
        found, _ = neighbours(
            picks, board, own.side, said, np.array(own.refused, dtype=np.int64), most, 20 * most,
            own.k, self._rng, lost=lost, taken=taken,
        )  # fmt: skip
        if not found.shape[0]:
            return
        trust = size / (size + TRUSTED)
        boards, frames, old = self.boards, self.frames, self.weights
        self._set(found, np.ones(found.shape[0]))
        self.boards = np.concatenate([boards, self.boards])
        self.frames = np.concatenate([frames, self.frames])
        self.weights = np.concatenate([trust * old, (1 - trust) * self.weights])
        self.weights /= self.weights.sum()

    def recover(self) -> None:
        """Believe again in something: games that fit all that was heard, or anything that fits."""
        self.lost += 1
        own, refused = self._own, np.array(self._own.refused, dtype=np.int64)
        boards = np.concatenate(
            [
                histories(own.start, own.past(), 50, EFFORT, own.k, self._rng),
                placements(
                    own.board, own.men_left, own.said, refused, 100, EFFORT, own.k, self._rng
                ),
            ]
        )
        if boards.shape[0]:
            self._set(boards, np.ones(boards.shape[0]))

    # The cloud.

    def _refill(self, stay: int) -> None:
        """Fill the cloud up again; the truth, which fits all that was heard, is always in it."""
        picks = self._rng.integers(0, max(stay, 1), CLOUD - 1) if stay else np.zeros(0, np.int64)
        truth = np.repeat(self._own.board[None], CLOUD - picks.size, axis=0)
        self._cloud = np.ascontiguousarray(np.concatenate([truth, self._cloud[picks]]))
        draw_maps(self._cloud, self._own.side, self._own.k, self.maps)


def systematic(
    chance: FloatArray, most: int, rng: np.random.Generator
) -> tuple[IntArray, IntArray]:
    """Draw ``most`` systematically; return those drawn and how often each."""
    places = (np.arange(most) + rng.random()) / most
    edges = np.cumsum(chance)
    picks = np.searchsorted(edges / edges[-1], places)
    return np.unique(np.minimum(picks, chance.size - 1), return_counts=True)
