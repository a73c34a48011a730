"""Figure 4: a position as four nodes, with the referee's announcement as their child."""

from __future__ import annotations

import numpy as np

from ipomdp.game import FloatArray, IntArray
from ipomdp.kriegspiel.board import PIECES, squares
from ipomdp.kriegspiel.referee import announcements
from networks.diagram import Diagram, Node
from networks.naming import announcement_name, square_name

LAYOUT = {
    "WK": (0.0, 1.0),
    "BK": (1.0, 1.6),
    "WQ": (2.0, 1.6),
    "BQ": (3.0, 1.0),
    "Announcement": (1.5, 0.0),
}


def board_network(states: IntArray, announced: IntArray, weights: FloatArray) -> Diagram:
    """Return the joint distribution of a position and what was announced of it.

    The joint is written as a chain, P(WK) P(BK | WK) P(WQ | WK, BK) P(BQ | WK, BK, WQ), and the
    announcement depends on all four; each table covers the squares in the support. Squares that
    never occur together keep a uniform column, which no query can reach.
    """
    codes, heard = np.unique(announced, return_inverse=True)
    columns = []
    names: dict[str, tuple[str, ...]] = {}
    for piece, square in zip(PIECES, squares(states), strict=True):
        support, index = np.unique(square, return_inverse=True)
        names[piece] = tuple(square_name(int(s)) for s in support)
        columns.append(index)
    names["Announcement"] = tuple(announcement_name(announcements()[c]) for c in codes)
    joint = np.zeros([len(labels) for labels in names.values()])
    np.add.at(joint, (*columns, heard), weights)
    nodes = []
    order = list(names)
    for k, name in enumerate(order):
        marginal = joint.sum(axis=tuple(range(k + 1, len(order))))
        nodes.append(Node(name, names[name], _conditional(marginal), tuple(order[:k])))
    return Diagram(title="Figure 4: the board", nodes=tuple(nodes), layout=LAYOUT)


def _conditional(joint: FloatArray) -> FloatArray:
    """Return P(last | the others) with the last axis first; impossible columns are uniform."""
    totals = joint.sum(axis=-1, keepdims=True)
    uniform = np.full_like(joint, 1.0 / joint.shape[-1])
    table = np.divide(joint, totals, out=uniform, where=totals > 0)
    return np.ascontiguousarray(np.moveaxis(table, -1, 0))
