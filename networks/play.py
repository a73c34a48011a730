"""One move in a diagram: a position and an action lead to a position, and the referee speaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ipomdp.game import BoolArray, FloatArray, IntArray
from ipomdp.kriegspiel import Kriegspiel4x4
from networks.diagram import Node, choice
from networks.naming import announcement_name, state_name


@dataclass(frozen=True, slots=True)
class Play:
    """The support of one move: the states before and after it, the actions, the announcements."""

    game: Kriegspiel4x4
    before: IntArray
    actions: IntArray
    legal: BoolArray
    """(before, actions)."""
    successor: IntArray
    """(before, actions): the state after each action."""
    announcement: IntArray
    """(before, actions): what the referee says to it."""
    after: IntArray
    """The states that legal actions lead to."""
    announcements: IntArray
    """What the referee says to legal actions."""

    @classmethod
    def of(cls, game: Kriegspiel4x4, states: IntArray, actions: IntArray) -> Play:
        """Return the support of the legal ones among the actions, from any of the states."""
        legal, successor, announcement = game.moves(states)
        legal, successor = legal[:, actions], successor[:, actions]
        announcement = announcement[:, actions]
        return cls(
            game=game,
            before=states,
            actions=actions,
            legal=legal,
            successor=successor,
            announcement=announcement,
            after=np.unique(successor[legal]),
            announcements=np.unique(announcement[legal]),
        )

    @property
    def action_names(self) -> tuple[str, ...]:
        """The names of the actions."""
        return action_names(self.game, self.actions)

    @property
    def announcement_names(self) -> tuple[str, ...]:
        """The names of the announcements."""
        return tuple(announcement_name(self.game.say(int(o))) for o in self.announcements)

    def moved(self, name: str, parents: Sequence[str]) -> Node:
        """Return the new position as a node; what cannot happen has a uniform column."""
        index = np.where(self.legal, np.searchsorted(self.after, self.successor), -1)
        return Node(name, state_names(self.after), choice(index, self.after.size), parents)

    def heard(self, name: str, parents: Sequence[str]) -> Node:
        """Return the announcement as a node; what cannot happen has a uniform column."""
        index = np.where(self.legal, np.searchsorted(self.announcements, self.announcement), -1)
        return Node(name, self.announcement_names, choice(index, self.announcements.size), parents)

    def uniform(self, name: str, parents: Sequence[str]) -> Node:
        """Return the action as a node in which every legal one is as likely."""
        table: FloatArray = self.legal / self.legal.sum(axis=1, keepdims=True)
        return Node(name, self.action_names, table.T, parents)


def known(name: str, state: int) -> Node:
    """Return a position without doubt, as a node."""
    return Node(name, (state_name(state),), np.ones(1))


def state_names(states: IntArray) -> tuple[str, ...]:
    """Return the names of positions."""
    return tuple(state_name(int(state)) for state in states)


def action_names(game: Kriegspiel4x4, actions: IntArray) -> tuple[str, ...]:
    """Return the names of actions."""
    return tuple(game.actions[action] for action in actions)
