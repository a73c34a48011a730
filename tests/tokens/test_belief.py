"""Tokens by a belief: sums over its boards, and certain only where no board is missing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np
import pytest

from ipomdp.game import BoardGame
from ipomdp.players.exact import ExactPlayer
from ipomdp.players.particle import ParticlePlayer
from ipomdp.players.player import Thinker
from ipomdp.players.roster import board_game
from ipomdp.seats.hearing import Hearing, tell
from ipomdp.seats.knowledge import Knowledge
from ipomdp.seats.table import Table
from ipomdp.tokens.belief import from_belief
from ipomdp.tokens.message import last_message
from ipomdp.tokens.token import Token
from ipomdp.wild16.bridge import Bridge
from tests import mailbox
from tests.consistent import Consistent, in_bytes
from tests.positions import playable

Squares = dict[tuple[str, str], float]


class Sat:
    """A thinker at a table, what its seat knows, and every state that fits."""

    def __init__(self, game: BoardGame, thinker: Thinker, side: int, start: int) -> None:
        self.thinker, self.knows = thinker, Knowledge(game, side, start)
        self.fits = Consistent(game, side, start) if game.size == 4 else None
        thinker.begin(side, start, np.random.default_rng(side))

    def hear(self, hearing: Hearing) -> None:
        """Tell everybody one thing that the side did or heard."""
        tell(self.thinker, hearing)
        self.knows.add(hearing)
        if self.fits is None:
            return
        if hearing.action is None:
            self.fits.heard(hearing.heard or 0)
        elif hearing.heard is None:
            self.fits.refused(hearing.action)
        else:
            self.fits.moved(hearing.action, hearing.heard)

    def tokens(self) -> tuple[Token, ...]:
        """Return the tokens of what the thinker believes."""
        boards, weights, exact = self.thinker.worlds()
        assert weights.sum() == pytest.approx(1) and len(boards) == len(weights)
        return from_belief(self.knows, boards, weights, exact=exact)


def moments(game: BoardGame, thinkers: list[Thinker], seed: int, most: int) -> Iterator[Sat]:
    """Play tries at random between two thinkers that only listen; yield both after each."""
    rng, table = np.random.default_rng(seed), Table(game, longest=most)
    seats = [Sat(game, t, side, table.start) for side, t in enumerate(thinkers)]
    while table.result is None:
        table.attempt(int(rng.choice(table.tries(table.mover))))
        for side, sat in enumerate(seats):
            for hearing in table.known(side)[len(sat.knows.hearings) :]:
                sat.hear(hearing)
            if not sat.knows.over:
                yield sat


def named(square: mailbox.Square) -> str:
    return "abcdefgh"[square[0]] + str(square[1] + 1)


def men_of(game: BoardGame, state: int, side: int) -> set[tuple[str, str]]:
    """Return what tokens a position would justify: (kind, square), by mailbox."""
    men, white_moves = mailbox.parse(game.describe(state))
    white = side == 0
    theirs = [s for s, letter in men.items() if mailbox.mine(letter, not white)]
    own = next(s for s, letter in men.items() if letter == ("K" if white else "k"))
    found = {("piece", named(s)) for s in theirs}
    found |= {("king", named(s)) for s in theirs if men[s] in "Kk"}
    if white_moves == white:
        for s in theirs:
            hits = mailbox.pawn_targets(game.size, s, not white) if men[s] in "Pp" else None
            if own in (mailbox.reach(men, game.size, s) if hits is None else hits):
                found.add(("check", named(s)))
    return found


@pytest.mark.parametrize("seed", range(6))
def test_on_4x4_tokens_are_sums_over_positions(seed: int) -> None:
    game = board_game("4x4")
    thinkers: list[Thinker] = [ExactPlayer(game, level=1), ExactPlayer(game, level=0)]
    solid = 0
    for sat in moments(game, thinkers, seed, 16):
        thinker, side = sat.thinker, sat.knows.side
        assert isinstance(thinker, ExactPlayer) and sat.fits is not None
        expected: Squares = {}
        for state, weight in thinker.positions().items():
            for key in men_of(game, state, side):
                expected[key] = expected.get(key, 0.0) + weight
        tokens = sat.tokens()
        found: dict[tuple[str, str], Token] = {(t.kind, t.square): t for t in tokens}
        assert found.keys() == expected.keys()
        for key, token in found.items():
            most = 1.0 if token.certain else 0.99
            assert token.probability == pytest.approx(min(expected[key], most))
        always = [men_of(game, int(state), side) for state in sat.fits.states]
        assert {k for k, t in found.items() if t.certain} == set.intersection(*always)
        solid += sum(t.certain for t in tokens)
    assert solid


@pytest.mark.parametrize("board", ["4x4", "4x4-pawns"])
def test_the_boards_of_an_exact_belief_are_all_that_fit(board: str) -> None:
    game, exact = board_game(board), 0
    thinkers: list[Thinker] = [ParticlePlayer(game, particles=500) for _ in range(2)]
    for sat in moments(game, thinkers, 1, 14):
        worlds = sat.thinker.worlds()
        assert len(in_bytes(worlds.boards)) == len(worlds.boards)
        if worlds.exact:
            exact += 1
            assert sat.fits is not None
            assert in_bytes(worlds.boards) == sat.fits.boards()
    assert exact


def test_a_player_that_excludes_moves_is_never_exact() -> None:
    game = board_game("8x8")
    player = ParticlePlayer(game, random=0.0)
    player.begin(0, game.start, np.random.default_rng(0))
    assert not player.worlds().exact


@pytest.mark.parametrize("board", ["4x4", "8x8"])
def test_what_is_sampled_is_never_solid_by_itself(board: str) -> None:
    game, sampled, sure = board_game(board), 0, 0
    thinkers: list[Thinker] = [ParticlePlayer(game, particles=10) for _ in range(2)]
    for sat in chain.from_iterable(moments(game, thinkers, seed, 24) for seed in range(6)):
        if sat.thinker.worlds().exact:
            continue
        sampled += 1
        tokens = sat.tokens()
        proved = {(t.kind, t.square) for t in last_message(sat.knows) if t.certain}
        assert {(t.kind, t.square) for t in tokens if t.certain} == proved
        assert all(t.probability < 1 for t in tokens if not t.certain)
        sure += any(t.probability == 0.99 for t in tokens)
    assert sampled and sure


def test_what_a_sample_has_lost_the_message_still_proves() -> None:
    """A board without the man that has just captured does not take its token away."""
    game = board_game("8x8")
    table = Table(game, start=game.read("4k3/7p/8/8/8/6b1/7P/K7 b - -"))
    knows = Knowledge(game, 0, table.start)
    table.attempt(game.actions.index("g3h2"))
    for hearing in table.known(0):
        knows.add(hearing)
    wrong = Bridge(game).board(game.read("4k3/7p/8/8/8/8/8/K7 w - -"))
    tokens = from_belief(knows, wrong[None], np.ones(1), exact=False)
    found = {(t.kind, t.square): t for t in tokens}
    assert found["piece", "h2"] == Token(kind="piece", square="h2", probability=1.0, certain=True)
    assert not found["piece", "h7"].certain and found["piece", "h7"].probability == 0.99


def test_the_boards_behind_states_all_at_once() -> None:
    game = board_game("4x4")
    bridge, states = Bridge(game), np.random.default_rng(0).choice(playable(), 500)
    one_by_one = np.array([bridge.board(int(state)) for state in states])
    assert (bridge.boards(states) == one_by_one).all()
