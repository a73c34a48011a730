"""The look of all tables and their numbers, and the smaller tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ipomdp.quoting import printable
from ipomdp.report import Analysis
from ipomdp.scenario import AnyScenario, Scenario
from ipomdp.study.accuracy import Accuracy
from ipomdp.study.paper import PaperComparison


def table(*columns: str, right: Iterable[str] = (), title: str = "") -> Table:
    """Return an empty table in the house look."""
    made = Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", pad_edge=False)
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return made


def worth(utility: float) -> str:
    """Return a utility with two decimals; what rounds to zero has no sign."""
    return f"{round(utility, 2) + 0.0:.2f}"


def chance(probability: float, decimals: int = 4) -> str:
    """Return a probability; 0 is impossible, and what is merely unlikely does not read as 0."""
    least = 10.0**-decimals
    if probability == 0:
        return "0"
    return f"<{least:.{decimals}f}" if probability < least else f"{probability:.{decimals}f}"


def spread(numbers: Sequence[str], each: str = "") -> str:
    """Return the first and the last of sorted numbers, or the only one there is."""
    first, last = numbers[0], numbers[-1]
    return f"{first}{each}" if first == last else f"{first} to {last}"


def best_of(analysis: Analysis) -> str:
    """Return the best move with those that tie with it, as ``Qd1 (ties with Qb2, Qd2)``."""
    ties = f" (ties with {', '.join(analysis.ties)})" if analysis.ties else ""
    return f"{analysis.best}{ties}"


def print_heading(console: Console, scenario: AnyScenario) -> None:
    """Print a scenario's title, or its name."""
    title = " ".join(printable(scenario.title or scenario.name).split())
    console.print(Text(title, style="bold"))


def print_comparison(
    console: Console, scenario: Scenario, random: Analysis, modelled: Analysis
) -> None:
    """Print i's moves with their values against a random and against a modelled j."""
    print_heading(console, scenario)
    if modelled.level == 0:
        console.print(f"{modelled.position}, level 0")
        console.print("Level 0 ignores j: whether j is random or modelled changes nothing.")
    else:
        settings = f"level {modelled.level}, lambda {modelled.rationality:g}"
        console.print(f"{modelled.position}, {settings}")
    values = table("move", "j at random", "j modelled", right=("j at random", "j modelled"))
    for report in modelled.moves:
        against_random = random.move(report.move).expected_utility
        values.add_row(report.move, worth(against_random), worth(report.expected_utility))
    console.print(values)
    console.print(f"Best against a random j: {best_of(random)}")
    console.print(f"Best against a modelled j: {best_of(modelled)}")


def print_accuracy(console: Console, scenario: Scenario, rows: Sequence[Accuracy]) -> None:
    """Print the errors of the particle filter, by the number of particles."""
    print_heading(console, scenario)
    columns = ("particles", "distance", "error", "best move")
    errors = table(*columns, right=columns)
    for row in rows:
        errors.add_row(
            str(row.particles), f"{row.distance:.4f}", worth(row.error), f"{row.agreement:.0%}"
        )
    console.print(errors)
    console.print(
        "distance: between sampled and exact belief over positions (total variation). error: of "
        "the expected utilities of i's moves (root mean square). best move: how often it is the "
        "exact one."
    )


def print_scenarios(console: Console, scenarios: Iterable[AnyScenario]) -> None:
    """Print the names of scenarios, with what to look at in each."""
    listed = table("name", "what to look at")
    for scenario in scenarios:
        listed.add_row(scenario.name, Text(f"{scenario.title}\n{scenario.description}"))
        listed.add_section()
    console.print(listed)


def print_paper(console: Console, comparison: PaperComparison) -> None:
    """Print the paper's numbers beside ours, then its claims with ours."""
    compared = table(
        "where", "what", "paper", "ours", "agrees", right=("paper", "ours"),
        title="The numbers the 2007 paper prints about its Figure 1 (it truncates), and ours",
    )  # fmt: skip
    for row in comparison.rows:
        ours = spread([f"{value:.4f}" for value in sorted(row.ours)])
        compared.add_row(row.where, row.what, row.printed, ours, "yes" if row.agrees else "no")
    console.print(compared)
    for row in comparison.rows:
        if row.note:
            console.print(f"{row.where}, {row.what}: {row.note}.")
    agreed = sum(row.agrees for row in comparison.rows)
    console.print(f"{agreed} of {len(comparison.rows)} agree to the paper's last digit.\n")
    claims = table("the paper says", "we find", title="Its claims")
    modelled, random = comparison.modelled, comparison.random
    claims.add_row("i's best move is Qd1, j modelled or random", f"{modelled.best}, {random.best}")
    for words, analysis in (
        ("Qb2 is far worse than Qd2, for it tells j where the queen is", modelled),
        ("against a random j the two are about equal", random),
    ):
        values = (f"{m} {worth(analysis.move(m).expected_utility)}" for m in ("Qb2", "Qd2"))
        claims.add_row(words, ", ".join(values))
    console.print(claims)
    console.print(
        "Solved again through pgmpy's inference, no utility differs from the arrays' by more than "
        f"{comparison.pgmpy_difference:.1e}."
    )
