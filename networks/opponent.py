"""Figure 3: the model of j's decision, instantiated once for each announcement.

At level 1 of i, j models nobody: i's hidden move is uniform over the legal ones, and j's action is
worth the position right after it. At level 2 the hidden move follows i's quantal response at level
0, and j foresees i's reply (see `networks.foresight`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ipomdp.game import BoolArray, FloatArray, IntArray
from networks.diagram import Diagram, Node, decision_node, utility_node
from networks.foresight import foresight
from networks.naming import announcement_name
from networks.play import Play, action_names, known
from networks.stakes import Refusals, Stakes
from networks.turn import Heard, Hearing, Mover, Refused, after_refusals, refused_nodes

TITLES = ("Figure 3: the model of j", "Figure 3 at level 2: the model of j")
LAYOUT = {
    "S": (0.0, 1.0),
    "Ai": (0.0, 0.0),
    "S1": (1.0, 1.0),
    "Announcement": (1.0, 0.0),
    "Aj": (2.0, 0.0),
    "Uj": (2.0, 1.0),
}
DEEPER = LAYOUT | {
    "Ai": (0.0, -0.75),
    "S2": (3.0, 1.0),
    "Announcement2": (3.0, 0.0),
    "Ai2": (4.0, -0.75),
    "Uj": (4.0, 1.0),
}
"""Ai and the reply Ai2 face each other below, so that the link between them is clear of nodes."""


def opponent_network(
    play: Play,
    hidden: FloatArray,
    stakes: Stakes,
    actions: IntArray,
    *,
    refused: Refused = (),
    refusals: Refusals | None = None,
    reply: Mover | None = None,
) -> Diagram:
    """Return the diagram in which j hears the announcement, and perhaps refusals, and decides.

    S is the position before i's move, Ai that move with probabilities ``hidden``, S1 the position
    after it. Without a ``reply`` Uj is the worth of j's action right after it; with one, after it.
    """
    refusals = refusals or {}
    told = refused_nodes(stakes.game, play.after, refused, "S1")
    heard = {"Announcement": play.announcements.size} | {node.name: 2 for node in told}
    if reply is None:
        worth = stakes.worth(play.after, actions, refusals)
        utility_of_j, scale = utility_node("Uj", worth, ("S1", "Aj"))
        deeper: tuple[Node, ...] = (utility_of_j,)
    else:
        deeper, scale = foresight(play, stakes, actions, refusals, reply)
    known_to_i = (p for node in deeper if node.name == "Ai2" for p in node.parents if p != "S2")
    return Diagram(
        title=TITLES[reply is not None] + after_refusals(stakes.game, refused),
        nodes=(
            known("S", int(play.before[0])),
            Node("Ai", play.action_names, hidden[:, None], ("S",)),
            play.moved("S1", ("S", "Ai")),
            play.heard("Announcement", ("S", "Ai")),
            *told,
            decision_node("Aj", action_names(stakes.game, actions), heard),
            *deeper,
        ),
        decisions=("Aj",),
        utility="Uj",
        scale=scale,
        information=(*((name, "Aj") for name in heard), *((name, "Ai2") for name in known_to_i)),
        layout=_layout(LAYOUT if reply is None else DEEPER, refused),
    )


@dataclass(frozen=True)
class Opponent:
    """Figure 3 of a known start, for every announcement and every set of refused tries."""

    stakes: Stakes
    """j's."""
    state: int
    considered: BoolArray
    """The first moves that i considers, as everyone believes."""
    hidden: FloatArray
    """The logarithm of the probability of each first move, all 32."""
    reply: Mover | None = None
    """i at level 0 once j has moved; ``None`` where j models nobody."""
    decision: str = "Aj"

    @cached_property
    def hearings(self) -> dict[Heard, Hearing]:
        """What j can have heard: an announcement of a considered move."""
        game = self.stakes.game
        legal, successor, announcement = game.moves(np.array([self.state]))
        found: dict[Heard, Hearing] = {}
        for code in np.unique(announcement[0, self.considered]).tolist():
            moves = np.flatnonzero(legal[0] & (announcement[0] == code))
            after = successor[0, moves]
            found[code,] = Hearing(
                evidence={"Announcement": announcement_name(game.say(code))},
                moves=moves,
                states=after,
                legal=game.moves(after)[0],
                logs=self.hidden[moves],
            )
        return found

    @cached_property
    def actions(self) -> IntArray:
        """What is open to j."""
        return self.stakes.actions(np.concatenate([h.states for h in self.hearings.values()]))

    def diagram(self, refused: Refused, refusals: Refusals, heard: Heard | None) -> Diagram:
        """Return Figure 3 after refusals.

        What the table of Ai gives no chance, or one lost to rounding, is given in that table: it
        holds the moves that lead there alone, in proportion; if none would be played, all alike.
        """
        moves, logs = np.flatnonzero(self.considered), self.hidden
        if heard is not None and not self.hearings[heard].foreseen(refused):
            hearing = self.hearings[heard]
            logs = np.full_like(self.hidden, -np.inf)
            logs[hearing.moves] = hearing.logs_given(refused)
            moves = np.flatnonzero(logs > -np.inf)
        weights = np.exp(logs[moves] - logs[moves].max())
        return opponent_network(
            Play.of(self.stakes.game, np.array([self.state]), moves),
            weights / weights.sum(),
            self.stakes,
            self.actions,
            refused=refused,
            refusals=refusals,
            reply=self.reply,
        )


def _layout(
    layout: dict[str, tuple[float, float]], refused: Refused
) -> dict[str, tuple[float, float]]:
    """Return the layout, opened between S1 and Aj for the refusals."""
    if not refused:
        return layout
    opened = {name: (x + (x >= 2), y) for name, (x, y) in layout.items()}
    return opened | {"Refused": (2.0, 0.35)}
