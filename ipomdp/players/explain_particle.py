"""What stands behind a try on big boards, read off the boards looked at and the other's cloud."""

from __future__ import annotations

import numpy as np

from ipomdp.game import FloatArray, IntArray
from ipomdp.players.believing import Assumed
from ipomdp.players.bits import Listening, evenly
from ipomdp.players.explanation import (
    MOST_ANNOUNCEMENTS,
    MOST_REPLIES,
    Announced,
    Explanation,
    Mind,
    Placed,
    Reply,
    placed,
    ranked,
)
from ipomdp.players.player import Advice
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.bridge import Bridge
from ipomdp.wild16.listening import announcements, replied, standing
from ipomdp.wild16.minds import ATTACKED, KNOWING, MODEL, RANDOM
from ipomdp.wild16.referee import CAPTURED, ENDING, own_move
from ipomdp.wild16.words import LETTERS, square_name

LISTENED = 8
"""Boards on which the other is imagined to listen to each announcement."""


class Explainer:
    """Tells what a player expects of a try, from the boards by which it valued it.

    The replies are those by which the try was valued: a quantal response to the maps of our men
    as the other has them before we move. What the other then believes takes the announcement into
    account.
    """

    def __init__(
        self, bridge: Bridge, side: int, assumed: Assumed, listening: Listening, maps: FloatArray
    ) -> None:
        self._bridge, self._side, self._assumed = bridge, side, assumed
        self._listening, self._maps = listening, maps

    def explained(
        self, advice: Advice, move: int, boards: Bits, frames: IntArray, weights: FloatArray
    ) -> Explanation:
        """Return what stands behind the worth of a try, over boards looked at, and their frames."""
        said = announcements(boards, np.array([move]), self._bridge.k)[:, 0]
        made, refused = said >= 0, said < 0
        heard, which = np.unique(said[made], return_inverse=True)
        shares = np.bincount(which, weights[made]) / weights[made].sum()
        order = np.argsort(-shares.round(12), kind="stable")
        told = []
        for one in order[:MOST_ANNOUNCEMENTS].tolist():
            there = said == heard[one]
            part = boards[there], frames[there], weights[there] / weights[there].sum()
            told.append(self._announced(int(heard[one]), float(shares[one]), move, *part))
        left = weights[refused] / max(weights[refused].sum(), 1e-300)
        return Explanation(
            advice=advice,
            after_refusal=self._placed(boards[refused], left, 1 - self._side),
            announcements=tuple(told),
            others=int(order[MOST_ANNOUNCEMENTS:].size),
        )

    def _announced(
        self, said: int, probability: float, move: int,
        boards: Bits, frames: IntArray, weights: FloatArray,
    ) -> Announced:  # fmt: skip
        heard = self._bridge.heard(said)
        if (said >> ENDING) & 3:
            return Announced(heard=heard, probability=probability, over=True)
        return Announced(
            heard=heard,
            probability=probability,
            over=False,
            minds=self._minds(frames, weights),
            belief=self._believed(said, boards, weights),
            replies=self._replies(said, move, boards, frames, weights),
        )

    def _minds(self, frames: IntArray, weights: FloatArray) -> tuple[Mind, ...]:
        """Return who the other may be, likeliest first."""
        words = {
            RANDOM: "at random",
            MODEL: f"at level {self._assumed.level - 1}",
            KNOWING: "as one who knows where your men are",
        }
        shares = np.bincount(frames, weights, len(words)).tolist()
        return tuple(
            Mind(words=words[frame], probability=share)
            for frame, share in ranked(enumerate(shares), len(words))
        )

    def _believed(self, said: int, boards: Bits, weights: FloatArray) -> tuple[Placed, ...]:
        """Return where the other then believes our men to be, on some of the boards."""
        picks, shares = evenly(weights, LISTENED)
        total = np.zeros((6, 64))
        for pick, share in zip(picks, shares, strict=True):
            thought, found = self._listening.foreseen(boards[pick]), np.empty((6, 64))
            heard = thought.said == said
            chance = thought.chance[heard]
            if chance.sum() > 0:
                standing(thought.after[heard], chance / chance.sum(), self._side, found)
                total += share * found
        return _listed(total, self._side)

    def _replies(
        self, said: int, move: int, boards: Bits, frames: IntArray, weights: FloatArray
    ) -> tuple[Reply, ...]:
        assumed, k = self._assumed, self._bridge.k
        after, _ = own_move(boards, move, said, k)
        where = (move >> 6) & 63 if (said >> CAPTURED) & 3 else -1
        chances = np.zeros(1 << 15)
        replied(
            after, frames, weights, self._maps, np.full(frames.size, where), assumed.level - 1,
            assumed.rationality, k, chances,
        )  # fmt: skip
        shares = ((int(m), float(chances[m])) for m in np.flatnonzero(chances))

        def attacked(reply: int) -> float:
            return min(1.0, float(self._maps[ATTACKED, (reply >> 6) & 63]))

        return tuple(
            Reply(
                action=self._bridge.action(reply, self._mover(after, reply), 1 - self._side),
                probability=share,
                attacked=attacked(reply) if assumed.level > 1 else None,
            )
            for reply, share in ranked(shares, MOST_REPLIES)
        )

    def _mover(self, boards: Bits, move: int) -> Bits:
        """Return one of the boards on which the other has something to move from a square."""
        theirs = boards[:, 6 - 6 * self._side : 12 - 6 * self._side]
        there = (np.bitwise_or.reduce(theirs, axis=1) >> np.uint64(move & 63)) & np.uint64(1)
        found: Bits = boards[there.argmax()]
        return found

    def _placed(self, boards: Bits, weights: FloatArray, side: int) -> tuple[Placed, ...]:
        total = np.empty((6, 64))
        standing(boards, weights, side, total)
        return _listed(total, side)


def _listed(total: FloatArray, side: int) -> tuple[Placed, ...]:
    """Return how likely each kind of men stands on each square, as letters and names."""
    return placed(
        {
            (square_name(square), LETTERS[6 * side + kind]): float(total[kind, square])
            for kind, square in np.argwhere(total > 0).tolist()
        }
    )
