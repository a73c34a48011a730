"""A board as a picture in a file of its own, drawn as the page draws it."""

from __future__ import annotations

import chess.svg

from ipomdp.web.board import BoardView

CELL = 45
LIGHT, DARK = "#ecdcc0", "#b48d6a"
MARKS = {"last": "#d7c34c", "capture": "#c4452d", "check": "#e4572e", "refused": "#58606b"}
TOKENS = {
    "piece": ("#3b3f8f", 0.5, 0.5, 16, ""),
    "check": ("#d1341f", 0.24, 0.76, 9, "+"),
    "king": ("#f3b61f", 0.76, 0.24, 9, "♚"),
}
"""Colour, place in the square, radius and sign of each kind of token."""


def board_svg(view: BoardView) -> str:
    """Return what a board shows as an SVG picture."""
    side = view.size * CELL
    head = f'viewBox="0 0 {side} {side}" width="{side}" height="{side}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {head}>']
    files = "abcdefgh"[: view.size]
    for square in (f"{file}{rank + 1}" for rank in range(view.size) for file in files):
        x, y = _corner(square, view)
        light = (ord(square[0]) + int(square[1])) % 2 == 1
        parts.append(_square(x, y, LIGHT if light else DARK))
        if square in view.marks:
            parts.append(_square(x, y, MARKS[view.marks[square]], 0.55))
    parts += [_token(token, view) for token in view.tokens]
    for square, piece in view.pieces.items():
        x, y = _corner(square, view)
        parts.append(f'<g transform="translate({x},{y})">{chess.svg.PIECES[piece]}</g>')
    return "\n".join((*parts, "</svg>", ""))


def _corner(square: str, view: BoardView) -> tuple[int, int]:
    file, rank = ord(square[0]) - ord("a"), int(square[1]) - 1
    last = view.size - 1
    return CELL * (last - file if view.flipped else file), CELL * (
        rank if view.flipped else last - rank
    )


def _square(x: int, y: int, colour: str, opacity: float = 1.0) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{colour}" '
        f'fill-opacity="{opacity}"/>'
    )


def _token(token: object, view: BoardView) -> str:
    assert isinstance(token, dict)  # noqa: S101 - as the view says
    colour, dx, dy, radius, sign = TOKENS[token["kind"]]
    left, top = _corner(token["square"], view)
    x, y = left + dx * CELL, top + dy * CELL
    solid = 1.0 if token["certain"] else token["probability"]
    rim = 2.4 if token["certain"] else 1.2
    circle = (
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colour}" fill-opacity="{solid}" '
        f'stroke="{colour}" stroke-opacity="{max(0.35, solid)}" stroke-width="{rim}"/>'
    )
    text = (
        f'<text x="{x}" y="{y}" font-size="{radius * 1.5}" text-anchor="middle" '
        f'dominant-baseline="central">{sign}</text>'
    )
    return circle + (text if sign else "")
