"""An analysis as a person reads it: text for the terminal, a board for the eye."""

from __future__ import annotations

import numpy as np
from rich.console import Console
from rich.text import Text

from ipomdp.errors import InvalidInput
from ipomdp.kriegspiel import Kriegspiel4x4
from ipomdp.kriegspiel.board import LETTERS, SIDES, SIZE, parse_position
from ipomdp.kriegspiel.svg import board_svg
from ipomdp.quoting import printable
from ipomdp.report import TIE, Analysis, Hearing, MoveReport, Reply
from ipomdp.scenario import Scenario
from ipomdp.show.render_beliefs import (
    SHOWN,
    placements,
    players,
    print_beliefs,
    print_frames,
    summed,
)
from ipomdp.show.tables import chance, print_heading, spread, table, worth

_LETTERS = (
    "i is the player to move, j the other. leak: the bits about i's pieces that the announcement "
    "gives j. lambda: how surely a player picks the better action; 0 plays at random, inf always "
    "the best. "
)
LEGEND = {
    "paper": _LETTERS
    + "Under tries: paper all 32 actions, king or queen to any square, are open; illegal ones "
    "leave the position as it is.",
    "retry": _LETTERS
    + "Under tries: retry a player tries what its own pieces allow, and again after each refusal; "
    "probabilities are those of the first try. Where i is not sure what j knows, j's utilities and "
    "probabilities are averages.",
}


def print_analysis(console: Console, scenario: Scenario, analysis: Analysis, move: str) -> None:
    """Print the board, i's moves ranked, j after each announcement, and the chosen move closer."""
    print_heading(console, scenario)
    if scenario.description:
        console.print(printable(scenario.description))
    console.print()
    _print_board(console, scenario, analysis)
    known = len(analysis.belief) == 1 and not scenario.history
    if not known:
        print_beliefs(console, scenario, analysis)
    if scenario.frames:
        print_frames(console, scenario, analysis)
    _print_moves(console, analysis)
    if known:
        _print_hearings(console, analysis)
    _print_chosen(console, analysis, move)
    console.print(Text(LEGEND[analysis.tries], style="dim"))


def chosen_svg(analysis: Analysis, move: str) -> str:
    """Return the board after a move, shaded with what j then believes about i's pieces.

    Where i is not sure of the position, it is the likeliest one that allows the move, with what is
    then announced.
    """
    after, said = _executed(analysis, move)
    hearing = next(h for h in analysis.move(move).announcements if h.text == said)
    i, j = (name.capitalize() for name in players(analysis))
    title = f"{i} played {move}: {hearing.text}.\nWhat {j} believes of {i}'s pieces:"
    about = SIDES.index(analysis.to_move)
    return board_svg(after, title=title, belief=hearing.belief, about=about)


def _executed(analysis: Analysis, move: str) -> tuple[str, str]:
    """Return the position after a move in the likeliest position, and the announcement."""
    game = Kriegspiel4x4()
    action = game.actions.index(move)
    for believed in analysis.belief:
        legal, successor, announcement = game.moves(np.array([game.read(believed.position)]))
        if legal[0, action]:
            return game.describe(int(successor[0, action])), game.say(int(announcement[0, action]))
    raise InvalidInput(f"{move} is illegal in every position that i believes possible")


def _print_board(console: Console, scenario: Scenario, analysis: Analysis) -> None:
    position = parse_position(analysis.belief[0].position)
    i = SIDES.index(analysis.to_move)
    seen = range(4) if len(analysis.belief) == 1 else (i, 2 + i)
    placed = {position[piece]: LETTERS[piece] for piece in seen}
    considered = "all legal moves" if len(analysis.belief) == 1 else "all moves that may be legal"
    heard = ", heard by both" if scenario.illegal_heard_by == "both" else ""
    beside = [
        *_settings(scenario, analysis),
        f"tries: {analysis.tries}{heard}; solver: {analysis.solver}",
        f"considered: {considered if scenario.candidates is None else 'the candidates'}",
    ]
    for rank, words in zip(reversed(range(SIZE)), beside, strict=True):
        row = "  ".join(placed.get(rank * SIZE + file, ".") for file in range(SIZE))
        console.print(f"  {rank + 1}  {row}      {words}")
    console.print(f"     {'  '.join('abcd')}\n")


def _settings(scenario: Scenario, analysis: Analysis) -> tuple[str, str]:
    """Return how i and j think; what makes no difference is not claimed."""
    i, j = (name.capitalize() for name in players(analysis))
    ahead = f", planning {analysis.horizon} moves" if analysis.horizon > 1 else ""
    if analysis.level == 0:
        return f"{i} (i) to move, at level 0{ahead}", f"{j} (j) is not modelled"
    if scenario.frames:
        return (
            f"{i} (i) to move, at level {analysis.level}{ahead}",
            f"{j} (j) has one of {len(scenario.frames)} frames"
            if len(scenario.frames) > 1
            else f"{j} (j) has the frame below",
        )
    if analysis.opponent == "random":
        return f"{i} (i) to move, at level 1 (more is the same){ahead}", f"{j} (j) plays at random"
    far = f", planning {scenario.opponent_horizon}" if scenario.opponent_horizon > 1 else ""
    return (
        f"{i} (i) to move, at level {analysis.level}{ahead}",
        f"{j} (j) modelled at level {analysis.level - 1}, lambda {analysis.rationality:g}{far}",
    )


def _print_moves(console: Console, analysis: Analysis) -> None:
    columns = ["move", "utility", "announcement", "leak", "likeliest reply"]
    moves = table(
        *(columns if analysis.level else columns[:-1]), right=("utility", "leak"),
        title="i's moves by expected utility, best first",
    )  # fmt: skip
    for report in analysis.moves:
        sure = len(report.announcements) == 1
        for k, hearing in enumerate(report.announcements):
            cells = [
                report.move if k == 0 else "",
                _sampled(report) if k == 0 else "",
                hearing.text + ("" if sure else f"  {chance(hearing.probability, 2)}"),
                worth(report.leak_bits) if k == 0 else "",
                _refused(analysis) if hearing.text == "Illegal" else _likeliest(hearing.replies),
            ]
            moves.add_row(*cells[: len(moves.columns)])
    console.print(moves)
    if analysis.particles is not None:
        console.print(
            f"Sampled with {analysis.particles} particles; +- is one standard error of the mean.\n"
        )


def _refused(analysis: Analysis) -> str:
    """Return what follows a refusal."""
    return "position stays" if analysis.tries == "paper" else "try again"


def _sampled(report: MoveReport) -> str:
    """Return a move's worth, with its standard error if it is sampled."""
    error = report.standard_error
    return worth(report.expected_utility) + ("" if error is None else f" +- {error:.2f}")


def _likeliest(replies: tuple[Reply, ...]) -> str:
    """Return the likeliest reply, or those that share that place, with the probability of each."""
    if not replies:
        return "game over"
    highest = replies[0].probability
    first = [reply.move for reply in replies if highest - reply.probability <= TIE]
    names = ", ".join(first) if len(first) <= 3 else f"{first[0]}, {len(first) - 1} more"
    return f"{names}  {chance(highest)}"


def _print_hearings(console: Console, analysis: Analysis) -> None:
    """Print one row for each announcement: who could have caused it, what j makes of it."""
    i, _ = players(analysis)
    causes: dict[str, list[str]] = {}
    hearings: dict[str, Hearing] = {}
    for report in analysis.moves:
        for hearing in report.announcements:
            causes.setdefault(hearing.text, []).append(report.move)
            hearings[hearing.text] = hearing
    columns = ["j hears", "after", "believes i has", "replies"]
    heard = table(
        *(columns if analysis.level else columns[:-1]),
        title="What j makes of it" if analysis.level else "What j could make of it",
    )
    for text, hearing in hearings.items():
        believed = [f"{p}  {chance(b, 3)}" for p, b in placements(hearing.belief, i)]
        replies = [f"{reply.move}  {chance(reply.probability)}" for reply in hearing.replies]
        cells = [
            text + (" (a surprise)" if hearing.surprise else ""),
            ", ".join(causes[text]),
            summed(believed, SHOWN),
            summed(replies, 3) or "game over",
        ]
        heard.add_row(*cells[: len(heard.columns)])
        heard.add_section()
    console.print(heard)


def _print_chosen(console: Console, analysis: Analysis, move: str) -> None:
    report = analysis.move(move)
    i, j = (name.capitalize() for name in players(analysis))
    console.print(Text(f"{i} plays {move} ({_rank(analysis, move)})", style="bold"))
    for hearing in report.announcements:
        likely = "" if hearing.probability == 1 else f" (probability {chance(hearing.probability)})"
        console.print(f'The referee says "{hearing.text}"{likely}.')
        if hearing.text == "Illegal":
            console.print(f"{i}: {_refused(analysis)}.\n")
            continue
        if analysis.level == 0:
            console.print("At level 0 j is not modelled: a move is worth the position after it.\n")
        elif hearing.replies:
            _print_replies(console, hearing.replies, j)
        else:
            console.print("The game is over.\n")


def _rank(analysis: Analysis, move: str) -> str:
    """Return whether a move is the best, and which others are."""
    best = (analysis.best, *analysis.ties)
    others = ", ".join(name for name in best if name != move)
    if move not in best:
        return f"the best {'are' if analysis.ties else 'is'} {others}"
    return f"the best move; ties with {others}" if others else "the best move"


def _print_replies(console: Console, replies: tuple[Reply, ...], j: str) -> None:
    columns = (f"{j}'s action", "utility to j", "probability")
    listed = table(*columns, right=columns[1:])
    for reply in replies[:SHOWN]:
        listed.add_row(reply.move, worth(reply.expected_utility), chance(reply.probability))
    if rest := replies[SHOWN:]:
        utilities = [worth(u) for u in sorted(reply.expected_utility for reply in rest)]
        chances = [chance(p) for p in sorted(reply.probability for reply in rest)]
        listed.add_row(
            f"{len(rest)} other{'s' if len(rest) > 1 else ''}",
            spread(utilities),
            spread(chances, each=" each"),
        )
    console.print(listed)
