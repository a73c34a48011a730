"""A game as it was played, and its JSON form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ipomdp.arena.match import GameResult
from ipomdp.engine.step import Rules
from ipomdp.fields import SIDES
from ipomdp.game import BoardGame
from ipomdp.quoting import printable
from ipomdp.turn import Turn

OUTCOMES = ("1-0", "0-1", "1/2-1/2", "*")
"""Won by White, by Black, drawn, and not over."""
DRAWN, OPEN = OUTCOMES[2:]
BY_THE_RULES = ("checkmate", "stalemate", "draw")
"""Reasons that the position shows."""
GIVEN_UP = ("resigned", "crash", "time")
"""Reasons for which the other has won, whatever the position."""
UNFINISHED = "unfinished"
REASONS = (*BY_THE_RULES, *GIVEN_UP, "agreed", "length", UNFINISHED)

REAL_RULES = Rules(retry=True)
"""What is refused is tried again, and nobody else hears of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """A game of which everything is known, finished or not."""

    game: BoardGame = field(compare=False)
    """Whose states, actions and announcements the numbers are."""
    result: GameResult
    """What happened; the reason is ``unfinished`` where the game is not over."""
    rules: Rules = REAL_RULES
    white: str = ""
    """The player's name; empty where it is not known."""
    black: str = ""
    more: Mapping[str, object] = field(default_factory=dict, compare=False)
    """Fields of the JSON form that are somebody else's."""

    @property
    def outcome(self) -> str:
        """The result as PGN writes it."""
        if self.result.reason == UNFINISHED:
            return OPEN
        return DRAWN if self.result.winner is None else OUTCOMES[self.result.winner]

    def to_dict(self) -> dict[str, object]:
        """Return the game in its JSON form."""
        game, result, rules = self.game, self.result, self.rules
        optional = {
            "white": self.white,
            "black": self.black,
            "detail": result.detail,
            "refused": [game.actions[a] for a in result.refused],
        }
        return {
            "board": game.name,
            "start": game.describe(result.start),
            "tries": "retry" if rules.retry else "paper",
            "illegal_heard_by": "both" if rules.audible else "mover",
            "moves": [_move(game, turn) for turn in result.turns],
            "result": self.outcome,
            "reason": result.reason,
            **{name: value for name, value in optional.items() if value},
            **self.more,
        }


def record(
    game: BoardGame,
    result: GameResult,
    *,
    white: str = "",
    black: str = "",
    rules: Rules = REAL_RULES,
    **more: object,
) -> dict[str, object]:
    """Return a game in its JSON form, with more fields if wanted."""
    played = GameRecord(game=game, result=result, rules=rules, white=white, black=black, more=more)
    return played.to_dict()


def one_line(text: str) -> str:
    """Return a name or a reason as every form can hold it."""
    return " ".join(printable(text).split())


def _move(game: BoardGame, turn: Turn) -> dict[str, object]:
    """Return a turn in its JSON form."""
    refused = {"refused": [game.actions[a] for a in turn.refused]} if turn.refused else {}
    made = {"move": game.actions[turn.action], "heard": game.say(turn.heard)}
    return {"by": SIDES[turn.player], **refused, **made}
