"""Thoughts: sentences with what stands behind them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ipomdp.report import TIE
from ipomdp.show.tables import chance

MOST = 3
"""How many moves, positions or announcements are told before the rest is counted."""


@dataclass(frozen=True, slots=True)
class Thought:
    """A sentence and what stands behind it."""

    text: str
    inside: tuple[Thought, ...] = ()

    def lines(self, depth: int = 0) -> Iterator[str]:
        """Return the sentences, each indented by how deep it lies."""
        yield "  " * depth + self.text
        for thought in self.inside:
            yield from thought.lines(depth + 1)


def some(ranked: Sequence[tuple[str, float]]) -> str:
    """Return the first few with their probabilities, and a count of the rest."""
    few = MOST
    while few < len(ranked) and few > 0 and ranked[few - 1][1] - ranked[few][1] <= TIE:
        few -= 1  # what ties with the rest stands out in nothing
    few = few or MOST
    told = ", ".join(f"{name} {chance(share, 2)}" for name, share in ranked[:few])
    rest = ranked[few:]
    if not rest:
        return told
    others = "1 other" if len(rest) == 1 else f"{len(rest)} others"
    return f"{told}, {others} {chance(sum(share for _, share in rest), 2)}"
