"""What i expects of j: what j will hear, believe and do after each of i's actions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ipomdp.engine.effort import check
from ipomdp.engine.history import Situation
from ipomdp.engine.model import Blind, Frame
from ipomdp.engine.problem import MORE, Answer, Problem, Solution
from ipomdp.engine.ragged import entries, firsts, totals
from ipomdp.engine.step import REFUSALS
from ipomdp.errors import ParticlesLost
from ipomdp.game import FloatArray, IntArray

DRAWS = 5
"""How often particles are drawn anew where a belief is sampled: their spread is the error."""


def solve_by_arrays(problem: Problem) -> Solution:
    """Solve with the array engine; with more particles where they lose sight of the truth."""
    for more in MORE[:-1]:
        try:
            return _solved(replace(problem, particles=problem.particles * more))
        except ParticlesLost:
            continue
    return _solved(replace(problem, particles=problem.particles * MORE[-1]))


def _solved(problem: Problem) -> Solution:
    place = problem.situation()
    check(place)
    values = action_values(place)
    layer, frame = place.layer, place.frame
    spots, weight = _believed(place, place.turn)
    row, chance = _rows_believed(place, place.turn)
    legal = place.solver.choice(place.player, frame, place.step).legal[spots]
    errors = None
    if place.solver.sampled:
        drawn = [values, *(action_values(problem.situation(draw=k)) for k in range(1, DRAWS))]
        values, errors = _averaged(np.array(drawn))
    answers: dict[int, tuple[Answer, ...]] = {}
    leaks: dict[int, float] = {}
    refused: FloatArray = weight @ ~legal
    if not all(problem.game.acts(int(layer.spot_state[0]))):
        watched = Expectation(_watched(problem, place), replies=frame.level > 0)
        for action in np.flatnonzero(values > -np.inf).tolist():
            answers[action], leaks[action] = watched.after(action)
            refused[action] = watched.refused(action)
    return Solution(
        values=values,
        belief=_ranked(layer.spot_state[spots], weight),
        answers=answers,
        refused=refused,
        leaks=leaks,
        frames=tuple(totals(layer.rows.kind[row], chance, len(frame.opponents)).tolist()),
        nested=_nested(place),
        surprised=bool(layer.surprised.any()),
        errors=errors,
    )


def _averaged(drawn: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return means and their standard errors over drawings, where an action may be missing in some.

    What only one drawing knows has an error as large as anything seen.
    """
    known = np.isfinite(drawn)
    count = np.maximum(known.sum(axis=0), 1)
    mean = np.where(known, drawn, 0.0).sum(axis=0) / count
    square = (np.where(known, drawn - mean, 0.0) ** 2).sum(axis=0)
    error = np.sqrt(square / np.maximum(count - 1, 1) / count)
    alone = np.abs(np.where(known, drawn, 0.0)).max()
    return (
        np.where(known.any(axis=0), mean, -np.inf),
        np.where(count > 1, error, alone),
    )


def action_values(place: Situation) -> FloatArray:
    """Return the worth of i's actions; -inf where one is not weighed or sure to be refused."""
    solver, player, frame, step = place.solver, place.player, place.frame, place.step
    worth = solver.values(player, frame, step, frame.planned(step))[place.turn]
    spots, weight = _believed(place, place.turn)
    possible = solver.choice(player, frame, step).legal[spots][weight > 0].any(axis=0)
    values: FloatArray = np.where(possible, worth, -np.inf)
    return values


def _believed(place: Situation, turn: int) -> tuple[IntArray, FloatArray]:
    """Return the spots that i holds possible in its turn, and the probability of each."""
    choice = place.solver.choice(place.player, place.frame, place.step)
    members = slice(*np.searchsorted(choice.turns.turn, [turn, turn + 1]))
    return choice.turns.member[members], choice.weight[members]


def _watched(problem: Problem, place: Situation) -> Situation:
    """Return where i stands if j listens."""
    shown = listened_to(place.frame)
    return place if shown is place.frame else problem.situation(shown)


def listened_to(frame: Frame) -> Frame:
    """Return a frame whose others all listen; one without beliefs becomes one who models nobody."""
    if all(isinstance(o, Frame) for o in frame.opponents):
        return frame
    listener = Frame(utility=frame.utility, rationality=0.0)
    return Frame(
        utility=frame.utility,
        rationality=frame.rationality,
        opponents=tuple(listener if isinstance(o, Blind) else o for o in frame.opponents),
        weights=frame.weights,
    )


def _rows_believed(place: Situation, turn: int) -> tuple[IntArray, FloatArray]:
    """Return the rows that i holds possible in its turn, and the probability of each."""
    layer, (spots, weight) = place.layer, _believed(place, turn)
    row, owner = entries(np.append(layer.spot_first, layer.rows.node.size), spots)
    return row, weight[owner] * layer.share[row]


def _nested(place: Situation) -> tuple[tuple[float, Mapping[int, float]], ...]:
    """Return j's possible beliefs with i's probability of each, likeliest first."""
    row, chance = _rows_believed(place, place.turn)
    rows = place.layer.rows.take(row)
    found: list[tuple[float, Mapping[int, float]]] = []
    for kind in place.layer.kinds:
        opponent = place.frame.opponents[kind]
        if isinstance(opponent, Frame):
            mine = rows.kind == kind
            layer = place.solver.layer(1 - place.player, opponent, place.step)
            weights = totals(rows.other[mine], chance[mine], layer.nodes)
            found += [
                (float(weights[n]), layer.marginal(n)) for n in np.flatnonzero(weights).tolist()
            ]
    return tuple(sorted(found, key=lambda item: -item[0]))


class Expectation:
    """What i, standing somewhere with a j that listens, expects of j."""

    def __init__(self, place: Situation, *, replies: bool = True, turn: int | None = None) -> None:
        """Look from a state of i's turn, by default the one in which the situation is."""
        self.place = place
        self.replies = replies
        turn = place.turn if turn is None else turn
        solver, player, frame, step = place.solver, place.player, place.frame, place.step
        choice = solver.choice(player, frame, step)
        layer = choice.layer
        self.row, self.weight = _rows_believed(place, turn)
        self.legal = choice.legal[layer.spot_of_row[self.row]]
        self.refusals = int(choice.turns.refusals[turn])
        self.known: dict[tuple[int, bytes, bytes], tuple[Answer, float]] = {}
        """What j makes of an announcement if the same may have led to it; moves share it."""
        self.before = {kind: _entropy_before(place, kind) for kind in place.layer.kinds}

    def refused(self, action: int) -> float:
        """Return how likely an action is refused."""
        return float(self.weight @ ~self.legal[:, action])

    def after(self, action: int) -> tuple[tuple[Answer, ...], float]:
        """Return what j makes of each announcement of an action, and the bits it learns from it."""
        place, solver = self.place, self.place.solver
        game, player, rows = solver.game, place.player, place.layer.rows
        there = self.legal[:, action] & (self.weight > 0)
        row, weight = self.row[there], self.weight[there]
        if not row.size:
            return (), 0.0
        legal = weight.sum()
        act = np.full(row.size, action)
        out = game.play(rows.state[row], (act, None) if player == 0 else (None, act))
        row, weight = row[out.case], weight[out.case] * np.exp(out.log_probability) / legal
        heard = out.heard[1 - player]
        over = game.over(out.successor)
        answers, leak = [], 0.0
        for said in sorted(set(heard.tolist())):
            mine = heard == said
            key = (said, row[mine].tobytes(), weight[mine].tobytes())
            if key not in self.known:
                parts = [(k, mine & (rows.kind[row] == k)) for k in self.before]
                listeners = [(k, row[m], weight[m]) for k, m in parts if m.any()]
                self.known[key] = self._answer(said, listeners, over=bool(over[mine].any()))
            answer, bits = self.known[key]
            answers.append(answer)
            leak += bits
        answers.sort(key=lambda answer: -answer.probability)
        return tuple(answers), leak

    def _answer(
        self, said: int, parts: list[tuple[int, IntArray, FloatArray]], *, over: bool
    ) -> tuple[Answer, float]:
        """Return j after one announcement, mixed over what it may know, and the bits it learns."""
        place, solver = self.place, self.place.solver
        rows, other, step = place.layer.rows, 1 - place.player, place.step
        total = sum(float(weight.sum()) for _, _, weight in parts)
        belief: dict[int, float] = {}
        leak = sum(float(w @ self.before[k][rows.other[r]]) for k, r, w in parts)
        if over:  # the announcement says so
            belief, bits = self._at_the_end(said, parts)
            return Answer(heard=said, probability=total, belief=belief), leak - bits
        values = np.zeros(solver.actions)
        weighed = np.zeros(solver.actions)
        chances = np.zeros(solver.actions)
        surprised = False
        for kind, row, weight in parts:
            opponent = place.frame.opponents[kind]
            if not isinstance(opponent, Frame):
                raise TypeError("somebody without beliefs does not listen")
            heard = np.full(row.size, said)
            noticed = solver.noticed(opponent, heard, np.full(1, self.refusals))
            node = solver.step(other, opponent, step).node_after(
                rows.other[row], noticed, sampled=solver.sampled
            )
            layer = solver.layer(other, opponent, step + 1)
            root = solver.choice(other, opponent, step + 1).turns.root
            worth = solver.values(other, opponent, step + 1, opponent.planned(step + 1))
            response = np.exp(solver.policy(other, opponent, step + 1).response)
            for n in np.unique(node).tolist():
                share = float(weight[node == n].sum())
                marginal = layer.marginal(n)
                leak -= share * entropy(np.array(list(marginal.values())))
                for state, chance in marginal.items():
                    belief[state] = belief.get(state, 0.0) + share * chance / total
                open_ = worth[root[n]] > -np.inf
                values[open_] += share * worth[root[n]][open_]
                weighed[open_] += share
                chances += share * response[root[n]] / total
                surprised |= bool(layer.surprised[n])
        with np.errstate(invalid="ignore", divide="ignore"):
            utilities = np.where(weighed > 0, values / weighed, -np.inf)
        return Answer(
            heard=said,
            probability=total,
            belief=dict(sorted(belief.items(), key=lambda item: -item[1])),
            utilities=utilities if self.replies else None,
            probabilities=chances if self.replies else None,
            surprised=surprised,
        ), leak

    def _at_the_end(
        self, said: int, parts: list[tuple[int, IntArray, FloatArray]]
    ) -> tuple[dict[int, float], float]:
        """Return what j believes where the announcement ends the game, and the bits it misses."""
        place, solver = self.place, self.place.solver
        states, chances, bits = [], [], 0.0
        for kind, row, weight in parts:
            opponent = place.frame.opponents[kind]
            if not isinstance(opponent, Frame):
                raise TypeError("somebody without beliefs does not listen")
            layer = solver.layer(1 - place.player, opponent, place.step)
            edges = solver.step(1 - place.player, opponent, place.step).edges
            ends = edges.over & (edges.heard % REFUSALS == said)
            ends &= edges.rank == edges.rank[ends].min(initial=1)
            chance = np.where(ends, layer.probability[edges.row] * np.exp(edges.log), 0.0)
            node = layer.rows.node[edges.row]
            for n in np.unique(place.layer.rows.other[row]).tolist():
                share = float(weight[place.layer.rows.other[row] == n].sum())
                mine = (node == n) & (chance > 0)
                marginal = _ranked(edges.state[mine], chance[mine] / chance[mine].sum())
                bits += share * entropy(np.array(list(marginal.values())))
                states += list(marginal)
                chances += [share * p for p in marginal.values()]
        return _ranked(np.array(states), np.array(chances) / sum(chances)), bits


def _entropy_before(place: Situation, kind: int) -> FloatArray:
    """Return, for each node of j, the bits missing about the state once i has moved."""
    opponent = place.frame.opponents[kind]
    if not isinstance(opponent, Frame):
        raise TypeError("somebody without beliefs does not listen")
    solver, other = place.solver, 1 - place.player
    layer = solver.layer(other, opponent, place.step)
    edges = solver.step(other, opponent, place.step).edges
    chance = layer.probability[edges.row] * np.exp(edges.log) * (edges.rank == 0)
    node, state = layer.rows.node[edges.row], edges.state
    order = np.lexsort([state, node])
    first = firsts(node[order], state[order])
    p = np.add.reduceat(chance[order], first)
    bits = np.where(p > 0, -p * np.log2(np.where(p > 0, p, 1.0)), 0.0)
    return totals(node[order][first], bits, layer.nodes)


def _ranked(states: IntArray, weights: FloatArray) -> dict[int, float]:
    """Return the probability of each state, likeliest first, ties by state."""
    sums: dict[int, float] = {}
    for state, weight in sorted(zip(states.tolist(), weights.tolist(), strict=True)):
        sums[state] = sums.get(state, 0.0) + weight
    return {s: p for s, p in sorted(sums.items(), key=lambda item: -item[1]) if p > 0}


def entropy(probabilities: FloatArray) -> float:
    """Return -sum p log2 p."""
    p = probabilities[probabilities > 0]
    return max(0.0, float(-(p * np.log2(p)).sum()))
