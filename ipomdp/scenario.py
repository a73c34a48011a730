"""Scenarios: one TOML file per decision problem, validated field by field."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ipomdp.errors import InvalidInput
from ipomdp.fields import FIELDS, OPTIONS
from ipomdp.kriegspiel import Evaluation, Kriegspiel4x4, Weights
from ipomdp.model import Frame, nested
from ipomdp.quoting import shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A decision problem: a position known to both players, and how each of them thinks."""

    name: str
    """The file's name without its ending."""
    fen: str
    """The position, as ``1q1k/4/4/K1Q1 w``; the player to move is i, the other is j."""
    title: str = ""
    description: str = ""
    """What to look at."""
    level: int = 1
    """How deep i models j."""
    candidates: tuple[str, ...] | None = None
    """The moves i considers, and everyone believes i considers; all legal ones if ``None``."""
    policy: str = "model"
    """``model``: j responds quantally one level down; ``random``: uniformly over its actions."""
    rationality: float = 0.004
    """lambda, at every nested level."""
    tries: str = "paper"
    """What an illegal action does: ``paper`` ends the line with the position unchanged."""
    weights: Weights = field(default_factory=Weights)

    def __post_init__(self) -> None:
        for path, entry in FIELDS.items():
            holder = self.weights if path.startswith("utility.") else self
            value = getattr(holder, entry.attribute)
            optional = entry.attribute in ("candidates", "draw")
            if not (optional and value is None) and (problem := entry.problem(value)):
                raise InvalidInput(f"{path}: {problem}")
        game = Kriegspiel4x4()
        try:
            state = game.read(self.fen)
        except InvalidInput as error:
            raise InvalidInput(f"position.fen: {error}") from None
        legal = game.moves(np.array([state])).legal[0]
        names = [game.actions[a] for a in np.flatnonzero(legal)]
        for move in self.candidates or ():
            if move not in names:
                raise InvalidInput(
                    f"agent.candidates: {shown(move)} is not legal in {self.fen}; "
                    f"legal are {', '.join(names)}"
                )
            if self.candidates and self.candidates.count(move) > 1:
                raise InvalidInput(f"agent.candidates: {shown(move)} is listed twice")

    def frame(self) -> Frame:
        """Return i's frame, with those it imagines inside it."""
        utility = Evaluation(self.weights)
        if self.policy == "random" and self.level > 0:
            uniform = Frame(utility=utility, rationality=0.0)
            return Frame(utility=utility, rationality=self.rationality, opponent=uniform)
        return nested(self.level, utility=utility, rationality=self.rationality)

    def with_options(self, **changes: object) -> Scenario:
        """Return the scenario with some fields changed, checked like a file's; ``None`` keeps."""
        for name in changes:
            if name not in OPTIONS:
                raise TypeError(f"no option {name!r} of a scenario; there are {', '.join(OPTIONS)}")
        given = {name: value for name, value in changes.items() if value is not None}
        return replace(self, **given)  # type: ignore[arg-type]


def scenarios_folder() -> Path:
    """Return where the bundled scenarios are: inside an installed package, or beside a checkout."""
    packaged = Path(__file__).parent / "_scenarios"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent / "scenarios"


def bundled_scenarios() -> tuple[str, ...]:
    """Return the names of the scenarios that ship with the package."""
    return tuple(sorted(path.stem for path in scenarios_folder().glob("*.toml")))


def load_scenario(name_or_file: str | Path) -> Scenario:
    """Return a bundled scenario by its name, or the one in a file."""
    if not str(name_or_file):
        raise InvalidInput("an empty name; expected that of a scenario or a file")
    if str(name_or_file) in bundled_scenarios():
        return read_scenario(scenarios_folder() / f"{name_or_file}.toml")
    return read_scenario(Path(name_or_file))


def read_scenario(path: Path) -> Scenario:
    """Return the scenario in a TOML file; every error names the file and the field."""
    content = _flatten(path, _parse(path))
    values: dict[str, Any] = {}
    for name, value in content.items():
        if name not in FIELDS:
            near = difflib.get_close_matches(name, FIELDS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(FIELDS)}"
            raise InvalidInput(f"{path}: {_key(name)}: unknown field; {hint}")
        if problem := FIELDS[name].problem(value):
            raise InvalidInput(f"{path}: {name}: {problem}")
        values[FIELDS[name].attribute] = value
    if "fen" not in values:
        raise InvalidInput(f"{path}: position.fen: missing; expected a position")
    weights = {w: values.pop(w) for w in Weights.__dataclass_fields__ if w in values}
    if "candidates" in values:
        values["candidates"] = tuple(values["candidates"])
    try:
        return Scenario(name=path.stem, weights=Weights(**weights), **values)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from None


def _key(name: str) -> str:
    """Return a field's name as TOML writes it: in quotes where it is no plain word."""
    plain = re.fullmatch(r"[\w-]{1,30}(\.[\w-]{1,30})*", name, flags=re.ASCII)
    return name if plain else shown(name)


def _parse(path: Path) -> dict[str, Any]:
    try:
        content = tomllib.loads(_read(path).decode("utf-8-sig"))  # some editors write a mark first
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


def _flatten(path: Path, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``{"agent.level": 1, ...}``; a table where a value belongs, or not, is an error."""
    tables = {name.split(".")[0] for name in FIELDS if "." in name}
    flat: dict[str, Any] = {}
    for name, value in content.items():
        if name in tables and not isinstance(value, dict):
            raise InvalidInput(f"{path}: {name}: expected a table [{name}], not {shown(value)}")
        if "." in name:  # only quotes let a dot into a name
            raise InvalidInput(f"{path}: {shown(name)}: in quotes it is one name; leave them out")
        if name in tables:
            flat.update({f"{name}.{inner}": v for inner, v in value.items()})
        else:
            flat[name] = value
    return flat
