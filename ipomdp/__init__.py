"""Decide under hidden information by modelling what the opponent believes.

>>> from ipomdp import analyze, load_scenario
>>> analysis = analyze(load_scenario("figure-1"))
>>> analysis.best
'Qd1'
"""

from typing import TYPE_CHECKING

from ipomdp.analysis import analyze
from ipomdp.engine.history import Event, Situation
from ipomdp.engine.model import Blind, Frame
from ipomdp.engine.problem import Problem
from ipomdp.engine.quantal import quantal_response
from ipomdp.engine.solve import Solver
from ipomdp.errors import ImpossibleObservation, InvalidInput, IpomdpError
from ipomdp.game import Game, Outcomes, Utility
from ipomdp.report import Analysis
from ipomdp.scenario import Scenario, TigerScenario, bundled_scenarios, load_scenario

__all__ = [
    "Analysis",
    "Blind",
    "Event",
    "Frame",
    "Game",
    "ImpossibleObservation",
    "InvalidInput",
    "IpomdpError",
    "Outcomes",
    "Problem",
    "Scenario",
    "Situation",
    "Solver",
    "TigerScenario",
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
