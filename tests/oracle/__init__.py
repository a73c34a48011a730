"""An independent, slow and plain computation of nested Kriegspiel on four by four squares."""

from tests.oracle.api import Oracle, Other, Own
from tests.oracle.filtering import ImpossibleObservation
from tests.oracle.frame import Opponent
from tests.oracle.prior import Prior
from tests.oracle.rules import ACTIONS, Position, parse
from tests.oracle.utility import Weights

__all__ = [
    "ACTIONS",
    "ImpossibleObservation",
    "Opponent",
    "Oracle",
    "Other",
    "Own",
    "Position",
    "Prior",
    "Weights",
    "parse",
]
