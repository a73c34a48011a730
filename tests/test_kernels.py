"""Compiled kernels are kept as long as no source has changed."""

from __future__ import annotations

from pathlib import Path

from ipomdp.wild16.bits import drop_stale_kernels


def test_kernels_are_dropped_when_any_source_changes(tmp_path: Path) -> None:
    source, kernel = tmp_path / "moves.py", tmp_path / "__pycache__" / "search.nbi"
    source.write_text("one = 1\n")
    drop_stale_kernels(tmp_path)
    kernel.write_bytes(b"compiled")
    drop_stale_kernels(tmp_path)
    assert kernel.is_file()
    source.write_text("one = 2\n")
    drop_stale_kernels(tmp_path)
    assert not kernel.exists()
    drop_stale_kernels(tmp_path / "nowhere")  # a folder that cannot be written is left alone
