"""What a position is worth to a player."""

from __future__ import annotations

from dataclasses import dataclass

from tests.oracle.rules import CENTRE, Position


@dataclass(frozen=True)
class Weights:
    """The weights of the utility; ``draw``, when given, replaces the formula in a drawn game."""

    king_centrality: float = 36.0
    queen_presence: float = 980.0
    check: float = 50.0
    checkmate: float = 0.0
    draw: float | None = None


def utility(position: Position, player: int, weights: Weights) -> float:
    """Weighted differences, own minus other, of central king, queen, given check and mate."""
    other = 1 - player
    given, taken = position.attacked(other), position.attacked(player)
    mated = position.over and position.attacked(position.mover)
    if weights.draw is not None and position.over and not mated:
        return weights.draw
    centrality = (position.kings[player] in CENTRE) - (position.kings[other] in CENTRE)
    presence = (position.queens[player] is not None) - (position.queens[other] is not None)
    worth = weights.king_centrality * centrality + weights.queen_presence * presence
    worth += weights.check * (given - taken)
    if mated:
        worth += weights.checkmate * (1 if position.mover == other else -1)
    return worth
