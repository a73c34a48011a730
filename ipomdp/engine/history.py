"""What has happened so far, as one player knows it, and what that makes it believe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ipomdp.engine.layer import Layer, restricted
from ipomdp.engine.model import Frame
from ipomdp.engine.particles import Particles
from ipomdp.engine.solve import Solver
from ipomdp.engine.step import HEARD, REFUSALS, Past
from ipomdp.errors import ImpossibleObservation, ParticlesLost
from ipomdp.game import IntArray

SHOWN = 3
"""How many states an error names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One step as the player knows it: its own action, if it acted, and what it heard."""

    heard: int
    action: int | None = None
    refused: tuple[int, ...] = ()
    """Its own tries refused before the action."""
    refusals: int = 0
    """How many of the other's tries it heard refused."""


@dataclass(frozen=True, slots=True)
class Situation:
    """Where a player stands: its node is the only one of its layer."""

    solver: Solver
    player: int
    frame: Frame
    step: int
    refused: tuple[int, ...] = ()
    """What has been refused in the turn under way."""
    particles: Particles | None = None
    """How beliefs that grow too big are cut down; ``None`` leaves them exact."""

    @property
    def layer(self) -> Layer:
        """The layer that holds the player's node alone."""
        return self.solver.layer(self.player, self.frame, self.step)

    @property
    def turn(self) -> int:
        """The state of its turn, once what was refused is known to be illegal."""
        return _turn_after(self.solver, self.player, self.frame, self.step, self.refused)

    def after(self, event: Event) -> Situation:
        """Return where one more event leads; what this situation knows stays as it is."""
        # how the player's own turns are laid out depends on what is refused in them
        here = self.solver if event.action is None else self._afresh()
        solver = _observed(here, self.player, self.frame, self.step, event, self.particles)
        return Situation(solver, self.player, self.frame, self.step + 1, particles=self.particles)

    def refusing(self, refused: tuple[int, ...]) -> Situation:
        """Return where the player stands once some tries of the turn under way are refused."""
        return Situation(
            self._afresh(), self.player, self.frame, self.step, refused, self.particles
        )

    def _afresh(self) -> Solver:
        only = np.array([0])
        return _kept(self.solver, self.player, self.frame, self.step, {}, only, None)


def situation(
    solver: Solver,
    player: int,
    frame: Frame,
    events: Sequence[Event] = (),
    *,
    node: int = 0,
    refused: tuple[int, ...] = (),
    particles: Particles | None = None,
    guard: Callable[[Situation], object] = lambda _: None,
) -> Situation:
    """Return where a player stands after what it did and heard.

    Only what it can have heard is followed: its own node, the nodes of the other it holds possible
    there, the nodes that those hold possible, and so on. The first event that cannot have happened
    is an error that says what could have. ``guard`` may refuse to go on before each event.
    """
    here = solver
    if any(view.node.any() for view in solver.views):  # somebody might have seen something else
        here = _kept(solver, player, frame, 0, {}, np.array([node]), particles)
    step = 0
    try:
        for event in events:
            guard(Situation(here, player, frame, step))
            here = _observed(here, player, frame, step, event, particles)
            step += 1
        place = Situation(here, player, frame, step, refused, particles)
        if refused:
            _ = place.turn
    except ImpossibleObservation as error:
        if here.sampled:
            raise ParticlesLost(
                f"no particle explains entry {step + 1} of the history; raise belief.particles"
            ) from None
        raise ImpossibleObservation(str(error), entry=step) from None
    return place


def _observed(
    solver: Solver, player: int, frame: Frame, step: int, event: Event, particles: Particles | None
) -> Solver:
    """Return a solver that starts where an event leads."""
    game, group, turn = solver.game, 0, 0
    if event.action is not None:
        turn = _turn_after(solver, player, frame, step, event.refused)
        if not _can_be_legal(solver, player, frame, step, turn, event.action):
            raise ImpossibleObservation(
                f"{game.actions[event.action]} is illegal in every position possible by then"
            )
        group = turn * solver.actions + event.action
    refusals = event.refusals if event.action is None else len(event.refused)
    past = Past(
        frame, turn, event.action, event.heard if game.public else None,
        refusals if solver.rules.audible else 0,
    )  # fmt: skip
    _advance(solver, player, frame, step, past)
    onward = past.steps[frame]
    heard = event.heard + event.refusals * REFUSALS
    if frame.level == 0:
        heard = int(game.alone(np.array([event.heard]))[0])
    found = np.flatnonzero(onward.keys == group * HEARD + heard)
    if not found.size:
        raise ImpossibleObservation(_instead(solver, player, frame, step, event, group))
    layers = {f: s.layer for f, s in past.steps.items() if s.layer is not None}
    return _kept(solver, player, frame, step + 1, layers, onward.nodes[found], particles)


def _advance(solver: Solver, player: int, frame: Frame, step: int, past: Past) -> None:
    """Carry a frame through a past step, those it imagines first."""
    for kind in solver.layer(player, frame, step).kinds:
        opponent = frame.opponents[kind]
        if isinstance(opponent, Frame):
            _advance(solver, 1 - player, opponent, step, past)
    past.steps[frame] = solver.advance(player, frame, step, past)


def _kept(
    solver: Solver, player: int, frame: Frame, step: int, layers: dict[Frame, Layer],
    nodes: IntArray, particles: Particles | None,
) -> Solver:  # fmt: skip
    """Return a solver that knows some nodes of a layer alone, and what those hold possible."""
    known: dict[tuple[int, Frame, int], Layer] = {}
    sampled = solver.sampled

    def keep(
        player: int, frame: Frame, nodes: IntArray, needed: tuple[IntArray, IntArray] | None
    ) -> IntArray:
        nonlocal sampled
        whole = layers[frame] if layers else solver.layer(player, frame, step)
        layer, number = restricted(whole, nodes)
        if particles is not None:
            pairs = None if needed is None else (number[needed[0]], needed[1])
            thinned = particles.thin(layer, pairs)
            sampled |= thinned is not layer
            layer = thinned
        other = np.array(layer.rows.other)
        for kind in layer.kinds:
            opponent, mine = frame.opponents[kind], layer.rows.kind == kind
            if isinstance(opponent, Frame):
                seen = (other[mine], layer.rows.state[mine])
                other[mine] = keep(1 - player, opponent, np.unique(other[mine]), seen)[other[mine]]
        known[player, frame, step] = Layer(layer.rows._replace(other=other), layer.surprised)
        return number

    keep(player, frame, nodes, None)
    return Solver(
        solver.game, solver.views, solver.rules, first=solver.first, unguarded=solver.unguarded,
        layers=known, sampled=sampled,
    )  # fmt: skip


def _turn_after(
    solver: Solver, player: int, frame: Frame, step: int, refused: tuple[int, ...]
) -> int:
    """Return the state of the player's turn after refusals."""
    if not refused:
        return int(solver.choice(player, frame, step).turns.root[0])
    solver.extra[player, frame, step] = refused
    choice = solver.choice(player, frame, step)
    if choice.turns.actual < 0:
        left = np.ones(choice.legal.shape[0], dtype=bool)
        for action in refused:
            left &= ~choice.legal[:, action]
            if not left.any():
                raise ImpossibleObservation(
                    f"{solver.game.actions[action]} cannot have been refused: it is legal in "
                    "every position possible by then"
                )
    return choice.turns.actual


def _can_be_legal(
    solver: Solver, player: int, frame: Frame, step: int, turn: int, action: int
) -> bool:
    choice = solver.choice(player, frame, step)
    members = choice.turns.member[choice.turns.turn == turn]
    return bool(choice.legal[members, action].any())


def _instead(solver: Solver, player: int, frame: Frame, step: int, event: Event, group: int) -> str:
    """Return what could have been heard, in words."""
    edges = solver.step(player, frame, step).edges
    mine = edges.group == group if event.action is not None else np.ones(edges.row.size, bool)
    words = sorted({solver.game.say(int(h)) for h in np.unique(edges.heard[mine]) % REFUSALS})
    said = solver.game.say(event.heard)
    counted = f" after {event.refusals} refusals" if event.refusals else ""
    belief = _named(solver, solver.layer(player, frame, step).marginal(0))
    return (
        f"{said!r}{counted} cannot have been heard; it could have been {', '.join(words)}. "
        f"{solver.game.players[player]} then believed in {belief}"
    )


def _named(solver: Solver, belief: dict[int, float]) -> str:
    """Return the likeliest states of a belief in words, and how many more there are."""
    likely = [f"{solver.game.describe(s)} ({p:.3g})" for s, p in list(belief.items())[:SHOWN]]
    more = f" and {len(belief) - SHOWN} more" if len(belief) > SHOWN else ""
    return ", ".join(likely) + more
