"""What a person types for a move: ``Qd1``, ``e2e4``, ``Nf3``, ``exd5``, ``e8=Q``, ``O-O``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ipomdp.game import BoardGame

_PIECE_TO = re.compile(r"([KQRBNP])([a-h][1-8])")
_FROM_TO = re.compile(r"([a-h][1-8])([a-h][1-8])([qrbn]?)")


class Move(NamedTuple):
    """A try, taken apart."""

    letter: str
    """The piece, a capital."""
    origin: str
    target: str
    promotion: str
    """The piece a pawn becomes, a capital, or nothing."""


def taken_apart(name: str, pieces: Mapping[str, str]) -> Move:
    """Return what an action's name means to a player with these pieces."""
    if whole := _PIECE_TO.fullmatch(name):  # a board on which each piece is there once
        letter, target = whole.groups()
        standing = {piece.upper(): square for square, piece in pieces.items()}
        return Move(letter, standing[letter], target, "")
    if whole := _FROM_TO.fullmatch(name):
        origin, target, promotion = whole.groups()
        return Move(pieces[origin].upper(), origin, target, promotion.upper())
    raise ValueError(f"{name} is not the name of a move")


def spellings(name: str, move: Move) -> set[str]:
    """Return the ways to write a try, without the marks that say nothing: ``x``, ``=``, ``+``."""
    letter, origin, target, promotion = move
    found = {origin + target}
    if letter == "P":
        found.add(target if origin[0] == target[0] else origin[0] + target)
    else:
        found |= {letter + where + target for where in ("", origin[0], origin[1], origin)}
        if letter == "K" and abs(ord(origin[0]) - ord(target[0])) == 2:
            found.add("O-O" if target[0] > origin[0] else "O-O-O")
    return {name} | found | {word + promotion for word in found}


def understood(
    text: str, game: BoardGame, actions: Iterable[int], pieces: Mapping[str, str]
) -> list[int]:
    """Return which of the actions a text may mean; with the letters' case if that leaves any."""
    wanted = re.sub(r"[x=+#!?\s]", "", text)
    if re.fullmatch(r"[0oO]-?[0oO](-?[0oO])?", wanted):
        wanted = "-".join("O" for sign in wanted if sign != "-")
    spelled = {
        int(action): spellings(game.actions[action], taken_apart(game.actions[action], pieces))
        for action in actions
    }
    exact = [action for action, words in spelled.items() if wanted in words]
    return exact or [
        action
        for action, words in spelled.items()
        if wanted.lower() in {word.lower() for word in words}
    ]
