"""Recorded games in the terminal: one move by move, or several as a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.text import Text

from ipomdp.fields import SIDES
from ipomdp.records import GameRecord
from ipomdp.show.board_text import beside, board_lines, look_of
from ipomdp.show.tables import table
from ipomdp.turn import Turn

HIDDEN = "?"
"""A move that the viewer does not know."""


def print_game(console: Console, played: GameRecord, side: str | None = None) -> None:
    """Print a game move by move: all of it, or what one side knew of it."""
    game, result = played.game, played.result
    viewer = None if side is None else SIDES.index(side)
    heading = f"{played.white or 'White'} v {played.black or 'Black'}, {game.name}"
    console.print(Text(heading if side is None else f"{heading}, seen by {side}", style="bold"))
    seen = (0, 1) if viewer is None else (viewer,)
    _print_board(console, played, result.start, (0, 1), ["the start, which both know"], viewer)
    black_first = game.turn(result.start)
    after = [*(turn.state for turn in result.turns[1:]), result.final]
    for k, (turn, state) in enumerate(zip(result.turns, after, strict=False), start=black_first):
        number = f"{k // 2 + 1}.{'..' * (k % 2)}"
        words = _words(played, turn, number, viewer)
        _print_board(console, played, state, seen, words, viewer)
    if told := _refused(played, game.turn(result.final), result.refused, viewer):
        console.print(f"{SIDES[game.turn(result.final)].capitalize()} to move; {told}")
    detail = f": {result.detail}" if result.detail and viewer is None else ""
    console.print(Text(f"{played.outcome} {result.reason}{detail}", style="bold"))


def print_games(console: Console, games: Mapping[int, GameRecord]) -> None:
    """Print games as a list, by their numbers."""
    columns = ("game", "board", "white", "black", "result", "reason", "moves")
    listed = table(*columns, right=("game", "moves"))
    for number, played in games.items():
        moves = str(len(played.result.turns))
        names = (played.white or HIDDEN, played.black or HIDDEN)
        listed.add_row(
            str(number), played.game.name, *names, played.outcome, played.result.reason, moves
        )
    console.print(listed)
    console.print("--game N shows one of them.")


def _print_board(
    console: Console,
    played: GameRecord,
    state: int,
    seen: tuple[int, ...],
    words: Sequence[str],
    viewer: int | None,
) -> None:
    """Print the pieces of the sides that are seen, with words beside them."""
    game = played.game
    pieces: dict[str, str] = {}
    for side in seen:
        pieces |= game.pieces(state, side)
    lines = board_lines(game.size, pieces, None, viewer or 0, look=look_of(console))
    room = console.width - lines[0].cell_len - 3
    wrapped = [line for text in words for line in Text(text).wrap(console, room)]
    console.print()
    for line in beside(lines, wrapped):
        console.print(line)


def _words(played: GameRecord, turn: Turn, number: str, viewer: int | None) -> list[str]:
    """Return a turn in words, as far as a viewer knows it."""
    game = played.game
    move = game.actions[turn.action] if viewer in (None, turn.player) else HIDDEN
    refused = _refused(played, turn.player, turn.refused, viewer)
    by = SIDES[turn.player].capitalize()
    words = [f"{number} {by} {move}", f"heard: {game.say(turn.heard)}"]
    return [words[0], refused, words[1]] if refused else words


def _refused(played: GameRecord, mover: int, refused: tuple[int, ...], viewer: int | None) -> str:
    """Return what a viewer knows of the tries refused in a turn."""
    if not refused:
        return ""
    if viewer in (None, mover):
        return f"refused: {' '.join(played.game.actions[a] for a in refused)}"
    if not played.rules.audible:
        return ""
    return f"{len(refused)} tries refused" if len(refused) > 1 else "a try refused"
