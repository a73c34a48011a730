"""The commands `fit` and `simulate`: from recorded games to lambda and level, and back."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ipomdp.commands.options import HIGHEST_SEED, Json, naming, natural, output, real, whole
from ipomdp.commands.records import games_in
from ipomdp.errors import InvalidInput
from ipomdp.fields import DEEPEST, FIELDS, HEARD_BY, SIDES, TRIES
from ipomdp.files import PICTURES
from ipomdp.quoting import printable, shown

if TYPE_CHECKING:
    from ipomdp.records import GameRecord
    from ipomdp.study.fit import Thinking
    from ipomdp.study.likelihood import Play

MOST_GAMES = 100_000
LONGEST_GAME = 1000
LONG_GAME = 12
"""Fitting games with more moves takes long."""

Logs = Annotated[
    list[str],
    typer.Argument(
        metavar="LOGS",
        help="Files with records of games: .json, .jsonl (one in each line) or .pgn.",
        show_default=False,
    ),
]
Player = Annotated[
    str,
    typer.Option(
        metavar="PLAYER",
        help="Whose moves: white, black or both, or a player's name in the records.",
    ),
]
Levels = Annotated[
    str, typer.Option(metavar="LEVELS", help="The levels to compare: 0-2, or 1, or 0,2.")
]
Thoughts = Annotated[
    str | None,
    typer.Option(
        "--scenario",
        metavar="SCENARIO",
        help="Take the utility and the horizons from a scenario; else the paper's.",
    ),
]
Curves = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Draw the log-likelihoods to a .png, .svg or .pdf."),
]
First = Annotated[
    str | None,
    typer.Option(metavar="N", help="Use the first N moves of each game alone."),
]
Start = Annotated[str, typer.Option(metavar="FEN", help="The position at the start.")]
Tries = Annotated[str, typer.Option(metavar="READING", help='"retry" or "paper".')]
HeardBy = Annotated[str, typer.Option(metavar="WHO", help='Who hears "Illegal": mover or both.')]
OwnLevel = Annotated[str, typer.Option(metavar="K", help="How deep this player thinks.")]
OwnLambda = Annotated[
    str, typer.Option(metavar="LAMBDA", help="How surely it picks the better action; inf too.")
]
Games = Annotated[str, typer.Option(metavar="N", help="How many games.")]
Plies = Annotated[
    str, typer.Option(metavar="N", help="The most moves in a game; beliefs grow with each.")
]
Seed = Annotated[str, typer.Option(metavar="N", help="The same seed, the same games.")]
Records = Annotated[
    str, typer.Option(metavar="FILE", help="The .jsonl to write.", show_default=False)
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(fit)
    app.command()(simulate)


def fit(
    logs: Logs,
    player: Player = "both",
    levels: Levels = "0-2",
    scenario: Thoughts = None,
    plies: First = None,
    out: Curves = None,
    as_json: Json = False,
) -> None:
    """Find the lambda and level that explain recorded moves best."""
    from rich.console import Console
    from rich.progress import Progress

    from ipomdp.kriegspiel import Kriegspiel4x4
    from ipomdp.show.console import print_json, show, write
    from ipomdp.show.fit_report import likelihood_chart, print_fits
    from ipomdp.study.fit import PER_LEVEL, fit_player
    from ipomdp.study.likelihood import Decisions

    compared = _levels(levels)
    thinking = _thinking(scenario)
    first = natural("--plies", plies) if plies is not None else None
    chart = output("--out", out, PICTURES) if out is not None else None
    game = Kriegspiel4x4()
    games = games_in(logs, "LOGS", game)  # the exact engine fits 4x4 alone
    by_side = _chosen(games, player)
    longest = max(len(g.result.turns) for g in games)
    if first is None and longest > LONG_GAME:
        _note(
            f"games of up to {longest} moves: beliefs grow with each; --plies 8 takes the first 8"
        )
    chosen = [
        Decisions(game, [_play(g).first(first) for g in picked], k) for k, picked in by_side.items()
    ]
    decided = [decisions for decisions in chosen if decisions.turns]
    if not decided:
        raise InvalidInput(f"--player: {player} makes no move in these games")
    fits = []
    console = Console(stderr=True, markup=False)
    bars = Progress(console=console, transient=True, disable=not console.is_terminal)
    with bars as progress:
        for decisions in decided:
            what = f"fitting {SIDES[decisions.player]}"
            bar = progress.add_task(what, total=PER_LEVEL * len(compared))
            tick = lambda bar=bar: progress.advance(bar)  # noqa: E731
            fits.append(fit_player(decisions, thinking, compared, tick))
            progress.remove_task(bar)
    if chart is not None:
        write("--out", chart, lambda path: likelihood_chart(fits, path))
    if as_json:
        print_json({"games": len(games), "players": [found.to_dict() for found in fits]})
    else:
        show(lambda console: print_fits(console, fits, len(games)))


def simulate(
    out: Records,
    start: Start = "1q1k/4/4/K1Q1 w",
    tries: Tries = "retry",
    illegal_heard_by: HeardBy = "mover",
    white_level: OwnLevel = "1",
    white_rationality: OwnLambda = "0.01",
    black_level: OwnLevel = "1",
    black_rationality: OwnLambda = "0.01",
    scenario: Thoughts = None,
    games: Games = "20",
    plies: Plies = "8",
    seed: Seed = "0",
) -> None:
    """Play games between two ways of thinking; write records."""
    import json

    import numpy as np
    from rich.console import Console
    from rich.progress import track

    from ipomdp.engine.step import Rules
    from ipomdp.kriegspiel import Kriegspiel4x4
    from ipomdp.records import record, result_so_far
    from ipomdp.records.reading import LINES
    from ipomdp.show.console import write
    from ipomdp.study.simulate import Simulator

    _one_of("--tries", tries, TRIES)
    _one_of("--illegal-heard-by", illegal_heard_by, HEARD_BY)
    typed = ((white_level, white_rationality), (black_level, black_rationality))
    minds = [
        (
            int(_valid(f"--{side}-level", "agent.level", whole(level))),
            float(_valid(f"--{side}-rationality", "opponent.rationality", real(lambda_))),
        )
        for side, (level, lambda_) in zip(SIDES, typed, strict=True)
    ]
    count = natural("--games", games, most=MOST_GAMES)
    longest = natural("--plies", plies, most=LONGEST_GAME)
    drawn = natural("--seed", seed, least=0, most=HIGHEST_SEED)
    thinking = _thinking(scenario)
    file = output("--out", out, LINES)
    game = Kriegspiel4x4()
    with naming("--start"):
        state = game.read(start)
    retry = tries == "retry"
    rules = Rules(retry=retry, audible=retry and illegal_heard_by == "both")
    frames = (thinking.frame(*minds[0]), thinking.frame(*minds[1]))
    simulator, rng = Simulator(game, state, rules, frames), np.random.default_rng(drawn)
    white, black = (f"level {level}, lambda {lambda_:g}" for level, lambda_ in minds)
    console = Console(stderr=True, markup=False)
    played = [
        simulator.play(longest, rng)
        for _ in track(
            range(count),
            "playing",
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
    ]
    results = [result_so_far(game, state, play.turns) for play in played]
    lines = [
        json.dumps(record(game, result, white=white, black=black, rules=rules)) + "\n"
        for result in results
    ]
    write("--out", file, lambda path: path.write_text("".join(lines)))
    moves = sum(len(play.turns) for play in played)
    print(f"{_counted(count, 'game')}, {_counted(moves, 'move')}", file=sys.stderr)  # noqa: T201


def _play(record: GameRecord) -> Play:
    from ipomdp.study.likelihood import Play

    return Play(record.result.start, record.rules, record.result.turns)


def _chosen(games: list[GameRecord], player: str) -> dict[int, list[GameRecord]]:
    """Return the games to look at for each side; a side that is several players is named."""
    named = [(g.white, g.black) for g in games]
    if player in (*SIDES, "both"):
        for k, side in enumerate(SIDES):
            names = sorted({pair[k] for pair in named if pair[k]})
            if player in (side, "both") and len(names) > 1:
                _note(
                    f"{side} is {len(names)} different players ({', '.join(names)}): this fits "
                    "them as one; --player NAME fits one of them"
                )
        return {k: games for k, side in enumerate(SIDES) if player in (side, "both")}
    found = {
        k: [g for g, pair in zip(games, named, strict=True) if pair[k] == player] for k in (0, 1)
    }
    if not any(found.values()):
        names = sorted({name for pair in named for name in pair if name})
        known = f" or a player's name: {', '.join(names)}" if names else ""
        raise InvalidInput(f"--player: expected white, black, both{known}, not {shown(player)}")
    return found


def _note(words: str) -> None:
    print(f"ipomdp: {printable(words)}", file=sys.stderr)  # noqa: T201


def _thinking(scenario: str | None) -> Thinking:
    """Return what a scenario says about how players think, or the paper's setting."""
    from ipomdp.kriegspiel import Weights
    from ipomdp.kriegspiel.evaluation import evaluation
    from ipomdp.scenario import kriegspiel_only, load_scenario
    from ipomdp.study.fit import Thinking

    if scenario is None:
        return Thinking(utility=evaluation(Weights()))
    with naming("--scenario"):
        loaded = load_scenario(scenario)
    chosen = kriegspiel_only(loaded, "--scenario")
    own, other = chosen.horizon, chosen.opponent_horizon
    return Thinking(utility=evaluation(chosen.weights), horizon=own, nested_horizon=other)


def _levels(text: str) -> list[int]:
    """Return the levels written as ``0-2`` or ``0,2``."""
    found: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"([0-9]{1,2})(?:-([0-9]{1,2}))?", part.strip(), flags=re.ASCII)
        ends = [int(end) for end in match.groups() if end is not None] if match else [1, 0]
        if ends[0] > ends[-1] or ends[-1] > DEEPEST:
            raise InvalidInput(
                f"--levels: expected levels up to {DEEPEST} like 0-2 or 0,2, not {shown(text)}"
            )
        found |= set(range(ends[0], ends[-1] + 1))
    return sorted(found)


def _one_of(option: str, value: str, names: tuple[str, ...]) -> None:
    if value not in names:
        raise InvalidInput(f"{option}: expected {' or '.join(names)}, not {shown(value)}")


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _valid(option: str, name: str, value: object) -> Any:  # noqa: ANN401
    if problem := FIELDS[name].problem(value):
        raise InvalidInput(f"{option}: {problem}")
    return value
