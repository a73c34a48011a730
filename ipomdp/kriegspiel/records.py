"""Records of games: JSON, one game in a file or one in each line; everything in them is checked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ipomdp.engine.step import Rules
from ipomdp.errors import InvalidInput
from ipomdp.fields import FIELDS, HISTORY_FIELDS, Field
from ipomdp.kriegspiel.board import SIDES
from ipomdp.kriegspiel.referee import announcements
from ipomdp.kriegspiel.rules import Kriegspiel4x4
from ipomdp.quoting import shown
from ipomdp.study.likelihood import Play, Ply

LINES = (".jsonl", ".ndjson")
"""Endings of files that hold a game in each line."""

RECORD_FIELDS: dict[str, Field] = {
    "start": FIELDS["position.fen"],
    "tries": FIELDS["rules.tries"],
    "illegal_heard_by": FIELDS["rules.illegal_heard_by"],
    "moves": Field(
        "moves", lambda v: isinstance(v, list) and len(v) > 0, "a list of one or more moves"
    ),
}
MOVE_FIELDS: dict[str, Field] = {n: HISTORY_FIELDS[n] for n in ("by", "refused", "move", "heard")}


def record(play: Play, **more: object) -> dict[str, object]:
    """Return a game as a record, with more fields if wanted."""
    game = Kriegspiel4x4()
    names, rules = game.actions, play.rules
    moves = []
    for ply in play.plies:
        move: dict[str, object] = {"by": SIDES[ply.player]}
        if ply.refused:
            move["refused"] = [names[a] for a in ply.refused]
        moves.append({**move, "move": names[ply.action], "heard": game.say(ply.heard)})
    return {
        "start": game.describe(play.start),
        "tries": "retry" if rules.retry else "paper",
        "illegal_heard_by": "both" if rules.audible else "mover",
        "moves": moves,
        **more,
    }


def read_records(path: Path) -> tuple[list[Play], list[str]]:
    """Return the games in a file, and what is wrong with those left out; each names its place."""
    plays: list[Play] = []
    problems: list[str] = []
    for where, text in _texts(path):
        try:
            plays.append(read_record(_parsed(text, whole=where == str(path))))
        except InvalidInput as error:
            problems.append(f"{where}: {error}")
    if not plays and not problems:
        raise InvalidInput(f"{path}: empty; expected a game as JSON, or one in each line")
    return plays, problems


def read_record(content: object) -> Play:
    """Return the game in a parsed record; fields that are not known are left to others."""
    if not isinstance(content, dict):
        raise InvalidInput(f"expected a game, {{...}}, not {_written(content)}")
    values = _checked(content, RECORD_FIELDS, needed=("start", "tries", "moves"))
    game = Kriegspiel4x4()
    try:
        state = start = game.read(values["start"])
    except InvalidInput as error:
        raise InvalidInput(f"start: {error}") from None
    retry = values["tries"] == "retry"
    rules = Rules(retry=retry, audible=retry and values.get("illegal_heard_by") == "both")
    plies: list[Ply] = []
    for entry, move in enumerate(values["moves"], start=1):
        try:
            ply = _read_move(game, rules, state, move)
        except InvalidInput as error:
            raise InvalidInput(f"moves, entry {entry}: {error}") from None
        plies.append(ply)
        state = int(game.moves(np.array([state])).successor[0, ply.action])
    return Play(start, rules, tuple(plies))


def _read_move(game: Kriegspiel4x4, rules: Rules, state: int, content: object) -> Ply:
    """Return a turn as the referee saw it."""
    if not isinstance(content, dict):
        raise InvalidInput(f"expected a move, {{...}}, not {_written(content)}")
    values = _checked(content, MOVE_FIELDS, needed=("by", "move"))
    side, where = game.turn(state), game.describe(state)
    if game.over(np.array([state]))[0]:
        raise InvalidInput(f"by: the game is over in {where}")
    if values["by"] != SIDES[side]:
        raise InvalidInput(f"by: it is {SIDES[side]}'s turn, not {values['by']}'s")
    legal, _, announcement = (part[0] for part in game.moves(np.array([state])))
    refused = tuple(_action(game, move, "refused") for move in values.get("refused", ()))
    if refused and not rules.retry:
        raise InvalidInput('refused: nothing is tried again unless tries is "retry"')
    for action in refused:
        if legal[action]:
            raise InvalidInput(f"refused: {game.actions[action]} is legal in {where}")
    action = _action(game, values["move"], "move")
    if not legal[action]:
        names = ", ".join(game.actions[a] for a in np.flatnonzero(legal))
        raise InvalidInput(f"move: {game.actions[action]} is illegal in {where}; legal are {names}")
    heard = int(announcement[action])
    said = values.get("heard", announcements()[heard])
    if said != announcements()[heard]:
        raise InvalidInput(
            f"heard: after {game.actions[action]} in {where} the referee says "
            f"{shown(announcements()[heard])}, not {shown(said)}"
        )
    return Ply(side, state, action, heard, refused)


def _checked(
    content: Mapping[str, Any], fields: Mapping[str, Field], needed: tuple[str, ...]
) -> dict[str, Any]:
    """Return the known fields, their values checked; one that is null counts as left out."""
    values = {name: content[name] for name in fields if content.get(name) is not None}
    for name in needed:
        if name not in values:
            raise InvalidInput(f"{name}: missing; expected {fields[name].expected}")
    for name, value in values.items():
        if problem := fields[name].problem(value):
            raise InvalidInput(f"{name}: {problem}")
    return values


def _action(game: Kriegspiel4x4, move: str, name: str) -> int:
    if move not in game.actions:
        raise InvalidInput(f"{name}: expected a move like Qd1, not {shown(move)}")
    return game.actions.index(move)


def _texts(path: Path) -> Iterator[tuple[str, bytes]]:
    """Return the texts of the games in a file, with where they stand."""
    whole = _read(path).removeprefix(b"\xef\xbb\xbf")  # some editors write a mark first
    lines = [(k, line) for k, line in enumerate(whole.splitlines(), start=1) if line.strip()]
    if path.suffix.lower() in LINES or any(_is_game(line) for _, line in lines):
        for k, line in lines:
            yield f"{path}, line {k}", line
    elif lines:
        yield str(path), whole


def _is_game(line: bytes) -> bool:
    """Return whether a line holds a game by itself."""
    try:
        content = _parsed(line)
    except InvalidInput:
        return False
    return isinstance(content, dict) and not {"start", "moves"}.isdisjoint(content)


def _parsed(text: bytes, *, whole: bool = False) -> object:
    """Return what a text holds; errors name the line if it is a whole file."""
    try:
        return json.loads(text.decode())
    except UnicodeDecodeError:
        raise InvalidInput("not text; expected a game as JSON") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, " if whole else ""
        raise InvalidInput(f"not valid JSON ({place}column {error.colno}): {error.msg}") from None
    except ValueError:  # Python's own limit
        raise InvalidInput("not valid JSON: a number has too many digits") from None
    except RecursionError:
        raise InvalidInput("not a game: nested too deeply") from None


def _written(value: object) -> str:
    return "null" if value is None else shown(value)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        raise InvalidInput(f"{path}: no such file; expected records of games") from None
    except IsADirectoryError:
        raise InvalidInput(f"{path}: a directory; expected records of games") from None
    except (OSError, ValueError) as error:  # a name with a zero byte is a ValueError
        reason = getattr(error, "strerror", None) or error
        raise InvalidInput(f"{path}: cannot be read: {reason}") from None
