"""The fields of a scenario file, and what each may hold."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ipomdp.errors import InvalidInput
from ipomdp.quoting import shown

POLICIES = ("model", "random")
TRIES = ("paper", "retry")
HEARD_BY = ("mover", "both")
SIGHTS = ("own", "all")
SIDES = ("white", "black")
DEEPEST = 64
"""The highest level accepted: beyond it a number is a slip of the hand."""
FARTHEST = 16
"""The longest horizon accepted."""
MOST_PARTICLES = 1_000_000
HEAVIEST = 1e9
"""The largest weight accepted; utilities then neither overflow nor drown each other's digits."""


def checked(content: Mapping[str, object], fields: Mapping[str, Field]) -> dict[str, object]:
    """Return the values of a table by attribute; a field that is unknown or wrong is an error."""
    values: dict[str, object] = {}
    for name, value in content.items():
        if name not in fields:
            near = difflib.get_close_matches(name, fields, n=1)
            hint = f"did you mean {near[0]}?" if near else f"known are {_listed(fields)}"
            raise InvalidInput(f"{field_name(name)}: unknown field; {hint}")
        if problem := fields[name].problem(value):
            raise InvalidInput(f"{name}: {problem}")
        values[fields[name].attribute] = value
    return values


def _listed(fields: Mapping[str, Field]) -> str:
    """Return the names of fields, those of a table together: ``agent (level, horizon)``."""
    tables: dict[str, list[str]] = {}
    for name in fields:
        table, _, inner = name.partition(".")
        tables.setdefault(table, []).extend([inner] if inner else [])
    return ", ".join(f"{t} ({', '.join(inner)})" if inner else t for t, inner in tables.items())


def field_name(name: str) -> str:
    """Return a field's name as TOML writes it: in quotes where it is no plain word."""
    plain = re.fullmatch(r"[\w-]{1,30}(\.[\w-]{1,30})*", name, flags=re.ASCII)
    return name if plain else shown(name)


def flattened(content: Mapping[str, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
    """Return ``{"agent.level": 1, ...}``; a table where a value belongs, or not, is an error."""
    tables = {name.split(".")[0] for name in fields if "." in name}
    flat: dict[str, Any] = {}
    for name, value in content.items():
        if name in tables and not isinstance(value, dict):
            raise InvalidInput(f"{name}: expected a table [{name}], not {shown(value)}")
        if "." in name:  # only quotes let a dot into a name
            raise InvalidInput(f"{shown(name)}: in quotes it is one name; leave them out")
        if name in tables:
            flat.update({f"{name}.{inner}": v for inner, v in value.items()})
        else:
            flat[name] = value
    return flat


@dataclass(frozen=True, slots=True)
class Field:
    """One field of the file: the attribute it fills and the check its value must pass."""

    attribute: str
    check: Callable[[object], bool]
    expected: str

    def problem(self, value: object) -> str | None:
        """Return what is wrong with a value, or ``None``."""
        return None if self.check(value) else f"expected {self.expected}, not {shown(value)}"


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _number(value: object) -> float:
    """Return a number as a float; NaN, which passes no check, for all else and for one too big."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    try:
        return float(value)
    except OverflowError:
        return math.nan


def _is_weight(value: object) -> bool:
    return abs(_number(value)) <= HEAVIEST


def _is_rationality(value: object) -> bool:
    return 0 <= _number(value) <= 1e308 or value == math.inf


def _is_level(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= DEEPEST


def _is_horizon(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= FARTHEST


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31


def _is_refusals(value: object) -> bool:
    return _is_count(value) and value <= 31  # type: ignore[operator]


def _is_particles(value: object) -> bool:
    return _is_count(value) and 1 <= value <= MOST_PARTICLES  # type: ignore[operator]


def _is_share(value: object) -> bool:
    return 0 < _number(value) <= HEAVIEST


def _is_chance(value: object) -> bool:
    return 0 <= _number(value) <= 1


def _is_discount(value: object) -> bool:
    return 0 < _number(value) <= 1


def _is_move_list(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(m, str) for m in value)


def _is_moves(value: object) -> bool:
    return _is_move_list(value) and len(value) > 0  # type: ignore[arg-type]


def _is_list(value: object) -> bool:
    return isinstance(value, list | tuple) and len(value) > 0


def _one_of(*names: str) -> tuple[Callable[[object], bool], str]:
    return names.__contains__, " or ".join(f'"{name}"' for name in names)


def _weight(name: str) -> Field:
    return Field(name, _is_weight, "a number between -1e9 and 1e9")


_HORIZON = (_is_horizon, f"a number of decisions from 1 to {FARTHEST}")
_LEVEL = (_is_level, f"a natural number (0, 1, 2, ...) up to {DEEPEST}")
_RATIONALITY = (_is_rationality, "a number from 0 to 1e308, or inf")
_SHARE = (_is_share, "a number above 0")
_WEIGHTS = ("king_centrality", "queen_presence", "check", "checkmate", "draw")


FIELDS: dict[str, Field] = {
    "title": Field("title", _is_text, "text"),
    "description": Field("description", _is_text, "text"),
    "position.fen": Field("fen", _is_text, 'a position like "1q1k/4/4/K1Q1 w"'),
    "position.prior": Field(
        "prior", _is_list, 'a list like [{ fen = "1q1k/4/4/K1Q1 w", probability = 0.5 }, ...]'
    ),
    "position.white": Field("white", *_one_of(*SIGHTS)),
    "position.black": Field("black", *_one_of(*SIGHTS)),
    "position.sees": Field("sees", _is_text, "one of the positions of the prior"),
    "agent.level": Field("level", *_LEVEL),
    "agent.horizon": Field("horizon", *_HORIZON),
    "agent.candidates": Field(
        "candidates", _is_moves, 'a list of one or more moves like ["Qd1", "Qd2"]'
    ),
    "opponent.policy": Field("policy", *_one_of(*POLICIES)),
    "opponent.rationality": Field("rationality", *_RATIONALITY),
    "opponent.horizon": Field("opponent_horizon", *_HORIZON),
    "opponent.frames": Field("frames", _is_list, "tables [[opponent.frames]]"),
    "rules.tries": Field("tries", *_one_of(*TRIES)),
    "rules.illegal_heard_by": Field("illegal_heard_by", *_one_of(*HEARD_BY)),
    "belief.particles": Field(
        "particles", _is_particles, f"a number of particles from 1 to {MOST_PARTICLES}"
    ),
    "belief.exact_up_to": Field("exact_up_to", _is_count, "a natural number below 2^31"),
    "belief.seed": Field("seed", _is_count, "a natural number below 2^31"),
    **{f"utility.{name}": _weight(name) for name in _WEIGHTS},
    "history": Field("history", _is_list, "tables [[history]]"),
}
FRAME_FIELDS: dict[str, Field] = {
    "weight": Field("weight", *_SHARE),
    "level": Field("level", *_LEVEL),
    "policy": Field("policy", *_one_of(*POLICIES)),
    "rationality": Field("rationality", *_RATIONALITY),
    "horizon": Field("horizon", *_HORIZON),
    **{f"utility.{name}": _weight(name) for name in _WEIGHTS},
}
HISTORY_FIELDS: dict[str, Field] = {
    "by": Field("by", *_one_of(*SIDES)),
    "refused": Field("refused", _is_move_list, 'a list of moves like ["Qc4"]'),
    "move": Field("move", _is_text, 'a move like "Qd1"'),
    "heard": Field("heard", _is_text, 'an announcement like "Check by File"'),
    "refusals": Field("refusals", _is_refusals, "a number of refusals from 0 to 31"),
}
PRIOR_FIELDS: dict[str, Field] = {
    "fen": Field("fen", _is_text, 'a position like "1q1k/4/4/K1Q1 w"'),
    "probability": Field("probability", *_SHARE),
}
_CHANCE = (_is_chance, "a number from 0 to 1")
TIGER_FIELDS: dict[str, Field] = {
    "title": FIELDS["title"],
    "description": FIELDS["description"],
    "game.growl_accuracy": Field("growl_accuracy", *_CHANCE),
    "game.creak_accuracy": Field("creak_accuracy", *_CHANCE),
    "game.discount": Field("discount", _is_discount, "a number above 0, up to 1"),
    "belief.tiger_left": Field("tiger_left", *_CHANCE),
    "agent.level": FIELDS["agent.level"],
    "agent.horizon": FIELDS["agent.horizon"],
    "opponent.policy": FIELDS["opponent.policy"],
    "opponent.rationality": FIELDS["opponent.rationality"],
    "opponent.beliefs": Field("beliefs", _is_list, "tables [[opponent.beliefs]]"),
}
BELIEF_FIELDS: dict[str, Field] = {
    "tiger_left": Field("tiger_left", *_CHANCE),
    "weight": Field("weight", *_SHARE),
}
OPTIONS = [
    "title", "description", "fen", "level", "horizon", "candidates", "policy", "rationality",
    "opponent_horizon", "tries", "illegal_heard_by", "particles", "exact_up_to", "seed",
]  # fmt: skip
"""What may be changed in a scenario, by the names of its attributes."""
