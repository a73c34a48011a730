"""How the other thinks on a big board: what it believes of our men, and what it would then play.

Its belief is a cloud of placements of our men (nested particles), moved on by what both hear and,
for each of our hidden moves, by a move that we might have made. From the cloud come three maps of
the board: how likely a man of ours stands on a square, what that is worth, how likely we attack it.
A move is worth to the other what it gains in expectation, and from level 1 on, less what the man
that moves may be lost for; it plays by quantal response.
"""

from __future__ import annotations

import numpy as np

from ipomdp.game import FloatArray, IntArray
from ipomdp.wild16.bits import Bits, U, bit, kernel, leaf
from ipomdp.wild16.evaluate import FEW, MATE, MIRROR, PLACES, WORTH, evaluate, pieces_worth
from ipomdp.wild16.legal import can_move, legal_moves, too_few
from ipomdp.wild16.moves import (
    KING,
    MOST_MOVES,
    PAWN,
    STATUS,
    WIDTH,
    apply,
    attackers,
    exposed,
    men,
)
from ipomdp.wild16.referee import said_so

OCCUPIED, VALUE, ATTACKED = 0, 1, 2
"""The maps: (3, 64)."""
RANDOM, MODEL, KNOWING = 0, 1, 2
"""The frames that the other may have: it moves at random, as its model says, or as one that knows
where our men stand, by luck or by better guesses than the model's."""
UNSEEN = 0.3
"""How likely a man that has shown itself by a capture is taken where no particle saw by whom: what
particles miss most is which squares the other guards."""
GUESS = 330.0
"""What a man of ours is worth of which only the square is known."""


@leaf
def kind_of(board: Bits, side: int, square: int) -> int:
    """Return what a side has on a square, -1 for nothing."""
    for kind in range(6):
        if board[6 * side + kind] & bit(square):
            return kind
    return -1


@leaf
def _found(worth: float, sure: float, rationality: float) -> float:
    """Return how likely a man worth so much is taken where it is believed to stand so surely."""
    return 1.0 / (1.0 + 30.0 * np.exp(-rationality * worth * sure))


@leaf
def utility(
    board: Bits, side: int, move: int, maps: FloatArray, where: int, level: int, late: int,
    rationality: float, k: int,
) -> float:  # fmt: skip
    """Return what a move is worth to a side that knows the other's men by the maps alone.

    ``where`` is the square on which one of the other's men has just captured, -1 for none.
    """
    origin, target, promotion = move & 63, (move >> 6) & 63, move >> 12
    kind = kind_of(board, side, origin)
    one, two = (MIRROR[k, origin], MIRROR[k, target]) if side else (origin, target)
    becomes = promotion or kind
    gain = float(PLACES[k, late, becomes, two] - PLACES[k, late, kind, one])
    gain += WORTH[becomes] - WORTH[kind]
    slanted = kind == PAWN and (origin & 7) != (target & 7)
    there = maps[OCCUPIED, target]
    if target == where:
        taken, there = GUESS, 1.0
    elif slanted:  # then there is something to take
        taken, there = (maps[VALUE, target] / there if there > 0.01 else GUESS), 1.0
    elif kind == PAWN:
        taken, there = 0.0, 0.0
    else:
        taken = maps[VALUE, target]
    gain += taken
    if level > 0 and kind != KING:
        mine = float(WORTH[becomes])
        occupied = (men(board, 0) | men(board, 1)) & ~bit(origin)
        if attackers(board, target, side, occupied, k) & ~bit(origin):
            mine = max(mine - GUESS, 0.0)  # whoever takes it is taken in turn
        danger = there * _found(mine, 1.0, rationality) + (1.0 - there) * _found(
            mine, 0.2, rationality
        )
        gain -= maps[ATTACKED, target] * mine * danger
    return gain


@leaf
def utility_known(board: Bits, side: int, move: int, late: int, k: int) -> float:
    """Return what a move is worth to a side that sees the board: its gain less its risk."""
    origin, target, promotion = move & 63, (move >> 6) & 63, move >> 12
    kind = kind_of(board, side, origin)
    one, two = (MIRROR[k, origin], MIRROR[k, target]) if side else (origin, target)
    becomes = promotion or kind
    gain = float(PLACES[k, late, becomes, two] - PLACES[k, late, kind, one])
    gain += WORTH[becomes] - WORTH[kind]
    victim = kind_of(board, 1 - side, target)
    if victim >= 0:
        gain += WORTH[victim]
    occupied = (men(board, 0) | men(board, 1)) & ~bit(origin)
    if kind != KING and attackers(board, target, 1 - side, occupied, k):
        mine = float(WORTH[becomes])
        if attackers(board, target, side, occupied, k) & ~bit(origin):
            mine = max(mine - GUESS, 0.0)
        gain -= mine
    return gain


@leaf
def softmax(logits: FloatArray, n: int) -> None:
    """Turn the first n logits into probabilities."""
    top = logits[0]
    for j in range(1, n):
        top = max(top, logits[j])
    total = 0.0
    for j in range(n):
        logits[j] = np.exp(logits[j] - top)
        total += logits[j]
    for j in range(n):
        logits[j] /= total


@leaf
def reply_chances(
    board: Bits, moves: IntArray, n: int, frame: int, maps: FloatArray, where: int, level: int,
    rationality: float, chances: FloatArray, k: int,
) -> None:  # fmt: skip
    """Fill in how likely the side to move plays each of its n legal moves."""
    side = np.int64(board[STATUS] & U(1))
    if frame == RANDOM:
        for j in range(n):
            chances[j] = 1.0 / n
        return
    late = 1 if pieces_worth(board, 1 - side) < FEW else 0
    for j in range(n):
        if frame == KNOWING:
            worth = utility_known(board, side, moves[j], late, k)
        else:
            worth = utility(board, side, moves[j], maps, where, level, late, rationality, k)
        chances[j] = rationality * worth
    softmax(chances, n)


@kernel
def followed(
    boards: Bits, frames: IntArray, weights: FloatArray, said: int, maps: FloatArray, where: int,
    level: int, rationality: float, k: int, case: IntArray, after: Bits, chance: FloatArray,
) -> int:  # fmt: skip
    """List every board that a move of the other announced so leads to, with its probability.

    -1 where there is no room for all of them.
    """
    moves, chances = np.empty(MOST_MOVES, np.int64), np.empty(MOST_MOVES, np.float64)
    scratch, total = np.empty(WIDTH, np.uint64), 0
    for b in range(boards.shape[0]):
        n = legal_moves(boards[b], moves, scratch, k)
        if n == 0:
            continue
        reply_chances(
            boards[b], moves, n, frames[b], maps, where, level, rationality, chances, k
        )  # fmt: skip
        for j in range(n):
            if total == case.size:
                return -1
            capture = apply(boards[b], moves[j], after[total], k)
            if said_so(after[total], capture, said, scratch, k):
                case[total], chance[total] = b, weights[b] * chances[j]
                total += 1
    return total


@leaf
def _retaken(board: Bits, square: int, k: int) -> int:
    """Return what the side to move gains by taking back on a square, looking one exchange ahead."""
    side = np.int64(board[STATUS] & U(1))
    occupied = men(board, 0) | men(board, 1)
    takers = attackers(board, square, side, occupied, k)
    if not takers:
        return 0
    victim = kind_of(board, 1 - side, square)
    if victim < 0:
        return 0
    guards = attackers(board, square, 1 - side, occupied, k)
    for kind in range(6):
        if board[6 * side + kind] & takers:
            if kind == KING:
                return 0 if guards else WORTH[victim]
            return max(WORTH[victim] - (WORTH[kind] if guards else 0), 0)
    return 0


@leaf
def _unseen(board: Bits, where: int, k: int) -> float:
    """Return what is lost if a man that has shown itself on a square is taken there after all."""
    side = 1 - np.int64(board[STATUS] & U(1))
    worth = float(WORTH[kind_of(board, side, where)])
    occupied = men(board, 0) | men(board, 1)
    if attackers(board, where, side, occupied, k):
        worth = max(worth - GUESS, 0.0)
    return worth


@leaf
def after_reply(
    board: Bits, frame: int, maps: FloatArray, where: int, level: int, rationality: float, k: int,
    moves: IntArray, chances: FloatArray, scratch: Bits,
) -> float:  # fmt: skip
    """Return what a board is worth to the side that waits, after the other's predicted reply."""
    side = np.int64(board[STATUS] & U(1))
    n = legal_moves(board, moves, scratch, k)
    if n == 0:
        return float(MATE) if exposed(board, side, k) else 0.0
    if too_few(board):
        return 0.0
    reply_chances(board, moves, n, frame, maps, where, level, rationality, chances, k)
    total, taken = 0.0, 0.0
    for j in range(n):
        if chances[j] < 1e-4:
            continue
        capture = apply(board, moves[j], scratch, k)
        value = evaluate(scratch, k)
        if capture:
            value += _retaken(scratch, (moves[j] >> 6) & 63, k)
        if (moves[j] >> 6) & 63 == where:
            taken += chances[j]
        total += chances[j] * value
    if where >= 0 and frame != RANDOM:
        total -= UNSEEN * (1.0 - taken) * _unseen(board, where, k)
    return total


@kernel
def value_tries(
    boards: Bits, frames: IntArray, tries: IntArray, maps: FloatArray, level: int,
    rationality: float, k: int, out: FloatArray,
) -> None:  # fmt: skip
    """Fill in what each try is worth on each board to the side to move; NaN where it is refused.

    At level 0 the position right after the move counts, from level 1 on the one after the reply.
    """
    moves, chances = np.empty(MOST_MOVES, np.int64), np.empty(MOST_MOVES, np.float64)
    mine = np.empty(MOST_MOVES, np.int64)
    scratch, after = np.empty(WIDTH, np.uint64), np.empty(WIDTH, np.uint64)
    place = np.full(1 << 15, -1, np.int64)
    for t in range(tries.size):
        place[tries[t]] = t
    for b in range(boards.shape[0]):
        n = legal_moves(boards[b], mine, scratch, k)
        out[b, :] = np.nan
        for j in range(n):
            t = place[mine[j]]
            if t < 0:
                continue
            capture = apply(boards[b], mine[j], after, k)
            if level == 0:
                side = np.int64(after[STATUS] & U(1))
                if not can_move(after, scratch, k):
                    out[b, t] = MATE if exposed(after, side, k) else 0.0
                else:
                    out[b, t] = 0.0 if too_few(after) else -evaluate(after, k)
            else:
                where = (mine[j] >> 6) & 63 if capture else -1
                out[b, t] = after_reply(
                    after,
                    frames[b],
                    maps,
                    where,
                    level - 1,
                    rationality,
                    k,
                    moves,
                    chances,
                    scratch,
                )
