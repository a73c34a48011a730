"""A player's information: one node for everything it can have done and heard."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeVar

from tests.oracle.frame import Frame
from tests.oracle.rules import Position

Key = TypeVar("Key")


class Heard(NamedTuple):
    """The other has moved: what was announced, and how many refusals were heard before it."""

    announcement: str
    refusals: int


class Acted(NamedTuple):
    """The player has moved: its move, what was announced, what the turn left possible."""

    move: int
    announcement: str
    refusals: int
    survivors: int
    """Bits of the positions in which no refused try, but the move, is legal and so announced."""


class Turn(NamedTuple):
    """How far a mover is in its turn: the positions its refusals leave, and their audible number.

    The set of refused tries matters to belief only through the positions that survive it.
    """

    survivors: int
    refusals: int = 0


class Element(NamedTuple):
    """One possibility at a node: a position, the other's frame, and its node one level down."""

    place: int
    """Index of the position among the node's possible ones."""
    position: Position
    which: int
    """Index of the other's frame among those its player holds possible."""
    other: Node | None
    log_weight: float


class Made(NamedTuple):
    """One way a hidden move can have been made."""

    move: int
    announcement: str
    position: Position
    """The position after the move."""
    turn: Turn
    """What the mover had learnt from refusals when it made the move."""
    log_probability: float


@dataclass(eq=False)
class Node:
    """What ``player``, thinking as ``frame`` does, has seen, done and heard since the start."""

    player: int
    frame: Frame
    possible: tuple[Position, ...]
    """Every position the rules allow given what was done and heard, however unlikely."""
    parent: Node | None = None
    event: Heard | Acted | None = None
    start: tuple[Element, ...] = ()
    """At the root only: the belief there."""
    _children: dict[Heard | Acted, Node] = field(default_factory=dict)
    elements: tuple[Element, ...] | None = None
    surprised: bool = False
    given: dict[int, tuple[tuple[Element, float], ...]] = field(default_factory=dict)
    values: dict[tuple[Turn, int], dict[int, float]] = field(default_factory=dict)
    responses: dict[Turn, dict[int, float]] = field(default_factory=dict)
    made: dict[Position, tuple[Made, ...]] = field(default_factory=dict)
    worth: dict[Position, float] = field(default_factory=dict)
    prospects: dict[int, float] = field(default_factory=dict)

    @property
    def everything(self) -> int:
        """All possible positions, as bits."""
        return (1 << len(self.possible)) - 1

    @cached_property
    def place(self) -> dict[Position, int]:
        """Where each possible position is kept."""
        return {position: n for n, position in enumerate(self.possible)}

    @cached_property
    def legal(self) -> dict[int, int]:
        """For each action, the bits of the possible positions in which it is legal."""
        return _bits((move, n) for n, at in enumerate(self.possible) for move in at.moves)

    @cached_property
    def announced(self) -> dict[tuple[int, str], int]:
        """For each action and announcement, the bits of the positions that yield it."""
        return _bits(
            ((move, outcome.announcement), n)
            for n, at in enumerate(self.possible)
            for move, outcome in at.moves.items()
        )

    def heard(self, announcement: str, refusals: int = 0) -> Node:
        """The node after the other has moved."""
        event = Heard(announcement, refusals)
        if event not in self._children:
            reached = (
                outcome.position
                for at in self.possible
                for outcome in at.moves.values()
                if outcome.announcement == announcement
            )
            self._grow(event, reached)
        return self._children[event]

    def acted(self, move: int, announcement: str, turn: Turn) -> Node:
        """The node after the player's own move."""
        survivors = turn.survivors & self.announced.get((move, announcement), 0)
        event = Acted(move, announcement, turn.refusals, survivors)
        if event not in self._children:
            reached = (
                at.moves[move].position for n, at in enumerate(self.possible) if survivors >> n & 1
            )
            self._grow(event, reached)
        return self._children[event]

    def _grow(self, event: Heard | Acted, reached: Iterable[Position]) -> None:
        """Add the child that follows ``event``."""
        possible = tuple(dict.fromkeys(reached))
        self._children[event] = Node(self.player, self.frame, possible, self, event)


def _bits(pairs: Iterable[tuple[Key, int]]) -> dict[Key, int]:
    """Collect places as bits, by key."""
    found: dict[Key, int] = {}
    for key, place in pairs:
        found[key] = found.get(key, 0) | 1 << place
    return found
