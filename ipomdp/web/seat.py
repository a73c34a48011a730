"""One side of a game as its page shows it.

A seat has a line to a referee and no way to the table: all that it holds follows from what came
over the line, so whatever a page shows of it follows from what its side may know.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from ipomdp.arena.match import crash_words
from ipomdp.arena.notation import taken_apart
from ipomdp.players.player import Thinker
from ipomdp.players.roster import make_player
from ipomdp.seats.communicator import (
    Began,
    Communicator,
    DrawOffered,
    Ended,
    Event,
    Heard,
    Moved,
    Refused,
    Told,
)
from ipomdp.seats.hearing import Listener
from ipomdp.seats.knowledge import Knowledge
from ipomdp.seats.sitting import hearing_of
from ipomdp.tokens.token import Token

if TYPE_CHECKING:
    from collections.abc import Sequence

log = logging.getLogger(__name__)
_T = TypeVar("_T")

ADVISER = "ipomdp"
"""Who believes and advises, at its usual level."""
SIDES = ("White", "Black")
FEW = 4
"""Pieces that are listed one by one."""
_QUICK = ThreadPoolExecutor(max_workers=4, thread_name_prefix="belief")
"""Threads apart from those in which players think, which may take long."""


class Seat:
    """What a side knows, what is made of it, and who is to be told when it changes."""

    def __init__(self, line: Communicator, seed: int) -> None:
        self._line, self._seed = line, seed
        self.knowledge: Knowledge | None = None
        """``None`` before the game has begun."""
        self.other = ""
        self.log: list[tuple[str, str]] = []
        """What was done and heard, in words, with what kind of thing it is."""
        self.ended: Ended | None = None
        self.offered: str | None = None
        """Who has offered a draw, ``me`` or ``other``."""
        self.waiting = False
        """Whether a try is with the referee."""
        self.news = ""
        """What was told last beside the game, until the game goes on."""
        self.from_message: Sequence[Token] = ()
        self.from_belief: Sequence[Token] = ()
        self.problem = ""
        """Why there is no belief."""
        self.subscribers: list[Callable[[], object]] = []
        self.begun = asyncio.Event()
        """Set once a game has begun and there is something to show."""
        self._listener: Listener | None = None
        self._thinker: Thinker | None = None
        self._thinking = asyncio.Lock()

    async def run(self) -> None:
        """Take what comes over the line until it ends."""
        async for event in self._line.events():
            self._take(event)
            if isinstance(event, Began | Refused | Moved | Heard):
                await self._believe()
            self.changed()
            self.begun.set()

    def changed(self) -> None:
        """Tell everybody who shows the seat; one that fails is not told again."""
        for subscriber in tuple(self.subscribers):
            try:
                subscriber()
            except Exception:
                log.exception("a page could not be brought up to date")
                self.subscribers.remove(subscriber)

    def _take(self, event: Event) -> None:
        match event:
            case Began():
                self.knowledge = Knowledge(event.game, event.side, event.start)
                self.other, self.log, self.ended, self.offered = event.other, [], None, None
                self._listener = self._thinker = None
                self.waiting = False
                self.log.append(("begin", self._start_words()))
            case Refused() | Moved() | Heard():
                self._note(event)
            case DrawOffered():
                self.offered = "other" if event.by_other else "me"
                who = SIDES[1 - self.side] if event.by_other else "You"
                verb = "offers" if event.by_other else "offer"
                self.log.append(("draw", f"{who} {verb} a draw."))
            case Ended():
                self.ended, self.offered, self.waiting = event, None, False
                self.log.append(("end", self.verdict))
            case Told():
                self.news = event.words[:1].upper() + event.words[1:]
                self.log.append(("told", self.news))

    def _start_words(self) -> str:
        """Return where the other's pieces stand at first, which both sides know."""
        assert self.knowledge is not None  # noqa: S101 - a game has begun
        known, other = self.knowledge, 1 - self.side
        theirs = known.game.pieces(known.start, other)
        if len(theirs) > FEW:
            return "Both sides start as in chess."
        listed = ", ".join(f"{piece.upper()}{square}" for square, piece in theirs.items())
        return f"The start, which both sides know: {SIDES[other]} has {listed}."

    def _note(self, event: Refused | Moved | Heard) -> None:
        assert self.knowledge is not None  # noqa: S101 - a game begins before anything happens
        game, other = self.knowledge.game, SIDES[1 - self.side]
        self.knowledge.add(hearing_of(event))
        self.waiting, self.news = False, ""
        match event:
            case Refused():
                self.log.append(("refused", f"{game.actions[event.action]} is refused."))
            case Moved():
                said = self.said(event.heard, 1 - self.side)
                self.log.append(("own", f"You played {game.actions[event.action]}. {said}."))
                if self.offered == "other":
                    self.offered = None
            case Heard():
                said = self.said(event.heard, self.side)
                self.log.append(("other", f"{other} has moved. {said}."))
                if self.offered == "me":
                    self.offered = None
                    self.log.append(("draw", f"{other} plays on: no draw."))

    def said(self, heard: int, next_: int) -> str:
        """Return an announcement in words, with whose pawn tries it speaks of."""
        assert self.knowledge is not None  # noqa: S101 - a game has begun
        words = self.knowledge.game.say(heard)
        whose = "you" if next_ == self.side else SIDES[next_]
        return f"{words} for {whose}" if words.endswith(("pawn try", "pawn tries")) else words

    # What the side may do.

    @property
    def side(self) -> int:
        """The side; White before a game has begun."""
        return 0 if self.knowledge is None else self.knowledge.side

    @property
    def mine(self) -> bool:
        """Whether the person is to move."""
        known = self.knowledge
        return known is not None and known.mine and self.ended is None and not self.waiting

    def actions(self, origin: str, target: str) -> list[int]:
        """Return the open tries from a square to another: several where a pawn promotes."""
        return [
            action for action, (start, end) in self.open.items() if (start, end) == (origin, target)
        ]

    @property
    def open(self) -> Mapping[int, tuple[str, str]]:
        """The open tries with their squares, while the person is to move."""
        known = self.knowledge
        if known is None or not self.mine:
            return {}
        pieces = known.pieces
        moves = {int(a): taken_apart(known.game.actions[a], pieces) for a in known.tries}
        return {action: (move.origin, move.target) for action, move in moves.items()}

    async def attempt(self, action: int) -> None:
        """Try a move, if it is open."""
        if action not in self.open:
            return
        self.waiting = True
        try:
            await self._line.attempt(action)
        except ValueError:  # the game has gone on, or ended, in the same moment
            self.waiting = False

    async def resign(self) -> None:
        """Give up."""
        if self.ended is None:
            await self._line.resign()

    async def draw(self) -> None:
        """Offer a draw, or accept the other's offer."""
        if self.ended is None:
            await self._line.draw()

    def give_up(self) -> None:
        """Tell the person that the game has no referee any more."""
        if self.ended is None:
            self._take(Ended(winner=None, reason="dropped"))
        self.changed()

    # What is made of it.

    async def _believe(self) -> None:
        """Draw both kinds of tokens anew."""
        assert self.knowledge is not None  # noqa: S101 - a game has begun
        from ipomdp.tokens.belief import from_belief  # numba, which the first page does without
        from ipomdp.tokens.message import last_message

        known = self.knowledge
        self.from_message = await self._quickly(lambda: last_message(known)) or ()
        self.from_belief = ()
        if known.over:
            return

        def look(thinker: Thinker) -> Sequence[Token]:
            boards, weights, exact = thinker.worlds()
            return from_belief(known, boards, weights, exact=exact)

        self.from_belief = await self.consult(look) or ()

    async def _quickly(self, work: Callable[[], _T]) -> _T | None:
        """Do some work in a thread; the game does not depend on what comes of it."""
        try:
            return await asyncio.get_running_loop().run_in_executor(_QUICK, work)
        except Exception as error:
            log.exception("what a side may believe could not be worked out")
            self.problem = crash_words(error)
            return None

    async def consult(self, question: Callable[[Thinker], _T]) -> _T | None:
        """Ask the adviser, who knows what the side knows; one that fails is sent away."""
        known = self.knowledge
        if known is None:
            return None

        def ask() -> _T:
            if self._listener is None or self._thinker is None:
                self._thinker = _adviser(known)
                rng = np.random.default_rng(self._seed)
                self._listener = Listener(self._thinker, known.side, known.start, rng)
            self._listener.catch_up(known.hearings)
            return question(self._thinker)

        async with self._thinking:
            self.problem = ""
            answer = await self._quickly(ask)
            if self.problem:
                self._listener = None
            return answer

    @property
    def verdict(self) -> str:
        """How the game ended, in words to the person."""
        if self.ended is None:
            return ""
        won, other = self.ended.winner == self.side, SIDES[1 - self.side]
        winner = "you win" if won else f"{other} wins"
        return {
            "resigned": f"{other if won else 'You'} resigned: {winner}.",
            "crash": f"{other if won else 'Your side'} could not go on: {winner}.",
            "time": f"{other if won else 'Your side'} ran out of time: {winner}.",
            "length": "Draw: the game has gone on too long.",
            "agreed": "Draw by agreement.",
            "stalemate": "Draw by stalemate.",
            "draw": "Draw: what is left cannot mate.",
            "dropped": "The server has given this game up.",
            "checkmate": f"Checkmate: {winner}.",
        }.get(self.ended.reason, "The game is over.")


def _adviser(known: Knowledge) -> Thinker:
    adviser = make_player(ADVISER, known.game)
    if not isinstance(adviser, Thinker):
        raise TypeError(f"{ADVISER} cannot tell what it believes")
    return adviser
