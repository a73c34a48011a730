"""What the fields of a scenario accept, and the one line that says why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ipomdp import InvalidInput, Scenario, load_scenario
from ipomdp.fields import DEEPEST
from ipomdp.kriegspiel import Weights
from ipomdp.quoting import printable, shown
from ipomdp.scenario import read_scenario

FEN = "1q1k/4/4/K1Q1 w"
POSITION = f'[position]\nfen = "{FEN}"\n'
DIGITS = "1" * 400


def refusal(tmp_path: Path, content: str) -> str:
    file = tmp_path / "mine.toml"
    file.write_text(content)
    with pytest.raises(InvalidInput) as caught:
        read_scenario(file)
    message = str(caught.value)
    assert message.startswith(f"{file}: ")
    assert len(message) < len(str(file)) + 400
    return message.removeprefix(f"{file}: ")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (f"[opponent]\nrationality = {DIGITS}", "not an integer of about 400 digits"),
        (f"[utility]\ncheck = {DIGITS}", "utility.check: expected a number between -1e9 and 1e9"),
        (f"[utility]\ncheck = 0x{'f' * 9000}", "not an integer of about 10838 digits"),
        ("[utility]\ndraw = 1e308", "utility.draw: expected a number between -1e9 and 1e9"),
        ("[utility]\ncheckmate = -1000000001", "expected a number between -1e9 and 1e9"),
        (f"[agent]\nlevel = {'1' * 5000}", "not valid TOML: a number has too many digits"),
        (f"[agent]\nlevel = {'[' * 5000}{']' * 5000}", "nested too deeply"),
        (f"[agent]\nlevel = {'[' * 200}{']' * 200}", "agent.level: expected a natural number"),
        ("[agent]\nlevel = 65", "expected a natural number (0, 1, 2, ...) up to 64, not 65"),
        ("[agent]\nlevel = true", "not true"),
        ("[agent]\nlevel = 1979-05-27", "not 1979-05-27"),
        ('[agent]\nlevel = [1, "x", [2]]', 'not [1, "x", [...]]'),
        (f'[agent]\nlevel = "{"x" * 100}"', f'not "{"x" * 56}...'),
        ("[agent.level]\nx = 1", "(0, 1, 2, ...) up to 64, not a table"),
        ('[agent]\ncandidates = ["Qd1", "Qb2", "Qd1"]', '"Qd1" is listed twice'),
        ('["agent.level"]', '"agent.level": in quotes it is one name'),
        ('["" ]', '"": unknown field'),
    ],
)  # fmt: skip
def test_a_file_is_refused(tmp_path: Path, content: str, says: str) -> None:
    assert says in refusal(tmp_path, f"{POSITION}{content}\n")


def test_a_quoted_field_at_the_top_is_no_field(tmp_path: Path) -> None:
    assert '"agent.level": in quotes' in refusal(tmp_path, f'"agent.level" = 2\n{POSITION}')


def test_bounds_are_inside(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f"{POSITION}[agent]\nlevel = 64\n[utility]\ncheck = 1e9\ndraw = -1e9\n")
    scenario = read_scenario(file)
    assert isinstance(scenario, Scenario)
    assert (scenario.level, scenario.weights.check) == (DEEPEST, 1e9)


def test_a_byte_order_mark_is_no_content(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(b"\xef\xbb\xbf" + POSITION.encode())
    assert read_scenario(file).position == FEN


@pytest.mark.parametrize(
    ("name", "says"),
    [("", "an empty name"), ("x" * 300, "cannot be read"), ("no-such-thing", "neither a file")],
)
def test_names_that_lead_nowhere(name: str, says: str) -> None:
    with pytest.raises(InvalidInput, match=says):
        load_scenario(name)


def test_python_errors_name_fields() -> None:
    scenario = load_scenario("figure-1")
    with pytest.raises(InvalidInput, match=r"^agent\.level: expected a natural number"):
        scenario.with_options(level=-1)
    with pytest.raises(InvalidInput, match=r"^utility\.check: "):
        Scenario(name="mine", fen=FEN, weights=Weights(check=1e10))
    with pytest.raises(TypeError, match="no option 'foo' of a scenario; there are title, "):
        scenario.with_options(foo=1)
    with pytest.raises(TypeError, match="no option 'check'"):
        scenario.with_options(check=60)


@pytest.mark.parametrize(
    ("value", "text"), [(1.5, "1.5"), (float("inf"), "inf"), ({"a": 1}, "a table"), (None, "None")]
)
def test_values_are_shown_as_a_file_writes_them(value: object, text: str) -> None:
    assert shown(value) == text


def test_control_characters_are_not_printed() -> None:
    assert printable("a\x1b[31m\tb\x9b\u202ec\nd") == "a[31m bc\nd"
