"""The README's commands and Python blocks run as printed."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ipomdp.scenario import Scenario, read_scenario

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


COMMANDS = [line for block in blocks("bash") for line in block.splitlines() if "ipomdp" in line]


@pytest.mark.parametrize("command", COMMANDS)
def test_command(command: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    arguments = shlex.split(command)[1:]
    result = subprocess.run(
        [sys.executable, "-m", "ipomdp", *arguments],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert result.stdout or result.stderr.startswith("wrote out/")


@pytest.mark.parametrize("code", blocks("python"))
def test_python_block(code: str, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout


def test_the_scenario_shown_is_valid(tmp_path: Path) -> None:
    (content,) = blocks("toml")
    file = tmp_path / "shown.toml"
    file.write_text(content)
    scenario = read_scenario(file)
    assert isinstance(scenario, Scenario)
    assert scenario.candidates == ("Qd1", "Qd2")


def test_the_pictures_exist() -> None:
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README)
    assert pictures
    for picture in pictures:
        assert (ROOT / picture).is_file(), picture
        assert f" {picture}\n" in (ROOT / "Makefile").read_text()  # `make pictures`


def test_the_board_shown_is_the_one_drawn_today(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    command = [sys.executable, "-m", "ipomdp", "analyze", "figure-1", "--svg", str(picture)]
    subprocess.run(command, check=True, capture_output=True)
    assert picture.read_text() == (ROOT / "docs" / "board.svg").read_text()
