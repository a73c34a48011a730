"""i's reply as j foresees it: a network of i at level 0, nested in Figure 3 at level 2.

i knows the start and its own first move Ai, and hears the announcement of j's move, which to i at
level 0 was uniform over the legal ones. It is instantiated once for each pair of the two.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ipomdp.game import IntArray
from networks.diagram import Diagram, decision_node, utility_node
from networks.naming import announcement_name
from networks.play import Play, action_names, known
from networks.stakes import Refusals, Stakes
from networks.turn import Heard, Hearing, Refused, after_refusals, refused_nodes

LAYOUT = {
    "S": (0.0, 1.0),
    "Ai": (0.0, -0.75),
    "S1": (1.0, 1.0),
    "Aj": (1.0, 0.0),
    "S2": (2.0, 1.0),
    "Announcement2": (2.0, 0.0),
    "Ai2": (3.0, -0.75),
    "Ui": (3.0, 1.0),
}


def reply_network(
    play: Play,
    stakes: Stakes,
    actions: IntArray,
    *,
    refused: Refused = (),
    refusals: Refusals | None = None,
) -> Diagram:
    """Return the diagram in which i, who models nobody, hears j's move announced and replies."""
    following = _following(play)
    told = refused_nodes(stakes.game, following.after, refused, "S2")
    knows = {"Ai": play.actions.size, "Announcement2": following.announcements.size}
    knows |= {node.name: 2 for node in told}
    worth = stakes.worth(following.after, actions, refusals or {})
    utility_of_i, scale = utility_node("Ui", worth, ("S2", "Ai2"))
    return Diagram(
        title="Inside Figure 3: i's reply" + after_refusals(stakes.game, refused),
        nodes=(
            known("S", int(play.before[0])),
            decision_node("Ai", play.action_names, {}),
            play.moved("S1", ("S", "Ai")),
            following.uniform("Aj", ("S1",)),
            following.moved("S2", ("S1", "Aj")),
            following.heard("Announcement2", ("S1", "Aj")),
            *told,
            decision_node("Ai2", action_names(stakes.game, actions), knows),
            utility_of_i,
        ),
        decisions=("Ai", "Ai2"),
        utility="Ui",
        scale=scale,
        information=tuple((name, "Ai2") for name in knows),
        layout=_layout(refused),
    )


@dataclass(frozen=True)
class Reply:
    """i's reply for every first move that does not end the game, and everything it then hears."""

    stakes: Stakes
    """i's, one level below j."""
    play: Play
    """i's first move, whatever it was, from the known start."""
    decision: str = "Ai2"

    @cached_property
    def hearings(self) -> dict[Heard, Hearing]:
        """What i can know when it replies: the position it left, and an announcement."""
        following = _following(self.play)
        found: dict[Heard, Hearing] = {}
        for n, state in enumerate(following.before.tolist()):
            first = self.play.action_names[self.play.successor[0].tolist().index(state)]
            for code in np.unique(following.announcement[n, following.legal[n]]).tolist():
                heard = following.legal[n] & (following.announcement[n] == code)
                after = following.successor[n, heard]
                if not self.stakes.game.over(after).any():
                    words = announcement_name(self.stakes.game.say(code))
                    found[state, code] = Hearing(
                        evidence={"Ai": first, "Announcement2": words},
                        moves=following.actions[heard],
                        states=after,
                        legal=self.stakes.game.moves(after)[0],
                        logs=np.full(after.size, -np.log(following.legal[n].sum())),
                    )
        return found

    @cached_property
    def actions(self) -> IntArray:
        """What is open to i."""
        return self.stakes.actions(_following(self.play).after)

    def diagram(self, refused: Refused, refusals: Refusals, heard: Heard | None) -> Diagram:
        """Return the network after refusals; for one hearing i's own first move is given in it."""
        play = self.play
        if heard is not None:
            first = play.actions[play.successor[0] == heard[0]]
            play = Play.of(play.game, play.before, first)
        return reply_network(play, self.stakes, self.actions, refused=refused, refusals=refusals)


def _following(play: Play) -> Play:
    """Return j's legal moves from the positions that i's first move can leave."""
    legal, _, _ = play.game.moves(play.after)
    return Play.of(play.game, play.after, np.flatnonzero(legal.any(axis=0)))


def _layout(refused: Refused) -> dict[str, tuple[float, float]]:
    """Return the layout, opened between S2 and Ai2 for the refusals."""
    if not refused:
        return LAYOUT
    opened = {name: (x + (x >= 3), y) for name, (x, y) in LAYOUT.items()}
    return opened | {"Refused": (3.0, 0.3)}
