"""The referee of 8x8 Kriegspiel against other programs, and the filtering of beliefs.

Positions are those of games at random, the same for all programs, who must agree on them. Each time
is the median of repetitions in this run, of one core's own time: a long measurement would otherwise
lose more than a short one to whatever else runs. A ratio says how many times as fast ours is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

import chess
import numpy as np
import pyspiel
from kriegspiel.move import KriegspielMove, QuestionAnnouncement
from kriegspiel.wild16 import Wild16Game
from threadpoolctl import threadpool_limits

from ipomdp.wild16.bits import Bits
from ipomdp.wild16.game import Wild16
from ipomdp.wild16.referee import follow, judge
from ipomdp.wild16.words import fen_of, hears, move_name, say

GAMES, PLIES, EVERY = 40, 100, 4
"""Games, how long they last at most, and of how many positions one is taken."""
HEARD = ("Silent", "1 pawn try", "Pawn captured in d5", "Check by File")
LINES = ("File", "Rank", "Long Diagonal", "Short Diagonal", "Knight")


def timed(run: Callable[[], object], seconds: float = 1.0) -> float:
    """Return the median time of one run, repeated for about so many seconds."""
    times: list[float] = []
    while sum(times) < seconds and len(times) < 100:
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return median(times)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """One position, as each program holds it."""

    board: Bits
    open_spiel: pyspiel.State
    package: Wild16Game


def positions() -> Iterator[Position]:
    """Play games at random in all three programs; return some of their positions."""
    game, rng = Wild16("8x8"), np.random.default_rng(0)
    for _ in range(GAMES):
        board, played = game.boards(np.array([game.start])), list[str]()
        for ply in range(PLIES):
            judged = judge(board, game.k)
            legal = np.flatnonzero(judged.legal)
            if not legal.size or "Draw" in say(int(judged.said[legal[0]])):
                break
            if ply % EVERY == 0:
                fen = f"{fen_of(board[0], game.k)} 0 1"
                spiel = pyspiel.load_game("kriegspiel", {"fen": fen})
                yield Position(
                    board=board[0],
                    open_spiel=spiel.new_initial_state(),  # with no history that clones must copy
                    package=_replayed(played),
                )
            chosen = int(rng.choice(legal))
            played.append(move_name(int(judged.move[chosen])))
            board = judged.board[[chosen]]


def _replayed(played: list[str]) -> Wild16Game:
    package = Wild16Game()
    for name in played:
        move = chess.Move.from_uci(name)
        package.ask_for(KriegspielMove(QuestionAnnouncement.COMMON, move))
    return package


def by_cloning(some: list[Position], *, read: bool) -> tuple[int, int]:
    """Ask OpenSpiel: clone, apply, see who moves next and, if wanted, read what was said."""
    tries, legal = 0, 0
    for position in some:
        state = position.open_spiel
        mover = state.current_player()
        for action in state.legal_actions():
            child = state.clone()
            child.apply_action(action)
            tries, legal = tries + 1, legal + (child.current_player() != mover)
            if read:
                child.observation_string(mover)
    return tries, legal


def by_undoing(some: list[Position]) -> tuple[int, int]:
    """Ask OpenSpiel without a clone for each try."""
    tries, legal = 0, 0
    for position in some:
        state = position.open_spiel.clone()
        mover = state.current_player()
        for action in state.legal_actions():
            state.apply_action(action)
            tries, legal = tries + 1, legal + (state.current_player() != mover)
            state.undo_action(mover, action)
    return tries, legal


def by_package(some: list[Position]) -> tuple[int, int]:
    """Ask the `kriegspiel` package, each move taken back on its board: a copy costs far more."""
    tries, legal = 0, 0
    for position in some:
        game = position.package
        for question in game.possible_to_ask:
            answer = game._ask_for(question)  # noqa: SLF001
            if answer.move_done:
                game._board.pop()  # noqa: SLF001
                game._game_over = False  # noqa: SLF001
            tries, legal = tries + 1, legal + answer.move_done
    return tries, legal


def referees(some: list[Position]) -> None:
    """Print how many tries a second each program judges and announces."""
    boards, k = np.array([position.board for position in some]), Wild16("8x8").k
    judged = judge(boards, k)
    ours = judged.case.size / timed(lambda: judge(boards, k))
    print(f"\nEvery try of {len(some)} positions of random games judged and announced, one core")
    print(f"{'':46}{'tries/s':>12}{'ratio':>8}")
    print(f"{'ipomdp, in batch':46}{ours:12,.0f}{1:8.1f}")
    others: dict[str, Callable[[], tuple[int, int]]] = {
        "OpenSpiel, clone and apply": lambda: by_cloning(some, read=False),
        "OpenSpiel, clone, apply, read the announcement": lambda: by_cloning(some, read=True),
        "OpenSpiel, apply and undo": lambda: by_undoing(some),
        "kriegspiel package": lambda: by_package(some),
    }
    for name, ask in others.items():
        tries, legal = ask()
        if legal != judged.legal.sum():
            raise SystemExit(f"the programs disagree: {name} finds {legal} legal moves")
        theirs = tries / timed(ask)
        print(f"{name:46}{theirs:12,.0f}{ours / theirs:8.1f}")


def said_after(board: chess.Board, taken: str) -> str:
    """Return what wild 16 says after a move, in our words, by python-chess."""
    parts = [taken] if taken else []
    if checkers := board.checkers():
        king = board.king(board.turn)
        lines = sorted((line(king or 0, s) for s in checkers), key=LINES.index)
        parts += [f"Check by {name}" for name in lines]
    if not any(board.legal_moves):
        parts.append("Checkmate" if checkers else "Stalemate")
    elif board.is_insufficient_material():
        parts.append("Draw")
    else:
        takes = {
            (m.from_square, m.to_square)
            for m in board.generate_legal_captures(board.pawns & board.occupied_co[board.turn])
        }
        if takes:
            parts.append(f"{len(takes)} pawn {'try' if len(takes) == 1 else 'tries'}")
    return ", ".join(parts) or "Silent"


def line(king: int, attacker: int) -> str:
    """Return the line of a check."""
    x, y = chess.square_file(king), chess.square_rank(king)
    dx, dy = chess.square_file(attacker) - x, chess.square_rank(attacker) - y
    if dx == 0 or dy == 0:
        return "Rank" if dx else "File"
    if abs(dx) != abs(dy):
        return "Knight"
    rising_is_long = abs(x - y) < abs(x + y - 7)
    return "Long Diagonal" if (dx == dy) == rising_is_long else "Short Diagonal"


def by_python_chess(boards: list[chess.Board], heard: str) -> list[chess.Board]:
    """Return the boards after every move that is announced so; captures are looked at first."""
    found = []
    captured = heard.split(", ", maxsplit=1)[0] if "captured" in heard else ""
    for board in boards:
        for move in board.legal_moves:
            taken = ""
            if board.is_capture(move):
                pawn = board.piece_type_at(move.to_square) in (chess.PAWN, None)
                passing = board.is_en_passant(move)
                rank = chess.square_rank(move.from_square if passing else move.to_square)
                square = chess.square(chess.square_file(move.to_square), rank)
                taken = f"{'Pawn' if pawn else 'Piece'} captured in {chess.square_name(square)}"
            if taken == captured:
                board.push(move)
                if said_after(board, taken) == heard:
                    found.append(board.copy(stack=False))
                board.pop()
    return found


def filtering(some: list[Position]) -> None:
    """Print how many boards a second go through one move of the other that was announced."""
    k = Wild16("8x8").k
    boards = np.array([position.board for position in some])
    slow = [chess.Board(f"{fen_of(board, k)} 0 1") for board in boards]
    print(f"\nBelief filtering: {len(some)} boards through one move of the other, all successors")
    print("made and those announced so kept, one core")
    print(f"{'announced':24}{'kept':>8}{'ipomdp, boards/s':>20}{'python-chess':>16}{'ratio':>8}")
    for heard in HEARD:
        code = hears(heard)
        kept, theirs = follow(boards, code, k).case.size, len(by_python_chess(slow, heard))
        if kept != theirs:
            raise SystemExit(f"the programs disagree on {heard}: {kept} and {theirs} boards")
        fast = len(some) / timed(lambda said=code: follow(boards, said, k))  # type: ignore[misc]
        plain = len(some) / timed(lambda said=heard: by_python_chess(slow, said))  # type: ignore[misc]
        print(f"{heard:24}{kept:8,}{fast:20,.0f}{plain:16,.0f}{fast / plain:8.0f}")


def main() -> None:
    """Measure and print."""
    with threadpool_limits(1):
        some = list(positions())
        referees(some)
        filtering(some)


if __name__ == "__main__":
    main()
