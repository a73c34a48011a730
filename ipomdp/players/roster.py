"""Players by the names that users type: ``random``, ``hs:boards=200``, ``ipomdp:level=2``."""

from __future__ import annotations

from ipomdp.errors import InvalidInput
from ipomdp.game import BoardGame
from ipomdp.players.player import Player
from ipomdp.quoting import shown

BOARDS = ("4x4", "8x8")


def board_game(name: str) -> BoardGame:
    """Return the game on a board that users name."""
    if name == "4x4":
        from ipomdp.kriegspiel import Kriegspiel4x4

        return Kriegspiel4x4()
    raise InvalidInput(f"expected {' or '.join(BOARDS)}, not {shown(name)}")


def make_player(spec: str, game: BoardGame) -> Player:
    """Return a player by its name, with settings behind a colon, for a game."""
    if spec == "random":
        from ipomdp.players.chance import RandomPlayer

        return RandomPlayer(game)
    raise InvalidInput(f"unknown player {shown(spec)}; expected random")
