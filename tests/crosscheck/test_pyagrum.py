"""pyAgrum solves Figures 2 and 3 and the reply nested in 3 as diagrams of its own, and agrees."""

from __future__ import annotations

from collections.abc import Mapping

import pyagrum
import pytest

from benchmarks.pyagrum_peer import bayesian_network, expected_utilities, influence_diagram
from ipomdp import load_scenario
from networks import Diagram, paper_networks
from tests.bundled import expressible
from tests.settings import FIGURE_1, Setting

SCENARIOS = [scenario.name for scenario in expressible()]
DEEPER = [
    Setting(FIGURE_1, 2, reading, candidates=("Qb2", "Qd1", "Qd2"))
    for reading in ("paper", "retry")
]


@pytest.mark.parametrize("name", SCENARIOS)
def test_figure_2(name: str) -> None:
    diagram = paper_networks(load_scenario(name)).decision
    ours = diagram.expected_utilities("Ai")
    theirs = expected_utilities(influence_diagram(diagram), "Ai", {})
    assert theirs == pytest.approx(ours, abs=1e-9)


@pytest.mark.parametrize("name", ["figure-1", "capture-trap", "mate-over-queen"])
def test_figure_3(name: str) -> None:
    diagram = paper_networks(load_scenario(name)).opponent
    made = influence_diagram(diagram)
    for announcement in diagram.states("Announcement"):
        evidence = {"Announcement": announcement}
        ours = diagram.expected_utilities("Aj", evidence)
        assert expected_utilities(made, "Aj", evidence) == pytest.approx(ours, abs=1e-9)


def same(diagram: Diagram, decision: str, evidence: Mapping[str, str]) -> None:
    """Check every action's expected utility, and that the best is what pyAgrum would choose."""
    made = influence_diagram(diagram)
    ours = diagram.expected_utilities(decision, evidence)
    assert expected_utilities(made, decision, evidence) == pytest.approx(ours, abs=1e-9)
    inference = pyagrum.ShaferShenoyLIMIDInference(made)
    inference.setEvidence(dict(evidence))
    inference.makeInference()
    assert inference.MEU()["mean"] == pytest.approx(ours.max(), abs=1e-9)


@pytest.mark.parametrize("setting", DEEPER, ids=lambda setting: setting.tries)
def test_figure_3_at_level_2(setting: Setting) -> None:
    figures = setting.networks()
    for after in figures.after.values():
        for tried in after.tries:
            same(tried.diagram, "Aj", tried.evidence)


@pytest.mark.parametrize("setting", DEEPER, ids=lambda setting: setting.tries)
def test_the_reply_inside_figure_3(setting: Setting) -> None:
    figures = setting.networks()
    for (first, _), turn in figures.replies.items():
        if first in ("Qb2", "Qd1"):
            for tried in turn:
                same(tried.diagram, "Ai2", tried.evidence)


def test_figure_4() -> None:
    diagram = paper_networks(load_scenario("figure-1")).board
    inference = pyagrum.LazyPropagation(bayesian_network(diagram))
    for announcement in diagram.states("Announcement"):
        evidence = {"Announcement": announcement}
        inference.setEvidence(evidence)
        inference.makeInference()
        theirs = inference.posterior("WQ").toarray()
        assert theirs == pytest.approx(diagram.probability("WQ", evidence), abs=1e-9)
