"""PGN as text, whatever is played: tags, moves and comments, written and read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ipomdp.errors import InvalidInput
from ipomdp.quoting import shown
from ipomdp.records.game_record import OUTCOMES, one_line

WIDTH = 80
_TAG = re.compile(r'\[\s*(\w+)\s+"(.*)"\s*\]')
_TOKEN = re.compile(
    r"""(?P<skipped>\s+|;[^\n]*|(?m:^%[^\n]*)|\$[0-9]+)
    |\{(?P<comment>[^}]*)\}
    |(?P<result>1-0|0-1|1/2-1/2|\*)(?=[\s;{]|\Z)
    |(?P<number>[0-9]+\.+)
    |(?P<bracket>[()])
    |(?P<move>[^\s{}();.$]+)""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Move:
    """A move as the text has it."""

    name: str


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, its white space made single spaces."""

    text: str


Token = Move | Comment


def write_text(
    tags: Mapping[str, str], tokens: Sequence[Token], result: str, *, black_first: bool
) -> str:
    """Return a game as PGN, an empty line after its tags and one after its moves."""
    head = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    words: list[str] = []
    half = int(black_first)
    numbered = False
    for token in tokens:
        if isinstance(token, Comment):
            words.append(f"{{{token.text}}}")
            numbered = False
            continue
        if half % 2 == 0 or not numbered:
            words.append(f"{half // 2 + 1}.{'..' * (half % 2)}")
        words.append(token.name)
        half, numbered = half + 1, True
    return "\n".join([*head, "", *_filled([*words, result]), "", ""])


def read_text(text: str) -> tuple[dict[str, str], list[Token], str]:
    """Return the tags, tokens and result of one game; what is no PGN is an error."""
    tags, moves = _read_tags(text)
    tokens: list[Token] = []
    result = None
    for kind, word in _mainline(moves):
        if result is not None:
            raise InvalidInput(f"expected nothing after the result {result}, not {shown(word)}")
        if kind == "comment":
            tokens.append(Comment(" ".join(word.split())))
        elif kind == "move":
            tokens.append(Move(word.rstrip("!?")))
        elif kind == "result":
            result = word
    if result is None:
        raise InvalidInput(f"cut short: expected {' or '.join(OUTCOMES)} at the end of the moves")
    if tags.get("Result", result) != result:
        raise InvalidInput(
            f"Result: expected {shown(result)} as at the end of the moves, "
            f"not {shown(tags['Result'])}"
        )
    return tags, tokens, result


def split_text(text: bytes) -> list[tuple[int, bytes]]:
    """Return the games of a text, each with the line it starts in; a game starts with its Event."""
    lines = text.splitlines(keepends=True)
    starts = {k for k, line in enumerate(lines) if line.startswith(b"[Event ")}
    first = next((k for k, line in enumerate(lines) if line.strip()), None)
    ordered = sorted(starts if first is None else starts | {first})
    around = pairwise([*ordered, len(lines)])
    return [(k + 1, b"".join(lines[k:end])) for k, end in around]


def _filled(words: Sequence[str]) -> list[str]:
    """Return lines of words; a comment is one, since a break in it would belong to it."""
    lines = [words[0]]
    for word in words[1:]:
        if len(lines[-1]) + 1 + len(word) <= WIDTH:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _read_tags(text: str) -> tuple[dict[str, str], str]:
    """Return the tags, and the moves behind them."""
    tags: dict[str, str] = {}
    lines = text.split("\n")
    for k, line in enumerate(map(str.strip, lines)):
        if line.startswith("["):
            found = _TAG.fullmatch(line)
            if found is None:
                raise InvalidInput(f'expected a tag like [White "random"], not {shown(line)}')
            tags[found[1]] = re.sub(r"\\(.)", r"\1", found[2])
        elif line and not line.startswith(("%", ";")):
            return tags, "\n".join(lines[k:])
    return tags, ""


def _mainline(moves: str) -> Iterator[tuple[str, str]]:
    """Return the tokens of the moves that were played: those in brackets were not."""
    depth = 0
    for kind, word in _scanned(moves):
        if kind == "bracket":
            depth += 1 if word == "(" else -1
        elif depth <= 0:
            yield kind, word


def _scanned(text: str) -> Iterator[tuple[str, str]]:
    """Return the kinds and words of the tokens in a game's moves."""
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            what = "a comment that is not closed" if text[at] == "{" else "not PGN"
            raise InvalidInput(f"{what}: {shown(text[at:])}")
        kind = found.lastgroup or ""
        if kind not in ("skipped", "number"):
            yield kind, found[kind]
        at = found.end()


def _escaped(value: str) -> str:
    """Return a tag's value as PGN writes it."""
    return one_line(value).replace("\\", r"\\").replace('"', r"\"")
