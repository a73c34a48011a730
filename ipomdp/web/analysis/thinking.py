"""Answers worked out beside the page: what may be, what waits, what is outdated."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from ipomdp.analysis import analyze, warning
from ipomdp.engine.effort import effort
from ipomdp.errors import InvalidInput
from ipomdp.report import Analysis
from ipomdp.scenario import AnyScenario
from ipomdp.web.analysis.choices import plainly

Answer = TypeVar("Answer")

AT_ONCE = 1e9
"""Bytes that an analysis may be estimated to need without being asked for twice."""
PAUSE = 0.06
"""Seconds that a setting must rest before it is answered."""
QUICK = ThreadPoolExecutor(max_workers=4, thread_name_prefix="analysis")
SLOW = ThreadPoolExecutor(max_workers=1, thread_name_prefix="long-analysis")
"""One at a time: each may fill gigabytes."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is to be expected of an analysis."""

    words: str = ""
    """Why it is not begun at once."""
    possible: bool = True
    """Whether it may be begun on this page at all."""


class Outdated(Exception):
    """Something else has been asked since."""


def outlook(scenario: AnyScenario) -> Outlook:
    """Return whether an analysis can be begun at once, on request, or by the command alone."""
    try:
        words = warning(scenario)
    except InvalidInput as error:
        return Outlook(plainly(str(error)), possible=False)
    if words:
        return Outlook(f"{words}: more than this page takes on; the command does it", False)
    estimate = effort(scenario.problem.situation())
    if estimate.bytes > AT_ONCE:
        about = f"about {estimate.seconds:.0f} seconds and {estimate.bytes / 1e9:.0f} GB"
        return Outlook(f"{about}, or a few times that")
    return Outlook()


@lru_cache(maxsize=48)
def answer(scenario: AnyScenario) -> Analysis:
    """Return the analysis of a scenario; the last few are kept."""
    return analyze(scenario)


async def beside(work: Callable[[], Answer], *, slow: bool = False) -> Answer:
    """Work something out while the page stays alive."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(SLOW if slow else QUICK, work)


class Latest:
    """Answers the newest of the questions that somebody asks."""

    def __init__(self) -> None:
        self._asked = 0
        self._waiting: asyncio.Future[object] | None = None

    def forget(self) -> None:
        """Drop what has been asked; what has not begun never begins."""
        self._asked += 1
        if self._waiting is not None:
            self._waiting.cancel()

    async def ask(
        self, work: Callable[[], Answer], *, slow: bool = False, pause: float = PAUSE
    ) -> Answer:
        """Return what ``work`` returns, unless something else is asked before it does."""
        self.forget()
        mine = self._asked
        await asyncio.sleep(pause)
        if mine != self._asked:
            raise Outdated
        loop = asyncio.get_running_loop()
        waiting = loop.run_in_executor(SLOW if slow else QUICK, work)
        self._waiting = waiting  # type: ignore[assignment]
        try:
            found = await waiting
        except asyncio.CancelledError:
            if mine != self._asked:
                raise Outdated from None
            raise
        except Exception:
            if mine != self._asked:
                raise Outdated from None
            raise
        if mine != self._asked:
            raise Outdated
        return found
