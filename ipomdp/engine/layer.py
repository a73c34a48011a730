"""Layers: what one player may know after a number of steps, all its nodes at once.

A node is one thing the player can have done and heard. Its rows are the pairs (state, the other's
node one level down) it holds possible, with weights. The rows of a node that share a state are a
spot: what can be done depends on spots alone.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from ipomdp.engine.ragged import firsts, log_sums, runs, starts_of
from ipomdp.game import BoolArray, FloatArray, IntArray

QUANTUM = 1e-12
"""Nodes whose rows agree and whose log weights differ by less than this are one node."""


class Rows(NamedTuple):
    """Weighted rows as parallel arrays."""

    node: IntArray
    state: IntArray
    kind: IntArray
    """Which of the frames it holds possible the other has."""
    other: IntArray
    """The other's node, among those of its frame."""
    log: FloatArray
    """The logarithm of the weight: what is all but impossible now may be all that is left after
    the next announcement, so nothing may vanish by rounding."""
    rank: IntArray
    """0 where the model explains what was heard; k where the last k hidden moves must have been
    any legal ones instead. Rows of a higher rank count only when no lower one is left."""

    def take(self, index: IntArray | BoolArray) -> Rows:
        """Return some of the rows."""
        node, state, kind, other, log, rank = self
        return Rows(node[index], state[index], kind[index], other[index], log[index], rank[index])


class Layer:
    """The nodes of one player and frame after a number of steps."""

    def __init__(self, rows: Rows, surprised: BoolArray) -> None:
        self.rows = rows
        self.surprised = surprised
        """For each node, whether something heard had no chance under the model."""
        for column in (*rows, surprised):
            column.flags.writeable = False

    @property
    def nodes(self) -> int:
        """How many nodes there are."""
        return self.surprised.size

    @cached_property
    def kinds(self) -> list[int]:
        """Which of the other's frames are held possible; drawing particles may lose some."""
        kinds: list[int] = np.unique(self.rows.kind).tolist()
        return kinds

    @cached_property
    def start(self) -> IntArray:
        """Where each node's rows start."""
        return starts_of(self.rows.node, self.nodes)

    @cached_property
    def probability(self) -> FloatArray:
        """The probability of each row at its node."""
        chance: FloatArray = np.exp(np.where(self.rows.rank == 0, self.rows.log, -np.inf))
        return chance

    @cached_property
    def spot_first(self) -> IntArray:
        """The first row of each spot."""
        return firsts(self.rows.node, self.rows.state)

    @cached_property
    def spot_of_row(self) -> IntArray:
        """The spot of each row."""
        size = np.diff(np.append(self.spot_first, self.rows.node.size))
        return np.repeat(np.arange(size.size), size)

    @cached_property
    def spot_node(self) -> IntArray:
        """The node of each spot."""
        return self.rows.node[self.spot_first]

    @cached_property
    def spot_state(self) -> IntArray:
        """The state of each spot."""
        return self.rows.state[self.spot_first]

    @cached_property
    def spot_start(self) -> IntArray:
        """Where each node's spots start."""
        return starts_of(self.spot_node, self.nodes)

    @cached_property
    def spot_rank(self) -> IntArray:
        """The lowest rank of each spot's rows."""
        return np.minimum.reduceat(self.rows.rank, self.spot_first)

    @cached_property
    def spot_log(self) -> FloatArray:
        """The log weight of each spot, its rows of lowest rank alone."""
        counts = self.rows.rank == self.spot_rank[self.spot_of_row]
        return log_sums(np.where(counts, self.rows.log, -np.inf), self.spot_first)

    @cached_property
    def share(self) -> FloatArray:
        """The probability of each row given its spot."""
        counts = self.rows.rank == self.spot_rank[self.spot_of_row]
        relative = self.rows.log - self.spot_log[self.spot_of_row]
        part: FloatArray = np.exp(np.where(counts, relative, -np.inf))
        return part

    @cached_property
    def _keys(self) -> tuple[IntArray, int]:
        stride = int(self.rows.state.max()) + 1
        return self.spot_node.astype(np.int64) * stride + self.spot_state, stride

    def find(self, nodes: IntArray, states: IntArray) -> IntArray:
        """Return the spots of (node, state) pairs."""
        keys, stride = self._keys
        wanted = np.asarray(nodes, dtype=np.int64) * stride + states
        found = np.minimum(np.searchsorted(keys, wanted), keys.size - 1)
        if not (keys[found] == wanted).all() or states.max(initial=0) >= stride:
            raise LookupError("a state that the other's node does not hold possible")
        return found

    def marginal(self, node: int) -> dict[int, float]:
        """Return a node's probability of each state, likeliest first, ties by state."""
        inside = slice(self.start[node], self.start[node + 1])
        sums: dict[int, float] = {}
        for state, chance in zip(
            self.rows.state[inside].tolist(), self.probability[inside].tolist(), strict=True
        ):
            sums[state] = sums.get(state, 0.0) + chance
        return {s: p for s, p in sorted(sums.items(), key=lambda item: -item[1]) if p > 0}


def gather(
    rows: Rows, nodes: int, *, merge: bool = True, surprised: BoolArray | None = None
) -> tuple[Layer, IntArray]:
    """Return the layer of weighted rows, and the node in it of each of the given nodes.

    Equal rows are added up, weights sum to one at each node, and nodes that cannot be told apart
    by what they believe, now or after a surprise, become one: all that follows depends on their
    rows alone. A row is dropped where the node has it at a lower rank too: whatever comes, that one
    explains it with less. ``surprised`` marks nodes that have been surprised before.
    """
    order, first = runs(rows.node, rows.state, rows.kind, rows.other, rows.rank)
    log = log_sums(rows.log[order], first)
    rows = rows.take(order[first])._replace(log=log)
    if rows.rank.any():
        rows = rows.take(firsts(rows.node, rows.state, rows.kind, rows.other))
    start = starts_of(rows.node, nodes)[:-1]
    lowest = np.minimum.reduceat(rows.rank, start)
    rows = rows._replace(rank=rows.rank - lowest[rows.node])
    modelled = np.where(rows.rank == 0, rows.log, -np.inf)
    rows = rows._replace(log=rows.log - log_sums(modelled, start)[rows.node])
    surprised = lowest > 0 if surprised is None else surprised | (lowest > 0)
    if not merge:
        return Layer(rows, surprised), np.arange(nodes)
    alike = _alike(rows, start, surprised)
    kept = np.flatnonzero(alike == np.arange(nodes))
    number = np.zeros(nodes, dtype=np.int64)
    number[kept] = np.arange(kept.size)
    stays = alike[rows.node] == rows.node
    rows = rows.take(stays)
    rows = rows._replace(node=number[rows.node])
    return Layer(rows, surprised[kept]), number[alike]


def restricted(layer: Layer, nodes: IntArray) -> tuple[Layer, IntArray]:
    """Return a layer with some of the nodes alone, and the new number of each old node."""
    number = np.full(layer.nodes, -1)
    number[nodes] = np.arange(nodes.size)
    rows = layer.rows.take(number[layer.rows.node] >= 0)
    order = np.argsort(number[rows.node], kind="stable")
    rows = rows.take(order)
    return Layer(rows._replace(node=number[rows.node]), layer.surprised[nodes]), number


def _alike(rows: Rows, start: IntArray, surprised: BoolArray) -> IntArray:
    """Return for each node the first node with the same rows and weights, surprised or not."""
    near = np.abs(rows.log) < 1e3  # farther off, neighbouring floats are more than a quantum apart
    grain = np.where(near, np.rint(np.where(near, rows.log, 0.0) / QUANTUM), rows.log) + 0.0
    columns = (
        rows.state,
        rows.kind,
        rows.other,
        rows.rank,
        surprised[rows.node].astype(np.int64),
        grain.view(np.int64),
    )
    signature = np.add.reduceat(_mixed(*columns), start)
    _, first, group = np.unique(signature, return_index=True, return_inverse=True)
    leader = first[group]
    size = np.diff(np.append(start, rows.node.size))
    offset = np.arange(rows.node.size) - start[rows.node]
    model = np.minimum(start[leader[rows.node]] + offset, rows.node.size - 1)
    same = np.logical_and.reduce([column == column[model] for column in columns])
    proved = np.logical_and.reduceat(same, start) & (size == size[leader])
    return np.where(proved, leader, np.arange(start.size))


def _mixed(*columns: IntArray) -> IntArray:
    """Return a 64-bit code of each row; equal rows have equal codes."""
    code = np.zeros(columns[0].size, dtype=np.uint64)
    for column in columns:
        code ^= column.astype(np.int64).view(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
        code *= np.uint64(0xBF58476D1CE4E5B9)
        code ^= code >> np.uint64(29)
        code *= np.uint64(0x94D049BB133111EB)
        code ^= code >> np.uint64(32)
    return code
