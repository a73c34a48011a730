"""pyAgrum solves Figures 2 and 3 as influence diagrams of its own and agrees."""

from __future__ import annotations

import numpy as np
import pyagrum
import pytest

from ipomdp import bundled_scenarios, load_scenario
from ipomdp.game import FloatArray
from networks import Diagram, paper_networks

SCENARIOS = [name for name in bundled_scenarios() if load_scenario(name).level <= 1]


def influence_diagram(diagram: Diagram) -> pyagrum.InfluenceDiagram:
    """Return the diagram with real decision and utility nodes, from its tables alone."""
    made = pyagrum.InfluenceDiagram()
    for node in diagram.nodes:
        if node.name == diagram.utility:
            made.addUtilityNode(pyagrum.LabelizedVariable(node.name, node.name, 1))
            continue
        variable = pyagrum.LabelizedVariable(node.name, node.name, list(node.states))
        if node.name in diagram.decisions:
            made.addDecisionNode(variable)
        else:
            made.addChanceNode(variable)
    for node in diagram.nodes:
        for parent in node.parents:
            made.addArc(parent, node.name)
    low, high = diagram.scale
    for node in diagram.nodes:
        table = np.ascontiguousarray(np.moveaxis(node.table, 0, -1))
        if node.name == diagram.utility:
            _fill(made.utility(node.name), node.parents, low + (high - low) * table[..., 1])
        elif node.name not in diagram.decisions:
            _fill(made.cpt(node.name), (*node.parents, node.name), table)
    return made


def _fill(tensor: pyagrum.Tensor, names: tuple[str, ...], table: FloatArray) -> None:
    """Write a table whose axes follow the names, whatever order the tensor keeps them in."""
    instantiation = pyagrum.Instantiation(tensor)
    instantiation.setFirst()
    while not instantiation.end():
        index = tuple(instantiation.val(name) for name in names)
        tensor.set(instantiation, float(table[index]))
        instantiation.inc()


def expected_utilities(diagram: Diagram, decision: str, evidence: dict[str, str]) -> FloatArray:
    made = influence_diagram(diagram)
    found = []
    for state in diagram.states(decision):
        inference = pyagrum.ShaferShenoyLIMIDInference(made)
        inference.setEvidence({**evidence, decision: state})
        inference.makeInference()
        found.append(inference.MEU()["mean"])
    return np.array(found)


@pytest.mark.parametrize("name", SCENARIOS)
def test_figure_2(name: str) -> None:
    diagram = paper_networks(load_scenario(name)).decision
    ours = diagram.expected_utilities("Ai")
    assert expected_utilities(diagram, "Ai", {}) == pytest.approx(ours, abs=1e-9)


@pytest.mark.parametrize("name", ["figure-1", "capture-trap", "mate-over-queen"])
def test_figure_3(name: str) -> None:
    diagram = paper_networks(load_scenario(name)).opponent
    for announcement in diagram.states("Announcement"):
        evidence = {"Announcement": announcement}
        ours = diagram.expected_utilities("Aj", evidence)
        assert expected_utilities(diagram, "Aj", evidence) == pytest.approx(ours, abs=1e-9)
