"""Scenarios: one TOML file per decision problem, validated field by field."""

from __future__ import annotations

import difflib
import math
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from ipomdp.errors import InvalidInput
from ipomdp.kriegspiel import Evaluation, Kriegspiel4x4, Weights
from ipomdp.model import Frame, nested

POLICIES = ("model", "random")
TRIES = ("paper",)


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
        for path, entry in _FIELDS.items():
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
                    f"agent.candidates: {move!r} is not legal in {self.fen}; "
                    f"legal are {', '.join(names)}"
                )
        if self.candidates and len(set(self.candidates)) < len(self.candidates):
            raise InvalidInput(f"agent.candidates: a move is listed twice in {self.candidates}")

    def frame(self) -> Frame:
        """Return i's frame, with those it imagines inside it."""
        utility = Evaluation(self.weights)
        if self.policy == "random" and self.level > 0:
            uniform = Frame(utility=utility, rationality=0.0)
            return Frame(utility=utility, rationality=self.rationality, opponent=uniform)
        return nested(self.level, utility=utility, rationality=self.rationality)

    def with_options(self, **changes: object) -> Scenario:
        """Return the scenario with fields overridden by options, checked like a file's fields."""
        given = {name: value for name, value in changes.items() if value is not None}
        for name, value in given.items():
            problem = _FIELDS[_OPTION_FIELDS[name]].problem(value)
            if problem:
                raise InvalidInput(f"--{_OPTION_NAMES.get(name, name)}: {problem}")
        return replace(self, **given)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of the file: the attribute it fills and the check its value must pass."""

    attribute: str
    check: Callable[[object], bool]
    expected: str

    def problem(self, value: object) -> str | None:
        """Return what is wrong with a value, or ``None``."""
        return None if self.check(value) else f"expected {self.expected}, not {_shown(value)}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."  # one line of a terminal


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_finite(value: object) -> bool:
    return _is_number(value) and math.isfinite(float(value))  # type: ignore[arg-type]


def _is_rationality(value: object) -> bool:
    return _is_number(value) and float(value) >= 0  # type: ignore[arg-type] # NaN is not >= 0


def _is_level(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_move_list(value: object) -> bool:
    return (
        isinstance(value, list | tuple)
        and len(value) > 0
        and all(isinstance(m, str) for m in value)
    )


def _one_of(*names: str) -> tuple[Callable[[object], bool], str]:
    return names.__contains__, " or ".join(f'"{name}"' for name in names)


def _weight(name: str) -> _Field:
    return _Field(name, _is_finite, "a finite number")


_FIELDS: dict[str, _Field] = {
    "title": _Field("title", _is_text, "text"),
    "description": _Field("description", _is_text, "text"),
    "position.fen": _Field("fen", _is_text, "a position like '1q1k/4/4/K1Q1 w'"),
    "agent.level": _Field("level", _is_level, "a natural number (0, 1, 2, ...)"),
    "agent.candidates": _Field(
        "candidates", _is_move_list, 'a list of one or more moves like ["Qd1", "Qd2"]'
    ),
    "opponent.policy": _Field("policy", *_one_of(*POLICIES)),
    "opponent.rationality": _Field("rationality", _is_rationality, "a number >= 0, or inf"),
    "rules.tries": _Field("tries", *_one_of(*TRIES)),
    "utility.king_centrality": _weight("king_centrality"),
    "utility.queen_presence": _weight("queen_presence"),
    "utility.check": _weight("check"),
    "utility.checkmate": _weight("checkmate"),
    "utility.draw": _weight("draw"),
}
_OPTION_FIELDS = {f.attribute: path for path, f in _FIELDS.items()}
_OPTION_NAMES = {"policy": "opponent"}


def scenarios_folder() -> Path:
    """Return where the bundled scenarios are: inside an installed package, or beside a checkout."""
    packaged = Path(__file__).parent / "_scenarios"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent / "scenarios"


def bundled_scenarios() -> tuple[str, ...]:
    """Return the names of the scenarios that ship with the package."""
    return tuple(sorted(path.stem for path in scenarios_folder().glob("*.toml")))


def load_scenario(name_or_file: str | Path) -> Scenario:
    """Return a bundled scenario by its name, or the one in a file."""
    text = str(name_or_file)
    if text in bundled_scenarios():
        return read_scenario(scenarios_folder() / f"{text}.toml")
    path = Path(name_or_file)
    if not path.exists():
        near = difflib.get_close_matches(text, bundled_scenarios(), n=1)
        hint = f"did you mean {near[0]!r}?" if near else "`ipomdp scenarios` lists the bundled ones"
        raise InvalidInput(f"{text}: neither a file nor a bundled scenario; {hint}")
    return read_scenario(path)


def read_scenario(path: Path) -> Scenario:
    """Return the scenario in a TOML file; every error names the file and the field."""
    content = _flatten(path, _parse(path))
    values: dict[str, Any] = {}
    for name, value in content.items():
        if name not in _FIELDS:
            near = difflib.get_close_matches(name, _FIELDS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(_FIELDS)}"
            raise InvalidInput(f"{path}: {name}: unknown field; {hint}")
        if problem := _FIELDS[name].problem(value):
            raise InvalidInput(f"{path}: {name}: {problem}")
        values[_FIELDS[name].attribute] = value
    if "fen" not in values:
        raise InvalidInput(f"{path}: position.fen: missing; expected a position")
    weights = {w: values.pop(w) for w in Weights.__dataclass_fields__ if w in values}
    if "candidates" in values:
        values["candidates"] = tuple(values["candidates"])
    try:
        return Scenario(name=path.stem, weights=Weights(**weights), **values)
    except InvalidInput as error:
        raise InvalidInput(f"{path}: {error}") from None


def _parse(path: Path) -> dict[str, Any]:
    try:
        content = tomllib.loads(path.read_bytes().decode())
    except UnicodeDecodeError:
        raise InvalidInput(f"{path}: not a text file; expected a scenario in TOML") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"{path}: not valid TOML: {error}") from None
    except IsADirectoryError:
        raise InvalidInput(f"{path}: a directory; expected a scenario file in TOML") from None
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be read: {error.strerror or error}") from None
    if not content:
        raise InvalidInput(f"{path}: empty; expected a scenario with at least position.fen")
    return content


def _flatten(path: Path, content: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``{"agent.level": 1, ...}``; a table where a value belongs, or not, is an error."""
    tables = {name.split(".")[0] for name in _FIELDS if "." in name}
    flat: dict[str, Any] = {}
    for name, value in content.items():
        if name in tables and not isinstance(value, dict):
            raise InvalidInput(f"{path}: {name}: expected a table [{name}], not {_shown(value)}")
        if name in tables:
            flat.update({f"{name}.{inner}": v for inner, v in value.items()})
        else:
            flat[name] = value
    return flat
