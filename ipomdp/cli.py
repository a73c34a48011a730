"""The command `ipomdp`. Anything heavy is imported by the command that needs it."""

from __future__ import annotations

import json
import math
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from ipomdp.errors import InvalidInput, IpomdpError

if TYPE_CHECKING:
    from ipomdp.scenario import Scenario

BAD_INPUT, INTERRUPTED = 2, 130
OPTIONS = {
    "agent.level": "--level",
    "opponent.policy": "--opponent",
    "opponent.rationality": "--rationality",
    "rules.tries": "--tries",
}
"""The options that override fields of a scenario."""

app = typer.Typer(
    help="Decide under hidden information by modelling what the opponent believes.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Name = Annotated[str, typer.Argument(metavar="NAME_OR_FILE", help="A bundled scenario or a file.")]
Level = Annotated[str | None, typer.Option(metavar="K", help="How deep i models j: 0, 1, 2, ...")]
Rationality = Annotated[str | None, typer.Option(metavar="LAMBDA", help="0 to inf.")]
Tries = Annotated[str | None, typer.Option(metavar="READING", help="paper.")]
Opponent = Annotated[str | None, typer.Option(metavar="POLICY", help="model or random.")]
SolverName = Annotated[str, typer.Option(metavar="SOLVER", help="arrays or pgmpy.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]


@app.command()
def analyze(
    name: Name,
    level: Level = None,
    rationality: Rationality = None,
    tries: Tries = None,
    opponent: Opponent = None,
    solver: SolverName = "arrays",
    move: Annotated[
        str | None, typer.Option(metavar="MOVE", help="The move to look at; the best by default.")
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the board after the move, with j's belief."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Rank i's moves and show what j believes and replies after each announcement."""
    from ipomdp.analysis import analyze as run
    from ipomdp.analysis import successor_of
    from ipomdp.render import chosen_svg, print_analysis

    scenario = _scenario(name, level, rationality, tries, opponent)
    _check_writable(svg)
    with _busy("analysing"):
        analysis = run(scenario, solver=solver)
    chosen = move or analysis.best
    if chosen not in (report.move for report in analysis.moves):
        legal = ", ".join(report.move for report in analysis.moves)
        raise InvalidInput(f"--move: {chosen!r} is not among the moves considered: {legal}")
    if svg is not None:
        _write(svg, chosen_svg(analysis, chosen, successor_of(scenario, chosen)))
    if as_json:
        _print_json(analysis.to_dict())
    else:
        print_analysis(_console(), scenario, analysis, chosen)


@app.command()
def compare(
    name: Name,
    level: Level = None,
    rationality: Rationality = None,
    tries: Tries = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw a bar chart: .png, .svg or .pdf.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Set the values of i's moves against a random j beside those against a modelled j."""
    from ipomdp.analysis import analyze as run
    from ipomdp.render import print_comparison

    scenario = _scenario(name, level, rationality, tries, None)
    _check_writable(out, endings=(".png", ".svg", ".pdf"))
    with _busy("analysing"):
        random, modelled = (
            run(scenario.with_options(policy=policy)) for policy in ("random", "model")
        )
    if out is not None:
        from ipomdp.plots import compare_chart  # matplotlib

        compare_chart(random, modelled, out)
    if as_json:
        _print_json({"random": random.to_dict(), "model": modelled.to_dict()})
    else:
        print_comparison(_console(), scenario, random, modelled)


@app.command()
def scenarios() -> None:
    """List the scenarios that ship with the package."""
    from ipomdp.render import print_scenarios
    from ipomdp.scenario import bundled_scenarios, load_scenario

    print_scenarios(_console(), [load_scenario(name) for name in bundled_scenarios()])


@app.command()
def network(
    name: Name,
    figure: Annotated[str, typer.Option(metavar="2|3|4", help="Which figure of the paper.")],
    out: Annotated[
        Path, typer.Option(metavar="FILE", help=".bif, .xmlbif, .xml, .png, .svg or .pdf")
    ],
) -> None:
    """Draw or export an influence diagram: 2, i's decision; 3, the model of j; 4, the board."""
    from ipomdp.scenario import load_scenario

    if figure not in ("2", "3", "4"):
        raise InvalidInput(f"--figure: expected 2, 3 or 4, not {figure!r}")
    scenario = load_scenario(name)
    _check_writable(out, endings=(".bif", ".xmlbif", ".xml", ".png", ".svg", ".pdf"))
    with _busy("building the networks"):
        from networks import paper_networks  # pgmpy
        from networks.export import write

        figures = paper_networks(scenario)
        diagram = {"2": figures.decision, "3": figures.opponent, "4": figures.board}[figure]
        write(diagram, out)
    _console().print(f"{diagram.title} of {scenario.name}, written to {out}")


@app.command()
def paper() -> None:
    """Compare every number the 2007 paper prints with ours, digit for digit."""
    from ipomdp.paper import compare_with_paper
    from ipomdp.render import print_paper

    with _busy("solving with arrays and with pgmpy"):
        comparison = compare_with_paper()
    print_paper(_console(), comparison)


def main() -> None:
    """Run the command; what a user got wrong is one line on stderr and exit code 2."""
    # ClickException, which typer does not re-export
    usage_error: type[typer.BadParameter] = typer.BadParameter.__mro__[2]
    try:
        sys.exit(app(standalone_mode=False))
    except typer.Exit as stop:
        sys.exit(stop.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # the reader of our output has left; so do we
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except IpomdpError as error:
        _fail(str(error))
    except usage_error as error:
        _fail(error.format_message())


def _fail(message: str) -> None:
    print(f"ipomdp: {' '.join(message.split())}", file=sys.stderr)  # noqa: T201
    sys.exit(BAD_INPUT)


def _console() -> Console:
    return Console(markup=False, highlight=False, emoji=False)


def _busy(what: str) -> Any:  # noqa: ANN401 - rich's status, a context manager
    """Return a spinner on stderr for what may take longer than a second."""
    return Console(stderr=True, markup=False).status(what)


def _scenario(
    name: str, level: str | None, rationality: str | None, tries: str | None, policy: str | None
) -> Scenario:
    from ipomdp.scenario import load_scenario

    scenario = load_scenario(name)
    try:
        return scenario.with_options(
            level=_natural(level), rationality=_real(rationality), tries=tries, policy=policy
        )
    except InvalidInput as error:
        field, _, problem = str(error).partition(": ")
        raise InvalidInput(f"{OPTIONS[field]}: {problem}") from None


def _natural(text: str | None) -> object:
    """Return the number written, or the text itself for the scenario's check to refuse."""
    if text is None or not re.fullmatch(r"[0-9]{1,9}", text):
        return text
    return int(text)


def _real(text: str | None) -> object:
    """Return the number written, or the text itself for the scenario's check to refuse."""
    plain = r"([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?|inf"
    if text is None or not re.fullmatch(plain, text):
        return text
    number = float(text)
    return text if math.isinf(number) and text != "inf" else number


def _check_writable(path: Path | None, endings: tuple[str, ...] = ()) -> None:
    """Refuse a file that cannot be written before anything is computed."""
    if path is None:
        return
    if endings and path.suffix.lower() not in endings:
        raise InvalidInput(f"{path}: unknown ending; expected one of {', '.join(endings)}")
    if path.is_dir():
        raise InvalidInput(f"{path}: a directory; expected the name of a file to write")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InvalidInput(f"{path}: cannot be written: no such folder, or no permission")


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text)
    except OSError as error:
        raise InvalidInput(f"{path}: cannot be written: {error.strerror or error}") from None


def _print_json(content: dict[str, Any]) -> None:
    print(json.dumps(content, indent=2, allow_nan=False))  # noqa: T201
