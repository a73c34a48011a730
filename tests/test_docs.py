"""The commands of the pages in docs/ run as printed, and their pictures are there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from ipomdp.scenario import read_scenario
from tests.test_cli import run

ROOT = Path(__file__).parent.parent
PAGES = {path.name: path.read_text() for path in sorted((ROOT / "docs").glob("*.md"))}


def commands(page: str) -> list[str]:
    blocks = re.findall(r"```bash\n(.*?)```", page, flags=re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.startswith("ipomdp ")]


@pytest.mark.parametrize("name", PAGES)
def test_commands(name: str, tmp_path: Path) -> None:
    """A page's commands run one after the other: what one writes the next may read."""
    (tmp_path / "out").mkdir()
    for content in re.findall(r"```toml\n(.*?)```", PAGES[name], flags=re.DOTALL)[:1]:
        (tmp_path / "mine.toml").write_text(content)  # the scenario that a page shows
        read_scenario(tmp_path / "mine.toml")
    for command in commands(PAGES[name]):
        result = run(*shlex.split(command)[1:], cwd=tmp_path)
        assert result.returncode == 0, (command, result.stderr)
        assert result.stdout or "wrote out/" in result.stderr, command


@pytest.mark.parametrize("name", PAGES)
def test_the_pictures_exist(name: str) -> None:
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", PAGES[name])
    for picture in pictures:
        assert (ROOT / "docs" / picture).is_file()
        assert f" docs/{picture}\n" in (ROOT / "Makefile").read_text()  # `make pictures`
