"""The 4x4 board as SVG, with a player's belief shaded on it. Piece shapes are python-chess's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

import chess.svg

from ipomdp.kriegspiel.board import CAPTURED, LETTERS, SIZE, parse_position
from ipomdp.report import Believed

Heat = dict[int, list[tuple[str, float]]]
"""For each square, the pieces that may stand there and how likely."""

_CELL = 64
_EDGE = 28
_BOARD = SIZE * _CELL
_LIGHT, _DARK, _HEAT = "#f0d9b5", "#b58863", "#1f4e8c"


def board_svg(fen: str, *, title: str, belief: Sequence[Believed] = (), about: int = 0) -> str:
    """Return the position as SVG, shaded by a belief about the pieces of player ``about``.

    A square is the darker the likelier one of them stands there; the labels say which, and how
    likely.
    """
    lines = title.splitlines()
    width, height = _BOARD + 2 * _EDGE, _BOARD + 2 * _EDGE + 14 * len(lines)
    top = height - _BOARD - _EDGE
    heat = _heat(belief, about)
    size = f'width="{width}" height="{height}"'
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width} {height}"',
            ' font-family="sans-serif">',
            f"<title>{escape(title)}</title>",
            f'<rect {size} fill="#ffffff"/>',
            *(
                f'<text x="{_EDGE}" y="{18 + 16 * k}" font-size="13">{escape(line)}</text>'
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
            place = f"translate({x + 9},{y + 15}) scale(1.04)"
            yield f'<g transform="{place}">{chess.svg.PIECES[letter]}</g>'


def _labels(heat: Heat, top: int) -> Iterator[str]:
    for square, pieces in heat.items():
        x, y = _corner(square, top)
        for row, (letter, probability) in enumerate(pieces):
            text = f"{letter} {probability:.0%}"
            place = f'x="{x + 2}" y="{y + 2 + 14 * row}"'
            yield f'<rect {place} width="{7 * len(text) + 7}" height="13" rx="3" fill="#ffffff"/>'
            place = f'x="{x + 5}" y="{y + 12.5 + 14 * row}"'
            yield f'<text {place} font-size="11" fill="#0b2447">{text}</text>'


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
