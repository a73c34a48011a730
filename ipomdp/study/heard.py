"""What may be heard of a move, who may be listening, and how they reply, as the mover expects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ipomdp.engine.model import Blind, Frame
from ipomdp.engine.ragged import totals
from ipomdp.game import BoolArray, FloatArray, IntArray
from ipomdp.study.viewpoint import Viewpoint, mixed


@dataclass(frozen=True, kw_only=True)
class Heard:
    """An announcement of somebody's move, with what the mover then holds possible."""

    speaker: Viewpoint
    action: int
    said: int
    probability: float
    over: bool
    state: IntArray
    weight: FloatArray
    kind: IntArray
    other: IntArray
    """The node of the other before the move, among those of its frame."""

    @property
    def utility(self) -> float:
        """What stopping here is worth to the mover."""
        player, utility = self.speaker.player, self.speaker.frame.utility
        return float(self.weight @ utility.final(self.state, player))

    @cached_property
    def _after(self) -> IntArray:
        """The other's node now."""
        mover, solver = self.speaker, self.speaker.solver
        choice = solver.choice(mover.player, mover.frame, mover.step)
        refusals = choice.turns.refusals[mover.turn]
        node = np.zeros(self.state.size, dtype=np.int64)
        for kind, opponent in enumerate(mover.frame.opponents):
            mine = self.kind == kind
            if isinstance(opponent, Frame) and mine.any():
                heard = np.full(int(mine.sum()), self.said)
                noticed = solver.noticed(opponent, heard, np.full(1, refusals))
                onward = solver.step(1 - mover.player, opponent, mover.step)
                node[mine] = onward.node_after(self.other[mine], noticed, sampled=solver.sampled)
        return node

    @cached_property
    def listeners(self) -> tuple[tuple[Viewpoint | Blind, float], ...]:
        """Who may be listening, knowing what it now knows, likeliest first."""
        step = self.speaker.step + 1
        return mixed(self.speaker, self.kind, self._after, self.weight, step)

    def before(self, listener: Viewpoint) -> Viewpoint:
        """Return the likeliest of what a listener may have known before the announcement."""
        mine = self._where(listener)
        node = int(np.argmax(totals(self.other[mine], self.weight[mine], 1)))
        mover = self.speaker
        return Viewpoint(mover.solver, 1 - mover.player, listener.frame, mover.step, node)

    def answers(self, reply: int) -> dict[int, float]:
        """Return what may be announced of a reply that is legal, likeliest first."""
        game, other = self.speaker.solver.game, 1 - self.speaker.player
        legal = game.legal(self.state, other)[:, reply]
        act = np.full(int(legal.sum()), reply)
        out = game.play(self.state[legal], (act, None) if other == 0 else (None, act))
        share = self.weight[legal][out.case] * np.exp(out.log_probability)
        share = np.where(game.over(out.successor), 0.0, share)
        said = totals(out.heard[self.speaker.player], share, 1)
        return {int(h): float(said[h]) for h in np.argsort(-said, kind="stable") if said[h] > 0}

    @cached_property
    def replies(self) -> FloatArray:
        """How the other's turn ends, as the mover expects: the move finally made.

        Where a refusal ends the line, an illegal try counts as well.
        """
        game, mover = self.speaker.solver.game, self.speaker
        retry, other = mover.solver.rules.retry, 1 - mover.player
        total = np.zeros(mover.solver.actions)
        for kind, opponent in enumerate(mover.frame.opponents):
            mine = self.kind == kind
            if isinstance(opponent, Blind):
                legal = game.legal(self.state[mine], other)
                share = legal if retry or opponent is Blind.IMAGINED else np.ones_like(legal)
                total += (self.weight[mine, None] * share / share.sum(axis=1, keepdims=True)).sum(0)
                continue
            for node in np.unique(self._after[mine]).tolist():
                who = Viewpoint(mover.solver, other, opponent, mover.step + 1, node)
                total += self.weight[self._where(who)].sum() * self.replies_of(who)
        return total

    def replies_of(self, listener: Viewpoint) -> FloatArray:
        """Return how the turn of one of the listeners ends, as the mover expects."""
        if not self.speaker.solver.rules.retry:
            return listener.tries
        here = self._where(listener)
        return listener.made(self.state[here], self.weight[here])

    def _where(self, listener: Viewpoint) -> BoolArray:
        """Return in which cases a listener is the one who listens."""
        kind = self.speaker.frame.opponents.index(listener.frame)
        found: BoolArray = (self.kind == kind) & (self._after == listener.node)
        return found


def heard_after(view: Viewpoint, action: int) -> tuple[Heard, ...]:
    """Return what may be heard after an action that turns out legal, likeliest first."""
    solver, rows = view.solver, view.solver.layer(view.player, view.frame, view.step).rows
    choice = solver.choice(view.player, view.frame, view.step)
    row, weight, spot = view.rows
    there = choice.legal[spot, action] & (weight > 0)
    row, weight = row[there], weight[there]
    if not row.size:
        return ()
    act = np.full(row.size, action)
    out = solver.game.play(rows.state[row], (act, None) if view.player == 0 else (None, act))
    row, weight = row[out.case], weight[out.case] * np.exp(out.log_probability) / weight.sum()
    found = []
    for said in np.unique(out.heard[1 - view.player]).tolist():
        mine = out.heard[1 - view.player] == said
        heard = Heard(
            speaker=view,
            action=action,
            said=said,
            probability=float(weight[mine].sum()),
            over=bool(solver.game.over(out.successor[mine]).any()),
            state=out.successor[mine],
            weight=weight[mine] / weight[mine].sum(),
            kind=rows.kind[row[mine]],
            other=rows.other[row[mine]],
        )
        found.append(heard)
    return tuple(sorted(found, key=lambda heard: -heard.probability))


def answered(announcements: Iterable[Heard], actions: int) -> FloatArray:
    """Return how likely the other makes each move after an action, whatever is announced of it."""
    total = np.zeros(actions)
    for one in announcements:
        if not one.over:
            total += one.probability * one.replies
    return total
