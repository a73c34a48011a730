"""One game between two players, run by the referee."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ipomdp.arena.clock import Clock, TooSlow
from ipomdp.game import BoardGame
from ipomdp.players.player import Player
from ipomdp.quoting import printable
from ipomdp.turn import Turn

__all__ = ["GameResult", "Resigned", "TooSlow", "Turn", "crash_words", "ending", "play_game"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """A game that has ended, or the part of one that was played."""

    start: int
    turns: tuple[Turn, ...]
    final: int
    """The state at the end."""
    winner: int | None
    """``None`` for a draw, or where the game is not over."""
    reason: str
    """``checkmate``, ``stalemate``, ``draw``, ``length``, ``agreed``, ``resigned``, ``crash`` or
    ``time``; of a game that is not over, as a saved one is, ``unfinished``."""
    detail: str = ""
    """What went wrong with a player that crashed or was too slow."""
    refused: tuple[int, ...] = ()
    """The tries refused in a turn that was never finished."""
    seconds: tuple[float, float] = field(default=(0.0, 0.0), compare=False)
    """What each player used, all calls but ``begin`` together; the same game whatever it is."""


class Resigned(Exception):
    """Raised by a player's ``propose``: it gives up."""


def play_game(
    game: BoardGame,
    players: tuple[Player, Player],
    rng: np.random.Generator,
    *,
    start: int | None = None,
    seconds: float | None = None,
    longest: int = 400,
    watch: Callable[[Turn], object] = lambda _: None,
    clock: Clock | None = None,
) -> GameResult:
    """Play a game of at most ``longest`` half-moves; a player that fails loses it.

    ``watch`` is called after every turn. A ``clock`` is for those who look at it from outside; it
    stands in the place of ``seconds``.
    """
    clock = Clock(seconds) if clock is None else clock
    state = first = game.start if start is None else start
    turns: list[Turn] = []
    refused: list[int] = []

    def result(winner: int | None, reason: str, detail: str = "") -> GameResult:
        return GameResult(
            start=first, turns=tuple(turns), final=state, winner=winner, reason=reason,
            detail=detail, refused=tuple(refused), seconds=(clock.used[0], clock.used[1]),
        )  # fmt: skip

    acting = 0
    try:
        for acting, player in enumerate(players):
            with clock.begins(acting):
                player.begin(acting, first, rng)
        while len(turns) < longest:
            acting = game.turn(state)
            turn, after = _turn(game, players[acting], state, refused, clock)
            turns.append(turn)
            refused.clear()  # this turn is finished, whatever happens next
            state = after
            watch(turn)
            for acting, player in enumerate(players):
                with clock.runs(acting):
                    if acting == turn.player:
                        player.moved(turn.action, turn.heard)
                    else:
                        player.heard(turn.heard)
            if game.over(np.array([state]))[0]:
                return result(game.winner(state), ending(game, state, turn.heard))
        return result(None, "length")
    except Resigned:
        return result(1 - acting, "resigned")
    except TooSlow as error:
        return result(1 - acting, "time", str(error))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a player does, the game has a result
        return result(1 - acting, "crash", crash_words(error))


def _turn(
    game: BoardGame, player: Player, state: int, refused: list[int], clock: Clock
) -> tuple[Turn, int]:
    """Return a player's turn and the state after it; ``refused`` is filled on the way."""
    mover, here = game.turn(state), np.array([state])
    legal = game.legal(here, mover)[0]
    tries = np.flatnonzero(game.tries(here, mover)[0])
    before = clock.used[mover]
    while True:
        with clock.runs(mover):
            action = player.propose(tries, clock.seconds)
        if action not in tries:
            name = game.actions[action] if 0 <= action < legal.size else str(action)
            raise ValueError(f"{name} is not among the tries open to it")
        if legal[action]:
            break
        refused.append(action)
        tries = tries[tries != action]
        with clock.runs(mover):
            player.refused(action)
    act = np.array([action])
    out = game.play(here, (act, None) if mover == 0 else (None, act))
    spent = clock.used[mover] - before
    turn = Turn(mover, state, action, int(out.heard[0][0]), tuple(refused), spent)
    return turn, int(out.successor[0])


def ending(game: BoardGame, state: int, heard: int) -> str:
    """Return why a game is over."""
    if game.winner(state) is not None:
        return "checkmate"
    return "stalemate" if "Stalemate" in game.say(heard) else "draw"


def crash_words(error: BaseException) -> str:
    """Return what went wrong with a player, on one line."""
    return " ".join(printable(f"{type(error).__name__}: {error}").split())[:300]
