"""A finished game as an arena reads it back from its line."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any

from ipomdp.arena.plan import Pairing, Plan
from ipomdp.errors import InvalidInput
from ipomdp.quoting import shown

SCORES = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5), "*": None}
"""What a result gives White and Black; nothing where the game has no end."""
SIDES = ("white", "black")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """What the standings need of a game; pairs are the first player's and the second's."""

    pairing: Pairing
    number: int
    score: float | None
    """The first player's: 1, 1/2 or 0; ``None`` where the game has no end."""
    reason: str
    detail: str
    half_moves: int
    moves: tuple[int, int]
    """How many each has made."""
    seconds: tuple[float, float]
    material: tuple[tuple[int, ...], tuple[int, ...]]
    """After each half-move."""
    noted: tuple[tuple[dict[str, float], ...], tuple[dict[str, float], ...]]
    """What each noted of its own turns."""


def read_line(text: bytes, plan: Plan) -> Finished:
    """Return the game in a line; one that is not a game of the plan is an error."""
    try:
        content = json.loads(text)
    except ValueError:  # not JSON, or not even text
        raise InvalidInput("cut short or not JSON") from None
    except RecursionError:
        raise InvalidInput("nested too deeply") from None
    if not isinstance(content, dict):
        raise InvalidInput("not a game")
    return read_game(content, plan)


def read_game(content: dict[str, Any], plan: Plan) -> Finished:
    """Return the game of a plan that a record holds."""
    pairing, number = content.get("pairing"), content.get("number")
    names = next((known for known in plan.pairings if list(known) == pairing), None)
    if names is None:
        raise InvalidInput(f"pairing: {shown(pairing)} is not played here")
    if type(number) is not int or number < 1:
        raise InvalidInput(f"number: expected a number above 0, not {shown(number)}")
    job = plan.job(names, number)
    for name, right in (("seed", job.seed), ("white", job.sides[0]), ("black", job.sides[1])):
        if content.get(name) != right:
            raise InvalidInput(f"{name}: expected {right}, not {shown(content.get(name))}")
    turned = job.sides != names
    try:
        return _game(content, names, number, turned=turned)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise InvalidInput("fields of the game are missing or broken") from None


def _game(content: dict[str, Any], pairing: Pairing, number: int, *, turned: bool) -> Finished:
    order = SIDES[::-1] if turned else SIDES
    scores = SCORES[content["result"]]
    half_moves, movers = int(content["half_moves"]), [move["by"] for move in content["moves"]]
    material = [tuple(int(value) for value in content["material"][side]) for side in order]
    noted = content.get("noted") or [None] * half_moves
    seconds = [float(content["seconds"][side]) for side in order]
    if not {half_moves} == {len(movers), *map(len, material), len(noted)}:
        raise ValueError
    if not all(math.isfinite(value) and value >= 0 for value in seconds):
        raise ValueError
    notes = [
        tuple(
            {str(name): float(value) for name, value in (note or {}).items()}
            for mover, note in zip(movers, noted, strict=True)
            if mover == side
        )
        for side in order
    ]
    return Finished(
        pairing=pairing, number=number, score=None if scores is None else scores[turned],
        reason=str(content["reason"]), detail=str(content.get("detail", "")),
        half_moves=half_moves, moves=(movers.count(order[0]), movers.count(order[1])),
        seconds=(seconds[0], seconds[1]), material=(material[0], material[1]),
        noted=(notes[0], notes[1]),
    )  # fmt: skip
