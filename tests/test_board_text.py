"""The board in a terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from ipomdp.show.board_text import PLAIN, Look, beside, board_lines, look_of, titled

PIECES = {"a1": "K", "c1": "Q", "d4": "k"}


def plain(lines: list[object]) -> list[str]:
    return [str(line).rstrip() for line in lines]


def test_the_board_from_each_side() -> None:
    assert plain([*board_lines(4, PIECES)]) == [
        "4  .  .  .  k",
        "3  .  .  .  .",
        "2  .  .  .  .",
        "1  K  .  Q  .",
        "   a  b  c  d",
    ]
    assert plain([*board_lines(4, PIECES, None, 1)]) == [
        "1  .  Q  .  K",
        "2  .  .  .  .",
        "3  .  .  .  .",
        "4  k  .  .  .",
        "   d  c  b  a",
    ]


def test_a_heat_map_reads_without_colour() -> None:
    shading = {"a4": 1.0, "b4": 0.25, "c4": 0.004, "d1": 0.5}
    assert plain([*board_lines(4, {"a1": "K"}, shading)]) == [
        "4 100# 25: <1.  .",
        "3   .   .   .   .",
        "2   .   .   .   .",
        "1   K   .   .  50*",
        "    a   b   c   d",
    ]


def test_likelier_squares_are_hotter() -> None:
    shading = {"a4": 0.1, "b4": 0.5, "c4": 0.9}
    top = board_lines(4, {}, shading, look=Look(colour=True))[0]
    red = [int(str(span.style).split("on #")[1][:2], 16) for span in top.spans[:3]]
    assert red == sorted(red)
    assert len(set(red)) == 3


@pytest.mark.parametrize("look", [PLAIN, Look(colour=True), Look(unicode=True), Look(True, True)])
def test_two_heat_maps_of_8x8_fit_80_columns(look: Look) -> None:
    board = titled("any piece", board_lines(8, PIECES, {"h8": 1.0}, look=look))
    lines = beside(board, board)
    assert len({line.cell_len for line in lines}) == 1
    assert max(line.cell_len for line in lines) < 80


@pytest.mark.parametrize(
    ("terminal", "encoding", "colour", "expected"),
    [
        (False, "utf-8", True, Look(colour=False, unicode=False)),
        (True, "utf-8", True, Look(colour=True, unicode=True)),
        (True, "utf-8", False, Look(colour=False, unicode=True)),
        (True, "ascii", True, Look(colour=True, unicode=False)),
    ],
)
def test_what_a_terminal_can_show(
    terminal: bool, encoding: str, colour: bool, expected: Look
) -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    console = Console(
        file=file, force_terminal=terminal, no_color=not colour,
        color_system="truecolor" if terminal else None,
    )  # fmt: skip
    assert look_of(console) == expected
    for line in board_lines(4, PIECES, {"b2": 0.7}, look=look_of(console)):
        console.print(line)  # encodes
