"""The bundled scenarios, by what they need."""

from __future__ import annotations

from ipomdp import Scenario, bundled_scenarios, load_scenario


def expressible() -> list[Scenario]:
    """Return those that the influence diagrams can express: a known position, one decision."""
    return [s for s in map(load_scenario, bundled_scenarios()) if _plain(s) and s.level <= 2]


def adjustable() -> list[str]:
    """Return the names of those whose level an option may change."""
    return [name for name in bundled_scenarios() if not load_scenario(name).frames]


def _plain(scenario: Scenario) -> bool:
    return not (scenario.history or scenario.frames or scenario.prior) and scenario.horizon == 1
