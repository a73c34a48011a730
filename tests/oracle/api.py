"""The questions that can be asked, by position text and action name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp
from typing import Literal

from tests.oracle.filtering import ImpossibleObservation, belief_given
from tests.oracle.nested import Nested, Settings
from tests.oracle.node import Node, Turn
from tests.oracle.rules import ACTIONS, NUMBER, parse
from tests.oracle.utility import Weights


@dataclass(frozen=True)
class Own:
    """A turn of i: what was refused, then the move and its announcement, if already made."""

    refused: tuple[str, ...] = ()
    move: str | None = None
    heard: str | None = None


@dataclass(frozen=True)
class Other:
    """A turn of j: the announcement, and the refusals heard before it where they are audible."""

    heard: str
    refusals: int = 0


class Oracle:
    """Answers for one way of playing; everything computed is kept until the object dies."""

    def __init__(
        self,
        tries: Literal["paper", "retry"] = "paper",
        rationality: float = 0.004,
        opponent: Literal["model", "random"] = "model",
        candidates: Iterable[str] | None = None,
        horizon: int = 1,
        nested_horizon: int = 1,
        illegal_heard_by: Literal["mover", "both"] = "mover",
        weights: Weights | None = None,
    ) -> None:
        if horizon < 1 or nested_horizon < 1:
            raise ValueError(f"horizons are at least 1, not {horizon} and {nested_horizon}")
        if not rationality >= 0:
            raise ValueError(f"rationality is at least 0, not {rationality}")
        self.settings = Settings(
            retry=tries == "retry",
            rationality=rationality,
            random_opponent=opponent == "random",
            candidates=None if candidates is None else frozenset(NUMBER[c] for c in candidates),
            horizon=horizon,
            nested_horizon=nested_horizon,
            audible=tries == "retry" and illegal_heard_by == "both",
            weights=weights or Weights(),
        )
        self._games: dict[str, Nested] = {}

    def expected_utilities(
        self, fen: str, level: int, history: Sequence[Own | Other] = ()
    ) -> dict[str, float]:
        """What each considered move is worth to i; from a known position, the legal ones."""
        game = self._game(fen)
        node, turn = self._follow(game, level, history)
        values = game.values(node, turn, self.settings.horizon)
        if not history:
            values = {move: u for move, u in values.items() if move in game.position.moves}
        return {ACTIONS[move]: value for move, value in values.items()}

    def replies(self, fen: str, level: int, first_move: str) -> dict[str, tuple[float, float]]:
        """Expected utility and probability of each next try of j, as i at ``level`` models it."""
        game, node = self._opponent(fen, level, first_move)
        turn = game.turn(node)
        values = game.values(node, turn, self.settings.nested_horizon)
        response = game.response(node, turn)
        return {ACTIONS[a]: (value, exp(response[a])) for a, value in values.items()}

    def replies_made(self, fen: str, level: int, first_move: str) -> dict[str, float]:
        """Probability of each move j finally makes in the true position after ``first_move``."""
        game, node = self._opponent(fen, level, first_move)
        found: dict[str, float] = {}
        for made in game.made(node, game.position.moves[NUMBER[first_move]].position):
            name = ACTIONS[made.move]
            found[name] = found.get(name, 0.0) + exp(made.log_probability)
        return found

    def opponent_belief(self, fen: str, level: int, first_move: str) -> dict[str, float]:
        """The positions j thinks possible after the announcement of ``first_move``."""
        game, node = self._opponent(fen, level, first_move)
        return self._positions(game, node, game.turn(node))

    def belief(self, fen: str, level: int, history: Sequence[Own | Other]) -> dict[str, float]:
        """The positions i thinks possible after ``history``."""
        game = self._game(fen)
        return self._positions(game, *self._follow(game, level, history))

    def surprised(self, fen: str, level: int, history: Sequence[Own | Other]) -> bool:
        """Whether something in ``history`` had probability zero under the modelled play."""
        game = self._game(fen)
        node, _ = self._follow(game, level, history)
        game.elements(node)
        return node.surprised

    def _game(self, fen: str) -> Nested:
        """The players' nodes from this position on."""
        if fen not in self._games:
            position = parse(fen)
            if position.over:
                raise ValueError(f"{fen!r}: the game is over")
            illegal = (self.settings.candidates or frozenset()) - position.moves.keys()
            if illegal or self.settings.candidates == frozenset():
                names = sorted(ACTIONS[move] for move in illegal)
                raise ValueError(f"{fen!r}: candidates must be legal moves, not {names}")
            self._games[fen] = Nested(position, self.settings)
        return self._games[fen]

    def _opponent(self, fen: str, level: int, first_move: str) -> tuple[Nested, Node]:
        """What j, one level below ``level``, knows once ``first_move`` is announced."""
        if level < 1 or self.settings.random_opponent:
            raise ValueError(f"i at level {level} models no thinking opponent here")
        game = self._game(fen)
        outcome = game.position.moves.get(NUMBER[first_move])
        if outcome is None:
            raise ValueError(f"{first_move!r} is not legal in {fen!r}")
        root = game.root(1 - game.adviser, level - 1)
        return game, root.heard(outcome.announcement)

    def _follow(
        self, game: Nested, level: int, history: Sequence[Own | Other]
    ) -> tuple[Node, Turn]:
        """Where i stands after ``history``; every announcement must be one the rules allow."""
        node, mine = game.root(game.adviser, level), True
        turn = game.turn(node)
        for entry in history:
            if isinstance(entry, Own) != mine or turn != game.turn(node):
                raise ValueError(f"{entry}: it is not this player's turn")
            if isinstance(entry, Other):
                heard = entry.refusals if self.settings.audible else 0
                node, mine = node.heard(entry.heard, heard), True
            else:
                turn = self._refused(node, entry.refused)
                if entry.move is None or entry.heard is None:
                    continue
                node, mine = node.acted(NUMBER[entry.move], entry.heard, turn), False
            if not node.possible:
                raise ImpossibleObservation(f"{entry}: no legal move produces this")
            turn = game.turn(node)
        return node, turn

    def _refused(self, node: Node, refused: Sequence[str]) -> Turn:
        """What is left of a turn after some refusals."""
        survivors = node.everything
        for name in refused:
            survivors &= ~node.legal.get(NUMBER[name], 0)
        if not survivors:
            raise ImpossibleObservation(
                f"{refused}: no position still possible refuses all of these"
            )
        return Turn(survivors, len(refused) if self.settings.audible else 0)

    def _positions(self, game: Nested, node: Node, turn: Turn) -> dict[str, float]:
        """Belief over positions alone."""
        found: dict[str, float] = {}
        for element, weight in belief_given(node, turn.survivors, game.hidden):
            name = str(element.position)
            found[name] = found.get(name, 0.0) + weight
        return found
