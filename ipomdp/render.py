"""Analyses as a person reads them: text for the terminal, a board for the eye."""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ipomdp.kriegspiel.board import CAPTURED, LETTERS, SIDES, SIZE, SQUARES, parse_position
from ipomdp.kriegspiel.svg import board_svg
from ipomdp.paper import PaperComparison
from ipomdp.report import Analysis, Believed, Hearing, Reply
from ipomdp.scenario import Scenario

SHOWN = 5
"""How many replies or positions are listed before the rest is summed up."""


def print_analysis(console: Console, scenario: Scenario, analysis: Analysis, move: str) -> None:
    """Print the board, i's moves ranked, j after each announcement, and the chosen move closer."""
    console.print(Text(scenario.title or scenario.name, style="bold"))
    if scenario.description:
        console.print(scenario.description)
    console.print()
    _print_board(console, scenario, analysis)
    _print_moves(console, analysis)
    _print_hearings(console, analysis)
    _print_chosen(console, analysis, move)


def table(*columns: str, right: Iterable[str] = (), title: str = "") -> Table:
    """Return an empty table in the house look."""
    made = Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", pad_edge=False)
    for column in columns:
        made.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return made


def chosen_svg(analysis: Analysis, move: str, after: str) -> str:
    """Return the board after a move, shaded with what j then believes about i's pieces."""
    hearing = analysis.move(move).announcements[0]
    i, j = (name.capitalize() for name in _players(analysis))
    title = f"{i} played {move}: {hearing.text}.\nWhat {j} believes of {i}'s pieces:"
    about = SIDES.index(analysis.to_move)
    return board_svg(after, title=title, belief=hearing.belief, about=about)


def pieces_of(position: str, player: str) -> str:
    """Return where a player's pieces stand, as ``Ka1 Qd1``."""
    placed = parse_position(position)
    side = SIDES.index(player)
    pair = zip("KQ", (placed[side], placed[2 + side]), strict=True)
    return " ".join(name + SQUARES[square] for name, square in pair if square != CAPTURED)


def _players(analysis: Analysis) -> tuple[str, str]:
    i = SIDES.index(analysis.to_move)
    return SIDES[i], SIDES[1 - i]


def _print_board(console: Console, scenario: Scenario, analysis: Analysis) -> None:
    i, j = (name.capitalize() for name in _players(analysis))
    placed = dict(zip(parse_position(analysis.position)[:4], LETTERS, strict=True))
    opponent = {
        "model": f"{j} (j) modelled at level {max(analysis.level - 1, 0)}",
        "random": f"{j} (j) plays at random",
    }[analysis.opponent]
    if analysis.level == 0:
        opponent = f"{j} (j) not modelled"
    beside = [
        f"{i} (i) to move, at level {analysis.level}",
        f"{opponent}, lambda {analysis.rationality:g}"
        if analysis.opponent == "model" and analysis.level
        else opponent,
        f"tries: {analysis.tries}; solver: {analysis.solver}",
        f"considered: {'all legal moves' if scenario.candidates is None else 'the candidates'}",
    ]
    for rank, words in zip(reversed(range(SIZE)), beside, strict=True):
        row = "  ".join(placed.get(rank * SIZE + file, ".") for file in range(SIZE))
        console.print(f"  {rank + 1}  {row}      {words}")
    console.print(f"     {'  '.join('abcd')}\n")


def _print_moves(console: Console, analysis: Analysis) -> None:
    moves = table(
        "move", "utility", "announcement", "leak, bits", "likeliest reply",
        right=("utility", "leak, bits"), title="i's moves by expected utility, best first",
    )  # fmt: skip
    for report in analysis.moves:
        for k, hearing in enumerate(report.announcements):
            head = [report.move, f"{report.expected_utility:.2f}"] if k == 0 else ["", ""]
            leak = f"{report.leak_bits:.2f}" if k == 0 else ""
            moves.add_row(*head, hearing.text, leak, _likeliest(hearing.replies))
    console.print(moves)


def _likeliest(replies: tuple[Reply, ...]) -> str:
    return f"{replies[0].move}  {replies[0].probability:.4f}" if replies else "-"


def _print_hearings(console: Console, analysis: Analysis) -> None:
    """Print one row for each announcement: who could have caused it, what j makes of it."""
    i, _ = _players(analysis)
    causes: dict[str, list[str]] = {}
    hearings: dict[str, Hearing] = {}
    for report in analysis.moves:
        for hearing in report.announcements:
            causes.setdefault(hearing.text, []).append(report.move)
            hearings[hearing.text] = hearing
    heard = table(
        "j hears", "after", "and believes i has", "and replies", title="What j makes of it"
    )
    for text, hearing in hearings.items():
        heard.add_row(
            text + (" (a surprise)" if hearing.surprise else ""),
            ", ".join(causes[text]),
            "\n".join(_summed(_placements(hearing.belief, i), lambda b: f"{b[0]}  {b[1]:.3f}")),
            "\n".join(_summed(hearing.replies, lambda r: f"{r.move}  {r.probability:.4f}", 3))
            or "(the game is over)" * (analysis.level > 0),
        )
        heard.add_section()
    console.print(heard)


def _placements(belief: tuple[Believed, ...], player: str) -> list[tuple[str, float]]:
    placements: dict[str, float] = {}
    for believed in belief:
        pieces = pieces_of(believed.position, player)
        placements[pieces] = placements.get(pieces, 0.0) + believed.probability
    return sorted(placements.items(), key=lambda item: -item[1])


def _summed(items, line, most: int = SHOWN) -> list[str]:  # type: ignore[no-untyped-def]  # noqa: ANN001
    """Return a line for each of the first few items and one that counts the rest."""
    lines = [line(item) for item in items[:most]]
    return [*lines, f"... {len(items) - most} more"] if len(items) > most else lines


def _print_chosen(console: Console, analysis: Analysis, move: str) -> None:
    report = analysis.move(move)
    i, j = (name.capitalize() for name in _players(analysis))
    best = " (the best move)" if move == analysis.best else f" (the best is {analysis.best})"
    console.print(Text(f"{i} plays {move}{best}", style="bold"))
    for hearing in report.announcements:
        console.print(f'The referee says "{hearing.text}".')
        if not hearing.replies:
            continue
        replies = table(
            f"{j}'s action", "expected utility to j", "probability",
            right=("expected utility to j", "probability"),
        )  # fmt: skip
        for reply in hearing.replies[:SHOWN]:
            replies.add_row(reply.move, f"{reply.expected_utility:.2f}", f"{reply.probability:.4f}")
        rest = hearing.replies[SHOWN:]
        if rest:
            low, high = min(r.probability for r in rest), max(r.probability for r in rest)
            each = f"{low:.4f} each" if high - low < 5e-5 else f"{low:.4f} to {high:.4f}"
            worth = {f"{r.expected_utility:.2f}" for r in rest}
            replies.add_row(f"{len(rest)} others", worth.pop() if len(worth) == 1 else "", each)
        console.print(replies)


def print_comparison(
    console: Console, scenario: Scenario, random: Analysis, modelled: Analysis
) -> None:
    """Print i's moves with their values against a random and against a modelled j."""
    console.print(Text(scenario.title or scenario.name, style="bold"))
    console.print(f"{modelled.position}, level {modelled.level}, lambda {modelled.rationality:g}")
    values = table("move", "j at random", "j modelled", right=("j at random", "j modelled"))
    for report in modelled.moves:
        against_random = random.move(report.move).expected_utility
        values.add_row(report.move, f"{against_random:.2f}", f"{report.expected_utility:.2f}")
    console.print(values)
    console.print(f"Best against a random j: {random.best}; against a modelled j: {modelled.best}")


def print_scenarios(console: Console, scenarios: Iterable[Scenario]) -> None:
    """Print the names of scenarios, with what to look at in each."""
    listed = table("name", "what to look at")
    for scenario in scenarios:
        listed.add_row(scenario.name, Text(f"{scenario.title}\n{scenario.description}"))
        listed.add_section()
    console.print(listed)


def print_paper(console: Console, comparison: PaperComparison) -> None:
    """Print the paper's numbers beside ours, then its claims with ours."""
    compared = table(
        "where", "what", "paper", "ours", "agrees", right=("paper", "ours"),
        title="The numbers the 2007 paper prints about its Figure 1 (it truncates), and ours",
    )  # fmt: skip
    for row in comparison.rows:
        low, high = min(row.ours), max(row.ours)
        ours = f"{low:.4f}" if high - low < 1e-9 else f"{low:.4f} to {high:.4f}"
        compared.add_row(row.where, row.what, row.printed, ours, "yes" if row.agrees else "no")
    console.print(compared)
    for row in comparison.rows:
        if row.note:
            console.print(f"{row.where}, {row.what}: {row.note}.")
    agreed = sum(row.agrees for row in comparison.rows)
    console.print(f"{agreed} of {len(comparison.rows)} agree to the paper's last digit.\n")
    claims = table("the paper says", "we find", title="Its claims")
    modelled, random = comparison.modelled, comparison.random
    claims.add_row("i's best move is Qd1, j modelled or random", f"{modelled.best}, {random.best}")
    for words, analysis in (
        ("Qb2 is far worse than Qd2, for it tells j where the queen is", modelled),
        ("against a random j the two are about equal", random),
    ):
        values = (f"{m} {analysis.move(m).expected_utility:.2f}" for m in ("Qb2", "Qd2"))
        claims.add_row(words, ", ".join(values))
    console.print(claims)
    console.print(
        "Solved again through pgmpy's inference, no utility differs from the arrays' by more than "
        f"{comparison.pgmpy_difference:.1e}."
    )
