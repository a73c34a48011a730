"""One node of a layer as somebody: what it believes, does and expects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ipomdp.engine.history import Situation
from ipomdp.engine.model import Blind, Frame
from ipomdp.engine.ragged import entries, totals
from ipomdp.engine.solve import Solver
from ipomdp.game import FloatArray, IntArray

ROUNDING = 1e-12
"""What is this likely to be wrong is certain: probabilities of many positions add up to one."""


@dataclass(frozen=True)
class Viewpoint:
    """A player of a frame at one of the nodes it may be at."""

    solver: Solver
    player: int
    frame: Frame
    step: int
    node: int = 0
    refused_already: int | None = None
    """The state of its turn, where tries have been refused in it."""

    @classmethod
    def of(cls, place: Situation) -> Viewpoint:
        """Return where i stands."""
        turn = place.turn if place.refused else None
        return cls(place.solver, place.player, place.frame, place.step, refused_already=turn)

    @cached_property
    def belief(self) -> Mapping[int, float]:
        """What it believes, likeliest first."""
        if self.refused_already is not None:
            return self.believed_in(self.turn)
        return self.solver.layer(self.player, self.frame, self.step).marginal(self.node)

    @cached_property
    def turn(self) -> int:
        """The state of its turn."""
        if self.refused_already is not None:
            return self.refused_already
        return int(self.solver.choice(self.player, self.frame, self.step).turns.root[self.node])

    def believed_in(self, turn: int) -> dict[int, float]:
        """Return what it believes in a state of its turn."""
        choice = self.solver.choice(self.player, self.frame, self.step)
        members = slice(*np.searchsorted(choice.turns.turn, [turn, turn + 1]))
        state = choice.layer.spot_state[choice.turns.member[members]]
        pairs = zip(state.tolist(), choice.weight[members].tolist(), strict=True)
        return {s: p for s, p in sorted(pairs, key=lambda pair: -pair[1]) if p > 0}

    @cached_property
    def values(self) -> FloatArray:
        """The worth of its actions; -inf where one is not weighed."""
        planned = self.frame.planned(self.step)
        worth = self.solver.values(self.player, self.frame, self.step, planned)
        found: FloatArray = worth[self.turn]
        return found

    @property
    def moves(self) -> FloatArray:
        """The worth of its actions; -inf also where one is certainly illegal."""
        found: FloatArray = np.where(self._possible > 0, self.values, -np.inf)
        return found

    @cached_property
    def _possible(self) -> FloatArray:
        """For each action, the probability that it is legal."""
        choice = self.solver.choice(self.player, self.frame, self.step)
        members = slice(*np.searchsorted(choice.turns.turn, [self.turn, self.turn + 1]))
        legal = choice.legal[choice.turns.member[members]]
        share: FloatArray = choice.weight[members] @ legal
        return share

    def legal(self, action: int) -> float:
        """Return the probability that an action is legal."""
        share = float(self._possible[action])
        return 1.0 if share > 1 - ROUNDING else share

    @cached_property
    def tries(self) -> FloatArray:
        """How likely each action is its next try."""
        response: FloatArray = np.exp(
            self.solver.policy(self.player, self.frame, self.step).response[self.turn]
        )
        return response

    def made(self, states: IntArray, weights: FloatArray) -> FloatArray:
        """Return how likely it finally makes each move, in states weighed by somebody else."""
        layer = self.solver.layer(self.player, self.frame, self.step)
        policy = self.solver.policy(self.player, self.frame, self.step)
        spot = layer.find(np.full(states.size, self.node), states)
        entry, owner = entries(policy.start, spot)
        chance = weights[owner] * np.exp(policy.log[entry])
        found: FloatArray = totals(policy.action[entry], chance, self.solver.actions)
        found /= found.sum()
        return found

    @cached_property
    def opponents(self) -> tuple[tuple[Viewpoint | Blind, float], ...]:
        """Whom it holds possible across the board, likeliest first."""
        layer = self.solver.layer(self.player, self.frame, self.step)
        inside = slice(layer.start[self.node], layer.start[self.node + 1])
        kinds, others = layer.rows.kind[inside], layer.rows.other[inside]
        return mixed(self, kinds, others, layer.probability[inside], self.step)

    def expects(self, opponent: Viewpoint) -> FloatArray:
        """Return how likely somebody across the board finally makes each move, as it believes.

        It knows more of the position than the other does: what the other may try is refused where
        its own pieces stand in the way.
        """
        layer = self.solver.layer(self.player, self.frame, self.step)
        inside = slice(layer.start[self.node], layer.start[self.node + 1])
        kind = self.frame.opponents.index(opponent.frame)
        mine = (layer.rows.kind[inside] == kind) & (layer.rows.other[inside] == opponent.node)
        weight = np.where(mine, layer.probability[inside], 0.0)
        held = weight > 0
        return opponent.made(layer.rows.state[inside][held], weight[held])

    @cached_property
    def rows(self) -> tuple[IntArray, FloatArray, IntArray]:
        """The rows behind its turn, their probabilities, and the spot of each."""
        choice = self.solver.choice(self.player, self.frame, self.step)
        layer, turns = choice.layer, choice.turns
        members = slice(*np.searchsorted(turns.turn, [self.turn, self.turn + 1]))
        spots = turns.member[members]
        start = np.append(layer.spot_first, layer.rows.node.size)
        row, owner = entries(start, spots)
        return row, choice.weight[members][owner] * layer.share[row], spots[owner]

    def later(self, action: int, said: int, answer: int) -> Viewpoint:
        """Return where it stands after its move, what was said, and what was said of the reply.

        Where refusals are heard by both, there were none.
        """
        solver, player, frame, step = self.solver, self.player, self.frame, self.step
        node = np.array([self.turn * solver.actions + action])
        for ahead, heard in enumerate((said, answer)):
            noticed = solver.noticed(frame, np.array([heard]), np.zeros(1, dtype=np.int64))
            node = solver.step(player, frame, step + ahead).node_after(node, noticed)
        return Viewpoint(solver, player, frame, step + 2, int(node[0]))


def mixed(
    viewer: Viewpoint, kinds: IntArray, nodes: IntArray, weights: FloatArray, step: int
) -> tuple[tuple[Viewpoint | Blind, float], ...]:
    """Return the other players behind some rows, each once, with their probabilities."""
    found: list[tuple[Viewpoint | Blind, float]] = []
    for kind, opponent in enumerate(viewer.frame.opponents):
        mine = kinds == kind
        if isinstance(opponent, Blind):
            found.append((opponent, float(weights[mine].sum())))
            continue
        for node in np.unique(nodes[mine]).tolist():
            share = float(weights[mine & (nodes == node)].sum())
            who = Viewpoint(viewer.solver, 1 - viewer.player, opponent, step, node)
            found.append((who, share))
    return tuple(sorted((pair for pair in found if pair[1] > 0), key=lambda pair: -pair[1]))
