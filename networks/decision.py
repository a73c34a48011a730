"""Figure 2: i's top-level network, in which j's action follows the announcement i's move causes."""

from __future__ import annotations

import numpy as np

from ipomdp.game import FloatArray, IntArray
from networks.diagram import Diagram, Node, decision_node, utility_node
from networks.play import Play, action_names, known
from networks.stakes import Stakes

LAYOUT = {
    "S": (0.0, 1.0),
    "Ai": (0.0, 0.0),
    "S1": (1.0, 1.0),
    "Announcement": (1.0, 0.0),
    "Aj": (2.0, 0.0),
    "Ui": (2.0, 1.0),
}


def decision_network(
    play: Play, stakes: Stakes, actions: IntArray | None = None, replies: FloatArray | None = None
) -> Diagram:
    """Return i's diagram; ``replies`` is P(Aj | announcement), (actions, announcements).

    A third axis makes the reply depend on the position too: the referee refuses what is illegal
    there, and Aj is the move finally made. Without replies i is at level 0: there is no Aj, and the
    position right after i's move counts. Where the game is over Aj changes nothing.
    """
    worth, parents = stakes.utility.final(play.after, stakes.player), ["S1"]
    predicted = []
    if replies is not None and actions is not None:
        over = stakes.game.over(play.after)[:, None]
        _, successor, _ = stakes.game.moves(play.after)
        later = stakes.utility.final(successor[:, actions], stakes.player)
        worth, parents = np.where(over, worth[:, None], later), ["S1", "Aj"]
        known_to_reply = ("Announcement", "S1")[: replies.ndim - 1]
        names = action_names(stakes.game, actions)
        predicted = [Node("Aj", names, replies, known_to_reply)]
    utility_of_i, scale = utility_node("Ui", worth, parents)
    return Diagram(
        title="Figure 2: i's decision",
        nodes=(
            known("S", int(play.before[0])),
            decision_node("Ai", play.action_names, {}),
            play.moved("S1", ("S", "Ai")),
            play.heard("Announcement", ("S", "Ai")),
            *predicted,
            utility_of_i,
        ),
        decisions=("Ai",),
        utility="Ui",
        scale=scale,
        information=(("Announcement", "Aj"),) if predicted else (),
        layout=LAYOUT,
    )
