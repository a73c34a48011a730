"""The head of the page: which scenario is open, how another is opened, what is wrong."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from nicegui import ui
from nicegui.events import UploadEventArguments

from ipomdp.errors import IpomdpError
from ipomdp.web.analysis import sources
from ipomdp.web.analysis.thinking import beside

Open = Callable[[sources.Source], Awaitable[None]]


class Opening:
    """A list of scenarios, a button for files and one for the conjecture."""

    def __init__(
        self, source: sources.Source, on_open: Open, on_conjecture: Callable[[], Awaitable[None]]
    ) -> None:
        self._open, self._source = on_open, source
        with ui.row().classes("w-full items-center gap-3"):
            self._names = (
                ui.select(sources.titles(), value=source.named, label="Scenario",
                          on_change=self._chosen)
                .classes("w-96 max-w-full").props("outlined dense data-control=scenario")
            )  # fmt: skip
            self._upload = (
                ui.upload(
                    auto_upload=True, on_upload=self._uploaded,
                    max_file_size=sources.MOST_BYTES, on_rejected=self._rejected,
                )
                .props("accept=.toml").classes("hidden")
            )  # fmt: skip
            ui.button("Open a file", icon="upload_file").props("no-caps flat data-open").on(
                "click", js_handler=f"() => getElement({self._upload.id}).pickFiles()"
            ).tooltip("a scenario in TOML, up to 100 kB")
            ui.button("The paper's conjecture", on_click=on_conjecture, icon="grid_on").props(
                "no-caps outline data-conjecture"
            )
        self._title = ui.label().classes("text-lg font-semibold").props("role=heading aria-level=1")
        self._about = ui.label().classes("text-sm max-w-4xl whitespace-pre-line")
        self._problem = ui.label().classes(
            "text-sm text-red-800 bg-red-50 rounded px-3 py-2 w-full whitespace-pre-line"
        ).props("role=alert data-problem")  # fmt: skip

    def show(self, source: sources.Source) -> None:
        """Show what is open."""
        self._source = source
        self._names.value = source.named if source.bundled else None
        self._title.text = source.scenario.title or source.scenario.name
        self._about.text = source.scenario.description

    def complain(self, problems: Sequence[str]) -> None:
        """Tell what is wrong, a line each."""
        self._problem.text = "\n".join(problems)
        self._problem.set_visibility(bool(problems))

    async def _chosen(self) -> None:
        name = self._names.value
        if name is not None and name != self._source.named:
            await self._open(sources.bundled(str(name)))

    async def _uploaded(self, event: UploadEventArguments) -> None:
        self._upload.reset()
        try:
            if event.file.size() > sources.MOST_BYTES:
                raise sources.too_big(event.file.name)
            text = await event.file.read()
            found = await beside(lambda: sources.uploaded(event.file.name, text))
        except IpomdpError as error:
            self.complain([str(error)])
            return
        await self._open(found)

    def _rejected(self) -> None:
        self._upload.reset()
        kilobytes = sources.MOST_BYTES // 1000
        self.complain([f"the file: expected a scenario in TOML of at most {kilobytes} kB"])
