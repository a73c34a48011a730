"""The options of the command line: what they mean, and how what is typed is read."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ipomdp.errors import InvalidInput
from ipomdp.fields import MOST_PARTICLES
from ipomdp.files import check_ending, check_writable
from ipomdp.quoting import cut, shown

if TYPE_CHECKING:
    from ipomdp.scenario import AnyScenario

HIGHEST_SEED = 2**31 - 1
HIGHEST_PORT = 65_535
LOOPBACK = ("127.0.0.1", "::1", "localhost")
"""Addresses that only this machine reaches; the first is where servers listen."""

OPTIONS = {
    "agent.level": "--level",
    "agent.horizon": "--horizon",
    "opponent.policy": "--opponent",
    "opponent.rationality": "--rationality",
    "opponent.horizon": "--opponent-horizon",
    "rules.tries": "--tries",
    "rules.illegal_heard_by": "--illegal-heard-by",
    "belief.particles": "--particles",
    "belief.exact_up_to": "--exact-up-to",
    "belief.seed": "--seed",
}
"""The options that override fields of a scenario."""

Name = Annotated[
    str,
    typer.Argument(
        metavar="SCENARIO",
        help="The name of a bundled scenario, as `ipomdp scenarios` lists them, or a file.",
        show_default=False,
    ),
]
Level = Annotated[
    str | None,
    typer.Option(
        metavar="K",
        help="How deep i models j, 0 to 64: at 0 not at all, at 1 as one who models nobody.",
    ),
]
Rationality = Annotated[
    str | None,
    typer.Option(
        metavar="LAMBDA",
        help="How surely a player picks the better action: 0 is at random, inf always.",
    ),
]
Horizon = Annotated[
    str | None, typer.Option(metavar="D", help="How many of its own decisions i plans ahead.")
]
OpponentHorizon = Annotated[
    str | None, typer.Option(metavar="D", help="How many decisions each modelled player plans.")
]
Tries = Annotated[
    str | None,
    typer.Option(
        metavar="READING",
        help='What an illegal action does. "paper": the position stays as it is; "retry": the '
        "referee refuses it and the player tries again, knowing more.",
    ),
]
HeardBy = Annotated[
    str | None,
    typer.Option(
        "--illegal-heard-by", metavar="WHO", help='Who hears a refusal: "mover" or "both".'
    ),
]
ParticleCount = Annotated[
    str | None,
    typer.Option("--particles", metavar="N", help="How many particles a belief too big keeps."),
]
ExactUpTo = Annotated[
    str | None,
    typer.Option(
        "--exact-up-to", metavar="N", help="How many pairs (position, model of j) are too big."
    ),
]
Seed = Annotated[
    str | None, typer.Option(metavar="N", help="The seed from which particles are drawn.")
]
Opponent = Annotated[
    str | None,
    typer.Option(
        metavar="POLICY",
        help='How j plays: "model", by reasoning one level below i, or "random".',
    ),
]
SolverName = Annotated[
    str,
    typer.Option(
        metavar="SOLVER",
        help='"arrays", or "pgmpy" to go through the influence diagrams (levels 0 to 2).',
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print everything at full precision, as JSON.")]
Move = Annotated[
    str | None,
    typer.Option(metavar="MOVE", help="i's move to look into; else the best."),
]
Svg = Annotated[
    str | None,
    typer.Option(
        metavar="FILE", help="Draw the board after the move, shaded by j's belief, to a .svg."
    ),
]
Chart = Annotated[
    str | None, typer.Option(metavar="FILE", help="Draw a chart to a .png, .svg or .pdf.")
]
Counts = Annotated[
    str, typer.Option(metavar="N,N,...", help="The numbers of particles to measure.")
]
Repeats = Annotated[str, typer.Option(metavar="N", help="How often each number is drawn.")]
Figure = Annotated[
    str,
    typer.Option(
        metavar="2|3|4",
        help="The paper's figure: 2 is i's decision, 3 the model of j, 4 the board.",
        show_default=False,
    ),
]
Out = Annotated[
    str,
    typer.Option(
        metavar="FILE",
        help="A picture (.png, .svg, .pdf) or a network (.bif, .xmlbif, .xml).",
        show_default=False,
    ),
]

Engine = Annotated[
    str | None,
    typer.Option(
        metavar="PATH", help='A UCI engine that values boards for los, aosp and hs: "gnuchess -u".'
    ),
]


def chosen_scenario(name: str, **options: str | None) -> AnyScenario:
    """Return a scenario with the fields that options override, by the names of its attributes."""
    from ipomdp.scenario import load_scenario

    scenario = load_scenario(name)
    words = ("policy", "tries", "illegal_heard_by")
    changes: dict[str, object] = {
        option: text if option in words else (real if option == "rationality" else whole)(text)
        for option, text in options.items()
    }
    try:
        return scenario.with_options(**changes)
    except InvalidInput as error:
        named, _, problem = str(error).partition(": ")
        fields = named.split(", ")
        if not OPTIONS.keys() >= set(fields):
            raise
        raise InvalidInput(f"{', '.join(OPTIONS[f] for f in fields)}: {problem}") from None


def natural(option: str, text: str, *, least: int = 1, most: int = MOST_PARTICLES) -> int:
    """Return the whole number that an option holds: above zero, or from ``least`` on."""
    written = text.strip()
    if re.fullmatch(r"[0-9]{1,18}", written) and least <= int(written) <= most:
        return int(written)
    expected = f"above 0, up to {most}" if least == 1 else f"from {least} to {most}"
    given = cut(written) if re.fullmatch(r"[+-]?[0-9]+", written) else shown(text)
    raise InvalidInput(f"{option}: expected a number {expected}, not {given}")


@contextmanager
def progress_bar(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show a bar on stderr that grows as it is called with what is done."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True, markup=False)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.advance(task, done)


def whole(text: str | None) -> object:
    """Return the number written, or the text itself for the scenario's check to refuse."""
    if text is None or not re.fullmatch(r"[0-9]{1,9}", text):
        return text
    return int(text)


def real(text: str | None) -> object:
    """Return the number written, or the text itself for the scenario's check to refuse."""
    plain = r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|inf"
    if text is None or not re.fullmatch(plain, text):
        return text
    number = float(text)
    return text if math.isinf(number) and text != "inf" else number


def output(option: str, name: str, endings: tuple[str, ...]) -> Path:
    """Return the file to write, refused before anything is computed if it cannot be written."""
    if not name:
        raise InvalidInput(f"{option}: an empty name; expected a file to write")
    with naming(option):
        check_ending(Path(name), endings)
        check_writable(Path(name))
    return Path(name)


@contextmanager
def naming(option: str) -> Iterator[None]:
    """Put the option before what is wrong with it."""
    try:
        yield
    except InvalidInput as error:
        raise InvalidInput(f"{option}: {error}") from None
