"""Bytes from a socket cut into lines: however they arrive, never more than a line is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ipomdp.ics.units import BEGIN, END
from ipomdp.quoting import printable

LONGEST_LINE = 64 * 1024
"""Bytes of a line that a client takes; the longest that servers send are far shorter."""
CHUNK = 16 * 1024
"""Bytes that are read at once."""

_IAC, _SB, _SE = 255, 250, 240
_WITH_OPTION = range(251, 255)  # WILL, WONT, DO, DONT
_PROMPT = re.compile(
    r"\s*(login:|password:|[a-z]{0,8}ics%|Press return to enter the server as \"[^\"]*\":)\s*",
    re.IGNORECASE,
)


class TooLong(Exception):
    """A line that goes on and on: whoever sends it speaks another language, or means harm."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its end and without control characters, the marks of units apart."""

    text: str
    prompt: bool = False
    """Whether it is a prompt, after which no end of the line comes."""


class Splitter:
    """Cuts what is fed to it into lines.

    ``prompts`` is for a client's side of a line: prompts and the marks of level-1 units then end a
    line too, since nothing need follow them.
    """

    def __init__(self, *, longest: int = LONGEST_LINE, prompts: bool = False) -> None:
        self._longest, self._prompts = longest, prompts
        marks = rb"|(?=%b)|(?<=%b)" % (re.escape(BEGIN.encode()), re.escape(END.encode()))
        self._cut = re.compile(rb"\n" + (marks if prompts else b""))
        self._left = b""
        self._telnet = _Telnet()

    def feed(self, received: bytes) -> list[Line]:
        """Return the lines that are whole now; a line beyond the longest is an error."""
        *whole, self._left = self._cut.split(self._left + self._telnet.plain(received))
        if max(map(len, (*whole, self._left))) > self._longest:
            self._left = b""
            raise TooLong(f"a line of more than {self._longest} bytes")
        lines = [line for raw in whole for line in self._taken(raw)]
        if self._prompts and _PROMPT.fullmatch(prompt := _text(self._left)):
            self._left = b""
            lines.append(Line(prompt.strip(), prompt=True))
        return lines

    def _taken(self, raw: bytes) -> list[Line]:
        """Return a line, and the prompt before it where there is one."""
        text = _text(raw)
        if not self._prompts:
            return [Line(text)]
        found = []
        if before := _PROMPT.match(text):
            found.append(Line(before.group().strip(), prompt=True))
            text = text[before.end() :]
        return [*found, Line(text)] if text.strip() else found


class _Telnet:
    """Takes the commands of telnet out of what a server or a terminal sends."""

    def __init__(self) -> None:
        self._state = 0  # 0 text, 1 after IAC, 2 before an option, 3 in a negotiation, 4 IAC in it

    def plain(self, received: bytes) -> bytes:
        if self._state == 0 and _IAC not in received:
            return received
        kept = bytearray()
        for byte in received:
            if self._state == 0:
                if byte == _IAC:
                    self._state = 1
                else:
                    kept.append(byte)
            elif self._state == 1:
                self._state = 3 if byte == _SB else 2 if byte in _WITH_OPTION else 0
                if byte == _IAC:  # written twice, it is meant
                    kept.append(byte)
            elif self._state == 2:
                self._state = 0
            elif self._state == 3:
                self._state = 4 if byte == _IAC else 3
            else:
                self._state = 0 if byte == _SE else 3
        return bytes(kept)


def _text(raw: bytes) -> str:
    """Return a line in words: the marks of units stay, other control characters go."""
    text = raw.decode("utf-8", errors="replace").rstrip("\r")
    mark = BEGIN[0]
    return mark.join(printable(part).replace("\n", " ") for part in text.split(mark))
