"""From a scenario of 4x4 Kriegspiel to the problem that solvers see; what cannot be is an error."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ipomdp.engine.history import Event
from ipomdp.engine.problem import Problem, common_prior
from ipomdp.engine.step import Rules
from ipomdp.errors import InvalidInput
from ipomdp.game import BoolArray, FloatArray, IntArray
from ipomdp.kriegspiel.board import CAPTURED, SIDES, squares
from ipomdp.kriegspiel.referee import announcements
from ipomdp.kriegspiel.rules import Kriegspiel4x4
from ipomdp.quoting import shown

if TYPE_CHECKING:
    from ipomdp.kriegspiel.scenario import Entry, Scenario


def posed(scenario: Scenario) -> Problem:
    """Return the scenario as a problem; what cannot be is an error that names the field."""
    game = Kriegspiel4x4()
    states, chances, path = _start(scenario, game)
    _check_frames(scenario)
    player, sights = scenario.i, (scenario.white, scenario.black)
    if scenario.fen is not None:
        sights = ("all", "all")
    seen = tuple(_sight(states, side, sight) for side, sight in enumerate(sights))
    node = _own_node(scenario, seen[player])
    first = _candidates(scenario, game, states[seen[player] == node], path)
    return Problem(
        game=game,
        rules=Rules(
            retry=scenario.tries == "retry",
            audible=scenario.tries == "retry" and scenario.illegal_heard_by == "both",
        ),
        views=common_prior(states, chances, (seen[0], seen[1])),
        player=player,
        frame=scenario.frame(),
        node=node,
        first=first,
        particles=scenario.particles,
        exact_up_to=scenario.exact_up_to,
        seed=scenario.seed,
        **_events(scenario, game),
    )


def _start(scenario: Scenario, game: Kriegspiel4x4) -> tuple[IntArray, FloatArray, str]:
    """Return the positions at the start, their probabilities, and the field they come from."""
    if scenario.fen is not None:
        if scenario.prior:
            raise InvalidInput("position: expected either fen or prior, not both")
        try:
            return np.array([game.read(scenario.fen)]), np.ones(1), "position.fen"
        except InvalidInput as error:
            raise InvalidInput(f"position.fen: {error}") from None
    states, chances = [], []
    for k, placed in enumerate(scenario.prior, start=1):
        try:
            states.append(game.read(placed.fen))
        except InvalidInput as error:
            raise InvalidInput(f"position.prior, entry {k}: fen: {error}") from None
        if states.count(states[-1]) > 1:
            raise InvalidInput(f"position.prior, entry {k}: fen: {placed.fen} is listed twice")
        if game.turn(states[-1]) != game.turn(states[0]):
            raise InvalidInput(
                f"position.prior, entry {k}: fen: expected the same side to move in all positions"
            )
        chances.append(placed.probability)
    if not states:
        raise InvalidInput("position.fen: missing; expected a position")
    weights = np.array(chances)
    return np.array(states), weights / weights.sum(), "position.prior"


def _check_frames(scenario: Scenario) -> None:
    if not scenario.frames:
        return
    deepest = max(m.level if m.policy == "model" else 0 for m in scenario.frames)
    if scenario.level != deepest + 1:
        raise InvalidInput(
            f"agent.level: with these opponent.frames i is at level {deepest + 1}, "
            f"not {scenario.level}"
        )
    if scenario.policy != "model":
        raise InvalidInput('opponent.policy: expected "model" beside opponent.frames')


def _sight(states: IntArray, side: int, sight: str) -> IntArray:
    """Return, for each position, the number of what a side sees of it."""
    if sight == "all":
        return np.arange(states.size) if states.size > 1 else np.zeros(1, dtype=np.int64)
    pieces = squares(states)
    looks = pieces[side] * (CAPTURED + 1) + pieces[2 + side]
    number: IntArray = np.unique(looks, return_inverse=True)[1]
    return number


def _own_node(scenario: Scenario, seen: IntArray) -> int:
    """Return the number of what i sees at the start."""
    if scenario.sees is None:
        if len(set(seen.tolist())) > 1:
            raise InvalidInput(
                "position.sees: missing; the positions of the prior look different to "
                f"{SIDES[scenario.i]}, so name the one that looks as what it sees"
            )
        return int(seen[0])
    names = [placed.fen for placed in scenario.prior]
    if scenario.sees not in names:
        raise InvalidInput(
            f"position.sees: expected one of the positions of the prior, not {shown(scenario.sees)}"
        )
    return int(seen[names.index(scenario.sees)])


def _candidates(
    scenario: Scenario, game: Kriegspiel4x4, states: IntArray, path: str
) -> BoolArray | None:
    """Return the first moves considered, as a mask."""
    if scenario.candidates is None:
        return None
    if scenario.first_mover != scenario.i:
        raise InvalidInput("agent.candidates: the first move is the other's; leave it out")
    legal = game.legal(states, scenario.first_mover).any(axis=0)
    names = [game.actions[a] for a in np.flatnonzero(legal)]
    for move in scenario.candidates:
        if move not in names:
            where = scenario.fen if path == "position.fen" else "any position of the prior"
            raise InvalidInput(
                f"agent.candidates: {shown(move)} is not legal in {where}; "
                f"legal are {', '.join(names)}"
            )
        if scenario.candidates.count(move) > 1:
            raise InvalidInput(f"agent.candidates: {shown(move)} is listed twice")
    return np.isin(game.actions, scenario.candidates)


def _events(scenario: Scenario, game: Kriegspiel4x4) -> dict[str, Any]:
    """Return the history as events, and what is refused in the turn under way."""
    events: list[Event] = []
    side, i = scenario.first_mover, scenario.i
    for k, entry in enumerate(scenario.history, start=1):
        try:
            refused = _refused(scenario, game, entry, side)
            pending = entry.move is None and entry.heard is None
            if side == i and pending and k == len(scenario.history):
                return {"events": tuple(events), "refused": refused}
            events.append(_event(scenario, game, entry, refused, mine=side == i))
        except InvalidInput as error:
            raise InvalidInput(f"history, entry {k}: {error}") from None
        side = 1 - side
    return {"events": tuple(events)}


def _refused(scenario: Scenario, game: Kriegspiel4x4, entry: Entry, side: int) -> tuple[int, ...]:
    """Return the tries refused in a turn, which must be that of the side to move."""
    if entry.by != SIDES[side]:
        raise InvalidInput(f"by: it is {SIDES[side]}'s turn, not {entry.by}'s")
    if entry.refused and scenario.tries != "retry":
        raise InvalidInput('refused: nothing is tried again unless rules.tries = "retry"')
    return tuple(_action(game, move, "refused") for move in entry.refused)


def _event(
    scenario: Scenario, game: Kriegspiel4x4, entry: Entry, refused: tuple[int, ...], *, mine: bool
) -> Event:
    if entry.heard is None:
        raise InvalidInput("heard: missing; expected what the referee said")
    if entry.heard not in announcements():
        raise InvalidInput(
            f'heard: expected an announcement like "Silent", "Check by File" or "Capture in b2, '
            f'Check by Long Diagonal", not {shown(entry.heard)}'
        )
    heard = announcements().index(entry.heard)
    if mine:
        if entry.move is None:
            raise InvalidInput("move: missing; i knows its own moves")
        return Event(heard=heard, action=_action(game, entry.move, "move"), refused=refused)
    if entry.move is not None or refused:
        raise InvalidInput(f"{'move' if entry.move else 'refused'}: j's are hidden from i")
    if entry.refusals and scenario.illegal_heard_by != "both":
        raise InvalidInput('refusals: i hears them only if rules.illegal_heard_by = "both"')
    return Event(heard=heard, refusals=entry.refusals)


def _action(game: Kriegspiel4x4, move: str, name: str) -> int:
    if move not in game.actions:
        raise InvalidInput(f"{name}: expected a move like Qd1, not {shown(move)}")
    return game.actions.index(move)
