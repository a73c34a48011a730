"""The command `ipomdp`. Anything heavy is imported by the command that needs it."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from typing import Annotated

import typer

from ipomdp.commands import arena as arena_commands
from ipomdp.commands import fit as fit_commands
from ipomdp.commands import ics as ics_commands
from ipomdp.commands import play as play_commands
from ipomdp.commands import records as record_commands
from ipomdp.commands import serve as serve_commands
from ipomdp.commands import strength as strength_commands
from ipomdp.commands.options import (
    Chart,
    Counts,
    ExactUpTo,
    Figure,
    HeardBy,
    Horizon,
    Json,
    Level,
    Move,
    Name,
    Opponent,
    OpponentHorizon,
    Out,
    ParticleCount,
    Rationality,
    Repeats,
    Seed,
    SolverName,
    Svg,
    Tries,
    chosen_scenario,
    naming,
    natural,
    output,
    progress_bar,
)
from ipomdp.commands.study import register
from ipomdp.errors import InvalidInput, IpomdpError
from ipomdp.files import NETWORKS, PICTURES
from ipomdp.quoting import printable, shown
from ipomdp.show.console import busy as _busy
from ipomdp.show.console import print_json as _print_json
from ipomdp.show.console import show as _show
from ipomdp.show.console import write as _write

BAD_INPUT, INTERRUPTED = 2, 130

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Decide under hidden information by modelling what the opponent believes.

    i is the player to move, j the other one. Each command explains itself: ipomdp analyze --help
    """
    if version:
        from ipomdp import __version__

        print(f"ipomdp {__version__}")  # noqa: T201
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())  # noqa: T201


@app.command()
def analyze(
    name: Name,
    level: Level = None,
    horizon: Horizon = None,
    rationality: Rationality = None,
    opponent: Opponent = None,
    opponent_horizon: OpponentHorizon = None,
    tries: Tries = None,
    heard_by: HeardBy = None,
    particles: ParticleCount = None,
    exact_up_to: ExactUpTo = None,
    seed: Seed = None,
    solver: SolverName = "arrays",
    move: Move = None,
    svg: Svg = None,
    as_json: Json = False,
) -> None:
    """Rank i's moves; show what j hears, believes and replies."""
    from ipomdp.analysis import SOLVERS, warning
    from ipomdp.analysis import analyze as run
    from ipomdp.scenario import Scenario, kriegspiel_only
    from ipomdp.show.render import chosen_svg, print_analysis
    from ipomdp.show.tiger import print_tiger

    scenario = chosen_scenario(
        name, level=level, horizon=horizon, rationality=rationality, policy=opponent,
        opponent_horizon=opponent_horizon, tries=tries, illegal_heard_by=heard_by,
        particles=particles, exact_up_to=exact_up_to, seed=seed,
    )  # fmt: skip
    picture = output("--svg", svg, (".svg",)) if svg is not None else None
    if solver not in SOLVERS:
        raise InvalidInput(f"--solver: expected {' or '.join(SOLVERS)}, not {shown(solver)}")
    if not isinstance(scenario, Scenario):
        for option, given in (("--move", move), ("--svg", svg)):
            if given is not None:
                kriegspiel_only(scenario, option)
        if solver != "arrays":
            kriegspiel_only(scenario, f"--solver {solver}")
        with naming(name), _busy("analysing"):
            doors = run(scenario)
        if as_json:
            _print_json(doors.to_dict())
        else:
            _show(lambda console: print_tiger(console, scenario, doors))
        return
    with naming(name), _busy("analysing"):
        if solver == "arrays":
            _warn(warning(scenario))
        analysis = run(scenario, solver=solver)
    with naming("--move"):
        chosen = analysis.move(analysis.best if move is None else move).move
    if picture is not None:
        drawn = chosen_svg(analysis, chosen)
        _write("--svg", picture, lambda path: path.write_text(drawn))
    if as_json:
        _print_json(analysis.to_dict())
    else:
        _show(lambda console: print_analysis(console, scenario, analysis, chosen))


@app.command()
def compare(
    name: Name,
    level: Level = None,
    horizon: Horizon = None,
    rationality: Rationality = None,
    tries: Tries = None,
    out: Chart = None,
    as_json: Json = False,
) -> None:
    """Value i's moves against a random j and against a modelled j."""
    from ipomdp.analysis import analyze as run
    from ipomdp.scenario import kriegspiel_only
    from ipomdp.show.tables import print_comparison

    scenario = chosen_scenario(
        name, level=level, horizon=horizon, rationality=rationality, tries=tries
    )
    scenario = kriegspiel_only(scenario, "compare")
    chart = output("--out", out, PICTURES) if out is not None else None
    with naming(name), _busy("analysing"):
        random, modelled = (
            run(scenario.with_options(policy=policy)) for policy in ("random", "model")
        )
    if chart is not None:
        from ipomdp.show.plots import compare_chart  # matplotlib

        _write("--out", chart, lambda path: compare_chart(random, modelled, path))
    if as_json:
        _print_json({"random": random.to_dict(), "model": modelled.to_dict()})
    else:
        _show(lambda console: print_comparison(console, scenario, random, modelled))


@app.command()
def particles(
    name: Name,
    counts: Counts = "10,20,50,100,200",
    repeats: Repeats = "20",
    seed: Seed = None,
    out: Chart = None,
    as_json: Json = False,
) -> None:
    """Measure the particle filter against the exact one."""
    from ipomdp.scenario import kriegspiel_only
    from ipomdp.show.tables import print_accuracy
    from ipomdp.study.accuracy import accuracy, accuracy_chart

    scenario = kriegspiel_only(chosen_scenario(name, seed=seed), "particles")
    chart = output("--out", out, PICTURES) if out is not None else None
    numbers = [natural("--counts", text) for text in counts.split(",")]
    times = natural("--repeats", repeats)
    with naming(name), progress_bar("drawing particles", len(numbers) * times) as advance:
        rows = accuracy(scenario.problem, numbers, times, advance)
    if chart is not None:
        _write("--out", chart, lambda path: accuracy_chart(rows, scenario.title or name, path))
    if as_json:
        _print_json({"scenario": scenario.name, "rows": [asdict(row) for row in rows]})
    else:
        _show(lambda console: print_accuracy(console, scenario, rows))


@app.command()
def scenarios() -> None:
    """List the scenarios that ship with the package."""
    from ipomdp.scenario import bundled_scenarios, load_scenario
    from ipomdp.show.tables import print_scenarios

    listed = [load_scenario(name) for name in bundled_scenarios()]
    _show(lambda console: print_scenarios(console, listed))


@app.command()
def network(
    name: Name,
    figure: Figure,
    out: Out,
    level: Level = None,
    rationality: Rationality = None,
    horizon: Horizon = None,
    opponent: Opponent = None,
    tries: Tries = None,
    heard_by: HeardBy = None,
) -> None:
    """Draw or export one of the paper's influence diagrams."""
    from ipomdp.scenario import kriegspiel_only

    if figure not in ("2", "3", "4"):
        raise InvalidInput(f"--figure: expected 2, 3 or 4, not {shown(figure)}")
    scenario = chosen_scenario(
        name, level=level, rationality=rationality, horizon=horizon, policy=opponent, tries=tries,
        illegal_heard_by=heard_by,
    )  # fmt: skip
    scenario = kriegspiel_only(scenario, "network")
    file = output("--out", out, PICTURES + NETWORKS)
    with _busy("building the networks"):
        from networks import paper_networks  # pgmpy
        from networks.export import write

        figures = paper_networks(scenario)
    diagram = {"2": figures.decision, "3": figures.opponent, "4": figures.board}[figure]
    _write("--out", file, lambda path: write(diagram, path, scenario.name))


@app.command()
def paper() -> None:
    """Set every number the 2007 paper prints beside ours."""
    from ipomdp.show.tables import print_paper
    from ipomdp.study.paper import compare_with_paper

    with _busy("solving with arrays and with pgmpy"):
        comparison = compare_with_paper()
    _show(lambda console: print_paper(console, comparison))


arena_commands.register(app)
fit_commands.register(app)
ics_commands.register(app)
play_commands.register(app)
record_commands.register(app)
serve_commands.register(app)
strength_commands.register(app)
register(app)


def main() -> None:
    """Run the command; what a user got wrong is one line on stderr and exit code 2."""
    # ClickException, which typer does not re-export
    usage_error: type[typer.BadParameter] = typer.BadParameter.__mro__[2]
    try:
        code = app(prog_name="ipomdp", standalone_mode=False)
        if sys.stdout is not None:  # closed by the shell
            sys.stdout.flush()
        sys.exit(code)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # the reader of our output has left; so do we
        _forget_stdout()
        sys.exit(1)
    except OSError as error:  # files have their own errors: this is what we print
        _forget_stdout()
        _fail(f"the output cannot be written: {error.strerror or error}")
    except IpomdpError as error:
        _fail(str(error))
    except usage_error as error:
        _fail(error.format_message())


def _forget_stdout() -> None:
    """Leave nothing for Python to flush, and to complain about, on its way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str) -> None:
    print(f"ipomdp: {' '.join(printable(message).split())}", file=sys.stderr)  # noqa: T201
    sys.exit(BAD_INPUT)


def _warn(words: str | None) -> None:
    if words:
        print(f"ipomdp: {words}", file=sys.stderr)  # noqa: T201
