"""The influence diagrams of the 2007 paper, on pgmpy: Figures 2, 3 and 4 of any scenario.

>>> from ipomdp import load_scenario
>>> from networks import paper_networks
>>> figures = paper_networks(load_scenario("figure-1"))
>>> figures.opponent.network  # doctest: +ELLIPSIS
<pgmpy.models.DiscreteBayesianNetwork.DiscreteBayesianNetwork object at ...>
"""

from __future__ import annotations

from ipomdp.scenario import AnyScenario, kriegspiel_only
from networks.board import board_network
from networks.decision import decision_network
from networks.diagram import Diagram
from networks.opponent import opponent_network
from networks.reply import reply_network
from networks.solve import PaperNetworks, build, build_for
from networks.stakes import Mind, Stakes

__all__ = [
    "Diagram",
    "Mind",
    "PaperNetworks",
    "Stakes",
    "board_network",
    "build",
    "decision_network",
    "opponent_network",
    "paper_networks",
    "reply_network",
]


def paper_networks(scenario: AnyScenario) -> PaperNetworks:
    """Return the figures for a scenario, complete with their tables."""
    return build_for(kriegspiel_only(scenario, "influence diagrams").problem)
