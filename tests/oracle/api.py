"""The questions that can be asked, by position text and action name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp
from typing import Literal

from tests.oracle.filtering import ImpossibleObservation, belief_given
from tests.oracle.frame import Frame, Opponent, check, facing
from tests.oracle.nested import Nested, Rules
from tests.oracle.node import Element, Node, Turn
from tests.oracle.prior import Prior, Start
from tests.oracle.rules import ACTIONS, NUMBER
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


History = Sequence[Own | Other]


class Oracle:
    """Answers for one way of playing; everything computed is kept until the object dies.

    A start is a known position or a prior. ``frames`` replaces the opponent that thinks like i one
    level down (or at random): i is then one level above the highest, and may leave ``level`` out.
    """

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
        frames: Sequence[Opponent] | None = None,
    ) -> None:
        check(rationality, horizon, nested_horizon)
        self.rules = Rules(
            retry=tries == "retry",
            candidates=None if candidates is None else frozenset(NUMBER[c] for c in candidates),
            audible=tries == "retry" and illegal_heard_by == "both",
        )
        self.rationality = rationality
        self.random_opponent = opponent == "random"
        self.horizon = horizon
        self.nested_horizon = nested_horizon
        self.weights = weights or Weights()
        self.frames = None if frames is None else tuple(frames)
        if self.frames == ():
            raise ValueError("i holds at least one frame possible")
        self._games: dict[tuple[str | Prior, int | None], Nested] = {}

    def expected_utilities(
        self, fen: str | Prior, level: int | None = None, history: History = ()
    ) -> dict[str, float]:
        """What each considered move is worth to i; at the start, those that may be legal."""
        game = self._game(fen, level)
        node, turn = self._follow(game, history)
        values = game.values(node, turn, self.horizon)
        if not history:
            values = {move: u for move, u in values.items() if move in node.legal}
        return {ACTIONS[move]: value for move, value in values.items()}

    def replies(
        self, fen: str | Prior, level: int | None, first_move: str
    ) -> dict[str, tuple[float, float]]:
        """Expected utility and probability of each next try of j, as i at ``level`` models it."""
        game, _, node = self._opponent(fen, level, first_move)
        turn = game.turn(node)
        values = game.values(node, turn, node.frame.horizon)
        response = game.response(node, turn)
        return {ACTIONS[a]: (value, exp(response[a])) for a, value in values.items()}

    def replies_made(
        self, fen: str | Prior, level: int | None, first_move: str
    ) -> dict[str, float]:
        """Probability of each move j finally makes in the true position after ``first_move``."""
        game, element, node = self._opponent(fen, level, first_move)
        found: dict[str, float] = {}
        for made in game.made(node, element.position.moves[NUMBER[first_move]].position):
            name = ACTIONS[made.move]
            found[name] = found.get(name, 0.0) + exp(made.log_probability)
        return found

    def opponent_belief(
        self, fen: str | Prior, level: int | None, first_move: str
    ) -> dict[str, float]:
        """The positions j thinks possible after the announcement of ``first_move``."""
        game, _, node = self._opponent(fen, level, first_move)
        return self._positions(game, node, game.turn(node))

    def belief(
        self, fen: str | Prior, level: int | None = None, history: History = ()
    ) -> dict[str, float]:
        """The positions i thinks possible after ``history``."""
        game = self._game(fen, level)
        return self._positions(game, *self._follow(game, history))

    def nested_belief(
        self, fen: str | Prior, level: int | None = None, history: History = ()
    ) -> list[tuple[float, dict[str, float]]]:
        """What j may believe after ``history``, with i's probability of each, likeliest first.

        There is one entry for each node of j, so equal beliefs of two frames are two entries. Who
        picks at random believes nothing and has none: the probabilities then miss its weight.
        """
        game = self._game(fen, level)
        node, turn = self._follow(game, history)
        found: dict[Node, float] = {}
        for element, weight in belief_given(node, turn.survivors, game.hidden):
            if element.other is not None:
                found[element.other] = found.get(element.other, 0.0) + weight
        likeliest_first = sorted(found.items(), key=lambda entry: -entry[1])
        return [(p, self._positions(game, at, game.turn(at))) for at, p in likeliest_first]

    def frame_weights(self, fen: str | Prior, history: History = ()) -> tuple[float, ...]:
        """How much i believes in each of its frames of j after ``history``."""
        game = self._game(fen, None)
        node, turn = self._follow(game, history)
        found = [0.0 for _ in node.frame.others]
        for element, weight in belief_given(node, turn.survivors, game.hidden):
            found[element.which] += weight
        return tuple(found)

    def surprised(self, fen: str | Prior, level: int | None = None, history: History = ()) -> bool:
        """Whether something in ``history`` had probability zero under the modelled play."""
        game = self._game(fen, level)
        node, _ = self._follow(game, history)
        game.elements(node)
        return node.surprised

    def _game(self, fen: str | Prior, level: int | None) -> Nested:
        """The nodes of i at ``level`` from this start on."""
        key = (fen, level)
        if key not in self._games:
            prior = Prior(((fen, 1.0),)) if isinstance(fen, str) else fen
            game = Nested(Start(prior), self.rules, self._frame(level))
            illegal = (self.rules.candidates or frozenset()) - game.root.legal.keys()
            if illegal or self.rules.candidates == frozenset():
                names = sorted(ACTIONS[move] for move in illegal)
                raise ValueError(f"{fen!r}: candidates must be legal moves, not {names}")
            self._games[key] = game
        return self._games[key]

    def _frame(self, level: int | None) -> Frame:
        """How i thinks at ``level``."""
        if self.frames is not None:
            own = 1 + max(frame.level or 0 for frame in self.frames)
            if level not in {None, own}:
                raise ValueError(f"with these frames i is at level {own}, not {level}")
            return facing(self.frames, own, self.horizon, self.weights)
        if level is None:
            raise ValueError("without frames the level of i must be given")
        below = None if level == 0 or self.random_opponent else level - 1
        other = Opponent(1.0, below, self.rationality, self.weights, self.nested_horizon)
        return facing((other,), level, self.horizon, self.weights)

    def _opponent(
        self, fen: str | Prior, level: int | None, first_move: str
    ) -> tuple[Nested, Element, Node]:
        """Where j stands once ``first_move`` is announced; i must know the position and frame."""
        game = self._game(fen, level)
        found = [e for e in game.root.start if NUMBER[first_move] in e.position.moves]
        if not found:
            raise ValueError(f"{first_move!r} is not legal in {fen!r}")
        if len(found) > 1:
            raise ValueError(f"{fen!r}: i holds more than one position or frame of j possible")
        (element,) = found
        if element.other is None:
            raise ValueError(f"i at level {level} models no thinking opponent here")
        said = element.position.moves[NUMBER[first_move]].announcement
        return game, element, element.other.heard(said)

    def _follow(self, game: Nested, history: History) -> tuple[Node, Turn]:
        """Where i stands after ``history``; every announcement must be one the rules allow."""
        node, mine = game.root, True
        turn = game.turn(node)
        for entry in history:
            if isinstance(entry, Own) != mine or turn != game.turn(node):
                raise ValueError(f"{entry}: it is not this player's turn")
            if isinstance(entry, Other):
                heard = entry.refusals if self.rules.audible else 0
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
        return Turn(survivors, len(refused) if self.rules.audible else 0)

    def _positions(self, game: Nested, node: Node, turn: Turn) -> dict[str, float]:
        """Belief over positions alone."""
        found: dict[str, float] = {}
        for element, weight in belief_given(node, turn.survivors, game.hidden):
            name = str(element.position)
            found[name] = found.get(name, 0.0) + weight
        return found
