"""From what a seat knows to what its page shows, as plain data."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from ipomdp.arena.notation import taken_apart
from ipomdp.fields import SIDES
from ipomdp.seats.knowledge import Knowledge
from ipomdp.tokens.token import Token
from ipomdp.web.board import BoardView
from ipomdp.web.seat import Seat

LEAST = 0.005
"""How likely something must be to be drawn."""


def board_view(
    known: Knowledge,
    tokens: Sequence[Token],
    kinds: Collection[str],
    moves: Mapping[str, Sequence[str]],
) -> BoardView:
    """Return a side's board with some kinds of its tokens; ``moves`` are its open tries."""
    pieces, me = known.pieces, SIDES[known.side]
    return BoardView(
        size=known.game.size, flipped=known.side == 1, pieces=pieces, moves=moves,
        tokens=[_token(t) for t in tokens if t.kind in kinds and t.probability >= LEAST],
        marks=_marks(known), label=f"your board, {me}: {len(pieces)} pieces",
    )  # fmt: skip


def seat_view(seat: Seat, source: str, kinds: Collection[str]) -> BoardView:
    """Return a seat's board with the tokens of a source."""
    if seat.knowledge is None:
        return BoardView(size=8, label="no game yet")
    moves: dict[str, list[str]] = {}
    for origin, target in seat.open.values():
        if target not in moves.setdefault(origin, []):
            moves[origin].append(target)
    tokens = {"message": seat.from_message, "belief": seat.from_belief}.get(source, ())
    return board_view(seat.knowledge, tokens, kinds, moves)


def _token(token: Token) -> dict[str, object]:
    return {
        "kind": token.kind, "square": token.square, "certain": token.certain,
        "probability": round(token.probability, 4),
    }  # fmt: skip


def _marks(known: Knowledge) -> dict[str, str]:
    """Return squares to mark: the last move, what was captured, a king in check, refusals."""
    marks: dict[str, str] = {}
    pieces, last = known.pieces, known.last
    if last is not None:
        said = known.game.say(last.heard or 0)
        if last.action is not None:
            name = known.game.actions[last.action]
            marks |= dict.fromkeys(
                (name[:2], name[2:4]) if name[0].islower() else (name[1:],), "last"
            )
        if "apture" in said.partition(",")[0]:
            marks[said.partition(",")[0][-2:]] = "capture"
        if "Check by" in said and last.action is None:
            king = next((square for square, piece in pieces.items() if piece in "Kk"), None)
            if king is not None:
                marks[king] = "check"
    if known.mine:
        for action in known.refused:
            marks[taken_apart(known.game.actions[action], pieces).target] = "refused"
    return marks


def record_of(seat: Seat) -> dict[str, object]:
    """Return the game as the seat knows it: the same as the view of it in a record."""
    known = seat.knowledge
    if known is None:
        return {}
    game, own = known.game, SIDES[known.side]
    moves: list[dict[str, object]] = []
    refused: list[str] = []
    for hearing in known.hearings:
        if hearing.heard is None and hearing.action is not None:
            refused.append(game.actions[hearing.action])
            continue
        mine = hearing.action is not None
        made = {"move": game.actions[hearing.action]} if hearing.action is not None else {}
        told = {"refused": refused} if refused else {}
        by = own if mine else SIDES[1 - known.side]
        moves.append({"by": by, **told, **made, "heard": game.say(hearing.heard or 0)})
        refused = []
    outcome = "*"
    if seat.ended is not None:
        outcome = "1/2-1/2" if seat.ended.winner is None else ("1-0", "0-1")[seat.ended.winner]
    names = {own: "person", SIDES[1 - known.side]: seat.other}
    return {
        "view": own,
        "board": game.name,
        "start": game.describe(known.start),
        "tries": "retry",
        "illegal_heard_by": "mover",
        "moves": moves,
        "result": outcome,
        "reason": "unfinished" if seat.ended is None else seat.ended.reason,
        **{name: names[name] for name in SIDES if names[name]},
        **({"refused": refused} if refused else {}),
    }
