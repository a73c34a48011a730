"""Where a scenario comes from: one of the bundled, or a file that somebody uploads."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ipomdp.errors import InvalidInput
from ipomdp.quoting import cut, printable, shown
from ipomdp.scenario import AnyScenario, bundled_scenarios, load_scenario, parse_scenario

MOST_BYTES = 100_000
"""Of an uploaded file."""
UNNAMED = "scenario.toml"


@dataclass(frozen=True, slots=True)
class Source:
    """A scenario as its file has it, and how a command names that file."""

    named: str
    scenario: AnyScenario
    bundled: bool = True


@lru_cache(maxsize=64)
def bundled(name: str) -> Source:
    """Return a scenario that ships with the package; no other file is ever opened."""
    if name not in bundled_scenarios():
        raise InvalidInput(f"scenario: expected the name of a bundled one, not {shown(name)}")
    return Source(name, load_scenario(name))


def titles() -> dict[str, str]:
    """Return the bundled scenarios' names with their titles, those of the paper first."""
    names = sorted(bundled_scenarios(), key=lambda name: (_rank(name), name))
    return {name: f"{name}: {bundled(name).scenario.title}" for name in names}


def _rank(name: str) -> int:
    first = name.split("-", maxsplit=1)[0]
    return {"figure": 0, "conjecture": 1}.get(first, 2)


def uploaded(name: str, text: bytes) -> Source:
    """Return the scenario in a file that a browser sent; errors name the file as it is there."""
    plain = file_name(name)
    if len(text) > MOST_BYTES:
        raise too_big(name)
    return Source(plain, parse_scenario(Path(plain), text), bundled=False)


def too_big(name: str) -> InvalidInput:
    """Return the complaint about a file that is too big to be a scenario."""
    return InvalidInput(
        f"{file_name(name)}: too big; expected a scenario of at most {MOST_BYTES // 1000} kB"
    )


def file_name(name: str) -> str:
    """Return the last part of a file's name, as a command takes it for a file."""
    last = printable(re.split(r"[/\\]", name)[-1]).replace("\n", " ").strip() or UNNAMED
    last = cut(last) if last not in (".", "..") else UNNAMED
    return f"./{last}" if last.startswith("-") or last in bundled_scenarios() else last
