"""What a side can know, the slow way: every state the referee allows, and what fits by itself."""

from __future__ import annotations

import chess
import numpy as np

from ipomdp.game import Actions, BoardGame, IntArray
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.bridge import Bridge
from ipomdp.wild16.game import Wild16
from ipomdp.wild16.words import fen_of, move_name, say
from tests import mailbox

ORDER = ("File", "Rank", "Long Diagonal", "Short Diagonal", "Knight")


class Consistent:
    """Every state that fits all a side was told, through the protocol of the game alone."""

    def __init__(self, game: BoardGame, side: int, start: int) -> None:
        self.game, self.side = game, side
        self.states: IntArray = np.array([start])

    def refused(self, action: int) -> None:
        """Leave out where the try is legal."""
        self.states = self.states[~self.game.legal(self.states, self.side)[:, action]]

    def moved(self, action: int, heard: int) -> None:
        """Make an own move wherever it is legal and announced so."""
        states = self.states[self.game.legal(self.states, self.side)[:, action]]
        self._play(states, np.full(states.size, action), self.side, heard)

    def heard(self, heard: int) -> None:
        """Make every move of the other that is announced so."""
        case, action = np.nonzero(self.game.legal(self.states, 1 - self.side))
        self._play(self.states[case], action, 1 - self.side, heard)

    def _play(self, states: IntArray, actions: IntArray, mover: int, heard: int) -> None:
        both: Actions = (actions, None) if mover == 0 else (None, actions)
        out = self.game.play(states, both)
        self.states = np.unique(out.successor[out.heard[self.side] == heard])

    def boards(self) -> set[bytes]:
        """Return the boards behind the states."""
        bridge = Bridge(self.game)
        return {bridge.board(int(state)).tobytes() for state in self.states}


def in_bytes(boards: Bits) -> set[bytes]:
    return {board.tobytes() for board in boards}


def seen_by_the_mover(board: Bits, game: Wild16) -> str:
    """Return the check and the pawn tries that the side to move would be told of, by mailbox."""
    men, white = mailbox.parse(fen_of(board, game.k))
    size, own = game.size, "K" if white else "k"
    king = next(square for square, letter in men.items() if letter == own)
    lines = []
    for square, letter in men.items():
        if not mailbox.mine(letter, not white):
            continue
        pawn = letter in "Pp"
        hits = mailbox.pawn_targets(size, square, not white) if pawn else None
        if king in (hits if hits is not None else mailbox.reach(men, size, square)):
            lines.append(mailbox.line(size, king, square))
    parts = [f"Check by {line}" for line in sorted(lines, key=ORDER.index)]
    legal = mailbox.legal(men, size, white)
    tries = {m[:2] for m in legal if men[m[0]] in "Pp" and m[1] in men}
    parts += [f"{len(tries)} pawn {'try' if len(tries) == 1 else 'tries'}"] if tries else []
    return ", ".join(parts) or "Silent"


def without_capture(said: int) -> str:
    """Return the words of an announcement that are about the side to move."""
    parts = [part for part in say(said).split(", ") if "captured" not in part]
    return ", ".join(parts) or "Silent"


def legal_names(board: Bits, game: Wild16) -> set[str]:
    """Return the legal moves by python-chess, or by mailbox on small boards."""
    fen = fen_of(board, game.k)
    if game.size == 8:
        return {move.uci() for move in chess.Board(f"{fen} 0 1").legal_moves}
    men, white = mailbox.parse(fen)
    return {mailbox.name(m) for m in mailbox.legal(men, game.size, white)}


def assert_fits(board: Bits, game: Wild16, said: int, refused: list[int]) -> None:
    """Check a board against the last thing heard and the refusals since."""
    men, white = mailbox.parse(fen_of(board, game.k))
    assert sorted(letter for letter in men.values() if letter in "Kk") == ["K", "k"]
    assert not mailbox.in_check(men, game.size, not white), "the other's king could be taken"
    assert seen_by_the_mover(board, game) == without_capture(said), fen_of(board, game.k)
    assert not {move_name(move) for move in refused} & legal_names(board, game)
