"""The cells of a map as far as they are computed, and what can be taken away of them."""

from __future__ import annotations

from dataclasses import dataclass, field

from ipomdp.errors import InvalidInput
from ipomdp.show.console import as_json
from ipomdp.study.conjecture import Reading, Settled
from ipomdp.study.levels import Cell, Sweep
from ipomdp.web.analysis import files, maps
from ipomdp.web.analysis.choices import Choice


@dataclass(frozen=True, slots=True)
class Wish:
    """What a map is to be of: two are the same map where they are equal."""

    choice: Choice
    """Without level, lambda and move, which a map does not depend on."""
    conjecture: bool
    levels: str
    lambdas: str

    @property
    def reading(self) -> Reading | None:
        """The reading of the conjecture, if the map is of one."""
        named = self.choice.source.named
        if not self.conjecture or not self.choice.source.bundled:
            return None
        return maps.reading_of(named, self.choice["tries"], self.choice["horizon"])

    def plan(self) -> maps.Plan:
        """Return what to compute; what is typed wrong or takes too long is an error."""
        reading = self.reading
        if reading is not None:
            return maps.planned_reading(reading, self.levels, self.lambdas)
        return maps.planned(self.choice.scenario, self.levels, self.lambdas)

    @property
    def command(self) -> tuple[str, ...]:
        """The words of the command that gives the map, for the conjecture all readings of it."""
        if not self.conjecture:
            return self.choice.command(
                "levels", "--levels", self.levels, "--rationality", self.lambdas
            )
        given = ("--levels", self.levels) if self.levels else ()
        usual = () if self.lambdas == maps.LAMBDAS else ("--rationality", self.lambdas)
        return ("ipomdp", "conjecture", *given, *usual)

    @property
    def own_command(self) -> tuple[str, ...]:
        """The words of the command that gives the numbers of one reading alone."""
        levels, reading = self.levels, self.reading
        if reading is not None and not levels:
            usual = maps.usual_levels(reading)
            levels = f"{usual[0]}-{usual[-1]}"
        return self.choice.command("levels", "--levels", levels, "--rationality", self.lambdas)


@dataclass(slots=True)
class Gathered:
    """The map that is shown, and the readings of the conjecture seen before it."""

    wish: Wish | None = None
    plan: maps.Plan | None = None
    cells: list[Cell] = field(default_factory=list)
    seen: dict[Wish, tuple[Cell, ...]] = field(default_factory=dict)

    def begin(self, wish: Wish, plan: maps.Plan) -> None:
        """Start a map."""
        self.wish, self.plan, self.cells = wish, plan, []

    def forget(self) -> None:
        """Show no map."""
        self.wish, self.plan, self.cells = None, None, []

    def finish(self) -> None:
        """Keep a finished map of the conjecture for its picture over all readings."""
        if self.wish is not None and self.wish.conjecture:
            self.seen[self.wish] = tuple(self.cells)

    def sweep(self) -> Sweep:
        """Return the map as the study of levels has it."""
        if self.plan is None:
            raise InvalidInput("the map: not computed yet")
        return self.plan.sweep(self.cells)

    def settled(self) -> Settled:
        """Return the conjecture in all readings seen with the same levels and lambdas."""
        sweep, wish = self.sweep(), self.wish
        if wish is None:
            raise InvalidInput("the map: not computed yet")
        known = {
            reading: cells
            for other, cells in {**self.seen, wish: sweep.cells}.items()
            if (reading := other.reading) is not None
            and (other.levels, other.lambdas) == (wish.levels, wish.lambdas)
        }
        return maps.settled(sweep.rationalities, known, wish.levels)

    def json(self) -> str:
        """Return the data as the command prints it."""
        conjecture = self.wish is not None and self.wish.conjecture
        return as_json((self.settled() if conjecture else self.sweep()).to_dict())

    def table(self) -> str:
        """Return the table as the command writes it."""
        return files.sweep_table(self.sweep())

    def picture(self) -> bytes:
        """Return the picture as the command draws it."""
        if self.wish is not None and self.wish.conjecture:
            return files.conjecture_picture(self.settled())
        return files.sweep_picture(self.sweep())
