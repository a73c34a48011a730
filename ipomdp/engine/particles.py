"""Particles: a belief with too many rows is cut down to some of them, drawn by their weights.

The filter moves every kept row through a step exactly and only then draws (a Rao-Blackwellised
interactive particle filter after Doshi and Gmytrasiewicz 2009, with the models nested in it cut
down the same way). What a player above holds possible is never lost below: for each state that it
pairs with a node, that node keeps its likeliest row, at its exact weight.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ipomdp.engine.layer import Layer, Rows
from ipomdp.engine.ragged import firsts, log_sums, totals
from ipomdp.game import FloatArray, IntArray

TEMPER = 0.25
"""Rows are drawn by their weights to this power."""


@dataclass(frozen=True)
class Particles:
    """How beliefs are cut down, and the generator that draws."""

    count: int
    """How many particles the player's own belief keeps."""
    nested: int
    """How many each belief nested in it keeps, beside the rows that must stay."""
    exact_up_to: int
    """Up to how many rows a belief is left alone."""
    generator: np.random.Generator

    def thin(self, layer: Layer, needed: tuple[IntArray, IntArray] | None) -> Layer:
        """Return a layer with fewer rows; ``needed`` are (node, state) pairs that must stay.

        Without ``needed`` it is the player's own layer, whose only node keeps ``count`` rows.
        """
        most = self.count if needed is None else self.nested
        size = np.diff(layer.start)
        if needed is None:
            crowded = size > max(self.exact_up_to, most)
        elif size.sum() > self.exact_up_to:
            crowded = size > most
        else:
            return layer
        if not crowded.any():
            return layer
        rows = layer.rows
        anchor = np.zeros(rows.node.size, dtype=bool)
        if needed is not None:
            anchor[_likeliest(layer, *needed)] = True
        exact = ~crowded[rows.node] | anchor
        pool = np.flatnonzero(~exact & (rows.rank == 0))
        if not pool.size:
            return layer
        log = np.array(rows.log)
        drawn, weight = self._drawn(rows.node[pool], log[pool], most)
        log[pool[drawn]] = weight
        kept = np.sort(np.concatenate([np.flatnonzero(exact), pool[drawn]]))
        return Layer(_renormalised(rows._replace(log=log).take(kept), layer), layer.surprised)

    def _drawn(self, node: IntArray, log: FloatArray, most: int) -> tuple[IntArray, FloatArray]:
        """Return which rows are drawn, ``most`` from each node, and their log weights.

        Rows are drawn by their weights to the power ``TEMPER``, systematically, and what that
        favours or slights is made up for in the weights: unlikely rows stay in sight.
        """
        nodes, first = np.unique(node, return_index=True)
        group = np.searchsorted(nodes, node)
        chance = TEMPER * (log - np.maximum.reduceat(log, first)[group])
        chance -= log_sums(chance, first)[group]
        running = np.cumsum(np.exp(chance))
        before = np.append(0.0, running[first[1:] - 1])
        place = group + np.minimum(running - before[group], 1.0 - 1e-12)
        place[np.append(first[1:], node.size) - 1] = np.arange(nodes.size) + 1.0
        shift = self.generator.random(nodes.size)
        points = (np.arange(most)[None, :] + shift[:, None]) / most + np.arange(nodes.size)[:, None]
        hit, times = np.unique(np.searchsorted(place, points.ravel()), return_counts=True)
        weight = log[hit] - chance[hit] + np.log(times / most)
        mass = log_sums(log, first) - log_sums(weight, firsts(group[hit]))
        return hit, weight + mass[group[hit]]


def _likeliest(layer: Layer, nodes: IntArray, states: IntArray) -> IntArray:
    """Return the likeliest row of each (node, state) pair."""
    spots = np.unique(layer.find(nodes, states))
    order = np.lexsort([-layer.rows.log, layer.rows.rank, layer.spot_of_row])
    leading: IntArray = order[firsts(layer.spot_of_row[order])][spots]
    return leading


def _renormalised(rows: Rows, layer: Layer) -> Rows:
    """Return rows whose weights of rank 0 sum to one at each node."""
    chance = np.where(rows.rank == 0, np.exp(rows.log), 0.0)
    total = totals(rows.node, chance, layer.nodes)
    with np.errstate(divide="ignore"):
        shift = np.log(total)[rows.node]
    return rows._replace(log=rows.log - np.where(np.isfinite(shift), shift, 0.0))
