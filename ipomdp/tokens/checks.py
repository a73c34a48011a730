"""Who may give check to our king, by the other's last move and the rules of chess.

A square is possible if there is some placement of the other's men, as many as it takes, from which
a legal move leads to what was announced: our king was not in check before, the men that check now
stand on the lines named, and as many pawns of ours as there are pawn tries can take the one that
checks alone. Men that matter are placed one by one; where it helps, others may stand in between
(``free`` squares): they hide an attack, pin a pawn or shelter the other's king.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from ipomdp.tokens.coming import Coming, castlings, comings_from, comings_to, takings_en_passant
from ipomdp.tokens.geometry import (
    BETWEEN,
    BOARD,
    KING_STEPS,
    PAWN_STEPS,
    SLIDES,
    attacks,
    beyond,
    harmless,
    lines,
    squares,
)
from ipomdp.tokens.scene import Scene
from ipomdp.wild16.moves import KING, PAWN


def checkers(scene: Scene) -> set[int]:
    """Return every set of squares, as bits, from which the check announced may be given."""
    return _Checks(scene).found()


class _Checks:
    """The search for explanations of one announcement."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.king = scene, scene.king
        self.line = lines(scene.k)[scene.king]

    def found(self) -> set[int]:
        checks = self.scene.checks
        if len(checks) == 1:
            return {1 << s for s in self._on(checks[0]) if self._single(s)}
        if len(checks) == 2:
            return set(self._double(*checks))
        return set()

    def _on(self, line: int) -> list[int]:
        """List the squares of a line from the king as far as our men leave it open."""
        scene, gaps = self.scene, BETWEEN[self.king]
        free = BOARD[scene.k] & ~scene.stands
        return [
            s for s in squares(free) if self.line[s] == line and not gaps[s] & scene.stands
        ]  # fmt: skip

    @cached_property
    def _captures(self) -> list[Coming]:
        """What may have captured as was announced."""
        to = comings_to(self.scene, self.scene.where) if self.scene.taken else ()
        return [*to, *takings_en_passant(self.scene)]

    @cached_property
    def _castlings(self) -> list[Coming]:
        return list(castlings(self.scene))

    def _arriving(self, square: int) -> Iterable[Coming]:
        """List what may have come to a square by the last move."""
        if self.scene.taken:
            return (c for c in self._captures if c.target == square)
        castled = (c for c in self._castlings if c.target == square)
        return (*comings_to(self.scene, square), *castled)

    def _opening(self, square: int) -> Iterator[Coming]:
        """List what may have left the line between a square and the king by the last move."""
        gap = BETWEEN[square][self.king]
        if self.scene.taken:
            for coming in self._captures:
                if gap >> coming.origin & 1 or (coming.victim >= 0 and gap >> coming.victim & 1):
                    yield coming
            return
        for origin in squares(gap):
            yield from comings_from(self.scene, origin)

    def _single(self, square: int) -> bool:
        """Return whether a man on a square may give the only check."""
        return any(self._explains(c, (), direct=True) for c in self._arriving(square)) or (
            self._may_slide(square)
            and any(self._explains(c, (square,), direct=False) for c in self._opening(square))
        )

    def _double(self, one: int, other: int) -> Iterator[int]:
        """List the pairs of squares that may give two checks: of who came and who was there."""
        for here, there in ((one, other), (other, one)):
            arrivals = set(self._on(here))
            for square in filter(self._may_slide, self._on(there)):
                done = set[int]()
                for coming in self._opening(square):
                    target = coming.target
                    if target not in arrivals or target in done:
                        continue
                    if self._explains(coming, (square,), direct=True):
                        done.add(target)
                        yield 1 << square | 1 << target
        for coming in takings_en_passant(self.scene):  # two men of the line are gone at once
            for square in filter(self._may_slide, self._on(one)):
                for second in filter(self._may_slide, self._on(other)):
                    pair = (square, second)
                    if square != second and self._explains(coming, pair, direct=False):
                        yield 1 << square | 1 << second

    def _may_slide(self, square: int) -> bool:
        """Return whether a man that the other may have checks along the line from a square."""
        kinds = self.scene.kinds
        return any(kind in kinds and self.line[square] in SLIDES[kind] for kind in SLIDES)

    def _explains(self, coming: Coming, still: tuple[int, ...], *, direct: bool) -> bool:
        """Return whether a move, with checkers that stood still, may be what was announced.

        ``direct``: what moved gives check itself.
        """
        scene, king, k = self.scene, self.king, self.scene.k
        was, origin, now, target, path, victim, castled = coming
        standing = sum(1 << s for s in still)
        empty = 0  # now
        for square in (*still, target) if direct else still:
            empty |= BETWEEN[square][king]
        men = 1 << target | standing | (1 << castled if castled >= 0 else 0)
        if empty & (scene.stands | men) or standing & (path | 1 << origin | 1 << target):
            return False
        for square in still:
            gap = BETWEEN[square][king]
            if not (gap >> origin | (gap >> victim if victim >= 0 else 0)) & 1:
                return False  # it would have been check before
        home = 1 << (4 + 56 * scene.other) if castled >= 0 else 0
        free = BOARD[k] & ~(scene.stood | empty | path | men | 1 << origin | home)
        before = scene.stood | standing | home
        if not harmless(k, scene.other, was, origin, king, before | free):
            return False
        if direct and not attacks(k, scene.other, now, target, king):
            return False
        blocking = scene.stands | standing | free
        if not direct and not harmless(k, scene.other, now, target, king, blocking):
            return False
        checked = target if direct else still[0]
        fits = self._tries_fit(coming, checked, free) if len(scene.checks) == 1 else not scene.tries
        return fits and self._king_fits(coming, men, free)

    def _tries_fit(self, coming: Coming, checker: int, free: int) -> bool:
        """Return whether as many pawns as announced can take the man that checks.

        A pawn that might takes part unless it is pinned, by a man that may be there or must be.
        """
        scene = self.scene
        takers = PAWN_STEPS[scene.k][scene.other][checker] & scene.now[PAWN]
        if coming.double and coming.target == checker:  # en passant
            beside = (KING_STEPS[scene.k][checker] & 0xFF << (checker & 56)) & scene.now[PAWN]
            takers |= beside
        if not takers:
            return not scene.tries
        may = must = 0
        for pawn in squares(takers):
            pinned = self._pinned(pawn, coming, free)
            may += pinned is not False
            must += pinned is True
        return takers.bit_count() - may <= scene.tries <= takers.bit_count() - must

    def _pinned(self, pawn: int, coming: Coming, free: int) -> bool | None:
        """Return whether a pawn is pinned to the king; ``None`` if it may be or not."""
        scene, gap = self.scene, BETWEEN[pawn][self.king]
        line = self.line[pawn]
        if not any(line in SLIDES[kind] for kind in SLIDES):
            return False
        if gap & scene.stands or gap >> coming.target & 1:
            return False
        for square in beyond(scene.k, self.king, pawn):
            if scene.stands >> square & 1:
                return False
            if square == coming.target:
                return coming.now in SLIDES and line in SLIDES[coming.now]
            if free >> square & 1 and self._may_slide(square):
                return None
        return False

    @cached_property
    def _sheltered(self) -> int:
        """Where the other's king may stand whatever else stands on the board."""
        scene, k = self.scene, self.scene.k
        found = BOARD[k] & ~(scene.stood | KING_STEPS[k][self.king])
        return sum(1 << s for s in squares(found) if self._safe(s, scene.stands))

    def _safe(self, square: int, blocking: int) -> bool:
        """Return whether none of our men attacks a square past blocking ones."""
        scene = self.scene
        return all(
            harmless(scene.k, scene.side, kind, man, square, blocking & ~(1 << square))
            for kind in range(6)
            for man in squares(scene.now[kind])
        )

    def _king_fits(self, coming: Coming, men: int, free: int) -> bool:
        """Return whether the other's king may stand somewhere after the move."""
        scene, blocking = self.scene, self.scene.stands | men | free
        if coming.was == KING:
            return self._safe(coming.target, blocking)
        near = KING_STEPS[scene.k][self.king]
        if coming.castled >= 0:
            home = 4 + 56 * scene.other
            crossed = 1 << home | 1 << coming.target | 1 << coming.castled
            return not near & (crossed & ~(1 << coming.target)) and all(
                self._safe(square, blocking) for square in squares(crossed)
            )
        if self._sheltered & free:
            return True
        return any(self._safe(square, blocking) for square in squares(free & ~near))
