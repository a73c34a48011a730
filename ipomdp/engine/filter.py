"""Beliefs of nested models: how everything heard splits the nodes of a layer.

A player at level 0 models nobody: the game says how it takes the other to act. At level k >= 1 the
other's hidden moves follow the policy of the other's model at level k - 1, at what that model then
knows. Everything heard conditions belief, by Bayes' rule over what could have happened.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np

from ipomdp.engine.layer import Layer, Rows, gather
from ipomdp.engine.model import Blind, Frame
from ipomdp.engine.ragged import entries, log_sums, runs
from ipomdp.engine.step import (
    HEARD,
    REFUSALS,
    Choice,
    Edges,
    Moves,
    Past,
    Policy,
    Rules,
    Step,
    refusal_counts,
)
from ipomdp.engine.turns import one_try, retries
from ipomdp.errors import ParticlesLost
from ipomdp.game import BoolArray, FloatArray, Game, IntArray, Outcomes


class Filter(ABC):
    """All that players of one game may know, step by step; what they then do is to be added."""

    def __init__(
        self,
        game: Game,
        views: tuple[Rows, Rows],
        rules: Rules,
        *,
        first: BoolArray | None = None,
        unguarded: bool = False,
        layers: Mapping[tuple[int, Frame, int], Layer] | None = None,
        sampled: bool = False,
    ) -> None:
        """Start from what each player holds possible.

        ``views`` are rows (node, state, other's node) of either player, of kind and rank 0.
        ``first`` marks the actions that the player of the first move considers, and that everyone
        at every level believes it considers, for that move only; ``unguarded`` says that it may
        have made another all the same. ``layers`` are known already,
        ``sampled`` or exact.
        """
        self.game = game
        self.rules = rules
        self.actions = len(game.actions)
        self.views = views
        self.first = first
        self.unguarded = unguarded
        self.sampled = sampled
        self._acting = game.acts(int(views[0].state[0]))
        self.extra: dict[tuple[int, Frame, int], tuple[int, ...]] = {}
        """Tries refused in a step although the player knew better, where refusals are counted."""
        self._layers = dict(layers or {})
        self._steps: dict[tuple[int, Frame, int], Step] = {}
        self._choices: dict[tuple[int, Frame, int], Choice] = {}

    @abstractmethod
    def policy(self, player: int, frame: Frame, step: int) -> Policy:
        """Return what the nodes of a layer do."""

    # What players may know.

    def layer(self, player: int, frame: Frame, step: int) -> Layer:
        """Return all that a player of a frame may know after a number of steps."""
        key = (player, frame, step)
        if key not in self._layers:
            layer = self._root(player, frame) if step == 0 else self.step(*key[:2], step - 1).layer
            if layer is None:
                raise LookupError(f"the game is over before step {step}")
            self._layers[key] = layer
        return self._layers[key]

    def spots(
        self, player: int, frame: Frame, step: int, nodes: IntArray, states: IntArray
    ) -> IntArray:
        """Return the spots of (node, state) pairs; particles may have lost some."""
        try:
            return self.layer(player, frame, step).find(nodes, states)
        except LookupError:
            if not self.sampled:
                raise
        raise ParticlesLost("no particle explains what may be heard; raise belief.particles")

    def known(self, step: int) -> list[Layer]:
        """Return the layers of a step that are there already."""
        return [layer for (_, _, at), layer in self._layers.items() if at == step]

    def step(self, player: int, frame: Frame, step: int) -> Step:
        """Return the next layer and how to get there."""
        key = (player, frame, step)
        if key not in self._steps:
            self._steps[key] = self.advance(*key)
        return self._steps[key]

    def acts(self, player: int, step: int) -> bool:
        """Return whether a player acts in a step: in all of them, or in every other one."""
        turned = player if all(self._acting) or step % 2 == 0 else 1 - player
        return self._acting[turned]

    def _root(self, player: int, frame: Frame) -> Layer:
        view = self.views[player]
        count, kinds = view.node.size, len(frame.opponents)
        kind = np.repeat(np.arange(kinds), count)
        blind = np.array([isinstance(o, Blind) for o in frame.opponents])[kind]
        rows = view.take(np.tile(np.arange(count), kinds))
        rows = rows._replace(
            kind=kind,
            other=np.where(blind, 0, rows.other),
            log=rows.log + np.log(np.repeat(frame.weights, count)),
        )
        return gather(rows, int(view.node.max()) + 1, merge=False)[0]

    def advance(self, player: int, frame: Frame, step: int, past: Past | None = None) -> Step:
        """Return the next layer, all of it or what a past step leaves of it."""
        edges = self._edges(player, frame, step, past)
        on = ~edges.over
        child = np.full(edges.row.size, -1)
        if not on.any():
            nothing = np.zeros(0, dtype=np.int64)
            return Step(None, nothing, nothing, edges, child)
        keys, node = np.unique(edges.group[on] * HEARD + edges.heard[on], return_inverse=True)
        before, row = self.layer(player, frame, step), edges.row[on]
        log, rank = before.rows.log[row] + edges.log[on], before.rows.rank[row] + edges.rank[on]
        rows = Rows(node, edges.state[on], edges.kind[on], edges.other[on], log, rank)
        surprised = np.zeros(keys.size, dtype=bool)
        surprised[node] = before.surprised[before.rows.node[row]]  # and it stays so
        layer, nodes = gather(rows, keys.size, surprised=surprised)
        child[on] = nodes[node]
        return Step(layer, keys, nodes, edges, child)

    def _edges(self, player: int, frame: Frame, step: int, past: Past | None = None) -> Edges:
        """Return the ways on from the rows of a layer."""
        kinds = self.layer(player, frame, step).kinds
        parts = [self._edges_of_kind(player, frame, step, kind, past) for kind in kinds]
        if len(parts) == 1:
            return parts[0]
        columns = zip(*(vars(part).values() for part in parts), strict=True)
        return Edges(*(np.concatenate(column) for column in columns))

    def _edges_of_kind(
        self, player: int, frame: Frame, step: int, kind: int, past: Past | None
    ) -> Edges:
        """Return the ways on from the rows in which the other has one of the frames."""
        rows, opponent, other = (
            self.layer(player, frame, step).rows,
            frame.opponents[kind],
            1 - player,
        )
        row = np.flatnonzero(rows.kind == kind)
        own = self._own_moves(player, frame, step, row, past)
        row = row[own.case]
        hidden = self._hidden_moves(other, opponent, step, rows.take(row), past)
        row, own = row[hidden.case], own.take(hidden.case)
        acting = {player: own.action, other: hidden.action}
        out = self.game.play(rows.state[row], (acting[0], acting[1]))
        if past and past.announced is not None:
            out = out.take(out.heard[player] == past.announced)
        if out.case.size > row.size:
            out = self._told_apart(out, (frame, opponent) if player == 0 else (opponent, frame))
        row, own, hidden = row[out.case], own.take(out.case), hidden.take(out.case)
        over = self.game.over(out.successor)
        after = np.zeros(row.size, dtype=np.int64)
        if isinstance(opponent, Frame) and not over.all():
            on = ~over
            onward = past.steps[opponent] if past else self.step(other, opponent, step)
            heard = self.noticed(opponent, out.heard[other], own.refusals)
            after[on] = onward.node_after(hidden.group[on], heard[on], sampled=self.sampled)
        return Edges(
            row=row,
            member=own.member,
            group=own.group,
            heard=self.noticed(frame, out.heard[player], hidden.refusals),
            state=out.successor,
            kind=np.full(row.size, kind),
            other=after,
            log=hidden.log + out.log_probability,
            rank=hidden.rank,
            over=over,
        )

    def _told_apart(
        self, out: Outcomes, listeners: tuple[Frame | Blind, Frame | Blind]
    ) -> Outcomes:
        """Return outcomes with what each player makes of its sounds, those alike added up."""
        nothing = np.zeros(out.case.size, dtype=np.int64)
        one, other = (
            self.noticed(who, heard, nothing) if isinstance(who, Frame) else nothing
            for who, heard in zip(listeners, out.heard, strict=True)
        )
        order, first = runs(out.case, out.successor, one, other)
        which = order[first]
        return Outcomes(
            out.case[which], out.successor[which], (one[which], other[which]),
            log_sums(out.log_probability[order], first),
        )  # fmt: skip

    def noticed(self, frame: Frame, heard: IntArray, refusals: IntArray) -> IntArray:
        """Return what a player of a frame makes of what it hears and of the refusals before it."""
        return self.game.alone(heard) if frame.level == 0 else heard + refusals * REFUSALS

    def _own_moves(
        self, player: int, frame: Frame, step: int, row: IntArray, past: Past | None
    ) -> Moves:
        """Return what the player may do in some rows of its layer; no chances are given to it."""
        layer = self.layer(player, frame, step)
        if not self.acts(player, step):
            return Moves.none(np.arange(row.size), layer.rows.node[row])
        choice = self.choice(player, frame, step)
        member_of, action_of, start = choice.attempts
        entry, case = entries(start, layer.spot_of_row[row])
        member, action = member_of[entry], action_of[entry]
        turn = choice.turns.turn[member]
        moves = Moves(
            case=case,
            group=turn * self.actions + action,
            action=action,
            refusals=choice.turns.refusals[turn],
            log=np.zeros(case.size),
            rank=np.zeros(case.size, dtype=np.int64),
            member=member,
        )
        if not past:
            return moves
        if past.frame is frame:
            came = moves.group == past.turn * self.actions + (past.action or 0)
        elif self.rules.audible:  # everybody knows how many refusals there were
            came = (moves.refusals == past.refusals) | np.isin(turn, choice.turns.root)
        else:
            return moves
        return moves.take(came)._replace(refusals=np.full(int(came.sum()), past.refusals))

    def _hidden_moves(
        self, player: int, frame: Frame | Blind, step: int, rows: Rows, past: Past | None
    ) -> Moves:
        """Return the moves of the other player in some rows of a layer."""
        cases = np.arange(rows.node.size)
        if not self.acts(player, step):
            return Moves.none(cases, rows.other)
        if isinstance(frame, Blind):
            moves = self._blind_moves(player, frame, step, rows)
        else:
            spot = self.spots(player, frame, step, rows.other, rows.state)
            if self._complete(frame, step) and not (past and self.rules.audible):
                moves = self._modelled_moves(player, frame, step, cases, spot)
            else:
                moves = self._unexplained_moves(player, frame, step, spot, rows.rank, past)
        if past and self.rules.audible and frame is not Blind.IMAGINED:
            return moves.take(moves.refusals == past.refusals)
        return moves

    def _modelled_moves(
        self, player: int, frame: Frame, step: int, cases: IntArray, spot: IntArray
    ) -> Moves:
        """Return the moves finally made by the policy of a frame."""
        policy, turns = self.policy(player, frame, step), self.choice(player, frame, step).turns
        entry, owner = entries(policy.start, spot[cases])
        turn, action = policy.turn[entry], policy.action[entry]
        return Moves(
            case=cases[owner],
            group=turn * self.actions + action,
            action=action,
            refusals=turns.refusals[turn],
            log=policy.log[entry],
            rank=np.zeros(entry.size, dtype=np.int64),
            member=np.zeros(entry.size, dtype=np.int64),
        )

    def _unexplained_moves(
        self, player: int, frame: Frame, step: int, spot: IntArray, rank: IntArray,
        past: Past | None,
    ) -> Moves:  # fmt: skip
        """Return the modelled moves, and any legal ones in case the model fails to explain."""
        modelled = self._modelled_moves(player, frame, step, np.flatnonzero(rank == 0), spot)
        choice = self.choice(player, frame, step)
        case, action = np.nonzero(choice.legal[spot])
        refusals = np.full(case.size, past.refusals if past else 0)
        if self.rules.audible and not past:  # however often it was refused before
            most = int(choice.turns.refusals.max()) + 1
            refusals = np.tile(np.arange(most), case.size)
            case, action = np.repeat(case, most), np.repeat(action, most)
        turn = choice.turns.root[choice.layer.spot_node[spot[case]]]
        anything = Moves(
            case=case,
            group=turn * self.actions + action,
            action=action,
            refusals=refusals,
            log=-np.log(choice.legal.sum(axis=1))[spot[case]],
            rank=np.ones(case.size, dtype=np.int64),
            member=np.zeros(case.size, dtype=np.int64),
        )
        return modelled.with_more(anything)

    def _blind_moves(self, player: int, frame: Blind, step: int, rows: Rows) -> Moves:
        """Return the moves of a player without beliefs.

        Where less than all legal moves is imagined, any legal one follows in case that fails to
        explain what is heard.
        """
        legal = self.game.legal(rows.state, player)
        considered = self._considered(legal, step)
        uniform = legal / legal.sum(axis=1, keepdims=True)
        if frame is Blind.RANDOM:
            return self._drawn(player, rows.state, uniform * considered, audible=self.rules.audible)
        chance = self.game.imagined(rows.state, player)
        moves = self._drawn(player, rows.state, chance * considered)
        if (chance > 0)[legal].all() and not (step == 0 and self.unguarded):
            return moves
        anything = self._drawn(player, rows.state, uniform)
        rank = np.ones(anything.case.size, dtype=np.int64)
        modelled = moves.take(rows.rank[moves.case] == 0)
        return modelled.with_more(anything._replace(rank=rank))

    def _drawn(
        self, player: int, states: IntArray, chance: FloatArray, *, audible: bool = False
    ) -> Moves:
        """Return moves drawn with given chances, (n, actions), be their sum one or less."""
        legal = self.game.legal(states, player)
        case, action = np.nonzero(chance)
        log = np.log((chance / chance.sum(axis=1, keepdims=True))[case, action])
        refusals = np.zeros(case.size, dtype=np.int64)
        if audible:
            many = self.game.tries(states, player).sum(axis=1)
            share = refusal_counts(legal.sum(axis=1), many)
            entry, refusals = np.nonzero(share[case])
            log = log[entry] + np.log(share[case[entry], refusals])
            case, action = case[entry], action[entry]
        nothing = np.zeros(case.size, dtype=np.int64)
        return Moves(case, nothing, action, refusals, log, nothing, nothing)

    # What players decide about.

    def _considered(self, legal: BoolArray, step: int) -> BoolArray:
        """Return the legal moves considered in each state: all where none of the first moves is."""
        if step > 0 or self.first is None:
            return legal
        considered = legal & self.first
        return np.where(considered.any(axis=1, keepdims=True), considered, legal)

    def choice(self, player: int, frame: Frame, step: int) -> Choice:
        """Return the decisions that the nodes of a layer face."""
        key = (player, frame, step)
        if key not in self._choices:
            self._choices[key] = self._faced(*key)
        return self._choices[key]

    def _faced(self, player: int, frame: Frame, step: int) -> Choice:
        layer = self.layer(player, frame, step)
        legal = self.game.legal(layer.spot_state, player)
        tight = self._complete(frame, step) and not layer.rows.rank.any()
        considered = np.ones(self.actions, dtype=bool)
        if step == 0 and self.first is not None:
            considered = self.first
        if not self.rules.retry:
            turns = one_try(layer, self.actions)
            allowed = np.broadcast_to(considered, turns.child.shape)
            return Choice(layer, turns, legal, allowed, turns.weights(layer)[0], tight)
        turns = retries(
            layer, legal, counted=self.rules.audible, extra=self.extra.get((player, frame, step))
        )
        weight, believed = turns.weights(layer)
        possible = np.logical_or.reduceat(legal[turns.member] & believed[:, None], turns.first)
        allowed = possible & considered
        allowed = np.where(allowed.any(axis=1, keepdims=True), allowed, possible)
        return Choice(layer, turns, legal, allowed, weight, tight)

    def _complete(self, frame: Frame, step: int) -> bool:
        """Return whether every legal move has a chance in the policy of a frame."""
        return math.isfinite(frame.rationality) and not (step == 0 and self.unguarded)
