"""One game between two players, run by the referee."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType

import numpy as np

from ipomdp.game import BoardGame
from ipomdp.players.player import Player
from ipomdp.quoting import printable

SLACK_SECONDS, SLACK_FACTOR = 1.0, 2.0
"""A player is too slow when a try takes longer than SLACK_FACTOR x its time + SLACK_SECONDS: the
machine may be busy with something else for a moment."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as the referee saw it."""

    player: int
    state: int
    """Before it."""
    action: int
    heard: int
    """What both heard of the move."""
    refused: tuple[int, ...] = ()
    """What was tried before, in order."""
    seconds: float = 0.0
    """How long the player took, all tries together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """A finished game."""

    start: int
    turns: tuple[Turn, ...]
    final: int
    """The state at the end."""
    winner: int | None
    """``None`` for a draw."""
    reason: str
    """``checkmate``, ``stalemate``, ``draw``, ``length``, ``resigned``, ``crash`` or ``time``."""
    detail: str = ""
    """What went wrong with a player that crashed or was too slow."""
    refused: tuple[int, ...] = ()
    """The tries refused in a turn that was never finished."""


class Resigned(Exception):
    """Raised by a player's ``propose``: it gives up."""


class TooSlow(Exception):
    """A player has exceeded its time."""


def play_game(
    game: BoardGame,
    players: tuple[Player, Player],
    rng: np.random.Generator,
    *,
    start: int | None = None,
    seconds: float | None = None,
    longest: int = 400,
    watch: Callable[[Turn], object] = lambda _: None,
) -> GameResult:
    """Play a game of at most ``longest`` half-moves; a player that fails loses it.

    ``watch`` is called after every turn.
    """
    state = first = game.start if start is None else start
    turns: list[Turn] = []
    refused: list[int] = []

    def result(winner: int | None, reason: str, detail: str = "") -> GameResult:
        return GameResult(
            start=first, turns=tuple(turns), final=state, winner=winner, reason=reason,
            detail=detail, refused=tuple(refused),
        )  # fmt: skip

    acting = 0
    try:
        for acting, player in enumerate(players):
            player.begin(acting, first, rng)
        while len(turns) < longest:
            acting = game.turn(state)
            refused.clear()
            turn, after = _turn(game, players[acting], state, refused, seconds)
            turns.append(turn)
            state = after
            watch(turn)
            for acting, player in enumerate(players):
                with _guarded(seconds):
                    if acting == turn.player:
                        player.moved(turn.action, turn.heard)
                    else:
                        player.heard(turn.heard)
            if game.over(np.array([state]))[0]:
                return result(game.winner(state), _ending(game, state, turn.heard))
        return result(None, "length")
    except Resigned:
        return result(1 - acting, "resigned")
    except TooSlow as error:
        return result(1 - acting, "time", str(error))
    except Exception as error:  # noqa: BLE001 - whatever a player does, the game has a result
        words = " ".join(printable(f"{type(error).__name__}: {error}").split())
        return result(1 - acting, "crash", words[:300])


def _turn(
    game: BoardGame, player: Player, state: int, refused: list[int], seconds: float | None
) -> tuple[Turn, int]:
    """Return a player's turn and the state after it; ``refused`` is filled on the way."""
    mover, here = game.turn(state), np.array([state])
    legal = game.legal(here, mover)[0]
    tries = np.flatnonzero(game.tries(here, mover)[0])
    spent = 0.0
    while True:
        begun = time.perf_counter()
        with _guarded(seconds):
            action = player.propose(tries, seconds)
        spent += time.perf_counter() - begun
        if action not in tries:
            name = game.actions[action] if 0 <= action < legal.size else str(action)
            raise ValueError(f"{name} is not among the tries open to it")
        if legal[action]:
            break
        refused.append(action)
        tries = tries[tries != action]
        with _guarded(seconds):
            player.refused(action)
    act = np.array([action])
    out = game.play(here, (act, None) if mover == 0 else (None, act))
    turn = Turn(mover, state, action, int(out.heard[0][0]), tuple(refused), spent)
    return turn, int(out.successor[0])


def _ending(game: BoardGame, state: int, heard: int) -> str:
    """Return why a game is over."""
    if game.winner(state) is not None:
        return "checkmate"
    return "stalemate" if "Stalemate" in game.say(heard) else "draw"


@contextmanager
def _guarded(seconds: float | None) -> Iterator[None]:
    """Raise ``TooSlow`` where a player takes too long, at once if it is still in Python code."""
    if seconds is None:
        yield
        return
    allowed = SLACK_FACTOR * seconds + SLACK_SECONDS
    words = f"a call took longer than {allowed:g} s, with {seconds:g} s allowed"

    def late(_: int, __: FrameType | None) -> None:
        raise TooSlow(words)

    begun = time.perf_counter()
    try:
        before = signal.signal(signal.SIGALRM, late)
    except ValueError:  # not the main thread: noticed when the player is done
        yield
    else:
        signal.setitimer(signal.ITIMER_REAL, allowed)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before)
    if time.perf_counter() - begun > allowed:
        raise TooSlow(words)
