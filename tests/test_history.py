"""Histories, priors and frames in scenario files: what is refused, and in which words."""
# ruff: noqa: E501 - a case a line

from __future__ import annotations

from pathlib import Path

import pytest

from ipomdp import InvalidInput, Scenario, analyze
from ipomdp.scenario import read_scenario
from tests.test_cli import refused

START = '[position]\nfen = "1q1k/4/4/K1Q1 w"\n[rules]\ntries = "retry"\n'
QD1 = '[[history]]\nby = "white"\nmove = "Qd1"\nheard = "Check by File"\n'
SILENT = '[[history]]\nby = "black"\nheard = "Silent"\n'
TWO = (
    '[position]\nprior = [{ fen = "1q1k/4/4/K1Q1 w", probability = 0.5 },'
    ' { fen = "1q1k/4/4/KQ2 w", probability = 0.5 }]\n'
)


def made(tmp_path: Path, content: str) -> Path:
    file = tmp_path / "mine.toml"
    file.write_text(content)
    return file


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (QD1.replace("Check by File", "Silent") + SILENT, "entry 1: 'Silent' cannot have been heard; it could have been Check by File"),
        (QD1 + SILENT.replace("Silent", "Check by Rank"), "entry 2: 'Check by Rank' cannot have been heard; it could have been Silent"),
        (QD1.replace("Qd1", "Qa2") + SILENT, "entry 1: Qa2 is illegal in every position"),
        (QD1 + SILENT + '[[history]]\nby = "white"\nrefused = ["Qb1"]\n', "entry 3: Qb1 cannot have been refused"),
        (QD1 + QD1, "entry 2: by: it is black's turn, not white's"),
        (SILENT, "entry 1: by: it is white's turn"),
        (QD1.replace("Check by File", "Boo") + SILENT, "entry 1: heard: expected an announcement"),
        (QD1.replace("Qd1", "Qz9") + SILENT, "entry 1: move: expected a move like Qd1"),
        (QD1.replace('move = "Qd1"\n', "") + SILENT, "entry 1: move: missing"),
        (QD1 + SILENT + QD1, "entry 3: move: j's are hidden"),
        (QD1 + SILENT.replace("heard", "herd"), "history, entry 2: herd: unknown field; did you mean heard?"),
        (QD1 + SILENT + "refusals = 2\n", "entry 2: refusals: i hears them only if"),
        ("history = 3\n" + "", "history: expected tables"),
    ],
)  # fmt: skip
def test_a_history_that_cannot_be(tmp_path: Path, content: str, says: str) -> None:
    text = content + START if content.startswith("history = ") else START + content
    if "hidden" in says:  # with one entry more it would be black who is advised
        text = START + QD1 + SILENT.replace("heard", 'move = "Kc4"\nheard')
        says = "entry 2: move: j's are hidden"
    line = refused("analyze", str(made(tmp_path, text)))
    assert "mine.toml" in line
    assert says in line


def test_refusals_need_the_real_rules(tmp_path: Path) -> None:
    content = (
        START.replace("retry", "paper") + QD1.replace("move", 'refused = ["Qc4"]\nmove') + SILENT
    )
    assert 'rules.tries = "retry"' in refused("analyze", str(made(tmp_path, content)))


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (TWO, "position.sees: missing"),
        (TWO + 'sees = "4/4/4/KQ2 w"\n', "position.sees: expected one of the positions"),
        (TWO.replace("0.5 }]", "0 }]"), "position.prior, entry 2: probability: expected a number above 0"),
        (TWO.replace("KQ2 w", "K1Q1 w"), "position.prior, entry 2: fen: 1q1k/4/4/K1Q1 w is listed twice"),
        (TWO.replace("KQ2 w", "KQ2 b"), "entry 2: fen: expected the same side to move"),
        (TWO + 'fen = "1q1k/4/4/K1Q1 w"\n', "expected either fen or prior"),
        ("[position]\nprior = [3]\n", "position.prior: expected a table as entry 1, not 3"),
        (START + "[[opponent.frames]]\nlevel = -1\n", "opponent.frames, entry 1: level: expected"),
        (START + "[agent]\nlevel = 3\n[[opponent.frames]]\nlevel = 0\n", "agent.level: with these opponent.frames i is at level 1"),
        (START + "[agent]\nhorizon = 0\n", "agent.horizon: expected a number of decisions"),
        (START + "[rules2]\n", "rules2: unknown field"),
    ],
)  # fmt: skip
def test_priors_and_frames_that_cannot_be(tmp_path: Path, content: str, says: str) -> None:
    with pytest.raises(InvalidInput) as error:
        read_scenario(made(tmp_path, content))
    assert says in str(error.value)
    assert "mine.toml" in str(error.value)


def test_frames_inherit_what_they_do_not_say(tmp_path: Path) -> None:
    content = START + (
        "[opponent]\nrationality = 0.03\n[utility]\ncheck = 70\n"
        "[[opponent.frames]]\nlevel = 1\n[[opponent.frames]]\nrationality = 0.1\n"
        "[opponent.frames.utility]\nqueen_presence = 500\n"
    )
    scenario = read_scenario(made(tmp_path, content))
    assert isinstance(scenario, Scenario)
    one, other = scenario.frames
    assert (one.rationality, one.weights.check, one.level) == (0.03, 70, 1)
    assert (other.rationality, other.weights.check, other.weights.queen_presence) == (0.1, 70, 500)
    assert scenario.level == 2
    assert analyze(scenario).frames == pytest.approx((0.5, 0.5))
