"""Where the men stand that our pawns can take, by the number of pawn tries alone.

All sets of squares that give the number announced count alike. That a pawn is pinned, so that what
it attacks is no pawn try, or that a pawn can be taken en passant, is possible but rare: it keeps
others from being certain, and only what nothing else explains is weighed by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from math import comb
from typing import NamedTuple

from ipomdp.tokens.coming import Pawns
from ipomdp.tokens.geometry import (
    BETWEEN,
    KING_STEPS,
    PAWN_STEPS,
    SLIDES,
    beyond,
    lines,
    squares,
)
from ipomdp.tokens.scene import Scene
from ipomdp.wild16.moves import PAWN

RARE = 8
"""How many times less a pin or a capture en passant counts than what is plain."""


class _Fact(NamedTuple):
    """Something that may be so: men that must or cannot be there, and how much it counts."""

    counts: int
    there: int = 0
    absent: int = 0
    beside: int = 0
    """Our pawns that can take en passant."""
    attacks: int = 0
    """What a pawn of ours can take."""
    pawn: int = -1


@dataclass
class _Ways:
    """In how many ways the number of tries comes about: all of them, and with a man on a square."""

    total: int = 0
    holding: dict[int, int] = field(default_factory=dict)


def try_squares(scene: Scene) -> dict[int, tuple[float, bool]]:
    """Return how likely each square holds a man that a pawn of ours attacks, and if that is sure.

    Only what the number of pawn tries says, where our king is not in check.
    """
    if scene.checks or not scene.now[PAWN]:
        return {}
    reached = {
        pawn: PAWN_STEPS[scene.k][scene.side][pawn] & ~scene.stands
        for pawn in squares(scene.now[PAWN])
    }
    states = [list(_states(scene, pawn, goals)) for pawn, goals in reached.items()]
    plain, rare = _Ways(), _Ways()
    for last in _last_moves(scene):
        for pawns in product(*states):
            ordinary = all(fact.counts == RARE for fact in (last, *pawns))
            _count(scene, last, pawns, plain if ordinary else rare)
    total = plain.total + rare.total
    if not total or not scene.tries:
        return {}
    found = {}
    for square in plain.holding.keys() | rare.holding.keys():
        usual, ways = plain.holding.get(square, 0), rare.holding.get(square, 0)
        chance = usual / plain.total if usual else ways / total
        if usual + ways:
            found[square] = (chance, usual + ways == total)
    return found


def _states(scene: Scene, pawn: int, goals: int) -> Iterator[_Fact]:
    """List what may hold a pawn: nothing, a pin from afar, or one by a man it can take."""
    yield _Fact(RARE, attacks=goals, pawn=pawn)
    line, gap = lines(scene.k)[scene.king][pawn], BETWEEN[pawn][scene.king]
    kinds = [kind for kind in SLIDES if kind in scene.kinds and line in SLIDES[kind]]
    if not kinds or gap & scene.stands or not goals:
        return
    far = beyond(scene.k, scene.king, pawn)
    if not far or scene.stands >> far[0] & 1:
        return
    near = 1 << far[0] & goals
    if near:
        yield _Fact(1, there=near, attacks=near, pawn=pawn)
    if not near or (len(far) > 1 and not scene.stands >> far[1] & 1):
        yield _Fact(1, absent=near, pawn=pawn)


def _last_moves(scene: Scene) -> Iterator[_Fact]:
    """List what the other's last move says of squares: a capture, a double step or neither."""
    if scene.taken:
        yield _Fact(RARE, there=1 << scene.where)
        if scene.taken == 1 and scene.passing >= 0 and abs(scene.passing - scene.where) == 8:
            yield _Fact(RARE, there=1 << scene.passing, absent=1 << scene.where)
        return
    yield _Fact(RARE)
    if scene.k != 2 or PAWN not in scene.kinds:
        return
    ahead, _, second = Pawns.of(scene)
    for file in range(8):
        start = 8 * second + file
        passed, stopped = start + ahead, start + 2 * ahead
        beside = KING_STEPS[2][stopped] & 0xFF << (stopped & 56) & scene.now[PAWN]
        way = 1 << start | 1 << passed
        if beside and not scene.stands & (way | 1 << stopped):
            yield _Fact(1, there=1 << stopped, absent=way, beside=beside)


def _count(scene: Scene, last: _Fact, pawns: tuple[_Fact, ...], to: _Ways) -> None:
    """Add up the sets of squares that give the number of tries, with each square and in all."""
    there, absent, counts, goals = last.there, last.absent, last.counts, 0
    for pawn in pawns:
        there, absent, counts = there | pawn.there, absent | pawn.absent, counts * pawn.counts
        goals |= PAWN_STEPS[scene.k][scene.side][pawn.pawn] & ~scene.stands
    if there & absent:
        return
    weight = {s: sum(p.attacks >> s & 1 for p in pawns) for s in squares(goals & ~absent)}
    free_pawns = sum(1 << p.pawn for p in pawns if p.counts > 1)
    rest = scene.tries - (last.beside & free_pawns).bit_count()
    rest -= sum(w for s, w in weight.items() if there >> s & 1)
    open_ = {s: w for s, w in weight.items() if not there >> s & 1}
    ones, twos = (sum(w == n for w in open_.values()) for n in (1, 2))
    ways = 2 * counts * _ways(rest, ones, twos)
    if not ways:
        return
    to.total += ways
    found = to.holding
    for s in squares(there & (goals | (last.there if last.beside else 0))):
        found[s] = found.get(s, 0) + ways
    with_one = 2 * counts * _ways(rest - 1, ones - 1, twos)
    with_two = 2 * counts * _ways(rest - 2, ones, twos - 1)
    for s, w in open_.items():
        found[s] = found.get(s, 0) + (ways // 2, with_one, with_two)[w]


def _ways(rest: int, ones: int, twos: int) -> int:
    """Return how many sets of squares, worth one or two tries each, are worth so many."""
    if rest < 0 or ones < 0 or twos < 0:
        return 0
    return sum(comb(twos, b) * comb(ones, rest - 2 * b) for b in range(rest // 2 + 1))
