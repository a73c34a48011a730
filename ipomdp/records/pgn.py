"""Games as PGN: the moves as chess players write them, the tries and announcements in comments.

A turn is written in the order in which it happened,
``{Black tries: Kc3? Kc4?} 1... Kd3 {heard: Silent}``; the tries refused in a turn never
finished stand last. On 8x8 python-chess translates the moves; on boards that it cannot play, a move
is the name of its action.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ipomdp.errors import InvalidInput
from ipomdp.fields import SIDES
from ipomdp.game import BoardGame
from ipomdp.quoting import shown
from ipomdp.records.game_record import REASONS, GameRecord
from ipomdp.records.pgn_text import Comment, Move, Token, read_text, write_text
from ipomdp.records.replaying import read_record, referee

VARIANT = "Kriegspiel"
CHESS = "8x8"
"""The board of python-chess, and of a PGN that names none."""
UNKNOWN = "?"
_HEARD = re.compile(r"heard: (.*)")
_TRIES = re.compile(r"(White|Black) tries: (.*)")
_TAGS = {
    "board": "Board",
    "start": "FEN",
    "tries": "Tries",
    "illegal_heard_by": "IllegalHeardBy",
    "result": "Result",
    "reason": "Termination",
}
"""The tags behind fields of a record."""


def write_pgn(played: GameRecord) -> str:
    """Return a game as PGN."""
    game, result = played.game, played.result
    names = [game.actions[turn.action] for turn in result.turns]
    if game.name == CHESS:
        names = _to_san(names, game.describe(result.start))
    tokens: list[Token] = []
    for turn, name in zip(result.turns, names, strict=True):
        tokens += _tried(game, turn.player, turn.refused)
        tokens += [Move(name), Comment(f"heard: {game.say(turn.heard)}")]
    tokens += _tried(game, game.turn(result.final), result.refused)
    black_first = game.turn(result.start) == 1
    return write_text(_tags(played), tokens, played.outcome, black_first=black_first)


def read_pgn(text: str, game: BoardGame | None = None) -> GameRecord:
    """Return the game in a PGN text, every move made again by the referee."""
    tags, tokens, result = read_text(text)
    variant = tags.get("Variant", VARIANT)
    if variant != VARIANT:
        raise InvalidInput(f"Variant: expected {shown(VARIANT)}, not {shown(variant)}")
    content: dict[str, object] = {"tries": "retry", "board": CHESS, "result": result}
    content |= {field: tags[tag] for field, tag in _TAGS.items() if tag in tags}
    content |= {side: _known(tags.get(side.capitalize(), UNKNOWN)) for side in SIDES}
    content["detail"] = tags.get("Detail", "")
    if content.get("reason") not in REASONS:  # others write "normal" for what the moves show
        content.pop("reason", None)
    try:
        game = referee(content["board"], game)
        content.setdefault("start", game.describe(game.start))
        start = game.read(str(content["start"]))
    except InvalidInput as error:
        field = "" if str(error).startswith("board: ") else "start: "
        raise _in_tags(f"{field}{error}") from None
    content["moves"], content["refused"] = _moves(game, start, tokens)
    try:
        return read_record(content, game)
    except InvalidInput as error:
        raise _in_tags(str(error)) from None


def _tags(played: GameRecord) -> dict[str, str]:
    """Return the tags of a game: the seven that PGN demands, then those that are needed."""
    game, result, rules = played.game, played.result, played.rules
    tags = {
        "Event": VARIANT,
        "Site": UNKNOWN,
        "Date": "????.??.??",
        "Round": UNKNOWN,
        "White": played.white or UNKNOWN,
        "Black": played.black or UNKNOWN,
        "Result": played.outcome,
        "Variant": VARIANT,
        "Termination": result.reason,
    }
    start = game.describe(result.start)
    if game.name != CHESS:
        tags |= {"Board": game.name, "SetUp": "1", "FEN": start}
    elif result.start != game.start:
        tags |= {"SetUp": "1", "FEN": f"{start} 0 1"}  # the counts of moves, which all FEN have
    if not rules.retry:
        tags["Tries"] = "paper"
    if rules.audible:
        tags["IllegalHeardBy"] = "both"
    if result.detail:
        tags["Detail"] = result.detail
    return tags


def _tried(game: BoardGame, player: int, refused: Sequence[int]) -> list[Token]:
    """Return the comment on tries that were refused, if there were any."""
    if not refused:
        return []
    names = " ".join(f"{game.actions[action]}?" for action in refused)
    return [Comment(f"{SIDES[player].capitalize()} tries: {names}")]


def _moves(
    game: BoardGame, start: int, tokens: Sequence[Token]
) -> tuple[list[dict[str, object]], list[str]]:
    """Return the moves in their JSON form, and the tries of a turn never finished."""
    names = [token.name for token in tokens if isinstance(token, Move)]
    if game.name == CHESS:
        names = _from_san(names, game.describe(start))
    side = game.turn(start)
    moves: list[dict[str, object]] = []
    refused: list[str] = []
    for token in tokens:
        if isinstance(token, Move):
            made = {"by": SIDES[side], "move": names[len(moves)]}
            moves.append({**made, "refused": refused})
            side, refused = 1 - side, []
        elif (tried := _TRIES.fullmatch(token.text)) is not None:
            if tried[1].lower() != SIDES[side]:
                raise InvalidInput(
                    f"moves, entry {len(moves) + 1}: it is {SIDES[side]}'s turn "
                    f"in {shown(token.text)}"
                )
            refused += [name.removesuffix("?") for name in tried[2].split()]
        elif (said := _HEARD.fullmatch(token.text)) is not None and moves:
            moves[-1]["heard"] = said[1]
    return moves, refused


def _to_san(names: Sequence[str], start: str) -> list[str]:
    """Return moves like ``e2e4`` as chess players write them."""
    import chess

    board, written = chess.Board(start), []
    for name in names:
        move = chess.Move.from_uci(name)
        written.append(board.san(move))
        board.push(move)
    return written


def _from_san(names: Sequence[str], start: str) -> list[str]:
    """Return moves as chess players write them as ``e2e4``."""
    import chess

    board, read = chess.Board(start), []
    for entry, name in enumerate(names, start=1):
        try:
            move = board.parse_san(name)
        except ValueError:
            where = board.fen().rsplit(" ", maxsplit=2)[0]
            raise InvalidInput(
                f"moves, entry {entry}: move: expected a legal move in {where}, not {shown(name)}"
            ) from None
        read.append(move.uci())
        board.push(move)
    return read


def _known(name: str) -> str:
    return "" if name == UNKNOWN else name


def _in_tags(problem: str) -> InvalidInput:
    """Return what is wrong with a field as what is wrong with the tag that fills it."""
    field, colon, rest = problem.partition(": ")
    return InvalidInput(f"{_TAGS.get(field, field)}{colon}{rest}")
