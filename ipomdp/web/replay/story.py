"""A recorded game as steps, from three points of view, as plain data.

A step is a move that was made or a try that was refused. A side's steps are built from what that
side did and heard alone: games that sounded the same to it have the same steps.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ipomdp.arena.notation import taken_apart
from ipomdp.fields import SIDES
from ipomdp.records import GameRecord
from ipomdp.seats.hearing import Hearing, heard_by
from ipomdp.seats.knowledge import Knowledge

HIDDEN = "?"
"""A move that the viewer does not know."""
REFEREE = "referee"
VIEWS = (*SIDES, REFEREE)
"""Who looks at a game."""

Place = tuple[int, int]
"""How many moves were made, and how many tries known to the viewer were refused since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that happened, as a viewer knows it."""

    place: Place
    by: int | None
    """Who did it; ``None`` before anything is done."""
    name: str = ""
    """The try, or ``?``."""
    heard: str | None = None
    """What the referee said of the move; ``None`` where it refused the try."""

    def words(self, number: str) -> str:
        """Return it as a sentence or two; ``number`` is the move's."""
        if self.by is None:
            return "The start, which both know."
        who = SIDES[self.by].capitalize()
        if self.heard is None:
            what = "a try of" if self.name == HIDDEN else f"{self.name} by"
            return f"{number} The referee refuses {what} {who}."
        if self.name == HIDDEN:
            return f"{number} {who} has moved. {self.heard}."
        return f"{number} {who} plays {self.name}. {self.heard}."


class Story:
    """A game of which everything is known, told to whoever looks at it."""

    def __init__(self, played: GameRecord) -> None:
        self.played = played
        self._states = [*(turn.state for turn in played.result.turns), played.result.final]

    @cached_property
    def _steps(self) -> Mapping[str, tuple[Step, ...]]:
        return {
            **{side: self._told(k) for k, side in enumerate(SIDES)},
            REFEREE: self._told(None),
        }

    def steps(self, view: str) -> tuple[Step, ...]:
        """Return the game as a viewer knows it; the first step is the start."""
        return self._steps[view]

    def number(self, place: Place) -> str:
        """Return the number of the move that a step belongs to: ``3.`` or ``3...``."""
        made, tried = place
        k = self._black_first + (made if tried else max(made - 1, 0))
        return f"{k // 2 + 1}.{'..' * (k % 2)}"

    def nearest(self, view: str, place: Place) -> int:
        """Return the last step of a view that is not after a place."""
        steps = self.steps(view)
        return max(k for k, step in enumerate(steps) if k == 0 or step.place <= place)

    def mover(self, place: Place) -> int:
        """Return whose turn it is; after the end, whose it would be."""
        return self.played.game.turn(self._states[place[0]])

    def pieces(self, place: Place, side: int) -> Mapping[str, str]:
        """Return where a side's pieces truly stand."""
        return self.played.game.pieces(self._states[place[0]], side)

    def hearings(self, side: int, place: Place) -> tuple[Hearing, ...]:
        """Return all that a side did and heard up to a place."""
        made, tried = place
        result = self.played.result
        turns, rest = result.turns[:made], result.turns[made:]
        waiting = rest[0].refused if rest else result.refused
        own = waiting[:tried] if self.mover(place) == side else ()
        return heard_by(side, turns, own)

    def knowledge(self, side: int, place: Place) -> Knowledge:
        """Return what a side knows at a place."""
        known = Knowledge(self.played.game, side, self.played.result.start)
        for hearing in self.hearings(side, place):
            known.add(hearing)
        return known

    def marks(self, place: Place) -> dict[str, str]:
        """Return squares to mark for who sees everything: the last move, a capture, a check."""
        made, tried = place
        game, turns = self.played.game, self.played.result.turns
        if tried:
            step = next(s for s in self.steps(REFEREE) if s.place == place)
            return {step.name[2:4] if step.name[0].islower() else step.name[1:3]: "refused"}
        if not made:
            return {}
        turn = turns[made - 1]
        move = taken_apart(game.actions[turn.action], game.pieces(turn.state, turn.player))
        said = game.say(turn.heard)
        marks = {move.origin: "last", move.target: "last"}
        if "apture" in said.partition(",")[0]:
            marks[said.partition(",")[0][-2:]] = "capture"
        if "Check by" in said:
            other = self.pieces(place, 1 - turn.player)
            marks |= {square: "check" for square, piece in other.items() if piece in "Kk"}
        return marks

    @property
    def _black_first(self) -> int:
        return self.played.game.turn(self.played.result.start)

    def _told(self, viewer: int | None) -> tuple[Step, ...]:
        game, result = self.played.game, self.played.result
        steps = [Step(place=(0, 0), by=None)]

        def refusals(made: int, mover: int, refused: tuple[int, ...]) -> None:
            mine = viewer in (None, mover)
            if mine or self.played.rules.audible:
                steps.extend(
                    Step(place=(made, k), by=mover, name=game.actions[a] if mine else HIDDEN)
                    for k, a in enumerate(refused, start=1)
                )

        for made, turn in enumerate(result.turns):
            refusals(made, turn.player, turn.refused)
            name = game.actions[turn.action] if viewer in (None, turn.player) else HIDDEN
            heard = game.say(turn.heard)
            steps.append(Step(place=(made + 1, 0), by=turn.player, name=name, heard=heard))
        refusals(len(result.turns), game.turn(result.final), result.refused)
        return tuple(steps)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A turn in the list of moves, with the steps it consists of."""

    number: str
    by: str
    tries: tuple[tuple[str, int], ...]
    """The refused ones, each with its step."""
    move: str
    step: int | None
    """``None`` where the turn was never finished."""
    heard: str


def rows(story: Story, view: str) -> list[Row]:
    """Return the list of moves as a viewer knows it."""
    found: list[Row] = []
    tries: list[tuple[str, int]] = []
    last = (0, 0)
    for k, step in enumerate(story.steps(view)):
        if step.by is None:
            continue
        last = step.place
        if step.heard is None:
            tries.append((step.name, k))
            continue
        found.append(
            Row(
                number=story.number(step.place), by=SIDES[step.by], tries=tuple(tries),
                move=step.name, step=k, heard=step.heard,
            )
        )  # fmt: skip
        tries = []
    if tries:
        by = SIDES[story.mover(last)]
        found.append(
            Row(number=story.number(last), by=by, tries=tuple(tries), move="", step=None, heard="")
        )
    return found
