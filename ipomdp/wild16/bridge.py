"""From the actions and announcements of a board game to those of the kernels, and back."""

from __future__ import annotations

import numpy as np

from ipomdp.errors import InvalidInput
from ipomdp.game import BoardGame, IntArray
from ipomdp.kriegspiel import Kriegspiel4x4
from ipomdp.kriegspiel.board import CAPTURED, PLACEMENTS, SIZE, squares
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.game import Wild16
from ipomdp.wild16.moves import KING, QUEEN, STATUS, WIDTH
from ipomdp.wild16.words import board_of, hears, say, square_name, square_of


class Bridge:
    """What a player that thinks in boards needs to know of the game that it plays.

    Wild 16 speaks of boards itself; the 4x4 game of a king and a queen each is looked up.
    """

    def __init__(self, game: BoardGame) -> None:
        self._game = game
        if isinstance(game, Wild16):
            self.k = game.k
        elif isinstance(game, Kriegspiel4x4):
            self.k = 0
        else:
            raise InvalidInput(f"no board behind the game {game.name}")

    def board(self, state: int) -> Bits:
        """Return the board behind a state."""
        if isinstance(self._game, Wild16):
            found: Bits = self._game.boards(np.array([state]))[0]
            return found
        return board_of(self._game.describe(state), self.k)

    def boards(self, states: IntArray) -> Bits:
        """Return the boards behind states."""
        if isinstance(self._game, Wild16):
            return self._game.boards(states)
        found: Bits = np.zeros((states.size, WIDTH), np.uint64)
        found[:, STATUS] = states >= PLACEMENTS
        for column, on in zip((KING, 6 + KING, QUEEN, 6 + QUEEN), squares(states), strict=True):
            corner = (8 * (on // SIZE) + on % SIZE).astype(np.uint64)
            found[:, column] = np.where(on == CAPTURED, np.uint64(0), np.uint64(1) << corner)
        return found

    def move(self, action: int, own: Bits, side: int) -> int:
        """Return the move behind an action of a side whose own men stand so."""
        if isinstance(self._game, Wild16):
            return int(self._game.moves[action])
        name = self._game.actions[action]
        kind = KING if name[0] == "K" else QUEEN
        origin = int(own[6 * side + kind]).bit_length() - 1
        return origin | square_of(name[1:]) << 6

    def action(self, move: int, own: Bits, side: int) -> int:
        """Return the action behind a move."""
        if isinstance(self._game, Wild16):
            return int(self._game.action_of[move])
        origin = int(own[6 * side + KING]).bit_length() - 1
        letter = "K" if move & 63 == origin else "Q"
        return self._game.actions.index(letter + square_name((move >> 6) & 63))

    def said(self, heard: int) -> int:
        """Return an announcement as the kernels write it."""
        if isinstance(self._game, Wild16):
            return heard
        return hears(self._game.say(heard).replace("Capture in", "Piece captured in"))

    def heard(self, said: int) -> int:
        """Return an announcement of the kernels as the game writes it; the inverse of ``said``."""
        if isinstance(self._game, Wild16):
            return said
        return self._game.hears(say(said).replace("Piece captured in", "Capture in"))
