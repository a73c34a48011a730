"""Play what is missing of an arena's games, each written as soon as it is finished."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from ipomdp.arena.finished import Finished, read_line
from ipomdp.arena.folder import appending, open_folder, read_games
from ipomdp.arena.plan import ROSTER, Job, Plan

Playing = Callable[[Iterable[Job]], Iterator[list[bytes]]]
"""What plays jobs and returns their lines, as many as have come in at a time."""


def run(
    plan: Plan,
    games: int,
    folder: Path,
    play: Playing,
    *,
    complain: Callable[[str], object],
    roster: str = ROSTER,
) -> Iterator[list[Finished]]:
    """Return the games found in a folder, then those played, as many as have come in at a time."""
    open_folder(folder, plan)
    with appending(folder) as append:
        found = read_games(folder, plan, complain)
        yield list(found.values())
        jobs = plan.jobs(games, roster)
        for lines in play([job for job in jobs if (job.pairing, job.number) not in found]):
            append(lines)
            yield [read_line(line, plan) for line in lines]
