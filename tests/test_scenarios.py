"""Every bundled scenario is what its description says."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from ipomdp import Scenario, analyze, bundled_scenarios, load_scenario
from ipomdp.kriegspiel import Weights
from tests.bundled import bundled

ROOT = Path(__file__).parent.parent
BEST = {
    "after-a-refusal": "Qc1",
    "capture-trap": "Qb2",
    "check-loses-queen": "Kb3",
    "conjecture-paper": "Qb2",
    "conjecture-retry": "Qb2",
    "figure-1": "Qd1",
    "figure-1-all-moves": "Qd1",
    "figure-1-level-2": "Qd1",
    "figure-1-random": "Qd1",
    "mate-over-queen": "Qd3",
    "middle-game": "Qa4",
    "quiet-move-hides": "Qa1",
    "stalemate-trap": "Qc3",
    "tiger-alone": "listen",
    "tiger-model": "listen",
    "tiger-random": "listen",
    "who-is-black": "Qb4",
}


@pytest.mark.parametrize("name", bundled_scenarios())
def test_it_says_what_to_look_at_and_has_its_answer(name: str) -> None:
    scenario = load_scenario(name)
    assert scenario.title
    assert scenario.description
    assert analyze(scenario).best == BEST[name]


def test_the_trap_closes_only_on_a_careful_opponent() -> None:
    assert analyze(load_scenario("capture-trap").with_options(rationality=0.004)).best == "Qc3"


def test_the_check_is_best_against_a_random_opponent() -> None:
    assert analyze(load_scenario("check-loses-queen").with_options(policy="random")).best == "Qc3"


@pytest.mark.parametrize(("name", "best"), [("stalemate-trap", "Qa2"), ("mate-over-queen", "Qa4")])
def test_the_paper_s_weights_would_choose_otherwise(name: str, best: str) -> None:
    scenario = bundled(name)
    plain = Scenario(name=name, fen=scenario.fen, rationality=scenario.rationality)
    assert analyze(plain).best == best


@pytest.mark.parametrize("level", [0, 1, 2])
def test_the_draw_field_alone_spoils_the_stalemate(level: int) -> None:
    trap = bundled("stalemate-trap").with_options(level=level)
    assert analyze(trap).best != "Qa2"
    assert analyze(replace(trap, weights=Weights())).best == "Qa2"


@pytest.mark.slow
def test_a_wheel_carries_the_scenarios_and_the_types(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "build", "--wheel", "--outdir", str(tmp_path), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    unpacked = tmp_path / "unpacked"
    zipfile.ZipFile(wheel).extractall(unpacked)
    for package in ("ipomdp", "networks"):
        assert (unpacked / package / "py.typed").is_file()
    code = "import ipomdp; print(ipomdp.__file__, *ipomdp.bundled_scenarios())"
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=unpacked, capture_output=True, text=True, check=True
    )
    where, *names = result.stdout.split()
    assert where.startswith(str(unpacked))
    assert tuple(names) == bundled_scenarios()
