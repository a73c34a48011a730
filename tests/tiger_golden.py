"""The tiger's known values, as parameters for tests."""

from __future__ import annotations

import tomllib
from pathlib import Path

_KNOWN = tomllib.loads((Path(__file__).parent / "golden" / "tiger.toml").read_text())
ALONE: list[tuple[int, float]] = [(row["horizon"], row["value"]) for row in _KNOWN["alone"]]
AGAINST_RANDOM: list[tuple[int, float, float]] = [
    (row["horizon"], row["tiger_left"], row["difference"]) for row in _KNOWN["random"]
]
