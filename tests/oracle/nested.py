"""Finitely nested players: values of actions, quantal responses, and the moves they make."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf

from tests.oracle.filtering import belief, belief_given, blindly, evenly
from tests.oracle.node import Element, Made, Node, Turn
from tests.oracle.quantal import log_response, log_sum
from tests.oracle.rules import ACTIONS, Position
from tests.oracle.utility import Weights, utility


@dataclass(frozen=True)
class Settings:
    """How everybody plays and thinks; shared by all levels."""

    retry: bool
    """Whether a refused mover tries again; otherwise a refusal ends the line."""
    rationality: float
    random_opponent: bool
    candidates: frozenset[int] | None
    """The first moves that i is commonly believed to consider; ``None`` for all legal ones."""
    horizon: int
    nested_horizon: int
    audible: bool
    """Whether the other hears each refusal."""
    weights: Weights


class Nested:
    """The two players' nodes at every level from one known position, and all that follows."""

    def __init__(self, position: Position, settings: Settings) -> None:
        self.settings = settings
        self.position = position
        self.adviser = position.mover
        self._roots: dict[tuple[int, int], Node] = {}
        self._utilities: tuple[dict[Position, float], dict[Position, float]] = ({}, {})

    def root(self, player: int, level: int) -> Node:
        """What ``player`` at ``level`` knows at the start."""
        key = (player, level)
        if key not in self._roots:
            lonely = level == 0 or (self.settings.random_opponent and player == self.adviser)
            start = None if lonely else self.root(1 - player, level - 1)
            self._roots[key] = Node(player, level, (self.position,), start=start)
        return self._roots[key]

    def utility(self, position: Position, player: int) -> float:
        """What ``position`` is worth to ``player``."""
        known = self._utilities[player]
        if position not in known:
            known[position] = utility(position, player, self.settings.weights)
        return known[position]

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
        if node.parent is None and self.settings.candidates is not None:
            considered = self.settings.candidates
        elif not self.settings.retry:
            return list(range(len(ACTIONS)))
        else:
            considered = frozenset[int]().union(*(e.position.tries for e, _ in elements))
        if not self.settings.retry:
            return sorted(considered)
        legal = frozenset[int]().union(*(e.position.moves for e, _ in elements))
        return sorted(considered & legal)

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
        if not self.settings.retry:
            return worth + sum(
                weight * self.utility(e.position, node.player)
                for e, weight in elements
                if move not in e.position.moves
            )
        refused = sum(w for e, w in elements if move not in e.position.moves)
        left = turn.survivors & ~node.legal[move]
        count = turn.refusals + 1 if self.settings.audible else 0
        return worth + refused * self.best(node, Turn(left, count), horizon)

    def _soon(self, node: Node, turn: Turn, element: Element, move: int) -> float:
        """The worth of a legal last move: right after it at level 0, else after the reply."""
        after, said = element.position.moves[move]
        if after.over or node.level == 0:
            return self.utility(after, node.player)
        other = element.other and element.other.heard(said, turn.refusals)
        if other is None:
            return self._expected(Element(0, after, None, 0.0), node)
        if after not in other.worth:
            other.worth[after] = self._expected(Element(0, after, other, 0.0), node)
        return other.worth[after]

    def _expected(self, element: Element, node: Node) -> float:
        """The utility expected after the reply at ``element``, which follows ``node``."""
        stays, replies = self._replies(node, element)
        moved = sum(p * self.utility(made.position, node.player) for made, p in replies)
        return moved + stays * self.utility(element.position, node.player)

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
                worth += weight * self.utility(after, node.player)
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
                worth += weight * stays * self.utility(element.position, node.player)
                for made, probability in replies:
                    if made.position.over:
                        going_on = self.utility(made.position, node.player)
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
        if self.settings.retry or node.level == 0:
            return 0.0
        if element.other is None:
            return 1.0 - len(element.position.moves) / len(ACTIONS)
        response = self.response(element.other, self.turn(element.other))
        return exp(log_sum(p for a, p in response.items() if a not in element.position.moves))

    # The moves made.

    def response(self, node: Node, turn: Turn) -> dict[int, float]:
        """Log-probabilities of the modelled mover's next try."""
        if turn not in node.responses:
            values = self.values(node, turn, self.settings.nested_horizon)
            node.responses[turn] = log_response(values, self.settings.rationality)
        return node.responses[turn]

    def hidden(self, node: Node, element: Element) -> tuple[Made, ...]:
        """How the other's move after ``element`` of ``node`` is distributed."""
        position, other = element.position, element.other
        if other is not None:
            return self.made(other, position)
        if node.level > 0 and self.settings.retry and self.settings.audible:
            return blindly(position)
        first = node.parent is None and node.player != self.adviser
        moves = self.settings.candidates if first else None
        return evenly(position.moves if moves is None else moves, position, None)

    def made(self, node: Node, position: Position) -> tuple[Made, ...]:
        """The moves that the mover finally makes if ``position`` is the true one."""
        if position not in node.made:
            choose = self._persist if self.settings.retry else self._once
            node.made[position] = choose(node, position)
        return node.made[position]

    def _once(self, node: Node, position: Position) -> tuple[Made, ...]:
        """The quantal response restricted to the moves legal in the true position."""
        turn = self.turn(node)
        values = self.values(node, turn, self.settings.nested_horizon)
        legal = {move: value for move, value in values.items() if move in position.moves}
        chosen = log_response(legal, self.settings.rationality)
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
                    count = turn.refusals + 1 if self.settings.audible else 0
                    pending.setdefault(Turn(left, count), []).append(reached + chance)
        return tuple(made)

    def elements(self, node: Node) -> tuple[Element, ...]:
        """The belief at a node."""
        return belief(node, self.hidden)
