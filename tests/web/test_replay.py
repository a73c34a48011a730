"""Replays: each view is what its viewer knew then; files and arenas are shown as they are."""

from __future__ import annotations

import asyncio
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ipomdp.engine.step import Rules
from ipomdp.errors import InvalidInput
from ipomdp.fields import SIDES
from ipomdp.players.roster import BOARDS
from ipomdp.records import GameRecord, read_record, view, write_pgn
from ipomdp.web.replay.arenas import Arena
from ipomdp.web.replay.hindsight import Belief, Hindsight, held_against, in_words, percent
from ipomdp.web.replay.library import MOST_BYTES, MOST_GAMES, MOST_TURNS, examples, file_name, shelf
from ipomdp.web.replay.picture import board_svg
from ipomdp.web.replay.story import HIDDEN, REFEREE, Place, Step, Story, rows
from ipomdp.web.views import board_view
from tests.test_records import random_game, random_records, sounding_the_same
from tests.web.conftest import ipomdp

FEN = "1q1k/4/4/K1Q1 w"
QD2 = {"by": "white", "move": "Qd2", "heard": "Check by File"}
KC4 = {"by": "black", "refused": ["Kd3"], "move": "Kc4", "heard": "Silent"}


def content(*moves: object, **fields: object) -> dict[str, Any]:
    return {"start": FEN, "tries": "retry", "moves": list(moves), **fields}


# The steps.


def cut(played: GameRecord, place: Place) -> GameRecord:
    """Return a game as it was at a place."""
    made, tried = place
    turns = played.result.turns
    waiting = turns[made].refused if made < len(turns) else played.result.refused
    final = turns[made].state if made < len(turns) else played.result.final
    result = replace(
        played.result, turns=turns[:made], final=final, refused=waiting[:tried], winner=None,
        reason="unfinished", detail="",
    )  # fmt: skip
    return replace(played, result=result)


def told(steps: tuple[Step, ...], own: int) -> tuple[list[dict[str, object]], dict[str, object]]:
    """Return steps in the form of a record's view: the moves, and the tries of an open turn."""
    moves: list[dict[str, object]] = []
    tries: list[str] = []
    mover = None

    def refusals() -> dict[str, object]:
        if not tries:
            return {}
        return {"refused": list(tries)} if mover == own else {"refusals": len(tries)}

    for step in steps[1:]:
        mover = step.by
        assert step.by is not None
        if step.heard is None:
            assert (step.name == HIDDEN) == (step.by != own)
            tries.append(step.name)
            continue
        made = {} if step.name == HIDDEN else {"move": step.name}
        moves.append({"by": SIDES[step.by], **refusals(), **made, "heard": step.heard})
        tries.clear()
    return moves, refusals()


@pytest.mark.parametrize("rules", [Rules(retry=True), Rules(retry=True, audible=True)])
@pytest.mark.parametrize("board", BOARDS)
def test_a_step_of_a_side_is_the_view_of_the_game_so_far(board: str, rules: Rules) -> None:
    for game, result in random_records(board, 6):
        played = GameRecord(game=game, result=result, rules=rules)
        story = Story(played)
        for own, side in enumerate(SIDES):
            steps = story.steps(side)
            for k, step in enumerate(steps):
                seen = view(cut(played, step.place), side)
                moves, waiting = told(steps[: k + 1], own)
                assert seen["moves"] == moves
                assert {n: seen[n] for n in ("refused", "refusals") if n in seen} == waiting


@pytest.mark.parametrize("board", BOARDS)
def test_the_referee_sees_every_try_and_every_piece(board: str) -> None:
    for game, result in random_records(board, 6):
        story = Story(GameRecord(game=game, result=result))
        done = [
            name
            for turn in result.turns
            for name in (*(game.actions[a] for a in turn.refused), game.actions[turn.action])
        ]
        steps = story.steps(REFEREE)
        assert [s.name for s in steps[1:]] == done + [game.actions[a] for a in result.refused]
        assert [s.place for s in steps] == sorted({s.place for s in steps})
        for step in steps:
            state = ([t.state for t in result.turns] + [result.final])[step.place[0]]
            for side in (0, 1):
                assert story.pieces(step.place, side) == game.pieces(state, side)
                # what a side works out from what it heard is where its pieces are
                assert story.knowledge(side, step.place).pieces == game.pieces(state, side)


@pytest.mark.parametrize(("board", "longest"), [("4x4", 12), ("8x8", 8)])
@pytest.mark.parametrize("own", [0, 1])
def test_games_that_sound_the_same_to_a_side_have_the_same_steps(
    board: str, longest: int, own: int
) -> None:
    different = 0
    for seed in range(40):
        game, one = random_game(board, seed, longest)
        two = sounding_the_same(game, one, own, np.random.default_rng(seed))
        if two is None or [t.action for t in one.turns] == [t.action for t in two.turns]:
            continue
        different += 1
        stories = [Story(GameRecord(game=game, result=result)) for result in (one, two)]
        steps, listed = zip(
            *((s.steps(SIDES[own]), rows(s, SIDES[own])) for s in stories), strict=True
        )
        assert steps[0] == steps[1]
        assert listed[0] == listed[1]
        for step in steps[0]:
            words = [step.words(s.number(step.place)) for s in stories]
            boards = [board_view(s.knowledge(own, step.place), (), (), {}) for s in stories]
            assert words[0] == words[1]
            assert boards[0] == boards[1]
        assert beliefs(stories[0], own) == beliefs(stories[1], own)
    assert different > 8


def beliefs(story: Story, side: int) -> list[Belief]:
    async def all_of_them() -> list[Belief]:
        hindsight = Hindsight(story, side)
        return [await hindsight.at(step.place) for step in story.steps(SIDES[side])]

    return asyncio.run(all_of_them())


def test_the_list_of_moves_leads_to_the_steps() -> None:
    story = Story(read_record(content(QD2, KC4, refused=["Qa4"])))
    listed = rows(story, REFEREE)
    assert [(r.number, r.by, r.tries, r.move, r.step, r.heard) for r in listed] == [
        ("1.", "white", (), "Qd2", 1, "Check by File"),
        ("1...", "black", (("Kd3", 2),), "Kc4", 3, "Silent"),
        ("2.", "white", (("Qa4", 4),), "", None, ""),
    ]
    assert [r.tries for r in rows(story, "white")] == [(), (), (("Qa4", 3),)]
    assert [r.move for r in rows(story, "white")] == ["Qd2", HIDDEN, ""]
    assert [s.words(story.number(s.place)) for s in story.steps("black")] == [
        "The start, which both know.",
        "1. White has moved. Check by File.",
        "1... The referee refuses Kd3 by Black.",
        "1... Black plays Kc4. Silent.",
    ]


def test_another_view_shows_the_same_moment() -> None:
    story = Story(read_record(content(QD2, KC4, refused=["Qa4"])))
    for view_ in (*SIDES, REFEREE):
        for k, step in enumerate(story.steps(view_)):
            assert story.nearest(view_, step.place) == k
    assert story.nearest("white", (1, 1)) == 1  # White hears nothing of Black's refusal
    assert story.nearest("black", (2, 1)) == 3


# What was believed.


@pytest.mark.parametrize("number", [1, 2])
def test_a_belief_is_the_same_stepped_to_or_jumped_to(number: int) -> None:
    played = examples().games[number]
    short = Story(cut(played, (min(24, len(played.result.turns) - 1), 0)))
    for side in (0, 1):
        stepped = beliefs(short, side)
        last = short.steps(SIDES[side])[-1].place
        assert asyncio.run(Hindsight(short, side).at(last)) == stepped[-1]
        for belief, step in zip(stepped, short.steps(SIDES[side]), strict=True):
            assert not belief.problem
            truth = short.pieces(step.place, 1 - side)
            kings = [p for (_, piece), p in belief.standing.items() if piece in "Kk"]
            assert sum(kings) == pytest.approx(1.0)
            assert all(0 <= p <= 1 + 1e-9 for p in belief.of(truth))


def test_beliefs_in_words() -> None:
    standing = {("d4", "k"): 0.75, ("c4", "k"): 0.25, ("b4", "q"): 0.996, ("a4", "q"): 0.0004}
    belief = Belief(standing=standing, queenless=0.0036)
    assert in_words(belief, 0) == [
        "Black's king: d4 75%, c4 25%",
        "Black's queen: b4 >99%, a4 <1%, none <1%",
    ]
    assert held_against(belief, {"c4": "k", "b1": "q"}, 0) == [
        "White gives Black's king on c4, where it stands, 25%.",
        "On average White gives 12% to the squares of Black's pieces (2).",
    ]
    assert in_words(Belief(problem="the game is over"), 1) == ["No belief here: the game is over."]
    assert [percent(p) for p in (0.0, 0.5, 1.0)] == ["0%", "50%", "100%"]


def test_other_rules_have_no_belief() -> None:
    story = Story(read_record(content(QD2, illegal_heard_by="both")))
    assert "refusals are heard by both" in beliefs(story, 0)[-1].problem


def test_a_picture_holds_the_pieces_of_the_view_alone() -> None:
    story = Story(examples().games[2])
    step = story.steps("white")[20]
    board = board_view(story.knowledge(0, step.place), (), (), {})
    drawn = ET.fromstring(board_svg(board))  # noqa: S314 - our own
    assert len(drawn.findall("{*}g")) == len(story.pieces(step.place, 0))


# Files.


def lines(*games: object) -> bytes:
    return "\n".join(json.dumps(game) for game in games).encode()


def test_a_file_keeps_its_good_games_and_tells_of_the_others() -> None:
    bad = content({**QD2, "heard": "Silent"})
    found = shelf("C:\\secret\\place\\mine.jsonl", lines(content(QD2), bad, content(QD2, KC4)))
    assert found.name == "mine.jsonl"
    assert list(found.games) == [1, 3]
    assert len(found.problems) == 1
    assert found.problems[0].startswith("mine.jsonl, line 2: moves, entry 1: heard: ")


def test_every_form_is_read() -> None:
    for played in examples().games.values():
        for name, text in (
            ("a.json", json.dumps(played.to_dict(), indent=1)),
            ("a.jsonl", json.dumps(played.to_dict())),
            ("a.pgn", write_pgn(played)),
        ):
            assert shelf(name, text.encode()).games == {1: played}


@pytest.mark.parametrize(
    ("name", "sent", "words"),
    [
        ("a.json", b"", "a.json: empty"),
        ("a.json", b"\xff\xfe", "a.json: not text"),
        ("/etc/a.json", b"{", "a.json: not valid JSON"),
        ("a.pgn", b"1. e4 e9 *", "a.pgn, line 1: moves, entry 2"),
        ("a.jsonl", b" " * (MOST_BYTES + 1), r"a.jsonl: 2,097,153 bytes; expected 2,097,152"),
        ("a.jsonl", b"{}\n" * (MOST_GAMES + 1), "a.jsonl: 2,001 games; expected 2,000 at most"),
        ("a.jsonl", b"{}\n[]", r"a.jsonl, line 1: start: missing.* \(and 1 more"),
        (
            "a.json",
            json.dumps(content({**QD2, "refused": ["Qa4"] * MOST_TURNS})).encode(),
            "a.json, line 1: 1,001 moves and tries; expected 1,000 at most",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_a_line(name: str, sent: bytes, words: str) -> None:
    with pytest.raises(InvalidInput, match=f"^{words}") as raised:
        shelf(name, sent)
    assert "\n" not in str(raised.value)
    assert "/etc" not in str(raised.value)


def test_games_too_long_for_a_page_and_tries_of_nobody_are_refused() -> None:
    played = examples().games[2]
    there_and_back = ("g1f3", "g8f6", "f3g1", "f6g8")
    moves = [{"by": SIDES[k % 2], "move": there_and_back[k % 4]} for k in range(MOST_TURNS + 1)]
    start = played.game.describe(played.game.start)
    long = {"board": "8x8", "start": start, "tries": "retry", "moves": moves}
    with pytest.raises(InvalidInput, match=r"1,001 moves and tries; expected 1,000 at most"):
        shelf("a.json", json.dumps(long).encode())
    odd = {**long, "moves": [{"by": "white", "refused": ["a4a5"], "move": "g1f3"}]}
    with pytest.raises(InvalidInput, match="refused: white has no piece for a4a5 in"):
        shelf("a.json", json.dumps(odd).encode())


def test_a_name_is_a_files_own_and_fits_a_line() -> None:
    assert file_name("../../etc/x.pgn") == "x.pgn"
    assert file_name("") == "record.json"
    assert file_name("a\nb\x1b[2J.json") == "a b[2J.json"
    assert len(file_name("x" * 5000 + ".jsonl")) < 100


# Arenas.


def test_an_arena_shows_what_standings_prints(folder: Path) -> None:
    results = Arena(folder).results()
    printed = ipomdp("standings", str(folder)).stdout
    told_ = json.loads(ipomdp("standings", str(folder), "--json").stdout)
    shown = {" ".join(row.split()) for row in printed.splitlines()}
    for line in (*results.pairings, *results.players):
        assert " ".join(line.cells) in shown
    for line, pairing in zip(results.pairings, told_["pairings"], strict=True):
        assert line.tally.score == pairing["score"]
        assert list(line.tally.score_interval or ()) == pairing["score_interval"]
    assert [line.who for line in results.players] == list(told_["standings"])
    assert results.count == len(results.games) == 12
    assert results.problems == ["left out: cup/games.jsonl, line 2: cut short or not JSON"]


def test_the_games_of_an_arena_open_under_their_numbers(folder: Path) -> None:
    arena = Arena(folder)
    results = arena.results()
    assert 2 not in [game.entry for game in results.games]
    listed = ipomdp("replay", str(folder / "games.jsonl")).stdout
    for game in results.games:
        played = arena.record(game.entry)
        assert (game.white, game.black) == (played.white, played.black)
        assert (game.outcome, game.reason) == (played.outcome, played.result.reason)
        assert game.half_moves == len(played.result.turns)
        assert re.search(rf"^ *{game.entry} +4x4 +{game.white} ", listed, re.MULTILINE)
    for entry in (0, 2, 14):
        with pytest.raises(InvalidInput, match=r"^cup/games.jsonl"):
            arena.record(entry)


def test_a_folder_that_is_no_arenas_is_refused_before_anything_is_served(tmp_path: Path) -> None:
    for name in (str(tmp_path), str(tmp_path / "missing"), ""):
        done = ipomdp("serve", "--no-browser", "--port", "0", "--arena", name)
        assert done.returncode == 2
        assert "expected an arena's folder" in done.stderr
        assert "the page" not in done.stderr
