"""Lines, boards, units and announcements on the wire: what is sent is what is read."""

from __future__ import annotations

import itertools
import random
import re

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ipomdp.ics import heard, style12, units, words
from ipomdp.ics.blocks import LARGEST, Block, Blocks, Prompt
from ipomdp.ics.lines import Line, Splitter, TooLong
from ipomdp.ics.style12 import Board12
from ipomdp.ics.units import Unit
from ipomdp.players.roster import board_game
from ipomdp.seats.hearing import Hearing
from ipomdp.wild16.words import say

STREAM = (
    b"\xff\xfb\x01Welcome\r\n\r\nlogin: \r\npassword: \r\n\xff\xfa\x18\x00xyz\xff\xf0"
    b"**** hello ****\r\nfics% \r\nBlack's move\r\n<12> board\r\nfics% \x19[2 bob\r\nIllegal move"
    b"\r\n\x19]\x19[101 al hi there\x19]"
)
BLOCKS = [
    Block(("Welcome",)), Prompt("login:"), Prompt("password:"), Block(("**** hello ****",)),
    Prompt("fics%"), Block(("Black's move", "<12> board")), Prompt("fics%"),
    Block(("Illegal move",), 2), Block(("hi there",), 101),
]  # fmt: skip


def cut_at(stream: bytes, cuts: list[int]) -> list[bytes]:
    edges = [0, *sorted(cuts), len(stream)]
    return [stream[a:b] for a, b in itertools.pairwise(edges)]


@given(st.lists(st.integers(0, len(STREAM)), max_size=40))
def test_however_a_stream_is_cut_it_says_the_same(cuts: list[int]) -> None:
    splitter, blocks = Splitter(prompts=True), Blocks()
    found = [b for part in cut_at(STREAM, cuts) for b in blocks.feed(splitter.feed(part))]
    assert found == BLOCKS


def test_single_bytes_say_the_same() -> None:
    splitter, blocks = Splitter(prompts=True), Blocks()
    parts = [bytes([byte]) for byte in STREAM]
    assert [b for part in parts for b in blocks.feed(splitter.feed(part))] == BLOCKS


@given(st.lists(st.binary(max_size=30), max_size=20))
def test_any_bytes_are_lines_without_control_characters(parts: list[bytes]) -> None:
    for prompts in (False, True):
        splitter = Splitter(prompts=prompts)
        for part in parts:
            for line in splitter.feed(part):
                assert line.text.replace("\x19", "").isprintable()


def test_telnet_commands_are_taken_out_and_a_doubled_one_is_meant() -> None:
    splitter = Splitter()
    assert splitter.feed(b"a\xff\xfd\x01b\xff\xff\xff\xf9c\r\n") == [Line("ab�c")]


def test_a_line_that_never_ends_is_not_kept() -> None:
    splitter, blocks = Splitter(longest=4096), Blocks()
    for _ in range(4):
        assert splitter.feed(b"x" * 1000) == []
    with pytest.raises(TooLong, match="4096"):
        splitter.feed(b"x" * 1000)
    with pytest.raises(TooLong, match="4096"):
        splitter.feed(b"x" * (8 << 20))
    assert splitter._left == b""
    with pytest.raises(TooLong, match="without an end"):
        blocks.feed([Line("y" * 1000)] * (LARGEST // 1000 + 1))


PLAIN = st.text(st.characters(min_codepoint=32, max_codepoint=126))


@given(
    st.integers(0, 9999),
    st.from_regex(r"[A-Za-z0-9]{1,17}", fullmatch=True),
    st.lists(PLAIN, max_size=4),
)
def test_units_are_read_as_they_are_written(number: int, player: str, lines: list[str]) -> None:
    unit = Unit(number, player, "\n".join(lines))
    assert units.decode(units.encode(unit)) == unit


def test_units_as_the_paper_prints_them() -> None:
    assert units.decode("[101 Fred Hello [there]") == Unit(101, "Fred", "Hello [there")
    assert units.decode("[2 Fred]") == Unit(2, "Fred", "")
    assert units.decode("[Fred hello]") is None
    assert units.decode("no [2 Fred x]") is None


# boards


@pytest.mark.parametrize("seed", range(20))
def test_boards_are_read_as_they_are_written(seed: int) -> None:
    """Squares and turn by python-chess; the other fields are drawn."""
    rng, board = random.Random(seed), chess.Board()  # noqa: S311
    for _ in range(rng.randrange(80)):
        if moves := list(board.legal_moves):
            board.push(rng.choice(moves))
    pieces = {chess.square_name(s): p.symbol() for s, p in board.piece_map().items()}
    sent = Board12(
        ranks=style12.ranks_of(pieces), turn=int(not board.turn), number=rng.randrange(1000),
        castling=(True, False, False, True), names=("alice", "bob"), relation=rng.choice((1, -1)),
        move_number=board.fullmove_number, double_step=rng.randrange(-1, 8),
        irreversible=rng.randrange(100), minutes=5, increment=12, strength=(39, 12),
        clocks=(300, 1), long_move="P/e2-e4", elapsed="(0:07)", move="e4", flip=rng.random() < 0.5,
    )  # fmt: skip
    line = style12.encode(sent)
    read = style12.decode(line)
    assert read == sent
    assert read.pieces == pieces
    assert read.ply == board.ply()
    assert read.side == (sent.turn if sent.relation == 1 else 1 - sent.turn)
    placed = re.sub("-+", lambda empty: str(len(empty[0])), "/".join(line.split()[1:9]))
    assert chess.Board(f"{placed} w - - 0 1").board_fen() == board.board_fen()
    assert style12.decode(f"{line} 1 0 0") == sent  # what newer servers add


BOARD = style12.encode(
    Board12(ranks=("--------",) * 8, turn=0, castling=(False,) * 4, number=1, names=("a", "b"),
            relation=1, move_number=1)
)  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "", "<12>", "<12> " + "x " * 40, BOARD.replace("--------", "-------", 1),
        BOARD.replace(" W ", " X "), BOARD.replace(" a b 1 ", " a b one "),
        BOARD.replace(" 1 none", " 0 none"),
        BOARD.replace(" a b 1 ", f" a b {'9' * 5000} "), BOARD.rsplit(" ", 2)[0],
    ],
)  # fmt: skip
def test_what_is_no_board_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="not"):
        style12.decode(line)


# announcements


def all_announcements() -> list[int]:
    """Every number that the referee's fields allow, whether or not a game can lead to it."""
    captures = [0, *(kind << 13 | square << 15 for kind in (1, 2) for square in range(64))]
    checks = [0, *(a << 7 | b << 10 for a in range(1, 6) for b in (0, *range(a, 6)))]
    rest = [*range(32), *(ending << 5 for ending in (1, 2, 3))]
    return [c | k | r for c in captures for k in checks for r in rest]


def test_every_announcement_is_understood_as_it_was_meant() -> None:
    game = board_game("8x8")
    checked = 0
    for said in all_announcements():
        lines = words.spoken(said)
        parts = [part for line in lines for part in (words.announced(line) or ("?",))]
        assert words.said_in(parts) == said
        hearing = Hearing(action=None, heard=said)
        assert heard.entries(heard.listed(1, game, [hearing]), game) == (hearing,)
        checked += 1
    assert checked == 129 * 21 * 35


@pytest.mark.parametrize(
    ("spoken", "ours"),
    [
        ("Pawn at e5 captured", "Pawn captured in e5"),
        ("Piece at d4 captured.", "Piece captured in d4"),
        ("File check", "Check by File"),
        ("File check, Long diagonal check", "Check by File, Check by Long Diagonal"),
        ("Short-diagonal check", "Check by Short Diagonal"),
        ("Knight check", "Check by Knight"),
        ("rank check; 2 pawn tries", "Check by Rank, 2 pawn tries"),
        ("1 pawn tries", "1 pawn try"),
        ("0 pawn tries", "Silent"),
        ("Black's move", "Silent"),
        ("Checkmate", "Checkmate"),
    ],
)
def test_what_a_referee_says_is_what_ours_says(spoken: str, ours: str) -> None:
    parts = words.announced(spoken)
    assert parts is not None
    assert say(words.said_in(parts)) == ours


@pytest.mark.parametrize(
    "line",
    [
        "bob tells you: Pawn at e5 captured",
        "Pawn at e9 captured",
        "check",
        "Bishop check",
        "",
        "e4",
    ],
)
def test_other_lines_announce_nothing(line: str) -> None:
    assert words.announced(line) is None


@pytest.mark.parametrize(
    "parts",
    [
        ["Pawn at e5 captured"] * 2,
        ["File check"] * 3,
        ["1 pawn try", "2 pawn tries"],
        ["40 pawn tries"],
        ["hello"],
    ],
)
def test_contradictions_are_not_understood(parts: list[str]) -> None:
    with pytest.raises(ValueError, match=r"twice|many|not an"):
        words.said_in(parts)


REASONS = {
    "checkmate": (0, 1), "resigned": (0, 1), "time": (0, 1), "crash": (0, 1),
    "stalemate": (None,), "draw": (None,), "agreed": (None,), "length": (None,),
    "unfinished": (None,),
}  # fmt: skip


@pytest.mark.parametrize("names", [("alice", "bob"), ("time", "resigns")])
def test_every_end_is_understood(names: tuple[str, str]) -> None:
    for reason, winners in REASONS.items():
        for winner in winners:
            end = words.end_in(words.end_line(7, names, winner, reason))
            assert end == words.GameEnd(number=7, winner=winner, reason=reason)
    assert words.end_in(words.start_line(7, names)) is None


@pytest.mark.parametrize(
    ("line", "winner", "reason"),
    [
        ("{Game 12 (al vs. bo) White checkmated} 0-1", 1, "checkmate"),
        ("{Game 12 (al vs. bo) Black forfeits on time} 1-0", 0, "time"),
        ("{Game 12 (al vs. bo) Something else} 1/2-1/2", None, "draw"),
        ("{Game 12 (al vs. bo) Game adjourned by mutual agreement} *", None, "unfinished"),
    ],
)
def test_ends_in_the_words_of_other_servers(line: str, winner: int | None, reason: str) -> None:
    assert words.end_in(line) == words.GameEnd(number=12, winner=winner, reason=reason)
