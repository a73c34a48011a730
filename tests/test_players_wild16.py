"""The players that think in boards: whole games, what they believe, what tries are worth."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import numpy as np
import pytest

from ipomdp.arena.match import GameResult, Turn, play_game
from ipomdp.errors import InvalidInput
from ipomdp.fields import Field
from ipomdp.game import FloatArray, IntArray
from ipomdp.players import particle, sampling
from ipomdp.players.particle import ParticlePlayer, valued
from ipomdp.players.player import Player
from ipomdp.players.roster import board_game, make_player
from ipomdp.players.sampling import SamplingPlayer
from ipomdp.wild16.bridge import Bridge
from ipomdp.wild16.minds import RANDOM
from ipomdp.wild16.search import Valued
from ipomdp.wild16.words import fen_of
from tests.consistent import Consistent, assert_fits, in_bytes

BIG = ("4x4-pawns", "6x6", "8x8")
SAMPLING = ("los", "aosp", "hs")
UNTIMED = ("random", *(f"{name}:boards=10" for name in SAMPLING))
LEVELS = tuple(f"ipomdp:level={level},particles=60,boards=20" for level in (0, 1, 2))
PLAYING = [
    *((board, spec) for board in ("4x4", *BIG) for spec in UNTIMED),
    *((board, spec) for board in BIG for spec in LEVELS),
]


def played(
    board: str, specs: tuple[str, str], seed: int, *, seconds: float | None = None,
    longest: int = 60,
) -> GameResult:  # fmt: skip
    game = board_game(board)
    one, other = (make_player(spec, game) for spec in specs)
    result = play_game(
        game, (one, other), np.random.default_rng(seed), seconds=seconds, longest=longest
    )
    assert result.reason not in ("crash", "time"), result.detail
    return result


@pytest.mark.parametrize(("board", "spec"), PLAYING)
def test_it_plays_either_colour_and_the_same_game_from_the_same_seed(board: str, spec: str) -> None:
    """A try that is not open to it would be a crash."""
    for specs in ((spec, "random"), ("random", spec)):
        one, again = (played(board, specs, seed=3) for _ in range(2))
        assert one == again
        assert one.turns
    assert played(board, (spec, "random"), seed=4) != played(board, (spec, "random"), seed=5)


@pytest.mark.parametrize(("board", "spec"), PLAYING)
def test_it_plays_with_next_to_no_time(board: str, spec: str) -> None:
    played(board, (spec.partition(",particles")[0], "random"), 6, seconds=1e-4, longest=24)
    played(board, ("random", spec.partition(":boards")[0]), 7, seconds=0.01, longest=16)


@pytest.mark.slow
@pytest.mark.parametrize("board", ["4x4", *BIG])
def test_whole_games_of_players_against_each_other(board: str) -> None:
    names = (*SAMPLING, "ipomdp:level=0", "ipomdp:level=1", "ipomdp:level=2")
    for number, (one, other) in enumerate(zip(names, names[1:] + names[:1], strict=True)):
        played(board, (one, other), number, seconds=0.004, longest=300)


def test_a_player_may_begin_a_new_game() -> None:
    game = board_game("6x6")
    for spec in (*UNTIMED, LEVELS[1]):
        me, other = make_player(spec, game), make_player("random", game)
        results = [
            play_game(game, (me, other), np.random.default_rng(seed), longest=30)
            for seed in (1, 2, 1)
        ]
        assert results[0] == results[2], spec


# The pool.


class Watching(SamplingPlayer):
    """Compares its pool with all that the rules allow."""

    complete = True
    """Whether everything possible must be in the pool, or nothing else."""

    def begin(self, side: int, state: int, rng: np.random.Generator) -> None:
        """Start both."""
        super().begin(side, state, rng)
        self.possible = Consistent(self.game, side, state)
        self.sizes: list[int] = []

    def refused(self, action: int) -> None:
        """Tell both."""
        super().refused(action)
        self.possible.refused(action)

    def moved(self, action: int, heard: int) -> None:
        """Tell both."""
        super().moved(action, heard)
        self.possible.moved(action, heard)

    def heard(self, heard: int) -> None:
        """Tell both."""
        super().heard(heard)
        self.possible.heard(heard)

    def propose(self, tries: IntArray, seconds: float | None = None) -> int:
        """Compare, the other's move taken into account."""
        action = super().propose(tries, seconds)
        pool, possible = in_bytes(self._pool), self.possible.boards()
        assert len(pool) == self._pool.shape[0], "a board is there twice"
        assert pool == possible if self.complete else pool <= possible
        self.sizes.append(len(pool))
        return action


@pytest.mark.parametrize(
    ("board", "games", "longest", "largest"),
    [("4x4", 30, 60, 10), ("4x4-pawns", 20, 40, 10), ("6x6", 2, 8, 50), ("8x8", 2, 6, 100)],
)
def test_the_pool_holds_all_that_fits_what_was_heard_and_nothing_else(
    board: str, games: int, longest: int, largest: int
) -> None:
    game, sizes = board_game(board), list[int]()
    for number in range(games):
        me = Watching(game, pools=True, fills=False, boards=5)
        pair: tuple[Player, Player] = (me, make_player("random", game))
        result = play_game(
            game, pair if number % 2 == 0 else pair[::-1], np.random.default_rng(number),
            longest=longest,
        )  # fmt: skip
        assert result.reason not in ("crash", "time"), result.detail
        sizes += me.sizes
    assert max(sizes) > largest


def test_a_pool_that_is_too_large_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """To half of what is allowed, as in the paper, and stays among what fits."""
    assert (sampling.MOST_POOLED, sampling.CUT_TO) == (20_000, 10_000)
    monkeypatch.setattr(sampling, "MOST_POOLED", 200)
    monkeypatch.setattr(sampling, "CUT_TO", 100)
    monkeypatch.setattr(Watching, "complete", False)
    game = board_game("8x8")
    me = Watching(game, pools=True, fills=False, boards=5)
    result = play_game(game, (me, make_player("random", game)), np.random.default_rng(0), longest=6)
    assert result.reason == "length", result.detail
    assert me.sizes[0] == 1 and max(me.sizes) <= 200
    assert 100 in me.sizes


def test_time_that_is_left_is_spent_on_histories(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pool that has lost all its boards is filled again, never beyond its limit."""
    monkeypatch.setattr(Watching, "complete", False)
    monkeypatch.setattr(sampling, "MOST_POOLED", 30)
    game = board_game("8x8")
    me = Watching(game, pools=True, fills=False)
    rng, state = np.random.default_rng(1), game.start
    me.begin(0, state, rng)
    for turn in play_game(
        game, (make_player("random", game), make_player("random", game)), rng, longest=4
    ).turns:
        if turn.player == 0:
            me.moved(turn.action, turn.heard)
        else:
            me.heard(turn.heard)
        state = after(me, turn)
    me._catch_up()
    me._pool = me._pool[:0]
    tries = np.flatnonzero(game.tries(np.array([state]), 0)[0])
    me.propose(tries, 0.05)
    assert 0 < me._pool.shape[0] <= 30
    me._pool = me._pool[:0]
    me.propose(tries)  # without a clock nothing is searched for
    assert me._pool.shape[0] == 0


def after(player: Player, turn: Turn) -> int:
    act = np.array([turn.action])
    out = player.game.play(np.array([turn.state]), (act, None) if turn.player == 0 else (None, act))
    return int(out.successor[0])


@pytest.mark.parametrize("name", SAMPLING)
def test_what_is_evaluated_fits_and_a_refusal_leaves_what_still_does(name: str) -> None:
    """AOSP looks at its pool, LOS at random boards, HS at both; nothing is looked at twice."""
    game = board_game("8x8")
    player = make_player(f"{name}:boards=40", game)
    assert isinstance(player, SamplingPlayer)
    other, rng, refusals = make_player("random", game), np.random.default_rng(2), 0
    propose, refused = player.propose, player.refused

    def check(tries: IntArray, seconds: float | None = None) -> int:
        action = propose(tries, seconds)
        seen, pool = player._seen, in_bytes(player._pool)
        if player._own.events:
            for board in seen[::7]:
                assert_fits(board, game, player._own.said, player._own.refused)  # type: ignore[arg-type]
        pooled = sum(board.tobytes() in pool for board in seen)
        assert player._pools or not pooled or not player._own.events
        assert player._fills or pooled == len(seen) == min(40, len(pool))
        assert len(seen) <= 40
        if pooled == len(seen):
            assert len(in_bytes(seen)) == len(seen)
        return action

    def count(action: int) -> None:
        nonlocal refusals
        assert 0 <= player.noted["last_observation_share"] <= 1
        before = in_bytes(player._seen)
        refused(action)
        assert in_bytes(player._seen) <= before
        assert {int(b) for v in player._values for b in v.case} <= set(range(len(player._seen)))
        refusals += 1

    player.propose, player.refused = check, count  # type: ignore[method-assign]
    result = play_game(game, (player, other), rng, longest=60)
    assert result.reason not in ("crash", "time"), result.detail
    assert refusals > 3


def test_an_average_is_over_the_boards_where_a_move_is_legal() -> None:
    moves = np.array([7, 8, 9])
    some = Valued(np.array([0, 0, 1, 2]), np.array([7, 8, 7, 5]), np.array([1.0, 4.0, 3.0, 100.0]))
    average = sampling.averages(some, moves)
    assert average[:2].tolist() == [2.0, 4.0]
    assert np.isnan(average[2])


# The I-POMDP player.


def by_hand(values: FloatArray, weights: FloatArray) -> tuple[list[float], list[float]]:
    """Play every try out on every board: a refusal costs nothing, then the next best is tried."""
    boards, tries = values.shape
    legal = [[not np.isnan(values[b, t]) for t in range(tries)] for b in range(boards)]
    chance = [sum(weights[b] for b in range(boards) if legal[b][t]) for t in range(tries)]
    alone = [
        sum(weights[b] * values[b, t] for b in range(boards) if legal[b][t]) / chance[t]
        if chance[t] else -np.inf
        for t in range(tries)
    ]  # fmt: skip
    order = sorted(range(tries), key=lambda t: -alone[t])
    worth = []
    for t in range(tries):
        total = 0.0
        for b in range(boards):
            made = next((u for u in (t, *order) if legal[b][u]), None)
            total += weights[b] * (values[b, made] if made is not None else 0.0)
        worth.append(total if chance[t] else -np.inf)
    return worth, chance


@pytest.mark.parametrize("seed", range(30))
def test_a_try_is_worth_what_follows_its_refusal_too(seed: int) -> None:
    rng = np.random.default_rng(seed)
    boards, tries = int(rng.integers(1, 12)), int(rng.integers(1, 9))
    values = np.round(rng.normal(0, 300, (boards, tries)))
    values[rng.random(values.shape) < rng.random()] = np.nan
    weights = rng.dirichlet(np.ones(boards))
    worth, chance = valued(values, weights)
    expected, likely = by_hand(values, weights)
    assert worth == pytest.approx(expected)
    assert chance == pytest.approx(likely)


class Watched(ParticlePlayer):
    """Is told the truth by a test, and compares it with what it believes."""

    truth = -1
    checked = cut = 0
    frames: list[float]

    def propose(self, tries: IntArray, seconds: float | None = None) -> int:
        """Check what it believes when it has decided."""
        action = super().propose(tries, seconds)
        held = self.believing
        assert held.weights.sum() == pytest.approx(1)
        assert (held.weights > 0).all()
        assert held.boards.shape[0] == held.frames.size == held.weights.size
        truth = Bridge(self.game).board(self.truth)
        if not held._cut:
            there = (held.boards == truth).all(axis=1)
            assert held.weights[there].sum() > 0, fen_of(truth, self._bridge.k)
            self.checked += 1
        else:
            self.cut += 1
        total = len(self.game.pieces(self.truth, 1 - self._own.side))
        assert sum(self.belief().values()) == pytest.approx(total)
        kings = [p for (_, letter), p in self.belief().items() if letter in "Kk"]
        assert sum(kings) == pytest.approx(1)
        return action

    def follow(self, turn: Turn) -> None:
        """Be told the truth after a turn."""
        self.truth = after(self, turn)


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("board", BIG)
def test_the_truth_is_believed_until_particles_are_cut(board: str, level: int) -> None:
    game = board_game(board)
    checked = cut = 0
    for number in range(8):
        me = Watched(game, level=level, particles=(1500, 30)[number // 4], boards=20)
        me.truth = game.start
        pair: tuple[Player, Player] = (me, make_player("random", game))
        result = play_game(
            game, pair if number % 2 == 0 else pair[::-1], np.random.default_rng(number),
            longest=30, watch=me.follow,
        )  # fmt: skip
        assert result.reason not in ("crash", "time"), result.detail
        checked, cut = checked + me.checked, cut + me.cut
    assert checked > 8
    assert cut > 8 or board == "4x4-pawns"


def random_share(player: ParticlePlayer) -> float:
    return float(player.believing.weights[player.believing.frames == RANDOM].sum())


def test_who_moves_at_random_is_found_out() -> None:
    """The weight of the random frame starts where it is set, and rises against a random mover."""
    game = board_game("8x8")
    shares = []
    for seed in range(6):
        me = ParticlePlayer(game, level=1, random=0.2, boards=10, particles=800)
        me.begin(0, game.start, np.random.default_rng(0))
        assert random_share(me) == pytest.approx(0.2)
        play_game(game, (me, make_player("random", game)), np.random.default_rng(seed), longest=24)
        shares.append(random_share(me))
    assert np.mean(shares) > 0.4


def test_advice_is_of_tries_that_may_be_legal_best_first() -> None:
    game = board_game("8x8")
    me = ParticlePlayer(game, boards=30)
    me.begin(0, game.start, np.random.default_rng(0))
    tries = np.flatnonzero(game.tries(np.array([game.start]), 0)[0])
    advice = me.advice(tries)
    assert {a.action for a in advice} == set(tries.tolist())
    assert all(a.legal == pytest.approx(1) for a in advice)
    assert [a.value for a in advice] == sorted((a.value for a in advice), reverse=True)
    assert me.propose(tries) == advice[0].action


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("hs:boards=0", "boards: expected a whole number from 1 to 1000000, not 0"),
        ("hs:boards=1.5", "boards: expected a whole number from 1 to 1000000, not 1.5"),
        ("los:depth=9", "depth: expected a whole number from 0 to 6, not 9"),
        ("hs:foo=1", 'unknown setting "foo"; there are boards, depth'),
        ("aosp:board=1", "did you mean boards?"),
        ("ipomdp:level=9", "level: expected a whole number from 0 to 2, not 9"),
        ("ipomdp:lambda=-1", "lambda: expected a number"),
        ("ipomdp:particles=1", "particles: expected a whole number from 10"),
        ("ipomdp:random=2", "random: expected a chance from 0 to "),
        ("hss", 'unknown player "hss"; expected random'),
    ],
)
def test_a_wrong_setting_is_one_clear_line(spec: str, words: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        make_player(spec, board_game("8x8"))
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("heading", "player", "fields"),
    [
        ("## `los`", SamplingPlayer, sampling.SETTINGS),
        ("## `ipomdp`", ParticlePlayer, particle.SETTINGS),
    ],
)
def test_the_page_on_players_names_every_setting_and_its_default(
    heading: str, player: type[Player], fields: dict[str, Field]
) -> None:
    page = (Path(__file__).parent.parent / "docs" / "players.md").read_text()
    section = page[page.index(heading) :].split("\n## ")[0]
    named = dict(re.findall(r"^\| `([a-z-]+)` \| (\S+) \|", section, flags=re.MULTILINE))
    defaults = inspect.signature(player).parameters
    assert named == {name: str(defaults[f.attribute].default) for name, f in fields.items()}


@pytest.mark.parametrize("name", ["aosp", "hs:boards=20", "ipomdp:boards=20"])
def test_who_is_told_all_at_once_knows_as_much_as_who_is_asked_every_turn(name: str) -> None:
    """A player that goes on with a saved game, or advises late, is told without being asked."""
    game, rng = board_game("8x8"), np.random.default_rng(4)
    pair = (make_player("random", game), make_player("random", game))
    turns = play_game(game, pair, rng, longest=7).turns
    late = make_player(name, game)
    late.begin(0, game.start, np.random.default_rng(0))
    for turn in turns[:6]:
        for action in turn.refused if turn.player == 0 else ():
            late.refused(action)
        if turn.player == 0:
            late.moved(turn.action, turn.heard)
        else:
            late.heard(turn.heard)
    state = turns[6].state
    late.propose(np.flatnonzero(game.tries(np.array([state]), 0)[0]))
    truth = game.boards(np.array([state]))[0]  # type: ignore[attr-defined]
    held = late.believing.boards if isinstance(late, ParticlePlayer) else late._pool  # type: ignore[attr-defined]
    assert (held == truth).all(axis=1).any()
    own = late._own.board  # type: ignore[attr-defined]
    assert (own[:6] == truth[:6]).all()
