"""Records of games: JSON and PGN say all about a game, a view says what one side knew."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import chess.pgn
import numpy as np
import pytest

from ipomdp.arena.match import GameResult, play_game
from ipomdp.engine.step import Rules
from ipomdp.errors import InvalidInput
from ipomdp.fields import SIDES
from ipomdp.game import BoardGame
from ipomdp.players.chance import RandomPlayer
from ipomdp.players.roster import BOARDS, board_game
from ipomdp.records import (
    GameRecord,
    read_pgn,
    read_record,
    read_records,
    record,
    result_so_far,
    view,
    write_pgn,
)
from ipomdp.turn import Turn

FEN = "1q1k/4/4/K1Q1 w"
QD1 = {"by": "white", "move": "Qd1", "heard": "Check by File"}
QD2 = {"by": "white", "move": "Qd2", "heard": "Check by File"}
KC4 = {"by": "black", "refused": ["Kc3"], "move": "Kc4", "heard": "Silent"}
PLAYED = cache(board_game)
"""One referee of each board: states can be compared."""
STARTS = {
    "8x8": ["r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6", "8/P6k/8/8/8/8/7p/K7 b - -"],
    "4x4": ["1q1k/4/4/K1Q1 b", "3k/4/K3/1Q2 b"],
}
"""Where not every game starts: castling, taking in passing, promotion; Black to move."""


def content(*moves: object, **fields: object) -> dict[str, Any]:
    return {"start": FEN, "tries": "retry", "moves": list(moves), **fields}


def random_game(board: str, seed: int, longest: int = 60) -> tuple[BoardGame, GameResult]:
    game, rng = PLAYED(board), np.random.default_rng(seed)
    start = None
    if others := STARTS.get(board, [])[: seed % 3]:
        start = game.read(others[-1])
    players = (RandomPlayer(game), RandomPlayer(game))
    return game, play_game(game, players, rng, start=start, longest=longest)


def cut_short(game: BoardGame, result: GameResult, seed: int) -> GameResult:
    """Return the game as it was before its end, perhaps in the midst of a turn or given up."""
    rng = np.random.default_rng(seed)
    turns = result.turns[: rng.integers(len(result.turns))]
    short = result_so_far(game, result.start, turns)
    if rng.random() < 0.5:
        refused = result.turns[len(turns)].refused
        short = replace(short, refused=refused[: rng.integers(len(refused) + 1)])
    reason = str(rng.choice(["unfinished", "length", "resigned", "crash", "time"]))
    winner = int(rng.integers(2)) if reason in ("resigned", "crash", "time") else None
    detail = 'ValueError: no "square" \\ {e9}' if reason == "crash" else ""
    return replace(short, reason=reason, winner=winner, detail=detail)


def random_records(board: str, count: int) -> Iterator[tuple[BoardGame, GameResult]]:
    for seed in range(count):
        game, result = random_game(board, seed)
        yield game, cut_short(game, result, seed) if seed % 2 else result


# One form for every board.


@pytest.mark.parametrize("board", BOARDS)
def test_json_says_all_about_a_game(board: str) -> None:
    reasons = set()
    for game, result in random_records(board, 40):
        written = record(game, result, white="random", black="hs:boards=200", seed=7)
        read = read_record(json.loads(json.dumps(written)), game)
        assert read.result == result
        assert (read.white, read.black, read.more) == ("random", "hs:boards=200", {"seed": 7})
        assert read.to_dict() == written
        reasons.add(result.reason)
    assert {"length", "unfinished", "resigned", "crash", "time"} <= reasons


@pytest.mark.parametrize("rules", [Rules(), Rules(retry=True), Rules(retry=True, audible=True)])
def test_the_rules_of_a_game_are_kept_in_both_forms(rules: Rules) -> None:
    game = PLAYED("4x4")
    turns = tuple(replace(turn, refused=()) for turn in random_game("4x4", 0)[1].turns)
    result = result_so_far(game, game.start, turns)
    read = read_record(record(game, result, rules=rules), game)
    assert (read.rules, read_pgn(write_pgn(read), game)) == (rules, read)


def test_files_of_before_the_boards_are_read() -> None:
    old = content(QD2, KC4, white={"level": 1, "rationality": "inf"}, black=None)
    read = read_record(old)
    assert (read.game.name, read.white, read.black) == ("4x4", "level 1, rationality inf", "")
    assert (read.outcome, read.result.reason) == ("*", "unfinished")


MATED = content(
    {"by": "white", "move": "Qc4", "heard": "Check by Rank, Checkmate"}, start="k3/4/1K2/2Q1 w"
)


@pytest.mark.parametrize(
    ("given_content", "words"),
    [
        ([], "expected a game, {...}, not []"),
        ({"tries": "retry", "moves": [QD1]}, "start: missing; expected a position"),
        (content(QD1, start="8/8 w"), "start: "),
        (content(QD1, board="5x5"), 'board: expected "4x4" or '),
        (content(QD1, board="8x8"), 'start: "1q1k/4/4/K1Q1 w" is not a position'),
        (content(QD1, tries="again"), 'tries: expected "paper" or "retry", not "again"'),
        (content(moves=None), "moves: missing; expected a list of moves"),
        (content(QD1, QD1), "moves, entry 2: by: it is black's turn, not white's"),
        (content({**QD1, "move": "Qd4"}), "moves, entry 1: move: Qd4 is illegal in 1q1k"),
        (content({**QD1, "move": "e4"}), 'entry 1: move: expected a move like Qd1, not "e4"'),
        (content({**QD1, "heard": "Silent"}), 'the referee says "Check by File", not "Silent"'),
        (content({**QD1, "refused": ["Qd2"]}), "entry 1: refused: Qd2 is legal in 1q1k"),
        (content({**QD1, "refused": ["Qd4"]}, tries="paper"), "refused: nothing is tried again"),
        (content(7), "moves, entry 1: expected a move, {...}, not 7"),
        (content(QD1, refused=["Kc3"]), "refused: Kc3 is legal in 1q1k"),
        (content(QD1, refused="Kd3"), 'refused: expected a list of moves like ["Qc4"]'),
        (content(QD1, white=7), "white: expected a name, not 7"),
        (content(QD1, result="2-0"), 'result: expected "1-0" or '),
        (content(QD1, result="1-0"), 'reason: expected "resigned" or "crash" or "time" or '),
        (content(QD1, reason="checkmate"), 'not "checkmate": the game is not over in'),
        (content(QD1, reason="resigned"), 'result: missing; expected "1-0" or "0-1", the reason'),
        (content(QD1, reason="time", result="*"), 'expected "1-0" or "0-1", the reason being time'),
        (content(QD1, reason="length", result="1-0"), 'result: expected "1/2-1/2", the reason'),
        (content(QD1, reason="bored"), 'reason: expected "checkmate" or'),
        ({**MATED, "result": "0-1"}, 'result: expected "1-0", the reason being checkmate'),
        ({**MATED, "reason": "length"}, 'reason: expected "checkmate" in'),
        ({**MATED, "refused": ["Ka3"]}, "refused: the game is over in"),
        ({**MATED, "moves": [*MATED["moves"], KC4]}, "moves, entry 2: by: the game is over in"),
        ({**content(QD1), "view": "white"}, 'view: what one side knows, "white"; expected a whole'),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_record_is_said(given_content: object, words: str) -> None:
    with pytest.raises(InvalidInput) as error:
        read_record(given_content)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_a_record_of_another_board_than_the_one_in_use_is_refused() -> None:
    with pytest.raises(InvalidInput, match=r'board: expected "8x8", which is all .* not "4x4"'):
        read_record(content(QD1), PLAYED("8x8"))


# Files.


def test_good_games_of_a_broken_file_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    whole = json.dumps(content(QD2, KC4))
    file.write_bytes(f"{whole}\n\n{whole[:50]}\n".encode() + b"\xff\n" + f"{whole}\n7\n".encode())
    games, problems = read_records(file)
    assert len(games) == 2
    assert [p.split(": ")[0] for p in problems] == [f"{file}, line {k}" for k in (3, 4, 6)]
    pretty = tmp_path / "game.json"
    pretty.write_text(json.dumps(content(QD2, KC4), indent=2))
    assert read_records(pretty) == (games[:1], [])


@pytest.mark.parametrize("ending", [".jsonl", ".json", ".ndjson"])
def test_lines_of_an_arena_hold_records_among_other_fields(ending: str, tmp_path: Path) -> None:
    file = tmp_path / f"games{ending}"
    line = {"pairing": 3, "record": content(QD2, KC4), "seconds": [1, 2]}
    file.write_text(f"{json.dumps(line)}\n{json.dumps({'record': content(QD1, QD1)})}\n")
    games, problems = read_records(file)
    assert [len(game.result.turns) for game in games] == [2]
    assert problems == [f"{file}, line 2: moves, entry 2: by: it is black's turn, not white's"]


def test_good_games_of_a_broken_pgn_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    whole = write_pgn(read_record(content(QD2, KC4, white="Zoë")))
    lines = whole.count("\n")
    in_a_comment, in_a_turn = whole[: whole.index("File}")] + "\n", whole[: whole.index("1...")]
    spoilt = whole.encode().replace("ë".encode(), b"\xff")
    file.write_bytes(
        (whole + in_a_comment + whole).encode() + spoilt + (whole + in_a_turn).encode()
    )
    games, problems = read_records(file)
    assert [game.white for game in games] == ["Zoë", "Zoë", "Zoë"]
    cut_off = in_a_comment.count("\n")
    first, second, third = problems
    assert first.startswith(f"{file}, line {1 + lines}: a comment that is not closed: ")
    assert second == f"{file}, line {1 + 2 * lines + cut_off}: not text; expected a game"
    assert third.startswith(f"{file}, line {1 + 4 * lines + cut_off}: cut short: expected 1-0 or ")


# PGN.


@pytest.mark.parametrize("board", BOARDS)
def test_pgn_says_all_about_a_game(board: str) -> None:
    for game, result in random_records(board, 40):
        played = GameRecord(game=game, result=result, white='Anna "Q" \\', black="[random]")
        text = write_pgn(played)
        assert read_pgn(text, game) == played
        assert read_pgn(text, game).to_dict() == played.to_dict()


def test_python_chess_reads_the_games_on_8x8() -> None:
    refused = 0
    for game, result in random_records("8x8", 30):
        text = write_pgn(GameRecord(game=game, result=result, white="Anna", black="random"))
        read = chess.pgn.read_game(io.StringIO(text))
        assert read is not None
        assert [m.uci() for m in read.mainline_moves()] == [
            game.actions[turn.action] for turn in result.turns
        ]
        assert [str(e) for e in read.errors] == ["unsupported variant: Kriegspiel"]
        assert read.headers["Result"] == GameRecord(game=game, result=result).outcome
        comments = " ".join(node.comment for node in read.mainline())
        refused += comments.count("?")
        end = result.turns[-1] if result.turns else None
        assert end is None or f"heard: {game.say(end.heard)}" in comments
    assert refused > 100


def test_pgn_written_elsewhere_is_read() -> None:
    text = """
    % a line that is not PGN
[Event "club"]
[White "Anna"]
[Result "0-1"]

1.f3 $2 {a weak move} e5 2. g4?? (2. e4 Nf6 (2... d5) 3. d4) ; the end
Qh4# {White is mated} 0-1
"""
    read = read_pgn(text)
    names = [read.game.actions[turn.action] for turn in read.result.turns]
    assert names == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert (read.white, read.black, read.outcome) == ("Anna", "", "0-1")
    assert read.result.reason == "checkmate"


GOOD = write_pgn(read_record(content(QD2, KC4, reason="resigned", result="1-0")))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("Kc4 ", "Kc3 "), "moves, entry 2: move: Kc3 is illegal in 1q1k"),
        (("Kc3?", "Qd2?"), "moves, entry 2: refused: Qd2 is legal"),
        (("Black tries", "White tries"), "moves, entry 2: it is black's turn in "),
        (("heard: Silent", "heard: Draw"), 'the referee says "Silent", not "Draw"'),
        (('"4x4"', '"3x3"'), 'Board: expected "4x4" or '),
        (('"1q1k/4/4/K1Q1 w"', '"x"'), 'FEN: "x" is not a position'),
        (('"resigned"', '"bored"'), 'Termination: expected "resigned" or'),
        (('Variant "K', 'Variant "C'), 'Variant: expected "Kriegspiel", not "Criegspiel"'),
        (("} 1-0", "} 0-1"), 'Result: expected "0-1" as at the end of the moves, not "1-0"'),
        (("} 1-0", "} 1-0 2. Qd1"), "expected nothing after the result 1-0, not "),
        (("} 1-0", "}"), "cut short: expected 1-0 or 0-1 or 1/2-1/2 or * at the end"),
        (("Silent} 1-0", "Silent"), "a comment that is not closed: "),
        (("Silent}", "Silent}}"), 'not PGN: "} 1-0'),
        (('[White "?"]', "[White ?]"), 'expected a tag like [White "random"], not "[White ?]"'),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_pgn_is_said(change: tuple[str, str], words: str) -> None:
    assert change[0] in GOOD
    with pytest.raises(InvalidInput) as error:
        read_pgn(GOOD.replace(*change))
    assert words in str(error.value)
    assert "\n" not in str(error.value)


def test_an_illegal_move_on_8x8_is_named_with_its_position() -> None:
    with pytest.raises(InvalidInput, match=r'entry 2: .*legal move in rnbq.* b KQkq -, not "Ke4"'):
        read_pgn("1. e4 Ke4 *")


# Views.


def sounding_the_same(
    game: BoardGame, result: GameResult, own: int, rng: np.random.Generator
) -> GameResult | None:
    """Return a game that one side cannot tell from this one, if one is soon found, depth first."""
    budget = iter(range(200))

    def after(state: int, k: int) -> tuple[Turn, ...] | None:
        if k == len(result.turns):
            return ()
        turn, here = result.turns[k], np.array([state])
        legal = np.flatnonzero(game.legal(here, turn.player)[0])
        choices, refused = np.array([turn.action]), turn.refused
        if turn.player != own:
            choices = rng.permutation(legal)
            tries = np.flatnonzero(game.tries(here, turn.player)[0])
            refused = tuple(map(int, tries[~np.isin(tries, legal)][: rng.integers(3)]))
        elif turn.action not in legal or np.isin(turn.refused, legal).any():
            return None
        for action in choices.tolist():
            if next(budget, None) is None:
                return None
            act = np.array([action])
            out = game.play(here, (act, None) if turn.player == 0 else (None, act))
            if out.heard[0][0] == turn.heard:
                rest = after(int(out.successor[0]), k + 1)
                if rest is not None:
                    return (Turn(turn.player, state, action, turn.heard, refused), *rest)
        return None

    turns = after(result.start, 0)
    if turns is None:
        return None
    return replace(result, turns=turns, final=result_so_far(game, result.start, turns).final)


@pytest.mark.parametrize(("board", "longest"), [("4x4", 12), ("4x4-pawns", 8), ("8x8", 8)])
@pytest.mark.parametrize("own", [0, 1])
def test_a_view_depends_on_what_that_side_was_told_alone(
    board: str, longest: int, own: int
) -> None:
    different = 0
    for seed in range(150):
        game, one = random_game(board, seed, longest)
        two = sounding_the_same(game, one, own, np.random.default_rng(seed))
        if two is None or [t.action for t in one.turns] == [t.action for t in two.turns]:
            continue
        different += 1
        if seed % 2:
            one = replace(one, reason="crash", winner=own, detail="ValueError: Qd4")
            two = replace(two, reason="crash", winner=own, detail="ValueError: Qa1")
        views = {
            json.dumps(view(GameRecord(game=game, result=result, more={"seed": k}), SIDES[own]))
            for k, result in enumerate((one, two))
        }
        assert len(views) == 1
    assert different > 40


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("side", SIDES)
def test_a_view_holds_own_tries_and_announcements_and_no_later_position(
    board: str, side: str
) -> None:
    own = SIDES.index(side)
    for game, result in random_records(board, 20):
        seen = view(GameRecord(game=game, result=result), side)
        assert seen["view"] == side
        assert set(seen) <= {
            *("view", "board", "start", "tries", "illegal_heard_by", "moves", "result", "reason"),
            "refused",
        }
        assert ("refused" in seen) == (bool(result.refused) and game.turn(result.final) == own)
        text = json.dumps(seen)
        for turn, move in zip(result.turns, seen["moves"], strict=True):  # type: ignore[call-overload]
            heard = {"by": SIDES[turn.player], "heard": game.say(turn.heard)}
            if turn.player != own:
                assert move == heard
                continue
            assert move.pop("refused", []) == [game.actions[a] for a in turn.refused]
            assert move == {**heard, "move": game.actions[turn.action]}
        for state in {result.final, *(turn.state for turn in result.turns)} - {result.start}:
            assert game.describe(state).split(" ")[0] not in text


def test_refusals_that_both_hear_are_counted_in_a_view() -> None:
    read = read_record(content(QD2, KC4, refused=["Qa4"], illegal_heard_by="both"))
    seen = view(read, "white")
    assert seen["moves"][1] == {"by": "black", "refusals": 1, "heard": "Silent"}  # type: ignore[index]
    assert seen["refused"] == ["Qa4"]
    assert view(read, "black")["refusals"] == 1


def test_a_view_is_of_white_or_black() -> None:
    with pytest.raises(InvalidInput, match='expected white or black, not "referee"'):
        view(read_record(content(QD1)), "referee")


# The command line.


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ipomdp", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd)


def write_games(file: Path, board: str, count: int, longest: int = 20) -> list[str]:
    lines = []
    for seed in range(count):
        game, result = random_game(board, seed, longest)
        lines.append(json.dumps(record(game, result, white="random", black="[/e4]")))
    file.write_text("".join(f"{line}\n" for line in lines))
    return lines


@pytest.mark.parametrize("board", ["4x4", "8x8"])
def test_replay_shows_a_game_and_to_a_side_its_own_pieces_alone(board: str, tmp_path: Path) -> None:
    write_games(tmp_path / "games.jsonl", board, 2)
    listed = run("replay", "games.jsonl", cwd=tmp_path)
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "[/e4]" in listed.stdout
    drawn = re.compile(rf"^[1-8] ((?: [.a-zA-Z] ?){{{board[0]}}})", flags=re.MULTILINE)
    for view_of, letters in (("white", "KQRBNP."), ("black", "kqrbnp."), ("referee", "Kk")):
        shown = run("replay", "games.jsonl", "--game", "2", "--view", view_of, cwd=tmp_path)
        assert (shown.returncode, shown.stderr) == (0, "")
        assert max(map(len, shown.stdout.splitlines())) <= 80
        start, after = shown.stdout.split("\n\n", maxsplit=2)[1:]
        assert {"K", "k"} <= set("".join(drawn.findall(start)))
        seen = set("".join(drawn.findall(after))) - {" "}
        assert seen <= set(letters) if view_of != "referee" else seen >= set(letters)
        assert ("White ?" in after) == (view_of == "black")


@pytest.mark.parametrize("board", BOARDS)
def test_replay_converts_there_and_back(board: str, tmp_path: Path) -> None:
    lines = write_games(tmp_path / "games.jsonl", board, 3)
    there = run("replay", "games.jsonl", "--pgn", "games.pgn", cwd=tmp_path)
    assert (there.returncode, there.stdout, there.stderr) == (0, "", "wrote games.pgn\n")
    back = run("replay", "games.pgn", "--json", "back.jsonl", cwd=tmp_path)
    assert (back.returncode, back.stdout, back.stderr) == (0, "", "wrote back.jsonl\n")
    assert (tmp_path / "back.jsonl").read_text().splitlines() == lines
    seen = run(
        "replay", "games.pgn", "--game", "1", "--view", "black", "--json", "v.json", cwd=tmp_path
    )
    assert seen.returncode == 0
    assert json.loads((tmp_path / "v.json").read_text()) == view(
        read_record(json.loads(lines[0])), "black"
    )


def test_bad_games_are_named_and_keep_their_numbers(tmp_path: Path) -> None:
    line = json.dumps(content(QD2, KC4))
    (tmp_path / "games.jsonl").write_text(f"{line}\n{line[:40]}\n{line}\n")
    listed = run("replay", "games.jsonl", cwd=tmp_path)
    assert listed.returncode == 0
    assert listed.stderr.startswith("ipomdp: left out: games.jsonl, line 2: not valid JSON")
    assert re.findall(r"^ +(\d) ", listed.stdout, flags=re.MULTILINE) == ["1", "3"]
    assert run("replay", "games.jsonl", "--game", "3", cwd=tmp_path).returncode == 0
    bad = run("replay", "games.jsonl", "--game", "2", cwd=tmp_path)
    assert (bad.returncode, bad.stdout) == (2, "")
    assert bad.stderr.startswith("ipomdp: games.jsonl, line 2: not valid JSON")


def test_fit_reads_every_form_of_a_4x4_game(tmp_path: Path) -> None:
    resigned = content(QD2, KC4, reason="resigned", result="1-0")
    length = content(QD1, reason="length", result="1/2-1/2")
    (tmp_path / "a.jsonl").write_text(json.dumps({"record": resigned, "pairing": 1}))
    (tmp_path / "b.pgn").write_text(write_pgn(read_record(length)))
    write_games(tmp_path / "c.jsonl", "8x8", 1)
    found = run("fit", "a.jsonl", "b.pgn", "c.jsonl", "--levels", "0", "--json", cwd=tmp_path)
    assert found.returncode == 0
    assert json.loads(found.stdout)["games"] == 2
    wrong = 'c.jsonl, line 1: board: expected "4x4", which is all this can use, not "8x8"\n'
    assert found.stderr == f"ipomdp: left out: {wrong}"
    alone = run("fit", "c.jsonl", cwd=tmp_path)
    assert (alone.returncode, alone.stdout, alone.stderr) == (2, "", f"ipomdp: {wrong}")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("none.pgn",), "none.pgn: no such file; expected records of games"),
        (("",), "FILE: an empty name"),
        ((".",), ".: a directory; expected records of games"),
        (("empty.pgn",), "empty.pgn: empty; expected a game as PGN"),
        (("one.json", "--game", "2"), "--game: expected a number above 0, up to 1, not 2"),
        (("one.json", "--view", "red"), "--view: expected white, black or referee, not"),
        (("one.json", "--view", "white", "--pgn", "o.pgn"), "--pgn: a PGN holds whole games"),
        (("one.json", "--pgn", "o.txt"), "--pgn: o.txt: unknown ending"),
        (("two.jsonl", "--json", "o.json"), "--json: 2 games need a .jsonl; --game chooses one"),
        (("one.json", "--json", "no/o.json"), "--json: no/o.json: cannot be written"),
        (("view.json",), "view.json, line 1: view: what one side knows"),
    ],
)
def test_what_cannot_be_replayed_is_one_line(
    arguments: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    one = content(QD1)
    (tmp_path / "empty.pgn").write_text("\n")
    (tmp_path / "one.json").write_text(json.dumps(one))
    (tmp_path / "two.jsonl").write_text(f"{json.dumps(one)}\n" * 2)
    (tmp_path / "view.json").write_text(json.dumps(view(read_record(one), "white")))
    result = run("replay", *arguments, cwd=tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"ipomdp: {words}")


def test_the_game_of_the_page_is_the_same_in_both_forms() -> None:
    page = (Path(__file__).parent.parent / "docs" / "records.md").read_text()
    (shown,) = re.findall(r"```json\n(.*?)```", page, flags=re.DOTALL)
    written = write_pgn(read_record(json.loads(shown)))
    tags, moves = written.strip().split("\n\n")
    assert f"{tags[tags.index('[Variant') :]}\n\n{moves}\n```" in page
