"""The game protocol over the referee's tables."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ipomdp.errors import InvalidInput
from ipomdp.game import Actions, BoolArray, FloatArray, IntArray, Outcomes
from ipomdp.kriegspiel.board import (
    CAPTURED,
    LETTERS,
    PLACEMENTS,
    SIDES,
    SIZE,
    SQUARES,
    Position,
    parse_position,
)
from ipomdp.kriegspiel.geometry import NEXT_TO
from ipomdp.kriegspiel.referee import (
    ACTIONS,
    CHECKMATE,
    ENDINGS,
    Moves,
    announcements,
    tables,
    tries,
)
from ipomdp.quoting import shown

FIGURE_1 = "1q1k/4/4/K1Q1 w"
"""The paper's position, from which games start."""


class Kriegspiel4x4:
    """4x4 Kriegspiel behind the game protocol; a state is an index into the referee's tables."""

    name = "4x4"
    size = SIZE
    players = SIDES
    actions = ACTIONS
    public = True

    def __init__(self) -> None:
        self._tables = tables()

    @property
    def start(self) -> int:
        """Figure 1 of the paper."""
        return parse_position(FIGURE_1).state

    def turn(self, state: int) -> int:
        """Return the side to move."""
        return int(state >= PLACEMENTS)

    def acts(self, state: int) -> tuple[bool, bool]:
        """Return who acts: the side to move."""
        return (state < PLACEMENTS, state >= PLACEMENTS)

    def legal(self, states: IntArray, player: int) -> BoolArray:  # noqa: ARG002
        """Return the legal moves of the side to move."""
        legal: BoolArray = self._tables.moves.legal[states]
        return legal

    def tries(self, states: IntArray, player: int) -> BoolArray:
        """Return the moves that the player's own pieces allow if no enemy stood in the way."""
        return tries(states, player)

    def imagined(self, states: IntArray, player: int) -> FloatArray:
        """Return the uniform distribution over the legal moves."""
        legal = self.legal(states, player)
        chance: FloatArray = legal / legal.sum(axis=1, keepdims=True)
        return chance

    def alone(self, heard: IntArray) -> IntArray:
        """Return the announcement: whoever hears it understands all of it."""
        return heard

    def play(self, states: IntArray, actions: Actions) -> Outcomes:
        """Return what the referee makes of legal moves; both players hear the same."""
        action = actions[0] if actions[0] is not None else actions[1]
        _, successor, announcement = self._tables.moves
        heard = announcement[states, action].astype(np.int64)
        case = np.arange(heard.size)
        return Outcomes(case, successor[states, action], (heard, heard), np.zeros(heard.size))

    def moves(self, states: IntArray) -> Moves:
        """Return what the 32 actions do in each state."""
        legal, successor, announcement = self._tables.moves
        return Moves(legal[states], successor[states], announcement[states])

    def over(self, states: IntArray) -> BoolArray:
        """Return where the game has ended: mate, stalemate or bare kings."""
        ended: BoolArray = self._tables.ending[states] > 0
        return ended

    def say(self, announcement: int) -> str:
        """Return the referee's words."""
        return "Illegal" if announcement < 0 else announcements()[announcement]

    def hears(self, words: str) -> int:
        """Return the number of an announcement."""
        return announcements().index(words)

    def winner(self, state: int) -> int | None:
        """Return who has mated."""
        mate = self._tables.ending[state] == CHECKMATE
        return 1 - self.turn(state) if mate else None

    def pieces(self, state: int, player: int) -> Mapping[str, str]:
        """Return where a player's king and queen stand."""
        placed = Position.of(state)
        king, queen = placed[player], placed[2 + player]
        found = {SQUARES[king]: LETTERS[player]}
        if queen != CAPTURED:
            found[SQUARES[queen]] = LETTERS[2 + player]
        return found

    def describe(self, state: int) -> str:
        """Return the position as ``1q1k/4/4/K1Q1 w``."""
        return str(Position.of(state))

    def read(self, text: str) -> int:
        """Return the state behind a written position; one that cannot be played is an error."""
        position = parse_position(text)
        state = position.state
        if NEXT_TO[position.white_king, position.black_king]:
            raise InvalidInput(
                f"{shown(text)} has the kings next to each other, which chess forbids"
            )
        if not self._tables.valid[state]:
            waiting = SIDES[1 - position.side]
            raise InvalidInput(
                f"{shown(text)} leaves {waiting}'s king to be captured: {waiting} is in check, "
                f"but it is {SIDES[position.side]}'s move"
            )
        if ending := ENDINGS[self._tables.ending[state]]:
            raise InvalidInput(
                f"{shown(text)} is a game already over ({ending}): nothing to decide"
            )
        return state
