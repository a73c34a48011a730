"""The commands of the pages in docs/ run as printed, and their pictures are there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.test_cli import run

ROOT = Path(__file__).parent.parent
PAGES = {name: (ROOT / "docs" / name).read_text() for name in ("levels.md", "conjecture.md")}
COMMANDS = [
    line
    for text in PAGES.values()
    for block in re.findall(r"```bash\n(.*?)```", text, flags=re.DOTALL)
    for line in block.splitlines()
    if line.startswith("ipomdp ")
]


@pytest.mark.parametrize("command", COMMANDS)
def test_command(command: str, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    result = run(*shlex.split(command)[1:], cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert result.stdout


@pytest.mark.parametrize("name", PAGES)
def test_the_pictures_exist(name: str) -> None:
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", PAGES[name])
    assert pictures
    for picture in pictures:
        assert (ROOT / "docs" / picture).is_file()
        assert f" docs/{picture}\n" in (ROOT / "Makefile").read_text()  # `make pictures`
