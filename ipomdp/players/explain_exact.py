"""What the 4x4 player's tries tell, and what stands behind them, read off the engine's models."""

from __future__ import annotations

import math

from ipomdp.engine.expect import Expectation
from ipomdp.engine.history import Situation
from ipomdp.engine.model import Blind
from ipomdp.game import BoardGame
from ipomdp.players.explanation import (
    MOST_ANNOUNCEMENTS,
    MOST_ANSWERS,
    MOST_REPLIES,
    Announced,
    Explanation,
    Likely,
    Mind,
    Placed,
    Reply,
    placed,
    ranked,
)
from ipomdp.players.player import Advice
from ipomdp.players.watched import LOST
from ipomdp.study.heard import Heard, answered, heard_after
from ipomdp.study.viewpoint import Viewpoint


def leaks(place: Situation, turn: int, actions: list[int]) -> dict[int, float]:
    """Return the bits that the announcement of each of some actions gives the other.

    NaN where no particle knows what the other makes of it.
    """
    watched, found = Expectation(place, replies=False, turn=turn), {}
    for action in actions:
        try:
            found[action] = watched.after(action)[1]
        except LOST:
            found[action] = math.nan
    return found


class Explainer:
    """Tells what a player at some place, in some state of its turn, expects of its tries.

    ``modelled`` says whether the player thinks of the other as of somebody; otherwise the place is
    one with a listener, whose replies are any legal moves alike.
    """

    def __init__(self, game: BoardGame, place: Situation, turn: int, *, modelled: bool) -> None:
        self.game, self.modelled = game, modelled
        self.view = Viewpoint(
            place.solver, place.player, place.frame, place.step, refused_already=turn
        )

    def explained(self, advice: Advice) -> Explanation:
        """Return what stands behind the worth of a try."""
        heard = heard_after(self.view, advice.action)
        return Explanation(
            advice=advice,
            after_refusal=self._after_refusal(advice.action),
            announcements=tuple(self._announced(one) for one in heard[:MOST_ANNOUNCEMENTS]),
            others=len(heard[MOST_ANNOUNCEMENTS:]),
        )

    def _after_refusal(self, action: int) -> tuple[Placed, ...]:
        """Return what is believed of the other's pieces after a refusal."""
        view = self.view
        choice = view.solver.choice(view.player, view.frame, view.step)
        after = int(choice.turns.child[view.turn, action])
        return () if after < 0 else self._placed(view.believed_in(after), 1 - view.player)

    def _announced(self, heard: Heard) -> Announced:
        if heard.over:
            return Announced(heard=heard.said, probability=heard.probability, over=True)
        try:
            belief: dict[int, float] = {}
            for listener, share in heard.listeners:
                if not isinstance(listener, Blind):
                    for state, chance in listener.belief.items():
                        belief[state] = belief.get(state, 0.0) + share * chance
            return Announced(
                heard=heard.said,
                probability=heard.probability,
                over=False,
                minds=(self._mind(),),
                belief=self._placed(belief, self.view.player),
                replies=self._replies(heard),
            )
        except LOST:
            return Announced(heard=heard.said, probability=heard.probability, over=False)

    def _mind(self) -> Mind:
        words = "at random" if not self.modelled else f"at level {self.view.frame.level - 1}"
        return Mind(words=words, probability=1.0)

    def _replies(self, heard: Heard) -> tuple[Reply, ...]:
        """Return the moves finally made, with what their likeliest maker expects of us."""
        listener = heard.listeners[0][0]
        replies = ranked(enumerate(heard.replies.tolist()), MOST_REPLIES)
        thinks = isinstance(listener, Viewpoint) and listener.frame.level > 0
        return tuple(
            Reply(
                action=action,
                probability=share,
                answers=self._answers(listener, action) if thinks and k < MOST_ANSWERS else (),
            )
            for k, (action, share) in enumerate(replies)
        )

    def _answers(self, listener: Viewpoint | Blind, reply: int) -> tuple[Likely, ...]:
        """Return what one who listens expects us to answer to its reply."""
        if isinstance(listener, Blind):
            return ()
        try:
            chances = answered(heard_after(listener, reply), listener.solver.actions)
        except LOST:
            return ()
        return tuple(
            Likely(action=action, probability=share)
            for action, share in ranked(enumerate(chances.tolist()), MOST_ANSWERS)
        )

    def _placed(self, belief: dict[int, float], player: int) -> tuple[Placed, ...]:
        shares: dict[tuple[str, str], float] = {}
        for state, chance in belief.items():
            for square, letter in self.game.pieces(state, player).items():
                shares[square, letter] = shares.get((square, letter), 0.0) + chance
        return placed(shares)
