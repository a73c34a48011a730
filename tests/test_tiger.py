"""The multi-agent tiger through the engine: known numbers, the oracle, and what is refused."""

from __future__ import annotations

import io
import itertools
import json
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from math import inf
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from ipomdp import InvalidInput, Outcomes, TigerScenario, analyze, load_scenario
from ipomdp.scenario import read_scenario
from ipomdp.show.tiger import print_tiger
from ipomdp.tiger.game import ACTIONS, LISTEN, NOISE, Tiger
from ipomdp.tiger.scenario import OthersBelief
from networks import paper_networks
from tests import oracle
from tests.bundled import bundled
from tests.oracle.tiger import Tiger as Oracle
from tests.tiger_golden import AGAINST_RANDOM, ALONE

GUIDE = (Path(__file__).parent.parent / "docs" / "tiger.md").read_text()
TWO_MINDS = ((0.2, 1.0), (0.9, 2.0))
SURE_AND_NOT = ((1.0, 1.0), (0.4, 1.0))


def values(scenario: TigerScenario) -> dict[str, float]:
    analysis = analyze(scenario)
    return {action: analysis.move(action).expected_utility for action in ACTIONS}


def minds(beliefs: tuple[tuple[float, float], ...]) -> tuple[OthersBelief, ...]:
    return tuple(OthersBelief(tiger_left=b, weight=w) for b, w in beliefs)


def bundled_tiger(name: str) -> TigerScenario:
    scenario = load_scenario(name)
    assert isinstance(scenario, TigerScenario)
    return scenario


# Known numbers, discount 0.95 and growl accuracy 0.85.


@pytest.mark.parametrize(("horizon", "value"), ALONE)
def test_the_agent_alone(horizon: int, value: float) -> None:
    scenario = TigerScenario(name="alone", level=0, horizon=horizon)
    assert analyze(scenario).moves[0].expected_utility == pytest.approx(value, abs=1e-6)


def test_equal_beliefs_are_one_node() -> None:
    """By growls alone there are 2 n + 1 beliefs after n steps, however many ways lead to them."""
    place = TigerScenario(name="alone", level=0, horizon=10).problem.situation()
    place.solver.values(place.player, place.frame, 0, 10)
    for step in range(10):
        assert place.solver.layer(place.player, place.frame, step).nodes <= 2 * step + 1


@pytest.mark.parametrize(("horizon", "tiger_left", "difference"), AGAINST_RANDOM)
def test_listening_against_opening_when_the_other_is_random(
    horizon: int, tiger_left: float, difference: float
) -> None:
    found = values(
        TigerScenario(
            name="random", creak_accuracy=1.0, tiger_left=tiger_left, horizon=horizon,
            policy="random",
        )
    )  # fmt: skip
    assert found["listen"] - found["open-left"] == pytest.approx(difference, abs=1e-6)


@pytest.mark.parametrize("horizon", [1, 2, 3, 4])
def test_an_undecided_opponent_changes_nothing_through_horizon_4(horizon: int) -> None:
    found = values(TigerScenario(name="undecided", horizon=horizon))
    alone = values(TigerScenario(name="alone", level=0, horizon=horizon))
    assert max(found.values()) == pytest.approx(max(alone.values()), abs=1e-9)


# The oracle.


@pytest.mark.parametrize("horizon", [1, 2, 3, 4])
@pytest.mark.parametrize("rationality", [0.0, 0.1, inf])
@pytest.mark.parametrize(("growl", "creak"), [(0.85, 0.9), (0.7, 1.0), (0.6, 1 / 3), (0.2, 0.0)])
def test_modelled_as_by_the_oracle(
    growl: float, creak: float, rationality: float, horizon: int
) -> None:
    slow = Oracle(growl, creak, 0.9, rationality)
    for tiger_left, beliefs in itertools.product(
        (0.0, 0.08, 0.5, 1.0), (((0.5, 1.0),), TWO_MINDS, SURE_AND_NOT)
    ):
        scenario = TigerScenario(
            name="modelled", growl_accuracy=growl, creak_accuracy=creak, discount=0.9,
            tiger_left=tiger_left, horizon=horizon, rationality=rationality, beliefs=minds(beliefs),
        )  # fmt: skip
        expected = slow.values(tiger_left, horizon, beliefs)
        assert values(scenario) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("horizon", [1, 2, 3, 4])
@pytest.mark.parametrize("growl", [0.0, 0.5, 0.85, 1.0])
@pytest.mark.parametrize("creak", [0.0, 0.9, 1.0])
def test_at_random_as_by_the_oracle(growl: float, creak: float, horizon: int) -> None:
    slow = Oracle(growl, creak, 1.0)
    for tiger_left in (0.0, 0.1, 0.5):
        scenario = TigerScenario(
            name="random", growl_accuracy=growl, creak_accuracy=creak, discount=1.0,
            tiger_left=tiger_left, horizon=horizon, policy="random",
        )  # fmt: skip
        assert values(scenario) == pytest.approx(slow.values(tiger_left, horizon), abs=1e-9)
        assert values(scenario.with_options(level=3)) == values(scenario)


# Nesting, and what no model explains.


def test_a_deeper_opponent_is_another_opponent() -> None:
    scenario = bundled_tiger("tiger-model")
    one, two = values(scenario), values(scenario.with_options(level=2))
    assert one["listen"] - two["listen"] > 1
    assert analyze(scenario.with_options(level=2)).best == "open-left"


def test_what_the_description_of_the_random_player_claims() -> None:
    scenario = bundled_tiger("tiger-random")
    alone = values(scenario.with_options(level=0))
    assert (round(alone["listen"], 2), round(alone["open-left"], 2)) == (5.09, 0.25)
    assert analyze(replace(scenario, creak_accuracy=0.9)).best == "open-left"


@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("rationality", [0.1, 1e308, inf])
@pytest.mark.parametrize("accuracy", [0.0, 0.85, 1.0])
def test_certainty_that_turns_out_wrong_is_a_surprise_not_an_error(
    accuracy: float, rationality: float, level: int
) -> None:
    """Of two sure players one is wrong, and with perfect ears somebody is refuted."""
    scenario = TigerScenario(
        name="sure", growl_accuracy=accuracy, creak_accuracy=1.0, tiger_left=0.0, horizon=3,
        level=level, rationality=rationality, beliefs=minds(((1.0, 1.0), (0.0, 1.0))),
    )  # fmt: skip
    assert all(-300 <= value <= 30 for value in values(scenario).values())


def test_a_huge_lambda_is_a_best_response() -> None:
    best = TigerScenario(name="best", horizon=3, level=3, beliefs=minds(TWO_MINDS))
    almost = replace(best, rationality=1e308)
    assert values(almost) == pytest.approx(values(best), abs=1e-9)


def test_moves_left_out_surprise_at_any_level() -> None:
    """In Kriegspiel too: the paper's candidates, best responses, and a j who hears of Qc3."""
    scenario = bundled("figure-1").with_options(level=3, rationality=inf)
    slow = oracle.Oracle(rationality=inf, candidates=scenario.candidates)
    expected = slow.expected_utilities(scenario.position, 3)
    for report in analyze(scenario).moves:
        assert report.expected_utility == pytest.approx(expected[report.move], abs=1e-9)


def test_what_i_believes_j_believes_is_reported() -> None:
    analysis = analyze(TigerScenario(name="two", beliefs=minds(TWO_MINDS)))
    assert [n.probability for n in analysis.nested] == pytest.approx([2 / 3, 1 / 3])
    assert [n.belief[0].position for n in analysis.nested] == ["tiger left", "tiger right"]


# The game.


@pytest.mark.parametrize(("growl", "creak"), [(0.85, 0.9), (1.0, 1.0), (0.5, 0.0)])
def test_outcomes_are_distributions(growl: float, creak: float) -> None:
    game = Tiger(growl_accuracy=growl, creak_accuracy=creak)
    cases = list(itertools.product(range(2), range(3), range(3)))
    state, one, other = np.array(cases).T
    out: Outcomes = game.play(state, (one, other))
    sums = np.bincount(out.case, np.exp(out.log_probability))
    assert sums == pytest.approx(np.ones(len(cases)))
    for actions, heard in zip((one, other), out.heard, strict=True):
        assert ((heard == NOISE) == (actions[out.case] != LISTEN)).all()
    assert game.say(4) == "growl right, creak left"
    assert game.say(NOISE) == "noise"
    with pytest.raises(ValueError, match="both players act"):
        game.play(state, (one, None))


# Files and commands.


def run(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ipomdp", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("growl_accuracy = 1.1", "game.growl_accuracy: expected a number from 0 to 1, not 1.1"),
        ("creak_accuracy = -0.1", "game.creak_accuracy: expected a number from 0 to 1"),
        ("creak_accuracy = true", "game.creak_accuracy: expected a number from 0 to 1"),
        ("discount = 0", "game.discount: expected a number above 0, up to 1, not 0"),
        ("discount = nan", "game.discount: expected a number above 0"),
        ("growl = 0.5", "game.growl: unknown field; did you mean"),
        ("[belief]\ntiger_left = 2", "belief.tiger_left: expected a number from 0 to 1"),
        ('[belief]\ntiger_left = "x"', "belief.tiger_left: expected a number from 0 to 1"),
        ("[agent]\nlevel = -1", "agent.level: expected a natural number"),
        ("[agent]\nhorizon = 0", "agent.horizon: expected a number of decisions from 1 to 16"),
        ("[agent]\nlevel = 0\nhorizon = 17", "agent.horizon: expected a number of decisions"),
        ("[agent]\nhorizon = 7", "agent.level, agent.horizon: expected at most 6 decisions"),
        (
            "[agent]\nlevel = 2\nhorizon = 5",
            "agent.level, agent.horizon: expected at most 4 decisions",
        ),
        (
            "[agent]\nlevel = 9\nhorizon = 4",
            "agent.level, agent.horizon: expected at most 3 decisions",
        ),
        (
            '[agent]\nhorizon = 10\n[opponent]\npolicy = "random"',
            "agent.horizon: expected at most 9 decisions against a random j, not 10",
        ),
        ('[opponent]\npolicy = "x"', 'opponent.policy: expected "model" or "random"'),
        ("[opponent]\nrationality = -1", "opponent.rationality: expected a number from 0"),
        ("[opponent]\nbeliefs = 3", "opponent.beliefs: expected tables"),
        ("[opponent]\nbeliefs = []", "opponent.beliefs: expected tables"),
        ("[opponent]\nbeliefs = [3]", "opponent.beliefs: expected a table as entry 1, not 3"),
        (
            "[[opponent.beliefs]]\nweight = 0",
            "opponent.beliefs, entry 1: weight: expected a number",
        ),
        ("[[opponent.beliefs]]\ntiger_left = 2", "opponent.beliefs, entry 1: tiger_left: expected"),
        ("[[opponent.beliefs]]\nleft = 1", "opponent.beliefs, entry 1: left: unknown field"),
        ("[[opponent.beliefs]]\n" * 9, "opponent.beliefs: expected at most 8, not 9"),
        (
            '[opponent]\npolicy = "random"\n[[opponent.beliefs]]\nweight = 1',
            "opponent.beliefs: a random j has none",
        ),
        ('[position]\nfen = "x"', "position: a field of Kriegspiel, not of the tiger"),
        ('[rules]\ntries = "retry"', "rules: a field of Kriegspiel, not of the tiger"),
        ("[utility]\ncheck = 1", "utility: a field of Kriegspiel, not of the tiger"),
        ('[[history]]\nby = "white"', "history: a field of Kriegspiel, not of the tiger"),
        ("[belief]\nparticles = 9", "belief.particles: a field of Kriegspiel, not of the tiger"),
        ("[positions]\nx = 1", "positions: unknown field"),
    ],
)
def test_bad_scenarios(tmp_path: Path, content: str, says: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f'[game]\nkind = "tiger"\n{content}\n')
    with pytest.raises(InvalidInput, match=re.escape(f"mine.toml: {says}")):
        read_scenario(file)


def test_fields_have_defaults_and_bounds_are_inside(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[game]\nkind = "tiger"\n')
    assert read_scenario(file) == TigerScenario(name="mine")
    file.write_text(
        '[game]\nkind = "tiger"\ngrowl_accuracy = 1\ncreak_accuracy = 0\ndiscount = 1\n'
        "[belief]\ntiger_left = 0\n[opponent]\nrationality = 0\n"
    )
    assert read_scenario(file).position == "tiger left 0.00"
    assert TigerScenario(name="x", tiger_left=0.125).position == "tiger left 0.125"


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("analyze", "tiger-random", "--tries", "retry"), "--tries: the tiger has none"),
        (("analyze", "tiger-random", "--svg", "x.svg"), "--svg: for Kriegspiel alone"),
        (("analyze", "tiger-random", "--move", "listen"), "--move: for Kriegspiel alone"),
        (("analyze", "tiger-random", "--solver", "pgmpy"), "--solver pgmpy: for Kriegspiel alone"),
        (("analyze", "tiger-random", "--level", "x"), "--level: expected a natural number"),
        (("analyze", "tiger-alone", "--level", "1"), "--level, --horizon: expected at most 6"),
        (
            ("analyze", "tiger-random", "--horizon", "10"),
            "--horizon: expected at most 9 decisions against a random j",
        ),
        (
            ("levels", "tiger-model"),
            'tiger-model: of the game "tiger"; this command is for Kriegspiel alone',
        ),
        (
            ("explain", "tiger-model"),
            'tiger-model: of the game "tiger"; this command is for Kriegspiel alone',
        ),
        (("compare", "tiger-random"), "compare: for Kriegspiel alone"),
        (
            ("network", "tiger-random", "--figure", "2", "--out", "x.svg"),
            "network: for Kriegspiel alone",
        ),
    ],
)
def test_what_does_not_apply_is_one_line(
    arguments: tuple[str, ...], says: str, tmp_path: Path
) -> None:
    result = run(*arguments, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"ipomdp: {says}")
    assert not list(tmp_path.iterdir())


def test_json_has_the_three_actions() -> None:
    content = json.loads(run("analyze", "tiger-random", "--json").stdout)
    found = {move["move"]: move["expected_utility"] for move in content["moves"]}
    assert set(found) == set(ACTIONS)
    assert found["listen"] - found["open-left"] == pytest.approx(0.147767, abs=1e-6)
    assert content["rationality"] == "inf"
    assert content["position"] == "tiger left 0.08"


@pytest.mark.parametrize("name", ["tiger-alone", "tiger-model", "tiger-random"])
def test_text_fits_eighty_columns(name: str) -> None:
    scenario = bundled_tiger(name)
    console = Console(width=80, file=io.StringIO(), markup=False, highlight=False)
    print_tiger(console, scenario, analyze(scenario))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert all(action in text for action in ACTIONS)
    assert "Best: listen" in text


def test_python_errors_name_what_is_asked() -> None:
    scenario = bundled_tiger("tiger-random")
    with pytest.raises(InvalidInput, match="influence diagrams: for Kriegspiel alone"):
        paper_networks(scenario)
    with pytest.raises(InvalidInput, match="solver pgmpy: for Kriegspiel alone"):
        analyze(scenario, solver="pgmpy")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", GUIDE, flags=re.DOTALL)


@pytest.mark.parametrize("command", [c for block in blocks("bash") for c in block.splitlines()])
def test_the_guide_s_commands_run(command: str, tmp_path: Path) -> None:
    for content in blocks("toml"):
        (tmp_path / "mine.toml").write_text(content)
    result = run(*shlex.split(command)[1:], cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout
