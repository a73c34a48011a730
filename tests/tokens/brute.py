"""What a message allows, the slow way: placements of the other's men, judged by python-chess.

Nothing here knows why a square is possible. A witness is a position before the last move, legal by
python-chess, and a legal move after which the referee would say what was said. Placements that
plainly lead nowhere are left out: whoever checks now has come to its square or had its line opened,
and a man that only hides or pins stands on a line with a king.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from typing import NamedTuple

import chess

SLIDERS = (chess.BISHOP, chess.ROOK, chess.QUEEN)
KINDS = (chess.KNIGHT, *SLIDERS, chess.PAWN)
Men = tuple[tuple[int, int], ...]
"""Kinds and squares."""
ORDER = ("File", "Rank", "Long Diagonal", "Short Diagonal", "Knight")


class Message(NamedTuple):
    """What is said of a move, how the game ends left out."""

    taken: tuple[str, int] | None
    lines: tuple[str, ...]
    tries: int

    def __str__(self) -> str:
        parts = []
        if self.taken:
            parts.append(f"{self.taken[0]} captured in {chess.square_name(self.taken[1])}")
        parts += [f"Check by {line}" for line in self.lines]
        parts += [f"{self.tries} pawn {'try' if self.tries == 1 else 'tries'}"] * bool(self.tries)
        return ", ".join(parts) or "Silent"


def line(king: int, attacker: int) -> str:
    """Return the line of a check, the diagonals told apart by counting their squares."""
    dx = chess.square_file(attacker) - chess.square_file(king)
    dy = chess.square_rank(attacker) - chess.square_rank(king)
    if not dx or not dy:
        return "Rank" if dx else "File"
    if abs(dx) != abs(dy):
        return "Knight"
    across = [s for s in chess.SQUARES if chess.square_file(s) != chess.square_file(king)]
    length = {
        way: sum(
            chess.square_file(s) - chess.square_file(king)
            == way * (chess.square_rank(s) - chess.square_rank(king))
            for s in across
        )
        for way in (1, -1)
    }
    way = 1 if dx == dy else -1
    return "Long Diagonal" if length[way] > length[-way] else "Short Diagonal"


def announced(board: chess.Board, move: chess.Move) -> Message:
    """Return what is said of a legal move."""
    taken = None
    if board.is_en_passant(move):
        square = chess.square(
            chess.square_file(move.to_square), chess.square_rank(move.from_square)
        )
        taken = ("Pawn", square)
    elif victim := board.piece_type_at(move.to_square) if not board.is_castling(move) else None:
        taken = ("Pawn" if victim == chess.PAWN else "Piece", move.to_square)
    after = board.copy(stack=False)
    after.push(move)
    king = after.king(after.turn)
    assert king is not None
    lines = sorted((line(king, s) for s in after.checkers()), key=ORDER.index)
    pawns = after.pieces_mask(chess.PAWN, after.turn)
    takes = {(m.from_square, m.to_square) for m in after.generate_legal_captures(pawns)}
    return Message(taken, tuple(lines), len(takes))


def _with(board: chess.Board, men: Iterable[tuple[int, int]], colour: bool) -> chess.Board | None:
    """Return a board with more men on it; ``None`` where they cannot stand so."""
    then = board.copy(stack=False)
    for kind, square in men:
        if then.piece_type_at(square) or (kind == chess.PAWN and square >> 3 in (0, 7)):
            return None
        then.set_piece_at(square, chess.Piece(kind, colour))
    then.castling_rights = chess.BB_CORNERS & then.rooks
    if (king := then.king(colour)) is None or king not in (chess.E1, chess.E8):
        then.castling_rights &= ~(chess.BB_RANK_8 if colour == chess.BLACK else chess.BB_RANK_1)
    return None if then.was_into_check() else then


def _queen_lines(square: int) -> Iterator[int]:
    for other in chess.SQUARES:
        dx = chess.square_file(other) - chess.square_file(square)
        dy = chess.square_rank(other) - chess.square_rank(square)
        if other != square and (not dx or not dy or abs(dx) == abs(dy)):
            yield other


def safe_kings(own: chess.Board, colour: bool, most: int = 3) -> list[int]:
    """List squares for the other's king that no own man attacks, far from each other."""
    free = [s for s in chess.SQUARES if not own.piece_type_at(s) and not own.attackers(colour, s)]
    kept: list[int] = []
    while free and len(kept) < most:
        best = max(free, key=lambda s: min((chess.square_distance(s, k) for k in kept), default=0))
        kept.append(best)
        free.remove(best)
    return kept


class Checkers:
    """Who may give check to the own king after a move of the other."""

    def __init__(self, own: chess.Board, colour: bool, message: Message) -> None:
        """Take the own men before the other's move, where it is the other's turn."""
        self.own, self.colour, self.message = own, colour, message
        king = own.king(colour)
        assert king is not None
        self.king = king
        self.kings = safe_kings(own, colour)
        on_lines = [s for s in _queen_lines(king) if not own.piece_type_at(s)]
        self.helpers = [()] + [
            ((kind, s),) for s in on_lines for kind in (chess.BISHOP, chess.ROOK)
        ]

    def groups(self) -> set[frozenset[int]]:
        """Return every set of squares of checkers that has a witness."""
        now = self.own.copy(stack=False)
        if self.message.taken:
            now.remove_piece_at(self.message.taken[1])
        near = [
            [s for s in chess.SQUARES if not now.piece_type_at(s) and line(self.king, s) == way
             and (way != "Knight" or chess.BB_KNIGHT_ATTACKS[self.king] >> s & 1)
             and not chess.between(self.king, s) & now.occupied and s != self.king]
            for way in self.message.lines
        ]  # fmt: skip
        wanted = {frozenset(c) for c in ([(s,) for s in near[0]] if len(near) == 1 else
                  [(a, b) for a in near[0] for b in near[1] if a != b])}  # fmt: skip
        return {group for group in wanted if self._witness(group)}

    def _witness(self, group: frozenset[int]) -> bool:
        return any(
            self._leads(board, move, group)
            for helper in self.helpers
            for board, move in self._played(group, helper)
        )

    def _leads(self, board: chess.Board, move: chess.Move, group: frozenset[int]) -> bool:
        after = board.copy(stack=False)
        after.push(move)
        return set(after.checkers()) == group and announced(board, move) == self.message

    def _played(
        self, group: frozenset[int], helper: Men
    ) -> Iterator[tuple[chess.Board, chess.Move]]:
        """List positions and moves after which these men may give check."""
        other = not self.colour
        for still in (tuple(group), *combinations(group, len(group) - 1)):
            lines = 0
            for s in still:
                lines |= chess.between(s, self.king)
            goals = group - set(still)
            origins = list(chess.SquareSet(lines)) if still else list(chess.SQUARES)
            if self.own.ep_square is not None:
                origins += [s for s in chess.SQUARES if s >> 3 in (3, 4)]
            for origin in origins:
                for kind in (*KINDS, chess.KING):
                    if not self._arrives(kind, origin, goals):
                        continue
                    statics = [()] if not still else _kinds(still)
                    kings = [None] if kind == chess.KING else [*self.kings, 4 + 56 * (not other)]
                    for stand in statics:
                        for king in kings:
                            men = [(kind, origin), *stand, *helper]
                            men += [] if king is None else [(chess.KING, king)]
                            if (board := _with(self.own, men, other)) is not None:
                                yield from self._moves(board, origin, goals)

    def _arrives(self, kind: int, origin: int, goals: Iterable[int]) -> bool:
        """Return whether a man could get to the squares on an empty board, roughly."""
        for goal in goals:
            dx = abs(chess.square_file(goal) - chess.square_file(origin))
            dy = abs(chess.square_rank(goal) - chess.square_rank(origin))
            if kind == chess.KNIGHT and {dx, dy} != {1, 2}:
                return False
            if kind == chess.PAWN and (dx > 1 or dy > 2 or not dy):
                return False
            if kind in SLIDERS and dx and dy and dx != dy:
                return False
            if kind == chess.KING:
                return False
        return True

    def _moves(
        self, board: chess.Board, origin: int, goals: Iterable[int]
    ) -> Iterator[tuple[chess.Board, chess.Move]]:
        for move in board.generate_legal_moves():
            arrives = move.from_square == origin and all(move.to_square == g for g in goals)
            if arrives or board.is_castling(move):
                yield board, move


def _kinds(squares: tuple[int, ...]) -> list[Men]:
    found: list[Men] = [()]
    for square in squares:
        kinds = (chess.BISHOP, chess.ROOK)  # a queen does no more on one line
        found = [(*men, (kind, square)) for men in found for kind in kinds]
    return found


def kings(own: chess.Board, move: chess.Move, message: Message) -> set[int]:
    """Return where the other's king may stand after an own move that is announced so.

    The board holds the own men before the move, the own side to move.
    """
    return {s for s in chess.SQUARES if _king_witness(own, move, message, s)}


def _king_witness(own: chess.Board, move: chess.Move, message: Message, king: int) -> bool:
    if own.piece_type_at(king) or king == move.to_square:
        return False
    bare = own.copy(stack=False)
    bare.push(chess.Move(move.from_square, move.to_square, move.promotion))
    bare.turn = own.turn
    lines = [line(king, s) for s in bare.attackers(own.turn, king)]
    if any(lines.count(way) < message.lines.count(way) for way in message.lines):
        return False  # more men on the board take checks away, and give none
    for men in _around(own, bare, message, king):
        board = _with(own, men, not own.turn) if len({s for _, s in men}) == len(men) else None
        if board is None:
            continue
        if message.taken and message.taken[1] != move.to_square:
            board.ep_square = move.to_square
        if board.is_legal(move) and announced(board, move) == message:
            return True
    return False


def _around(own: chess.Board, bare: chess.Board, message: Message, king: int) -> Iterator[Men]:
    """List men of the other: its king, who was taken, who hides the king, who can take."""
    taken: list[Men] = [()]
    if message.taken:
        kinds = (chess.PAWN,) if message.taken[0] == "Pawn" else (chess.KNIGHT, chess.BISHOP)
        taken = [((kind, message.taken[1]),) for kind in kinds]
    checking = bare.attackers(own.turn, king)
    gaps = {
        g for s in own.attackers(own.turn, king) | checking
        for g in chess.SquareSet(chess.between(s, king)) if not own.piece_type_at(g)
    }  # fmt: skip
    hiders = [
        tuple(zip(pieces, few, strict=True))
        for most in range(4)
        for few in combinations(sorted(gaps), most)
        for pieces in product((chess.KNIGHT, chess.ROOK), repeat=most)
    ]
    near = {t for s in checking for t in chess.SquareSet(chess.BB_KING_ATTACKS[s])}
    pawns = [
        tuple((chess.PAWN, s) for s in few) for few in combinations(sorted(near), message.tries)
    ]
    for victim, hider, few in product(taken, hiders, pawns):
        yield ((chess.KING, king), *victim, *hider, *few)
