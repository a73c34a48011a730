"""Small things that the views share: HTML, commands, files to take away."""

from __future__ import annotations

import shlex
from collections.abc import Callable

from nicegui import ui

from ipomdp.errors import IpomdpError
from ipomdp.web.analysis.thinking import beside
from ipomdp.web.frame import command_line, complain

CHOOSING = """(event) => {
  const chosen = event.target.closest('[data-move]');
  if (!chosen) return;
  for (const bar of chosen.parentElement.children) bar.setAttribute('aria-pressed', bar === chosen);
  emit(chosen.dataset.move);
}"""
"""Selects a bar at once and tells which; the server need not draw it again."""
WALKING = """(event) => {
  const step = {ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling'}[event.key];
  const next = step && event.target.closest('[data-move]')?.[step];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.click();
}"""
"""The arrow keys walk over the bars."""


def markup(content: str = "") -> ui.html:
    """Return an element with HTML of our own making, in which all that is foreign is escaped."""
    return ui.html(content, sanitize=False).classes("w-full")


class Command:
    """A command that gives the same as a view, and what it also writes."""

    def __init__(self, also: str = "") -> None:
        with ui.column().classes("w-full gap-0 min-w-0") as self._all:
            self._label = command_line("ipomdp").classes("w-full")
            if also:
                ui.label(also).classes("text-xs text-gray-600")

    def show(self, *words: str) -> None:
        """Show a command."""
        self._label.text = shlex.join(words)

    def set_visibility(self, visible: bool) -> None:
        """Show or hide it."""
        self._all.set_visibility(visible)


def take_away(
    what: str, name: Callable[[], str], make: Callable[[], str | bytes], mark: str
) -> ui.button:
    """Return a button that downloads a file, made beside the page when it is pressed."""

    async def give() -> None:
        button.props("loading")
        try:
            made = await beside(make)
            ui.download(made.encode() if isinstance(made, str) else made, name())
        except IpomdpError as error:
            complain(error)
        finally:
            button.props(remove="loading")

    button = ui.button(what, on_click=give, icon="download").props("flat dense no-caps")
    button.props(f"data-download={mark}")
    return button
