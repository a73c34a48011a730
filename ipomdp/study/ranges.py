"""Ranges of levels and of lambda as they are typed."""

from __future__ import annotations

import math
import re

from ipomdp.errors import InvalidInput
from ipomdp.fields import DEEPEST
from ipomdp.quoting import shown

MOST = 200
"""The most values of lambda in a range: beyond it a number is a slip of the hand."""
NUMBER = r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"


def levels_in(text: str, least: int = 0) -> tuple[int, ...]:
    """Return the levels written as ``0-4``, ``2``, ``0,2,5`` or ``0-2,5``, in order."""
    found: set[int] = set()
    for part in text.split(","):
        ends = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", part)
        low, high = (int(ends[1]), int(ends[2] or ends[1])) if ends else (0, -1)
        if not least <= low <= high <= DEEPEST:
            raise InvalidInput(
                f"expected levels from {least} to {DEEPEST} like {least}-4, 2 or {least},2,5, "
                f"not {shown(text)}"
            )
        found |= set(range(low, high + 1))
    return tuple(sorted(found))


def rationalities_in(text: str) -> tuple[float, ...]:
    """Return the lambdas written as ``low:high:count``, spaced by ratio, or as ``0.004,0.02``."""
    low, *rest = text.split(":")
    if not rest:
        return tuple(sorted({_number(part, text) for part in low.split(",")}))
    if len(rest) != 2:
        raise _unlike(text)
    bottom, top = _number(low, text), _number(rest[0], text)
    count = int(rest[1]) if re.fullmatch(r"[0-9]{1,9}", rest[1]) else 0
    if not 2 <= count <= MOST:
        raise InvalidInput(f"expected a count from 2 to {MOST} in {shown(text)}")
    if not 0 < bottom < top < math.inf:
        raise InvalidInput(f"expected a low end above 0 and below the high end in {shown(text)}")
    ratio = math.log(top / bottom) / (count - 1)
    inside = (bottom * math.exp(k * ratio) for k in range(1, count - 1))
    return (bottom, *inside, top)


def _number(part: str, text: str) -> float:
    if part == "inf":
        return math.inf
    if not re.fullmatch(NUMBER, part) or math.isinf(float(part)):
        raise _unlike(text)
    return float(part)


def _unlike(text: str) -> InvalidInput:
    return InvalidInput(
        "expected a range low:high:count like 0.001:0.1:20, or numbers from 0 to 1e308, or inf, "
        f"like 0.004,0.02, not {shown(text)}"
    )
