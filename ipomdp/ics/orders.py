"""The commands that the server understands, and what it answers."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

from ipomdp.arena.notation import understood
from ipomdp.errors import InvalidInput
from ipomdp.ics import heard, units
from ipomdp.ics.accounts import Account, Challenge
from ipomdp.ics.hall import Hall
from ipomdp.ics.seat import Seat
from ipomdp.ics.units import Unit
from ipomdp.ics.words import ILLEGAL, KIND

LONGEST_TALK = 200
_MOVE = re.compile(
    r"[a-h][1-8]-?[a-h][1-8](=?[nbrq])?|[oO0]-?[oO0](-?[oO0])?"
    r"|[KQRBNPkqrn]?[a-h]?[1-8]?x?[a-h][1-8](=?[NBRQnbrq])?[+#]?"
)
_COLOURS = {"white": 0, "w": 0, "black": 1, "b": 1}
_ONLY = "Only wild 16 (Kriegspiel) is played here."
_HIDDEN = "Kriegspiel games cannot be observed: that would show hidden pieces."
_HELP = """Kriegspiel (wild 16). You see your own pieces; the referee announces the rest.
  match NAME [white|black] wild 16    challenge somebody; the house plays at once
  accept [NAME], decline [NAME]       answer a challenge
  e2e4, Nf3, exd5, O-O, e7e8=Q        try a move
  resign, draw, abort                 end a game; abort before the first move
  refresh, heard                      your board; all that you did and heard
  who, games                          who is here, who plays
  say WORDS, tell NAME WORDS          talk to the other, or to anybody
  set style 12, set level1 1          boards are of style 12; level-1 units on or off
  quit                                leave"""


class Orders:
    """Carries out what one who is logged in types; the answer is returned or sent."""

    def __init__(self, hall: Hall, account: Account) -> None:
        self._hall, self._account = hall, account
        self._known: dict[str, Callable[[str], Awaitable[str | None]]] = {
            "match": self._match, "accept": self._accept, "decline": self._decline,
            "resign": self._resign, "draw": self._draw, "abort": self._abort,
            "refresh": self._refresh, heard.COMMAND: self._heard, "who": self._who,
            "games": self._games, "say": self._say, "tell": self._tell, "help": self._help,
        }  # fmt: skip

    async def carry_out(self, line: str) -> str | None:
        """Return the answer to a command; ``None`` where all was sent already."""
        typed = line.strip().lstrip("$@/").strip()
        word, _, rest = typed.partition(" ")
        word = word.lower()
        if word == "move":
            word, typed = rest.strip().lower(), rest.strip()
        if word in self._known:
            return await self._known[word](rest.strip())
        if word in ("observe", "examine", "moves", "oldmoves", "smoves", "follow", "sposition"):
            return _HIDDEN
        if word in ("set", "iset", "style", "alias", "interface", "set-quietly", "date", "shout"):
            return "Ok."
        if _MOVE.fullmatch(typed):
            return self._try(typed)
        return f"{word[:40]}: Command not found." if word else ""

    # arranging a game

    async def _match(self, rest: str) -> str | None:
        name, *words = rest.split() or [""]
        if not name:
            return "match NAME [white|black] wild 16"
        if self._account.playing:
            return "You are playing a game."
        colour = _asked(words)
        handle = self._hall.house_name(name)
        if handle is None:
            return self._issue(name, colour)
        await self._hall.start(self._hall.colours(self._account.name, handle, colour))
        return None

    def _issue(self, name: str, colour: int | None) -> str:
        """Challenge somebody who is logged in."""
        other = self._hall.accounts.get(name.lower())
        if other is None or other.line is None:
            return f"{name[:40]} is not logged in."
        if other is self._account:
            return "You cannot play against yourself."
        if other.playing:
            return f"{other.name} is playing a game."
        one = self._account.name
        side = "" if colour is None else f" [{('white', 'black')[colour]}]"
        what = f"{one} (++++){side} {other.name} (++++) unrated {KIND} 0 0."
        other.challenges[one.lower()] = Challenge(one, colour)
        hint = f'You can "accept {one}" or "decline {one}".'
        other.send(Unit(units.ISSUING, one, f"Challenge: {what}\n{hint}"))
        return f"Issuing: {what}"

    def _challenge(self, name: str) -> Challenge:
        """Return the challenge that is meant: by a name, or the only one."""
        waiting = self._account.challenges
        if not name and len(waiting) > 1:
            names = ", ".join(challenge.challenger for challenge in waiting.values())
            raise InvalidInput(f"Whose challenge? {names}")
        found = waiting.get(name.lower()) if name else next(iter(waiting.values()), None)
        if found is None:
            raise InvalidInput("There is no such challenge.")
        del waiting[found.challenger.lower()]
        return found

    async def _accept(self, rest: str) -> str | None:
        found = self._challenge(rest)
        names = self._hall.colours(found.challenger, self._account.name, found.colour)
        if found.challenger.lower() not in self._hall.accounts:
            return f"{found.challenger} has left."
        await self._hall.start(names)
        return None

    async def _decline(self, rest: str) -> str:
        found = self._challenge(rest)
        words = f"{self._account.name} declines your challenge."
        self._hall.tell(found.challenger, Unit(units.OTHER, self._account.name, words))
        return f"You decline the challenge of {found.challenger}."

    # playing

    def _seat(self) -> Seat:
        seat = self._account.seat
        if seat is None or seat.end:
            raise InvalidInput("You are not playing a game.")
        return seat

    def _try(self, text: str) -> str | None:
        seat = self._seat()
        knows, table = seat.knows, self._hall.games[seat.number].table
        if not knows.mine:
            return "It is not your move."
        meant = understood(text.replace("-", "") if text[0] in "abcdefgh" else text,
                           knows.game, knows.tries, knows.pieces)  # fmt: skip
        queens = [a for a in meant if knows.game.actions[a].endswith("q")]
        names = {knows.game.actions[a][:4] for a in meant}
        if (
            len(meant) > 1 and len(names) == 1 and queens
        ):  # a pawn becomes a queen if nothing is said
            meant = queens
        if not meant:
            return f"{ILLEGAL} ({text[:10]}).\n{seat.board()}"
        if len(meant) > 1:
            return f"Ambiguous move ({text[:10]})."
        table.attempt(meant[0])
        return None

    async def _resign(self, _: str) -> None:
        seat = self._seat()
        self._hall.games[seat.number].table.resign(seat.side)

    async def _draw(self, _: str) -> str | None:
        seat = self._seat()
        table = self._hall.games[seat.number].table
        if table.offered == seat.side:
            return "You have offered a draw already."
        table.draw(seat.side)
        return None

    async def _abort(self, _: str) -> str | None:
        self._seat()
        return None if self._hall.abort(self._account) else "A move was made; resign, or play on."

    async def _refresh(self, _: str) -> str:
        return self._seat().board()

    async def _heard(self, _: str) -> str:
        seat = self._account.seat
        return heard.NOTHING if seat is None else "\n".join(seat.listed())

    # talking

    async def _who(self, _: str) -> str:
        people = [f"  {a.name}{' (playing)' * a.playing}"
                  for a in self._hall.accounts.values() if a.line is not None]  # fmt: skip
        house = [f"  {name} (the house: {spec})" for name, spec in self._hall.house.items()]
        return "\n".join(["Here:", *people, *house])

    async def _games(self, _: str) -> str:
        under_way = self._hall.games.values()
        games = [f"  {g.number} {g.names[0]} vs. {g.names[1]}, {KIND}" for g in under_way]
        return "\n".join([f"{len(games)} under way.", *games])

    async def _say(self, rest: str) -> str:
        if self._account.seat is None:
            return "There is nobody to say it to."
        return self._talk(self._account.seat.other, rest, units.SAY, "says")

    async def _tell(self, rest: str) -> str:
        name, _, words = rest.partition(" ")
        return self._talk(name, words, units.TELL, "tells you")

    def _talk(self, name: str, words: str, number: int, verb: str) -> str:
        other = self._hall.accounts.get(name.lower())
        if self._hall.house_name(name):
            return "The house does not talk."
        if other is None or other.line is None:
            return f"{name[:40]} is not logged in."
        one = self._account.name
        other.send(Unit(number, one, f"{one} {verb}: {words.strip()[:LONGEST_TALK]}"))
        return f"(told {other.name})"

    async def _help(self, _: str) -> str:
        return _HELP


def _asked(words: list[str]) -> int | None:
    """Return the colour that is asked for; another game than Kriegspiel is an error."""
    colour, text = None, re.sub(r"wild[ /]", "w", " ".join(words).lower())
    for word in text.split():
        if word in _COLOURS:
            colour = _COLOURS[word]
        elif word not in ("w16", "kriegspiel", "u", "unrated") and not re.fullmatch(
            r"[0-9]{1,4}", word
        ):
            raise InvalidInput("Games here are unrated." if word in ("r", "rated") else _ONLY)
    return colour
