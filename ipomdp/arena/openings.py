"""Where the games of an arena start."""

from __future__ import annotations

from ipomdp.game import BoardGame


def opening(game: BoardGame, draw: int) -> int:
    """Return the state in which a game starts, by a number drawn for it.

    Bigger boards have one first position. On 4x4 players that leave little to chance would play the
    same game from it again and again, so there a quiet position is drawn: see ``study.starts``.
    """
    if game.name != "4x4":
        return game.start
    from ipomdp.study.starts import quiet_starts

    states = quiet_starts()
    return int(states[draw % states.size])
