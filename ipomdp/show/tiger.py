"""A decision about the tiger's doors as a person reads it."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from ipomdp.quoting import printable
from ipomdp.report import Analysis
from ipomdp.show.tables import best_of, chance, print_heading, table, worth
from ipomdp.tiger.scenario import TigerScenario

LEGEND = (
    "i is the player we advise, j the other; both act at once. Listening costs 1, the tiger 100, "
    "the other door pays 10. lambda: how surely a player picks the better action; 0 plays at "
    "random, inf always the best."
)


def print_tiger(console: Console, scenario: TigerScenario, analysis: Analysis) -> None:
    """Print what i believes, how it takes j to think, and what its actions are worth."""
    print_heading(console, scenario)
    if scenario.description:
        console.print(printable(scenario.description))
    console.print()
    for line in _settings(scenario, analysis):
        console.print(line)
    actions = table("action", "expected utility", right=("expected utility",))
    for report in analysis.moves:
        actions.add_row(report.move, worth(report.expected_utility))
    console.print()
    console.print(actions)
    console.print(f"Best: {best_of(analysis)}\n")
    console.print(Text(LEGEND, style="dim"))


def _settings(scenario: TigerScenario, analysis: Analysis) -> list[str]:
    """Return the belief and how both think; what makes no difference is not claimed."""
    believed = ", ".join(f"{b.position} {chance(b.probability)}" for b in analysis.belief)
    more = " (more is the same)" if scenario.policy == "random" and scenario.level else ""
    level = min(scenario.level, 1) if more else scenario.level
    lines = [
        f"i at level {level}{more}, decisions left: {scenario.horizon}",
        f"i believes: {believed}",
        f"growl accuracy {scenario.growl_accuracy:g}, creak accuracy {scenario.creak_accuracy:g}",
        f"discount {scenario.discount:g}",
    ]
    if scenario.level == 0:
        return [*lines, "j is not modelled: the single-agent tiger"]
    if scenario.policy == "random":
        return [*lines, "j acts at random"]
    lines.append(f"j modelled at level {level - 1}, lambda {scenario.rationality:g}")
    total = sum(belief.weight for belief in scenario.beliefs)
    for belief in scenario.beliefs:
        share = chance(belief.weight / total)
        lines.append(f"  with probability {share} j believes: tiger left {belief.tiger_left:g}")
    return lines
