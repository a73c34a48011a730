"""Games as a table whose rows open them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from nicegui import ui

from ipomdp.web.replay.parts import STYLE

COLUMNS = ("game", "board", "white", "black", "result", "reason", "moves")
RIGHT = ("moves",)
NAMES = ("white", "black")
"""Columns that may hold long words."""
ROWS = 15
"""On a page of the table."""
LINK = """<q-td :props="props"><a :href="props.row.link" class="ipomdp-open"
  :data-game="props.value"
  :aria-label="'replay game ' + props.value">{{ props.value }}</a></q-td>"""
BUTTON = """<q-td :props="props"><button type="button" class="ipomdp-open" :data-game="props.value"
  :aria-label="'replay game ' + props.value"
  @click.stop="$parent.$emit('open', props.value)">{{ props.value }}</button></q-td>"""


def games_table(
    rows: Sequence[dict[str, object]], on_open: Callable[[int], Any] | None = None
) -> ui.table:
    """Show games; a row opens its link, or calls ``on_open`` with its number."""
    ui.add_css(STYLE)
    boards = {row["board"] for row in rows}
    names = [name for name in COLUMNS if name != "board" or len(boards) > 1]
    columns = [
        {
            "name": name, "label": name, "field": name, "sortable": True,
            "align": "right" if name in RIGHT else "left",
            "classes": "name" if name in NAMES else "",
        }
        for name in names
    ]  # fmt: skip
    pages = ROWS if len(rows) > ROWS else None
    table = ui.table(rows=list(rows), columns=columns, row_key="game", pagination=pages)
    table.classes("ipomdp-games").props("dense flat")
    if on_open is None:
        table.add_slot("body-cell-game", LINK)
        table.on("rowClick", js_handler="(event, row) => { window.location.href = row.link }")
    else:
        table.add_slot("body-cell-game", BUTTON)
        table.on("open", lambda event: on_open(_number(event.args)))
        table.on(
            "rowClick",
            lambda event: on_open(_number(event.args)),
            js_handler="(event, row) => emit(row.game)",
        )
    return table


def _number(sent: object) -> int:
    """Return the number that a browser sent; it may send anything."""
    return sent if type(sent) is int else 0
