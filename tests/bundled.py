"""The bundled scenarios of Kriegspiel, by what they need."""

from __future__ import annotations

from pathlib import Path

from ipomdp import Scenario, bundled_scenarios, load_scenario
from ipomdp.scenario import kriegspiel_only

BUNDLED = [s for s in map(load_scenario, bundled_scenarios()) if isinstance(s, Scenario)]


def bundled(name: str) -> Scenario:
    """Return one by its name."""
    return next(scenario for scenario in BUNDLED if scenario.name == name)


def kriegspiel(name_or_file: str | Path) -> Scenario:
    """Return a scenario of Kriegspiel by its name, or the one in a file."""
    return kriegspiel_only(load_scenario(name_or_file), "a test")


def expressible() -> list[Scenario]:
    """Return those that the influence diagrams can express: a known position, one decision."""
    return [scenario for scenario in BUNDLED if _plain(scenario) and scenario.level <= 2]


def adjustable() -> list[str]:
    """Return the names of those whose level an option may change."""
    return [scenario.name for scenario in BUNDLED if not scenario.frames]


def _plain(scenario: Scenario) -> bool:
    return not (scenario.history or scenario.frames or scenario.prior) and scenario.horizon == 1
