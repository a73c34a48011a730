"""Kriegspiel on 4x4 with a king and a queen each, the game of the 2007 paper."""

from ipomdp.kriegspiel.board import Position, parse_position
from ipomdp.kriegspiel.evaluation import Evaluation, Weights
from ipomdp.kriegspiel.rules import Kriegspiel4x4

__all__ = ["Evaluation", "Kriegspiel4x4", "Position", "Weights", "parse_position"]
