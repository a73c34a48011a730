"""One turn of a game, the same for the referee who sees it, the record and the study of it."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as the referee saw it."""

    player: int
    state: int
    """Before it."""
    action: int
    heard: int
    """What both heard of the move."""
    refused: tuple[int, ...] = ()
    """What was tried before, in order."""
    seconds: float = field(default=0.0, compare=False)
    """How long the player took, all tries together; the same turn whatever it is."""
