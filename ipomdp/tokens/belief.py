"""Tokens by everything heard: what a belief over whole boards says of each square."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ipomdp.game import FloatArray
from ipomdp.seats.knowledge import Knowledge
from ipomdp.tokens.message import last_message
from ipomdp.tokens.token import Kind, Token, token
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.moves import KING
from ipomdp.wild16.referee import checking
from ipomdp.wild16.words import square_name

ORDER: tuple[Kind, ...] = ("piece", "check", "king")


def from_belief(
    knowledge: Knowledge, boards: Bits, weights: FloatArray, *, exact: bool
) -> tuple[Token, ...]:
    """Return the tokens of boards believed in, whose weights sum to one, by kind and square.

    A token is certain if its man stands there on every board, believed in or not, provided that
    they are all that are possible (``exact``), or if the last message proves it.
    """
    proved = {(t.kind, t.square) for t in last_message(knowledge) if t.certain}
    found = {
        (kind, square): token(kind, square, chance, certain=(exact and all_) or proof)
        for kind, where in _men(knowledge, boards)
        for square, chance, all_ in _weighed(where, weights)
        for proof in [(kind, square) in proved]
        if chance > 0 or proof
    }
    for kind, square in proved - found.keys():  # what a sample has lost
        found[kind, square] = token(kind, square, 1.0, certain=True)
    return tuple(sorted(found.values(), key=lambda t: (ORDER.index(t.kind), t.square[::-1])))


def _men(knowledge: Knowledge, boards: Bits) -> Iterator[tuple[Kind, Bits]]:
    """List for each kind of token the squares of its men on each board, as bits."""
    at = 6 - 6 * knowledge.side
    yield "piece", np.bitwise_or.reduce(boards[:, at : at + 6], axis=1)
    if knowledge.mover == knowledge.side and _in_check(knowledge):
        yield "check", checking(boards, knowledge.side, knowledge.own.k)
    yield "king", boards[:, at + KING]


def _in_check(knowledge: Knowledge) -> bool:
    """Return whether check was announced; the start may hold one that nobody announces."""
    last = knowledge.last
    return last is None or "Check by" in knowledge.game.say(last.heard or 0)


def _weighed(where: Bits, weights: FloatArray) -> Iterator[tuple[str, float, bool]]:
    """List the squares on which some board has a man: how likely, and whether on every board."""
    some, every = np.bitwise_or.reduce(where), np.bitwise_and.reduce(where)
    for square in range(64):
        bit = np.uint64(1 << square)
        if some & bit:
            chance = float(weights @ ((where & bit) != 0))
            yield square_name(square), chance, bool(every & bit)
