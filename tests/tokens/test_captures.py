"""Captures by the other: sure at first, then fading; and what en passant makes of them."""

from __future__ import annotations

from ipomdp.players.roster import board_game
from ipomdp.seats.knowledge import Knowledge
from ipomdp.seats.table import Table
from ipomdp.tokens.message import last_message


def seen(fen: str, moves: str, side: int = 0) -> list[dict[str, tuple[float, bool]]]:
    """Return a side's piece tokens after each move."""
    game = board_game("8x8")
    table, found = Table(game, start=game.read(fen)), []
    knows = Knowledge(game, side, table.start)
    for move in moves.split():
        assert table.attempt(game.actions.index(move)) is not None
        for hearing in table.known(side)[len(knows.hearings) :]:
            knows.add(hearing)
        tokens = [t for t in last_message(knows) if t.kind == "piece"]
        found.append({t.square: (t.probability, t.certain) for t in tokens})
    return found


def test_a_capture_is_sure_then_fades_with_each_move_of_the_other() -> None:
    start = "4k2r/7p/8/8/8/8/N6P/K7 b - -"
    moves = "h7h6 h2h3 h8g8 a2b4 g8g1 a1b2 g1b1 b2c3"
    assert not any(seen(start, moves))
    start = "4k3/7p/8/8/8/6b1/7P/K7 b - -"
    after = seen(start, "g3h2 a1b1 h7h6 b1a1 h6h5 a1b1 h5h4 b1a1 h4h3")
    assert [tokens.get("h2") for tokens in after] == [
        (1.0, True), (1.0, True), (0.5, False), (0.5, False), (0.25, False), (0.25, False),
        (0.125, False), (0.125, False), None,
    ]  # fmt: skip


def test_an_own_man_that_comes_by_ends_it() -> None:
    start = "4k3/7p/8/8/8/6b1/7P/K5R1 b - -"
    after = seen(start, "g3h2 g1h1 h7h6 h1h2")
    assert after[2] == {"h2": (0.5, False)}
    assert after[3] == {}  # the rook has looked, and stands there
    start = "4k3/7p/8/8/8/6b1/7P/K6R b - -"
    after = seen(start, "g3h2 a1b1 h2g3 h1h5 e8e7")
    assert after[2] == {"h2": (0.5, False)}
    assert after[3] == after[4] == {}  # it has passed the square


def test_a_capture_that_may_be_en_passant_is_on_one_of_two_squares() -> None:
    start = "4k3/8/8/8/3p4/8/2P5/4K3 w - -"
    after = seen(start, "c2c4 d4c3")
    assert after[1] == {"c4": (0.5, False), "c3": (0.5, False)}
    after = seen("4k3/8/8/1n6/3p4/2P5/8/4K3 w - -", "c3c4 b5a3")
    assert after[1] == {}
    after = seen("4k3/8/8/3p4/8/2P5/8/4K3 w - -", "c3c4 d5c4")
    assert after[1] == {"c4": (1.0, True)}  # a single step cannot be taken so


def test_pawn_tries_of_the_other_are_not_drawn() -> None:
    after = seen("4k3/8/8/2p5/8/8/1P6/4K3 w - -", "b2b4")
    assert after == [{}]


def test_where_the_other_captured_counts_as_a_pawn_try() -> None:
    start = "4k3/8/8/3p4/2N5/1P1P4/8/6K1 b - -"
    after = seen(start, "d5c4")
    assert after == [{"c4": (1.0, True)}]  # both pawns can take it: two tries, and no more
