"""Analyses as text, at 80 columns."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.console import Console

from ipomdp import InvalidInput, Scenario, analyze
from ipomdp.show.render import LEGEND, print_analysis
from ipomdp.show.tables import chance, print_comparison, spread, worth
from tests.bundled import adjustable, bundled

FIGURE_1 = bundled("figure-1")


def printed(show: Callable[[Console], None], width: int = 80) -> str:
    console = Console(width=width, file=io.StringIO(), markup=False, highlight=False)
    show(console)
    return str(console.file.getvalue())  # type: ignore[attr-defined]


def text_of(scenario: Scenario, move: str | None = None, width: int = 80) -> str:
    analysis = analyze(scenario)
    chosen = move or analysis.best
    return printed(lambda console: print_analysis(console, scenario, analysis, chosen), width)


def comparison_of(scenario: Scenario) -> str:
    random, modelled = (analyze(scenario.with_options(policy=p)) for p in ("random", "model"))
    return printed(lambda console: print_comparison(console, scenario, random, modelled))


@pytest.mark.parametrize("name", adjustable())
@pytest.mark.parametrize("level", [0, 1])
def test_eighty_columns_break_no_word(name: str, level: int) -> None:
    scenario = bundled(name).with_options(level=level)
    narrow, wide = text_of(scenario), text_of(scenario, width=300)
    words = {word for word in narrow.split() if "─" not in word}
    assert words <= set(wide.split())


def test_ties_are_named() -> None:
    level_0 = FIGURE_1.with_options(level=0)
    assert "White plays Qd1 (the best move; ties with Qb2, Qd2, Qc4)" in text_of(level_0)
    assert "White plays Qd2 (the best move; ties with Qd1, Qb2, Qc4)" in text_of(level_0, "Qd2")
    assert "White plays Ka2 (the best are Qd1, Qb2, Qd2, Qc4)" in text_of(level_0, "Ka2")
    assert "White plays Ka2 (the best is Qd1)" in text_of(FIGURE_1, "Ka2")
    assert "Qb1, Qa3  0.0874" in text_of(FIGURE_1)
    assert "Qd2, 31 more  0.0312" in text_of(FIGURE_1.with_options(policy="random"))
    assert analyze(level_0).ties == ("Qb2", "Qd2", "Qc4")
    assert analyze(FIGURE_1).ties == ()


def test_level_0_claims_nothing_about_j() -> None:
    text = text_of(FIGURE_1.with_options(level=0))
    assert "Black (j) is not modelled" in text
    assert "likeliest reply" not in text
    assert "replies" not in text
    assert "Level 0 ignores j" in comparison_of(FIGURE_1.with_options(level=0))
    assert "Level 0 ignores j" not in comparison_of(FIGURE_1)


def test_against_a_random_j_any_level_above_0_is_the_same() -> None:
    random = FIGURE_1.with_options(policy="random")
    text = text_of(random.with_options(level=3))
    assert "White (i) to move, at level 1 (more is the same)" in text
    assert text == text_of(random)


def test_the_others_have_their_range() -> None:
    scenario = bundled("capture-trap").with_options(rationality=0.5, level=3)
    assert "27 others        -553.25 to -50.00   <0.0001 each" in text_of(scenario)


def test_the_legend_explains_the_letters() -> None:
    legend = LEGEND["paper"]
    assert " ".join(legend.split()) in " ".join(text_of(FIGURE_1).split())
    assert all(word in legend for word in ("i is", "j the other", "lambda", "leak", "all 32"))
    assert "again after each refusal" in " ".join(text_of(bundled("after-a-refusal")).split())


def test_a_history_shows_what_each_player_believes() -> None:
    text = text_of(bundled("after-a-refusal"))
    for words in ("White was refused Kb1", "Kc3 Qb4  1.000", "j believes i has", "Ka1 Qd1  1.000"):
        assert words in text
    assert "Kd4 Qd2" not in text


def test_frames_show_their_weights_before_and_after() -> None:
    text = text_of(bundled("who-is-black"))
    assert "level 1, lambda 0.05    0.400   <0.001" in text
    assert "random                  0.200    0.674" in text


def test_a_sampled_answer_says_so_with_its_standard_error() -> None:
    scenario = bundled("after-a-refusal").with_options(exact_up_to=0, particles=1)
    text = text_of(scenario)
    assert "Sampled with 1 particles; +- is one standard error" in text
    assert " +- " in text


def test_titles_cannot_rewrite_the_terminal() -> None:
    nasty = replace(FIGURE_1, title="a\x1b[2Jb\nc", description="d\x07\x9b31me\nf")
    text = text_of(nasty)
    assert text.startswith("a[2Jb c\nd31me\nf\n")
    assert "\x1b" not in text


def test_numbers() -> None:
    assert [chance(p) for p in (0.0, 1e-300, 9e-5, 0.0001, 1.0)] == [
        "0", "<0.0001", "<0.0001", "0.0001", "1.0000",
    ]  # fmt: skip
    assert chance(2e-4, 3) == "<0.001"
    assert (worth(-0.001), worth(-13.5)) == ("0.00", "-13.50")
    assert (spread(["1", "2", "3"]), spread(["1", "1"], each=" each")) == ("1 to 3", "1 each")


def test_a_move_not_considered_is_an_error() -> None:
    with pytest.raises(InvalidInput, match='"Zz9" is not among the moves considered: Qd1, Qc2'):
        analyze(FIGURE_1).move("Zz9")
