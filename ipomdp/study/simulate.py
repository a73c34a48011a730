"""Games between two ways of thinking, drawn by their policies."""

from __future__ import annotations

import numpy as np

from ipomdp.engine.effort import check
from ipomdp.engine.history import Event, Situation, situation
from ipomdp.engine.model import Frame
from ipomdp.engine.quantal import quantal_response
from ipomdp.engine.step import Rules
from ipomdp.game import Game
from ipomdp.study.likelihood import Play, known_start, weighed_at
from ipomdp.turn import Turn

REMEMBERED = 2
"""Situations this many steps from the start are kept for the next game."""


class Simulator:
    """Plays games from a start that both players know."""

    def __init__(self, game: Game, start: int, rules: Rules, frames: tuple[Frame, Frame]) -> None:
        self.game = game
        self.start = start
        self.rules = rules
        self.frames = frames
        self._places: dict[tuple[int, tuple[Event, ...]], Situation] = {}
        for player, frame in enumerate(frames):
            solver = known_start(game, start, rules)
            self._places[player, ()] = situation(solver, player, frame)

    def play(self, plies: int, rng: np.random.Generator) -> Play:
        """Return a game of at most so many moves."""
        state = self.start
        made: list[Turn] = []
        histories: tuple[list[Event], list[Event]] = ([], [])
        places = [self._places[player, ()] for player in (0, 1)]
        while True:
            mover = int(self.game.acts(state)[1])
            turn, state = self._turn(places[mover], state, rng)
            made.append(turn)
            if len(made) == plies or self.game.over(np.array([state]))[0]:
                return Play(self.start, self.rules, tuple(made))
            last = Play(self.start, self.rules, (turn,))
            for player in (0, 1):
                ((_, event),) = last.seen(player)
                histories[player].append(event)
                places[player] = self._onward(places[player], tuple(histories[player]))

    def _turn(self, place: Situation, state: int, rng: np.random.Generator) -> tuple[Turn, int]:
        """Return a player's turn, and the state after it."""
        player, frame = place.player, place.frame
        legal = self.game.legal(np.array([state]), player)[0]
        refused: tuple[int, ...] = ()
        while True:
            check(place)
            utilities, allowed = weighed_at(place, refused)
            if not self.rules.retry:  # a move is made, so it is a legal one
                allowed = allowed & legal
            chances = quantal_response(utilities, frame.rationality, allowed)
            action = int(rng.choice(chances.size, p=chances))
            if legal[action]:
                break
            refused = (*refused, action)
        act = np.array([action])
        out = self.game.play(np.array([state]), (act, None) if player == 0 else (None, act))
        which = int(rng.choice(out.case.size, p=np.exp(out.log_probability)))
        turn = Turn(player, state, action, int(out.heard[player][which]), refused)
        return turn, int(out.successor[which])

    def _onward(self, place: Situation, history: tuple[Event, ...]) -> Situation:
        key = (place.player, history)
        if key in self._places:
            return self._places[key]
        check(place)
        after = place.after(history[-1])
        if len(history) <= REMEMBERED:
            self._places[key] = after
        return after
