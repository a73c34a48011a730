"""Beliefs on a board."""

from __future__ import annotations

from collections.abc import Sequence

from ipomdp.kriegspiel.board import CAPTURED, SIDES, SIZE, SQUARES, parse_position
from ipomdp.report import TIE, Analysis, Believed, Hearing
from ipomdp.web.board import BoardView

LETTERS = ("KQ", "kq")
"""Of White's pieces and of Black's."""


def start(position: str) -> BoardView:
    """Return a position that everybody knows."""
    pieces = {square: p for side in (0, 1) for p, square in _placed(position, side).items()}
    return _view(pieces=pieces, label="the position")


def standing(analysis: Analysis) -> BoardView:
    """Return what i sees and believes: its own pieces, and where j's may be."""
    i = SIDES.index(analysis.to_move)
    known = _certain(analysis.belief, i)
    if len(analysis.belief) == 1:
        return _view(pieces={**known, **_certain(analysis.belief, 1 - i)}, label="the position")
    heat, notes = shading(analysis.belief, 1 - i)
    label = f"what {analysis.to_move} believes: {spoken(analysis.belief, 1 - i)}"
    return _view(pieces=known, heat=heat, notes=notes, label=label)


def nested(belief: Sequence[Believed], analysis: Analysis) -> BoardView:
    """Return something that j may believe about i's pieces before i moves."""
    i = SIDES.index(analysis.to_move)
    heat, notes = shading(belief, i)
    label = f"what {SIDES[1 - i]} may believe: {spoken(belief, i)}"
    return _view(pieces=_certain(belief, 1 - i), heat=heat, notes=notes, label=label)


def heard(hearing: Hearing, move: str, analysis: Analysis) -> BoardView:
    """Return what j believes once it has heard something; i's pieces stand where they are."""
    i = SIDES.index(analysis.to_move)
    own = _certain(analysis.belief, i)
    letter = move[0] if i == 0 else move[0].lower()
    after = {square: piece for square, piece in own.items() if piece != letter}
    others = _certain(hearing.belief, 1 - i)
    heat, notes = shading(hearing.belief, i)
    label = f"after {move}, {SIDES[1 - i]} believes: {spoken(hearing.belief, i)}"
    pieces = {**others, **after, move[1:3]: letter}
    return _view(pieces=pieces, heat=heat, notes=notes, label=label)


def shading(belief: Sequence[Believed], side: int) -> tuple[dict[str, float], dict[str, list[str]]]:
    """Return how dark each square is, and what is written there: pieces and how likely."""
    chances: dict[str, dict[str, float]] = {}
    for believed in belief:
        for letter, square in _placed(believed.position, side).items():
            here = chances.setdefault(square, {})
            here[letter] = here.get(letter, 0.0) + believed.probability
    heat = {square: min(1.0, sum(here.values())) for square, here in chances.items()}
    notes = {
        square: [f"{letter.upper()} {percent(p)}" for letter, p in sorted(here.items())]
        for square, here in chances.items()
    }
    return heat, notes


def percent(probability: float) -> str:
    """Return ``14%``; what is not quite impossible or certain does not read as if it were."""
    if 0 < probability < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= probability < 1 - TIE else f"{probability:.0%}"


def spoken(belief: Sequence[Believed], side: int) -> str:
    """Return a belief in words, the likeliest squares first."""
    heat, notes = shading(belief, side)
    order = sorted(heat, key=lambda square: -heat[square])
    return ", ".join(f"{' and '.join(notes[square])} on {square}" for square in order)


def _certain(belief: Sequence[Believed], side: int) -> dict[str, str]:
    """Return the pieces of a side that stand on the same square in all positions."""
    placings = [_placed(believed.position, side) for believed in belief]
    return {
        square: letter
        for letter, square in (placings[0].items() if placings else ())
        if all(placing.get(letter) == square for placing in placings)
    }


def _placed(position: str, side: int) -> dict[str, str]:
    placed = parse_position(position)
    pair = zip(LETTERS[side], (placed[side], placed[2 + side]), strict=True)
    return {letter: SQUARES[square] for letter, square in pair if square != CAPTURED}


def _view(
    *,
    pieces: dict[str, str],
    label: str,
    heat: dict[str, float] | None = None,
    notes: dict[str, list[str]] | None = None,
) -> BoardView:
    return BoardView(size=SIZE, pieces=pieces, label=label, heat=heat or {}, notes=notes or {})
