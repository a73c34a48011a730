"""What the page of analyses is made of: settings, commands, files, maps."""

from __future__ import annotations

import asyncio
import json
import math
import re
import shlex
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from ipomdp.analysis import analyze
from ipomdp.errors import InvalidInput
from ipomdp.scenario import Scenario, bundled_scenarios, load_scenario, scenarios_folder
from ipomdp.study.conjecture import Reading, readings
from ipomdp.study.levels import Cell
from ipomdp.study.thought import Thought
from ipomdp.web.analysis import beliefs, drawing, files, maps, sources
from ipomdp.web.analysis.choices import LAMBDAS, Choice, from_address, number, stop_of
from ipomdp.web.analysis.thinking import Latest, Outdated, outlook

FIGURE = sources.bundled("figure-1")


def command(*words: str, cwd: Path | None = None) -> str:
    """Run a command as the page shows it and return what it prints."""
    assert words[0] == "ipomdp"
    done = subprocess.run(
        [sys.executable, "-m", "ipomdp", *words[1:]], capture_output=True, text=True, cwd=cwd,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def plain(svg: bytes) -> bytes:
    """Return a picture without matplotlib's names, which follow the last digit of a layout."""
    return re.sub(rb"\bp[0-9a-f]{10}\b", b"p", svg)


class Bars(HTMLParser):
    """The moves and values of bars, as a reader of the page finds them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, float]] = []
        self.widths: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what a bar says."""
        given = dict(attrs)
        if tag == "button":
            self.found.append((given["data-move"] or "", float(given["data-value"] or "nan")))
        if "fill" in (given.get("class") or ""):
            self.widths.append(given["style"] or "")


CHOICES = [
    Choice(FIGURE).having(level=2, rationality=0.02, horizon=2, tries="retry"),
    Choice(FIGURE).having(rationality=math.inf, policy="random"),
    Choice(sources.bundled("after-a-refusal")).having(level=1, illegal_heard_by="both"),
    Choice(sources.bundled("tiger-model")).having(level=2),
]


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: shlex.join(choice.command("a")[2:]))
def test_the_bars_are_the_numbers_of_the_command_shown(choice: Choice) -> None:
    printed = json.loads(command(*choice.command("analyze", "--json")))
    bars = Bars(drawing.ranking(analyze(choice.scenario), None)).found
    assert bars == [(move["move"], move["expected_utility"]) for move in printed["moves"]]
    values = [value for _, value in bars]
    assert values == sorted(values, reverse=True)


def test_bars_point_left_where_a_move_loses() -> None:
    analysis = analyze(FIGURE.scenario)
    html = drawing.ranking(analysis, "Qb2")
    spans = [dict(part.split(":") for part in style.split(";")) for style in Bars(html).widths]
    ends = [float(s["left"][:-1]) + float(s["width"][:-1]) for s in spans]
    zero = float(spans[0]["left"][:-1])
    assert spans[0]["width"] != "0.000%"  # Qd1 gains: it begins at zero
    assert all(end == pytest.approx(zero, abs=0.01) for end in ends[1:])
    assert html.count('aria-pressed="true"') == 1
    assert html.count("bar best") == 1


def test_only_what_was_changed_is_in_the_command_and_in_the_address() -> None:
    choice = Choice(FIGURE).having(level=1, rationality=0.02).looking_at("Qb2")
    assert choice.command("analyze") == ("ipomdp", "analyze", "figure-1", "--rationality", "0.02")
    assert choice.address == "/analyse?scenario=figure-1&lambda=0.02&move=Qb2"
    assert choice.having(rationality=0.004).changes == ()


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.address)
def test_an_address_brings_back_what_was_chosen(choice: Choice) -> None:
    chosen = choice.looking_at("Qb2")
    query = dict(parse_qsl(urlsplit(chosen.address).query))
    assert from_address(query) == (chosen, ())


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (
            {"scenario": "../secret"},
            'scenario: expected the name of a bundled one, not "../secret"',
        ),
        ({"level": "-1"}, 'level: expected a natural number (0, 1, 2, ...) up to 64, not "-1"'),
        ({"level": "65"}, "level: expected a natural number (0, 1, 2, ...) up to 64, not 65"),
        ({"lambda": "nan"}, 'lambda: expected a number from 0 to 1e308, or inf, not "nan"'),
        ({"horizon": "0"}, "horizon: expected a number of decisions from 1 to 16, not 0"),
        ({"tries": "x"}, 'tries: expected "paper" or "retry", not "x"'),
        ({"speed": "1"}, '"speed": unknown in an address'),
        ({"scenario": "tiger-model", "tries": "retry"}, "tries: tiger-model does not let it be"),
        ({"scenario": "who-is-black", "level": "1"}, "level: who-is-black does not let it be"),
    ],
)
def test_a_bad_address_is_told_and_the_rest_of_it_holds(query: dict[str, str], said: str) -> None:
    choice, problems = from_address(query)
    assert len(problems) == 1
    assert problems[0].startswith(said)
    assert choice.changes == ()


def test_the_slider_of_lambda_reaches_both_ends_and_the_paper_s_values() -> None:
    assert LAMBDAS[0] == 0
    assert LAMBDAS[-1] == math.inf
    assert list(LAMBDAS) == sorted(set(LAMBDAS))
    assert (LAMBDAS[1], LAMBDAS[-2]) == (0.0005, 1.0)
    assert {0.001, 0.002, 0.004, 0.01, 0.02, 0.04, 0.1} <= set(LAMBDAS)
    for stop, value in enumerate(LAMBDAS):
        assert stop_of(value) == stop
        assert float(number(value)) == value
    assert LAMBDAS[stop_of(0.0201)] == 0.02
    assert stop_of(1e-9) == 1


def test_every_bundled_scenario_is_offered_and_opens() -> None:
    assert set(sources.titles()) == set(bundled_scenarios())
    for name in bundled_scenarios():
        choice = Choice(sources.bundled(name))
        assert choice.scenario == load_scenario(name)
        assert not outlook(choice.scenario).words


def test_an_uploaded_file_is_read_like_any_other_and_named_as_it_is_there(tmp_path: Path) -> None:
    text = (scenarios_folder() / "capture-trap.toml").read_bytes()
    source = sources.uploaded("C:\\files\\my trap.toml", text)
    assert source.named == "my trap.toml"
    choice = Choice(source).having(level=2)
    assert choice.address == "/analyse"
    (tmp_path / source.named).write_bytes(text)
    printed = json.loads(command(*choice.command("analyze", "--json"), cwd=tmp_path))
    bars = Bars(drawing.ranking(analyze(choice.scenario), None)).found
    assert bars == [(move["move"], move["expected_utility"]) for move in printed["moves"]]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.toml", b"", "a.toml: empty"),
        ("/etc/a.toml", b"\xff\xfe", "a.toml: not a text file"),
        ("a.toml", b"[position", "a.toml: not valid TOML"),
        ("a.toml", b'[position]\nfen = "x"', "a.toml: position.fen: "),
        ("a.toml", b"[agent]\nlevel = 1", "a.toml: position.fen: missing"),
        ("a.toml", b"#" * 100_001, "a.toml: too big; expected a scenario of at most 100 kB"),
        ("a\nb.toml", b"x = 1", "a b.toml: x: unknown field"),
        ("..", b"x = 1", "scenario.toml: x: unknown field"),
    ],
)
def test_a_bad_file_is_one_line_that_names_it(name: str, text: bytes, said: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        sources.uploaded(name, text)
    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["figure-1", "-x.toml"])
def test_a_file_that_a_command_could_mistake_is_named_as_a_file(name: str) -> None:
    assert sources.file_name(name) == f"./{name}"


def test_what_takes_long_waits_and_what_cannot_be_is_refused() -> None:
    base = Choice(FIGURE).having(tries="retry")
    assert not outlook(base.having(level=3, horizon=2).scenario).words
    waits = outlook(base.having(level=6, horizon=2).scenario)
    assert waits.words
    assert waits.possible
    never = outlook(base.having(level=6, horizon=3).scenario)
    assert never.words.startswith("level: level 6 with horizon 3 looks 11 moves ahead")
    assert not never.possible


def test_the_latest_question_wins() -> None:
    async def ask() -> list[object]:
        latest = Latest()
        asked = [asyncio.ensure_future(latest.ask(lambda k=k: k)) for k in range(3)]  # type: ignore[misc]
        return list(await asyncio.gather(*asked, return_exceptions=True))

    *older, newest = asyncio.run(ask())
    assert all(isinstance(one, Outdated) for one in older)
    assert newest == 2


def test_beliefs_on_the_board_add_up() -> None:
    analysis = analyze(load_scenario("middle-game"))
    view = beliefs.standing(analysis)
    assert set(view.pieces.values()) == {"K", "Q"}  # i's own; j's are shaded
    assert sum(view.heat.values()) == pytest.approx(2.0)  # a king and a queen
    for hearing in analysis.move(analysis.best).announcements:
        if hearing.belief:
            shown = beliefs.heard(hearing, analysis.best, analysis)
            assert "K" in shown.pieces.values()
            assert sum(shown.heat.values()) == pytest.approx(2.0)
    after = analyze(FIGURE.scenario).move("Qd1").announcements[0]
    view = beliefs.heard(after, "Qd1", analyze(FIGURE.scenario))
    assert view.notes["d1"] == ["Q 50%"]
    assert view.notes["d2"] == ["Q 50%"]
    assert view.pieces == {"b4": "q", "d4": "k", "a1": "K", "d1": "Q"}


def computed(plan: maps.Plan) -> list[Cell]:
    async def gather() -> list[Cell]:
        return [cell async for cell in maps.computed(plan)]

    return asyncio.run(gather())


def test_the_map_is_the_command_s_in_numbers_table_and_picture(tmp_path: Path) -> None:
    choice = Choice(FIGURE).having(tries="retry")
    assert isinstance(choice.scenario, Scenario)
    plan = maps.planned(choice.scenario, "0-2", "0.004, 0.02")
    sweep = plan.sweep(computed(plan))
    words = choice.command("levels", "--levels", "0-2", "--rationality", "0.004,0.02")
    out = ("--out", "map.svg", "--csv", "map.csv", "--json")
    assert json.loads(command(*words, *out, cwd=tmp_path)) == sweep.to_dict()
    assert (tmp_path / "map.csv").read_bytes() == files.sweep_table(sweep).encode()
    assert plain((tmp_path / "map.svg").read_bytes()) == plain(files.sweep_picture(sweep))
    assert computed(plan) == list(sweep.cells)  # remembered, and the same


def test_the_conjecture_s_map_is_the_command_s() -> None:
    printed = json.loads(
        command("ipomdp", "conjecture", "--levels", "1-3", "--rationality", "0.004,0.02", "--json")
    )
    known = {}
    for reading in readings():
        plan = maps.planned_reading(reading, "1-3", "0.004,0.02")
        known[reading] = computed(plan)
        html = maps.conjecture_map(plan, reading, known[reading], (2, 0.02))
        for v in printed["verdicts"]:
            if (v["tries"], v["horizon"], v["qc3_considered"]) == (
                reading.tries, reading.horizon, reading.all_moves
            ):  # fmt: skip
                place = f'data-level="{v["level"]}" data-lambda="{v["rationality"]:g}"'
                assert f'{place} data-view="{v["view"]}"' in html
    assert maps.settled((0.004, 0.02), known, "1-3").to_dict() == printed


@pytest.mark.parametrize(
    ("levels", "lambdas", "said"),
    [
        ("x", "0.1", "levels of the map: expected levels"),
        ("0-4", "x", "lambdas of the map: expected a range"),
        ("0-20", "0.001:0.1:20", "the map: expected at most 300 cells, not 420"),
        ("0-12", "0.1", "levels of the map: "),
    ],
)
def test_a_map_that_cannot_be_is_refused(levels: str, lambdas: str, said: str) -> None:
    scenario = Choice(FIGURE).having(tries="retry").scenario
    with pytest.raises(InvalidInput) as caught:
        maps.planned(scenario, levels, lambdas)
    assert str(caught.value).startswith(said)


def test_the_default_levels_of_a_reading_are_those_of_the_picture() -> None:
    for reading in readings():
        assert maps.usual_levels(reading) == reading.levels(None)
    assert maps.usual_levels(Reading(tries="retry", horizon=3)) == (1, 2, 3)


def test_reasons_diagrams_and_boards_are_the_files_of_their_commands(tmp_path: Path) -> None:
    choice = Choice(FIGURE).having(level=2, rationality=0.02)
    scenario = choice.scenario
    assert isinstance(scenario, Scenario)
    told = files.reasons_text(scenario, files.reasons(scenario, "Qb2"))
    assert command(*choice.command("explain", "--move", "Qb2")) == told
    command(*choice.command("network", "--figure", "3", "--out", "f.svg"), cwd=tmp_path)
    assert plain((tmp_path / "f.svg").read_bytes()) == plain(files.diagram_picture(scenario, "3"))


def test_foreign_text_is_escaped() -> None:
    thought = Thought("<script>", (Thought("a & b"),))
    assert "<script>" not in drawing.thoughts(thought)
    assert "a &amp; b" in drawing.thoughts(thought)
    assert "<b>" not in drawing.paragraph("<b>")
