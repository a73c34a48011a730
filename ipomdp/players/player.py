"""What a player is: told what it hears, asked for a try."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ipomdp.game import BoardGame, FloatArray, IntArray

if TYPE_CHECKING:
    from ipomdp.players.explanation import Explanation

CERTAIN = 1e-12
"""What is this unlikely to be refused is certain: probabilities of many positions add up to one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What a player thinks of one of its tries."""

    action: int
    value: float
    """What trying it is worth to the player, in the units of its utility; refusals included."""
    legal: float
    """How likely it is to be carried out."""
    leak_bits: float
    """The bits about its own pieces that the announcement gives the other, if the try is made.

    The entropy of what the other believes, once the player has moved, before the announcement
    minus after it, in expectation over what may be announced. Below 0 where the other is likely to
    be left less sure than it was; NaN where no particle knows what it will make of it.
    """

    @property
    def refusal_bits(self) -> float:
        """The bits that a refusal would tell about where the other's pieces are; never below 0.

        The divergence of what would be believed of the position from what is believed now,
        sum b'(s) log2 b'(s)/b(s). A position alone decides whether a try is legal, so a refusal
        leaves out some positions and what it tells is -log2 P(refused): much where it comes as a
        surprise. 0 where it cannot come.
        """
        refused = 1.0 - self.legal
        return 0.0 - math.log2(refused) if refused > CERTAIN else 0.0


class Worlds(NamedTuple):
    """The boards that a player believes in, as the kernels write them."""

    boards: NDArray[np.uint64]
    weights: FloatArray
    """How likely each is; they sum to one."""
    exact: bool
    """Whether no board is missing that the rules and all that was heard leave possible."""


class Player(ABC):
    """One side of a game. It never sees the other's pieces, only what follows.

    The order of the calls, which whoever runs the game keeps:

    1. ``begin`` once, before anything else. A player may begin again, a new game.
    2. When it is to move: ``propose``, with the tries that its own pieces and what was announced
       leave open, those refused in this turn left out. If the referee refuses, ``refused`` and
       ``propose`` again; if the move is made, ``moved``.
    3. When the other has moved: ``heard``.
    4. Nothing more once the game is over: the last call may be ``moved`` or ``heard`` with an
       announcement that ends it, or none at all (a player that resigned, crashed, was too slow).
    """

    def __init__(self, game: BoardGame) -> None:
        self.game = game

    @abstractmethod
    def begin(self, side: int, state: int, rng: np.random.Generator) -> None:
        """Start a game as a side (0 is White) from a state that both players know."""

    @abstractmethod
    def propose(self, tries: IntArray, seconds: float | None = None) -> int:
        """Return one of the tries, within so many seconds if they are given."""

    @abstractmethod
    def refused(self, action: int) -> None:
        """Hear that the last try was illegal."""

    @abstractmethod
    def moved(self, action: int, heard: int) -> None:
        """Hear that the last try was made, and what the referee said of it."""

    @abstractmethod
    def heard(self, heard: int) -> None:
        """Hear what the referee said of the other's move."""


class Thinker(Player):
    """A player that can tell what it believes and what it would advise.

    Whatever it is asked, it later believes and plays the same as if it had not been asked.
    """

    @abstractmethod
    def belief(self) -> Mapping[tuple[str, str], float]:
        """Return how likely each piece of the other stands on each square.

        The keys are (square, letter), as ``("e5", "p")``; certain absences are left out.
        """

    @abstractmethod
    def worlds(self) -> Worlds:
        """Return the boards it believes in, beside those that are possible by the rules alone."""

    @abstractmethod
    def advice(self, tries: IntArray, seconds: float | None = None) -> tuple[Advice, ...]:
        """Return the tries with their worth, best first; asked only when it is to move."""

    @abstractmethod
    def explain(self, action: int) -> Explanation:
        """Return what stands behind the worth of a try; asked only when it is to move.

        A try that is sure to be refused, by all that the player believes, is invalid input.
        """
