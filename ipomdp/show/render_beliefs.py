"""Beliefs as a person reads them: what i knows, what it thinks j knows, and who j may be."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console

from ipomdp.kriegspiel.board import CAPTURED, SIDES, SQUARES, parse_position
from ipomdp.kriegspiel.scenario import Entry, Scenario
from ipomdp.report import Analysis, Believed
from ipomdp.show.tables import chance, table

SHOWN = 5
"""How many replies or positions are listed before the rest is summed up."""


def players(analysis: Analysis) -> tuple[str, str]:
    """Return the names of i and j."""
    i = SIDES.index(analysis.to_move)
    return SIDES[i], SIDES[1 - i]


def pieces_of(position: str, player: str) -> str:
    """Return where a player's pieces stand, as ``Ka1 Qd1``."""
    placed = parse_position(position)
    side = SIDES.index(player)
    pair = zip("KQ", (placed[side], placed[2 + side]), strict=True)
    return " ".join(name + SQUARES[square] for name, square in pair if square != CAPTURED)


def placements(belief: Iterable[Believed], player: str) -> list[tuple[str, float]]:
    """Return where a player's pieces may stand, likeliest first."""
    found: dict[str, float] = {}
    for believed in belief:
        pieces = pieces_of(believed.position, player)
        found[pieces] = found.get(pieces, 0.0) + believed.probability
    return sorted(found.items(), key=lambda item: -item[1])


def summed(lines: list[str], most: int) -> str:
    """Return the first few lines and one that counts the rest."""
    rest = [f"... {len(lines) - most} more"] if len(lines) > most else []
    return "\n".join([*lines[:most], *rest])


def print_beliefs(console: Console, scenario: Scenario, analysis: Analysis) -> None:
    """Print what has happened, what i believes, and what i believes j believes."""
    i, j = players(analysis)
    if scenario.history:
        console.print("What has happened, as i knows it:")
        for entry in scenario.history:
            console.print(f"  {_told(entry)}")
        console.print()
    if analysis.surprise:
        console.print("Something i heard had no chance under its model of j: a surprise.\n")
    mine = [f"{pieces}  {chance(p, 3)}" for pieces, p in placements(analysis.belief, j)]
    believed = table(f"i believes {j.capitalize()} has", "chance", "and j believes i has")
    theirs: dict[str, float] = {}
    for nested in analysis.nested:
        words = summed([f"{w}  {chance(p, 3)}" for w, p in placements(nested.belief, i)], 3)
        theirs[words] = theirs.get(words, 0.0) + nested.probability
    ranked = sorted(theirs.items(), key=lambda item: -item[1])
    rows = [(chance(p, 3), words) for words, p in ranked[:SHOWN]]
    if len(ranked) > SHOWN:
        rest = sum(p for _, p in ranked[SHOWN:])
        rows.append((chance(rest, 3), f"... {len(ranked) - SHOWN} more beliefs"))
    blind = 1.0 - sum(theirs.values())
    if rows and blind > 1e-9:
        rows.append((chance(blind, 3), "(nothing: it plays at random)"))
    for k, cells in enumerate(rows or [("", "(j is not modelled)")]):
        believed.add_row(summed(mine, 2 * SHOWN) if k == 0 else "", *cells)
    console.print(believed)


def _told(entry: Entry) -> str:
    who = entry.by.capitalize()
    tried = f" after {', '.join(entry.refused)} refused" if entry.refused else ""
    if entry.refusals:
        tried = f" after {entry.refusals} refused tr{'y' if entry.refusals == 1 else 'ies'}"
    if entry.heard is None:
        return f"{who} was refused {', '.join(entry.refused)}"
    return f'{who} {entry.move or "moved"}{tried}: "{entry.heard}"'


def print_frames(console: Console, scenario: Scenario, analysis: Analysis) -> None:
    """Print how likely i holds each of j's frames, before and after what it heard."""
    total = sum(mind.weight for mind in scenario.frames)
    frames = table("j's frame", "prior", "now", right=("prior", "now"))
    for mind, now in zip(scenario.frames, analysis.frames, strict=True):
        far = f", planning {mind.horizon}" if mind.horizon > 1 else ""
        words = f"level {mind.level}, lambda {mind.rationality:g}{far}"
        changed = " (own utility)" if mind.weights != scenario.weights else ""
        frames.add_row(
            "random" if mind.policy == "random" else words + changed,
            chance(mind.weight / total, 3),
            chance(now, 3),
        )
    console.print(frames)
