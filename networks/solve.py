"""The whole analysis through pgmpy's inference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ipomdp.engine.expect import entropy
from ipomdp.engine.model import Blind, Frame
from ipomdp.engine.problem import Answer, Problem, Solution
from ipomdp.engine.quantal import log_quantal_response
from ipomdp.errors import InvalidInput
from ipomdp.game import BoolArray, FloatArray, Utility
from ipomdp.kriegspiel import Kriegspiel4x4
from networks.board import board_network
from networks.decision import decision_network
from networks.diagram import Diagram
from networks.naming import state_name
from networks.opponent import Opponent
from networks.play import Play
from networks.reply import Reply
from networks.stakes import Mind, Stakes
from networks.turn import Heard, Mover, Try

TRIES = ("paper", "retry")


@dataclass(frozen=True, slots=True, kw_only=True)
class After:
    """Figure 3 given one announcement: what j believes, what its tries are worth, what it plays."""

    belief: Mapping[int, float]
    """The probability of each position, likeliest first."""
    surprised: bool
    """Whether j's model of i gave the announcement no chance."""
    tries: tuple[Try, ...] = ()
    """j's first try, then those after refusals; none where j does not move or i models nobody."""
    made: Mapping[int, FloatArray] | None = None
    """By true position, the probability of each action that ends j's turn."""

    @property
    def first(self) -> Try | None:
        """The try before any refusal."""
        return self.tries[0] if self.tries else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperNetworks:
    """The diagrams of one problem, and j after each announcement."""

    play: Play
    decision: Diagram
    """Figure 2."""
    opponent: Diagram
    """Figure 3."""
    board: Diagram
    """Figure 4: the position after i's move, as j expects it."""
    after: Mapping[int, After]
    """Figure 3, instantiated to each announcement."""
    first: Diagram | None = None
    """At level 2, Figure 2 of i at level 0: its quantal response is the table of Ai in Figure 3."""
    reply: Diagram | None = None
    """At level 2, the network of i at level 0 whose quantal response is Ai2 in Figure 3."""
    replies: Mapping[tuple[str, ...], tuple[Try, ...]] = field(default_factory=dict)
    """That network, instantiated to each first move of i and announcement of j's move."""


def build(
    game: Kriegspiel4x4,
    state: int,
    player: int,
    considered: BoolArray,
    *,
    utility: Utility,
    levels: Sequence[Mind] = (),
    policy: str = "model",
    tries: str = "paper",
    horizon: int = 1,
    history: Sequence[object] = (),
    illegal_heard_by: str = "mover",
) -> PaperNetworks:
    """Return the figures; Figure 3's quantal responses become the table of Aj in Figure 2.

    ``utility`` is i's own. ``levels`` holds the minds i imagines: j, then i as j imagines it; there
    are as many as i's level. ``considered`` marks the legal moves of i that everyone considers.
    """
    if policy == "random" and levels:
        levels = (Mind(levels[0].utility, 0.0),)  # lambda = 0 is uniform, over 32 or over the legal
    _check_expressible(len(levels), horizon, history, illegal_heard_by)
    play = Play.of(game, np.array([state]), np.flatnonzero(considered))
    if not play.legal.size or not play.legal.all():
        raise ValueError(f"the moves considered must be legal, and some: {play.action_names}")
    if tries not in TRIES:
        raise ValueError(f"tries must be {' or '.join(TRIES)}, not {tries!r}")
    stakes = Stakes(game, player, utility, tries == "retry")
    first, reply = _nested(play, stakes, levels[1:])
    j = levels[0] if levels else Mind(utility, 0.0)
    hidden = _first_move(play, first, levels[1:])
    figure = Opponent(
        Stakes(game, 1 - player, j.utility, tries == "retry"), state, considered, hidden, reply
    )
    mover = Mover(figure, j.rationality)
    after = {heard[0]: _after(mover, heard, play if levels else None) for heard in figure.hearings}
    replies = _reply_table(play, figure, after) if levels else None
    return PaperNetworks(
        play=play,
        decision=decision_network(play, stakes, figure.actions, replies),
        opponent=mover.diagram,
        board=_board(play, hidden),
        after=after,
        first=first,
        reply=None if reply is None else reply.diagram,
        replies={} if reply is None else _replies(reply),
    )


def _check_expressible(
    level: int, horizon: int, history: Sequence[object], illegal_heard_by: str
) -> None:
    """Refuse what the diagrams have no nodes for, in one sentence."""
    problem = ""
    if level > 2:
        problem = f"level {level} is not expressible: Figure 3 nests one reply of i, at level 2"
    elif horizon > 1:
        problem = f"horizon {horizon} is not expressible: Figure 2 holds one decision of i"
    elif history:
        problem = "a history is not expressible: the diagrams start from a position known to both"
    elif illegal_heard_by == "both":
        problem = (
            "illegal tries heard by both are not expressible: no node holds what the other player "
            "hears of a refusal"
        )
    if problem:
        raise InvalidInput(f"the pgmpy solver: {problem}; use --solver arrays")


def _nested(
    play: Play, stakes: Stakes, inner: Sequence[Mind]
) -> tuple[Diagram | None, Mover | None]:
    """Return i at level 0 as j imagines it: its first decision, and its replies."""
    if not inner:
        return None, None
    (mind,) = inner
    imagined = Stakes(stakes.game, stakes.player, mind.utility, stakes.retry)
    legal, successor, _ = stakes.game.moves(play.before)
    going_on = np.flatnonzero(legal[0] & ~stakes.game.over(successor[0]))
    figure = Reply(imagined, Play.of(stakes.game, play.before, going_on))
    reply = Mover(figure, mind.rationality) if going_on.size else None
    title = "Inside Figure 3: i's first move"
    return replace(decision_network(play, imagined), title=title), reply


def _replies(reply: Mover) -> dict[tuple[str, ...], tuple[Try, ...]]:
    """Return i's tries by what it knows: its first move and the announcement."""
    found = {}
    for heard, hearing in reply.figure.hearings.items():
        reply.next_try(heard)
        found[tuple(hearing.evidence.values())] = reply.tries(heard)
    return found


def _first_move(play: Play, first: Diagram | None, inner: Sequence[Mind]) -> FloatArray:
    """Return the logarithm of P(Ai) as j believes: i's quantal response, or uniform."""
    utilities = np.zeros(play.actions.size) if first is None else first.expected_utilities("Ai")
    rationality = inner[0].rationality if inner else 0.0
    logs = np.full(len(play.game.actions), -np.inf)
    logs[play.actions] = log_quantal_response(utilities, rationality)
    return logs


def _after(mover: Mover, heard: Heard, play: Play | None) -> After:
    """Return Figure 3 given one announcement: j's belief and, after a play, its response."""
    hearing = mover.figure.hearings[heard]
    diagram, evidence = mover.instance(heard)
    state_of = {state_name(state): state for state in hearing.states.tolist()}
    likely = zip(diagram.states("S1"), diagram.probability("S1", evidence), strict=True)
    belief = {state_of[name]: float(p) for name, p in likely if p > 0}
    belief = dict(sorted(belief.items(), key=lambda item: -item[1]))
    surprised = hearing.surprising
    if play is None or play.game.over(hearing.states).any():
        return After(belief=belief, surprised=surprised)
    mover.next_try(heard)
    left = np.intersect1d(hearing.states, play.after)
    made = {state: mover.made(heard, state) for state in left.tolist()}
    return After(belief=belief, surprised=surprised, tries=mover.tries(heard), made=made)


def _reply_table(play: Play, figure: Opponent, after: Mapping[int, After]) -> FloatArray:
    """Return P(Aj | announcement), or P(Aj | announcement, S1) where j is refused till it moves.

    Where the game is over j's column is uniform and idle, as where an announcement cannot be.
    """
    idle = 1.0 / figure.actions.size
    table = np.full((figure.actions.size, play.announcements.size, play.after.size), idle)
    for k, code in enumerate(play.announcements.tolist()):
        j = after[code]
        for n, state in enumerate(play.after.tolist()):
            if figure.stakes.retry and j.made is not None and state in j.made:
                table[:, k, n] = j.made[state][figure.actions]
            elif not figure.stakes.retry and j.first is not None:
                table[:, k, n] = j.first.probabilities[figure.actions]
    return table if figure.stakes.retry else table[:, :, 0]


def _board(play: Play, hidden: FloatArray) -> Diagram:
    """Return Figure 4 over what j thinks i may have played."""
    weights = np.exp(hidden[play.actions])
    likely = weights > 0
    return board_network(play.successor[0, likely], play.announcement[0, likely], weights[likely])


def solve_by_pgmpy(problem: Problem) -> Solution:
    """Solve by building the diagrams and asking pgmpy."""
    networks = build_for(problem)
    play = networks.play
    values = np.full(len(play.game.actions), -np.inf)
    values[play.actions] = networks.decision.expected_utilities("Ai")
    before = entropy(networks.opponent.probability("S1"))
    answers, leaks = {}, {}
    for k, action in enumerate(play.actions.tolist()):
        announcement = int(play.announcement[0, k])
        j = networks.after[announcement]
        answers[action] = (
            Answer(
                heard=announcement,
                probability=1.0,
                belief=j.belief,
                utilities=None if j.first is None else j.first.utilities,
                probabilities=None if j.first is None else j.first.probabilities,
                surprised=j.surprised,
            ),
        )
        leaks[action] = before - entropy(np.array(list(j.belief.values())))
    return Solution(
        values=values,
        belief={int(play.before[0]): 1.0},
        answers=answers,
        refused=np.zeros(values.size),
        leaks=leaks,
    )


def build_for(problem: Problem) -> PaperNetworks:
    """Return the figures of a problem."""
    view, game = problem.views[problem.player], problem.game
    if not isinstance(game, Kriegspiel4x4):
        raise InvalidInput("the pgmpy solver: only Kriegspiel is expressible; use --solver arrays")
    if view.node.size > 1 or len(problem.frame.opponents) > 1:
        what = "a prior is" if view.node.size > 1 else "several frames of j are"
        raise InvalidInput(f"the pgmpy solver: {what} not expressible; use --solver arrays")
    levels: list[Mind] = []
    horizon = problem.frame.horizon
    (mind,) = problem.frame.opponents
    policy = "random" if mind is Blind.RANDOM else "model"
    if policy == "random":
        levels.append(Mind(problem.frame.utility, 0.0))
    while isinstance(mind, Frame):
        levels.append(Mind(mind.utility, mind.rationality))
        horizon = max(horizon, mind.horizon)
        (mind,) = mind.opponents
    state = int(view.state[0])
    legal = game.legal(np.array([state]), problem.player)[0]
    return build(
        game, state, problem.player, legal if problem.first is None else problem.first,
        utility=problem.frame.utility, levels=levels, policy=policy,
        tries="retry" if problem.rules.retry else "paper", horizon=horizon,
        history=problem.events + problem.refused,
        illegal_heard_by="both" if problem.rules.audible else "mover",
    )  # fmt: skip
