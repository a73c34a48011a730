"""The map over levels and lambda: its cells as they are computed, and what they show."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from ipomdp.analysis import warning
from ipomdp.engine.effort import effort
from ipomdp.errors import InvalidInput
from ipomdp.scenario import AnyScenario, Scenario
from ipomdp.show.conjecture_plots import INK, SHADES
from ipomdp.show.level_plots import COLOURS
from ipomdp.show.tables import worth
from ipomdp.study.conjecture import (
    ALL_MOVES,
    OFFERED,
    PAPER_MOVES,
    Reading,
    Settled,
    Verdict,
    readings,
    verdict_of,
)
from ipomdp.study.levels import Cell, Sweep, cells
from ipomdp.study.ranges import levels_in, rationalities_in
from ipomdp.web.analysis.choices import number, plainly
from ipomdp.web.analysis.thinking import AT_ONCE, beside

LEVELS = "0-4"
LAMBDAS = "0.001,0.002,0.004,0.01,0.02,0.04,0.1"
MOST_CELLS = 300
MOST_COLUMNS = 2000
"""Columns that are remembered, for all pages together."""
WIDEST = 12
"""Columns that have room for words."""
FIGURES = {PAPER_MOVES: False, ALL_MOVES: True}
"""The conjecture's scenarios, and whether Qc3 is considered."""

_COLUMNS: OrderedDict[tuple[Scenario, tuple[int, ...], float, str | None], tuple[Cell, ...]]
_COLUMNS = OrderedDict()


@dataclass(frozen=True, slots=True)
class Plan:
    """A map to compute."""

    scenario: Scenario
    """Its level and lambda do not matter."""
    levels: tuple[int, ...]
    rationalities: tuple[float, ...]
    after: str | None = None
    """The move to which replies are kept."""

    @property
    def size(self) -> int:
        """How many cells there are."""
        return len(self.levels) * len(self.rationalities)

    def sweep(self, found: Sequence[Cell]) -> Sweep:
        """Return the cells found as the study of levels has them."""
        return Sweep(
            scenario=self.scenario, levels=self.levels, rationalities=self.rationalities,
            cells=tuple(found),
        )  # fmt: skip


def planned(scenario: AnyScenario, levels: str, lambdas: str) -> Plan:
    """Return the map of a scenario; what is typed wrong or takes too long is an error."""
    if not isinstance(scenario, Scenario):
        raise InvalidInput("the map: for Kriegspiel alone; the tiger has none")
    if scenario.frames:
        raise InvalidInput("the map: opponent.frames fix how j thinks; there is nothing to vary")
    wanted, rationalities = _typed(levels, 0), _lambdas(lambdas)
    return _checked(Plan(scenario, wanted, rationalities))


def reading_of(name: str, tries: str, horizon: int) -> Reading | None:
    """Return the reading of the paper's Figure 1 that a scenario is, if it is one."""
    if name not in FIGURES:
        return None
    return Reading(tries=tries, horizon=horizon, all_moves=FIGURES[name])


def planned_reading(reading: Reading, levels: str, lambdas: str) -> Plan:
    """Return the map of the conjecture in one reading; by default as deep as takes seconds."""
    wanted = _typed(levels, 1) if levels.strip() else usual_levels(reading)
    return _checked(Plan(reading.scenario, wanted, _lambdas(lambdas), OFFERED))


def usual_levels(reading: Reading) -> tuple[int, ...]:
    """Return the levels of the paper's picture; fewer where White plans farther than there."""
    if reading.horizon <= 2:
        return reading.levels(None)
    return tuple(range(1, 4 if reading.tries == "retry" else 5))


def _typed(levels: str, least: int) -> tuple[int, ...]:
    try:
        return levels_in(levels.replace(" ", ""), least)
    except InvalidInput as error:
        raise InvalidInput(f"levels of the map: {error}") from None


def _lambdas(text: str) -> tuple[float, ...]:
    try:
        return rationalities_in(text.replace(" ", ""))
    except InvalidInput as error:
        raise InvalidInput(f"lambdas of the map: {error}") from None


def _checked(plan: Plan) -> Plan:
    if plan.size > MOST_CELLS:
        raise InvalidInput(f"the map: expected at most {MOST_CELLS} cells, not {plan.size}")
    deepest = plan.scenario.with_options(level=max(plan.levels))
    try:
        words = warning(deepest)
    except InvalidInput as error:
        raise InvalidInput(f"levels of the map: {plainly(str(error))}") from None
    if words or effort(deepest.problem.situation()).bytes > AT_ONCE:
        raise InvalidInput(
            f"levels of the map: at level {max(plan.levels)} a cell takes more than this page "
            "takes on; the command does it, or choose a lower level"
        )
    return plan


async def computed(plan: Plan) -> AsyncIterator[Cell]:
    """Compute the cells one by one, all levels of a lambda before the next."""
    key_scenario = plan.scenario.with_options(level=0, rationality=0.0)
    for rationality in plan.rationalities:
        key = (key_scenario, plan.levels, rationality, plan.after)
        if key in _COLUMNS:
            _COLUMNS.move_to_end(key)
            for cell in _COLUMNS[key]:
                yield cell
            continue
        run = cells(plan.scenario, plan.levels, [rationality], after=plan.after)
        column: list[Cell] = []
        while (found := await beside(lambda run=run: next(run, None))) is not None:  # type: ignore[misc]
            column.append(found)
            yield found
        _COLUMNS[key] = tuple(column)
        while len(_COLUMNS) > MOST_COLUMNS:
            _COLUMNS.popitem(last=False)


def settled(
    rationalities: tuple[float, ...], known: Mapping[Reading, Sequence[Cell]], levels: str
) -> Settled:
    """Return the conjecture as far as it has been computed here, as its command prints it."""
    wanted = _typed(levels, 1) if levels.strip() else None
    found = tuple(
        verdict_of(reading, cell)
        for reading in readings()
        for cell in known.get(reading, ())
    )  # fmt: skip
    return Settled(levels=wanted, rationalities=rationalities, verdicts=found)


def best_map(plan: Plan, found: Sequence[Cell], here: tuple[int, float]) -> str:
    """Return the map of the best move."""
    colours = best_colours(plan, found)
    looks = {}
    for cell in found:
        title = "; ".join(f"{move} {worth(value)}" for move, value in cell.moves[:4])
        words = cell.best + (" <small>tie</small>" if cell.tied else "")
        looks[cell.level, cell.rationality] = _Look(
            colours[cell.best], "#ffffff", words, f"best {cell.best}: {title}", cell.best
        )
    return _grid(plan, looks, here)


def best_colours(plan: Plan, found: Sequence[Cell]) -> dict[str, str]:
    """Return the colours of the moves that are best anywhere, as the picture has them."""
    winners = {cell.best for cell in found}
    ordered = plan.sweep(found).moves
    shades = {move: COLOURS[k % len(COLOURS)] for k, move in enumerate(ordered)}
    return {move: shade for move, shade in shades.items() if move in winners}


def conjecture_map(
    plan: Plan, reading: Reading, found: Sequence[Cell], here: tuple[int, float]
) -> str:
    """Return the map of the conjecture: who is ahead, the best move, and whether Black takes."""
    looks = {}
    for cell in found:
        verdict = verdict_of(reading, cell)
        small = f"<small>{verdict.capture:.2f}</small>".replace(">0.", ">.")
        looks[cell.level, cell.rationality] = _Look(
            SHADES[verdict.view], INK[verdict.view], f"{verdict.best}{small}",
            told(verdict), verdict.view,
        )  # fmt: skip
    return _grid(plan, looks, here)


def told(verdict: Verdict) -> str:
    """Return a verdict in words."""
    return (
        f"{verdict.view}; best {verdict.best}; Qb2 {worth(verdict.offered)}, "
        f"Qd1 {worth(verdict.preferred)}; Black takes on b2 with probability {verdict.capture:.2f}"
    )


@dataclass(frozen=True, slots=True)
class _Look:
    shade: str
    ink: str
    words: str
    title: str
    view: str


def _grid(plan: Plan, looks: Mapping[tuple[int, float], _Look], here: tuple[int, float]) -> str:
    wide = len(plan.rationalities)
    rows = []
    for level in reversed(plan.levels):
        rows.append(f'<span class="axis">{level}</span>')
        for rationality in plan.rationalities:
            look = looks.get((level, rationality))
            if look is None:
                rows.append('<span class="empty"></span>')
                continue
            at = f"level {level}, lambda {number(rationality)}"
            mark = " here" if (level, rationality) == here else ""
            rows.append(
                f'<button type="button" class="cell{mark}" data-level="{level}" '
                f'data-lambda="{number(rationality)}" data-view="{escape(look.view)}" '
                f'title="{escape(f"{at}: {look.title}")}" '
                f'aria-label="{escape(f"{at}: {look.title}")}" '
                f'style="background:{look.shade};color:{look.ink}">'
                f"{look.words if wide <= WIDEST else ''}</button>"
            )
    rows.append('<span class="axis">level</span>')
    every = -(-wide // WIDEST)
    rows += [
        f'<span class="axis">{f"{r:.2g}" if k % every == 0 else ""}</span>'
        for k, r in enumerate(plan.rationalities)
    ]
    rows.append('<span class="axis" style="grid-column: 2 / -1">lambda</span>')
    columns = f"grid-template-columns: 2rem repeat({wide}, minmax(0, 1fr))"
    return (
        f'<div class="map" role="group" aria-label="level by lambda" style="{columns}" '
        f'data-cells="{len(looks)}" data-size="{plan.size}">{"".join(rows)}</div>'
    )
