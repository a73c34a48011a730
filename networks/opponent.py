"""Figure 3: the model of j's decision, instantiated once for each announcement."""

from __future__ import annotations

import numpy as np

from ipomdp.game import Game, Utility
from networks.diagram import Diagram, Node, decision_node, utility_node
from networks.play import Play

LAYOUT = {
    "S": (0.0, 1.0),
    "Ai": (0.0, 0.0),
    "S1": (1.0, 1.0),
    "Announcement": (1.0, 0.0),
    "Aj": (2.0, 0.0),
    "Uj": (2.0, 1.0),
}


def opponent_network(game: Game, play: Play, utility: Utility, player: int) -> Diagram:
    """Return the diagram in which j, who models nobody, hears the announcement and decides.

    S is the position before i's move, Ai that move, uniform over the legal ones; S1 the position
    after it. j's action leads to a position whose utility is j's.
    """
    hidden = play.legal / play.legal.sum(axis=1, keepdims=True)
    before, moved, heard = play.nodes(game)
    worth = utility(game.moves(play.after).successor, player)
    utility_of_j, scale = utility_node("Uj", worth, ("S1", "Aj"))
    return Diagram(
        title="Figure 3: the model of j",
        nodes=(
            before,
            Node("Ai", play.action_names, np.ascontiguousarray(hidden.T), ("S",)),
            moved,
            heard,
            decision_node("Aj", game.actions, {"Announcement": play.announcements.size}),
            utility_of_j,
        ),
        decisions=("Aj",),
        utility="Uj",
        scale=scale,
        information=(("Announcement", "Aj"),),
        layout=LAYOUT,
    )
