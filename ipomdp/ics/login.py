"""How a client logs in to a chess server, and what it is to do there."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ipomdp.ics.blocks import Block, Prompt

GUEST = "guest"
_WRONG = re.compile(r".*invalid password.*|Goodbye\.", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What a client is to do on a server."""

    user: str = GUEST
    password: str = ""
    match: str = ""
    """Whom to challenge; nobody's name waits for a challenge."""
    colour: str = ""
    """``white``, ``black``, or either."""
    units: bool = True
    """Whether to ask for level-1 units."""
    attempts: int = 8
    """How often to try to connect again, once the line is lost."""
    patience: float = 0.5
    """Seconds before the first of these; each later one waits twice as long, to half a minute."""
    login: float = 30.0
    """Seconds that a login may take."""


class Login:
    """Answers the prompts of a server until it takes commands."""

    def __init__(self, wishes: Wishes, send: Callable[[str], object]) -> None:
        self._wishes, self._send, self._named = wishes, send, False
        self.over = False
        """Whether commands may be sent."""
        self.refused = ""
        """Why there is no way in."""

    def take(self, found: Block | Prompt) -> None:
        """Answer a prompt, or look for a refusal."""
        if isinstance(found, Block):
            if any(map(_WRONG.fullmatch, found.lines)):
                self.refused = "the server refuses the name or the password"
            return
        prompt = found.text.lower()
        if prompt.endswith("%"):
            self.over = True
        elif prompt == "password:":
            self._send(self._wishes.password)
        elif prompt != "login:":  # a guest is asked to press return
            self._send("")
        elif self._named:
            self.refused = "the server refuses the name or the password"
        else:
            self._named = True
            self._send(self._wishes.user)
