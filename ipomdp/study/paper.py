"""The 2007 paper's printed figures beside ours, digit for digit."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from pathlib import Path
from typing import Any

from ipomdp.analysis import analyze
from ipomdp.report import Analysis
from ipomdp.scenario import load_scenario

FIGURES = Path(__file__).with_name("paper_2007.toml")
SCENARIO = "figure-1"
QUANTITIES = {"expected_utility": "expected utility", "probability": "probability"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A number the paper prints, ours, and whether they agree to the paper's last digit."""

    where: str
    what: str
    printed: str
    ours: tuple[float, ...]
    """One number, or one for each of the actions the paper lumps together."""
    reproduced: bool
    """Whether it is known to come out."""
    note: str = ""

    @property
    def agrees(self) -> bool:
        """Whether ours, cut to the paper's digits, is what the paper prints."""
        return all(_cut(value, self.printed) == self.printed for value in self.ours)


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperComparison:
    """Every number the paper prints about Figure 1 beside ours, and the analyses behind them."""

    rows: tuple[Comparison, ...]
    modelled: Analysis
    random: Analysis
    pgmpy_difference: float
    """The largest difference between an expected utility of the array solver and pgmpy's."""


def compare_with_paper() -> PaperComparison:
    """Analyse the paper's scenario by both solvers and compare with what the paper prints."""
    scenario = load_scenario(SCENARIO)
    analysis, by_pgmpy = analyze(scenario), analyze(scenario, solver="pgmpy")
    content = tomllib.loads(FIGURES.read_text())
    rows = [row for entry in content["replies"] for row in _reply_rows(analysis, entry)]
    for entry in content["values"]:
        ours = analysis.move(entry["move"]).expected_utility
        rows += _compare(entry, f"i's {entry['move']}", entry, {"expected_utility": (ours,)})
    return PaperComparison(
        rows=tuple(rows),
        modelled=analysis,
        random=analyze(scenario.with_options(policy="random")),
        pgmpy_difference=max(
            abs(report.expected_utility - by_pgmpy.move(report.move).expected_utility)
            for report in analysis.moves
        ),
    )


def _reply_rows(analysis: Analysis, entry: dict[str, Any]) -> Iterator[Comparison]:
    (hearing,) = analysis.move(entry["after"]).announcements
    replies = {reply.move: reply for reply in hearing.replies}
    groups = [(line["move"], [replies.pop(line["move"])], line) for line in entry["named"]]
    groups.append((f"{len(replies)} others", list(replies.values()), entry["others"]))
    for name, group, printed in groups:
        ours = {
            "expected_utility": tuple(reply.expected_utility for reply in group),
            "probability": tuple(reply.probability for reply in group),
        }
        yield from _compare(entry, f"j's {name} after {entry['after']}", printed, ours)


def _compare(
    entry: dict[str, Any], what: str, printed: dict[str, Any], ours: dict[str, tuple[float, ...]]
) -> Iterator[Comparison]:
    for quantity, values in ours.items():
        if quantity in printed:
            yield Comparison(
                where=entry["where"],
                what=f"{what}: {QUANTITIES[quantity]}",
                printed=printed[quantity],
                ours=values,
                reproduced=entry.get("reproduced", True),
                note=printed.get("note", ""),
            )


def _cut(value: float, printed: str) -> str:
    """Return the value cut, not rounded, to the digits printed; ``< x`` if it is below x."""
    if printed.startswith("<"):
        bound = printed.removeprefix("<").strip()
        return printed if value < float(bound) else f">= {bound}"
    exact = Decimal(repr(round(value, 9)))
    cut = exact.quantize(Decimal(printed), rounding=ROUND_DOWN)
    return str(cut or abs(cut))
