"""What tries give away on big boards: bits about our men that an announcement gives the other."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ipomdp.engine.expect import entropy
from ipomdp.game import BoolArray, FloatArray, IntArray
from ipomdp.players.believing import Assumed
from ipomdp.players.sampling import unique_boards
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.listening import Foreseen, announcements, foreseen

LISTENED = 64
"""Boards on which the other is imagined to listen."""
FAINT = 1e-9


class Listening:
    """The other as it listens: one who holds a cloud of placements of our men possible.

    What its frame is does not matter here: one who moves at random may listen as well, and to one
    who knew where our men are nothing could be given away.
    """

    def __init__(self, cloud: Bits, assumed: Assumed, k: int) -> None:
        first, inverse = unique_boards(cloud)
        self._cloud = np.ascontiguousarray(cloud[first])
        self._shares: FloatArray = np.bincount(inverse) / inverse.size
        self._level, self._rationality, self._k = assumed.level - 1, assumed.rationality, k

    def foreseen(self, board: Bits) -> Foreseen:
        """Return what it thinks that we may do, where its men stand as on a board."""
        return foreseen(board, self._cloud, self._shares, self._level, self._rationality, self._k)

    def leaks(self, boards: Bits, weights: FloatArray, tries: IntArray) -> FloatArray:
        """Return the bits about where our men are that each try gives away, if it is made.

        Over the boards on which it is legal: the entropy of where the other believes our men to
        be once we have moved, less what is left of it after the announcement. NaN where it is
        legal on none.
        """
        said = announcements(boards, tries, self._k)
        gained = np.zeros(said.shape)
        for board, heard, row in zip(boards, said, gained, strict=True):
            before, after = missing(self.foreseen(board))
            row[:] = [before - after.get(one, before) for one in heard.tolist()]
        made = weights[:, None] * (said >= 0)
        total = made.sum(axis=0)
        with np.errstate(invalid="ignore"):
            found: FloatArray = (made * gained).sum(axis=0) / total
        return found


def evenly(weights: FloatArray, most: int) -> tuple[IntArray, FloatArray]:
    """Return at most so many of those weighed, evenly and without drawing, and their weights."""
    if weights.size <= most:
        return np.arange(weights.size), weights / weights.sum()
    places = (np.arange(most) + 0.5) / most
    picks = np.searchsorted(np.cumsum(weights) / weights.sum(), places)
    found, times = np.unique(np.minimum(picks, weights.size - 1), return_counts=True)
    return found, times / most


def listened(weights: FloatArray, legal: BoolArray) -> tuple[IntArray, FloatArray]:
    """Return the boards on which the other is to listen, some of those looked at, and weights.

    Each try (a column) that may be legal is legal on one of them: if need be the likeliest, with a
    weight that tells only where no other board does.
    """
    picks, shares = evenly(weights, LISTENED)
    missing = np.flatnonzero(legal.any(axis=0) & ~legal[picks].any(axis=0))
    likeliest = np.where(legal[:, missing], weights[:, None], -1.0).argmax(axis=0)
    rest = np.unique(likeliest)
    return np.concatenate([picks, rest]), np.concatenate([shares, np.full(rest.size, FAINT)])


def missing(thought: Foreseen) -> tuple[float, Mapping[int, float]]:
    """Return the bits missing about our men once we have moved, and after each announcement."""
    likely = thought.chance > 0
    said, heard = np.unique(thought.said[likely], return_inverse=True)
    number = np.unique(thought.placed[likely], return_inverse=True)[1]
    pair, which = np.unique(heard * (number.size + 1) + number, return_inverse=True)
    chance = np.bincount(which, thought.chance[likely])
    heard, number = np.divmod(pair, number.size + 1)
    within = chance / np.bincount(heard, chance)[heard]
    after = np.maximum(np.bincount(heard, -within * np.log2(within)), 0.0)
    before = entropy(np.bincount(number, chance).astype(np.float64))
    return before, dict(zip(said.tolist(), after.tolist(), strict=True))
