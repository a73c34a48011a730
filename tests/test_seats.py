"""The table, what a seat knows of it, and the lines to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import numpy as np
import pytest

from ipomdp.arena.match import GameResult
from ipomdp.game import BoardGame, IntArray
from ipomdp.players.chance import RandomPlayer
from ipomdp.players.player import Advice
from ipomdp.players.roster import BOARDS, board_game, make_player
from ipomdp.records import read_record, record
from ipomdp.seats.communicator import Began, DrawOffered, Ended, Event, Heard, Moved, Refused
from ipomdp.seats.knowledge import Knowledge
from ipomdp.seats.local import LocalCommunicator
from ipomdp.seats.sitting import sit
from ipomdp.seats.table import Table
from tests.playing import Echo


def random_game(game: BoardGame, seed: int, longest: int = 120) -> tuple[Table, list[Knowledge]]:
    """Play tries drawn at random, and look at every moment what the seats make of it."""
    rng, table = np.random.default_rng(seed), Table(game, longest=longest)
    seats = [Knowledge(game, side, table.start) for side in (0, 1)]
    while table.result is None:
        table.attempt(int(rng.choice(table.tries(table.mover))))
        for side, seat in enumerate(seats):
            for hearing in table.known(side)[len(seat.hearings) :]:
                seat.add(hearing)
            assert seat.hearings == table.known(side)
            assert seat.pieces == table.pieces(side)
            if seat.mine:
                assert seat.refused == table.refused(side)
                assert seat.tries.tolist() == table.tries(side).tolist()
    return table, seats


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("seed", range(4))
def test_what_a_seat_knows_follows_from_what_it_heard(board: str, seed: int) -> None:
    table, seats = random_game(board_game(board), seed)
    assert table.result is not None
    by_rule = table.result.reason in ("checkmate", "stalemate", "draw")
    assert [seat.over for seat in seats] == [by_rule] * 2


def test_a_draw_is_offered_lapses_and_is_agreed() -> None:
    table = Table(board_game("4x4"))
    table.draw(0)
    table.draw(0)  # once more is the same
    assert table.offered == 0 and table.result is None
    qc2 = table.game.actions.index("Qc2")
    table.attempt(qc2)  # who offered may move on
    assert table.offered == 0
    table.attempt(int(np.flatnonzero(table.game.legal(np.array([table.so_far().final]), 1)[0])[0]))
    assert table.offered is None  # the other has, and so declined
    table.draw(1)
    table.draw(0)
    assert table.result is not None and table.result.reason == "agreed"
    table.resign(0)
    assert table.result.winner is None  # what is over stays so
    written = record(table.game, table.result)
    assert read_record(written).outcome == "1/2-1/2"


def test_nothing_is_tried_out_of_turn_or_after_the_end() -> None:
    table = Table(board_game("4x4"))
    with pytest.raises(ValueError, match="not among the open tries"):
        table.attempt(999)
    black = LocalCommunicator(table, 1)
    with pytest.raises(ValueError, match="other's turn"):
        asyncio.run(black.attempt(int(table.tries(0)[0])))
    table.resign(0)
    with pytest.raises(ValueError, match="over"):
        table.attempt(int(table.tries(0)[0]))


async def _events(line: LocalCommunicator) -> list[Event]:
    return [event async for event in line.events()]


def test_a_line_tells_a_side_what_it_heard_and_no_more() -> None:
    async def play() -> tuple[Table, list[Event], list[Event]]:
        table = Table(board_game("4x4"), longest=30)
        rng = np.random.default_rng(3)
        early = LocalCommunicator(table, 0, "somebody")
        while table.result is None:
            table.attempt(int(rng.choice(table.tries(table.mover))))
        late = LocalCommunicator(table, 0, "somebody")
        return table, await _events(early), await _events(late)

    table, early, late = asyncio.run(play())
    assert early == late
    assert isinstance(early[0], Began) and isinstance(early[-1], Ended)
    told = [
        (None, e.heard) if isinstance(e, Heard)
        else (e.action, None) if isinstance(e, Refused)
        else (e.action, e.heard)
        for e in early if isinstance(e, Heard | Moved | Refused)
    ]  # fmt: skip
    assert told == [(h.action, h.heard) for h in table.known(0)]


def sitting(*specs: str, board: str = "4x4", offer: int | None = None) -> GameResult:
    """Let two players sit at a table; one of them may have offered a draw."""

    async def play() -> GameResult:
        table = Table(board_game(board), longest=60)
        if offer is not None:
            table.draw(offer)
        lines = [LocalCommunicator(table, side) for side in (0, 1)]
        rngs = np.random.default_rng(0).spawn(2)
        players = [make_player(spec, table.game) for spec in specs]
        await asyncio.gather(
            *(sit(p, line, rng) for p, line, rng in zip(players, lines, rngs, strict=True))
        )
        assert table.result is not None
        return table.result

    return asyncio.run(play())


@pytest.mark.parametrize("board", ["4x4", "8x8"])
def test_players_sit_at_a_table_over_lines(board: str) -> None:
    result = sitting("ipomdp", "random", board=board)
    assert len(result.turns) > 0
    assert result.reason in ("checkmate", "stalemate", "draw", "length")


@pytest.mark.parametrize(("worth", "accepts"), [(-1.0, True), (0.0, True), (1.0, False)])
def test_who_expects_nothing_better_accepts_a_draw(worth: float, accepts: bool) -> None:
    class Judge(Echo):
        """Thinks the same of all tries."""

        def advice(self, tries: IntArray, seconds: float | None = None) -> tuple[Advice, ...]:
            return tuple(replace(a, value=worth) for a in super().advice(tries, seconds))

    async def play() -> GameResult:
        table = Table(board_game("4x4"), longest=6)
        table.draw(0)
        players = (make_player("random", table.game), Judge(table.game))
        rngs = np.random.default_rng(0).spawn(2)
        lines = [LocalCommunicator(table, side) for side in (0, 1)]
        await asyncio.gather(*map(sit, players, lines, rngs))
        assert table.result is not None
        return table.result

    assert (asyncio.run(play()).reason == "agreed") == accepts


def test_who_cannot_tell_what_its_tries_are_worth_plays_on() -> None:
    assert sitting("random", "random", offer=0).reason != "agreed"


def test_a_player_that_fails_is_heard_of() -> None:
    class Failing(RandomPlayer):
        def propose(self, *_: object) -> int:
            raise RuntimeError("no idea")

    async def play() -> None:
        table = Table(board_game("4x4"))
        await sit(Failing(table.game), LocalCommunicator(table, 0), np.random.default_rng(0))

    with pytest.raises(RuntimeError, match="no idea"):
        asyncio.run(play())


def test_a_draw_offered_is_told_to_both_sides() -> None:
    async def play() -> list[list[Event]]:
        table = Table(board_game("4x4"))
        lines = [LocalCommunicator(table, side) for side in (0, 1)]
        await lines[1].draw()
        await lines[0].draw()
        return [await _events(line) for line in lines]

    white, black = asyncio.run(play())
    assert DrawOffered(by_other=True) in white
    assert DrawOffered(by_other=False) in black
    assert white[-1] == black[-1] == Ended(winner=None, reason="agreed")


def test_a_line_that_breaks_is_heard_of() -> None:
    class Broken(LocalCommunicator):
        async def events(self) -> AsyncIterator[Event]:
            async for event in super().events():
                yield event
                raise ConnectionError("cut")

    async def play() -> None:
        table = Table(board_game("4x4"))
        await sit(RandomPlayer(table.game), Broken(table, 1), np.random.default_rng(0))

    with pytest.raises(ConnectionError, match="cut"):
        asyncio.run(play())
