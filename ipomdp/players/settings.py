"""How users write a player: ``ipomdp:level=2,lambda=0.02``, settings behind a colon."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping

from ipomdp.errors import InvalidInput
from ipomdp.fields import Field
from ipomdp.quoting import shown
from ipomdp.study.ranges import NUMBER


def whole(attribute: str, least: int, most: int, what: str = "a whole number") -> Field:
    """Return a setting that is a whole number between two ends."""

    def check(value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most

    return Field(attribute, check, f"{what} from {least} to {most}")


def named(spec: str) -> str:
    """Return the name in front of the settings."""
    return spec.partition(":")[0]


def settings(spec: str, fields: Mapping[str, Field]) -> dict[str, object]:
    """Return the settings of a player by attribute, those given alone; a wrong one is an error.

    ``fields`` holds the settings there are, by the names that users type.
    """
    name, colon, text = spec.partition(":")
    found: dict[str, object] = {}
    for part in text.split(",") if colon else ():
        key, equals, value = part.partition("=")
        if not equals:
            expected = f"{next(iter(fields))}=..." if fields else f"{name} alone"
            raise InvalidInput(f"player {shown(spec)}: expected {expected}, not {shown(part)}")
        if key not in fields:
            raise InvalidInput(f"player {shown(spec)}: {_unknown(name, key, fields)}")
        field = fields[key]
        if field.attribute in found:
            raise InvalidInput(f"player {shown(spec)}: {key} is given twice")
        found[field.attribute] = _read(value)
        if problem := field.problem(found[field.attribute]):
            raise InvalidInput(f"player {shown(spec)}: {key}: {problem}")
    return found


def _unknown(name: str, key: str, fields: Mapping[str, Field]) -> str:
    if not fields:
        return f"{name} has no settings"
    near = difflib.get_close_matches(key, fields, n=1)
    hint = f"did you mean {near[0]}? There are" if near else "there are"
    return f"unknown setting {shown(key)}; {hint} {', '.join(fields)}"


def _read(text: str) -> object:
    """Return the number written, or the text itself."""
    if re.fullmatch(r"[0-9]{1,18}", text):
        return int(text)
    if text == "inf":
        return math.inf
    number = float(text) if re.fullmatch(NUMBER, text) else math.inf
    return text if math.isinf(number) else number
