"""What advice on big boards tells beside worth, against a slow recomputation by python-chess."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from math import exp, log2

import chess
import numpy as np
import pytest

from ipomdp.arena.match import play_game
from ipomdp.errors import InvalidInput
from ipomdp.game import BoardGame, IntArray
from ipomdp.players.bits import LISTENED, Listening, evenly, listened, missing
from ipomdp.players.particle import ParticlePlayer
from ipomdp.players.roster import board_game, make_player
from ipomdp.show.explanation_text import sentences
from ipomdp.wild16.bits import Bits
from ipomdp.wild16.evaluate import MIRROR, PLACES, WORTH
from ipomdp.wild16.words import fen_of
from tests import mailbox
from tests.test_advice_4x4 import assert_sound, entropy, per_letter

LATE = "4k3/3p4/8/8/8/8/4P3/R3K3 w"
"""A late position, from which games are told."""
Men = dict[chess.Square, chess.Piece]


def tries_in(game: BoardGame, state: int) -> IntArray:
    found: IntArray = np.flatnonzero(game.tries(np.array([state]), game.turn(state))[0])
    return found


def told(
    me: ParticlePlayer, start: int, seed: int, plies: int, side: int = 0
) -> Iterator[IntArray]:
    """Tell a player a game at random, refusals included; yield its tries."""
    game, rng, state = me.game, np.random.default_rng(seed), start
    me.begin(side, start, np.random.default_rng(9))
    for _ in range(plies):
        mover, here = game.turn(state), np.array([state])
        legal, tries = game.legal(here, mover)[0], tries_in(game, state)
        action = int(rng.choice(np.flatnonzero(legal)))
        if mover == side:
            wrong = tries[~legal[tries]][:1]
            for refused in wrong.tolist():
                me.refused(refused)
            yield np.setdiff1d(tries, wrong)
        act = np.array([action])
        out = game.play(here, (act, None) if mover == 0 else (None, act))
        heard, state = int(out.heard[0][0]), int(out.successor[0])
        if mover == side:
            me.moved(action, heard)
        else:
            me.heard(heard)
        if game.over(np.array([state]))[0]:
            return


# The slow way.


def to_mover(board: chess.Board) -> list[str]:
    """Return what is said of the side to move: its checks, and its pawn tries."""
    king = board.king(board.turn)
    assert king is not None
    place = (chess.square_file(king), chess.square_rank(king))
    order = ("File", "Rank", "Long Diagonal", "Short Diagonal", "Knight")
    lines = [
        mailbox.line(8, place, (chess.square_file(s), chess.square_rank(s)))
        for s in board.checkers()
    ]
    parts = [f"Check by {line}" for line in sorted(lines, key=order.index)]
    if board.is_checkmate():
        return [*parts, "Checkmate"]
    if board.is_stalemate():
        return [*parts, "Stalemate"]
    if board.is_insufficient_material():
        return [*parts, "Draw"]
    tries = {
        (m.from_square, m.to_square)
        for m in board.legal_moves
        if board.is_capture(m) and board.piece_type_at(m.from_square) == chess.PAWN
    }
    return parts + ([f"{len(tries)} pawn {'try' if len(tries) == 1 else 'tries'}"] if tries else [])


def said_of(board: chess.Board, move: chess.Move) -> str:
    """Return what the referee says of a legal move."""
    parts = []
    if board.is_capture(move):
        where = move.to_square
        if board.is_en_passant(move):
            where = chess.square(chess.square_file(where), chess.square_rank(move.from_square))
        taken = board.piece_type_at(where)
        kind = "Pawn" if taken == chess.PAWN else "Piece"
        parts = [f"{kind} captured in {chess.square_name(where)}"]
    after = board.copy()
    after.push(move)
    return ", ".join(parts + to_mover(after)) or "Silent"


def in_chess(board: Bits) -> chess.Board:
    return chess.Board(f"{fen_of(board, 2)} 0 1")


def men_of(board: chess.Board, colour: chess.Color) -> Men:
    return {s: p for s, p in board.piece_map().items() if p.color == colour}


def inclined(board: chess.Board, move: chess.Move) -> float:
    """Return how good a move seems to one who thinks of places alone, by the tables."""
    kind = board.piece_type_at(move.from_square)
    assert kind is not None
    squares = [move.from_square, move.to_square]
    if board.turn == chess.BLACK:
        squares = [int(MIRROR[2, s]) for s in squares]
    gain = float(PLACES[2, 0, kind - 1, squares[1]] - PLACES[2, 0, kind - 1, squares[0]])
    taking = board.piece_at(move.to_square) is not None
    return gain - (float(WORTH[kind - 1]) / 10 if taking else 0.0)


def thoughts(
    board: chess.Board, cloud: list[chess.Board], rationality: float
) -> dict[str, dict[frozenset[tuple[int, str]], float]]:
    """Return what the other thinks: for each announcement, where our men then are, how likely."""
    mover, total = board.turn, 0.0
    found: dict[str, dict[frozenset[tuple[int, str]], float]] = {}
    theirs = men_of(board, not mover)
    for placement in cloud:
        ours = men_of(placement, mover)
        if ours.keys() & theirs.keys():
            continue
        whole = chess.Board(None)
        whole.set_piece_map({**ours, **theirs})
        whole.turn, whole.ep_square = mover, board.ep_square
        if whole.was_into_check() or to_mover(whole) != to_mover(board):
            continue
        moves = list(whole.legal_moves)
        weights = [exp(rationality * inclined(whole, m)) for m in moves]
        for move, weight in zip(moves, weights, strict=True):
            after = whole.copy()
            after.push(move)
            placed = frozenset((s, p.symbol()) for s, p in men_of(after, mover).items())
            there = found.setdefault(said_of(whole, move), {})
            there[placed] = there.get(placed, 0.0) + weight / sum(weights)
        total += 1.0
    return {s: {m: p / total for m, p in there.items()} for s, there in found.items()}


def slow_leak(
    boards: list[chess.Board], weights: list[float], cloud: list[chess.Board], name: str,
    rationality: float,
) -> float:  # fmt: skip
    """Return the bits that a try gives away, over the boards on which it is legal."""
    leak = legal = 0.0
    for board, weight in zip(boards, weights, strict=True):
        move = chess.Move.from_uci(name)
        if move not in board.legal_moves:
            continue
        thought = thoughts(board, cloud, rationality)
        before: dict[frozenset[tuple[int, str]], float] = {}
        for there in thought.values():
            for placed, chance in there.items():
                before[placed] = before.get(placed, 0.0) + chance
        after = list(thought[said_of(board, move)].values())
        left = entropy([chance / sum(after) for chance in after])
        leak += weight * (entropy(list(before.values())) - left)
        legal += weight
    return leak / legal


# Late in a game.


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_late_position_is_told_as_python_chess_tells_it(level: int, side: int) -> None:
    game = board_game("8x8")
    me = ParticlePlayer(game, level=level, rationality=0.01, particles=12, boards=5)
    start = game.read(LATE)
    tries = next(islice(told(me, start, 3, 20, side), 3, None))
    me.advice(tries)
    aside = me._aside()
    assert aside._looked is not None
    boards = [in_chess(board) for board in aside._looked.boards]
    weights = [float(weight) for weight in aside._looked.weights]
    rows = np.concatenate([aside.believing.cloud[:1], aside.believing.cloud[1::12]])
    aside.believing._cloud = np.ascontiguousarray(rows)  # fewer placements, for the slow way
    cloud = [in_chess(row) for row in rows]  # our men alone
    advice = me.advice(tries)
    assumed = 0.01 if level == 2 else 0.0
    for one in advice[:6]:
        name = game.actions[one.action]
        expected = slow_leak(boards, weights, cloud, name, assumed)
        assert one.leak_bits == pytest.approx(expected, abs=1e-9)
        refused = sum(
            w for b, w in zip(boards, weights, strict=True)
            if chess.Move.from_uci(name) not in b.legal_moves
        )  # fmt: skip
        bits = -log2(refused) if refused > 1e-9 else 0.0
        assert one.refusal_bits == pytest.approx(bits, abs=1e-6)
    assert any(one.leak_bits > 0.01 for one in advice)
    for one in advice[:3]:
        explained_slowly(me, one.action, boards, weights, cloud, assumed)


def add_places(
    places: dict[tuple[str, str], float],
    thought: dict[frozenset[tuple[int, str]], float],
    weight: float,
) -> None:
    for placed, chance in thought.items():
        for square, letter in placed:
            key = (chess.square_name(square), letter)
            places[key] = places.get(key, 0.0) + weight * chance


def explained_slowly(
    me: ParticlePlayer, action: int, boards: list[chess.Board], weights: list[float],
    cloud: list[chess.Board], rationality: float,
) -> None:  # fmt: skip
    """Compare an explanation with what python-chess finds on the boards looked at."""
    game, move = me.game, chess.Move.from_uci(me.game.actions[action])
    explanation = me.explain(action)
    said: dict[str, list[tuple[chess.Board, float]]] = {}
    for board, weight in zip(boards, weights, strict=True):
        if move in board.legal_moves:
            said.setdefault(said_of(board, move), []).append((board, weight))
    total = sum(weight for there in said.values() for _, weight in there)
    for one in explanation.announcements:
        there = said[game.say(one.heard)]
        share = sum(weight for _, weight in there)
        assert one.probability == pytest.approx(share / total)
        if one.over:
            continue
        expected: dict[tuple[str, str], float] = {}
        replies: dict[str, float] = {}
        for board, weight in there:
            thought = thoughts(board, cloud, rationality)[game.say(one.heard)]
            add_places(expected, thought, weight / share / sum(thought.values()))
            after = board.copy()
            after.push(move)
            for reply in after.legal_moves:
                part = weight / share / after.legal_moves.count()
                replies[reply.uci()] = replies.get(reply.uci(), 0.0) + part
        found = {(p.square, p.letter): p.probability for p in one.belief}
        assert found == pytest.approx(expected, abs=1e-9)
        assert {game.actions[r.action] for r in one.replies} <= replies.keys()
        if me._assumed.level == 0:  # the other moves at random
            for made in one.replies:
                likely = replies[game.actions[made.action]]
                assert made.probability == pytest.approx(likely, abs=1e-9)


# On every board.


@pytest.mark.parametrize(
    ("fen", "moves", "bits"),
    [
        ("7k/8/8/8/8/8/r7/2K5 w", {"c1b1", "c1d1"}, 0),  # whatever is done, nothing is said
        ("7k/8/8/8/8/3b4/3n4/K7 w", {"a1a2", "a1b2"}, 0),
        ("7k/8/8/8/8/8/3r4/K7 w", {"a1b1"}, 0),  # there is but one placement
        ("7k/8/8/8/8/8/r7/K7 w", {"a1a2", "a1b1"}, 1),  # a capture, or none: that tells all
    ],
)
def test_what_a_bare_king_gives_away(fen: str, moves: set[str], bits: float) -> None:
    game = board_game("8x8")
    me = ParticlePlayer(game)
    state = game.read(fen)
    me.begin(0, state, np.random.default_rng(0))
    advice = {game.actions[a.action]: a for a in me.advice(tries_in(game, state))}
    assert advice.keys() == moves
    assert {(a.refusal_bits, a.leak_bits) for a in advice.values()} == {(0.0, bits)}


def test_the_other_never_knows_less_for_having_listened() -> None:
    """By its own lights: over what it thinks may be said, entropy falls (mutual information)."""
    game, seen = board_game("8x8"), 0
    me = ParticlePlayer(game, particles=40, boards=10)
    for _ in told(me, game.start, 6, 20):
        me.belief()
        held = me._aside().believing
        listening = Listening(held.cloud, me._assumed, 2)
        for board in held.boards[:5]:
            thought = listening.foreseen(board)
            assert thought.chance.sum() == pytest.approx(1)
            before, after = missing(thought)
            left = sum(thought.chance[thought.said == s].sum() * bits for s, bits in after.items())
            assert before - left >= -1e-9
            seen += before - left > 0.01
    assert seen


@pytest.mark.parametrize("board", ["4x4-pawns", "6x6", "8x8"])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_tries_along_a_game_are_told(board: str, level: int) -> None:
    game = board_game(board)
    me = ParticlePlayer(game, level=level, particles=100, boards=40)
    asked = 0
    for tries in told(me, game.start, 4, 12):
        advice = me.advice(tries)
        assert all(np.isfinite(one.leak_bits) and one.refusal_bits >= 0 for one in advice)
        assert all(one.refusal_bits == 0 for one in advice if one.legal == 1)
        for one in advice[:2]:
            explanation = me.explain(one.action)
            assert explanation.advice == one
            assert_sound(explanation, "K")
            assert per_letter(explanation.after_refusal).get("k", 1.0) == pytest.approx(1)
            lines = sentences(game, 0, explanation)
            assert all(line.strip().endswith(".") for line in lines)
            fears = [r.attacked for a in explanation.announcements for r in a.replies]
            assert all((fear is None) == (level < 2) for fear in fears)
            asked += 1
    assert asked > 3


def test_a_pawn_that_would_be_refused_is_not_explained() -> None:
    game = board_game("8x8")
    me = ParticlePlayer(game, boards=10)
    me.begin(0, game.start, np.random.default_rng(0))
    with pytest.raises(InvalidInput, match="e2d3 is sure to be refused"):
        me.explain(game.actions.index("e2d3"))


def test_boards_are_picked_evenly_and_none_that_a_try_needs_is_left_out() -> None:
    weights = np.full(400, 1 / 400)
    picks, shares = evenly(weights, 100)
    assert (picks.size, shares.sum()) == (100, pytest.approx(1))
    assert set(np.diff(picks).tolist()) <= {3, 4, 5}
    few, same = evenly(np.array([1.0, 3.0]), 100)
    assert (few.tolist(), same.tolist()) == ([0, 1], [0.25, 0.75])
    legal = np.ones((400, 3), dtype=bool)
    rare = next(b for b in range(400) if b not in evenly(weights, LISTENED)[0])
    legal[:, 1], legal[:, 2] = False, False
    legal[rare, 1] = True
    chosen, _ = listened(weights, legal)
    assert rare in chosen


class Asked(ParticlePlayer):
    """Is asked everything before it proposes."""

    def propose(self, tries: IntArray, seconds: float | None = None) -> int:
        """Answer first."""
        self.belief()
        for one in self.advice(tries)[:2]:
            self.explain(one.action)
        return super().propose(tries, seconds)

    def refused(self, action: int) -> None:
        """Answer before it is told."""
        self.belief()
        super().refused(action)


@pytest.mark.parametrize("board", ["4x4-pawns", "6x6", "8x8"])
@pytest.mark.parametrize("particles", [20, 300])
def test_who_is_asked_plays_the_same_game(board: str, particles: int) -> None:
    game = board_game(board)
    for seed in range(2):
        results = []
        for kind in (ParticlePlayer, Asked):
            me = kind(game, particles=particles, boards=20)
            other = make_player("random", game)
            result = play_game(game, (me, other), np.random.default_rng(seed), longest=40)
            assert result.reason not in ("crash", "time"), result.detail
            held = me.believing
            results.append((result, held.lost, held.boards.tolist(), held.weights.tolist()))
        assert results[0] == results[1]
