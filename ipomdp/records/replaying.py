"""From the JSON form back to a game: the referee makes every move again and checks all of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from ipomdp.arena.match import GameResult
from ipomdp.engine.step import Rules
from ipomdp.errors import InvalidInput
from ipomdp.fields import FIELDS, HISTORY_FIELDS, SIDES, Field
from ipomdp.game import BoardGame
from ipomdp.players.roster import BOARDS, board_game
from ipomdp.quoting import shown
from ipomdp.records.endings import said_ending
from ipomdp.records.game_record import OUTCOMES, REASONS, GameRecord, one_line
from ipomdp.turn import Turn


def _text(name: str, expected: str) -> Field:
    return Field(name, lambda value: isinstance(value, str), expected)


def _one_of(name: str, names: tuple[str, ...]) -> Field:
    return Field(name, names.__contains__, " or ".join(f'"{n}"' for n in names))


def _player(name: str) -> Field:
    return Field(name, lambda value: isinstance(value, str | dict), "a name")


RECORD_FIELDS: dict[str, Field] = {
    "board": _one_of("board", BOARDS),
    "start": _text("start", 'a position like "1q1k/4/4/K1Q1 w"'),
    "tries": FIELDS["rules.tries"],
    "illegal_heard_by": FIELDS["rules.illegal_heard_by"],
    "moves": Field("moves", lambda value: isinstance(value, list), "a list of moves"),
    "white": _player("white"),
    "black": _player("black"),
    "result": _one_of("result", OUTCOMES),
    "reason": _one_of("reason", REASONS),
    "detail": _text("detail", "text"),
    "refused": HISTORY_FIELDS["refused"],
}
MOVE_FIELDS: dict[str, Field] = {n: HISTORY_FIELDS[n] for n in ("by", "refused", "move", "heard")}


def read_record(content: object, game: BoardGame | None = None) -> GameRecord:
    """Return the game in a parsed record; fields that are not known are kept as they are."""
    if not isinstance(content, dict):
        raise InvalidInput(f"expected a game, {{...}}, not {_written(content)}")
    if "view" in content:
        raise InvalidInput(
            f"view: what one side knows, {shown(content['view'])}; expected a whole game"
        )
    values = _checked(content, RECORD_FIELDS, needed=("start", "tries", "moves"))
    game = referee(values.get("board", "4x4"), game)
    try:
        start = game.read(values["start"])
    except InvalidInput as error:
        raise InvalidInput(f"start: {error}") from None
    if game.over(np.array([start]))[0]:
        raise InvalidInput(f"start: the game is over in {game.describe(start)}")
    retry = values["tries"] == "retry"
    rules = Rules(retry=retry, audible=retry and values.get("illegal_heard_by") == "both")
    turns, final = _turns(game, rules, start, values["moves"])
    winner, reason = said_ending(game, final, turns, values)
    refused = _refused(game, rules, final, values.get("refused", ()))
    if refused and game.over(np.array([final]))[0]:
        raise InvalidInput(f"refused: the game is over in {game.describe(final)}")
    return GameRecord(
        game=game,
        result=GameResult(
            start=start, turns=turns, final=final, winner=winner, reason=reason,
            detail=one_line(values.get("detail", "")), refused=refused,
        ),
        rules=rules,
        white=_name(values.get("white", "")),
        black=_name(values.get("black", "")),
        more={name: value for name, value in content.items() if name not in RECORD_FIELDS},
    )  # fmt: skip


@cache
def _shared(board: str) -> BoardGame:
    """Return the referee of a board; one is enough for all records."""
    return board_game(board)


def referee(board: object, game: BoardGame | None = None) -> BoardGame:
    """Return the game on a board, which must be the one given if one is."""
    if problem := RECORD_FIELDS["board"].problem(board):
        raise InvalidInput(f"board: {problem}")
    if game is None:
        return _shared(str(board))
    if game.name != board:
        raise InvalidInput(
            f"board: expected {shown(game.name)}, which is all this can use, not {shown(board)}"
        )
    return game


def _turns(
    game: BoardGame, rules: Rules, start: int, moves: list[object]
) -> tuple[tuple[Turn, ...], int]:
    """Return the turns as the referee saw them, and the state after them."""
    turns: list[Turn] = []
    state = start
    for entry, move in enumerate(moves, start=1):
        try:
            turn, state = _turn(game, rules, state, move)
        except InvalidInput as error:
            raise InvalidInput(f"moves, entry {entry}: {error}") from None
        turns.append(turn)
    return tuple(turns), state


def _turn(game: BoardGame, rules: Rules, state: int, content: object) -> tuple[Turn, int]:
    """Return a turn as the referee saw it, and the state after it."""
    if not isinstance(content, dict):
        raise InvalidInput(f"expected a move, {{...}}, not {_written(content)}")
    values = _checked(content, MOVE_FIELDS, needed=("by", "move"))
    here = np.array([state])
    if game.over(here)[0]:
        raise InvalidInput(f"by: the game is over in {game.describe(state)}")
    side = game.turn(state)
    if values["by"] != SIDES[side]:
        raise InvalidInput(f"by: it is {SIDES[side]}'s turn, not {values['by']}'s")
    refused = _refused(game, rules, state, values.get("refused", ()))
    action, legal = _action(game, values["move"], "move"), game.legal(here, side)[0]
    if not legal[action]:
        names = ", ".join(game.actions[a] for a in np.flatnonzero(legal))
        raise InvalidInput(
            f"move: {game.actions[action]} is illegal in {game.describe(state)}; legal are {names}"
        )
    act = np.array([action])
    out = game.play(here, (act, None) if side == 0 else (None, act))
    heard = int(out.heard[0][0])
    said = values.get("heard", game.say(heard))
    if said != game.say(heard):
        raise InvalidInput(
            f"heard: after {game.actions[action]} in {game.describe(state)} the referee says "
            f"{shown(game.say(heard))}, not {shown(said)}"
        )
    return Turn(side, state, action, heard, refused), int(out.successor[0])


def _refused(game: BoardGame, rules: Rules, state: int, tries: list[str]) -> tuple[int, ...]:
    """Return tries that the referee refuses; one that it would not is an error."""
    if not tries:
        return ()
    if not rules.retry:
        raise InvalidInput('refused: nothing is tried again unless tries is "retry"')
    refused = tuple(_action(game, move, "refused") for move in tries)
    legal = game.legal(np.array([state]), game.turn(state))[0]
    for action in refused:
        if legal[action]:
            raise InvalidInput(
                f"refused: {game.actions[action]} is legal in {game.describe(state)}"
            )
    return refused


def _action(game: BoardGame, move: str, name: str) -> int:
    found = _numbers(game.actions).get(move)
    if found is None:
        like = "Qd1" if "Qd1" in game.actions else "e2e4"
        raise InvalidInput(f"{name}: expected a move like {like}, not {shown(move)}")
    return found


@cache
def _numbers(actions: tuple[str, ...]) -> Mapping[str, int]:
    return {name: number for number, name in enumerate(actions)}


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


def _name(value: str | Mapping[str, object]) -> str:
    """Return a player's name; files of before say how it thought, {"level": 1, ...}."""
    if isinstance(value, str):
        return one_line(value)
    return one_line(", ".join(f"{k} {v}" for k, v in value.items()))


def _written(value: object) -> str:
    return "null" if value is None else shown(value)
