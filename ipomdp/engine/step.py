"""The parts of a step from one layer to the next, as flat arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ipomdp.engine.layer import Layer
from ipomdp.engine.model import Frame
from ipomdp.engine.ragged import starts_of
from ipomdp.engine.turns import Turns
from ipomdp.errors import ParticlesLost
from ipomdp.game import BoolArray, FloatArray, IntArray

HEARD = 1 << 29
REFUSALS = 1 << 21
"""What is heard is a number below REFUSALS plus REFUSALS for each refusal heard before it."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What happens on a try that is refused."""

    retry: bool = False
    """Whether the player tries again; otherwise the line ends, the state unchanged."""
    audible: bool = False
    """Whether the other hears that something was refused."""


@dataclass(frozen=True)
class Choice:
    """The decisions of a layer's nodes, before anything is valued."""

    layer: Layer
    turns: Turns
    legal: BoolArray
    """(spots, actions)."""
    allowed: BoolArray
    """(turns, actions): what the player weighs; what it believes impossible is left out."""
    weight: FloatArray
    """The probability of each member of a turn."""
    tight: bool
    """Whether only allowed actions are ever taken; otherwise any legal one may be, at first try."""

    @cached_property
    def attempts(self) -> tuple[IntArray, IntArray, IntArray]:
        """(member, action) pairs of tries that are legal, by spot, and where each spot's start."""
        turns = self.turns
        taken = np.array(self.allowed)
        if not self.tight:
            taken[turns.root] = True
            if turns.actual >= 0:
                taken[turns.actual] = True
        member, action = np.nonzero(self.legal[turns.member] & taken[turns.turn])
        order = np.argsort(turns.member[member], kind="stable")
        member, action = member[order], action[order]
        return member, action, starts_of(turns.member[member], self.legal.shape[0])

    @cached_property
    def links(self) -> tuple[IntArray, IntArray, IntArray]:
        """The refusals that lead from turn to turn."""
        return self.turns.links(self.legal)


@dataclass(frozen=True)
class Policy:
    """What the nodes of a layer do: the move finally made at each spot, as a flat list."""

    response: FloatArray
    """(turns, actions): log probability of the next try."""
    turn: IntArray
    action: IntArray
    log: FloatArray
    start: IntArray
    """Where the moves of each spot start."""
    stays: FloatArray
    """For each spot, the probability of a refusal that ends the line."""


@dataclass(frozen=True)
class Edges:
    """Ways from the rows of a layer to those of the next, as parallel arrays."""

    row: IntArray
    member: IntArray
    """The player's own try, a member of a turn; 0 where it does not act."""
    group: IntArray
    """turn x actions + action of the player's own move, or its node where it does not act."""
    heard: IntArray
    state: IntArray
    kind: IntArray
    other: IntArray
    """The other's next node; 0 where the game is over."""
    log: FloatArray
    """The chance of the other's move and of the outcome."""
    rank: IntArray
    """1 where the other's move is any legal one because the model may not explain it."""
    over: BoolArray


class Moves(NamedTuple):
    """The moves of one player in n cases, as parallel arrays."""

    case: IntArray
    group: IntArray
    """turn x actions + action at the player's node; the node where it does not act."""
    action: IntArray | None
    """``None`` where the player does not act."""
    refusals: IntArray
    """How many refusals the other hears before the move."""
    log: FloatArray
    rank: IntArray
    """1 for any legal move, in case the model fails to explain what is heard."""
    member: IntArray
    """The try as a member of a turn, where it is the player's own."""

    @classmethod
    def none(cls, case: IntArray, node: IntArray) -> Moves:
        """Return the cases in which the player waits."""
        nothing = np.zeros(case.size, dtype=np.int64)
        return cls(case, node, None, nothing, np.zeros(case.size), nothing, nothing)

    def take(self, which: IntArray | BoolArray) -> Moves:
        """Return some of the moves."""
        return Moves(
            self.case[which],
            self.group[which],
            None if self.action is None else self.action[which],
            self.refusals[which],
            self.log[which],
            self.rank[which],
            self.member[which],
        )

    def with_more(self, more: Moves) -> Moves:
        """Return these moves and others, all of them acts."""
        return Moves(*(np.concatenate(pair) for pair in zip(self, more, strict=True)))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Step:
    """The next layer and how to get there."""

    layer: Layer | None
    """``None`` where the game is over in any case."""
    keys: IntArray
    nodes: IntArray
    """The node after each (group, heard) key, which are sorted."""
    edges: Edges
    child: IntArray
    """The next node of each edge; -1 where the game is over."""

    def node_after(self, group: IntArray, heard: IntArray, *, sampled: bool = False) -> IntArray:
        """Return the node to which the player's move (or waiting) and hearing lead.

        A sampled node may not know how so many refusals can come about; it then takes fewer.
        """
        wanted = group * HEARD + heard
        found = np.minimum(np.searchsorted(self.keys, wanted), self.keys.size - 1)
        missing = self.keys[found] != wanted
        while sampled and (missing & (wanted % HEARD >= REFUSALS)).any():
            wanted = np.where(missing & (wanted % HEARD >= REFUSALS), wanted - REFUSALS, wanted)
            found = np.minimum(np.searchsorted(self.keys, wanted), self.keys.size - 1)
            missing = self.keys[found] != wanted
        if missing.any() and sampled:
            raise ParticlesLost("no particle explains what may be heard; raise belief.particles")
        if missing.any():
            raise LookupError("something heard that a modelled player cannot account for")
        return self.nodes[found]


@dataclass(frozen=True)
class Past:
    """What is known of a step that lies behind."""

    frame: Frame
    """The frame of the player who knows it."""
    turn: int = 0
    action: int | None = None
    """What that player did, if it acted, and in which state of its turn."""
    announced: int | None = None
    """What everybody heard, in a game where all hear the same."""
    refusals: int = 0
    """How many refusals were heard before it."""
    steps: dict[Frame, Step] = field(default_factory=dict)
    """The steps of the frames further down, which come first."""


def refusal_counts(legal: IntArray, tries: IntArray) -> FloatArray:
    """Return the chance of k refusals before a legal try, drawn without repetition: (n, k)."""
    most = int((tries - legal).max()) + 1
    still = np.ones(legal.size)
    share = np.zeros((legal.size, most))
    for count in range(most):
        left = np.maximum(tries - count, 1)
        share[:, count] = still * legal / left
        still = still * np.maximum(tries - legal - count, 0) / left
    return share
