"""What one side knows of a game: its own tries and moves, and what it was told."""

from __future__ import annotations

from ipomdp.errors import InvalidInput
from ipomdp.fields import SIDES
from ipomdp.quoting import shown
from ipomdp.records.game_record import GameRecord


def view(played: GameRecord, side: str) -> dict[str, object]:
    """Return a game in its JSON form as a side knows it, never with what it was not told.

    It is built from what that side did and heard alone: games that sounded the same to it have
    the same view. The start is known to both; why a player failed (``detail``) is its own affair.
    """
    if side not in SIDES:
        raise InvalidInput(f"expected {' or '.join(SIDES)}, not {shown(side)}")
    game, result, own = played.game, played.result, SIDES.index(side)
    moves: list[dict[str, object]] = []
    for turn in result.turns:
        mine = turn.player == own
        told = _refusals(played, turn.refused, mine=mine)
        made = {"move": game.actions[turn.action]} if mine else {}
        moves.append({"by": SIDES[turn.player], **told, **made, "heard": game.say(turn.heard)})
    waiting = _refusals(played, result.refused, mine=game.turn(result.final) == own)
    names = {"white": played.white, "black": played.black}
    return {
        "view": side,
        "board": game.name,
        "start": game.describe(result.start),
        "tries": "retry" if played.rules.retry else "paper",
        "illegal_heard_by": "both" if played.rules.audible else "mover",
        "moves": moves,
        "result": played.outcome,
        "reason": result.reason,
        **{name: value for name, value in names.items() if value},
        **waiting,
    }


def _refusals(played: GameRecord, refused: tuple[int, ...], *, mine: bool) -> dict[str, object]:
    """Return what a side knows of the tries refused in a turn: which, how many, or nothing."""
    if not refused:
        return {}
    if mine:
        return {"refused": [played.game.actions[a] for a in refused]}
    return {"refusals": len(refused)} if played.rules.audible else {}
