"""Finitely nested players: values of actions, quantal responses, and the moves they make."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf

from tests.oracle.filtering import belief, belief_given, blindly, evenly
from tests.oracle.frame import Frame
from tests.oracle.node import Element, Made, Node, Turn
from tests.oracle.prior import Start
from tests.oracle.quantal import log_response, log_sum
from tests.oracle.rules import ACTIONS, Position


@dataclass(frozen=True)
class Rules:
    """What everybody plays by; shared by all frames and levels."""

    retry: bool
    """Whether a refused mover tries again; otherwise a refusal ends the line."""
    candidates: frozenset[int] | None
    """The first moves that i is commonly believed to consider; ``None`` for all legal ones."""
    audible: bool
    """Whether the other hears each refusal."""


class Nested:
    """The nodes of i, and of the players that i and they imagine, from a common start."""

    def __init__(self, start: Start, rules: Rules, frame: Frame) -> None:
        self.rules = rules
        self.adviser = start.adviser
        self.root = start.root(frame, start.adviser, start.seen)

    # The values of actions.

    def turn(self, node: Node) -> Turn:
        """The beginning of a turn, nothing refused yet."""
        return Turn(node.everything)

    def values(self, node: Node, turn: Turn, horizon: int) -> dict[int, float]:
        """What each action that the mover weighs is worth to it, as far as it is in its turn."""
        key = (turn, horizon)
        if key not in node.values:
            elements = belief_given(node, turn.survivors, self.hidden)
            node.values[key] = {
                move: self._value(node, turn, elements, move, horizon)
                for move in self._actions(node, elements)
            }
        return node.values[key]

    def best(self, node: Node, turn: Turn, horizon: int) -> float:
        """The value of going on from here: the best action's."""
        return max(self.values(node, turn, horizon).values())

    def _actions(self, node: Node, elements: tuple[tuple[Element, float], ...]) -> list[int]:
        """The actions weighed: all in one reading, in the other those that may be legal."""
        first = self.rules.candidates if node.parent is None else None
        if not self.rules.retry:
            return sorted(range(len(ACTIONS)) if first is None else first)
        legal = frozenset[int]().union(*(e.position.moves for e, _ in elements))
        # A mover whose candidates are all refused still has to move.
        return sorted((first and first & legal) or legal)

    def _value(
        self,
        node: Node,
        turn: Turn,
        elements: tuple[tuple[Element, float], ...],
        move: int,
        horizon: int,
    ) -> float:
        """P(legal) E(value given legal) + P(refused) times what a refusal leaves."""
        legal = [(e, weight) for e, weight in elements if move in e.position.moves]
        if horizon == 1:
            worth = sum(w * self._soon(node, turn, e, move) for e, w in legal)
        else:
            worth = self._later(node, turn, legal, move, horizon)
        if len(legal) == len(elements):
            return worth
        if not self.rules.retry:
            return worth + sum(
                weight * node.frame.utility(e.position, node.player)
                for e, weight in elements
                if move not in e.position.moves
            )
        refused = sum(w for e, w in elements if move not in e.position.moves)
        left = turn.survivors & ~node.legal[move]
        count = turn.refusals + 1 if self.rules.audible else 0
        return worth + refused * self.best(node, Turn(left, count), horizon)

    def _soon(self, node: Node, turn: Turn, element: Element, move: int) -> float:
        """The worth of a legal last move: right after it at level 0, else after the reply."""
        after, said = element.position.moves[move]
        if after.over or node.frame.level == 0:
            return node.frame.utility(after, node.player)
        other = element.other and element.other.heard(said, turn.refusals)
        if other is None:
            return self._expected(Element(0, after, element.which, None, 0.0), node)
        if after not in other.worth:
            other.worth[after] = self._expected(Element(0, after, element.which, other, 0.0), node)
        return other.worth[after]

    def _expected(self, element: Element, node: Node) -> float:
        """The utility expected after the reply at ``element``, which follows ``node``."""
        stays, replies = self._replies(node, element)
        moved = sum(p * node.frame.utility(made.position, node.player) for made, p in replies)
        return moved + stays * node.frame.utility(element.position, node.player)

    def _later(
        self,
        node: Node,
        turn: Turn,
        legal: list[tuple[Element, float]],
        move: int,
        horizon: int,
    ) -> float:
        """The worth of a legal move with decisions still to come, by what is announced."""
        worth = 0.0
        chances: dict[str, float] = {}
        for element, weight in legal:
            after, said = element.position.moves[move]
            if after.over:
                worth += weight * node.frame.utility(after, node.player)
            else:
                chances[said] = chances.get(said, 0.0) + weight
        for said, chance in chances.items():
            worth += chance * self._prospect(node.acted(move, said, turn), horizon)
        return worth

    def _prospect(self, node: Node, horizon: int) -> float:
        """The value, with the other to move, of hearing its move and then playing on."""
        if horizon not in node.prospects:
            worth = 0.0
            for element, weight in belief_given(node, node.everything, self.hidden):
                stays, replies = self._replies(node, element)
                worth += weight * stays * node.frame.utility(element.position, node.player)
                for made, probability in replies:
                    if made.position.over:
                        going_on = node.frame.utility(made.position, node.player)
                    else:
                        following = node.heard(made.announcement, made.turn.refusals)
                        going_on = self.best(following, self.turn(following), horizon - 1)
                    worth += weight * probability * going_on
            node.prospects[horizon] = worth
        return node.prospects[horizon]

    def _replies(self, node: Node, element: Element) -> tuple[float, list[tuple[Made, float]]]:
        """The probability that the position stays, and those of the moves made."""
        made = [(m, exp(m.log_probability)) for m in self.hidden(node, element)]
        stays = self._refusal(node, element)
        return stays, [(m, (1.0 - stays) * probability) for m, probability in made]

    def _refusal(self, node: Node, element: Element) -> float:
        """The probability of an illegal action, where such a one ends the line."""
        if self.rules.retry or node.frame.level == 0:
            return 0.0
        if element.other is None:
            return 1.0 - len(element.position.moves) / len(ACTIONS)
        response = self.response(element.other, self.turn(element.other))
        return exp(log_sum(p for a, p in response.items() if a not in element.position.moves))

    # The moves made.

    def response(self, node: Node, turn: Turn) -> dict[int, float]:
        """Log-probabilities of the modelled mover's next try."""
        if turn not in node.responses:
            values = self.values(node, turn, node.frame.horizon)
            node.responses[turn] = log_response(values, node.frame.rationality)
        return node.responses[turn]

    def hidden(self, node: Node, element: Element) -> tuple[Made, ...]:
        """How the other's move after ``element`` of ``node`` is distributed."""
        position, other = element.position, element.other
        if other is not None:
            return self.made(other, position)
        if node.frame.level > 0 and self.rules.retry and self.rules.audible:
            return blindly(position)
        first = node.parent is None and node.player != self.adviser
        considered = self.rules.candidates if first else None
        moves = position.moves.keys() & considered if considered else position.moves
        if self.rules.retry and not moves:
            moves = position.moves
        return evenly(moves, position, None)

    def made(self, node: Node, position: Position) -> tuple[Made, ...]:
        """The moves that the mover finally makes if ``position`` is the true one."""
        if position not in node.made:
            choose = self._persist if self.rules.retry else self._once
            node.made[position] = choose(node, position)
        return node.made[position]

    def _once(self, node: Node, position: Position) -> tuple[Made, ...]:
        """The quantal response restricted to the moves legal in the true position, if any."""
        turn = self.turn(node)
        values = self.values(node, turn, node.frame.horizon)
        legal = {move: value for move, value in values.items() if move in position.moves}
        chosen = log_response(legal, node.frame.rationality) if legal else {}
        return tuple(
            Made(move, said, after, turn, chance)
            for move, chance in chosen.items()
            for after, said in [position.moves[move]]
        )

    def _persist(self, node: Node, position: Position) -> tuple[Made, ...]:
        """Sum over the sets of refusals: try, be refused, try again, until a try is legal."""
        pending: dict[Turn, list[float]] = {self.turn(node): [0.0]}
        made: list[Made] = []
        while pending:
            # Refusals only shrink the set: the largest pending one has no more to come.
            turn = max(pending, key=lambda t: t.survivors.bit_count())
            reached = log_sum(pending.pop(turn))
            for move, chance in self.response(node, turn).items():
                if chance == -inf:
                    continue
                if move in position.moves:
                    after, said = position.moves[move]
                    made.append(Made(move, said, after, turn, reached + chance))
                else:
                    left = turn.survivors & ~node.legal[move]
                    count = turn.refusals + 1 if self.rules.audible else 0
                    pending.setdefault(Turn(left, count), []).append(reached + chance)
        return tuple(made)

    def elements(self, node: Node) -> tuple[Element, ...]:
        """The belief at a node."""
        return belief(node, self.hidden)
