"""Values and policies of nested models, for all nodes of a layer at once.

Level k is the general case. At level 0 the last decision is worth the state right after it; at
level k >= 1 it is worth what is left after the other's reply, by the quantal response of the
other's model at level k - 1 (Gmytrasiewicz and Doshi 2005, with quantal instead of best responses).
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from ipomdp.engine.filter import Filter
from ipomdp.engine.model import Blind, Frame
from ipomdp.engine.quantal import log_quantal_response
from ipomdp.engine.ragged import entries, starts_of, totals
from ipomdp.engine.step import Choice, Edges, Policy
from ipomdp.engine.turns import go_on, reach
from ipomdp.game import BoolArray, FloatArray, IntArray, Utility


class Solver(Filter):
    """Answers questions about models of one game and remembers every answer while it lives."""

    @cached_property
    def _policies(self) -> dict[tuple[int, Frame, int], Policy]:
        return {}

    @cached_property
    def _worths(self) -> dict[tuple[int, Frame, int, int], FloatArray]:
        return {}

    @cached_property
    def _replies(self) -> dict[tuple[int, Frame, int, Utility], FloatArray]:
        return {}

    def policy(self, player: int, frame: Frame, step: int) -> Policy:
        """Return what the nodes of a layer do, by quantal response to their values."""
        key = (player, frame, step)
        if key not in self._policies:
            self._policies[key] = self._decided(*key)
        return self._policies[key]

    def _decided(self, player: int, frame: Frame, step: int) -> Policy:
        choice = self.choice(player, frame, step)
        turns, legal = choice.turns, choice.legal
        worth = self.values(player, frame, step, frame.planned(step))
        response = log_quantal_response(worth, frame.rationality, choice.allowed)
        stays = np.zeros(legal.shape[0])
        if self.rules.retry:
            member, action, start = choice.attempts
            log = reach(turns, choice.links, response)[member]
            turn = turns.turn[member]
            log = log + response[turn, action]
        else:
            node = choice.layer.spot_node
            open_ = legal & choice.allowed[node]
            stays = (np.exp(response[node]) * ~legal).sum(axis=1)
            chosen = log_quantal_response(worth[node], frame.rationality, open_)
            turn, action = np.nonzero(open_)
            start, log = starts_of(turn, legal.shape[0]), chosen[turn, action]
            turn = node[turn]
        if not choice.tight:
            chance = log > -np.inf
            owner = np.repeat(np.arange(legal.shape[0]), np.diff(start))[chance]
            turn, action, log = turn[chance], action[chance], log[chance]
            start = starts_of(owner, legal.shape[0])
        return Policy(response, turn, action, log, start, stays)

    # What actions are worth.

    def values(self, player: int, frame: Frame, step: int, horizon: int) -> FloatArray:
        """Return the worth of every action in every turn; -inf where it is not weighed."""
        key = (player, frame, step, horizon)
        if key not in self._worths:
            self._worths[key] = self._valued(*key)
        return self._worths[key]

    def _valued(self, player: int, frame: Frame, step: int, horizon: int) -> FloatArray:
        choice = self.choice(player, frame, step)
        turns, legal, utility = choice.turns, choice.legal, frame.utility
        if horizon > 1:
            value = self._planned(player, frame, step, horizon)
        elif self.acts(1 - player, step):
            value = self._averaged(choice, self._at_once(player, frame, step))
        elif not (self.rules.audible and frame.level > 1):
            weighed = self._considered(legal, step)
            value = self._averaged(choice, self._last(player, frame, step, weighed, 0))
        else:
            value = np.zeros(turns.child.shape)
            for count in np.unique(turns.refusals).tolist():
                these = turns.refusals == count
                there = np.zeros(legal.shape[0], dtype=bool)
                there[turns.member[these[turns.turn]]] = True
                weighed = self._considered(legal, step) & there[:, None]
                worth = self._last(player, frame, step, weighed, count)
                value[these] = self._averaged(choice, worth)[these]
        state = choice.layer.spot_state
        spot, action = np.nonzero(legal)
        gained = utility.reward(state[spot], action, player)
        if gained is not None:
            reward = np.zeros(legal.shape)
            reward[spot, action] = gained
            value = value + self._averaged(choice, reward)
        if not self.rules.retry:
            unmoved = utility.final(state, player)[:, None] * ~legal
            return np.where(choice.allowed, value + self._averaged(choice, unmoved), -np.inf)
        return go_on(
            turns, choice.allowed, value, self._averaged(choice, (~legal).astype(np.float64))
        )

    def _averaged(self, choice: Choice, worth: FloatArray) -> FloatArray:
        """Return the expectation over the members of each turn of something about spots."""
        turns = choice.turns
        weighed = choice.weight[:, None] * worth[turns.member]
        total: FloatArray = np.add.reduceat(weighed, turns.first, axis=0)
        return total

    def _last(
        self, player: int, frame: Frame, step: int, legal: BoolArray, refusals: int
    ) -> FloatArray:
        """Return what the last decision is worth at each spot: after the reply, if one is modelled.

        ``refusals`` is how many the other has heard.
        """
        layer = self.layer(player, frame, step)
        spot, action = np.nonzero(legal)
        state = layer.spot_state[spot]
        out = self.game.play(state, (action, None) if player == 0 else (None, action))
        place, chance = (spot * self.actions + action)[out.case], np.exp(out.log_probability)
        after = chance * frame.utility.final(out.successor, player)
        over = self.game.over(out.successor) | (frame.level == 0)
        total = totals(place[over], after[over], legal.size)
        on = np.flatnonzero(~over)
        if not on.size:
            return total.reshape(legal.shape)
        start = np.append(layer.spot_first, layer.rows.node.size)
        row, owner = entries(start, spot[out.case[on]])
        entry = on[owner]
        heard, state = out.heard[1 - player][entry], out.successor[entry]
        replied = np.zeros(row.size)
        for kind in layer.kinds:
            opponent = frame.opponents[kind]
            these = np.flatnonzero(layer.rows.kind[row] == kind)
            replied[these] = self._replied(
                player, frame, step, opponent, layer.rows.other[row[these]], heard[these],
                state[these], refusals,
            )  # fmt: skip
        replied *= layer.share[row] * chance[entry]
        total = total + totals(place[entry], replied, legal.size)
        return total.reshape(legal.shape)

    def _replied(
        self, player: int, frame: Frame, step: int, opponent: Frame | Blind, node: IntArray,
        heard: IntArray, state: IntArray, refusals: int,
    ) -> FloatArray:  # fmt: skip
        """Return the player's expected utility after the other's reply to what it has heard."""
        other = 1 - player
        if isinstance(opponent, Blind):
            return self._reply_at_random(other, state, frame.utility)
        noticed = self.noticed(opponent, heard, np.full(1, refusals))
        node = self.step(other, opponent, step).node_after(node, noticed, sampled=self.sampled)
        table = self._reply_worth(other, opponent, step + 1, frame.utility)
        return table[self.spots(other, opponent, step + 1, node, state)]

    def _reply_worth(self, other: int, frame: Frame, step: int, utility: Utility) -> FloatArray:
        """Return, for each spot of the other's layer, what its move leaves its opponent with."""
        key = (other, frame, step, utility)
        if key not in self._replies:
            policy, layer = self.policy(other, frame, step), self.layer(other, frame, step)
            spots = layer.spot_state.size
            spot = np.repeat(np.arange(spots), np.diff(policy.start))
            after = self._after(other, layer.spot_state[spot], policy.action, utility)
            moved = totals(spot, np.exp(policy.log) * after, spots)
            unmoved = utility.final(layer.spot_state, 1 - other)
            self._replies[key] = (1.0 - policy.stays) * moved + policy.stays * unmoved
        return self._replies[key]

    def _reply_at_random(self, other: int, state: IntArray, utility: Utility) -> FloatArray:
        legal = self.game.legal(state, other)
        case, action = np.nonzero(legal)
        after = self._after(other, state[case], action, utility)
        moved = totals(case, after, state.size)
        tries: FloatArray = legal.sum(axis=1).astype(np.float64)
        if not self.rules.retry:
            moved += utility.final(state, 1 - other) * (self.actions - tries)
            tries = np.full(state.size, float(self.actions))
        worth: FloatArray = moved / tries
        return worth

    def _after(self, other: int, state: IntArray, action: IntArray, utility: Utility) -> FloatArray:
        """Return the expected utility to the waiting player right after the other's moves."""
        out = self.game.play(state, (action, None) if other == 0 else (None, action))
        worth = utility.final(out.successor, 1 - other)
        if out.case.size == state.size:
            return worth
        chance = np.exp(out.log_probability)
        return totals(out.case, chance * worth, state.size)

    def _planned(self, player: int, frame: Frame, step: int, horizon: int) -> FloatArray:
        """Return what actions are worth with own decisions still to come."""
        choice = self.choice(player, frame, step)
        onward = self.step(player, frame, step)
        edges = onward.edges
        ahead = self._ahead(player, frame, step + 1, horizon - 1) if onward.layer else None
        worth = self._onward(player, frame, edges, onward.child, ahead) * frame.discount
        chance = choice.weight[edges.member] * choice.layer.share[edges.row] * np.exp(edges.log)
        size = choice.turns.child.size
        total = totals(edges.group, chance * (edges.rank == 0) * worth, size)
        return total.reshape(choice.turns.child.shape)

    def _at_once(self, player: int, frame: Frame, step: int) -> FloatArray:
        """Return what the last decision is worth at each spot, where the other acts with it."""
        choice, other = self.choice(player, frame, step), 1 - player
        layer, legal = choice.layer, choice.legal
        chances = np.zeros(legal.size)
        for kind in layer.kinds:
            opponent = frame.opponents[kind]
            row = np.flatnonzero(layer.rows.kind == kind)
            hidden = self._hidden_moves(other, opponent, step, layer.rows.take(row), None)
            if hidden.action is None:
                raise TypeError("here the other acts at the same time")
            row = row[hidden.case]
            chance = layer.share[row] * np.exp(hidden.log) * (hidden.rank == 0)
            chances += totals(
                layer.spot_of_row[row] * self.actions + hidden.action, chance, legal.size
            )
        spot, own, others = np.nonzero(
            legal[:, :, None] & (chances.reshape(legal.shape) > 0)[:, None]
        )
        out = self.game.play(
            layer.spot_state[spot], (own, others) if player == 0 else (others, own)
        )
        spot, own, others = spot[out.case], own[out.case], others[out.case]
        chance = chances[spot * self.actions + others] * np.exp(out.log_probability)
        worth = chance * frame.utility.final(out.successor, player)
        return totals(spot * self.actions + own, worth, legal.size).reshape(legal.shape)

    def _ahead(self, player: int, frame: Frame, step: int, horizon: int) -> FloatArray:
        """Return what each node of a layer is worth with so many own decisions still to come."""
        if self.acts(player, step):
            worth = self.values(player, frame, step, horizon)
            best: FloatArray = worth[self.choice(player, frame, step).turns.root].max(axis=1)
            return best
        layer, onward = self.layer(player, frame, step), self.step(player, frame, step)
        ahead = self._ahead(player, frame, step + 1, horizon) if onward.layer else None
        edges = onward.edges
        worth = self._onward(player, frame, edges, onward.child, ahead)
        stays = self._line_ends(player, frame, step)
        chance = layer.probability[edges.row] * np.exp(edges.log) * (edges.rank == 0)
        chance *= 1.0 - stays[edges.row]
        moved = totals(layer.rows.node[edges.row], chance * worth, layer.nodes)
        unmoved = layer.probability * stays * frame.utility.final(layer.rows.state, player)
        return moved + totals(layer.rows.node, unmoved, layer.nodes)

    def _onward(
        self, player: int, frame: Frame, edges: Edges, child: IntArray, ahead: FloatArray | None
    ) -> FloatArray:
        """Return what each edge leads to: a node's worth, or the utility where the game ends."""
        worth = frame.utility.final(edges.state, player)
        return worth if ahead is None else np.where(edges.over, worth, ahead[child])

    def _line_ends(self, player: int, frame: Frame, step: int) -> FloatArray:
        """Return for each row the chance that the other's try is refused and ends the line."""
        rows, other = self.layer(player, frame, step).rows, 1 - player
        stays = np.zeros(rows.node.size)
        if self.rules.retry:
            return stays
        for kind in self.layer(player, frame, step).kinds:
            opponent = frame.opponents[kind]
            these = np.flatnonzero(rows.kind == kind)
            if isinstance(opponent, Frame):
                spot = self.spots(other, opponent, step, rows.other[these], rows.state[these])
                stays[these] = self.policy(other, opponent, step).stays[spot]
            elif opponent is Blind.RANDOM:
                legal = self.game.legal(rows.state[these], other)
                stays[these] = 1.0 - legal.mean(axis=1)
        return stays
