"""The players of Parker, Nau and Subrahmanian (2005): sample boards, search each, average.

LOS draws boards that fit the last thing heard; AOSP keeps a pool of boards that fit everything
heard; HS is AOSP that fills up with boards like those of LOS. The other is taken to move at random,
no board is likelier than another, and a move counts on the boards where it is legal alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from ipomdp.fields import Field
from ipomdp.game import BoardGame, FloatArray, IntArray
from ipomdp.players.player import Player
from ipomdp.players.settings import whole
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.bridge import Bridge
from ipomdp.wild16.moves import WIDTH
from ipomdp.wild16.own import OwnSide
from ipomdp.wild16.referee import follow, illegal, own_move
from ipomdp.wild16.sample import histories, placements
from ipomdp.wild16.search import Valued, value_moves
from ipomdp.wild16.warm import warm_up

MOST_POOLED, CUT_TO = 20_000, 10_000
"""A pool that grows larger is cut."""
BOARDS = 350
"""Boards evaluated when there is no time limit: what the paper managed in its 30 seconds."""
DEPTH = 1
"""Plies searched after a move, captures apart."""
CHUNK = 16
"""Boards evaluated at a time; one, where an engine evaluates them."""
SHARE = 0.8
"""The part of the time spent on evaluating; the rest is for finding more histories."""
EFFORT = 4000
"""Moves looked at in one search for histories, between two looks at the clock."""
PLACING = 200
"""How often a random board may fail to fit for each one that is wanted."""


SETTINGS: dict[str, Field] = {
    "boards": whole("boards", 1, 1_000_000),
    "depth": whole("depth", 0, 6),
}
"""What users may set, by the names they type."""

Evaluate = Callable[[Bits, int], Valued]
"""Value every legal move on boards of a size."""


class SamplingPlayer(Player):
    """Timed or not: within a number of seconds, or with a number of boards."""

    def __init__(
        self, game: BoardGame, *, pools: bool, fills: bool, boards: int = BOARDS,
        depth: int = DEPTH, evaluate: Evaluate | None = None,
    ) -> None:  # fmt: skip
        super().__init__(game)
        warm_up()
        self._bridge = Bridge(game)
        self._pools, self._fills, self._boards = pools, fills, boards
        self._evaluate = evaluate or (lambda batch, k: value_moves(batch, depth, k))
        self._chunk = CHUNK if evaluate is None else 1
        self._per_board = 1e-3  # seconds, measured as it goes
        self.noted: dict[str, float] = {}
        """For each turn: the share of boards that fit the last thing heard alone."""

    def begin(self, side: int, state: int, rng: np.random.Generator) -> None:
        """Start a game."""
        start = self._bridge.board(state)
        self._side, self._rng = side, rng
        self._own = OwnSide(start, side, self._bridge.k)
        self._pool = start[None]
        self._complete = True  # every board that fits is in the pool; then no others are drawn
        self._waiting: list[int] = []
        self._forget()

    def _forget(self) -> None:
        """Drop what was evaluated in the turn that is over."""
        self._seen = np.empty((0, WIDTH), dtype=np.uint64)
        self._values: list[Valued] = []
        self._placed = np.empty(0, dtype=bool)  # which of them fit the last thing heard alone

    def refused(self, action: int) -> None:
        """Drop the boards on which the try is legal."""
        self._catch_up()  # whoever was not asked before still has the other's move to hear
        k = self._bridge.k
        move = self._bridge.move(action, self._own.board, self._side)
        self._own.refuse(move)
        self._pool = self._pool[illegal(self._pool, move, k)]
        kept = illegal(self._seen, move, k)
        together = _joined(self._values)
        number = np.cumsum(kept) - 1
        inside = kept[together.case]
        self._values = [
            Valued(number[together.case[inside]], together.move[inside], together.value[inside])
        ]
        self._seen, self._placed = self._seen[kept], self._placed[kept]

    def moved(self, action: int, heard: int) -> None:
        """Move on every board of the pool."""
        self._catch_up()
        move, said = (
            self._bridge.move(action, self._own.board, self._side),
            self._bridge.said(heard),
        )
        after, kept = own_move(self._pool, move, said, self._bridge.k)
        self._pool = after[kept]
        self._own.move(move, said)
        self._forget()

    def heard(self, heard: int) -> None:
        """Take the other's moves that fit; the work is done in the player's own time."""
        self._waiting.append(self._bridge.said(heard))
        self._own.hear(self._waiting[-1])

    def propose(self, tries: IntArray, seconds: float | None = None) -> int:
        """Return the try with the highest average over the boards where it is legal."""
        begun = time.perf_counter()
        self._catch_up()
        if seconds is None:
            self._look_at(self._boards, None)
        else:
            until = begun + SHARE * seconds
            wanted = max(self._chunk, int((until - time.perf_counter()) / self._per_board))
            if self._seen.shape[0] < wanted / 2:
                self._look_at(wanted, until)
                self._search_histories(begun + 0.95 * seconds)
        share = float(self._placed.mean()) if self._placed.size else 0.0
        self.noted = {"last_observation_share": share}
        return self._best(tries)

    def _catch_up(self) -> None:
        """Carry the pool through the other's moves; boards are taken in any order until enough."""
        for said in self._waiting:
            pool = self._pool[self._rng.permutation(self._pool.shape[0])]
            found: list[Bits] = []
            total = start = 0
            while start < pool.shape[0] and total <= MOST_POOLED and self._pools:
                part = _unique(follow(pool[start : start + 512], said, self._bridge.k).board)
                found.append(part)
                start, total = start + 512, total + part.shape[0]
            self._pool = _unique(np.concatenate([*found, np.empty((0, WIDTH), dtype=np.uint64)]))
            self._complete &= start >= pool.shape[0]
            if self._pool.shape[0] > MOST_POOLED:
                self._complete = False
                self._pool = self._pool[self._rng.permutation(self._pool.shape[0])[:CUT_TO]]
        self._waiting.clear()

    def _look_at(self, wanted: int, until: float | None) -> None:
        """Evaluate boards of the pool and, if the player fills up, random ones, up to a number.

        Those evaluated before a refusal count, and are not evaluated again.
        """
        seen = self._seen.shape[0]
        first, _ = unique_boards(np.concatenate([self._seen, self._pool]))
        order = self._rng.permutation(first[first >= seen] - seen)[: max(wanted - seen, 0)]
        for start in range(0, order.size, self._chunk):
            if until is not None and start and time.perf_counter() > until:
                return
            self._add(self._pool[order[start : start + self._chunk]])
        fill = self._fills and not (self._pools and self._complete)
        missing = wanted - self._seen.shape[0] if fill else 0
        while missing > 0 and (until is None or time.perf_counter() < until):
            drawn = placements(
                self._own.board, self._own.men_left, self._own.said,
                np.array(self._own.refused, dtype=np.int64),
                min(self._chunk, missing), PLACING * self._chunk, self._bridge.k, self._rng,
            )  # fmt: skip
            if not drawn.shape[0]:
                return
            self._add(drawn, placed=True)
            missing -= drawn.shape[0]

    def _add(self, boards: Bits, *, placed: bool = False) -> None:
        begun = time.perf_counter()
        valued = self._evaluate(boards, self._bridge.k)
        spent = (time.perf_counter() - begun) / max(boards.shape[0], 1)
        self._per_board += 0.2 * (min(spent, 10 * self._per_board) - self._per_board)
        self._values.append(valued._replace(case=valued.case + self._seen.shape[0]))
        self._seen = np.concatenate([self._seen, boards])
        self._placed = np.append(self._placed, np.full(boards.shape[0], placed))

    def _search_histories(self, until: float) -> None:
        """Spend the time that is left on games that fit all that was heard."""
        past = self._own.past()
        while self._pools and self._pool.shape[0] < MOST_POOLED and time.perf_counter() < until:
            most = min(64, MOST_POOLED - self._pool.shape[0])
            found = histories(self._own.start, past, most, EFFORT, self._bridge.k, self._rng)
            if found.shape[0]:
                self._pool = _unique(np.concatenate([self._pool, found]))

    def _best(self, tries: IntArray) -> int:
        own, side = self._own.board, self._side
        moves = np.array([self._bridge.move(int(action), own, side) for action in tries])
        average = averages(_joined(self._values), moves)
        if np.isnan(average).all():
            return int(self._rng.choice(tries))
        best = np.flatnonzero(average == np.nanmax(average))
        return int(tries[self._rng.choice(best)])


def averages(valued: Valued, moves: IntArray) -> FloatArray:
    """Return the average value of each move where it is legal; NaN where it never is."""
    where = np.full(1 << 15, -1)
    where[moves] = np.arange(moves.size)
    inside = where[valued.move] >= 0
    which = where[valued.move[inside]]
    total = np.bincount(which, valued.value[inside], moves.size)
    with np.errstate(invalid="ignore", divide="ignore"):
        average: FloatArray = total / np.bincount(which, minlength=moves.size)
    return average


def _joined(parts: list[Valued]) -> Valued:
    if not parts:
        nothing = np.empty(0, dtype=np.int64)
        return Valued(nothing, nothing, np.empty(0))
    return Valued(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def _unique(boards: Bits) -> Bits:
    """Return each board once."""
    return boards[unique_boards(boards)[0]]


def unique_boards(boards: Bits, kinds: IntArray | None = None) -> tuple[IntArray, IntArray]:
    """Return where each different board (of each kind) stands first, and which one each is."""
    odd = np.uint64(0x9E3779B97F4A7C15)
    mixed = np.zeros(boards.shape[0], dtype=np.uint64)
    if kinds is not None:
        mixed += kinds.astype(np.uint64)
    for column in range(WIDTH):
        mixed = (mixed ^ boards[:, column]) * odd
        mixed ^= mixed >> np.uint64(29)
    _, first, inverse = np.unique(mixed, return_index=True, return_inverse=True)
    return first, inverse
