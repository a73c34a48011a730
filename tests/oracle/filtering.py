"""Belief at a node, by Bayes' rule, and what is believed after a surprise."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import exp, inf, log

from tests.oracle.node import Acted, Element, Heard, Made, Node, Turn
from tests.oracle.quantal import log_sum
from tests.oracle.rules import Position

Modelled = Callable[[Node, Element], Iterable[Made]]
"""How the hidden move after an element of a node is distributed."""


class ImpossibleObservation(ValueError):
    """Something heard that no legal move produces."""


def evenly(moves: Iterable[int], position: Position, other: Node | None) -> tuple[Made, ...]:
    """Each of the legal ``moves`` as likely, made at the first try."""
    legal = [move for move in moves if move in position.moves]
    turn = Turn(0 if other is None else other.everything)
    share = -log(len(legal)) if legal else -inf
    return tuple(
        Made(move, said, after, turn, share)
        for move in legal
        for after, said in [position.moves[move]]
    )


def blindly(position: Position) -> tuple[Made, ...]:
    """Uniform tries without repetition: the refusals before the first legal one are counted."""
    legal, refusable = len(position.moves), len(position.tries) - len(position.moves)
    made: list[Made] = []
    still = 0.0
    for count in range(refusable + 1):
        left = legal + refusable - count
        made.extend(
            Made(move, said, after, Turn(0, count), still - log(left))
            for move, (after, said) in position.moves.items()
        )
        if count < refusable:
            still += log(refusable - count) - log(left)
    return tuple(made)


def belief(node: Node, modelled: Modelled) -> tuple[Element, ...]:
    """The weighted elements of a node.

    The modelled moves come first. If they cannot have produced what was heard, the last hidden
    move is taken to be uniform over the legal ones; if even that fails, the last two, and so on.
    """
    if node.elements is not None:
        return node.elements
    if not node.possible:
        raise ImpossibleObservation(f"no legal move produces {node.event}")
    if node.parent is None:
        found = node.start
    else:
        found = _updated(node, belief(node.parent, modelled), modelled)
        back = 0
        while not found:
            back += 1
            found = _fallen_back(node, back, modelled)
        node.surprised = back > 0 or node.parent.surprised
    node.elements = found
    return found


def belief_given(
    node: Node, survivors: int, modelled: Modelled
) -> tuple[tuple[Element, float], ...]:
    """Elements and probabilities once refusals have left only the positions of ``survivors``."""
    if survivors not in node.given:
        if not survivors:
            raise ImpossibleObservation(f"every position possible after {node.event} is refuted")
        found = [e for e in belief(node, modelled) if survivors >> e.place & 1]
        back = 0
        while not found:
            back += 1
            found = [e for e in _fallen_back(node, back, modelled) if survivors >> e.place & 1]
        total = log_sum(e.log_weight for e in found)
        node.given[survivors] = tuple((e, exp(e.log_weight - total)) for e in found)
    return node.given[survivors]


def _fallen_back(node: Node, back: int, modelled: Modelled) -> tuple[Element, ...]:
    """Belief with the hidden moves among the last ``back`` events uniform over the legal ones."""
    if back == 0:
        return belief(node, modelled)
    if node.parent is None:
        raise ImpossibleObservation("what was heard refutes the start")
    return _updated(node, _fallen_back(node.parent, back - 1, modelled), None)


def _updated(
    node: Node, before: Iterable[Element], modelled: Modelled | None
) -> tuple[Element, ...]:
    """Carry the elements ``before`` through the event that leads to ``node``."""
    weights: dict[tuple[Position, int, Node | None], list[float]] = {}
    for element in before:
        for position, other, log_weight in _followers(node, element, modelled):
            if log_weight > -inf:
                weights.setdefault((position, element.which, other), []).append(log_weight)
    sums = {key: log_sum(terms) for key, terms in weights.items()}
    total = log_sum(sums.values())
    return tuple(
        Element(node.place[position], position, which, other, weight - total)
        for (position, which, other), weight in sums.items()
    )


def _followers(
    node: Node, element: Element, modelled: Modelled | None
) -> Iterable[tuple[Position, Node | None, float]]:
    """What one element turns into, with the logarithms of the joint weights."""
    parent, event, other = node.parent, node.event, element.other
    assert parent is not None and event is not None
    said, heard = event.announcement, event.refusals
    if isinstance(event, Acted):
        if event.survivors >> element.place & 1:
            after = element.position.moves[event.move].position
            follower = other and other.heard(said, heard)
            yield after, follower, element.log_weight
        return
    assert isinstance(event, Heard)
    audible = modelled is not None and node.frame.level > 0
    moves = element.position.moves
    for made in modelled(parent, element) if modelled else evenly(moves, element.position, other):
        if made.announcement != said or (audible and made.turn.refusals != heard):
            continue
        turn = made.turn if audible else Turn(made.turn.survivors, heard)
        follower = other and other.acted(made.move, said, turn)
        yield made.position, follower, element.log_weight + made.log_probability
