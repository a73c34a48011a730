"""The multi-agent tiger, by plain recursion over all that can be heard.

Beliefs are probabilities that the tiger is behind the left door. The opponent j of a level-1 agent
plays the single-agent tiger: it takes no notice of the agent, whatever that one's doors do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import exp, inf
from typing import Literal

ACTIONS = LISTEN, OPEN_LEFT, OPEN_RIGHT = ("listen", "open-left", "open-right")
SIDES = LEFT, RIGHT = ("left", "right")
CREAKS = {LISTEN: "silence", OPEN_LEFT: LEFT, OPEN_RIGHT: RIGHT}
"""What a creak reports when it is right about the other's action."""
TIE = 1e-9

Interactive = dict[tuple[str, float | None], float]
"""Probabilities of the tiger's side and j's belief; ``None`` for a j that does not think."""


@dataclass(frozen=True)
class Tiger:
    """One setting of the problem and the questions it answers."""

    growl_accuracy: float = 0.85
    creak_accuracy: float = 0.9
    discount: float = 0.95
    rationality: float = inf
    """How sharply j responds to its action values; at infinity its best actions share evenly."""

    @cached_property
    def _known(self) -> dict[tuple[float, int], dict[str, float]]:
        """The single agent's values so far."""
        return {}

    # The agent alone.

    def alone(self, tiger_left: float, horizon: int) -> dict[str, float]:
        """What each action is worth to a single agent with ``horizon`` decisions to make."""
        key = (tiger_left, horizon)
        if key not in self._known:
            self._known[key] = {a: self._alone(tiger_left, horizon, a) for a in ACTIONS}
        return self._known[key]

    def value_alone(self, tiger_left: float, horizon: int) -> float:
        """What the single-agent tiger is worth."""
        return max(self.alone(tiger_left, horizon).values()) if horizon else 0.0

    def _alone(self, tiger_left: float, horizon: int, action: str) -> float:
        now = _reward(action, LEFT) * tiger_left + _reward(action, RIGHT) * (1 - tiger_left)
        if horizon == 1:
            return now
        if action != LISTEN:
            return now + self.discount * self.value_alone(0.5, horizon - 1)
        later = 0.0
        for growl in SIDES:
            heard = self._heard(tiger_left, growl)
            if heard > 0:
                after = self.after_growl(tiger_left, growl)
                later += heard * self.value_alone(after, horizon - 1)
        return now + self.discount * later

    def after_growl(self, tiger_left: float, growl: str) -> float:
        """Bayes' rule for a listener who thinks that the tiger stays where it is."""
        heard = self._heard(tiger_left, growl)
        if not heard > 0:
            raise ValueError(f"a growl from the {growl} refutes the belief {tiger_left}")
        return tiger_left * self._growl(growl, LEFT) / heard

    def _heard(self, tiger_left: float, growl: str) -> float:
        """The probability of a growl to a listener."""
        left, right = self._growl(growl, LEFT), self._growl(growl, RIGHT)
        return tiger_left * left + (1 - tiger_left) * right

    def _growl(self, growl: str, tiger: str) -> float:
        return self.growl_accuracy if growl == tiger else 1 - self.growl_accuracy

    def _creak(self, creak: str, action: str) -> float:
        right = creak == CREAKS[action]
        return self.creak_accuracy if right else (1 - self.creak_accuracy) / 2

    # The agent that models another.

    def believed(
        self, tiger_left: float, opponent: Literal["random"] | Sequence[tuple[float, float]]
    ) -> Interactive:
        """The belief at the start: the tiger's side and j's belief are independent.

        ``opponent`` lists j's possible beliefs with their weights.
        """
        beliefs = [(None, 1.0)] if opponent == "random" else opponent
        total = sum(weight for _, weight in beliefs)
        found: Interactive = {}
        for tiger, chance in ((LEFT, tiger_left), (RIGHT, 1 - tiger_left)):
            for other, weight in beliefs:
                _add(found, tiger, other, chance * weight / total)
        return found

    def values(
        self,
        tiger_left: float,
        horizon: int,
        opponent: Literal["random"] | Sequence[tuple[float, float]] = "random",
    ) -> dict[str, float]:
        """What each action is worth at level 1, with ``horizon`` decisions left to both."""
        return self.values_at(self.believed(tiger_left, opponent), horizon)

    def values_at(self, belief: Interactive, horizon: int) -> dict[str, float]:
        """What each action is worth at an interactive belief."""
        return {action: self._value(belief, horizon, action) for action in ACTIONS}

    def _value(self, belief: Interactive, horizon: int, action: str) -> float:
        now = sum(p * _reward(action, tiger) for (tiger, _), p in belief.items())
        if horizon == 1:
            return now
        later = 0.0
        # What is heard after opening is noise: any one thing stands for all.
        heard = [(g, c) for g in SIDES for c in CREAKS.values()] if action == LISTEN else [None]
        for sound in heard:
            weighed = self._weighed(belief, horizon, action, sound)
            chance = sum(weighed.values())
            if chance > 0:
                after = {pair: p / chance for pair, p in weighed.items()}
                later += chance * max(self.values_at(after, horizon - 1).values())
        return now + self.discount * later

    def updated(
        self, belief: Interactive, horizon: int, action: str, growl: str, creak: str
    ) -> Interactive:
        """The interactive belief after acting with ``horizon`` decisions left and hearing both."""
        sound = (growl, creak) if action == LISTEN else None
        weighed = self._weighed(belief, horizon, action, sound)
        chance = sum(weighed.values())
        if not chance > 0:
            raise ValueError(f"after {action} nobody hears {growl} and {creak} given {belief}")
        return {pair: p / chance for pair, p in weighed.items()}

    def _weighed(
        self, belief: Interactive, horizon: int, action: str, sound: tuple[str, str] | None
    ) -> Interactive:
        """Joint probability of what was heard and of where that leaves the tiger and j's belief."""
        found: Interactive = {}
        for (tiger, other), p in belief.items():
            for move, chosen in self.response(other, horizon).items():
                stays = action == move == LISTEN
                for now in SIDES:
                    moved = (1.0 if now == tiger else 0.0) if stays else 0.5
                    joint = p * chosen * moved
                    if sound is not None:
                        joint *= self._growl(sound[0], now) * self._creak(sound[1], move)
                    if joint > 0:
                        for after, chance in self._others_next(other, move, now):
                            _add(found, now, after, joint * chance)
        return found

    def response(self, other: float | None, horizon: int) -> dict[str, float]:
        """How j picks its action."""
        if other is None:
            return dict.fromkeys(ACTIONS, 1 / len(ACTIONS))
        values = self.alone(other, horizon)
        best = max(values.values())
        if self.rationality == inf:
            weights = {a: 1.0 if value >= best - TIE else 0.0 for a, value in values.items()}
        else:
            weights = {a: exp(self.rationality * (value - best)) for a, value in values.items()}
        total = sum(weights.values())
        return {action: weight / total for action, weight in weights.items()}

    def _others_next(
        self, other: float | None, move: str, tiger: str
    ) -> list[tuple[float | None, float]]:
        """What j believes next, by what it may hear of the tiger where that now is."""
        if other is None:
            return [(None, 1.0)]
        if move != LISTEN:
            return [(0.5, 1.0)]
        growls = [(growl, self._growl(growl, tiger)) for growl in SIDES]
        return [(self.after_growl(other, growl), p) for growl, p in growls if p > 0]


def _reward(action: str, tiger: str) -> float:
    """What an action pays at once: it depends on nobody else's."""
    if action == LISTEN:
        return -1.0
    return -100.0 if action == f"open-{tiger}" else 10.0


def _add(found: Interactive, tiger: str, other: float | None, probability: float) -> None:
    if probability > 0:
        found[tiger, other] = found.get((tiger, other), 0.0) + probability
