"""The 4x4 board as SVG, with a player's belief shaded on it. Piece shapes are python-chess's."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from html import escape

import chess.svg

from ipomdp.kriegspiel.board import CAPTURED, LETTERS, SIZE, parse_position
from ipomdp.report import Believed

Heat = dict[int, list[tuple[str, float]]]
"""For each square, the pieces that may stand there and how likely."""

_CELL = 76  # wide enough for two labels side by side
_EDGE = 28
_BOARD = SIZE * _CELL
_WIDTH = _BOARD + 2 * _EDGE
_LINE = 16
_TITLE = (_WIDTH - _EDGE) // 8
"""Characters of the title that fit on a line in any usual font."""
_LIGHT, _DARK, _HEAT = "#f0d9b5", "#b58863", "#1f4e8c"


def board_svg(fen: str, *, title: str, belief: Sequence[Believed] = (), about: int = 0) -> str:
    """Return the position as SVG, shaded by a belief about the pieces of player ``about``.

    A square is the darker the likelier one of them stands there; the labels say which, and how
    likely.
    """
    lines = [line for part in title.splitlines() for line in textwrap.wrap(part, _TITLE)]
    top = _EDGE + _LINE * len(lines)
    height = top + _BOARD + _EDGE
    heat = _heat(belief, about)
    size = f'width="{_WIDTH}" height="{height}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {_WIDTH} {height}"',
            ' font-family="sans-serif">',
            f"<title>{escape(title)}</title>",
            f'<rect {size} fill="#ffffff"/>',
            *(
                f'<text x="{_EDGE}" y="{20 + _LINE * k}" font-size="13">{escape(line)}</text>'
                for k, line in enumerate(lines)
            ),
            *_cells(heat, top),
            *_coordinates(top),
            *_pieces(fen, top),
            *_labels(heat, top),
            "</svg>\n",
        ]
    )


def _cells(heat: Heat, top: int) -> Iterator[str]:
    for square in range(SIZE * SIZE):
        x, y = _corner(square, top)
        cell = f'<rect x="{x}" y="{y}" width="{_CELL}" height="{_CELL}"'
        yield f'{cell} fill="{_LIGHT if (square % SIZE + square // SIZE) % 2 else _DARK}"/>'
        if square in heat:
            total = min(1.0, sum(probability for _, probability in heat[square]))
            yield f'{cell} fill="{_HEAT}" fill-opacity="{0.15 + 0.65 * total:.3f}"/>'


def _pieces(fen: str, top: int) -> Iterator[str]:
    for letter, square in zip(LETTERS, parse_position(fen)[:4], strict=True):
        if square != CAPTURED:
            x, y = _corner(square, top)
            place = f"translate({x + 10},{y + 17}) scale(1.24)"
            yield f'<g transform="{place}">{chess.svg.PIECES[letter]}</g>'


def _labels(heat: Heat, top: int) -> Iterator[str]:
    """Yield the labels of each square above its piece, a king's on the left."""
    for square, pieces in heat.items():
        x, y = _corner(square, top)
        left = x + 2.0
        for letter, probability in pieces:
            text = f"{letter} {_percent(probability)}"
            wide = 6.2 * len(text) + 4
            place = f'x="{left:g}" y="{y + 2}" width="{wide:g}" height="14"'
            yield f'<rect {place} rx="3" fill="#ffffff"/>'
            place = f'x="{left + wide / 2:g}" y="{y + 12.5}" text-anchor="middle"'
            yield f'<text {place} font-size="10" fill="#0b2447">{escape(text)}</text>'
            left += wide + 2


def _percent(probability: float) -> str:
    """Return ``14%``; what is not quite impossible or certain does not read as if it were."""
    if 0 < probability < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= probability < 1 - 1e-9 else f"{probability:.0%}"


def _heat(belief: Sequence[Believed], about: int) -> Heat:
    """Return for each square the player's pieces that may stand there, with probabilities."""
    heat: dict[int, dict[str, float]] = {}
    for believed in belief:
        position = parse_position(believed.position)
        for letter, square in zip("KQ", (position[about], position[2 + about]), strict=True):
            if square != CAPTURED:
                pieces = heat.setdefault(square, {})
                pieces[letter] = pieces.get(letter, 0.0) + believed.probability
    return {square: sorted(pieces.items()) for square, pieces in heat.items()}


def _corner(square: int, top: int) -> tuple[int, int]:
    return _EDGE + square % SIZE * _CELL, top + (SIZE - 1 - square // SIZE) * _CELL


def _coordinates(top: int) -> list[str]:
    labels: list[tuple[float, float, str]] = []
    for k in range(SIZE):
        labels.append((_EDGE + (k + 0.5) * _CELL, top + _BOARD + 18, "abcd"[k]))
        labels.append((_EDGE / 2, top + (SIZE - 0.5 - k) * _CELL + 5, "1234"[k]))
    return [
        f'<text x="{x:g}" y="{y:g}" font-size="13" text-anchor="middle">{text}</text>'
        for x, y, text in labels
    ]
