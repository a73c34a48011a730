"""The I-POMDP player of 4x4 Kriegspiel: exact beliefs while they are small, particles beyond."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ipomdp.engine.expect import listened_to
from ipomdp.engine.history import Event, Situation, situation
from ipomdp.engine.model import Frame, nested
from ipomdp.engine.particles import Particles
from ipomdp.engine.quantal import quantal_response
from ipomdp.engine.solve import Solver
from ipomdp.engine.step import Choice, Rules
from ipomdp.errors import InvalidInput
from ipomdp.fields import FIELDS, Field
from ipomdp.game import BoardGame, BoolArray, FloatArray, IntArray
from ipomdp.kriegspiel.evaluation import Weights, evaluation
from ipomdp.players.explain_exact import Explainer, leaks
from ipomdp.players.explanation import Explanation
from ipomdp.players.player import Advice, Thinker, Worlds
from ipomdp.players.possible import Possible
from ipomdp.players.settings import whole
from ipomdp.players.watched import LOST, Watched
from ipomdp.study.likelihood import known_start

RULES = Rules(retry=True)
PLAY = Weights(checkmate=10_000.0, draw=0.0)
"""What a position is worth to those who play to win."""
PARTICLES, EXACT_UP_TO, NESTED = 100, 300, 16
"""At level 1, how many rows its belief keeps once it has more than so many, and how many a belief
nested in it; the truth is hardly ever lost, because few positions stay possible for long."""
FEWEST = 4
"""The least that is ever kept. Where nothing is known of the other's mind it is all that a nested
belief keeps: wide beliefs can be refused in so many ways that they cost most."""
MOST_ROWS = 400
"""Rows of belief from which a player at level 0 still plans two decisions."""
ROWS_A_LEVEL, ROWS_A_DECISION = 4, 15
"""How many times fewer rows each level more leaves time for, and each decision more: measured so
that a move takes about a second at most, and nearly all of them some milliseconds."""


SETTINGS: dict[str, Field] = {
    "level": whole("level", 0, 3, "a level"),
    "lambda": FIELDS["opponent.rationality"],
    "play": replace(FIELDS["opponent.rationality"], attribute="play"),
    "horizon": whole("horizon", 1, 3, "a number of decisions"),
    "opponent-horizon": whole("opponent_horizon", 1, 2, "a number of decisions"),
    "particles": FIELDS["belief.particles"],
    "exact-up-to": FIELDS["belief.exact_up_to"],
}
"""What users may set, by the names they type."""


class ExactPlayer(Thinker):
    """Plays by what it believes of the position and of the other's mind, at level k."""

    _place: Situation

    def __init__(
        self,
        game: BoardGame,
        *,
        level: int = 1,
        rationality: float = 0.02,
        play: float = math.inf,
        horizon: int = 2,
        opponent_horizon: int = 1,
        particles: int | None = None,
        exact_up_to: int | None = None,
    ) -> None:
        """Set how it thinks.

        ``rationality`` is the lambda it assumes of the other, at every nested level; ``play`` is
        its own: a best response by default. ``horizon`` is how many decisions it plans where its
        belief is small enough; beyond, and where time is short, fewer.
        """
        super().__init__(game)
        utility = evaluation(PLAY)
        self.frame = Frame(utility=utility, rationality=play, horizon=horizon)
        if level > 0:
            other = nested(
                level - 1, utility=utility, rationality=rationality, horizon=opponent_horizon
            )
            self.frame = replace(self.frame, opponents=(other,))
        dearer = ROWS_A_LEVEL ** max(0, level - 1)
        self.particles = particles or PARTICLES // dearer
        self.exact_up_to = EXACT_UP_TO // dearer if exact_up_to is None else exact_up_to
        self.nested = max(FEWEST, NESTED // dearer)
        self.restarts = 0
        """How often in this game its belief had lost the truth and was begun anew."""

    def begin(self, side: int, state: int, rng: np.random.Generator) -> None:
        """Start a game."""
        self.side = side
        self.restarts = 0
        self._choosing, self._drawing = rng.spawn(2)  # what others draw changes nothing for it
        self._possible = Possible(side, state)
        self._copy: ExactPlayer | None = None
        self._refused: tuple[int, ...] = ()
        self._events: list[Event] = []
        self._watched = Watched(self.game, side, state, listened_to(self.frame), RULES)
        self._share = 1.0
        self._pace: dict[int, float] = {}
        self._planned = 0
        self._stand(situation(known_start(self.game, state, RULES), side, self.frame))

    def propose(self, tries: IntArray, seconds: float | None = None) -> int:
        """Return a try, by quantal response to what the tries are worth."""
        worth, allowed, _ = self._weighed(tries, seconds)
        chances = quantal_response(worth, self.frame.rationality, allowed)
        return int(self._choosing.choice(chances.size, p=chances))

    def advice(self, tries: IntArray, seconds: float | None = None) -> tuple[Advice, ...]:
        """Return what the tries are worth, best first; those sure to be refused are left out."""
        return self._aside().advised(tries, seconds)

    def explain(self, action: int) -> Explanation:
        """Return what stands behind the worth of a try."""
        if self._turn < 0 or self.game.over(self._possible.states[:1])[0]:
            raise InvalidInput("nothing to explain: it is not this player's turn")
        return self._aside().explained(action)

    def refused(self, action: int) -> None:
        """Learn from a refusal."""
        self._copy = None
        self._possible.refused(action)
        self._refused = (*self._refused, action)
        self._turn = self._turn_after(action)

    def moved(self, action: int, heard: int) -> None:
        """Go on after its own move."""
        self._onward(Event(heard=heard, action=action, refused=self._refused))

    def heard(self, heard: int) -> None:
        """Go on after the other's move."""
        self._onward(Event(heard=heard))

    def belief(self) -> Mapping[tuple[str, str], float]:
        """Return where it believes the other's pieces to stand."""
        found: dict[tuple[str, str], float] = {}
        for state, chance in self.positions().items():
            for square, letter in self.game.pieces(state, 1 - self.side).items():
                found[square, letter] = found.get((square, letter), 0.0) + chance
        return found

    def worlds(self) -> Worlds:
        """Return every position that the rules leave possible, with what it believes of each."""
        from ipomdp.wild16.bridge import Bridge  # compiled code, which nothing else here needs

        believed, states = self.positions(), self._possible.states
        weights = np.array([believed.get(state, 0.0) for state in states.tolist()])
        if not weights.any():  # after the end no more is believed than the rules say
            weights = np.ones(states.size)
        return Worlds(Bridge(self.game).boards(states), weights / weights.sum(), exact=True)

    def positions(self) -> Mapping[int, float]:
        """Return how likely it believes each position to be."""
        if self._turn < 0:
            return self._place.layer.marginal(0)
        spots, weight = self._members()
        states = self._place.layer.spot_state[spots].tolist()
        return {s: w for s, w in zip(states, weight.tolist(), strict=True) if w > 0}

    @property
    def sampled(self) -> bool:
        """Whether particles have been drawn, so that the belief is no longer exact."""
        return self._place.solver.sampled

    # What it is asked: a copy answers, so that the player stays as it is.

    def _aside(self) -> ExactPlayer:
        if self._copy is None:
            self._copy = copy.copy(self)
            self._copy.part()
        return self._copy

    def part(self) -> None:
        """Share nothing that changes by thinking with the player that this is a copy of.

        Not even what has been worked out: a player learns its pace from how long that takes.
        """
        self._place = self._place.refusing(())
        self._pace = dict(self._pace)
        self._drawing = copy.deepcopy(self._drawing)

    def advised(self, tries: IntArray, seconds: float | None = None) -> tuple[Advice, ...]:
        """Return the advice; it may begin anew to give it."""
        worth, allowed, legal = self._weighed(tries, seconds)
        actions = np.flatnonzero(allowed).tolist()
        leak = leaks(*self._listened_to(), actions)
        found = [
            Advice(action=a, value=float(worth[a]), legal=float(legal[a]), leak_bits=leak[a])
            for a in actions
        ]
        return tuple(sorted(found, key=lambda advice: (-advice.value, -advice.legal)))

    def explained(self, action: int) -> Explanation:
        """Return the explanation; it may begin anew to give it."""
        tries = np.flatnonzero(self.game.tries(self._possible.states[:1], self.side)[0])
        advice = [a for a in self.advised(np.setdiff1d(tries, self._refused)) if a.action == action]
        if not advice:
            raise InvalidInput(f"{self.game.actions[action]} is sure to be refused")
        place, turn = self._listened_to()
        explainer = Explainer(self.game, place, turn, modelled=self.frame.level > 0)
        return explainer.explained(advice[0])

    def _listened_to(self) -> tuple[Situation, int]:
        """Return where it stands, with somebody who listens, and the state of its turn."""
        if self.frame.level > 0:
            return self._place, self._turn
        place = self._watched.after(self._events, self._refused)
        return place, place.turn

    # What its tries are worth.

    def _weighed(
        self, tries: IntArray, seconds: float | None
    ) -> tuple[FloatArray, BoolArray, FloatArray]:
        """Return what its actions are worth, which are open to it, and how likely each is legal."""
        begun = time.perf_counter()
        fresh, self._planned = self._planned == 0, self._planned or self._affordable(seconds)
        choice, (spots, weight) = self._choice(), self._members()
        worth = self._place.solver.values(self.side, self.frame, self._place.step, self._planned)
        allowed = choice.allowed[self._turn] & np.isin(np.arange(choice.legal.shape[1]), tries)
        if not allowed.any():  # what may be legal has been refused: the belief has lost the truth
            self._begin_anew()
            return self._weighed(tries, seconds)
        if fresh:
            self._learn_pace(time.perf_counter() - begun, seconds)
        return worth[self._turn], allowed, np.minimum(weight @ choice.legal[spots], 1.0)

    def _affordable(self, seconds: float | None) -> int:
        """Return how many decisions it can plan, by the size of its belief and by its time."""
        rows, planned = self._rows(), self.frame.horizon
        most = MOST_ROWS / ROWS_A_LEVEL**self.frame.level
        while planned > 1 and (
            rows > most / ROWS_A_DECISION ** (planned - 2)
            or (seconds is not None and rows * self._pace.get(planned, 0.0) > seconds)
        ):
            planned -= 1
        return planned

    def _learn_pace(self, took: float, seconds: float | None) -> None:
        """Remember what a row of belief costs; where the least plan is too slow, keep fewer."""
        pace = took / self._rows()
        self._pace[self._planned] = max(pace, self._pace.get(self._planned, 0.0) / 2)
        if seconds is not None and self._planned == 1 and took > seconds / 2:
            self._share /= 2

    def _rows(self) -> int:
        place = self._place
        return max(1, sum(layer.rows.node.size for layer in place.solver.known(place.step)))

    # Where it stands.

    def _onward(self, event: Event) -> None:
        """Follow what has happened; the end of the game needs no belief."""
        self._refused = ()
        self._events.append(event)
        self._copy = None
        self._possible.after(event)
        if self.game.over(self._possible.states[:1])[0]:
            return
        try:
            self._stand(replace(self._place, particles=self._particles()).after(event))
        except LOST:
            self._begin_anew()

    def _begin_anew(self) -> None:
        """Believe whatever the rules leave possible, refusals of the turn under way included."""
        self.restarts += 1
        self._refused = ()
        views, node = self._possible.views()
        solver = Solver(self.game, views, RULES)
        particles = Particles(self.particles, FEWEST, self._possible.states.size, self._drawing)
        self._stand(situation(solver, self.side, self.frame, node=node, particles=particles))
        self._planned = 1

    def _particles(self) -> Particles:
        """Return how beliefs are cut down."""
        count, exact = (round(n * self._share) for n in (self.particles, self.exact_up_to))
        return Particles(max(FEWEST, count), self.nested, exact, self._drawing)

    def _stand(self, place: Situation) -> None:
        self._place = place
        self._planned = 0
        self._copy = None
        mine = place.solver.acts(self.side, place.step)
        self._turn = int(self._choice().turns.root[0]) if mine else -1

    def _turn_after(self, action: int) -> int:
        """Return the state of its turn after a refusal, which its belief must explain."""
        after = int(self._choice().turns.child[self._turn, action])
        spots, _ = self._members()
        if after < 0 and self._choice().legal[spots, action].any():
            self._begin_anew()
            return self._turn
        return after if after >= 0 else self._turn  # known to be illegal: it teaches nothing

    def _choice(self) -> Choice:
        return self._place.solver.choice(self.side, self.frame, self._place.step)

    def _members(self) -> tuple[IntArray, FloatArray]:
        """Return the spots possible in its turn, and how likely each is."""
        choice = self._choice()
        members = slice(*np.searchsorted(choice.turns.turn, [self._turn, self._turn + 1]))
        return choice.turns.member[members], choice.weight[members]
