"""Figure 2: i's top-level network, in which j's action follows the announcement i's move causes."""

from __future__ import annotations

import numpy as np

from ipomdp.game import FloatArray, Game, Utility
from networks.diagram import Diagram, Node, decision_node, utility_node
from networks.play import Play

LAYOUT = {
    "S": (0.0, 1.0),
    "Ai": (0.0, 0.0),
    "S1": (1.0, 1.0),
    "Announcement": (1.0, 0.0),
    "Aj": (2.0, 0.0),
    "Ui": (2.0, 1.0),
}


def decision_network(
    game: Game, play: Play, utility: Utility, player: int, replies: FloatArray | None
) -> Diagram:
    """Return i's diagram; ``replies`` is P(Aj | announcement), (actions, announcements).

    Without replies i is at level 0: there is no Aj, and the position right after i's move counts.
    Where the game is over, or i's move was refused, Aj changes nothing.
    """
    before, moved, heard = play.nodes(game)
    nodes = (before, decision_node("Ai", play.action_names, {}), moved, heard)
    now = utility(play.after, player)
    if replies is None:
        worth, parents, predicted = now, ["S1"], []
    else:
        final = game.over(play.after) | ~np.isin(play.after, play.successor[play.legal])
        later = utility(game.moves(play.after).successor, player)
        worth = np.where(final[:, None], now[:, None], later)
        parents = ["S1", "Aj"]
        predicted = [Node("Aj", game.actions, replies, ("Announcement",))]
    utility_of_i, scale = utility_node("Ui", worth, parents)
    return Diagram(
        title="Figure 2: i's decision",
        nodes=(*nodes, *predicted, utility_of_i),
        decisions=("Ai",),
        utility="Ui",
        scale=scale,
        information=(("Announcement", "Aj"),) if predicted else (),
        layout=LAYOUT,
    )
