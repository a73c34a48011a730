"""Scenarios: one TOML file per decision problem, found, read and checked field by field."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ipomdp.errors import InvalidInput
from ipomdp.kriegspiel.reading import read_kriegspiel
from ipomdp.kriegspiel.scenario import Scenario
from ipomdp.quoting import shown
from ipomdp.tiger.scenario import TigerScenario, read_tiger

__all__ = [
    "AnyScenario", "Scenario", "TigerScenario", "bundled_scenarios", "kriegspiel_only",
    "load_scenario", "parse_scenario", "read_scenario", "scenarios_folder",
]  # fmt: skip

AnyScenario = Scenario | TigerScenario
KINDS: dict[str, Callable[[str, Mapping[str, Any]], AnyScenario]] = {
    "kriegspiel": read_kriegspiel,
    "tiger": read_tiger,
}


def scenarios_folder() -> Path:
    """Return where the bundled scenarios are: inside an installed package, or beside a checkout."""
    packaged = Path(__file__).parent / "_scenarios"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent / "scenarios"


def bundled_scenarios() -> tuple[str, ...]:
    """Return the names of the scenarios that ship with the package."""
    return tuple(sorted(path.stem for path in scenarios_folder().glob("*.toml")))


def load_scenario(name_or_file: str | Path) -> AnyScenario:
    """Return a bundled scenario by its name, or the one in a file."""
    if not str(name_or_file):
        raise InvalidInput("an empty name; expected that of a scenario or a file")
    if str(name_or_file) in bundled_scenarios():
        return read_scenario(scenarios_folder() / f"{name_or_file}.toml")
    return read_scenario(Path(name_or_file))


def read_scenario(path: Path) -> AnyScenario:
    """Return the scenario in a TOML file; every error names the file and the field."""
    return parse_scenario(path, _read(path))


def parse_scenario(path: Path, text: bytes) -> AnyScenario:
    """Return the scenario in the text of a TOML file, which need not be on this machine."""
    content = _parse(path, text)
    try:
        return KINDS[_kind(content)](path.stem, content)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from None


def kriegspiel_only(scenario: AnyScenario, what: str) -> Scenario:
    """Return a scenario of Kriegspiel; for another game ``what`` is an error.

    ``what`` is the option or the command that asks, or the scenario as it was named.
    """
    if isinstance(scenario, Scenario):
        return scenario
    if Path(what).stem == scenario.name:
        raise InvalidInput(f'{what}: of the game "tiger"; this command is for Kriegspiel alone')
    raise InvalidInput(f"{what}: for Kriegspiel alone; {shown(scenario.name)} is of the tiger")


def _kind(content: dict[str, Any]) -> str:
    """Return which game a scenario is of; Kriegspiel if it does not say."""
    game = content.get("game", {})
    if not isinstance(game, dict):
        raise InvalidInput(f"game: expected a table [game], not {shown(game)}")
    kind = game.get("kind", "kriegspiel")
    if kind not in KINDS:
        expected = " or ".join(f'"{name}"' for name in KINDS)
        raise InvalidInput(f"game.kind: expected {expected}, not {shown(kind)}")
    return str(kind)


def _parse(path: Path, text: bytes) -> dict[str, Any]:
    try:
        content = tomllib.loads(text.decode("utf-8-sig"))  # some editors write a mark first
    except UnicodeDecodeError:
        raise InvalidInput(f"{path}: not a text file; expected a scenario in TOML") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{path}: not valid TOML: {error}") from None
    except ValueError:  # Python's own limit, which tomllib passes on
        raise InvalidInput(f"{path}: not valid TOML: a number has too many digits") from None
    except RecursionError:
        raise InvalidInput(f"{path}: not a scenario: lists or tables nested too deeply") from None
    if not content:
        raise InvalidInput(f"{path}: empty; expected a scenario with at least position.fen")
    return content


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        near = difflib.get_close_matches(str(path), bundled_scenarios(), n=1)
        hint = f"did you mean {near[0]}?" if near else "`ipomdp scenarios` lists the bundled ones"
        raise InvalidInput(f"{path}: neither a file nor a bundled scenario; {hint}") from None
    except IsADirectoryError:
        raise InvalidInput(f"{path}: a directory; expected a scenario file in TOML") from None
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from None
