"""What an arena is to play: who meets whom, in which games, from which seeds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations

from ipomdp.errors import InvalidInput
from ipomdp.quoting import shown

PAIRS = ("all", "first")
"""Everybody against everybody, or the first player against each of the others."""
ROSTER = "ipomdp.players.roster"
"""The module that makes boards and players from their names."""

Pairing = tuple[str, str]
"""Two players as they were typed; results are told as the first one's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One game to play, as plain data: it goes to other processes and other machines."""

    pairing: Pairing
    number: int
    """Which game of the pairing, from 1."""
    seed: int
    opening: int
    """Draws the first position, where there are several: the same for a game and the next, in which
    the colours are the other way round, and for all pairings."""
    board: str
    seconds: float | None
    """Time for each try; ``None`` where the players have as much as they like."""
    longest: int
    """Half-moves after which the game is a draw."""
    engine: str | None = None
    """The command of a UCI engine that values boards for the players that sample."""
    roster: str = ROSTER

    @property
    def sides(self) -> Pairing:
        """White's player and Black's: the first of the pairing has White in odd games."""
        first, second = self.pairing
        return (first, second) if self.number % 2 else (second, first)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The settings that make two arenas the same; how many games is not one of them."""

    players: tuple[str, ...]
    board: str
    pairs: str = "all"
    seconds: float | None = None
    seed: int = 0
    longest: int = 400
    engine: str | None = None

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Who meets whom."""
        if self.pairs == "all":
            return tuple(combinations(self.players, 2))
        return tuple((self.players[0], other) for other in self.players[1:])

    def check(self) -> None:
        """Refuse players whose games would be the same ones twice."""
        if len(self.players) < 2:
            raise InvalidInput(f"expected two players or more, not {len(self.players)}")
        seen: set[frozenset[str]] = set()
        for first, second in self.pairings:
            if frozenset((first, second)) in seen:
                raise InvalidInput(f"{shown(first)} against {shown(second)} stands there twice")
            seen.add(frozenset((first, second)))

    def job(self, pairing: Pairing, number: int, roster: str = ROSTER) -> Job:
        """Return a game of a pairing."""
        return Job(
            pairing=pairing, number=number, seed=game_seed(self.seed, pairing, number),
            opening=game_seed(self.seed, ("opening", ""), (number + 1) // 2),
            board=self.board, seconds=self.seconds, longest=self.longest,
            engine=self.engine, roster=roster,
        )  # fmt: skip

    def jobs(self, games: int, roster: str = ROSTER) -> Iterator[Job]:
        """Return so many games of each pairing, in turn: what is done first tells of all."""
        for number in range(1, games + 1):
            for pairing in self.pairings:
                yield self.job(pairing, number, roster)


def game_seed(seed: int, pairing: Pairing, number: int) -> int:
    """Return a game's seed, the same whoever else plays, in whatever order and wherever."""
    text = "\n".join((str(seed), *pairing, str(number)))
    return int.from_bytes(sha256(text.encode()).digest()[:6])  # exact in any reader of JSON
