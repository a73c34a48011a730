"""How a game ended: what the record says of it, held against the position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ipomdp.arena.match import GameResult, ending
from ipomdp.errors import InvalidInput
from ipomdp.game import BoardGame
from ipomdp.quoting import shown
from ipomdp.records.game_record import (
    BY_THE_RULES,
    DRAWN,
    GIVEN_UP,
    OPEN,
    OUTCOMES,
    UNFINISHED,
)
from ipomdp.turn import Turn


def result_so_far(game: BoardGame, start: int, turns: tuple[Turn, ...]) -> GameResult:
    """Return turns as a game: over if the position says so, else unfinished."""
    final = start
    if turns:
        last = turns[-1]
        act = np.array([last.action])
        actions = (act, None) if last.player == 0 else (None, act)
        final = int(game.play(np.array([last.state]), actions).successor[0])
    winner, reason = said_ending(game, final, turns, {})
    return GameResult(start=start, turns=turns, final=final, winner=winner, reason=reason)


def said_ending(
    game: BoardGame, final: int, turns: tuple[Turn, ...], values: Mapping[str, Any]
) -> tuple[int | None, str]:
    """Return who has won and why; a result or reason that cannot be is an error."""
    reason = _reason(game, final, turns, values)
    expected = _outcomes(game, final, reason)
    result = values.get("result", expected[0] if len(expected) == 1 else None)
    if result not in expected:
        words = " or ".join(map(shown, expected))
        given = "missing; " if result is None else ""
        but = "" if result is None else f", not {shown(result)}"
        raise InvalidInput(f"result: {given}expected {words}, the reason being {reason}{but}")
    return (OUTCOMES.index(result) if result in OUTCOMES[:2] else None), reason


def _reason(game: BoardGame, final: int, turns: tuple[Turn, ...], values: Mapping[str, Any]) -> str:
    """Return why the game ended."""
    where = game.describe(final)
    if game.over(np.array([final]))[0]:
        told = ending(game, final, turns[-1].heard)
        reason: str = values.get("reason", told)
        if reason not in (told, *GIVEN_UP):  # a player may fail on hearing that it has lost
            raise InvalidInput(f"reason: expected {shown(told)} in {where}, not {shown(reason)}")
        return reason
    reason = values.get("reason", UNFINISHED if values.get("result", OPEN) == OPEN else "")
    if not reason or reason in BY_THE_RULES:
        words = " or ".join(map(shown, (*GIVEN_UP, "agreed", "length", UNFINISHED)))
        but = f"not {shown(reason)}: the game is not over in {where}" if reason else "but missing"
        raise InvalidInput(f"reason: expected {words}, {but}")
    return reason


def _outcomes(game: BoardGame, final: int, reason: str) -> tuple[str, ...]:
    """Return the results that a reason leaves open."""
    if reason in GIVEN_UP:
        return OUTCOMES[:2]
    if reason == UNFINISHED:
        return (OPEN,)
    winner = game.winner(final) if reason in BY_THE_RULES else None
    return (DRAWN if winner is None else OUTCOMES[winner],)
