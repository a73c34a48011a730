"""A player's turn: what its next try is worth, and which move it makes in the end.

A figure is instantiated to what its player heard and, where a refused player tries again, to each
set T of tries refused so far. The belief given both and the expected utilities
Q(T, a) = P(a legal | T) E[worth | legal] + P(a illegal | T) V(T + a), V(T) = max over a of Q(T, a),
are the diagram's to infer; here are the quantal response and the bookkeeping over the sets.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ipomdp.engine.quantal import quantal_response
from ipomdp.game import BoolArray, FloatArray, IntArray
from ipomdp.kriegspiel import Kriegspiel4x4
from networks.diagram import Diagram, Node, choice
from networks.stakes import Refusal, Refusals, Stakes

Heard = tuple[int, ...]
"""What tells a player's turns apart: the announcement, after what else the player knows."""
Refused = tuple[int, ...]
"""A set T of refused tries, completed by the others that are then known to be illegal too."""

FAINT = 1e-100
"""Evidence less likely than this would be lost to rounding in a table of probabilities."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """What a player knows when its turn begins: as evidence, and as the positions it leaves."""

    evidence: Mapping[str, str]
    moves: IntArray
    """The hidden moves that the rules allow."""
    states: IntArray
    """The position after each of them."""
    legal: BoolArray
    """(states, 32): what the player can then do."""
    logs: FloatArray
    """The logarithm of each move's probability under the model of the other."""

    def complete(self, refused: Refused) -> Refused:
        """Return all tries known to be illegal once these were refused; they teach the same."""
        maybe = self.legal.any(axis=0) & ~self.legal[self.alive(refused)].any(axis=0)
        return tuple(np.flatnonzero(maybe).tolist())

    def logs_given(self, refused: Refused) -> FloatArray:
        """Return the logarithm of each position's weight once the tries were refused.

        A surprise, which the model of the other gives no chance, leaves every position alike.
        """
        alive = self.alive(refused)
        logs = np.where(alive, self.logs, -np.inf)
        return logs if (logs > -np.inf).any() else np.where(alive, 0.0, -np.inf)

    def alive(self, refused: Refused) -> BoolArray:
        """Return the positions in which all of the refused tries are illegal."""
        return np.asarray(~self.legal[:, list(refused)].any(axis=1))

    @property
    def surprising(self) -> bool:
        """Whether the model of the other gives this no chance at all."""
        return not (self.logs > -np.inf).any()

    def foreseen(self, refused: Refused = ()) -> bool:
        """Return whether a table of the other's moves gives this a chance worth the name."""
        return bool(np.exp(self.logs[self.alive(refused)]).sum() > FAINT)


class Figure(Protocol):
    """A diagram in which a player hears something and decides, for any set of refused tries."""

    @property
    def stakes(self) -> Stakes:
        """What is at stake for the player."""

    @property
    def decision(self) -> str:
        """The node of its decision."""

    @property
    def actions(self) -> IntArray:
        """The states of its decision."""

    @property
    def hearings(self) -> Mapping[Heard, Hearing]:
        """What it can have heard."""

    def diagram(self, refused: Refused, refusals: Refusals, heard: Heard | None) -> Diagram:
        """Return the diagram after the refusals, for all hearings or for one."""


@dataclass(frozen=True, slots=True)
class Try:
    """A player's next try, given what it heard and a set of tries refused since."""

    refused: Refused
    diagram: Diagram
    evidence: Mapping[str, str]
    utilities: FloatArray
    """Q(T, a) of all 32 actions; -inf for one not open, or illegal wherever still believed."""
    probabilities: FloatArray
    """The quantal response."""


class Mover:
    """A figure's player in all its turns; everything found is kept while the object lives."""

    def __init__(self, figure: Figure, rationality: float) -> None:
        self.figure = figure
        self._rationality = rationality
        self._instances: dict[tuple[Heard, Refused], Diagram] = {}
        self._tries: dict[tuple[Heard, Refused], Try] = {}
        self._made: dict[tuple[Heard, Refused, int], FloatArray] = {}

    @cached_property
    def diagram(self) -> Diagram:
        """The figure with nothing refused yet, good for everything its player foresees."""
        refusals: dict[tuple[int, int], Refusal] = {}
        for heard, hearing in self.figure.hearings.items():
            if hearing.foreseen():
                refusals |= self._refusals(heard, ())
        return self.figure.diagram((), refusals, None)

    def instance(self, heard: Heard, refused: Refused = ()) -> tuple[Diagram, dict[str, str]]:
        """Return the diagram for one hearing and refused set, and the evidence to give it."""
        hearing = self.figure.hearings[heard]
        evidence = dict(hearing.evidence)
        if refused:
            evidence["Refused"] = "yes"
        if not refused and hearing.foreseen():
            return self.diagram, evidence
        if (heard, refused) not in self._instances:
            refusals = self._refusals(heard, refused)
            self._instances[heard, refused] = self.figure.diagram(refused, refusals, heard)
        return self._instances[heard, refused], evidence

    def next_try(self, heard: Heard, refused: Refused = ()) -> Try:
        """Return Q(T, .) and the quantal response to it."""
        if (heard, refused) not in self._tries:
            self._tries[heard, refused] = self._next_try(heard, refused)
        return self._tries[heard, refused]

    def tries(self, heard: Heard) -> tuple[Try, ...]:
        """Return every try worked out for a hearing, the fewest refusals first."""
        found = [each for (at, _), each in self._tries.items() if at == heard]
        return tuple(sorted(found, key=lambda each: (len(each.refused), each.refused)))

    def made(self, heard: Heard, state: int, refused: Refused = ()) -> FloatArray:
        """Return P(m | T), the move made in a state once one is made, for all 32 actions.

        It is R(m | T) for a legal m, plus R(a | T) P(m | T + a) over the illegal a that the
        referee refuses; where a refusal ends the line, the response among the legal actions.
        """
        hearing = self.figure.hearings[heard]
        key = (heard, refused, state)
        if key not in self._made:
            tried = self.next_try(heard, refused)
            legal = hearing.legal[np.flatnonzero(hearing.states == state)[0]]
            if not self.figure.stakes.retry:
                return quantal_response(tried.utilities, self._rationality, legal)
            response = tried.probabilities
            made = np.where(legal, response, 0.0)
            for action in np.flatnonzero(~legal & (response > 0)).tolist():
                then = hearing.complete((*refused, action))
                made += response[action] * self.made(heard, state, then)
            self._made[key] = made
        return self._made[key]

    def _next_try(self, heard: Heard, refused: Refused) -> Try:
        actions, game = self.figure.actions, self.figure.stakes.game
        diagram, evidence = self.instance(heard, refused)
        found = diagram.expected_utilities(self.figure.decision, evidence)
        utilities = np.full(len(game.actions), -np.inf)
        utilities[actions] = np.where(self._open(heard, refused)[actions], found, -np.inf)
        response = quantal_response(utilities, self._rationality, utilities > -np.inf)
        return Try(refused, diagram, evidence, utilities, response)

    def _open(self, heard: Heard, refused: Refused) -> BoolArray:
        """Return the actions weighed: all of them, or those legal in a position still believed."""
        hearing = self.figure.hearings[heard]
        believed = hearing.logs_given(refused) > -np.inf
        maybe = np.asarray(hearing.legal[believed].any(axis=0))
        return maybe if self.figure.stakes.retry else np.ones_like(maybe)

    def _refusals(self, heard: Heard, refused: Refused) -> dict[tuple[int, int], Refusal]:
        """Return V(T + a) wherever a refusal of a is believed possible."""
        if not self.figure.stakes.retry:
            return {}
        hearing, names = self.figure.hearings[heard], self.figure.stakes.game.actions
        believed = np.flatnonzero(hearing.logs_given(refused) > -np.inf)
        found: dict[tuple[int, int], Refusal] = {}
        for action in np.flatnonzero(self._open(heard, refused)).tolist():
            refusing = believed[~hearing.legal[believed, action]]
            if refusing.size:
                then = self.next_try(heard, hearing.complete((*refused, action)))
                after = [*hearing.evidence.values(), *(names[a] for a in then.refused), "illegal"]
                refusal = Refusal("_".join(after), float(then.utilities.max()))
                found |= {(int(hearing.states[n]), action): refusal for n in refusing}
        return found


def refused_nodes(
    game: Kriegspiel4x4, states: IntArray, refused: Refused, position: str
) -> tuple[Node, ...]:
    """Return the node that says whether a position refuses all the tries; none if none were."""
    if not refused:
        return ()
    legal, _, _ = game.moves(states)
    every = np.asarray(~legal[:, list(refused)].any(axis=1), dtype=np.int64)
    return (Node("Refused", ("no", "yes"), choice(every, 2), (position,)),)


def after_refusals(game: Kriegspiel4x4, refused: Refused) -> str:
    """Return what a title says about refusals."""
    names = ", ".join(game.actions[action] for action in refused)
    return f"; {names} known to be illegal" if refused else ""
