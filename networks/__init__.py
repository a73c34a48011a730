"""The influence diagrams of the 2007 paper, on pgmpy: Figures 2, 3 and 4 of any scenario.

>>> from ipomdp import load_scenario
>>> from networks import paper_networks
>>> figures = paper_networks(load_scenario("figure-1"))
>>> figures.opponent.network  # doctest: +ELLIPSIS
<pgmpy.models.DiscreteBayesianNetwork.DiscreteBayesianNetwork object at ...>
"""

from __future__ import annotations

from ipomdp.analysis import pose
from ipomdp.scenario import Scenario
from networks.board import board_network
from networks.decision import decision_network
from networks.diagram import Diagram
from networks.opponent import opponent_network
from networks.solve import PaperNetworks, build

__all__ = [
    "Diagram",
    "PaperNetworks",
    "board_network",
    "decision_network",
    "opponent_network",
    "paper_networks",
]


def paper_networks(scenario: Scenario) -> PaperNetworks:
    """Return Figures 2, 3 and 4 for a scenario, complete with their tables."""
    return build(pose(scenario))
