"""What a side believed at each step of a recorded game, from what it had heard by then alone."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ipomdp.arena.match import crash_words
from ipomdp.fields import SIDES
from ipomdp.players.player import Thinker
from ipomdp.players.roster import make_player
from ipomdp.records.game_record import REAL_RULES
from ipomdp.seats.hearing import Listener
from ipomdp.seats.knowledge import Knowledge
from ipomdp.tokens.belief import from_belief
from ipomdp.tokens.message import last_message
from ipomdp.tokens.token import Token
from ipomdp.web.replay.story import Place, Story
from ipomdp.wild16.moves import QUEEN

BELIEVER = "ipomdp"
"""Who believes, at its usual level."""
SEED = 0
"""The same for every look at a game: so is what is believed."""
MOST_SQUARES = 5
"""Of a piece, the likeliest."""
NAMES = {"k": "king", "q": "queen"}
"""Pieces that are told of in words."""
OTHER_RULES = "the players know no games in which refusals are heard by both, or lose the turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """What a side makes of what it has heard."""

    from_message: Sequence[Token] = ()
    from_belief: Sequence[Token] = ()
    standing: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """How likely each piece of the other stands on each square."""
    queenless: float = 0.0
    """How likely the other has no queen."""
    problem: str = ""
    """Why there is no belief."""

    def likeliest(self, letter: str) -> list[tuple[str, float]]:
        """Return the likeliest squares of a piece, named by its small letter."""
        found = [(s, p) for (s, piece), p in self.standing.items() if piece.lower() == letter]
        return sorted(found, key=lambda item: (-item[1], item[0]))[:MOST_SQUARES]

    def of(self, pieces: Mapping[str, str]) -> list[float]:
        """Return how likely each of these pieces was held to stand where it does."""
        return [self.standing.get((square, piece), 0.0) for square, piece in pieces.items()]


class Hindsight:
    """A side's beliefs, step after step; however one comes to a step, its belief is the same."""

    def __init__(self, story: Story, side: int) -> None:
        self._story, self._side = story, side
        steps = story.steps(SIDES[side])
        self._all = story.hearings(side, steps[-1].place)
        self._found: list[Belief] = []
        self._lock = asyncio.Lock()
        self._thinker: Thinker | None = None
        self._listener: Listener | None = None
        self._problem = "" if story.played.rules == REAL_RULES else OTHER_RULES

    def there(self, place: Place) -> Belief | None:
        """Return what was believed, if it has been worked out."""
        count = len(self._story.hearings(self._side, place))
        return self._found[count] if count < len(self._found) else None

    async def at(self, place: Place) -> Belief:
        """Return what was believed; all that comes before is worked out first."""
        count = len(self._story.hearings(self._side, place))
        async with self._lock:
            while len(self._found) <= count:
                self._found.append(await asyncio.to_thread(self._next))
        return self._found[count]

    def _next(self) -> Belief:
        game, start = self._story.played.game, self._story.played.result.start
        known = Knowledge(game, self._side, start)
        for hearing in self._all[: len(self._found)]:
            known.add(hearing)
        message: Sequence[Token] = ()
        try:
            message = last_message(known)
            if known.over or self._problem:
                problem = self._problem or "the game is over"
                return Belief(from_message=message, problem=problem)
            return replace(self._believed(known), from_message=message)
        except Exception as error:  # noqa: BLE001 - the game can be shown without
            self._problem = crash_words(error)
            return Belief(from_message=message, problem=self._problem)

    def _believed(self, known: Knowledge) -> Belief:
        if self._listener is None or self._thinker is None:
            self._thinker = believer(known)
            rng = np.random.default_rng(SEED)
            self._listener = Listener(self._thinker, self._side, known.start, rng)
        self._listener.catch_up(known.hearings)
        boards, weights, exact = self._thinker.worlds()
        queens = boards[:, 6 * (1 - self._side) + QUEEN]
        return Belief(
            from_belief=from_belief(known, boards, weights, exact=exact),
            standing=dict(self._thinker.belief()),
            queenless=float(weights[queens == 0].sum()),
        )


def believer(known: Knowledge) -> Thinker:
    """Return who believes for a side."""
    player = make_player(BELIEVER, known.game)
    if not isinstance(player, Thinker):
        raise TypeError(f"{BELIEVER} cannot tell what it believes")
    return player


def in_words(belief: Belief, side: int) -> list[str]:
    """Return where a side believes the other's king and queen to be."""
    other = SIDES[1 - side].capitalize()
    if belief.problem:
        return [f"No belief here: {belief.problem}."]
    lines = []
    for letter, name in NAMES.items():
        squares = [f"{square} {percent(p)}" for square, p in belief.likeliest(letter)]
        if letter == "q" and belief.queenless > 0:
            squares.append(f"none {percent(belief.queenless)}")
        lines.append(f"{other}'s {name}: {', '.join(squares)}")
    return lines


def held_against(belief: Belief, pieces: Mapping[str, str], side: int) -> list[str]:
    """Return how a side's belief compares with where the other's pieces stand."""
    me, other = (SIDES[k].capitalize() for k in (side, 1 - side))
    if belief.problem:
        return [f"No belief of {me} here: {belief.problem}."]
    found = dict(zip(pieces, belief.of(pieces), strict=True))
    king = next(square for square, piece in pieces.items() if piece in "Kk")
    mean = sum(found.values()) / len(found)
    return [
        f"{me} gives {other}'s king on {king}, where it stands, {percent(found[king])}.",
        f"On average {me} gives {percent(mean)} to the squares of {other}'s pieces ({len(found)}).",
    ]


def percent(probability: float) -> str:
    """Return a probability for people; nothing but 0 and 1 looks like them."""
    if 0.0 < probability < 0.01:
        return "<1%"
    if 0.99 < probability < 1.0 - 1e-9:  # sums of weights end a little below one
        return ">99%"
    return f"{probability:.0%}"
