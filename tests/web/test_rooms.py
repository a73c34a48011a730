"""Games behind secrets: who gets in, how many there are, and what a seat's record says."""

from __future__ import annotations

import asyncio
import base64
import threading
from pathlib import Path

import numpy as np
import pytest

from ipomdp.errors import InvalidInput
from ipomdp.records import GameRecord, read_records, view
from ipomdp.seats.local import LocalCommunicator
from ipomdp.seats.table import Table
from ipomdp.web import rooms as rooms_module
from ipomdp.web.rooms import PERSON, Rooms, Wish
from ipomdp.web.seat import Seat
from ipomdp.web.views import record_of

TWO = Wish(opponent=PERSON)


def bits(secret: str) -> int:
    """Return how many bits a secret of this alphabet holds."""
    return 8 * len(base64.urlsafe_b64decode(secret + "=" * (-len(secret) % 4)))


def test_secrets_are_long_and_all_different() -> None:
    async def play() -> list[str]:
        rooms, found = Rooms(), []
        for _ in range(3):
            key = await rooms.open(TWO)
            room, _ = rooms.side(key) or pytest.fail("no room")
            invitation = room.invitation
            assert invitation is not None
            joined = await rooms.join(invitation)
            assert joined is not None
            found += [key, invitation, joined]
        return found

    secrets = asyncio.run(play())
    assert len(set(secrets)) == len(secrets)
    assert all(bits(secret) >= 128 for secret in secrets)


def test_an_invitation_is_for_one() -> None:
    async def play() -> None:
        rooms = Rooms()
        key = await rooms.open(TWO)
        room, side = rooms.side(key) or pytest.fail("no room")
        assert side == 0 and room.invitation is not None
        invitation = room.invitation
        assert rooms.invited(invitation) is room
        assert rooms.side(invitation) is None  # it opens nothing by itself
        lost = await rooms.join(invitation)  # whose page never comes to be
        assert lost is not None and rooms.invited(invitation) is room
        joined = await rooms.join(invitation)
        assert joined is not None and rooms.side(joined) == (room, 1)
        assert rooms.side(lost) is None  # nobody keeps a key to a side that another plays
        rooms.arrived(joined)
        assert await rooms.join(invitation) is None
        assert rooms.invited(invitation) is None
        rooms.arrived(joined)  # a page that is opened again changes nothing
        assert rooms.side(joined) == (room, 1)

    asyncio.run(play())


def test_there_is_room_for_so_many_games() -> None:
    async def play() -> None:
        rooms = Rooms(most=2)
        first, _ = [await rooms.open(TWO) for _ in range(2)]
        with pytest.raises(InvalidInput, match="2 games are being played"):
            await rooms.open(TWO)
        room, _ = rooms.side(first) or pytest.fail("no room")
        room.table.resign(0)
        with pytest.raises(InvalidInput, match="unknown player"):
            await rooms.open(Wish(opponent="nobody"))
        assert rooms.side(first)  # nothing is dropped for a wish that cannot be granted
        assert await rooms.open(TWO)  # a game that is over makes room
        assert rooms.side(first) is None

    asyncio.run(play())


def test_a_forgotten_game_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        rooms = Rooms(most=1)
        first = await rooms.open(TWO)
        with pytest.raises(InvalidInput):
            await rooms.open(TWO)
        room, side = rooms.side(first) or pytest.fail("no room")
        told: list[str] = []
        room.seats[side].subscribers.append(lambda: told.append(room.seats[side].verdict))
        monkeypatch.setattr(rooms_module, "FORGOTTEN", 0.0)
        assert await rooms.open(TWO)
        assert rooms.side(first) is None
        assert told == ["The server has given this game up."]
        assert not room.seats[side].open

    asyncio.run(play())


@pytest.mark.parametrize("opponent", ["nobody", "ipomdp:level=9", "hs:boards=0"])
def test_a_player_that_is_none_is_refused(opponent: str) -> None:
    with pytest.raises(InvalidInput):
        asyncio.run(Rooms().open(Wish(opponent=opponent)))


def test_a_whole_game_is_given_out_after_the_end_alone() -> None:
    async def play() -> None:
        rooms = Rooms()
        room, _ = rooms.side(await rooms.open(TWO)) or pytest.fail("no room")
        assert room.record() is None
        room.table.resign(1)
        whole = room.record()
        assert whole is not None and whole.outcome == "1-0"

    asyncio.run(play())


def test_finished_games_are_kept_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"

    async def play() -> None:
        rooms = Rooms(keep=file)
        for _ in range(2):
            room, _ = rooms.side(await rooms.open(TWO)) or pytest.fail("no room")
            assert room.table.attempt(int(room.table.tries(0)[-1])) is not None
            room.table.resign(1)
        unfinished = await rooms.open(TWO)
        assert rooms.side(unfinished)

    asyncio.run(play())
    games, problems = read_records(file)
    assert [game.outcome for game in games] == ["1-0", "1-0"] and not problems


@pytest.mark.parametrize("board", ["4x4", "8x8"])
@pytest.mark.parametrize("side", [0, 1])
def test_a_seat_writes_the_record_that_its_side_may_see(board: str, side: int) -> None:
    from ipomdp.players.roster import board_game

    async def play() -> tuple[Table, Seat]:
        table = Table(board_game(board), longest=24)
        seat = Seat(LocalCommunicator(table, side), 0)
        rng = np.random.default_rng(board == "8x8")
        while table.result is None:
            table.attempt(int(rng.choice(table.tries(table.mover))))
        await seat.run()
        return table, seat

    table, seat = asyncio.run(play())
    assert table.result is not None
    white, black = ("person", "") if side == 0 else ("", "person")
    whole = GameRecord(game=table.game, result=table.result, white=white, black=black)
    assert record_of(seat) == view(whole, ("white", "black")[side])


def test_a_player_that_fails_loses_and_the_game_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    from ipomdp.players.chance import RandomPlayer

    def fail(*_: object) -> int:
        raise RuntimeError("no idea")

    monkeypatch.setattr(RandomPlayer, "propose", fail)

    async def play() -> None:
        rooms = Rooms()
        key = await rooms.open(Wish(opponent="random", side=1))
        room, side = rooms.side(key) or pytest.fail("no room")
        seat = room.seats[side]
        over = asyncio.Event()
        seat.subscribers.append(lambda: over.set() if seat.ended else None)
        if seat.ended is None:
            await over.wait()
        assert seat.verdict == "White could not go on: you win."
        assert room.table.result is not None
        assert "no idea" in room.table.result.detail
        assert all("idea" not in words for _, words in seat.log)

    asyncio.run(play())


def test_what_fails_beside_a_game_does_not_stop_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("no idea")

    monkeypatch.setattr("ipomdp.tokens.message.last_message", fail)
    monkeypatch.setattr("ipomdp.web.seat.make_player", fail)

    async def play() -> None:
        rooms = Rooms()
        room, side = rooms.side(await rooms.open(TWO)) or pytest.fail("no room")
        seat, moved = room.seats[side], asyncio.Event()
        seat.subscribers += [fail, moved.set]
        await seat.attempt(next(iter(seat.open)))
        await moved.wait()
        assert len(seat.log) == 2
        assert seat.subscribers == [moved.set]  # a page that fails is not told again
        assert "no idea" in seat.problem

    asyncio.run(play())


def test_players_who_think_long_keep_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    from ipomdp.players.chance import RandomPlayer

    done = threading.Event()
    monkeypatch.setattr(RandomPlayer, "propose", lambda *_: done.wait(60))

    async def play() -> None:
        rooms = Rooms()
        for _ in range(20):  # more than the threads of the program's usual pool
            await asyncio.wait_for(rooms.open(Wish(opponent="random", side=1)), 30)
        done.set()

    asyncio.run(play())
