"""An independent, slow and plain computation of nested Kriegspiel on four by four squares."""

from tests.oracle.api import Oracle, Other, Own
from tests.oracle.filtering import ImpossibleObservation
from tests.oracle.rules import ACTIONS, Position, parse
from tests.oracle.utility import Weights

__all__ = [
    "ACTIONS",
    "ImpossibleObservation",
    "Oracle",
    "Other",
    "Own",
    "Position",
    "Weights",
    "parse",
]
