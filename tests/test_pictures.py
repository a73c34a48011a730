"""Pictures: what they say fits on them."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from ipomdp import analyze, load_scenario
from ipomdp.kriegspiel.svg import board_svg
from ipomdp.report import Believed
from ipomdp.show.plots import compare_chart, rounded
from ipomdp.show.render import chosen_svg
from networks import paper_networks
from networks.export import write

SVG = "{http://www.w3.org/2000/svg}"


def board(name: str, move: str) -> ET.Element:
    scenario = load_scenario(name)
    return ET.fromstring(chosen_svg(analyze(scenario), move))  # noqa: S314


def test_a_long_title_is_wrapped() -> None:
    picture = board("capture-trap", "Qc3")
    lines = [t.text or "" for t in picture.iter(f"{SVG}text") if t.get("font-size") == "13"]
    assert "Long Diagonal." in " ".join(lines)
    for line in lines:
        assert 28 + 7.5 * len(line) < int(picture.get("width", "0"))


def test_two_labels_stand_side_by_side_above_the_piece() -> None:
    picture = board("quiet-move-hides", "Qa1")
    labels = [r for r in picture.iter(f"{SVG}rect") if r.get("rx")]
    lowest = max(float(label.get("y", "")) for label in labels)
    spans = sorted(
        (float(label.get("x", "")), float(label.get("width", "")))
        for label in labels
        if float(label.get("y", "")) == lowest
    )
    (king, king_width), (queen, queen_width) = spans[:2]  # both on a1
    assert king + king_width <= queen
    assert queen + queen_width <= 28 + 76


def test_unlikely_is_not_impossible() -> None:
    belief = [Believed("1q1k/4/4/K1Q1 b", 0.999), Believed("1q1k/4/4/K2Q b", 0.001)]
    text = board_svg("1q1k/4/4/K1Q1 b", title="", belief=belief)
    assert "Q &gt;99%" in text
    assert "Q &lt;1%" in text
    assert "K 100%" in text


def test_bars_have_plain_numbers() -> None:
    assert [rounded(v) for v in (-0.18, 27.4, -994.0)] == ["0", "27", "\N{MINUS SIGN}994"]


@pytest.mark.parametrize("level", [0, 1])
def test_a_chart_names_its_settings(tmp_path: Path, level: int) -> None:
    scenario = load_scenario("mate-over-queen").with_options(level=level)
    random, modelled = (analyze(scenario.with_options(policy=p)) for p in ("random", "model"))
    compare_chart(random, modelled, tmp_path / "chart.svg")
    text = (tmp_path / "chart.svg").read_text()
    assert "mate-over-queen: Q3/q3/1k2/3K b, lambda 0.02" in text
    assert ("j plays at random" in text) == (level > 0)
    assert not re.search(r">-\d", text)


def test_a_diagram_names_its_scenario_and_explains_its_dots(tmp_path: Path) -> None:
    figures = paper_networks(load_scenario("figure-1"))
    for diagram, dotted in ((figures.opponent, True), (figures.board, False)):
        write(diagram, tmp_path / "figure.svg", "figure-1 $x$")
        text = (tmp_path / "figure.svg").read_text()
        assert f"{diagram.title} (figure-1 $x$)" in text
        assert ("dotted: what a player hears before it decides" in text) == dotted
        assert ("stroke-dasharray" in text) == dotted
