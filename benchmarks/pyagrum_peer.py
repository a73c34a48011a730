"""The same influence diagrams in pyAgrum, with its own decision and utility nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyagrum

from ipomdp.game import FloatArray
from networks import Diagram


def influence_diagram(diagram: Diagram) -> pyagrum.InfluenceDiagram:
    """Return the diagram as pyAgrum understands it, from its tables alone."""
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
        table = np.moveaxis(node.table, 0, -1)  # the parents first, as in names
        if node.name == diagram.utility:
            utilities = (low + (high - low) * table[..., 1])[..., None]
            _fill(made.utility(node.name), (*node.parents, node.name), utilities)
        elif node.name not in diagram.decisions:
            _fill(made.cpt(node.name), (*node.parents, node.name), table)
    return made


def bayesian_network(diagram: Diagram) -> pyagrum.BayesNet:
    """Return a diagram without decisions as a pyAgrum network."""
    made = pyagrum.BayesNet()
    for node in diagram.nodes:
        made.add(pyagrum.LabelizedVariable(node.name, node.name, list(node.states)))
    for node in diagram.nodes:
        for parent in node.parents:
            made.addArc(parent, node.name)
    for node in diagram.nodes:
        table = np.moveaxis(node.table, 0, -1)
        _fill(made.cpt(node.name), (*node.parents, node.name), table)
    return made


def expected_utilities(
    made: pyagrum.InfluenceDiagram, decision: str, evidence: Mapping[str, str]
) -> FloatArray:
    """Return the expected utility of each state of a decision, by LIMID inference."""
    inference = pyagrum.ShaferShenoyLIMIDInference(made)
    found = []
    for state in made.variable(decision).labels():
        inference.setEvidence({**evidence, decision: state})
        inference.makeInference()
        found.append(inference.MEU()["mean"])
    return np.array(found)


def _fill(tensor: pyagrum.Tensor, names: Sequence[str], table: FloatArray) -> None:
    """Write a table whose axes follow the names, whatever order the tensor keeps them in."""
    order = [names.index(name) for name in reversed(tensor.names)]  # its first runs fastest
    tensor[:] = np.ascontiguousarray(table.transpose(order))
