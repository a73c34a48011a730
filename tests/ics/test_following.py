"""A game followed from what other servers might send, and from what goes wrong."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ipomdp.ics.blocks import Block
from ipomdp.ics.client import IcsCommunicator
from ipomdp.ics.following import Following
from ipomdp.ics.login import Wishes
from ipomdp.ics.style12 import Board12, encode, ranks_of
from ipomdp.players.roster import board_game
from ipomdp.seats.communicator import Began, Ended, Event, Heard, Moved, Refused, Told
from tests.ics.wires import PATIENCE

GAME = board_game("8x8")
START = {f"{file}2": "P" for file in "abcdefgh"} | {
    f"{file}1": letter for file, letter in zip("abcdefgh", "RNBQKBNR", strict=True)
}
E4, D4 = (GAME.actions.index(name) for name in ("e2e4", "d2d4"))


def board(ply: int, pieces: dict[str, str] | None = None, number: int = 5) -> str:
    """Return the board that White is sent after some half-moves."""
    return encode(
        Board12(
            ranks=ranks_of(START if pieces is None else pieces), turn=ply % 2, number=number,
            castling=(True, True, False, False), names=("al", "bo"),
            relation=1 if ply % 2 == 0 else -1, move_number=ply // 2 + 1,
        )
    )  # fmt: skip


def moved(name: str, pieces: dict[str, str]) -> dict[str, str]:
    left = dict(pieces)
    left[name[2:4]] = left.pop(name[:2])
    return left


AFTER = moved("e2e4", START)


def begun() -> Following:
    following = Following(GAME)
    assert following.take([board(0)]) == [Began(game=GAME, side=0, start=GAME.start, other="bo")]
    return following


@pytest.mark.parametrize("first", [True, False], ids=["words first", "board first"])
def test_the_board_may_stand_before_or_after_the_words(first: bool) -> None:
    following = begun()
    following.pending = E4
    assert following.take([board(1, AFTER)]) == [Moved(action=E4, heard=0)]
    words = ["2 pawn tries", "Long-diagonal check"]
    lines = [*words, board(2, AFTER)] if first else [board(2, AFTER), *words]
    said = GAME.hears("Check by Long Diagonal, 2 pawn tries")
    assert following.take(lines) == [Heard(heard=said)]


def test_two_moves_at_once() -> None:
    following = begun()
    following.pending = E4
    lines = [board(1, AFTER), "1 pawn try", "White's move", board(2, AFTER)]
    assert following.take(lines) == [Moved(action=E4, heard=0), Heard(heard=1)]


def test_a_mate_that_only_the_last_line_tells() -> None:
    following = begun()
    following.pending = E4
    following.take([board(1, AFTER)])
    lines = ["Rank check", board(2, AFTER), "{Game 5 (al vs. bo) White checkmated} 0-1"]
    mate = GAME.hears("Check by Rank, Checkmate")
    assert following.take(lines) == [Heard(heard=mate), Ended(winner=1, reason="checkmate")]
    assert following.take([board(2, AFTER)]) == []  # shown again, after the end
    assert following.take([board(0, number=6)])  # another game


def test_words_that_contradict_each_other_are_asked_about() -> None:
    following = begun()
    following.pending = E4
    assert following.take(["1 pawn try", "2 pawn tries", board(1, AFTER)]) == []
    assert following.behind
    listed = ["Heard in game 5 (1):", ":e2e4 1 pawn try"]
    assert following.take(listed) == [Moved(action=E4, heard=1)]
    assert not following.behind and following.pending is None


def test_a_board_that_skips_a_move_is_asked_about() -> None:
    following = begun()
    assert following.take([board(2, AFTER)]) == []
    assert following.behind
    listed = ["Heard in game 5 (3):", ":d2d4 Illegal move", ":e2e4 Nothing", ":- 1 pawn try"]
    assert following.take(listed) == [
        Refused(action=D4), Moved(action=E4, heard=0), Heard(heard=1)
    ]  # fmt: skip


@pytest.mark.parametrize(
    "listed",
    [
        ["Heard in game 5 (1):", ":d2d4 Nothing"],
        ["Heard in game 5 (0):"],
        ["Heard in game 5 (2):", ":e2e4 Nothing"],
        ["Heard in game 5 (1):", ":e2e4 and then some"],
        ["Heard in game 5 (1):", ":e2e9 Nothing"],
        ["Heard in game 5 (2):", ":e2e4 Nothing", ":d2d4 Nothing"],
    ],
)
def test_a_list_that_denies_what_was_heard_ends_it(listed: list[str]) -> None:
    following = begun()
    following.pending = E4
    following.take([board(1, AFTER)])
    following.missed()
    assert following.take(listed) == []
    assert "the server's list" in following.failed


@pytest.mark.parametrize(
    "entry", [":- Nothing", ":e2e5 Nothing", ":a3b5 Nothing", ":e7e5 Nothing", ":e7e8q Nothing"]
)
def test_a_list_of_moves_that_cannot_be_made_ends_it(entry: str) -> None:
    following = begun()
    following.missed()
    assert following.take(["Heard in game 5 (1):", entry]) == []
    assert "makes no sense" in following.failed


LINES = st.one_of(
    st.builds(board, st.integers(0, 4), st.sampled_from((START, AFTER, {})), st.integers(4, 6)),
    st.sampled_from(
        ["Illegal move", "1 pawn try", "Knight check", "Checkmate", "Draw", "White's move",
         "Pawn at e4 captured", "Heard in game 5 (1):", "Heard in game 5 (2):", ":e2e4 Nothing",
         ":- Piece at e1 captured", ":d2d4 Illegal move", "bo offers you a draw.", "heard: what?",
         "{Game 5 (al vs. bo) White resigns} 0-1", "{Game 5 (al vs. bo) Continuing wild/16.}",
         "You have heard nothing: you are in no game.", "Challenge: x (1) y (2) wild/16", "<12> x"]
    ),
    st.text(max_size=30),
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.lists(LINES, max_size=4), st.booleans()), max_size=12))
def test_whatever_a_server_says_nothing_breaks(said: list[tuple[list[str], bool]]) -> None:
    line = IcsCommunicator("127.0.0.1", 1, GAME, Wishes())
    for lines, tries in said:
        line._take(Block(tuple(lines)))
        knows = line._following.knows
        if tries and knows is not None and knows.mine and line._following.pending is None:
            asyncio.run(line.attempt(int(knows.tries[0])))


def test_a_game_that_is_gone_has_ended() -> None:
    following = begun()
    following.missed()
    events = following.take(["You have heard nothing: you are in no game."])
    assert events == [Told(words="the game is gone"), Ended(winner=None, reason="unfinished")]


def test_without_a_list_a_game_goes_on_only_if_nothing_was_missed() -> None:
    following = begun()
    following.missed()
    following.take([board(0)])
    following.unlisted()
    assert not following.failed and not following.behind
    following.missed()
    following.take([board(2, AFTER)])
    following.unlisted()
    assert "missed" in following.failed


def test_another_game_than_kriegspiel_is_not_followed() -> None:
    (told,) = Following(GAME).take([board(0, START | {"e8": "k"})])
    assert isinstance(told, Told) and "not Kriegspiel" in told.words


def test_a_board_that_is_not_what_was_expected_is_told() -> None:
    following = begun()
    following.pending = E4
    events = following.take([board(1, moved("d2d4", START))])
    assert events[0] == Moved(action=E4, heard=0)
    assert events[1] == Told(words="the server's board is not what was expected")


def test_a_club_without_the_list_and_with_the_words_of_its_help() -> None:
    """The form of the words is the club's; the form of everything around them is a guess."""

    async def club(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def line() -> str:
            return (await reader.readline()).decode().strip()

        writer.write(b"\xff\xfb\x01Welcome to a club\r\n\r\nlogin: ")
        assert await line() == "guest"
        writer.write(b'Press return to enter the server as "guest12":')
        assert await line() == ""
        writer.write(b"\r\naics% ")
        orders = [await line() for _ in range(3)]
        assert orders == ["set style 12", "set level1 1", "match bo w16 white u"]
        writer.write(b"\x19[121 bo\n{Game 5 (al vs. bo) Creating unrated wild/16 match.}\n")
        writer.write(f"{board(0)}\n\x19]".encode())
        assert await line() == "d2d4"
        writer.write(b"\x19[2 al\nIllegal move\n\x19]")
        assert await line() == "e2e4"
        writer.write(f"\x19[2 al\nBlack's move\n{board(1, AFTER)}\n\x19]".encode())
        last = f"Pawn at e4 captured\n{board(2, {s: p for s, p in AFTER.items() if s != 'e4'})}"
        writer.write(f"\x19[2 bo\n{last}\n\x19]\x19[208 bo\n".encode())
        writer.write(b"{Game 5 (al vs. bo) Black resigns} 1-0\n\x19]")
        await line()
        writer.close()

    async def play() -> list[Event]:
        server = await asyncio.start_server(club, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        line = await IcsCommunicator.connect(
            "127.0.0.1", port, GAME, Wishes(match="bo", colour="white")
        )
        kept = []
        async with asyncio.timeout(PATIENCE):
            async for event in line.events():
                kept.append(event)
                if isinstance(event, Began | Refused):
                    await line.attempt(D4 if isinstance(event, Began) else E4)
                if isinstance(event, Ended):
                    break
        await line.close()
        server.close()
        await asyncio.sleep(0.1)
        return kept

    assert asyncio.run(play()) == [
        Began(game=GAME, side=0, start=GAME.start, other="bo"),
        Refused(action=D4),
        Moved(action=E4, heard=0),
        Heard(heard=GAME.hears("Pawn captured in e4")),
        Ended(winner=0, reason="resigned"),
    ]
