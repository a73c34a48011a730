"""Shared set-up."""

import atexit
import os
import shutil
import tempfile
import warnings

import pytest

# matplotlib's list of fonts is kept per user: one made by another installation may lack fonts
os.environ["MPLCONFIGDIR"] = tempfile.mkdtemp(prefix="ipomdp-tests-")
atexit.register(shutil.rmtree, os.environ["MPLCONFIGDIR"], ignore_errors=True)

with warnings.catch_warnings():
    # pyAgrum's C++ modules crash the interpreter when their own deprecation warning is an error
    warnings.simplefilter("ignore")
    import pyagrum

    pyagrum.ShaferShenoyLIMIDInference(pyagrum.InfluenceDiagram())

BROWSER = shutil.which("chromium")
UNTESTED = BROWSER is None and not os.environ.get("CI")
"""Whether tests in a browser are left out; in CI they fail instead."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what needs a browser where there is none."""
    if UNTESTED:
        left = [item for item in items if "browser" in getattr(item, "fixturenames", ())]
        items[:] = [item for item in items if item not in left]
        config.hook.pytest_deselected(items=left)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say so in one line."""
    if UNTESTED:
        terminalreporter.write_line(
            "SKIPPED: no chromium on this machine: what happens in a browser is not tested"
        )
