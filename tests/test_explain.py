"""A decision in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from ipomdp import InvalidInput, Scenario
from ipomdp.study.explain import explained, standpoint
from tests.bundled import kriegspiel
from tests.test_cli import refused, run
from tests.test_levels import FIGURE_1, HISTORY


def told(scenario: Scenario, move: str | None = None) -> str:
    return "\n".join(explained(standpoint(scenario), move).lines())


def test_level_2_tells_the_whole_chain() -> None:
    text = told(kriegspiel("figure-1-level-2"), "Qb2")
    for words in (
        "White (i, level 2) plays Qb2.",
        'The referee says "Check by Long Diagonal".',
        "Black (j, level 1) believes that White has Ka1 Qb2,",
        "because it thinks that White (i, level 0) plays Qd1 0.14, Qb2 0.14, Qd2 0.14, 5 others",
        "Level 0 models nobody",
        "Qb2: 0.1155, worth 287.68 to it.",
        "White (level 0) would answer Kb2 0.70, 31 others 0.30.",
        "28 illegal ones: 0.84 together, worth -50.00 to it",
        "So Qb2 is worth -77.07 to White; 4 moves are worth more, Qd1 most: 37.80.",
    ):
        assert words in text


def test_every_level_down_to_0_is_named() -> None:
    text = told(kriegspiel("figure-1-all-moves").with_options(level=5))
    assert all(f"level {k})" in text for k in range(6))


def test_under_retry_a_refusal_teaches() -> None:
    text = told(kriegspiel("conjecture-retry"), "Qb2")
    for words in (
        "Qb2 is refused with probability 0.50; Black then knows more (that White has Ka1 Qc3)",
        "in the end it makes Qb2 1.00",
        'after Qb2 ("Capture in b2, Check by Long Diagonal") Kb2 is best, worth 36.00 to it.',
        "So Qb2 is worth 36.03 to White; no move is worth more.",
    ):
        assert words in text


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"level": 0}, "Level 0 models nobody: the position now is worth 50.00."),
        ({"policy": "random"}, "Black (j) plays at random: all its 32 actions are equally likely."),
        ({"policy": "random", "tries": "retry"}, "its legal moves are equally likely."),
        ({"level": 0, "horizon": 2}, "the other's replies are any legal moves alike."),
    ],
)
def test_without_a_model_it_is_short(changes: dict[str, object], words: str) -> None:
    text = told(kriegspiel("figure-1").with_options(**changes))
    assert words in text
    assert len(text.splitlines()) <= 9


def test_the_end_of_the_game_is_told() -> None:
    assert "The game is over, worth 10086.00." in told(kriegspiel("mate-over-queen"))


def test_after_a_history_with_a_refusal(tmp_path: Path) -> None:
    file = tmp_path / "later.toml"
    file.write_text(HISTORY.replace("[rules]", "[agent]\nlevel = 2\n[rules]"))
    before = told(kriegspiel(file))
    assert "It believes that Black has" in before
    assert "is refused with probability" in before
    file.write_text(file.read_text() + '[[history]]\nby = "white"\nrefused = ["Qd4"]\n')
    assert told(kriegspiel(file)) != before


def test_each_frame_of_j_is_told(tmp_path: Path) -> None:
    file = tmp_path / "frames.toml"
    file.write_text(
        f'[position]\nfen = "{FIGURE_1}"\n[[opponent.frames]]\nweight = 2\nlevel = 1\n'
        '[[opponent.frames]]\npolicy = "random"\n'
    )
    text = told(kriegspiel(file))
    assert "Black (j, level 1, lambda 0.004) (probability 0.67) believes" in text
    assert "Black (j) plays at random (probability 0.33)" in text


def test_each_frame_has_its_own_numbers_and_the_mixture_is_marked() -> None:
    text = told(kriegspiel("who-is-black"))
    for words in (
        "in the end it makes Kb4 0.98, Kd3 0.02.",
        "in the end it makes Kb4 1.00, Kd3 <0.01.",
        "All in all, whoever it may be, Black finally makes Kb4 0.66, Kd3 0.34.",
    ):
        assert words in text
    header = run("explain", "who-is-black").stdout.splitlines()[1:3]
    assert header == [
        "1q1k/4/4/K1Q1 w, tries: retry, horizon 1",
        "j's frames: level 0, lambda 0.004; level 1, lambda 0.05; random",
    ]


def test_what_the_referee_may_say_adds_up_with_the_refusal() -> None:
    text = told(kriegspiel("who-is-black"))
    for words in (
        "Qb4 is refused with probability 0.33;",
        'The referee says "Capture in b4" (0.33).',
        'The referee says "Capture in b4, Check by Rank" (0.33).',
    ):
        assert words in text
    assert "Where that is legal, White (level 0) would answer Ka2 1.00." in told(
        kriegspiel("after-a-refusal")
    )


def test_what_j_expects_of_i_is_given_what_j_knows() -> None:
    """Black's queen is not on d2, as Black knows: White's tries there are not refused."""
    text = told(kriegspiel("after-a-refusal"))
    expected = "Qd3 0.31, Qd4 0.31, Qd2 0.22, 6 others 0.16."
    assert f"it thinks that White (i, level 0) finally makes {expected}" in text


def test_the_command_fits_80_columns() -> None:
    text = run("explain", "figure-1-level-2", "--move", "Qb2", "--level", "3").stdout
    assert "White (i, level 3) plays Qb2." in text
    assert all(len(line) <= 80 and line == line.rstrip() for line in text.splitlines())


def test_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="not among the moves considered"):
        told(kriegspiel("figure-1"), "Qc3")
    assert '--move: "Qc3" is not among' in refused("explain", "figure-1", "--move", "Qc3")
    assert "--level: expected" in refused("explain", "figure-1", "--level", "x")
    file = tmp_path / "impossible.toml"
    file.write_text(HISTORY.replace('heard = "Check by File"', 'heard = "Silent"'))
    assert "history, entry 1" in refused("explain", str(file))
