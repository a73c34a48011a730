"""Where the other's king may stand when our move gives check.

A square is possible if the other's men can stand so that its king was not in check before our move
and is now, along just the lines announced as seen from that square. Its men may hide it from those
of ours that are not to give check, and its pawns must be able to take as often as was announced.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ipomdp.tokens.geometry import (
    BETWEEN,
    BOARD,
    KING_STEPS,
    PAWN_STEPS,
    SLIDES,
    attacks,
    lines,
    squares,
)
from ipomdp.tokens.scene import Men, Scene, castling, passed, rook_squares
from ipomdp.wild16.bits import SIZES
from ipomdp.wild16.moves import KING, PAWN


def king_squares(scene: Scene) -> int:
    """Return the squares, as bits, on which the other's king may stand in the check announced."""
    if scene.move is None or not scene.checks:
        return 0
    near = KING_STEPS[scene.k][scene.king] | KING_STEPS[scene.k][_king_before(scene)]
    taken = 1 << scene.where if scene.taken else 0
    may = BOARD[scene.k] & ~(scene.stood | scene.stands | near | taken)
    return sum(1 << s for s in squares(may & ~_path(scene)) if _possible(scene, s))


def _king_before(scene: Scene) -> int:
    return scene.before[KING].bit_length() - 1


def _path(scene: Scene) -> int:
    """Return what must have been empty for our move."""
    move = scene.move or 0
    origin, target = move & 63, (move >> 6) & 63
    if castling(scene.before, move):
        corner, _ = rook_squares(move)
        return BETWEEN[origin][corner]
    return BETWEEN[origin][target]


def _attackers(scene: Scene, men: Men, square: int) -> Iterator[tuple[int, int]]:
    """List our men that attack a square past our own ones: where, and what must not be between."""
    own = men[0] | men[1] | men[2] | men[3] | men[4] | men[5]
    for kind in range(6):
        for man in squares(men[kind]):
            if attacks(scene.k, scene.side, kind, man, square):
                gap = BETWEEN[man][square] if kind in SLIDES else 0
                if not gap & own:
                    yield man, gap


def _possible(scene: Scene, king: int) -> bool:
    """Return whether the other's king may stand on a square."""
    line = lines(scene.k)[king]
    now = list(_attackers(scene, scene.now, king))
    for few in combinations(now, len(scene.checks)):
        if tuple(sorted(line[man] for man, _ in few)) == scene.checks and _hidden(
            scene, king, few, [gap for man, gap in now if man not in {man for man, _ in few}]
        ):
            return True
    return False


def _hidden(
    scene: Scene, king: int, checking: tuple[tuple[int, int], ...], others: list[int]
) -> bool:
    """Return whether these may check and no others, now; and nobody before."""
    taken = 1 << scene.where if scene.taken else 0
    kept = scene.stood | scene.stands | taken | _path(scene) | 1 << king
    for _, gap in checking:
        kept |= gap
    free = BOARD[scene.k] & ~kept
    if not all(gap & free for gap in others):
        return False
    before = [gap for _, gap in _attackers(scene, scene.before, king)]
    if not all(gap & (free | taken) for gap in before):
        return False
    if not scene.tries:
        return True
    return len(checking) == 1 and _takers(scene, checking[0][0], free, others) >= scene.tries


def _takers(scene: Scene, checker: int, free: int, others: list[int]) -> int:
    """Return how many pawns of the other may be able to take the man that checks."""
    places = PAWN_STEPS[scene.k][scene.side][checker]
    origin, target = (scene.move or 0) & 63, ((scene.move or 0) >> 6) & 63
    if checker == target and passed(scene.before, origin | target << 6, scene.k) >= 0:
        places |= KING_STEPS[scene.k][checker] & 0xFF << (checker & 56)
    found = 0
    for place in squares(places & free if PAWN in scene.kinds else 0):
        row = place >> 3
        alone = any(gap >> place & 1 and not gap & free & ~(1 << place) for gap in others)
        harms = attacks(scene.k, scene.other, PAWN, place, scene.king)
        on_board = 0 < row < SIZES[scene.k] - 1
        found += on_board and not alone and not harms
    return found
