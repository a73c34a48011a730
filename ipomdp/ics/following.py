"""A game followed from afar: what a server sends, turned into what happened to the side."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

from ipomdp.game import BoardGame
from ipomdp.ics import heard, style12
from ipomdp.ics.style12 import Board12
from ipomdp.ics.words import ILLEGAL, GameEnd, announced, end_in, said_in
from ipomdp.quoting import cut
from ipomdp.seats.communicator import (
    Began,
    DrawOffered,
    Ended,
    Event,
    Heard,
    Moved,
    Refused,
    Told,
)
from ipomdp.seats.hearing import Hearing
from ipomdp.seats.knowledge import Knowledge
from ipomdp.wild16.referee import ENDING

log = logging.getLogger(__name__)

_ILLEGAL = re.compile(rf"{ILLEGAL}\b.*", re.IGNORECASE)
_OFFER = re.compile(r"(\S+|Your opponent) offers (you )?a draw\b.*", re.IGNORECASE)
_OFFERED = re.compile(r"Draw request sent\b.*", re.IGNORECASE)
_TALK = re.compile(r"\S+ (tells you|says): .*|\S+ (has lost the connection|is back|declines).*")
_CONTINUING = re.compile(r"\{Game ([0-9]{1,9}) \(.*\) Continuing .*\}.*")
_RULED = {"checkmate": 1, "stalemate": 2, "draw": 3}


class Following:
    """The game that a client is in, as far as the server has told it.

    Nothing is lost and nothing told twice: what is missing, as after a lost connection, is asked
    for as a list (``heard``) before anything else is believed.
    """

    def __init__(self, game: BoardGame) -> None:
        self._game = game
        self.knows: Knowledge | None = None
        """What the side knows; ``None`` before the first game and after the last."""
        self.pending: int | None = None
        """The own try that was sent and not yet answered."""
        self.behind = False
        """Whether something was missed, and the list is needed."""
        self.failed = ""
        """Why the game cannot be followed any longer."""
        self._number, self._finished = 0, 0
        self._seen: Board12 | None = None
        self._continuing = 0

    @property
    def ply(self) -> int:
        """How many half-moves the side knows of."""
        if self.knows is None:
            return 0
        return sum(hearing.heard is not None for hearing in self.knows.hearings)

    def take(self, lines: Sequence[str]) -> list[Event]:
        """Return what happened, from lines that were sent together."""
        if any(heard.head(line) for line in lines) or heard.NOTHING in lines:
            return self._listed(lines)
        sent = _Sent(lines)
        self._continuing = sent.continuing or self._continuing
        events = [event for line in sent.others for event in _said(line)]
        events += self._refused() if sent.refused else []
        for n, (board, parts) in enumerate(sent.boards, start=1):
            last = sent.end if n == len(sent.boards) else None
            events += self._board(board, parts, _RULED.get(last.reason, 0) if last else 0)
        if sent.end is not None and sent.end.number == self._number:
            events += self._ended(sent.end.winner, sent.end.reason)
        return events

    def missed(self) -> None:
        """Note that the line was lost: what comes next may not be the next thing."""
        self.behind = self.knows is not None
        if self.knows is None:
            self._finished = 0  # a server that was started again counts from 1 again

    def unlisted(self) -> None:
        """Go on with a server that has no list, where nothing can have been missed."""
        self.behind = False
        if self.knows is None or (self._seen is not None and self._seen.ply == self.ply):
            return
        self.failed = "moves were missed, and the server does not repeat what was said of them"

    def _refused(self) -> list[Event]:
        if self.behind or self.pending is None or self.knows is None:
            return []
        return [self._add(Hearing(action=self.pending, heard=None))]

    def _board(self, board: Board12, parts: list[str], ruled: int) -> list[Event]:
        if board.side is None or board.number == self._finished:
            return []
        self._seen = board
        if self.knows is None or board.number != self._number:
            return self._begin(board)
        if self.behind or board.ply == self.ply:
            return []
        own = self.knows.mover == self.knows.side
        said = _number(parts)
        if said is None or board.ply != self.ply + 1 or (own and self.pending is None):
            self.behind = True
            return []
        if not (said >> ENDING) & 3:
            said |= ruled << ENDING
        event = self._add(Hearing(action=self.pending if own else None, heard=said))
        if self.knows.pieces != board.pieces:
            return [event, Told(words="the server's board is not what was expected")]
        return [event]

    def _begin(self, board: Board12) -> list[Event]:
        if any(piece.isupper() != (board.side == 0) for piece in board.pieces.values()):
            return [Told(words=f"game {board.number} is not Kriegspiel: the other's pieces show")]
        if board.ply or board.number == self._continuing:
            self.behind = True  # the list begins it
            return []
        return [self._began(board)]

    def _began(self, board: Board12) -> Event:
        side = board.side or 0
        self._number, self.pending, self.behind = board.number, None, False
        self.knows = Knowledge(self._game, side, self._game.start)
        other = board.names[1 - side]
        return Began(game=self._game, side=side, start=self._game.start, other=other)

    def _listed(self, lines: Sequence[str]) -> list[Event]:
        """Return what a list says that was not known."""
        self.behind = False
        found = next((n for line in lines if (n := heard.head(line))), None)
        if found is None:
            gone = [Told(words="the game is gone")] if self.knows is not None else []
            return [*gone, *self._ended(None, "unfinished")]
        number, count = found
        if number == self._finished:
            return []
        try:
            entries = heard.entries(lines, self._game)
        except ValueError as error:
            entries = ()
            log.debug("not understood: %s", error)
        events: list[Event] = []
        if self._seen is not None and self._seen.number == number != self._number:
            events.append(self._began(self._seen))
        if self.knows is None or number != self._number:
            return events
        known = self.knows.hearings
        if len(entries) != count or entries[: len(known)] != known:
            self.failed = "the server's list is not what was heard before"
            return events
        try:
            events += [self._add(hearing) for hearing in entries[len(known) :]]
        except ValueError as error:
            self.failed = f"the server's list makes no sense: {error}"
            return events
        end = next((e for line in lines if (e := end_in(line))), None)
        return events + (self._ended(end.winner, end.reason) if end else [])

    def _add(self, hearing: Hearing) -> Event:
        knows = self.knows
        if knows is None or knows.over:
            raise ValueError("nothing is heard where no game is on")
        if knows.mine != (hearing.action is not None):
            raise ValueError("a move out of turn")
        if hearing.action is not None and hearing.action not in knows.tries:
            raise ValueError(f"{self._game.actions[hearing.action]} is not among the open tries")
        knows.add(hearing)
        if hearing.action is None:
            return Heard(heard=hearing.heard or 0)
        if hearing.action == self.pending:
            self.pending = None
        if hearing.heard is None:
            return Refused(action=hearing.action)
        return Moved(action=hearing.action, heard=hearing.heard)

    def _ended(self, winner: int | None, reason: str) -> list[Event]:
        if self.knows is None:
            return []
        self._finished, self.knows, self.pending, self.behind = self._number, None, None, False
        return [Ended(winner=winner, reason=reason)]


class _Sent:
    """Lines that were sent together, by what they are."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.boards: list[tuple[Board12, list[str]]] = []
        """With what was announced before each; after the last one, of the last one too."""
        self.refused = False
        self.end: GameEnd | None = None
        self.continuing = 0
        """The number of a game that goes on."""
        self.others: list[str] = []
        parts: list[str] = []
        for line in lines:
            if line.startswith("<12>"):
                if (board := _board(line)) is not None:
                    self.boards.append((board, parts))
                    parts = []
            elif (more := announced(line)) is not None:
                parts += more
            elif _ILLEGAL.fullmatch(line):
                self.refused = True
            elif (end := end_in(line)) is not None:
                self.end = end
            elif continuing := _CONTINUING.fullmatch(line):
                self.continuing = int(continuing[1])
            else:
                self.others.append(line)
        if self.boards:  # some servers speak after they have shown the board
            self.boards[-1][1].extend(parts)


def _board(line: str) -> Board12 | None:
    try:
        return style12.decode(line)
    except ValueError as error:
        log.debug("a board is ignored: %s", cut(str(error)))
        return None


def _number(parts: Sequence[str]) -> int | None:
    try:
        return said_in(parts)
    except ValueError as error:
        log.debug("not understood: %s", cut(str(error)))
        return None


def _said(line: str) -> list[Event]:
    if _OFFER.fullmatch(line):
        return [DrawOffered(by_other=True)]
    if _OFFERED.fullmatch(line):
        return [DrawOffered(by_other=False)]
    if _TALK.fullmatch(line):
        return [Told(words=line)]
    log.debug("ignored: %s", cut(line))
    return []
