"""What a server sends at once: the lines up to a prompt, or those of a level-1 unit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ipomdp.ics import units
from ipomdp.ics.lines import Line, TooLong

LARGEST = 4 << 20
"""Bytes of lines that belong together; the longest list of a game is shorter."""
_OF_A_LINE = 64
"""Bytes that a line takes beside its characters."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together."""

    lines: tuple[str, ...]
    number: int | None = None
    """The number of the unit they came in, ``None`` if they came without."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The server waits for something to be typed."""

    text: str


class Blocks:
    """Puts lines together."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._number: int | None = None
        self._size = 0

    def feed(self, lines: Iterable[Line]) -> list[Block | Prompt]:
        """Return what is whole now; far too much without an end is an error."""
        found: list[Block | Prompt] = []
        for line in lines:
            if line.prompt:
                found += [*self._whole(), Prompt(line.text)]
            elif unit := units.decode(line.text):  # all on one line
                found += [*self._whole(), Block(tuple(unit.message.split("\n")), unit.number)]
            elif begun := units.header(line.text):
                found += self._whole()
                self._number = begun.number
                self._add(begun.message)
            elif line.text.endswith(units.END):
                self._add(line.text.removesuffix(units.END))
                found += self._whole()
            else:
                self._add(line.text)
        return found

    def _add(self, text: str) -> None:
        if not text.strip():
            return
        self._size += len(text) + _OF_A_LINE
        if self._size > LARGEST:
            raise TooLong(f"more than {LARGEST} bytes without an end")
        self._lines.append(text.strip())

    def _whole(self) -> list[Block]:
        lines, number = tuple(self._lines), self._number
        self._lines, self._number, self._size = [], None, 0
        return [Block(lines, number)] if lines else []
