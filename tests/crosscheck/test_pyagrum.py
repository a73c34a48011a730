"""pyAgrum solves Figures 2 and 3 as influence diagrams of its own and agrees."""

from __future__ import annotations

import pyagrum
import pytest

from benchmarks.pyagrum_peer import bayesian_network, expected_utilities, influence_diagram
from ipomdp import bundled_scenarios, load_scenario
from networks import paper_networks

SCENARIOS = [name for name in bundled_scenarios() if load_scenario(name).level <= 1]


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


def test_figure_4() -> None:
    diagram = paper_networks(load_scenario("figure-1")).board
    inference = pyagrum.LazyPropagation(bayesian_network(diagram))
    for announcement in diagram.states("Announcement"):
        evidence = {"Announcement": announcement}
        inference.setEvidence(evidence)
        inference.makeInference()
        theirs = inference.posterior("WQ").toarray()
        assert theirs == pytest.approx(diagram.probability("WQ", evidence), abs=1e-9)
