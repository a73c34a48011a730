"""The diagrams on pgmpy: the same numbers as the arrays and the oracle, and files others read."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pyagrum
import pytest
from pgmpy.inference import VariableElimination
from pgmpy.readwrite import BIFReader, XMLBIFReader

from ipomdp import (
    ImpossibleObservation,
    InvalidInput,
    Scenario,
    analyze,
    load_scenario,
)
from ipomdp.kriegspiel import Evaluation, Weights
from networks import Diagram, Mind, build, paper_networks
from networks.draw import HEIGHT, WIDTH
from networks.export import with_two_states, write
from tests import oracle
from tests.bundled import expressible
from tests.positions import playable, sample
from tests.settings import FIGURE_1, GAME, Setting

BARE_KINGS_NEXT = "2K1/4/2Qk/4 b"
"""The only legal move takes the last queen: there is no reply to foresee."""
POSITIONS = [FIGURE_1, BARE_KINGS_NEXT, *sample(6, seed=3)]
SAMPLES = [
    Scenario(name=fen, fen=fen, level=k % 3, policy=("model", "random")[k % 4 == 2])
    for k, fen in enumerate(sample(20, seed=7))
]
RATIONALITIES = [0.004, 0.05, math.inf]


def agree(setting: Setting) -> None:
    """Compare i's values, then j's belief, tries and moves after each first move."""
    figures, slow = setting.networks(), setting.oracle()
    found = dict(
        zip(figures.play.action_names, figures.decision.expected_utilities("Ai"), strict=True)
    )
    assert found == pytest.approx(slow.expected_utilities(setting.fen, setting.level), abs=1e-9)
    if setting.level == 0 or setting.policy == "random":
        return
    for k, move in enumerate(figures.play.action_names):
        asked = (setting.fen, setting.level, move)
        after = figures.after[int(figures.play.announcement[0, k])]
        believed = {GAME.describe(state): p for state, p in after.belief.items()}
        expected = {p: w for p, w in slow.opponent_belief(*asked).items() if w > 0}
        assert believed == pytest.approx(expected, abs=1e-9)
        if after.first is None or after.made is None:
            continue
        pairs = zip(after.first.utilities, after.first.probabilities, strict=True)
        replies = {a: p for a, p in zip(GAME.actions, pairs, strict=True) if p[0] > -np.inf}
        theirs = slow.replies(*asked)
        assert replies.keys() == theirs.keys()
        assert list(replies.values()) == [pytest.approx(theirs[a], abs=1e-9) for a in replies]
        made = dict(zip(GAME.actions, after.made[int(figures.play.successor[0, k])], strict=True))
        theirs_made = dict.fromkeys(GAME.actions, 0.0) | slow.replies_made(*asked)
        assert made == pytest.approx(theirs_made, abs=1e-9)


@pytest.mark.parametrize("rationality", RATIONALITIES)
@pytest.mark.parametrize("reading", ["paper", "retry"])
@pytest.mark.parametrize("level", [0, 1, 2])
def test_the_networks_agree_with_the_oracle(level: int, reading: str, rationality: float) -> None:
    for fen in POSITIONS:
        agree(Setting(fen, level, reading, rationality))


@pytest.mark.parametrize("rationality", RATIONALITIES)
@pytest.mark.parametrize("reading", ["paper", "retry"])
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("names", ["Ka2 Qa3 Qb1 Qb2 Qc2 Qc4 Qd1 Qd2", "Ka2 Qb2 Qc4", "Qc2"])
def test_candidates(names: str, level: int, reading: str, rationality: float) -> None:
    """At lambda = inf Qb2 after Qc4 or Ka2 surprises, and the unconsidered Qc3 is believed too."""
    agree(Setting(FIGURE_1, level, reading, rationality, candidates=tuple(names.split())))


@pytest.mark.parametrize("reading", ["paper", "retry"])
@pytest.mark.parametrize("level", [1, 2, 5])
def test_a_random_opponent_and_other_weights(level: int, reading: str) -> None:
    play = (("checkmate", 10_000.0), ("draw", 0.0))
    for fen in POSITIONS:
        agree(Setting(fen, level, reading, policy="random"))
        agree(Setting(fen, min(level, 2), reading, weights=play))


@pytest.mark.parametrize("reading", ["paper", "retry"])
def test_what_is_too_unlikely_for_a_table_is_no_surprise(reading: str) -> None:
    """Beside a queen to be won a quiet move has probability exp(-980), which rounds to zero."""
    setting = Setting("3k/2q1/2Q1/1K2 w", 2, reading, rationality=1.0)
    figures = setting.networks()
    assert (figures.opponent.probability("Announcement") == 0).any()
    assert not any(after.surprised for after in figures.after.values())
    agree(setting)


def test_what_is_not_expressible_says_so() -> None:
    utility, state = Evaluation(Weights()), GAME.read(FIGURE_1)
    legal, _, _ = GAME.moves(np.array([state]))
    refused: dict[str, dict[str, Any]] = {
        "level 3 is not expressible": {"levels": (Mind(utility, 0.004),) * 3},
        "horizon 2 is not expressible": {"horizon": 2},
        "a history is not expressible": {"history": ("Qd1",)},
        "heard by both are not expressible": {"tries": "retry", "illegal_heard_by": "both"},
    }
    for says, changes in refused.items():
        asked = {"utility": utility, "levels": (Mind(utility, 0.004),), **changes}
        with pytest.raises(InvalidInput, match=rf"{says}: .*; use --solver arrays$"):
            build(GAME, state, 0, legal[0], **asked)
    with pytest.raises(ValueError, match="must be legal"):
        build(GAME, state, 0, ~legal[0], utility=utility)
    with pytest.raises(ValueError, match="paper or retry"):
        build(GAME, state, 0, legal[0], utility=utility, tries="again")


def test_tries_are_what_the_own_pieces_allow() -> None:
    states = np.random.default_rng(0).choice(playable(), 200, replace=False)
    for state in states.tolist():
        row = GAME.tries(np.array([state]), GAME.turn(state))[0]
        position = oracle.parse(GAME.describe(state))
        assert set(np.flatnonzero(row).tolist()) == position.tries


@pytest.mark.parametrize("fen", POSITIONS)
def test_a_position_tells_what_i_knows(fen: str) -> None:
    """No position after j's move follows two first moves of i, so Ai2 may depend on it alone."""
    figures = Setting(fen, 2, "retry").networks()
    if figures.reply is not None:
        first, second = (figures.reply.network.get_cpds(name).values for name in ("S1", "S2"))
        reached = np.einsum("bsi,cba->ic", first, second * (second == 1.0)) > 0
        assert (reached.sum(axis=0) == 1).all()


@pytest.mark.parametrize("scenario", expressible() + SAMPLES, ids=str)
def test_both_solvers_say_the_same(scenario: Scenario) -> None:
    arrays, pgmpy = analyze(scenario), analyze(scenario, solver="pgmpy")
    assert [m.move for m in arrays.moves] == [m.move for m in pgmpy.moves]
    for one, other in zip(arrays.moves, pgmpy.moves, strict=True):
        assert one.expected_utility == pytest.approx(other.expected_utility, abs=1e-9)
        assert one.leak_bits == pytest.approx(other.leak_bits, abs=1e-9)
        (heard,), (also,) = one.announcements, other.announcements
        assert {b.position: b.probability for b in heard.belief} == pytest.approx(
            {b.position: b.probability for b in also.belief}, abs=1e-9
        )
        ours = {r.move: (r.expected_utility, r.probability) for r in heard.replies}
        theirs = {r.move: (r.expected_utility, r.probability) for r in also.replies}
        assert ours.keys() == theirs.keys()
        for move, pair in ours.items():
            assert pair == pytest.approx(theirs[move], abs=1e-9)


def test_the_pgmpy_objects_answer_queries() -> None:
    figures = paper_networks(load_scenario("figure-1"))
    for diagram in (figures.decision, figures.opponent, figures.board):
        assert diagram.network.check_model()
    found = VariableElimination(figures.board.network).query(
        ["WQ"], {"Announcement": "Check_by_File"}, show_progress=False
    )
    assert found.get_value(WQ="d1") == pytest.approx(0.5)


def test_the_nested_network_answers_queries() -> None:
    """After Qb2 and a capture there i knows all and takes back: worth a centralised king."""
    figures = paper_networks(load_scenario("figure-1-level-2"))
    assert figures.reply is not None
    assert figures.first is not None
    pair = ("Qb2", "Capture_in_b2_Check_by_Long_Diagonal")
    evidence = dict(zip(("Ai", "Announcement2"), pair, strict=True))
    worth = figures.reply.expected_utilities("Ai2", evidence)
    assert figures.reply.states("Ai2")[worth.argmax()] == "Kb2"
    assert worth.max() == pytest.approx(36)
    (tried,) = figures.replies[pair]
    assert tried.utilities == pytest.approx(worth)
    assert figures.reply.probability("Announcement2", {"Ai": "Qb2"}).max() == pytest.approx(0.75)


def test_refusals_are_evidence() -> None:
    """After a check by file Kc3 costs nothing to try: refused, it puts White's queen on d2."""
    figures = Setting(FIGURE_1, 1, "retry").networks()
    code = int(figures.play.announcement[0, figures.play.action_names.index("Qd1")])
    first, then = figures.after[code].tries
    assert [GAME.actions[action] for action in then.refused] == ["Kc3"]
    believed = then.diagram.probability("S1", then.evidence)
    assert then.diagram.states("S1")[believed.argmax()] == "Ka1Qd2_kd4qb4"
    assert believed.max() == 1.0
    kc3, qd2 = (GAME.actions.index(name) for name in ("Kc3", "Qd2"))
    assert then.utilities[qd2] == pytest.approx(980)
    assert first.utilities[kc3] == pytest.approx(0.5 * 36 + 0.5 * 980)


def test_impossible_evidence_is_an_error() -> None:
    board = paper_networks(load_scenario("figure-1")).board
    with pytest.raises(ImpossibleObservation, match="Check_by_Knight cannot be observed"):
        board.probability("WQ", {"Announcement": "Check_by_Knight"})
    with pytest.raises(ImpossibleObservation, match="cannot be observed"):
        board.probability("WQ", {"WK": "a2", "Announcement": "Check_by_File"})


FILES = [
    *(("figure-1", figure) for figure in ("decision", "opponent", "board")),
    *(("figure-1-level-2", figure) for figure in ("opponent", "first", "reply")),
]


@pytest.mark.parametrize("ending", ["bif", "xmlbif"])
@pytest.mark.parametrize(("name", "figure"), FILES)
def test_files_come_back_the_same(tmp_path: Path, name: str, figure: str, ending: str) -> None:
    diagram = getattr(paper_networks(load_scenario(name)), figure)
    path = tmp_path / f"network.{ending}"
    write(diagram, path)
    reader = BIFReader if ending == "bif" else XMLBIFReader
    again = reader(str(path)).get_model()
    for cpd in with_two_states(diagram).network.get_cpds():
        assert np.allclose(again.get_cpds(cpd.variable).values, cpd.values, rtol=0, atol=1e-12)
    if ending == "bif":
        heard = "Announcement2" if figure == "reply" else "Announcement"
        inference = pyagrum.LazyPropagation(pyagrum.loadBN(str(path)))
        inference.makeInference()
        theirs = inference.posterior(heard).toarray()
        # pyAgrum reads the numbers of a BIF file in single precision
        assert theirs == pytest.approx(diagram.probability(heard), abs=1e-6)


def drawn() -> list[Any]:
    """Return every diagram there is to draw of Figure 1, with and without refusals."""
    found: dict[str, Diagram] = {}
    for level in (1, 2):
        for reading in ("paper", "retry"):
            figures = Setting(FIGURE_1, level, reading).networks()
            shown = [figures.decision, figures.opponent, figures.board]
            shown += [d for d in (figures.first, figures.reply) if d is not None]
            turns = [*(a.tries for a in figures.after.values()), *figures.replies.values()]
            shown += [tried.diagram for turn in turns for tried in turn if tried.refused][:1]
            shown += [tried.diagram for tried in turns[-1] if tried.refused][:1]
            found |= {f"{level} {reading} {diagram.title}": diagram for diagram in shown}
    return [pytest.param(diagram, id=name) for name, diagram in found.items()]


@pytest.mark.parametrize("diagram", drawn())
def test_no_link_crosses_a_node(diagram: Diagram) -> None:
    for start, end in diagram.network.edges:
        ends = np.array([diagram.layout[start], diagram.layout[end]])
        way = ends[0] + np.linspace(0, 1, 200)[:, None] * (ends[1] - ends[0])
        for name in set(diagram.network.nodes) - {start, end}:
            off = abs(way - diagram.layout[name]) / (WIDTH / 2, HEIGHT / 2)
            assert np.hypot(*off.T).min() > 1.1, (start, end, name)
