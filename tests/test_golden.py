"""The numbers of Figure 1 that must come out, from tests/golden/figure_1.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from ipomdp import Analysis, Scenario, analyze
from ipomdp.study.paper import compare_with_paper
from tests.oracle import Oracle

GOLDEN = tomllib.loads((Path(__file__).parent / "golden" / "figure_1.toml").read_text())
FEN = GOLDEN["fen"]


def half_a_digit(stated: str) -> float:
    """Return the tolerance that a stated number carries: half a unit of its last digit."""
    decimals = len(stated.partition(".")[2])
    return float(0.5 * 10**-decimals + 1e-9)


def agrees(found: float, stated: str) -> bool:
    return abs(found - float(stated)) <= half_a_digit(stated)


def named(rows: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(row, id=row["name"]) for row in rows]


def analysis_of(row: dict[str, Any], solver: str) -> Analysis:
    settings = row.get("settings", {})
    scenario = Scenario(
        name="golden",
        fen=FEN,
        level=row["level"],
        rationality=settings.get("rationality", 0.004),
        policy=settings.get("opponent", "model"),
        tries=settings.get("tries", "paper"),
        horizon=settings.get("horizon", 1),
        candidates=tuple(settings["candidates"]) if "candidates" in settings else None,
    )
    return analyze(scenario, solver=solver)


def solvers(row: dict[str, Any]) -> tuple[str, ...]:
    expressible = row["level"] <= 2 and row.get("settings", {}).get("horizon", 1) == 1
    return ("arrays", "pgmpy") if expressible else ("arrays",)


@pytest.mark.parametrize("row", named(GOLDEN["utilities"]))
def test_expected_utilities_of_i(row: dict[str, Any]) -> None:
    for solver in solvers(row):
        analysis = analysis_of(row, solver)
        for move, stated in row.get("values", {}).items():
            assert agrees(analysis.move(move).expected_utility, stated), (solver, move)
        best = row.get("best_first", [])
        ranked = [report.move for report in analysis.moves]
        assert ranked[: len(best)] == best
        ahead = row.get("ahead", [])
        assert sorted(ahead, key=ranked.index) == ahead


@pytest.mark.parametrize("row", named(GOLDEN["replies"]))
def test_quantal_response_of_j(row: dict[str, Any]) -> None:
    for solver in solvers(row):
        (hearing,) = analysis_of(row, solver).move(row["first_move"]).announcements
        replies = {reply.move: reply for reply in hearing.replies}
        for move, stated in row.get("values", {}).items():
            assert agrees(replies[move].expected_utility, stated), (solver, move)
        for move, stated in row.get("probabilities", {}).items():
            assert agrees(replies[move].probability, stated), (solver, move)
        if "others" in row:
            others = [r for move, r in replies.items() if move not in row["values"]]
            assert len(others) == row["others"]["count"]
            assert all(agrees(r.expected_utility, row["others"]["value"]) for r in others)
            assert all(agrees(r.probability, row["others"]["probability"]) for r in others)


@pytest.mark.parametrize("row", named(GOLDEN["utilities"]))
def test_the_oracle_meets_the_same_numbers(row: dict[str, Any]) -> None:
    found = Oracle(**row.get("settings", {})).expected_utilities(FEN, row["level"])
    for move, stated in row.get("values", {}).items():
        assert agrees(found[move], stated), move
    best = row.get("best_first", [])
    assert sorted(found, key=lambda move: -found[move])[: len(best)] == best


@pytest.mark.parametrize("row", named(GOLDEN["made"]))
def test_the_oracle_meets_the_moves_finally_made(row: dict[str, Any]) -> None:
    made = Oracle(**row["settings"]).replies_made(FEN, row["level"], row["first_move"])
    assert all(agrees(made[move], stated) for move, stated in row["probabilities"].items())


def test_the_paper_prints_what_we_compute() -> None:
    comparison = compare_with_paper()
    for row in comparison.rows:
        assert row.agrees == row.reproduced, row.what
    assert sum(not row.reproduced for row in comparison.rows) == 1  # the value 20 of Qd1
    assert comparison.pgmpy_difference < 1e-9
    assert comparison.modelled.best == comparison.random.best == "Qd1"
