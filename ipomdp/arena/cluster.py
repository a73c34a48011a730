"""The games of an arena on a Dask cluster: on each worker a process of its own plays them."""

from __future__ import annotations

import logging
import re
import socket
from asyncio import CancelledError as ClosedLoop
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, TypeAlias

from ipomdp.arena.crew import ATTEMPTS, Crew
from ipomdp.arena.forfeit import forfeited
from ipomdp.arena.plan import ROSTER, Job, Plan
from ipomdp.errors import InvalidInput, IpomdpError
from ipomdp.quoting import shown

Client: TypeAlias = Any
Future: TypeAlias = Any
"""Dask's; it is an optional package, and its types do not cover what we call."""
ANSWER_SECONDS, WORKER_SECONDS = 10, 30
"""How long a scheduler has to answer, and then to have a worker."""
HIGHEST_PORT = 65535
AHEAD = 2
"""Games sent for each thread of the cluster: one in play, one to follow."""
LOOK_EVERY = 5
"""Seconds between two looks at whether the scheduler is still there."""
LOST = (OSError, CancelledError, ClosedLoop)
"""What Dask raises once the scheduler is gone."""
GONE = "--scheduler: it no longer answers; the finished games are kept, the same command goes on"

_idle: list[Crew] = []
"""On a worker: processes that wait for a game."""


def play_watched(job: Job) -> bytes:
    """Play a game on a worker, in a process that may die or hang without harm to the worker."""
    crew = _idle.pop() if _idle else Crew(1)
    try:
        ((line,),) = crew.play([job])
    except BaseException:
        crew.close()
        raise
    _idle.append(crew)
    return line


def can_play(board: str, players: tuple[str, ...], engine: str | None, roster: str) -> str:
    """Return why a worker cannot play, if so."""
    try:
        made = import_module(roster)
        game = made.board_game(board)
        for player in players:
            made.make_player(player, game, engine)
    except Exception as error:  # noqa: BLE001 - told to the user, before anything starts
        return f"{type(error).__name__}: {error}"
    return ""


def release() -> None:
    """Stop the processes that wait on a worker."""
    while _idle:
        _idle.pop().close()


@contextmanager
def connected(address: str, plan: Plan, roster: str = ROSTER) -> Iterator[Client]:
    """Return a client of a cluster each of whose workers can play."""
    try:
        dask: Any = import_module("distributed")
    except ImportError:
        raise InvalidInput("needs the package distributed: pip install 'ipomdp[cluster]'") from None
    for name in ("distributed", "distributed.client"):  # we say ourselves what is wrong
        logging.getLogger(name).setLevel(logging.CRITICAL)
    _check_address(address)
    try:
        client: Client = dask.Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
    except (OSError, ValueError, TypeError) as error:
        raise InvalidInput(f"no scheduler answers at {address}: {error}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=WORKER_SECONDS)
        except TimeoutError:
            raise InvalidInput(f"the scheduler at {address} has no workers") from None
        workers = list(client.scheduler_info(n_workers=-1)["workers"])
        wanted = (plan.board, plan.players, plan.engine, roster)
        asked = {
            worker: client.submit(can_play, *wanted, workers=[worker], pure=False)
            for worker in workers
        }
        for worker, answer in asked.items():
            problem = _problem(answer)
            if problem:
                raise InvalidInput(f"the worker at {worker} cannot play: {problem}")
        try:
            yield client
        finally:
            with suppress(*LOST):  # then they end with their workers
                if client.status == "running":  # else Dask would wait for the scheduler
                    client.run(release, on_error="ignore")


def _check_address(address: str) -> None:
    """Refuse an address at which nothing listens; Dask would wait for it."""
    match = re.fullmatch(r"(?:(?:tcp|tls)://)?([^:/\s]+|\[[0-9a-fA-F:]+\]):([0-9]{1,5})", address)
    if match is None or int(match[2]) > HIGHEST_PORT:
        raise InvalidInput(f"expected an address like tcp://HOST:8786, not {shown(address)}")
    try:
        with socket.create_connection((match[1].strip("[]"), int(match[2])), ANSWER_SECONDS):
            pass
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InvalidInput(f"no scheduler answers at {address}: {reason}") from None


def play_on(client: Client, jobs: Iterable[Job]) -> Iterator[list[bytes]]:
    """Return the lines of the games, as many as have come in at a time."""
    waiting, playing = deque(jobs), dict[Future, Job]()
    attempts: Counter[Job] = Counter()
    try:
        while waiting or playing:
            lines = []
            for job, line in _turn(client, waiting, playing):
                attempts[job] += 1
                if line is not None:
                    lines.append(line)
                elif attempts[job] < ATTEMPTS:
                    waiting.appendleft(job)
                else:
                    lines.append(forfeited(job, None, hung=False, words="with its worker"))
            if lines:
                yield lines
    finally:
        with suppress(*LOST):
            if client.status == "running":
                client.cancel(list(playing))


def _turn(
    client: Client, waiting: deque[Job], playing: dict[Future, Job]
) -> list[tuple[Job, bytes | None]]:
    """Send games as far as there is room, and return those that have come back in a while."""
    dask: Any = import_module("distributed")
    try:
        room = AHEAD * max(1, sum(client.nthreads().values())) - len(playing)
        for job in [waiting.popleft() for _ in range(min(room, len(waiting)))]:
            playing[client.submit(play_watched, job, pure=False)] = job
        with client.as_current():
            done = dask.wait(list(playing), LOOK_EVERY, return_when="FIRST_COMPLETED").done
        return [(playing.pop(future), _line(future)) for future in done]
    except TimeoutError:
        if client.status == "running":
            return []
        raise IpomdpError(GONE) from None
    except LOST:
        raise IpomdpError(GONE) from None


def _line(future: Future) -> bytes | None:
    """Return what a game has come to; ``None`` if its workers died again and again."""
    if future.status == "error":  # on the worker, whatever it is
        error: Exception = future.exception()
        if isinstance(error, import_module("distributed").KilledWorker):
            return None
        raise IpomdpError(f"the cluster cannot play: {type(error).__name__}: {error}")
    line: bytes = future.result()
    return line


def _problem(answer: Future) -> str:
    """Return what a worker said, or why it said nothing."""
    try:
        problem: str = answer.result()
    except Exception as error:  # noqa: BLE001 - told to the user
        return f"{type(error).__name__}: {error}"
    return problem
