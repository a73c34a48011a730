"""What the finished games of an arena show, pairing by pairing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ipomdp.arena.finished import Finished
from ipomdp.arena.folder import Games
from ipomdp.arena.intervals import Interval, of_score, wilson
from ipomdp.arena.plan import Pairing, Plan

FAULTS = ("crash", "time", "resigned")
"""Ends that are one player's doing."""

Pair = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Games counted from one player's side; those without an end are not among ``games``."""

    games: int
    won: int
    lost: int
    drawn: int
    unfinished: int

    @property
    def score(self) -> float | None:
        """The mean: a win is 1, a draw 1/2."""
        return (self.won + self.drawn / 2) / self.games if self.games else None

    @property
    def score_interval(self) -> Interval | None:
        """95% of it."""
        return of_score(self.won, self.lost, self.drawn) if self.games else None

    def share(self, count: int) -> tuple[float, Interval] | None:
        """Return a count as a share of the games, with its 95% interval."""
        return (count / self.games, wilson(count, self.games)) if self.games else None

    def to_dict(self) -> dict[str, Any]:
        """Return everything, shares with their intervals too."""
        content = {**asdict(self), "score": self.score, "score_interval": self.score_interval}
        for name in ("won", "lost", "drawn"):
            share = self.share(getattr(self, name))
            content[f"{name}_share"] = share and share[0]
            content[f"{name}_interval"] = share and share[1]
        return content


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A mean over the games that got so far, at each step of them."""

    games: tuple[int, ...]
    mean: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingResult:
    """One pairing; pairs are the first player's and the second's."""

    pairing: Pairing
    tally: Tally
    half_moves: float | None
    """The mean length of the games with an end."""
    ends: dict[str, int]
    """Reasons, with the player whose doing it was."""
    seconds_per_move: tuple[float | None, float | None]
    material_at_end: Pair | None
    material: tuple[Curve, Curve]
    """After each half-move."""
    noted: tuple[dict[str, Curve], dict[str, Curve]]
    """What each player noted, at each of its own moves."""
    faults: tuple[str, ...]
    """What went wrong, in which game."""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        content = asdict(self)
        del content["tally"]
        return {"pairing": list(self.pairing), **self.tally.to_dict(), **content}


def standings(plan: Plan, games: Games) -> list[PairingResult]:
    """Return what each pairing of a plan has come to."""
    ordered = sorted(games.values(), key=lambda game: game.number)
    return [_result(p, [g for g in ordered if g.pairing == p]) for p in plan.pairings]


def by_player(plan: Plan, games: Games) -> dict[str, Tally]:
    """Return what each player has come to against all others together, best first."""
    scores: dict[str, list[float | None]] = {player: [] for player in plan.players}
    for game in games.values():
        first, second = game.pairing
        scores[first].append(game.score)
        scores[second].append(None if game.score is None else 1 - game.score)
    tallies = {player: tally(mine) for player, mine in scores.items()}
    return dict(sorted(tallies.items(), key=lambda item: -(item[1].score or 0.0)))


def tally(scores: Iterable[float | None]) -> Tally:
    """Return games counted by their scores."""
    counts = Counter(scores)
    won, lost, drawn = counts[1.0], counts[0.0], counts[0.5]
    return Tally(games=won + lost + drawn, won=won, lost=lost, drawn=drawn, unfinished=counts[None])


def _result(pairing: Pairing, games: Sequence[Finished]) -> PairingResult:
    ended = [game for game in games if game.score is not None]
    played = [game for game in ended if game.half_moves]
    seconds = np.array([game.seconds for game in games]).reshape(-1, 2).sum(axis=0)
    moves = np.array([game.moves for game in games]).reshape(-1, 2).sum(axis=0)
    per_move = [float(s / m) if m else None for s, m in zip(seconds, moves, strict=True)]
    last = np.array([[side[-1] for side in game.material] for game in played]).reshape(-1, 2)
    at_end = last.mean(axis=0) if len(last) else None
    return PairingResult(
        pairing=pairing,
        tally=tally(game.score for game in games),
        half_moves=float(np.mean([game.half_moves for game in ended])) if ended else None,
        ends=dict(Counter(_end(game) for game in games).most_common()),
        seconds_per_move=(per_move[0], per_move[1]),
        material_at_end=None if at_end is None else (float(at_end[0]), float(at_end[1])),
        material=(
            curve([game.material[0] for game in played]),
            curve([game.material[1] for game in played]),
        ),
        noted=(_noted(games, 0), _noted(games, 1)),
        faults=tuple(
            f"game {game.number}, {_end(game)}: {game.detail}" for game in games if game.detail
        ),
    )


def _end(game: Finished) -> str:
    """Return why a game ended, and by whose doing where it is a player's."""
    if game.reason not in FAULTS:
        return game.reason
    return f"{game.reason} of {game.pairing[int(game.score == 1.0)]}"


def _noted(games: Sequence[Finished], player: int) -> dict[str, Curve]:
    turns = [game.noted[player] for game in games]
    names = sorted({name for notes in turns for note in notes for name in note})
    return {name: curve(turns, lambda note, name=name: note.get(name)) for name in names}  # type: ignore[misc]


def curve(
    rows: Sequence[Sequence[Any]], value: Callable[[Any], float | None] = lambda entry: entry
) -> Curve:
    """Return the mean of each column of rows of different lengths, over those that have it."""
    length = max(map(len, rows), default=0)
    table = np.full((len(rows), length), np.nan)
    for k, row in enumerate(rows):
        numbers = [value(entry) for entry in row]
        table[k, : len(row)] = [np.nan if number is None else number for number in numbers]
    known = ~np.isnan(table)
    counts = known.sum(axis=0)
    sums = np.where(known, table, 0.0).sum(axis=0)
    means = sums / np.maximum(counts, 1)
    return Curve(games=tuple(map(int, counts)), mean=tuple(map(float, means)))
