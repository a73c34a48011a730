"""How likely a player's recorded tries are, if it thinks in some way.

At each decision the player knows its own moves and what it heard. Its next try then has the
probability of the quantal response of its model there; where a refusal ends the line, a move was
made, so the response is over the actions legal in the true state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ipomdp.engine.effort import check
from ipomdp.engine.history import Event, Situation, situation
from ipomdp.engine.model import Frame
from ipomdp.engine.problem import common_prior
from ipomdp.engine.quantal import log_quantal_response
from ipomdp.engine.solve import Solver
from ipomdp.engine.step import Rules
from ipomdp.game import BoolArray, FloatArray, Game, IntArray
from ipomdp.turn import Turn


@dataclass(frozen=True, slots=True)
class Play:
    """A game of which everything is known, from a start that both players know."""

    start: int
    rules: Rules
    turns: tuple[Turn, ...]

    def first(self, turns: int | None) -> Play:
        """Return the game as far as its first turns; all of it for ``None``."""
        return Play(self.start, self.rules, self.turns[:turns])

    def seen(self, player: int) -> Iterator[tuple[Turn, Event]]:
        """Return the turns, each with what a player knows of it."""
        for turn in self.turns:
            heard = len(turn.refused) if self.rules.audible else 0
            if turn.player == player:
                yield turn, Event(heard=turn.heard, action=turn.action, refused=turn.refused)
            else:
                yield turn, Event(heard=turn.heard, refusals=heard)


class Try(NamedTuple):
    """An action tried where some were refused before; a state where that bounds what it can be."""

    refused: tuple[int, ...]
    action: int
    state: int | None


@dataclass(slots=True)
class Known:
    """Something the player knew, what it tried there and what it knew next."""

    tries: dict[Try, int] = field(default_factory=dict)
    """How often each try was made."""
    onward: dict[Event, Known] = field(default_factory=dict)


class Weighed(NamedTuple):
    """The utilities behind n tries, and which actions were open to them: (n, actions)."""

    utilities: FloatArray
    open: BoolArray


class Decisions:
    """All tries of one player in some games; what it knew alike is looked at once."""

    def __init__(self, game: Game, plays: Iterable[Play], player: int) -> None:
        self.game = game
        self.player = player
        self.turns = 0
        """How many moves the player made."""
        self._starts: dict[tuple[int, Rules], Known] = {}
        for play in plays:
            self._add(play)
        tries = [t for k in self._starts.values() for known in _all(k) for t in known.tries.items()]
        self.action: IntArray = np.array([t.action for t, _ in tries], dtype=np.int64)
        """What was tried, each different try once."""
        self.count: IntArray = np.array([count for _, count in tries], dtype=np.int64)
        """How often each of them was made."""

    def _add(self, play: Play) -> None:
        known = self._starts.setdefault((play.start, play.rules), Known())
        mine = sum(turn.player == self.player for turn in play.turns)
        self.turns += mine
        for turn, event in play.seen(self.player):
            if not mine:
                return
            if turn.player == self.player:
                mine -= 1
                for k, action in enumerate((*turn.refused, turn.action)):
                    state = None if play.rules.retry else turn.state
                    tried = Try(turn.refused[:k], action, state)
                    known.tries[tried] = known.tries.get(tried, 0) + 1
            if mine:
                known = known.onward.setdefault(event, Known())

    def weighed(self, frame: Frame) -> Weighed:
        """Return what a player of a frame makes of its actions, try by try."""
        found: list[tuple[FloatArray, BoolArray]] = []
        for (start, rules), known in self._starts.items():
            place = situation(known_start(self.game, start, rules), self.player, frame)
            for here, tries in _visited(place, known):
                for tried in tries:
                    utilities, allowed = weighed_at(here, tried.refused)
                    if tried.state is not None:
                        legal = self.game.legal(np.array([tried.state]), self.player)
                        allowed = allowed & legal[0]
                    found.append((utilities, allowed))
        return Weighed(np.array([u for u, _ in found]), np.array([a for _, a in found]))

    def log_probabilities(self, weighed: Weighed, rationality: float) -> FloatArray:
        """Return how likely each try is."""
        response = log_quantal_response(weighed.utilities, rationality, weighed.open)
        chosen: FloatArray = response[np.arange(self.action.size), self.action]
        return chosen

    def explained(self, weighed: Weighed) -> BoolArray:
        """Return which tries are open at all: one known to be illegal is nobody's response."""
        possible: BoolArray = weighed.open[np.arange(self.action.size), self.action]
        return possible


def known_start(game: Game, start: int, rules: Rules) -> Solver:
    """Return a solver for a game whose start both players know."""
    one = np.zeros(1, dtype=np.int64)
    return Solver(game, common_prior(np.array([start]), np.ones(1), (one, one)), rules)


def weighed_at(place: Situation, refused: tuple[int, ...]) -> tuple[FloatArray, BoolArray]:
    """Return the worth of the player's actions after refusals, and which of them it weighs."""
    solver, player, frame, step = place.solver, place.player, place.frame, place.step
    choice = solver.choice(player, frame, step)
    turn = int(choice.turns.root[0])
    for action in refused:
        after = int(choice.turns.child[turn, action])
        if after >= 0:
            turn = after
        elif solver.rules.audible:  # it teaches nothing, but it was heard
            place = place.refusing(refused)
            solver, turn = place.solver, place.turn
            choice = solver.choice(player, frame, step)
            break
    check(place)
    worth = solver.values(player, frame, step, frame.planned(step))
    return worth[turn], choice.allowed[turn]


def _all(known: Known) -> Iterator[Known]:
    """Return something known and all that was known later."""
    waiting = [known]
    while waiting:
        here = waiting.pop()
        yield here
        waiting.extend(here.onward.values())


def _visited(place: Situation, known: Known) -> Iterator[tuple[Situation, Iterable[Try]]]:
    """Return the same in the same order, as situations with the tries made there."""
    waiting: list[tuple[Situation, Event | None, Known]] = [(place, None, known)]
    while waiting:
        before, event, here = waiting.pop()
        now = before if event is None else before.after(event)
        yield now, here.tries
        waiting.extend((now, event, after) for event, after in here.onward.items())
