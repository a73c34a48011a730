"""The multi-agent tiger: two doors, a tiger behind one, and two players who act at once.

Each player listens or opens a door. If anyone opens one, the tiger is placed anew behind either,
as likely as not. One who listened then hears a growl from the left or the right and a creak (or
silence) that reports what the other did, both noisy (Gmytrasiewicz and Doshi 2005, section 6).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from ipomdp.engine.ragged import entries
from ipomdp.game import Actions, BoolArray, FloatArray, IntArray, Outcomes

SIDES = LEFT, RIGHT = 0, 1
"""The states: where the tiger is; and where a growl comes from."""
ACTIONS = ("listen", "open-left", "open-right")
LISTEN, OPEN_LEFT, OPEN_RIGHT = range(3)
CREAKS = ("silence", "creak left", "creak right")
"""By the action of the other that each reports."""
GROWLS = ("growl left", "growl right")
NOISE = len(GROWLS) * len(CREAKS)
"""What one who opened hears. It says nothing, so one sound stands for all."""


class Tiger:
    """The tiger behind the game protocol; a sound is 3 x growl + creak, or the noise."""

    players = ("i", "j")
    actions = ACTIONS
    public = False

    def __init__(self, *, growl_accuracy: float = 0.85, creak_accuracy: float = 0.9) -> None:
        self.growl_accuracy = growl_accuracy
        self.creak_accuracy = creak_accuracy
        found = [list(self._outcomes(*case)) for case in _CASES]
        self._start: IntArray = np.cumsum([0, *map(len, found)])
        columns = zip(*itertools.chain(*found), strict=True)
        self._successor, self._first, self._second, chance = map(np.array, columns)
        self._log: FloatArray = np.log(chance)

    def _outcomes(self, tiger: int, one: int, other: int) -> Iterator[tuple[int, int, int, float]]:
        """Yield (where the tiger is then, what each hears, the probability), if not impossible."""
        stays = one == other == LISTEN
        for side in SIDES:
            placed = float(side == tiger) if stays else 0.5
            pairs = itertools.product(
                self._sounds(side, one, other), self._sounds(side, other, one)
            )
            for (first, p), (second, q) in pairs:
                if placed * p * q > 0:
                    yield side, first, second, placed * p * q

    def _sounds(self, side: int, own: int, others: int) -> Iterator[tuple[int, float]]:
        """Yield what a player may hear of the tiger and of the other, with probabilities."""
        if own != LISTEN:
            yield NOISE, 1.0
            return
        for growl, creak in itertools.product(SIDES, range(len(CREAKS))):
            right = self.growl_accuracy if growl == side else 1 - self.growl_accuracy
            told = self.creak_accuracy if creak == others else (1 - self.creak_accuracy) / 2
            yield growl * len(CREAKS) + creak, right * told

    def acts(self, state: int) -> tuple[bool, bool]:  # noqa: ARG002
        """Return who acts: both, always."""
        return True, True

    def legal(self, states: IntArray, player: int) -> BoolArray:  # noqa: ARG002
        """Return that everything is legal."""
        return np.ones((states.size, len(ACTIONS)), dtype=bool)

    def tries(self, states: IntArray, player: int) -> BoolArray:
        """Return that everything may be tried."""
        return self.legal(states, player)

    def imagined(self, states: IntArray, player: int) -> FloatArray:  # noqa: ARG002
        """Return that the other listens: one who models nobody plays the single-agent tiger."""
        chance = np.zeros((states.size, len(ACTIONS)))
        chance[:, LISTEN] = 1.0
        return chance

    def alone(self, heard: IntArray) -> IntArray:
        """Return the growl, as if in silence: who models nobody takes no notice of creaks."""
        return np.where(heard == NOISE, heard, heard - heard % len(CREAKS))

    def play(self, states: IntArray, actions: Actions) -> Outcomes:
        """Return where the tiger may be and what each player may hear."""
        one, other = actions
        if one is None or other is None:
            raise ValueError("both players act at once")
        entry, case = entries(self._start, (states * len(ACTIONS) + one) * len(ACTIONS) + other)
        heard = self._first[entry], self._second[entry]
        return Outcomes(case, self._successor[entry], heard, self._log[entry])

    def over(self, states: IntArray) -> BoolArray:
        """Return that it never ends."""
        return np.zeros(states.size, dtype=bool)

    def say(self, heard: int) -> str:
        """Return what is heard, as ``growl left, silence``."""
        if heard == NOISE:
            return "noise"
        growl, creak = divmod(heard, len(CREAKS))
        return f"{GROWLS[growl]}, {CREAKS[creak]}"

    def describe(self, state: int) -> str:
        """Return where the tiger is."""
        return f"tiger {('left', 'right')[state]}"


_CASES = list(itertools.product(SIDES, range(len(ACTIONS)), range(len(ACTIONS))))


class Rewards:
    """What actions pay at once: listening costs 1, the tiger 100, the other door pays 10."""

    table = np.array([[-1.0, -100.0, 10.0], [-1.0, 10.0, -100.0]])
    """By where the tiger is, and the player's own action."""

    def final(self, states: IntArray, player: int) -> FloatArray:  # noqa: ARG002
        """Return nothing: only what is done counts."""
        return np.zeros(states.size)

    def reward(self, states: IntArray, actions: IntArray, player: int) -> FloatArray:  # noqa: ARG002
        """Return what each action pays."""
        paid: FloatArray = self.table[states, actions]
        return paid
