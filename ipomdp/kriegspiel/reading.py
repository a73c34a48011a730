"""Scenario files of 4x4 Kriegspiel: from parsed TOML to a scenario."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from ipomdp.errors import InvalidInput
from ipomdp.fields import (
    FIELDS,
    FRAME_FIELDS,
    HISTORY_FIELDS,
    PRIOR_FIELDS,
    checked,
    flattened,
)
from ipomdp.kriegspiel.evaluation import Weights
from ipomdp.kriegspiel.scenario import Entry, Mind, Placed, Scenario
from ipomdp.quoting import shown


def read_kriegspiel(name: str, content: Mapping[str, Any]) -> Scenario:
    """Return the scenario in a parsed file; errors name the field."""
    flat = flattened({k: v for k, v in content.items() if k != "game"}, FIELDS)
    values: dict[str, Any] = checked(flat, FIELDS)
    if "fen" not in values and "prior" not in values:
        raise InvalidInput("position.fen: missing; expected a position")
    if "candidates" in values:
        values["candidates"] = tuple(values["candidates"])
    weights = _weights(values, Weights())
    for part, inner, path in (
        ("prior", PRIOR_FIELDS, "position.prior"),
        ("history", HISTORY_FIELDS, "history"),
        ("frames", FRAME_FIELDS, "opponent.frames"),
    ):
        if part in values:
            values[part] = _tables(values[part], inner, path)
    if "prior" in values:
        values["prior"] = tuple(
            Placed(**_needing(t, "position.prior", k, "fen"))
            for k, t in enumerate(values["prior"], start=1)
        )
    if "history" in values:
        values["history"] = tuple(
            Entry(**{**_needing(t, "history", k, "by"), "refused": tuple(t.get("refused", ()))})
            for k, t in enumerate(values["history"], start=1)
        )
    if "frames" in values:
        shared = {k: values[k] for k in ("rationality",) if k in values}
        if "opponent_horizon" in values:
            shared["horizon"] = values["opponent_horizon"]
        values["frames"] = tuple(
            Mind(**{"weights": _weights(t, weights), **shared, **t}) for t in values["frames"]
        )
        deepest = max(m.level if m.policy == "model" else 0 for m in values["frames"])
        values.setdefault("level", 1 + deepest)
    return Scenario(name=name, weights=weights, **values)


def _weights(values: dict[str, Any], default: Weights) -> Weights:
    given = {w.name: values.pop(w.name) for w in fields(Weights) if w.name in values}
    return replace(default, **given)


def _tables(items: Iterable[object], inner: Mapping[str, Any], path: str) -> list[dict[str, Any]]:
    """Return the tables of a list, each field checked."""
    found = []
    for k, item in enumerate(items, start=1):
        if not isinstance(item, dict):
            raise InvalidInput(f"{path}: expected a table as entry {k}, not {shown(item)}")
        try:
            found.append(checked(flattened(item, inner), inner))
        except InvalidInput as error:
            raise InvalidInput(f"{path}, entry {k}: {error}") from None
    return found


def _needing(table: dict[str, Any], path: str, entry: int, name: str) -> dict[str, Any]:
    if name not in table:
        raise InvalidInput(f"{path}, entry {entry}: {name}: missing")
    return table
