"""The part that Figures 2 and 3 share: S and Ai lead to S', and the referee speaks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ipomdp.game import BoolArray, FloatArray, Game, IntArray
from ipomdp.kriegspiel import Kriegspiel4x4
from networks.diagram import Node, choice
from networks.naming import announcement_name, state_name


@dataclass(frozen=True, slots=True)
class Play:
    """The support of one move: the states before and after it, the actions, the announcements."""

    before: IntArray
    weights: FloatArray
    actions: IntArray
    after: IntArray
    announcements: IntArray
    successor: IntArray
    """(before, actions): the state after each action."""
    announcement: IntArray
    """(before, actions): what the referee says to it."""
    legal: BoolArray
    """(before, actions)."""

    @classmethod
    def of(cls, game: Game, states: IntArray, weights: FloatArray, considered: BoolArray) -> Play:
        """Return the support of a considered action taken in believed states."""
        actions = np.flatnonzero(considered)
        moves = game.moves(states)
        successor, announcement = moves.successor[:, actions], moves.announcement[:, actions]
        return cls(
            before=states,
            weights=weights,
            actions=actions,
            after=np.array(sorted(set(successor.flat))),
            announcements=np.array(sorted(set(announcement.flat))),
            successor=successor,
            announcement=announcement,
            legal=moves.legal[:, actions],
        )

    @property
    def action_names(self) -> tuple[str, ...]:
        """The names of the actions."""
        return tuple(Kriegspiel4x4.actions[a] for a in self.actions)

    @property
    def after_names(self) -> tuple[str, ...]:
        """The names of the states after the move."""
        return tuple(state_name(int(s)) for s in self.after)

    def announcement_names(self, game: Game) -> tuple[str, ...]:
        """Return the names of the announcements."""
        return tuple(announcement_name(game.say(int(o))) for o in self.announcements)

    def nodes(self, game: Game) -> tuple[Node, Node, Node]:
        """Return S, S' and the announcement; Ai is for the figure to add."""
        before = Node("S", tuple(state_name(int(s)) for s in self.before), self.weights)
        moved = np.searchsorted(self.after, self.successor)
        heard = np.searchsorted(self.announcements, self.announcement)
        return (
            before,
            Node("S1", self.after_names, choice(moved, self.after.size), ("S", "Ai")),
            Node(
                "Announcement",
                self.announcement_names(game),
                choice(heard, self.announcements.size),
                ("S", "Ai"),
            ),
        )
