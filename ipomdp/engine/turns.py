"""A turn: try, be refused, learn from it, try again.

What refusals teach a player depends on the set refused, not on its order, and only through the
spots that survive it. A turn is therefore a small graph: one state of the turn for each set of
surviving spots, kept as the set of actions that none of them allows. That set grows with every
refusal, and two sets of tries that leave the same spots have the same one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ipomdp.engine.layer import Layer
from ipomdp.engine.ragged import entries, firsts, log_sums
from ipomdp.game import BoolArray, FloatArray, IntArray

MOST_ACTIONS = 32
"""Sets of actions are kept as bits beside a node's number."""


@dataclass(frozen=True)
class Turns:
    """Every state of the turns of a layer's nodes, those with fewer actions ruled out first."""

    node: IntArray
    refusals: IntArray
    """How many refusals the other has heard; 0 where it hears none."""
    root: IntArray
    """For each node, the turn in which nothing has been refused."""
    member: IntArray
    """The surviving spots of each turn, turn by turn."""
    turn: IntArray
    """The turn of each member."""
    child: IntArray
    """(turns, actions): the turn after a refusal; -1 where the action cannot be refused, or was."""
    group: IntArray
    """For each turn, how many actions are ruled out: refusals lead to a higher number."""
    actual: int = -1
    """The turn in which the only node actually is; -1 if it was not asked for or cannot be."""

    @cached_property
    def first(self) -> IntArray:
        """The first member of each turn."""
        return firsts(self.turn)

    def weights(self, layer: Layer) -> tuple[FloatArray, BoolArray]:
        """Return the probability of each member in its turn, and whether it is believed at all."""
        rank = layer.spot_rank[self.member]
        believed: BoolArray = rank == np.minimum.reduceat(rank, self.first)[self.turn]
        log = np.where(believed, layer.spot_log[self.member], -np.inf)
        weight = np.exp(log - np.maximum.reduceat(log, self.first)[self.turn])
        weight /= np.add.reduceat(weight, self.first)[self.turn]
        return weight, believed

    def links(self, legal: BoolArray) -> tuple[IntArray, IntArray, IntArray]:
        """Return the refusals (member, action, member of the turn after it), by the last."""
        member, action = np.nonzero(~legal[self.member] & (self.child[self.turn] >= 0))
        spots = int(self.member.max()) + 1
        keys = self.turn.astype(np.int64) * spots + self.member
        after = self.child[self.turn[member], action].astype(np.int64)
        target = np.searchsorted(keys, after * spots + self.member[member])
        order = np.argsort(target, kind="stable")
        return member[order], action[order], target[order]


def one_try(layer: Layer, actions: int) -> Turns:
    """Return turns that end with their first try."""
    nodes = np.arange(layer.nodes)
    return Turns(
        node=nodes,
        refusals=np.zeros(layer.nodes, dtype=np.int64),
        root=nodes,
        member=np.arange(layer.spot_node.size),
        turn=layer.spot_node,
        child=np.full((layer.nodes, actions), -1),
        group=np.zeros(layer.nodes, dtype=np.int64),
    )


def retries(
    layer: Layer, legal: BoolArray, *, counted: bool, extra: tuple[int, ...] | None = None
) -> Turns:
    """Return turns that go on until a try is legal; ``counted`` tells turns by their length too.

    ``extra`` are tries actually refused at the only node, be they pointless or not.
    """
    actions = legal.shape[1]
    if actions > MOST_ACTIONS:
        raise ValueError(f"at most {MOST_ACTIONS} actions can be tried again, not {actions}")
    place = (1 << np.arange(actions)).astype(np.uint32)
    nothing = np.uint32((1 << actions) - 1)
    ruled_out = ((~legal) * place).sum(axis=1, dtype=np.uint32)
    root = _key(
        np.arange(layer.nodes),
        np.zeros(layer.nodes, dtype=np.int64),
        np.bitwise_and.reduceat(ruled_out, layer.spot_start[:-1]),
    )
    actual = root[:0]
    if extra is not None:
        refused = np.bitwise_or.reduce(place[list(extra)], initial=np.uint32(0))
        left = ruled_out[(ruled_out & refused) == refused]
        if left.size:
            one = np.array([0])
            count = np.array([min(len(extra), MOST_ACTIONS - 1) if counted else 0])
            actual = _key(one, count, np.bitwise_and.reduce(left, keepdims=True))
    seen = np.zeros(0, dtype=np.int64)
    found: list[tuple[IntArray, IntArray, IntArray, IntArray]] = []
    fresh = np.union1d(root, actual)
    while fresh.size:
        node, count, closed = _parts(fresh)
        spot, owner = entries(layer.spot_start, node)
        survives = (ruled_out[spot] & closed[owner]) == closed[owner]
        spot, owner = spot[survives], owner[survives]
        refusing = np.where(legal[spot], nothing, ruled_out[spot][:, None])
        left = np.bitwise_and.reduceat(refusing, firsts(owner), axis=0)
        open_ = (left != nothing) & ((closed[:, None] & place) == 0)
        after = np.where(open_, _key(node[:, None], count[:, None] + counted, left), -1)
        found.append((fresh, spot, np.bincount(owner, minlength=fresh.size), after))
        seen = np.union1d(seen, fresh)
        fresh = np.setdiff1d(after[open_], seen)
    return _assembled(found, root, actual)


def _assembled(
    found: list[tuple[IntArray, IntArray, IntArray, IntArray]], root: IntArray, actual: IntArray
) -> Turns:
    """Put the turns in order, those with fewer actions ruled out first, and link them."""
    keys, spots, sizes, after = (np.concatenate(part) for part in zip(*found, strict=True))
    node, count, closed = _parts(keys)
    ruled_out = np.bitwise_count(closed)
    order = np.argsort(ruled_out, kind="stable")
    by_key = np.argsort(keys)
    rank = np.empty(keys.size, dtype=np.int64)
    rank[order] = np.arange(keys.size)

    def number(wanted: IntArray) -> IntArray:
        return rank[by_key[np.searchsorted(keys[by_key], wanted)]]

    child = np.full(after.shape, -1)
    child[after >= 0] = number(after[after >= 0])
    start = np.concatenate([[0], np.cumsum(sizes)])
    member, turn = entries(start, order)
    return Turns(
        node=node[order],
        refusals=count[order],
        root=number(root),
        member=spots[member],
        turn=turn,
        child=child[order],
        group=ruled_out[order].astype(np.int64),
        actual=int(number(actual)[0]) if actual.size else -1,
    )


def _key(node: IntArray, count: IntArray, closed: IntArray) -> IntArray:
    return (((node << 5) | count) << 32) | closed.astype(np.int64)


def _parts(key: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    return key >> 37, (key >> 32) & 31, (key & 0xFFFFFFFF).astype(np.uint32)


def go_on(turns: Turns, allowed: BoolArray, value: FloatArray, refused: FloatArray) -> FloatArray:
    """Return Q(T, a) = value + P(refused | T) V(T + a), with V(T) = max over a of Q(T, a)."""
    worth = np.where(allowed, value, -np.inf)
    best = np.zeros(turns.node.size)
    edge = firsts(turns.group)
    for low, high in zip(edge[::-1], np.append(edge, turns.group.size)[:0:-1], strict=True):
        here = slice(low, high)
        child = turns.child[here]
        follows = (child >= 0) & allowed[here]
        worth[here][follows] += refused[here][follows] * best[child[follows]]
        best[here] = worth[here].max(axis=1)
    return worth


def reach(
    turns: Turns, links: tuple[IntArray, IntArray, IntArray], log_response: FloatArray
) -> FloatArray:
    """Return, for each member, the log probability that its turn gets there if its spot is true."""
    log = np.full(turns.member.size, -np.inf)
    at_root = np.zeros(turns.node.size, dtype=bool)
    at_root[turns.root] = True
    log[at_root[turns.turn]] = 0.0
    member, action, target = links
    if not member.size:
        return log
    response = log_response[turns.turn[member], action]
    edge = firsts(turns.group[turns.turn[target]])
    for low, high in zip(edge, np.append(edge[1:], member.size), strict=True):
        here = slice(low, high)
        first = firsts(target[here])
        log[target[here][first]] = log_sums(log[member[here]] + response[here], first)
    return log
