"""How j foresees i's reply: the part that Figure 3 gains at level 2.

j's action leads from S1 to S2 and is announced to i, who replies by its quantal response at level
0 to what it then knows: its own first move and that announcement. Uj is j's utility after it.
"""

from __future__ import annotations

import numpy as np

from ipomdp.game import FloatArray, IntArray
from networks.diagram import Node, choice, utility_node
from networks.naming import state_name
from networks.play import Play, action_names
from networks.stakes import Refusals, Stakes
from networks.turn import Mover

NEVER = "not_tried"
"""What follows a try that j drops, because it is illegal wherever j still believes to be."""


def foresight(
    play: Play, stakes: Stakes, actions: IntArray, refusals: Refusals, reply: Mover
) -> tuple[tuple[Node, ...], tuple[float, float]]:
    """Return S2, the announcement of j's action, Ai2 and Uj; and the scale of Uj."""
    following = Play.of(stakes.game, play.after, actions)
    index, worth = _outcomes(following, stakes, refusals, reply.figure.actions)
    moved = Node("S2", tuple(worth), choice(index, len(worth)), ("S1", "Aj"))
    heard = _announced(following)
    if stakes.retry:
        replied = _move_made(following, moved, heard, reply)
    else:
        replied = _response(play, following, heard, reply)
    utility_of_j, scale = utility_node("Uj", np.stack(list(worth.values())), ("S2", "Ai2"))
    return (moved, heard, replied, utility_of_j), scale


def _outcomes(
    following: Play, stakes: Stakes, refusals: Refusals, replies: IntArray
) -> tuple[IntArray, dict[str, FloatArray]]:
    """Return which state of S2 each action leads to, and what that is worth after each reply.

    A legal action leads to a position; an illegal one leaves the position as it is, or leads on
    in the turn with one more try refused.
    """
    game, player = stakes.game, stakes.player
    _, successor, _ = game.moves(following.after)
    now = stakes.utility.final(following.after, player)[:, None]
    later = stakes.utility.final(successor[:, replies], player)
    rows = np.where(game.over(following.after)[:, None], now, later)
    worth = dict(zip(map(state_name, following.after.tolist()), rows, strict=True))
    refused = stakes.refused(following.before, following.actions, refusals)
    index = np.searchsorted(following.after, following.successor)
    for n, k in np.argwhere(~following.legal):
        state, action = int(following.before[n]), int(following.actions[k])
        name = NEVER if np.isnan(refused[n, k]) else state_name(state)
        if (state, action) in refusals:
            name = refusals[state, action].name
        worth.setdefault(name, np.full(replies.size, refused[n, k]))
        index[n, k] = list(worth).index(name)
    return index, worth


def _announced(following: Play) -> Node:
    """Return what the referee says to j's action."""
    spoken = following.announcements
    index = np.where(following.legal, np.searchsorted(spoken, following.announcement), spoken.size)
    names = (*following.announcement_names, "Illegal")
    return Node("Announcement2", names, choice(index, len(names)), ("S1", "Aj"))


def _response(play: Play, following: Play, heard: Node, reply: Mover) -> Node:
    """Return P(Ai2 | Ai, announcement), i's response to what it knows; uniform if it is idle."""
    actions = reply.figure.actions
    table = np.full((actions.size, play.actions.size, len(heard.states)), 1.0 / actions.size)
    for n, state in enumerate(play.successor[0].tolist()):
        for k, announcement in enumerate(following.announcements.tolist()):
            if (state, announcement) in reply.figure.hearings:
                table[:, n, k] = reply.next_try((state, announcement)).probabilities[actions]
    return Node("Ai2", action_names(play.game, actions), table, ("Ai", "Announcement2"))


def _move_made(following: Play, moved: Node, heard: Node, reply: Mover) -> Node:
    """Return P(Ai2 | announcement, S2), the move finally made; uniform if i is idle.

    S2 shows i's own pieces and with them its first move, the start being known.
    """
    actions = reply.figure.actions
    table = np.full((actions.size, len(heard.states), len(moved.states)), 1.0 / actions.size)
    for n, k in np.argwhere(following.legal):
        before, after = int(following.before[n]), int(following.successor[n, k])
        announcement = int(following.announcement[n, k])
        if (before, announcement) in reply.figure.hearings:
            row = np.searchsorted(following.announcements, announcement)
            column = np.searchsorted(following.after, after)
            table[:, row, column] = reply.made((before, announcement), after)[actions]
    return Node("Ai2", action_names(following.game, actions), table, ("Announcement2", "S2"))
