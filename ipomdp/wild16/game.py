"""Wild 16 behind the game protocol: a state is the number of a board that has been seen before."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ipomdp.errors import InvalidInput
from ipomdp.game import Actions, BoolArray, FloatArray, IntArray, Outcomes
from ipomdp.quoting import shown
from ipomdp.wild16.bits import KING_STEPS, KNIGHT_STEPS, RAYS, SIZES, Bits, kernel
from ipomdp.wild16.legal import guard, guarded_can_move, too_few
from ipomdp.wild16.moves import KING, STATUS, WIDTH, exposed
from ipomdp.wild16.referee import judge
from ipomdp.wild16.words import LETTERS, board_of, fen_of, hears, move_name, say, square_name

STARTS = {
    "4x4-queens": "1q1k/4/4/K1Q1 w",
    "4x4-pawns": "r1kr/pppp/PPPP/R1KR w",
    "6x6": "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w",
    "8x8": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq",
}
"""The games by name, with their first positions; 6x6 is Los Alamos chess."""
MOST_MEN = 16
"""Of a side: with more, tries and pawn tries could outgrow what they are counted in."""


def _all_moves(k: int) -> list[int]:
    """Return every move that some piece could make on a board, promotions after the others."""
    size, plain, promoting = SIZES[k], [], []
    for origin in range(64):
        steps = int(KNIGHT_STEPS[k, origin]) | int(np.bitwise_or.reduce(RAYS[k, :, origin]))
        targets = [t for t in range(64) if steps >> t & 1]
        plain += [origin | t << 6 for t in targets]
        for last, step in ((size - 1, 1), (0, -1)):
            if origin >> 3 == last - step:
                near = [t for t in targets if t >> 3 == last and abs((t & 7) - (origin & 7)) <= 1]
                near = [t for t in near if int(KING_STEPS[k, origin]) >> t & 1]
                promoting += [origin | t << 6 | p << 12 for t in near for p in (4, 3, 2, 1)]
    return plain + promoting


@kernel
def _endings(boards: Bits, k: int, out: IntArray) -> None:
    scratch = np.empty(WIDTH, np.uint64)
    for b in range(boards.shape[0]):
        side = np.int64(boards[b, STATUS] & np.uint64(1))
        checkers, pinned = guard(boards[b], side, k)
        if not guarded_can_move(boards[b], checkers, pinned, scratch, k):
            out[b] = 1 if checkers else 2
        else:
            out[b] = 3 if too_few(boards[b]) else 0


class Wild16:
    """Kriegspiel by the rules of the Internet Chess Club on a board of even size."""

    players = ("white", "black")
    public = True

    def __init__(self, name: str = "8x8") -> None:
        self.name = name
        self._first = STARTS[name]
        self.size = self._first.split(" ")[0].count("/") + 1
        self.k = SIZES.index(self.size)
        """Which of the boards the kernels are to look at."""
        self.moves: IntArray = np.array(_all_moves(self.k))
        """The move, as the kernels write it, behind each action."""
        self.actions = tuple(move_name(int(move)) for move in self.moves)
        self.action_of: IntArray = np.full(1 << 15, -1, dtype=np.int64)
        """The action of each move."""
        self.action_of[self.moves] = np.arange(self.moves.size)
        self._numbers: dict[bytes, int] = {}
        self._boards = np.zeros((64, WIDTH), dtype=np.uint64)
        self.start = self.read(self._first)

    def boards(self, states: IntArray) -> Bits:
        """Return the boards behind states."""
        found: Bits = self._boards[states]
        return found

    def number(self, boards: Bits) -> IntArray:
        """Return the states of boards; one not seen before gets a new number."""
        states = np.empty(boards.shape[0], dtype=np.int64)
        for j, board in enumerate(np.ascontiguousarray(boards)):
            key = board.tobytes()
            found = self._numbers.get(key)
            if found is None:
                found = self._numbers[key] = len(self._numbers)
                if found == self._boards.shape[0]:
                    self._boards = np.concatenate([self._boards, np.zeros_like(self._boards)])
                self._boards[found] = board
            states[j] = found
        return states

    def turn(self, state: int) -> int:
        """Return the side to move."""
        return int(self._boards[state, STATUS]) & 1

    def acts(self, state: int) -> tuple[bool, bool]:
        """Return who acts: the side to move."""
        return (self.turn(state) == 0, self.turn(state) == 1)

    def legal(self, states: IntArray, player: int) -> BoolArray:  # noqa: ARG002
        """Return the legal moves of the side to move."""
        judged = judge(self.boards(np.asarray(states)), self.k)
        return self._mask(states, judged.case[judged.legal], judged.move[judged.legal])

    def tries(self, states: IntArray, player: int) -> BoolArray:  # noqa: ARG002
        """Return what the side to move may try, as its own men and the pawn tries heard allow."""
        judged = judge(self.boards(np.asarray(states)), self.k)
        return self._mask(states, judged.case, judged.move)

    def _mask(self, states: IntArray, case: IntArray, move: IntArray) -> BoolArray:
        mask = np.zeros((len(states), len(self.actions)), dtype=bool)
        mask[case, self.action_of[move]] = True
        return mask

    def imagined(self, states: IntArray, player: int) -> FloatArray:
        """Return the uniform distribution over the legal moves."""
        legal = self.legal(states, player)
        chance: FloatArray = legal / legal.sum(axis=1, keepdims=True)
        return chance

    def alone(self, heard: IntArray) -> IntArray:
        """Return the announcement: whoever hears it understands all of it."""
        return heard

    def play(self, states: IntArray, actions: Actions) -> Outcomes:
        """Return what the referee makes of legal moves; both players hear the same."""
        action = actions[0] if actions[0] is not None else actions[1]
        where, which = np.unique(states, return_inverse=True)
        judged = judge(self.boards(where), self.k)
        key = judged.case * self.action_of.size + judged.move
        order = np.argsort(key)
        wanted = which * self.action_of.size + self.moves[action]
        found = order[np.searchsorted(key[order], wanted)]
        heard = judged.said[found]
        after = self.number(judged.board[found])
        return Outcomes(np.arange(heard.size), after, (heard, heard), np.zeros(heard.size))

    def _ending(self, states: IntArray) -> IntArray:
        out = np.zeros(len(states), dtype=np.int64)
        _endings(self.boards(np.asarray(states)), self.k, out)
        return out

    def over(self, states: IntArray) -> BoolArray:
        """Return where the game has ended: mate, stalemate or too few men to mate."""
        ended: BoolArray = self._ending(states) > 0
        return ended

    def winner(self, state: int) -> int | None:
        """Return who has mated."""
        mate = self._ending(np.array([state]))[0] == 1
        return 1 - self.turn(state) if mate else None

    def say(self, heard: int) -> str:
        """Return the referee's words."""
        return say(heard)

    def hears(self, words: str) -> int:
        """Return the number of an announcement."""
        return hears(words)

    def pieces(self, state: int, player: int) -> Mapping[str, str]:
        """Return where a player's men stand."""
        return men_on(self._boards[state], player)

    def describe(self, state: int) -> str:
        """Return the position in the first four fields of FEN."""
        return fen_of(self._boards[state], self.k)

    def read(self, text: str) -> int:
        """Return the state behind a written position; one that cannot be played is an error."""
        board = board_of(text, self.k)
        for side, colour in enumerate(self.players):
            if int(board[6 * side + KING]).bit_count() != 1:
                raise InvalidInput(f"{shown(text)} has not one {colour} king")
            men = len(men_on(board, side))
            if men > MOST_MEN:
                raise InvalidInput(f"{shown(text)} has {men} {colour} men; expected 16 at most")
        last = sum(0xFF << 8 * rank for rank in (0, self.size - 1))
        if (int(board[0]) | int(board[6])) & last:
            raise InvalidInput(f"{shown(text)} has a pawn on the first or last rank")
        waiting = 1 - (int(board[STATUS]) & 1)
        if exposed(board, waiting, self.k):
            raise InvalidInput(
                f"{shown(text)} leaves {self.players[waiting]}'s king to be captured: it is in "
                f"check, but it is {self.players[1 - waiting]}'s move"
            )
        state = int(self.number(board[None])[0])
        if self.over(np.array([state]))[0]:
            raise InvalidInput(f"{shown(text)} is a game already over: nothing to decide")
        return state


def men_on(board: Bits, player: int) -> Mapping[str, str]:
    """Return where a side's men stand on a board: ``{"e1": "K"}``."""
    found = {}
    for column in range(6 * player, 6 * player + 6):
        squares = int(board[column])
        while squares:
            low = squares & -squares
            found[square_name(low.bit_length() - 1)] = LETTERS[column]
            squares ^= low
    return found
