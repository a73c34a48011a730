"""Influence diagrams on pgmpy.

pgmpy has chance nodes only, so a diagram is a plain ``DiscreteBayesianNetwork`` with two
conventions. A decision is a node with a uniform table, meant to be given a value. A utility is a
node with the states ``low`` and ``high`` and P(high) = (U - low) / (high - low) (Cooper 1988), so
that an expected utility is a probability on another scale and every file format can carry it.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ipomdp.errors import ImpossibleObservation, InvalidInput
from ipomdp.game import FloatArray, IntArray
from ipomdp.quoting import shown
from networks.naming import plain_name

with warnings.catch_warnings():
    warnings.simplefilter("ignore", FutureWarning)  # pgmpy's own, about its next version
    from pgmpy.factors.discrete import TabularCPD
    from pgmpy.inference import VariableElimination
    from pgmpy.models import DiscreteBayesianNetwork

if TYPE_CHECKING:
    from pgmpy.factors.discrete import DiscreteFactor

SUM_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Node:
    """A node's states and its table, indexed by its own state and then by its parents'."""

    name: str
    states: Sequence[str]
    table: FloatArray
    parents: Sequence[str] = ()


@dataclass(frozen=True)
class Diagram:
    """An influence diagram: a pgmpy network, which of its nodes are decisions, and its utility."""

    title: str
    nodes: tuple[Node, ...]
    decisions: tuple[str, ...] = ()
    utility: str | None = None
    scale: tuple[float, float] = (0.0, 1.0)
    """The utilities that ``low`` and ``high`` stand for."""
    information: tuple[tuple[str, str], ...] = ()
    """Links that carry what a player knows when it decides; drawn dotted."""
    layout: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Where each node is drawn."""

    def __post_init__(self) -> None:
        for node in self.nodes:
            off = abs(node.table.sum(axis=0) - 1.0).max()
            if off > SUM_TOLERANCE or node.table.min() < 0:
                raise ValueError(f"the table of {node.name} is no distribution (off by {off:g})")

    @cached_property
    def network(self) -> DiscreteBayesianNetwork:
        """The diagram as a pgmpy network, to be queried like any other."""
        states = {node.name: list(node.states) for node in self.nodes}
        network = DiscreteBayesianNetwork()
        network.add_nodes_from(states)
        network.add_edges_from((p, node.name) for node in self.nodes for p in node.parents)
        for node in self.nodes:
            family = (node.name, *node.parents)
            cpd = TabularCPD(
                node.name,
                len(node.states),
                np.ascontiguousarray(node.table.reshape(len(node.states), -1)),
                evidence=list(node.parents) or None,
                evidence_card=[len(states[p]) for p in node.parents] or None,
                state_names={name: states[name] for name in family},
            )
            network.add_cpds(cpd)
        network.check_model()
        return network

    def states(self, name: str) -> tuple[str, ...]:
        """Return the states of a node."""
        for node in self.nodes:
            if node.name == name:
                return tuple(node.states)
        nodes = ", ".join(node.name for node in self.nodes)
        raise InvalidInput(f"{self.title}: no node {shown(name)}; there are {nodes}")

    def probability(self, name: str, evidence: Mapping[str, str] | None = None) -> FloatArray:
        """Return P(node | evidence), in the order of the node's states.

        Evidence may name a state in the referee's words, ``Check by File``. pgmpy answers
        impossible evidence with NaN or nonsense; here it is an error.
        """
        return self._query([name], evidence or {})

    def distribution(
        self, name: str, evidence: Mapping[str, str] | None = None
    ) -> dict[str, float]:
        """Return P(node | evidence) by the names of the node's states."""
        return dict(zip(self.states(name), self.probability(name, evidence).tolist(), strict=True))

    def expected_utilities(
        self, decision: str, evidence: Mapping[str, str] | None = None
    ) -> FloatArray:
        """Return the expected utility of each state of a decision."""
        if self.utility is None:
            raise ValueError(f"{self.title} has no utility")
        joint = self._query([decision, self.utility], evidence or {})
        low, high = self.scale
        utilities: FloatArray = low + (high - low) * joint[:, 1] / joint.sum(axis=1)
        return utilities

    def utilities(
        self, decision: str, evidence: Mapping[str, str] | None = None
    ) -> dict[str, float]:
        """Return the expected utility of each state of a decision by the state's name."""
        found = self.expected_utilities(decision, evidence)
        return dict(zip(self.states(decision), found.tolist(), strict=True))

    def _query(self, names: list[str], evidence: Mapping[str, str]) -> FloatArray:
        for name in names:
            self.states(name)  # a node that is not there is an error
            if name in evidence:
                raise InvalidInput(f"{self.title}: {name} is both asked for and given")
        given: dict[str, str] = {}
        for name, words in evidence.items():
            state = words if words in self.states(name) else plain_name(words)
            likely = dict(zip(self.states(name), self._infer([name], given), strict=True))
            if not likely.get(state, 0.0) > 0:
                possible = ", ".join(s for s, p in likely.items() if p > 0)
                raise ImpossibleObservation(
                    f"{self.title}: {name} = {words} cannot be observed; possible: {possible}"
                )
            given[name] = state
        return self._infer(names, given)

    def _infer(self, names: list[str], evidence: Mapping[str, str]) -> FloatArray:
        factor: DiscreteFactor = self._inference.query(names, dict(evidence), show_progress=False)
        values: FloatArray = np.asarray(factor.values)
        return values.transpose([factor.variables.index(name) for name in names])

    @cached_property
    def _inference(self) -> VariableElimination:
        return VariableElimination(self.network)


def utility_node(
    name: str, utilities: FloatArray, parents: Sequence[str]
) -> tuple[Node, tuple[float, float]]:
    """Return a utility as a node, and the utilities that its two states stand for.

    NaN stands for what is never chosen: it gets the least utility there is.
    """
    low, high = float(np.nanmin(utilities)), float(np.nanmax(utilities))
    if low == high:
        high = low + 1.0
    share = np.nan_to_num((utilities - low) / (high - low), nan=0.0)
    return Node(name, ("low", "high"), np.stack([1.0 - share, share]), parents), (low, high)


def decision_node(name: str, states: Sequence[str], parents: Mapping[str, int]) -> Node:
    """Return a decision that may depend on what its parents say (their numbers of states given)."""
    shape = (len(states), *parents.values())
    return Node(name, states, np.full(shape, 1.0 / len(states)), tuple(parents))


def choice(selected: IntArray, count: int) -> FloatArray:
    """Return the table of a node that follows its parents without doubt; its own state leads.

    Where nothing is selected (-1) the parents' states never meet, and the column is uniform.
    """
    states = np.arange(count).reshape(-1, *[1] * selected.ndim)
    table: FloatArray = np.where(selected < 0, 1.0 / count, states == selected)
    return table
