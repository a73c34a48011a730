"""Players of the house: who they are to those who log in, and what makes them."""

from __future__ import annotations

import re
from collections.abc import Iterable

LONGEST_NAME = 17
HANDLE = re.compile(r"[A-Za-z][A-Za-z0-9]{1,16}")
"""A name that somebody can have."""
USUAL = ("ipomdp", "hs", "random")


def handles(specs: Iterable[str]) -> dict[str, str]:
    """Return the players by handles: ``ipomdp:level=2`` is called ``ipomdplevel2``."""
    found: dict[str, str] = {}
    for spec in dict.fromkeys(specs):
        plain = re.sub(r"[^A-Za-z0-9]", "", spec)[:LONGEST_NAME]
        handle, n = plain, 1
        while handle in found:
            n += 1
            handle = f"{plain[: LONGEST_NAME - len(str(n))]}{n}"
        found[handle] = spec
    return found
