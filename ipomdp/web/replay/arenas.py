"""Arenas that the server was told to show: their standings, and their games to be replayed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ipomdp.arena.finished import SCORES, Finished
from ipomdp.arena.folder import GAMES, Games, read_games, read_plan
from ipomdp.arena.plan import Pairing, Plan
from ipomdp.arena.standings import PairingResult, Tally, by_player, standings
from ipomdp.errors import InvalidInput
from ipomdp.records import GameRecord
from ipomdp.records.reading import Entry
from ipomdp.web.replay.library import MOST_GAMES, fitting


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """A game in the table of an arena."""

    entry: int
    """Its number in the file, as ``ipomdp replay --game`` counts."""
    white: str
    black: str
    outcome: str
    reason: str
    half_moves: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A line of the standings."""

    who: str
    tally: Tally
    half_moves: float | None = None

    @property
    def cells(self) -> tuple[str, ...]:
        """What it says, as the command ``standings`` prints it."""
        t = self.tally
        numbers = tuple(str(n) for n in (t.games, t.won, t.lost, t.drawn))
        if t.score is None or t.score_interval is None:
            return (self.who, *numbers, "", "")
        low, high = t.score_interval
        return (self.who, *numbers, f"{t.score:.3f}", f"{low:.3f} to {high:.3f}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """What an arena has come to by now."""

    pairings: Sequence[Standing]
    players: Sequence[Standing]
    """Each against all others; nothing where that says no more than the pairings."""
    games: Sequence[Listed]
    count: int
    """How many games there are, more than listed where they are many."""
    problems: Sequence[str]


class Arena:
    """The folder of an arena; read again whenever it is shown, for it may be played into."""

    def __init__(self, folder: Path) -> None:
        """Open a folder; one that is no arena's is an error."""
        self._folder = folder
        self.name = folder.resolve().name or "arena"
        """All that is shown of where it is."""
        self.plan: Plan = read_plan(folder)
        self._finished()

    @property
    def about(self) -> str:
        """What was played, in a line."""
        plan = self.plan
        time = "no time limit" if plan.seconds is None else f"{plan.seconds:g} s for each try"
        return f"{plan.board}, {time}, at most {plan.longest} half-moves, seed {plan.seed}"

    def results(self) -> Results:
        """Return what it has come to by now."""
        games, problems = self._finished()
        plan = self.plan
        pairs = [_pairing(result) for result in standings(plan, games)]
        every = len(plan.players) > 2 and plan.pairs == "all"
        players = [Standing(who=n, tally=t) for n, t in by_player(plan, games).items()]
        return Results(
            pairings=pairs, players=players if every else (), count=len(games),
            games=self._listed(games)[:MOST_GAMES], problems=problems,
        )  # fmt: skip

    def record(self, entry: int) -> GameRecord:
        """Return a game by its number in the file."""
        lines = self._lines()
        where = f"{self.name}/{GAMES}"
        if not 1 <= entry <= len(lines):
            raise InvalidInput(f"{where}: no game {entry}")
        line, text = lines[entry - 1]
        where = f"{where}, line {line}"
        return fitting(where, Entry(where=where, text=text, whole=False, pgn=False).read())

    def _finished(self) -> tuple[Games, list[str]]:
        problems: list[str] = []
        try:
            games = read_games(self._folder, self.plan, problems.append)
        except InvalidInput as error:
            raise InvalidInput(self._without_path(str(error))) from None
        return games, [self._without_path(problem) for problem in problems]

    def _without_path(self, problem: str) -> str:
        return problem.replace(str(self._folder / GAMES), f"{self.name}/{GAMES}")

    def _lines(self) -> list[tuple[int, bytes]]:
        file = self._folder / GAMES
        try:
            whole = file.read_bytes() if file.exists() else b""
        except OSError:
            raise InvalidInput(f"{self.name}/{GAMES}: cannot be read") from None
        return [(k, t) for k, t in enumerate(whole.splitlines(), start=1) if t.strip()]

    def _listed(self, games: Games) -> list[Listed]:
        """Return the games that count, in the order of the file."""
        waiting = dict(games)
        found = []
        for entry, (_, text) in enumerate(self._lines(), start=1):
            game = waiting.pop(_key(text), None)
            if game is not None:
                found.append(self._row(entry, game))
        return found

    def _row(self, entry: int, game: Finished) -> Listed:
        white, black = self.plan.job(game.pairing, game.number).sides
        mine = int(white != game.pairing[0])
        outcome = next(
            name
            for name, scores in SCORES.items()
            if (None if scores is None else scores[mine]) == game.score
        )
        return Listed(
            entry=entry, white=white, black=black, outcome=outcome, reason=game.reason,
            half_moves=game.half_moves,
        )  # fmt: skip


def _key(text: bytes) -> tuple[Pairing, int]:
    """Return which game of an arena a line holds; nothing has it that cannot be read."""
    try:
        content = json.loads(text)
        first, second = content["pairing"]
        return (first, second), content["number"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return ("", ""), 0


def _pairing(result: PairingResult) -> Standing:
    first, second = result.pairing
    return Standing(who=f"{first} v {second}", tally=result.tally, half_moves=result.half_moves)
