"""What the folders promise: who imports whom, and what is public."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import ipomdp
import networks

ROOT = Path(ipomdp.__file__).parent
ENGINE = [
    *("game", "turn", "errors"),
    *(f"engine/{path.stem}" for path in sorted((ROOT / "engine").glob("*.py"))),
    *(f"study/{name}" for name in ("likelihood", "fit", "simulate", "viewpoint", "heard")),
]
FORBIDDEN = (
    "chess",
    "pgmpy",
    "networks",
    "typer",
    "rich",
    "matplotlib",
    "ipomdp.kriegspiel",
    "ipomdp.tiger",
)


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found


@pytest.mark.parametrize("module", ENGINE)
def test_the_engine_knows_games_only_through_the_protocol(module: str) -> None:
    names = imported(ROOT / f"{module}.py")
    assert not [n for n in names if n.startswith(FORBIDDEN)]


def test_the_oracle_imports_nothing_of_ours() -> None:
    for path in (Path(__file__).parent / "oracle").glob("*.py"):
        assert not [n for n in imported(path) if n.startswith(("ipomdp", "networks", "numpy"))]


@pytest.mark.parametrize("package", [ipomdp, networks])
def test_all_is_what_is_exported(package: object) -> None:
    for name in package.__all__:  # type: ignore[attr-defined]
        assert getattr(package, name) is not None
    assert sorted(package.__all__) == list(package.__all__)  # type: ignore[attr-defined]


def test_no_address_or_path_of_a_machine_is_committed() -> None:
    pinned = (ROOT.parent / "constraints.txt").read_text().splitlines()
    for line in pinned:
        assert line.startswith("#") or line.count("==") == 1
        assert "/" not in line or line.startswith("#")
