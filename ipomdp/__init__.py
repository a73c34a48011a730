"""Decide under hidden information by modelling what the opponent believes.

>>> from ipomdp import analyze, load_scenario
>>> analysis = analyze(load_scenario("figure-1"))
>>> analysis.best
'Qd1'
"""

from typing import TYPE_CHECKING

from ipomdp.analysis import analyze
from ipomdp.belief import Belief
from ipomdp.errors import ImpossibleObservation, InvalidInput, IpomdpError
from ipomdp.game import Game, Moves, Utility
from ipomdp.model import Frame, Model
from ipomdp.quantal import quantal_response
from ipomdp.report import Analysis
from ipomdp.scenario import Scenario, bundled_scenarios, load_scenario
from ipomdp.solve import Solver

__all__ = [
    "Analysis",
    "Belief",
    "Frame",
    "Game",
    "ImpossibleObservation",
    "InvalidInput",
    "IpomdpError",
    "Model",
    "Moves",
    "Scenario",
    "Solver",
    "Utility",
    "analyze",
    "bundled_scenarios",
    "load_scenario",
    "quantal_response",
]

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> str:
        """Return ``__version__``; reading metadata takes a while, so only when asked."""
        if name != "__version__":
            raise AttributeError(f"module 'ipomdp' has no attribute {name!r}")
        from importlib.metadata import PackageNotFoundError, version

        try:
            return version("ipomdp")
        except PackageNotFoundError:  # a checkout that is not installed
            return "unknown"
