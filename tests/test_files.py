"""Why a file cannot be written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ipomdp import InvalidInput
from ipomdp.files import check_ending, check_writable, writing


def test_the_reason_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_writable(tmp_path / "new.svg")
    with pytest.raises(InvalidInput, match="a directory"):
        check_writable(tmp_path)
    with pytest.raises(InvalidInput, match="there is no folder"):
        check_writable(tmp_path / "none" / "new.svg")
    with pytest.raises(InvalidInput, match="cannot be written"):
        check_writable(tmp_path / ("x" * 300) / "new.svg")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    with pytest.raises(InvalidInput, match="cannot be written: no permission"):
        check_writable(tmp_path / "new.svg")


def test_a_folder_that_may_not_be_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_dir", denied)
    with pytest.raises(InvalidInput, match="no permission"):
        check_writable(tmp_path / "new.svg")


def test_endings_and_late_failures(tmp_path: Path) -> None:
    check_ending(Path("a.SVG"), (".svg",))
    with pytest.raises(InvalidInput, match=r"a.gif: unknown ending; expected .png or .svg"):
        check_ending(Path("a.gif"), (".png", ".svg"))
    with pytest.raises(InvalidInput, match="cannot be written"), writing(tmp_path):
        tmp_path.write_text("a folder is no file")
