"""Tokens by the last message alone, after Ciancarini and Favini's JVariant.

Known are the own men now and before the last move, and what was said of it; of the past only where
the other has captured lately. What they describe in section 4 is deduced, and what they left out.
"""

from __future__ import annotations

from collections.abc import Iterable

from ipomdp.seats.knowledge import Knowledge
from ipomdp.tokens.checks import checkers
from ipomdp.tokens.few import few, few_checkers, few_king_squares
from ipomdp.tokens.geometry import squares
from ipomdp.tokens.kings import king_squares
from ipomdp.tokens.scene import Men, Replay, Scene, men_of
from ipomdp.tokens.token import Token, token
from ipomdp.tokens.tries import try_squares
from ipomdp.wild16.moves import KING
from ipomdp.wild16.words import square_name

FAINTEST = 1 / 8
"""A capture whose token would be fainter is forgotten."""


def last_message(knowledge: Knowledge) -> tuple[Token, ...]:
    """Return the tokens that the last announcement justifies, by kind and square."""
    replay = Replay(knowledge)
    scene = replay.scene
    if scene is None:
        return ()
    theirs = men_of(knowledge.own.start, 1 - knowledge.side)
    pieces = _captures(replay)
    if scene.move is None:
        for square, (chance, certain) in try_squares(scene).items():
            faint, sure = pieces.get(square, (0.0, False))
            pieces[square] = (max(chance, faint), certain or sure)
    return (
        *_tokens_of_pieces(pieces),
        *_checks(scene, theirs),
        *_kings(scene, theirs),
    )


def _tokens_of_pieces(pieces: dict[int, tuple[float, bool]]) -> Iterable[Token]:
    for square, (chance, certain) in sorted(pieces.items()):
        yield token("piece", square_name(square), chance, certain=certain)


def _captures(replay: Replay) -> dict[int, tuple[float, bool]]:
    """Return where the other has captured: sure at first, then half as likely at each move."""
    found = {}
    for square, (age, maybe) in replay.captures.items():
        chance = 0.5 ** (age + maybe)
        if chance >= FAINTEST:
            found[square] = (chance, age == 0 and not maybe)
    return found


def _checks(scene: Scene, theirs: Men) -> Iterable[Token]:
    """List where the men that give check to our king may stand."""
    if scene.move is not None or not scene.checks:
        return
    groups = few_checkers(scene, _piece(theirs)) if few(theirs) else checkers(scene)
    held = 0
    for group in groups:
        held |= group
    for square in squares(held):
        share = sum(group >> square & 1 for group in groups) / len(groups)
        yield token("check", square_name(square), share, certain=share == 1)


def _kings(scene: Scene, theirs: Men) -> Iterable[Token]:
    """List where the other's king may stand when our move has given check."""
    if scene.move is None or not scene.checks:
        return
    where = few_king_squares(scene, _piece(theirs)) if few(theirs) else king_squares(scene)
    share = 1 / max(where.bit_count(), 1)
    for square in squares(where):
        yield token("king", square_name(square), share, certain=share == 1)


def _piece(theirs: Men) -> int | None:
    """Return the only piece beside the king, ``None`` if there is none."""
    return next((kind for kind in range(KING) if theirs[kind]), None)
