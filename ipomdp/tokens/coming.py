"""How a man of the other may have moved: to a square, or away from one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ipomdp.tokens.geometry import (
    BETWEEN,
    BOARD,
    KING_STEPS,
    PAWN_STEPS,
    PIECES,
    SLIDES,
    reach,
    squares,
)
from ipomdp.tokens.scene import Scene
from ipomdp.wild16.bits import SIZES
from ipomdp.wild16.moves import KING, PAWN, ROOK


class Coming(NamedTuple):
    """A move of the other that its own men and ours might allow."""

    was: int
    """What moved."""
    origin: int
    now: int
    """What it is since: another kind after promotion."""
    target: int
    path: int
    """What must have been empty between."""
    victim: int = -1
    """The pawn of ours taken en passant."""
    castled: int = -1
    """The square of the king after castling; what moved is then the rook."""

    @property
    def double(self) -> bool:
        """Whether a pawn made a double step."""
        return self.was == PAWN and abs(self.target - self.origin) == 16


class Pawns(NamedTuple):
    """Where the other's pawns go."""

    ahead: int
    last: int
    """The rank on which they promote."""
    second: int
    """The rank on which they start."""

    @classmethod
    def of(cls, scene: Scene) -> Pawns:
        """Return the ways of the other's pawns."""
        size = SIZES[scene.k]
        return cls(8, size - 1, 1) if scene.other == 0 else cls(-8, 0, size - 2)


def comings_to(scene: Scene, target: int) -> Iterator[Coming]:
    """List how a man may have come to a square, taking there or not as was announced."""
    taking = bool(scene.taken)
    for kind in PIECES:
        if kind in scene.kinds:
            yield from _pieces_to(scene, kind, target)
    if PAWN in scene.kinds:
        origins = _takers(scene, target) if taking else _pushers(scene, target)
        for origin, path in origins:
            yield from _pawn(scene, origin, target, path)
    for origin in squares(KING_STEPS[scene.k][target] & ~scene.stood):
        yield Coming(KING, origin, KING, target, 0)


def comings_from(scene: Scene, origin: int) -> Iterator[Coming]:
    """List how a man may have left a square where nothing was captured."""
    empty = BOARD[scene.k] & ~scene.stood
    for kind in (*PIECES, KING):
        if kind in scene.kinds:
            for target in squares(reach(scene.k, kind, origin) & empty):
                path = BETWEEN[origin][target] if kind in SLIDES else 0
                if not path & scene.stood:
                    yield Coming(kind, origin, kind, target, path)
    if PAWN in scene.kinds:
        ahead = Pawns.of(scene).ahead
        for target in (origin + ahead, origin + 2 * ahead):
            if 0 <= target < 64 and empty >> target & 1:
                for start, path in _pushers(scene, target):
                    if start == origin:
                        yield from _pawn(scene, origin, target, path)


def takings_en_passant(scene: Scene) -> Iterator[Coming]:
    """List how a pawn may have taken one of ours en passant."""
    if scene.taken == 1 and scene.passing >= 0 and abs(scene.passing - scene.where) == 8:
        for origin, _ in _takers(scene, scene.passing):
            yield Coming(PAWN, origin, PAWN, scene.passing, 0, victim=scene.where)


def castlings(scene: Scene) -> Iterator[Coming]:
    """List how the other may have castled, as moves of its rook."""
    if scene.k != 2 or ROOK not in scene.kinds or scene.taken:
        return
    home = 4 + 56 * scene.other
    for corner, inside, castled in (
        (home + 3, home + 1, home + 2),
        (home - 4, home - 1, home - 2),
    ):
        path = BETWEEN[home][corner]
        if not (path | 1 << home | 1 << corner) & scene.stood:
            yield Coming(ROOK, corner, ROOK, inside, path & ~(1 << inside), castled=castled)


def _pieces_to(scene: Scene, kind: int, target: int) -> Iterator[Coming]:
    for origin in squares(reach(scene.k, kind, target) & ~scene.stood):
        path = BETWEEN[origin][target] if kind in SLIDES else 0
        if not path & scene.stood:
            yield Coming(kind, origin, kind, target, path)


def _pawn(scene: Scene, origin: int, target: int, path: int) -> Iterator[Coming]:
    last = target >> 3 == Pawns.of(scene).last
    for now in PIECES if last else (PAWN,):
        yield Coming(PAWN, origin, now, target, path)


def _may_start(scene: Scene, origin: int) -> bool:
    """Return whether a pawn of the other may have stood on a square and gone on."""
    free = 0 <= origin < 64 and bool(BOARD[scene.k] & ~scene.stood & 1 << origin)
    return free and 0 < origin >> 3 < SIZES[scene.k] - 1


def _takers(scene: Scene, target: int) -> Iterator[tuple[int, int]]:
    for origin in squares(PAWN_STEPS[scene.k][scene.side][target]):
        if _may_start(scene, origin):
            yield origin, 0


def _pushers(scene: Scene, target: int) -> Iterator[tuple[int, int]]:
    ahead, _, second = Pawns.of(scene)
    near, far = target - ahead, target - 2 * ahead
    if _may_start(scene, near):
        yield near, 0
    double = scene.k == 2 and far >> 3 == second and _may_start(scene, far)
    if double and not scene.stood >> near & 1:
        yield far, 1 << near
