"""What advice on 4x4 tells beside worth: bits, and the nested explanation of a try."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, log2

import numpy as np
import pytest

from ipomdp import InvalidInput, Scenario, analyze
from ipomdp.arena.match import play_game
from ipomdp.game import IntArray
from ipomdp.kriegspiel.scenario import Entry
from ipomdp.players.exact import PLAY, ExactPlayer
from ipomdp.players.explanation import Explanation, Placed
from ipomdp.players.player import Advice
from ipomdp.players.roster import board_game, make_player
from ipomdp.show.explanation_text import sentences
from tests.oracle.api import Oracle
from tests.oracle.node import Node
from tests.oracle.rules import NUMBER, Position
from tests.oracle.utility import Weights

GAME = board_game("4x4")
FENS = ("1q1k/4/4/K1Q1 w", "3k/1q2/4/KQ2 w", "1q1k/4/2Q1/K3 b", "3k/4/4/KQ2 w")
LAMBDA = 0.01


def player(spec: str) -> ExactPlayer:
    made = make_player(spec, GAME)
    assert isinstance(made, ExactPlayer)
    return made


def tries_in(state: int) -> IntArray:
    found: IntArray = np.flatnonzero(GAME.tries(np.array([state]), GAME.turn(state))[0])
    return found


def begun(fen: str, level: int) -> tuple[ExactPlayer, IntArray]:
    state = GAME.read(fen)
    me = player(f"ipomdp:level={level},horizon=1,lambda={LAMBDA}")
    me.begin(GAME.turn(state), state, np.random.default_rng(0))
    return me, tries_in(state)


@pytest.mark.parametrize("fen", FENS)
@pytest.mark.parametrize("level", [0, 1, 2])
def test_bits_given_away_at_the_start_are_those_of_an_analysis(fen: str, level: int) -> None:
    me, tries = begun(fen, level)
    scenario = Scenario(
        name="start", fen=fen, level=level, tries="retry", rationality=LAMBDA, weights=PLAY
    )
    found = analyze(scenario)
    advice = me.advice(tries)
    assert {GAME.actions[a.action] for a in advice} == {m.move for m in found.moves}
    for one in advice:
        expected = found.move(GAME.actions[one.action]).leak_bits
        assert one.leak_bits == pytest.approx(expected, abs=1e-9)


def entropy(chances: list[float]) -> float:
    return -sum(p * log2(p) for p in chances if p > 0)


def oracle_leak(fen: str, level: int, move: str) -> float:
    """Return how much surer j is of the position after the announcement of a move, slowly.

    Before it, j weighs every move that its model of i may make in the known start.
    """
    weights = Weights(checkmate=PLAY.checkmate, draw=PLAY.draw)
    oracle = Oracle(tries="retry", rationality=LAMBDA, weights=weights)
    game, element, _ = oracle._opponent(fen, level, move)
    j = element.other
    assert isinstance(j, Node)
    (start,) = game.elements(j)
    before: dict[Position, float] = {}
    for made in game.hidden(j, start):
        before[made.position] = before.get(made.position, 0.0) + exp(made.log_probability)
    outcome = element.position.moves[NUMBER[move]]
    if outcome.position.over:
        said = [m for m in game.hidden(j, start) if m.announcement == outcome.announcement]
        total = sum(exp(m.log_probability) for m in said)
        after: dict[Position, float] = {}
        for m in said:
            after[m.position] = after.get(m.position, 0.0) + exp(m.log_probability) / total
        return entropy(list(before.values())) - entropy(list(after.values()))
    believed = oracle.opponent_belief(fen, level, move)
    return entropy(list(before.values())) - entropy(list(believed.values()))


@pytest.mark.parametrize("fen", FENS)
@pytest.mark.parametrize("level", [1, 2])
def test_bits_given_away_are_those_of_the_oracle(fen: str, level: int) -> None:
    me, tries = begun(fen, level)
    for one in me.advice(tries):
        expected = oracle_leak(fen, level, GAME.actions[one.action])
        assert one.leak_bits == pytest.approx(expected, abs=1e-9)


def test_nothing_is_given_away_where_the_other_knows_all() -> None:
    """A king alone that has one move: where it goes is known before anything is said."""
    me, tries = begun("k3/4/3q/K3 w", 1)
    (one,) = me.advice(tries)
    assert (one.legal, one.refusal_bits, one.leak_bits) == (1.0, 0.0, 0.0)


# Along a game.


def told(
    me: ExactPlayer, seed: int, plies: int, side: int = 0
) -> Iterator[tuple[list[Entry], IntArray]]:
    """Tell a player a game at random; yield what is known and open each time it is to move.

    The first try that is illegal is made, and refused, in every turn of the player.
    """
    rng, state = np.random.default_rng(seed), GAME.start
    me.begin(side, state, np.random.default_rng(9))
    history: list[Entry] = []
    for _ in range(plies):
        mover, here = GAME.turn(state), np.array([state])
        legal, tries = GAME.legal(here, mover)[0], tries_in(state)
        wrong = tries[~legal[tries]][:1]
        names = tuple(GAME.actions[a] for a in wrong)
        colour = GAME.players[mover]
        if mover == side:
            for action in wrong.tolist():
                me.refused(action)
            pending = [Entry(by=colour, refused=names)] if names else []
            yield history + pending, np.setdiff1d(tries, wrong)
        action = int(rng.choice(np.flatnonzero(legal)))
        act = np.array([action])
        out = GAME.play(here, (act, None) if mover == 0 else (None, act))
        heard, state = int(out.heard[0][0]), int(out.successor[0])
        if mover == side:
            me.moved(action, heard)
            move, words = GAME.actions[action], GAME.say(heard)
            history.append(Entry(by=colour, move=move, heard=words, refused=names))
        else:
            me.heard(heard)
            history.append(Entry(by=colour, heard=GAME.say(heard)))
        if GAME.over(np.array([state]))[0]:
            return


@pytest.mark.parametrize("level", [0, 1, 2])
def test_bits_given_away_in_a_game_are_those_of_an_analysis(level: int) -> None:
    me = player(f"ipomdp:level={level},horizon=1,exact-up-to=100000,lambda={LAMBDA}")
    compared = 0
    for history, tries in told(me, 11, 5):
        scenario = Scenario(
            name="a game", fen=GAME.describe(GAME.start), level=level, tries="retry",
            rationality=LAMBDA, weights=PLAY, history=tuple(history),
        )  # fmt: skip
        found = analyze(scenario)
        for one in me.advice(tries):
            expected = found.move(GAME.actions[one.action]).leak_bits
            assert one.leak_bits == pytest.approx(expected, abs=1e-9)
            compared += 1
    assert compared > 10


@pytest.mark.parametrize("level", [0, 1, 2])
def test_a_refusal_teaches_the_divergence_of_the_belief_after_it(level: int) -> None:
    """By conditioning the belief over positions, one by one."""
    me, told_something = player(f"ipomdp:level={level},horizon=1"), 0
    for _, tries in told(me, 5, 16):
        positions = me.positions()
        for one in me.advice(tries):
            left = {
                state: chance
                for state, chance in positions.items()
                if not GAME.legal(np.array([state]), 0)[0, one.action]
            }
            total = sum(left.values())
            expected = sum(p / total * log2(p / total / positions[s]) for s, p in left.items())
            assert one.refusal_bits == pytest.approx(expected, abs=1e-6)
            assert one.refusal_bits >= 0
            told_something += one.refusal_bits > 0
    assert told_something


@pytest.mark.parametrize(
    ("legal", "bits"), [(1.0, 0.0), (1.0 - 1e-15, 0.0), (0.5, 1.0), (0.75, 2.0), (0.0, 0.0)]
)
def test_what_a_refusal_teaches(legal: float, bits: float) -> None:
    advice = Advice(action=0, value=0.0, legal=legal, leak_bits=0.0)
    assert advice.refusal_bits == pytest.approx(bits, abs=1e-12)


# Explanations.


def per_letter(belief: tuple[Placed, ...]) -> dict[str, float]:
    found: dict[str, float] = {}
    for one in belief:
        found[one.letter] = found.get(one.letter, 0.0) + one.probability
    return found


def assert_sound(explanation: Explanation, own: str) -> None:
    """Check what must hold of any explanation."""
    shares = [one.probability for one in explanation.announcements]
    assert shares == sorted(shares, reverse=True)
    assert (sum(shares) == pytest.approx(1)) == (explanation.others == 0)
    if explanation.advice.legal >= 1:
        assert explanation.after_refusal == ()
    for one in explanation.announcements:
        if one.over:
            assert (one.belief, one.replies) == ((), ())
            continue
        assert per_letter(one.belief)[own] == pytest.approx(1)
        assert sum(mind.probability for mind in one.minds) == pytest.approx(1)
        replies = [reply.probability for reply in one.replies]
        assert replies == pytest.approx(sorted(replies, reverse=True))
        assert 0 < sum(replies) <= 1 + 1e-9


@pytest.mark.parametrize("fen", FENS)
@pytest.mark.parametrize("level", [1, 2])
def test_an_explanation_is_what_the_oracle_finds(fen: str, level: int) -> None:
    me, tries = begun(fen, level)
    weights = Weights(checkmate=PLAY.checkmate, draw=PLAY.draw)
    oracle = Oracle(tries="retry", rationality=LAMBDA, weights=weights)
    side, own = me.side, "Kk"[me.side]
    for advice in me.advice(tries):
        explanation = me.explain(advice.action)
        assert explanation.advice == advice
        assert_sound(explanation, own)
        (one,) = explanation.announcements
        assert one.probability == pytest.approx(1)
        if one.over:
            continue
        name = GAME.actions[advice.action]
        expected: dict[tuple[str, str], float] = {}
        for text, chance in oracle.opponent_belief(fen, level, name).items():
            for piece in GAME.pieces(GAME.read(text), side).items():
                expected[piece] = expected.get(piece, 0.0) + chance
        found = {(p.square, p.letter): p.probability for p in one.belief}
        assert found == pytest.approx(expected, abs=1e-9)
        made = oracle.replies_made(fen, level, name)
        for reply in one.replies:
            assert reply.probability == pytest.approx(made[GAME.actions[reply.action]], abs=1e-9)
            assert (level > 1) or not reply.answers


@pytest.mark.parametrize(
    "spec", ["level=0", "level=1", "level=2", "level=1,particles=4,exact-up-to=4", "level=3"]
)
def test_tries_along_a_game_are_explained(spec: str) -> None:
    me, answers = player(f"ipomdp:{spec},horizon=1"), 0
    for _, tries in told(me, 7, 14):
        for advice in me.advice(tries)[:3]:
            explanation = me.explain(advice.action)
            assert_sound(explanation, "K")
            lines = sentences(GAME, 0, explanation)
            assert all(line.strip().endswith(".") for line in lines)
            answers += any(r.answers for a in explanation.announcements for r in a.replies)
    assert bool(answers) == spec.startswith(("level=2", "level=3"))


def test_what_is_sure_to_be_refused_is_not_explained() -> None:
    me, _ = begun(FENS[0], 1)
    with pytest.raises(InvalidInput, match="Kd4 is sure to be refused"):
        me.explain(GAME.actions.index("Kd4"))
    state = GAME.read(FENS[0])
    me.begin(1, state, np.random.default_rng(0))
    with pytest.raises(InvalidInput, match="not this player's turn"):
        me.explain(0)


def test_the_end_of_the_game_needs_no_reply() -> None:
    me, tries = begun("k3/2Q1/1K2/4 w", 1)
    best = me.advice(tries)[0]
    (one,) = me.explain(best.action).announcements
    assert (one.over, one.replies, "Checkmate" in GAME.say(one.heard)) == (True, (), True)
    lines = sentences(GAME, 0, me.explain(best.action))
    assert "  The game is over then." in lines


def test_an_explanation_in_words() -> None:
    me, _ = begun(FENS[0], 2)
    lines = sentences(GAME, 0, me.explain(GAME.actions.index("Qd1")))
    assert lines[0] == 'If Qd1 is made, the referee will say "Check by File" (100%).'
    assert lines[1] == "  Black will then believe: king on a1 100%; queen on d1 50%, d2 50%."
    assert lines[2].startswith("  Black, at level 1, is likeliest to reply: ")
    assert lines[3].startswith("    After ")
    assert lines[-1].endswith("bits about your pieces.")


# Asking changes nothing.


class Asked(ExactPlayer):
    """Is asked everything before it proposes, and whenever it is told something."""

    def propose(self, tries: IntArray, seconds: float | None = None) -> int:
        """Answer first."""
        self.belief()
        for one in self.advice(tries)[:2]:
            self.explain(one.action)
        return super().propose(tries, seconds)

    def refused(self, action: int) -> None:
        """Answer before and after."""
        self.advice(np.arange(len(GAME.actions)))
        super().refused(action)
        self.advice(np.arange(len(GAME.actions)))


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("few", [False, True])
def test_who_is_asked_plays_the_same_game(level: int, few: bool) -> None:
    """With few particles beliefs lose the truth and begin anew, asked or not."""
    sizes = {"particles": 2, "exact_up_to": 0} if few else {"particles": 20, "exact_up_to": 40}
    restarts = 0
    for seed in range(6):
        results = []
        for kind in (ExactPlayer, Asked):
            me = kind(GAME, level=level, horizon=1, play=0.01, **sizes)
            other = make_player("random", GAME)
            result = play_game(GAME, (me, other), np.random.default_rng(seed), longest=50)
            assert result.reason not in ("crash", "time"), result.detail
            results.append((result, me.restarts, dict(me.positions())))
            restarts += me.restarts
        assert results[0] == results[1]
    assert restarts or not few or level == 0
