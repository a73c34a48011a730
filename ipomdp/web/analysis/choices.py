"""What somebody has chosen to look at: as a scenario, as a command line, as an address."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from ipomdp.commands.options import OPTIONS, real, whole
from ipomdp.errors import InvalidInput
from ipomdp.quoting import shown
from ipomdp.scenario import AnyScenario, Scenario, kriegspiel_only
from ipomdp.web.analysis.sources import Source, bundled

FIRST = "figure-1"
"""What is shown before anything is chosen."""
FIELDS = {
    "level": "agent.level",
    "rationality": "opponent.rationality",
    "horizon": "agent.horizon",
    "tries": "rules.tries",
    "illegal_heard_by": "rules.illegal_heard_by",
    "policy": "opponent.policy",
}
"""The settings, by the names of a scenario's attributes."""
KEYS = {
    "level": "level",
    "rationality": "lambda",
    "horizon": "horizon",
    "tries": "tries",
    "illegal_heard_by": "heard",
    "policy": "opponent",
}
"""How an address names the settings."""
NUMBERS = ("level", "rationality", "horizon")
DECADE = (1.0, 1.25, 1.6, 2.0, 2.5, 3.2, 4.0, 5.0, 6.3, 8.0)
LEAST, MOST = 0.0005, 1.0
LAMBDAS = (
    0.0,
    *(
        value
        for power in range(-4, 1)
        for step in DECADE
        if LEAST <= (value := float(f"{step}e{power}")) <= MOST
    ),
    math.inf,
)
"""Where the slider of lambda stops: evenly by ratio, and at both ends."""


@dataclass(frozen=True)
class Choice:
    """A scenario with settings of its own, and the move looked at."""

    source: Source
    changes: tuple[tuple[str, Any], ...] = ()
    """Settings unlike the scenario's, by attribute."""
    move: str | None = None
    """``None``: the best."""

    @cached_property
    def scenario(self) -> AnyScenario:
        """The scenario with the settings; one that cannot be is an error."""
        try:
            return self.source.scenario.with_options(**dict(self.changes))
        except InvalidInput as error:
            raise InvalidInput(plainly(str(error))) from None

    @property
    def kriegspiel(self) -> Scenario:
        """The scenario, where it is one of Kriegspiel."""
        return kriegspiel_only(self.scenario, self.source.named)

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - a number or a word
        changed = dict(self.changes)
        return changed[name] if name in changed else getattr(self.source.scenario, name)

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings that can be changed here."""
        own = self.source.scenario
        if not isinstance(own, Scenario):
            return ("level", "rationality", "horizon", "policy")
        fixed = ("level", "rationality", "policy") if own.frames else ()
        return tuple(name for name in FIELDS if name not in fixed)

    def having(self, **values: Any) -> Choice:  # noqa: ANN401 - numbers and words
        """Return the choice with settings changed; the move stays while it may be there."""
        changed = {**dict(self.changes), **values}
        own = self.source.scenario
        kept = tuple(
            (name, changed[name])
            for name in FIELDS
            if name in changed and getattr(own, name) != changed[name]
        )
        return replace(self, changes=kept)

    def checked(self, name: str, value: object) -> Choice:
        """Return the choice with a setting changed; one that cannot be is an error."""
        if name not in self.settings:
            raise InvalidInput(f"{KEYS[name]}: {self.source.named} does not let it be changed")
        made = self.having(**{name: value})
        _ = made.scenario
        return made

    def looking_at(self, move: str | None) -> Choice:
        """Return the choice with another move."""
        return replace(self, move=move)

    def reread(self, source: Source) -> Choice:
        """Return the same settings of another scenario of the same game."""
        values = {name: self[name] for name in self.settings}
        return Choice(source, (), self.move).having(**values)

    def command(self, verb: str, *more: str, without: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Return the words of a command on the scenario with the settings it takes."""
        words = ["ipomdp", verb, self.source.named]
        for name, value in self.changes:
            if name not in without:
                text = number(value) if name in NUMBERS else str(value)
                words += [OPTIONS[FIELDS[name]], text]
        return (*words, *more)

    @property
    def address(self) -> str:
        """The page's address; an uploaded file has none of its own."""
        if not self.source.bundled:
            return "/analyse"
        pairs = {"scenario": self.source.named}
        for name, value in self.changes:
            pairs[KEYS[name]] = number(value) if name in NUMBERS else str(value)
        if self.move is not None:
            pairs["move"] = self.move
        return f"/analyse?{urlencode(pairs)}"


def from_address(query: Mapping[str, str]) -> tuple[Choice, tuple[str, ...]]:
    """Return what an address asks for, and what in it cannot be used."""
    problems = []
    choice = Choice(bundled(FIRST))
    known = {"scenario", "move", *KEYS.values()}
    problems += [f"{shown(key)}: unknown in an address" for key in query if key not in known]
    if "scenario" in query:
        try:
            choice = Choice(bundled(query["scenario"]))
        except InvalidInput as error:
            problems.append(str(error))
    for name, key in KEYS.items():
        if key not in query:
            continue
        try:
            choice = choice.checked(name, read(name, query[key]))
        except InvalidInput as error:
            problems.append(str(error))
    return choice.looking_at(query.get("move")), tuple(problems)


def read(name: str, text: str) -> object:
    """Return a setting as it is typed; what it cannot be is left for the scenario to refuse."""
    text = text.strip()
    if name == "rationality":
        return real(text)
    return whole(text) if name in NUMBERS else text


def plainly(message: str) -> str:
    """Return a message with the settings named as the page names them."""
    for name, path in FIELDS.items():
        message = message.replace(path, KEYS[name])
    return message


def number(value: float) -> str:
    """Return a number as short as it can be typed without becoming another."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def stop_of(rationality: float) -> int:
    """Return the stop of the slider that is nearest to a lambda, by ratio."""
    if rationality in (0.0, math.inf):
        return LAMBDAS.index(rationality)
    inner = range(1, len(LAMBDAS) - 1)
    return min(inner, key=lambda k: abs(math.log(LAMBDAS[k]) - math.log(rationality)))
