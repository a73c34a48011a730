"""Chess on a board of any size, square by square: slow, plain, sharing nothing with the referee.

Double steps, castling and captures en passant exist on 8x8 alone and are left out: this is for the
small boards. A board is ``{(file, rank): letter}``, capitals for White's.
"""

from __future__ import annotations

from collections.abc import Iterator

Square = tuple[int, int]
Board = dict[Square, str]
Move = tuple[Square, Square, str]
"""From, to, and what a pawn becomes (``""`` if nothing)."""

STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))
JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
STEPS = {"n": JUMPS, "k": STRAIGHT + DIAGONAL}
SLIDES = {"r": STRAIGHT, "b": DIAGONAL, "q": STRAIGHT + DIAGONAL}


def parse(fen: str) -> tuple[Board, bool]:
    """Return the board and whether White is to move."""
    rows, side = fen.split()[:2]
    board: Board = {}
    for rank, row in enumerate(reversed(rows.split("/"))):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                board[file, rank] = letter
                file += 1
    return board, side == "w"


def mine(letter: str | None, white: bool) -> bool:
    """Return whether a letter is a man of a side."""
    return letter is not None and letter.isupper() == white


def reach(board: Board, size: int, square: Square) -> Iterator[Square]:
    """List where a piece (no pawn) can go, whoever stands there; it stops at the first man."""
    kind = board[square].lower()
    for dx, dy in STEPS.get(kind, SLIDES.get(kind, ())):
        x, y = square[0] + dx, square[1] + dy
        while 0 <= x < size and 0 <= y < size:
            yield x, y
            if (x, y) in board or kind in STEPS:
                break
            x, y = x + dx, y + dy


def pawn_targets(size: int, square: Square, white: bool) -> list[Square]:
    """List what a pawn attacks."""
    y = square[1] + (1 if white else -1)
    return [(x, y) for x in (square[0] - 1, square[0] + 1) if 0 <= x < size and 0 <= y < size]


def attacked(board: Board, size: int, square: Square, by_white: bool) -> bool:
    """Return whether a side attacks a square."""
    for origin, letter in board.items():
        if mine(letter, by_white):
            if letter in "Pp":
                hit = square in pawn_targets(size, origin, by_white)
            else:
                hit = square in reach(board, size, origin)
            if hit:
                return True
    return False


def in_check(board: Board, size: int, white: bool) -> bool:
    """Return whether a side's king is attacked."""
    king = next(s for s, letter in board.items() if letter == ("K" if white else "k"))
    return attacked(board, size, king, not white)


def moves(board: Board, size: int, white: bool) -> Iterator[Move]:
    """List what the men can do; the own king may be left in check."""
    for square, letter in board.items():
        if not mine(letter, white):
            continue
        if letter in "Pp":
            ahead = (square[0], square[1] + (1 if white else -1))
            targets = [] if ahead in board else [ahead]
            targets += [
                t for t in pawn_targets(size, square, white) if mine(board.get(t), not white)
            ]
            last = size - 1 if white else 0
            for target in targets:
                for became in "qrbn" if target[1] == last else ("",):
                    yield square, target, became
        else:
            for target in reach(board, size, square):
                if not mine(board.get(target), white):
                    yield square, target, ""


def after(board: Board, move: Move) -> Board:
    """Return the board after a move."""
    origin, target, became = move
    then = dict(board)
    letter = then.pop(origin)
    then[target] = (became.upper() if letter.isupper() else became) or letter
    return then


def legal(board: Board, size: int, white: bool) -> list[Move]:
    """List the legal moves."""
    return [m for m in moves(board, size, white) if not in_check(after(board, m), size, white)]


def tries(board: Board, size: int, white: bool, pawns_may_take: bool) -> set[str]:
    """Return the names of what a side may try, seeing its own men alone."""
    own = {s: letter for s, letter in board.items() if mine(letter, white)}
    found = {name(m) for m in moves(own, size, white)}
    if pawns_may_take:
        ghost = "q" if white else "Q"
        for square, letter in own.items():
            if letter in "Pp":
                there = {t: ghost for t in pawn_targets(size, square, white) if t not in own}
                with_ghosts = {square: letter} | there
                found |= {name(m) for m in moves(with_ghosts, size, white) if m[1] in there}
    return found


def name(move: Move) -> str:
    """Return ``e2e4`` or ``e7e8q``."""
    (a, b), (c, d), became = move
    return f"{'abcdefgh'[a]}{b + 1}{'abcdefgh'[c]}{d + 1}{became}"


def line(size: int, king: Square, attacker: Square) -> str:
    """Return the line of a check, the diagonals told apart by counting their squares."""
    dx, dy = attacker[0] - king[0], attacker[1] - king[1]
    if dx == 0:
        return "File"
    if dy == 0:
        return "Rank"
    if abs(dx) != abs(dy):
        return "Knight"
    squares = [(x, y) for x in range(size) for y in range(size)]
    rising = sum(x - y == king[0] - king[1] for x, y in squares)
    falling = sum(x + y == king[0] + king[1] for x, y in squares)
    along, across = (rising, falling) if dx == dy else (falling, rising)
    return "Long Diagonal" if along > across else "Short Diagonal"


def announcement(board: Board, size: int, white: bool, move: Move) -> str:
    """Return what the referee says of a legal move."""
    parts, then = [], after(board, move)
    if move[1] in board:
        taken = "Pawn" if board[move[1]] in "Pp" else "Piece"
        parts.append(f"{taken} captured in {name(move)[2:4]}")
    king = next(s for s, letter in then.items() if letter == ("k" if white else "K"))
    checkers = [
        s for s, letter in then.items() if mine(letter, white)
        and king in (pawn_targets(size, s, white) if letter in "Pp" else reach(then, size, s))
    ]  # fmt: skip
    order = ("File", "Rank", "Long Diagonal", "Short Diagonal", "Knight")
    lines = sorted((line(size, king, s) for s in checkers), key=order.index)
    parts += [f"Check by {way}" for way in lines]
    replies = legal(then, size, not white)
    left = sorted(letter.lower() for letter in then.values() if letter not in "Kk")
    if not replies:
        parts.append("Checkmate" if checkers else "Stalemate")
    elif left in ([], ["n"]) or (set(left) == {"b"} and _one_colour(then)):
        parts.append("Draw")
    elif count := len({m[:2] for m in replies if then[m[0]] in "Pp" and m[1] in then}):
        parts.append(f"{count} pawn {'try' if count == 1 else 'tries'}")
    return ", ".join(parts) or "Silent"


def _one_colour(board: Board) -> bool:
    return len({(x + y) % 2 for (x, y), letter in board.items() if letter in "Bb"}) == 1
