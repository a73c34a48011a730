"""A board in the terminal: pieces, and how likely something stands on a square."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from rich.console import Console
from rich.text import Text

GLYPHS = dict(zip("KQRBNPkqrbnp", "♔♕♖♗♘♙♚♛♜♝♞♟", strict=True))
BLOCKS, MARKS = "░▒▓█", ".:*#"
"""Shades from unlikely to likely: where the encoding has them, and where it has not."""
SQUARES = ("#5f7186", "#8497ab")
"""Dark and light squares: both white and black letters stand out on them."""
COLD, HOT = (48, 52, 60), (200, 40, 30)
"""A square where nothing is believed to stand, and one where something surely does."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a terminal can show."""

    colour: bool = False
    unicode: bool = False


PLAIN = Look()


def look_of(console: Console) -> Look:
    """Return what a console can show; a file or a pipe gets letters."""
    unicode = console.is_terminal and console.encoding.startswith("utf")
    return Look(colour=console.color_system is not None and not console.no_color, unicode=unicode)


def board_lines(
    size: int,
    pieces: Mapping[str, str],
    shading: Mapping[str, float] | None = None,
    viewpoint: int = 0,
    *,
    look: Look = PLAIN,
) -> list[Text]:
    """Return a board's lines, seen from White's side or (viewpoint 1) from Black's.

    ``pieces`` is ``{"a1": "K"}``, capitals for White's. ``shading`` holds the probability that
    something stands on a square: squares without a piece then show it in percent.
    """
    files, ranks = list(range(size)), list(reversed(range(size)))
    if viewpoint == 1:
        files, ranks = files[::-1], ranks[::-1]
    lines = []
    for rank in ranks:
        line = Text(f"{rank + 1} ")
        for file in files:
            square = f"{chr(ord('a') + file)}{rank + 1}"
            letter, light = pieces.get(square), (file + rank) % 2 == 1
            if shading is None:
                line.append_text(_cell(letter, light=light, look=look))
            else:
                line.append_text(_shaded(letter, shading.get(square, 0.0), look=look))
        lines.append(line)
    cell = " {} " if shading is None else "  {} "
    lines.append(Text("  " + "".join(cell.format(chr(ord("a") + file)) for file in files)))
    return lines


def titled(title: str, lines: Sequence[Text]) -> list[Text]:
    """Return a board under its title, all lines equally wide."""
    width = max(line.cell_len for line in lines)
    made = [Text(title, style="bold"), *(line.copy() for line in lines)]
    for line in made:
        line.pad_right(max(0, width - line.cell_len))
    return made


def beside(*boards: Sequence[Text], gap: int = 3) -> list[Text]:
    """Return boards side by side; those before the last are as wide in every line."""
    rows = zip_longest(*boards, fillvalue=Text(""))
    return [Text(" " * gap).join(row) for row in rows]


def _cell(letter: str | None, *, light: bool, look: Look) -> Text:
    """Return a square, three characters wide."""
    if letter is None:
        empty = "   " if look.colour else " . "
        return Text(empty, style=f"on {SQUARES[light]}" if look.colour else "")
    if not look.colour:
        return Text(f" {GLYPHS[letter] if look.unicode else letter} ")
    drawn = GLYPHS[letter.lower()] if look.unicode else letter
    ink = "#ffffff" if letter.isupper() else "#000000"
    return Text(f" {drawn} ", style=f"bold {ink} on {SQUARES[light]}")


def _shaded(letter: str | None, probability: float, *, look: Look) -> Text:
    """Return a square, four characters wide, with how likely something stands on it."""
    if letter is not None:
        drawn = GLYPHS[letter] if look.unicode and not look.colour else letter
        return Text(f"  {drawn} ", style=f"bold #ffffff on {_heat(0.0)}" if look.colour else "")
    shades = BLOCKS if look.unicode else MARKS
    shade = " " if look.colour else shades[min(int(probability * len(shades)), len(shades) - 1)]
    words = f"{round(100 * probability) or '<1':>3}{shade}"
    if not look.colour:
        return Text(words if probability > 0 else "  . ")
    if probability <= 0:
        words = "    "
    return Text(words, style=f"#ffffff on {_heat(probability)}")


def _heat(probability: float) -> str:
    """Return the colour of a square; by the square root, for small chances are to be seen too."""
    heat = min(probability, 1.0) ** 0.5
    red, green, blue = (
        round(cold + heat * (hot - cold)) for cold, hot in zip(COLD, HOT, strict=True)
    )
    return f"#{red:02x}{green:02x}{blue:02x}"
