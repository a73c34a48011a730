"""The standings of an arena as tables and as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console
from rich.text import Text

from ipomdp.arena.folder import Games
from ipomdp.arena.plan import Plan
from ipomdp.arena.standings import PairingResult, Tally, by_player, standings
from ipomdp.quoting import printable, shown
from ipomdp.show.tables import table

MOST_FAULTS = 5
"""Faults of a pairing that are told one by one."""
COUNTS = ("games", "won", "lost", "drawn", "score")


def standings_dict(plan: Plan, games: Games) -> dict[str, Any]:
    """Return everything at full precision."""
    return {
        **asdict(plan),
        "players": list(plan.players),
        "pairings": [result.to_dict() for result in standings(plan, games)],
        "standings": {name: tally.to_dict() for name, tally in by_player(plan, games).items()},
    }


def print_standings(console: Console, plan: Plan, games: Games) -> None:
    """Print what the games show, pairing by pairing."""
    results = standings(plan, games)
    time = "no time limit" if plan.seconds is None else f"{plan.seconds:g} s for each try"
    engine = "" if plan.engine is None else f"engine {shown(plan.engine)}, "
    console.print(
        f"{plan.board}, {time}, {engine}at most {plan.longest} half-moves, seed {plan.seed}; "
        f"{_counted(len(games), 'game')}"
    )
    _print_scores(console, results)
    if len(plan.players) > 2 and plan.pairs == "all":
        _print_players(console, by_player(plan, games))
    _print_course(console, results)
    for result in results:
        _print_ends(console, result)
    console.print(
        "score: a win is 1, a draw 1/2; its interval is Tango's (the score test), that of the "
        "share won Wilson's. Seconds a move and material at the end: the first player's, the "
        "second's; queen 9, rook 5, bishop and knight 3, pawn 1."
    )


def _print_scores(console: Console, results: Sequence[PairingResult]) -> None:
    rows = table("", *COUNTS, "95% interval", right=COUNTS)
    for result in results:
        rows.add_row(_versus(result), *_counts(result.tally))
    console.print(rows)


def _print_players(console: Console, tallies: Mapping[str, Tally]) -> None:
    rows = table("against all", *COUNTS, "95% interval", right=COUNTS)
    for player, tally in tallies.items():
        rows.add_row(Text(printable(player)), *_counts(tally))
    console.print(rows)


def _counts(tally: Tally) -> list[str]:
    numbers = [str(number) for number in (tally.games, tally.won, tally.lost, tally.drawn)]
    if tally.score is None or tally.score_interval is None:
        return [*numbers, "", ""]
    low, high = tally.score_interval
    return [*numbers, f"{tally.score:.3f}", f"{low:.3f} to {high:.3f}"]


def _print_course(console: Console, results: Sequence[PairingResult]) -> None:
    numbers = ("half-moves", "s a move", "material")
    rows = table("", "won, 95% interval", *numbers, right=numbers)
    for result in results:
        share, material = result.tally.share(result.tally.won), result.material_at_end
        rows.add_row(
            _versus(result),
            "" if share is None else f"{share[0]:.0%} ({share[1][0]:.0%} to {share[1][1]:.0%})",
            "" if result.half_moves is None else f"{result.half_moves:.1f}",
            ", ".join("-" if s is None else _seconds(s) for s in result.seconds_per_move),
            "" if material is None else f"{material[0]:.1f}, {material[1]:.1f}",
        )
    console.print(rows)


def _print_ends(console: Console, result: PairingResult) -> None:
    """Print why the games of a pairing ended, and what went wrong in them."""
    if result.ends:
        ends = ", ".join(f"{end} {count}" for end, count in result.ends.items())
        console.print(Text(printable(f"{_versus(result)}: {ends}")))
    for fault in result.faults[:MOST_FAULTS]:
        console.print(Text(printable(f"  {fault}")))
    more = len(result.faults) - MOST_FAULTS
    if more > 0:
        console.print(f"  {more} more like these")


def _versus(result: PairingResult) -> Text:
    first, second = result.pairing
    return Text(printable(f"{first} v {second}"))


def _seconds(seconds: float) -> str:
    return "<0.001" if seconds < 0.001 else f"{seconds:.3f}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
