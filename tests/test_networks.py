"""The diagrams on pgmpy: the same numbers as the arrays, and files others can read."""

from __future__ import annotations

from pathlib import Path

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
    bundled_scenarios,
    load_scenario,
)
from networks import paper_networks
from networks.export import with_two_states, write
from tests.positions import sample

BUNDLED = [load_scenario(name) for name in bundled_scenarios()]
SAMPLES = [
    Scenario(name=fen, fen=fen, level=k % 2, policy=("model", "random")[k % 3 == 2])
    for k, fen in enumerate(sample(20, seed=7))
]


@pytest.mark.parametrize("scenario", [s for s in BUNDLED if s.level < 2] + SAMPLES, ids=str)
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


def test_impossible_evidence_is_an_error() -> None:
    board = paper_networks(load_scenario("figure-1")).board
    with pytest.raises(ImpossibleObservation, match="Check_by_Knight cannot be observed"):
        board.probability("WQ", {"Announcement": "Check_by_Knight"})
    with pytest.raises(ImpossibleObservation, match="cannot be observed"):
        board.probability("WQ", {"WK": "a2", "Announcement": "Check_by_File"})


def test_answers_come_with_their_names() -> None:
    figures = paper_networks(load_scenario("figure-1"))
    heard = {"Announcement": "Check by File"}
    queen = figures.board.distribution("WQ", heard)
    assert list(queen.values()) == figures.board.probability("WQ", heard).tolist()
    assert {square: p for square, p in queen.items() if p} == {"d1": 0.5, "d2": 0.5}
    utilities = figures.opponent.utilities("Aj", {"Announcement": "Check_by_File"})
    assert utilities["Qd2"] == pytest.approx(490.0)
    assert utilities == figures.opponent.utilities("Aj", heard)


def test_a_question_about_no_node_is_an_error() -> None:
    board = paper_networks(load_scenario("figure-1")).board
    with pytest.raises(InvalidInput, match='no node "Queen"; there are WK, BK, WQ, BQ'):
        board.probability("Queen")
    with pytest.raises(InvalidInput, match='no node "Queen"'):
        board.distribution("WQ", {"Queen": "d1"})
    with pytest.raises(InvalidInput, match="WQ is both asked for and given"):
        board.probability("WQ", {"WQ": "d1"})


def test_files_say_which_network_it_is_and_what_utilities_mean(tmp_path: Path) -> None:
    diagram = paper_networks(load_scenario("figure-1")).opponent
    for ending in ("bif", "xmlbif"):
        path = tmp_path / f"network.{ending}"
        write(diagram, path, "figure-1")
        text = path.read_text()
        assert "Figure_3_the_model_of_j_figure_1" in text
        assert "low_to_high = -50 1030" in text
    assert diagram.scale == (-50.0, 1030.0)


@pytest.mark.parametrize("ending", ["bif", "xmlbif"])
@pytest.mark.parametrize("figure", ["decision", "opponent", "board"])
def test_files_come_back_the_same(tmp_path: Path, figure: str, ending: str) -> None:
    diagram = getattr(paper_networks(load_scenario("figure-1")), figure)
    path = tmp_path / f"network.{ending}"
    write(diagram, path)
    reader = BIFReader if ending == "bif" else XMLBIFReader
    again = reader(str(path)).get_model()
    for cpd in with_two_states(diagram).network.get_cpds():
        assert np.allclose(again.get_cpds(cpd.variable).values, cpd.values, rtol=0, atol=1e-12)
    if ending == "bif":
        inference = pyagrum.LazyPropagation(pyagrum.loadBN(str(path)))
        inference.makeInference()
        theirs = inference.posterior("Announcement").toarray()
        # pyAgrum reads the numbers of a BIF file in single precision
        assert theirs == pytest.approx(diagram.probability("Announcement"), abs=1e-6)
