"""Values, policies and belief updates of nested models: the array solver.

Level k is the general case. A player at level 0 models nobody: the other's hidden moves are uniform
over the legal ones, and an action is worth the state right after it. At level k >= 1 the other's
hidden moves and its reply follow the quantal response of the other's model at level k - 1
(Gmytrasiewicz and Doshi 2005, with quantal instead of best responses).

A refused action ends the line: it is worth the unchanged state (``tries = "paper"``).
"""

from __future__ import annotations

import numpy as np

from ipomdp.belief import Belief
from ipomdp.errors import ImpossibleObservation
from ipomdp.game import BoolArray, FloatArray, Game, IntArray, Moves, Utility
from ipomdp.model import Model
from ipomdp.quantal import log_quantal_response, quantal_response


class Solver:
    """Answers questions about models of one game and remembers every answer while it lives.

    ``first`` marks the actions that the player of the first move considers, and that everyone at
    every level believes it considers, for that move only.
    """

    def __init__(self, game: Game, first: BoolArray | None = None) -> None:
        self.game = game
        self._all = np.ones(len(game.actions), dtype=bool)
        self._first = self._all if first is None else first
        self._values: dict[Model, FloatArray] = {}
        self._responses: dict[Model, FloatArray] = {}
        self._hearing: dict[tuple[Model, int], Model] = {}
        self._acting: dict[tuple[Model, int, int], Model] = {}

    def considered(self, model: Model) -> BoolArray:
        """Return the actions open to the mover, as everyone believes."""
        return self._first if model.ply == 0 else self._all

    def values(self, model: Model) -> FloatArray:
        """Return the expected utility of every action to the player about to move."""
        if model not in self._values:
            belief = model.belief
            self._values[model] = belief.weights @ self._element_values(model)
        return self._values[model]

    def response(self, model: Model) -> FloatArray:
        """Return the quantal response of the player about to move."""
        if model not in self._responses:
            self._responses[model] = quantal_response(
                self.values(model), model.frame.rationality, self._first if model.ply == 0 else None
            )
        return self._responses[model]

    def hear(self, model: Model, announcement: int) -> Model:
        """Return the waiting player's model after the other moved and the referee spoke."""
        key = (model, announcement)
        if key not in self._hearing:
            self._hearing[key] = self._hear(model, announcement)
        return self._hearing[key]

    def act(self, model: Model, action: int, announcement: int) -> Model:
        """Return the mover's own model after its action was executed and announced."""
        key = (model, action, announcement)
        if key not in self._acting:
            self._acting[key] = self._act(model, action, announcement)
        return self._acting[key]

    def expected(self, model: Model) -> Belief:
        """Return the waiting player's belief once the other has moved, before anything is heard."""
        moves = self.game.moves(model.belief.states)
        joint = model.belief.log_weights[:, None] + self._hidden_moves(model, moves)
        element, action = np.nonzero(joint > -np.inf)
        return Belief(moves.successor[element, action], joint[element, action])

    def _element_values(self, model: Model) -> FloatArray:
        """Return what each action is worth in each element of the belief: (elements, actions)."""
        frame, belief = model.frame, model.belief
        moves = self.game.moves(belief.states)
        after = frame.utility(moves.successor, model.player)
        if belief.others is None:
            return after
        open_lines = moves.legal & ~self.game.over(moves.successor)
        open_lines &= self.considered(model)
        element, action = np.nonzero(open_lines)
        if not element.size:
            return after
        heard = moves.announcement[element, action].tolist()
        replies = np.stack(
            [
                self.response(self.hear(belief.others[e], o))
                for e, o in zip(element.tolist(), heard, strict=True)
            ]
        )
        outcomes = self._after_reply(moves.successor[element, action], frame.utility, model.player)
        after[element, action] = np.einsum("na,na->n", replies, outcomes)
        return after

    def _after_reply(self, states: IntArray, utility: Utility, player: int) -> FloatArray:
        """Return the player's utility after each reply of the other in each state."""
        return utility(self.game.moves(states).successor, player)

    def _hidden_moves(self, model: Model, moves: Moves) -> FloatArray:
        """Return the log probability of the other's move in each element: (elements, actions)."""
        open_moves = moves.legal & self.considered(model)
        others = model.belief.others
        if others is None:
            with np.errstate(divide="ignore"):  # log 0 = -inf where a move is not open
                uniform: FloatArray = np.log(open_moves / open_moves.sum(axis=1, keepdims=True))
            return uniform
        return np.stack(
            [
                log_quantal_response(self.values(other), other.frame.rationality, row)
                for other, row in zip(others, open_moves, strict=True)
            ]
        )

    def _hear(self, model: Model, announcement: int) -> Model:
        belief = model.belief
        moves = self.game.moves(belief.states)
        agrees = moves.legal & (moves.announcement == announcement)
        if not agrees.any():
            raise ImpossibleObservation(self._impossible(model, announcement))
        hidden = self._hidden_moves(model, moves)
        surprised = not (agrees & (hidden > -np.inf)).any()
        if surprised:  # possible by the rules, never played by the model: any legal move may be it
            hidden = -np.log(moves.legal.sum(axis=1, keepdims=True)) + np.zeros(hidden.shape)
        element, action = np.nonzero(agrees & (hidden > -np.inf))
        others = belief.others and tuple(
            self.act(belief.others[e], a, announcement)
            for e, a in zip(element.tolist(), action.tolist(), strict=True)
        )
        logs = belief.log_weights[element] + hidden[element, action]
        heard = Belief(moves.successor[element, action], logs, others)
        return Model(model.player, model.frame, heard, model.ply + 1, surprised)

    def _act(self, model: Model, action: int, announcement: int) -> Model:
        belief = model.belief
        moves = self.game.moves(belief.states)
        agrees = moves.legal[:, action] & (moves.announcement[:, action] == announcement)
        if not agrees.any():
            raise ImpossibleObservation(self._impossible(model, announcement, action))
        kept = np.flatnonzero(agrees)
        others = belief.others and tuple(
            self.hear(belief.others[e], announcement) for e in kept.tolist()
        )
        heard = Belief(moves.successor[kept, action], belief.log_weights[kept], others)
        return Model(model.player, model.frame, heard, model.ply + 1)

    def _impossible(self, model: Model, announcement: int, action: int | None = None) -> str:
        words, game = self.game.say(announcement), self.game
        who = game.players[model.player]
        after = "" if action is None else f" after its own {game.actions[action]}"
        likely = [f"{game.describe(s)} ({p:.3g})" for s, p in model.belief.marginal().items()]
        more = f" and {len(likely) - 5} more" if len(likely) > 5 else ""
        return (
            f"{who} cannot have heard {words!r}{after}: no move from any position it believes "
            f"in produces it. It believes in {', '.join(likely[:5])}{more}"
        )
