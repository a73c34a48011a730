"""A decision in words: what i thinks that j thinks that i thinks, down to level 0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from ipomdp.engine.model import Blind, Frame
from ipomdp.errors import ImpossibleObservation, InvalidInput
from ipomdp.game import FloatArray
from ipomdp.quoting import shown
from ipomdp.report import TIE
from ipomdp.scenario import Scenario
from ipomdp.show.render_beliefs import pieces_of
from ipomdp.show.tables import chance, worth
from ipomdp.study.heard import Heard, answered, heard_after
from ipomdp.study.thought import MOST, Thought, some
from ipomdp.study.viewpoint import Viewpoint


def standpoint(scenario: Scenario) -> Viewpoint:
    """Return where i stands."""
    try:
        return Viewpoint.of(scenario.problem.situation())
    except ImpossibleObservation as error:
        raise InvalidInput(scenario.impossible(error)) from None


def explained(place: Viewpoint, move: str | None = None) -> Thought:
    """Return the reasoning behind a move of i, or behind its best."""
    names, worths = place.solver.game.actions, place.moves
    order = np.argsort(-worths.round(9), kind="stable")
    ranked = [names[a] for a in order if worths[a] > -np.inf]
    if move is not None and move not in ranked:
        raise InvalidInput(f"{shown(move)} is not among the moves considered: {', '.join(ranked)}")
    return Narrator(place).move(place, names.index(ranked[0] if move is None else move))


class Narrator:
    """Tells what players think; ``i`` is the one whose decision it is."""

    def __init__(self, i: Viewpoint) -> None:
        self.i = i.player
        self.game = i.solver.game
        self.retry = i.solver.rules.retry
        self.names = i.solver.game.actions

    def name(self, player: int) -> str:
        """Return a player's name."""
        return self.game.players[player].capitalize()

    def who(self, view: Viewpoint, more: str = "") -> str:
        """Return a player's name, which of the two it is, its level, and what more there is."""
        letter = "i" if view.player == self.i else "j"
        return f"{self.name(view.player)} ({letter}, level {view.frame.level}{more})"

    def move(self, view: Viewpoint, action: int) -> Thought:
        """Tell what a player expects of one of its moves."""
        inside = []
        if len(view.belief) > 1:
            inside.append(Thought(f"It believes {self.placed(view.belief, 1 - view.player)}."))
        if view.legal(action) < 1:
            inside.append(self.refusal(view, action))
        heard = heard_after(view, action)
        inside += [self.announced(one, view) for one in heard[:MOST]]
        if rest := heard[MOST:]:
            share = chance(view.legal(action) * sum(one.probability for one in rest), 2)
            inside.append(Thought(f"{len(rest)} other announcements ({share} together)."))
        inside.append(Thought(self.verdict(view, action)))
        return Thought(f"{self.who(view)} plays {self.names[action]}.", tuple(inside))

    def refusal(self, view: Viewpoint, action: int) -> Thought:
        """Tell what follows where a try is illegal."""
        name, illegal = self.names[action], chance(1 - view.legal(action), 2)
        text = f"{name} is refused with probability {illegal}"
        if not self.retry:
            return Thought(f"{text}: the position then stays as it is, and that is its worth.")
        choice = view.solver.choice(view.player, view.frame, view.step)
        after = int(choice.turns.child[view.turn, action])
        if after < 0:
            return Thought(f"{text}.")
        wiser = Viewpoint(view.solver, view.player, view.frame, view.step, view.node, after)
        learnt = self.placed(wiser.belief, 1 - view.player)
        return Thought(
            f"{text}; {self.name(view.player)} then knows more ({learnt}) and tries "
            f"{self.listed(wiser.tries)}."
        )

    def announced(self, heard: Heard, view: Viewpoint) -> Thought:
        """Tell what an announcement makes the other think and do."""
        share = view.legal(heard.action) * heard.probability
        often = "" if share > 0.995 else f" ({chance(share, 2)})"
        text = f'The referee says "{self.game.say(heard.said)}"{often}.'
        if heard.over:
            return Thought(text, (Thought(f"The game is over, worth {worth(heard.utility)}."),))
        if view.frame.level == 0 and view.frame.planned(view.step) == 1:
            after = f"Level 0 models nobody: the position now is worth {worth(heard.utility)}."
            return Thought(text, (Thought(after),))
        if view.frame.level == 0:
            after = "Level 0 models nobody: the other's replies are any legal moves alike."
            return Thought(text, (Thought(after), *self.planned(heard, view)))
        inside: list[Thought] = []
        frames: list[Frame | Blind] = []
        for listener, share in heard.listeners:
            if isinstance(listener, Blind):
                inside.append(self.at_random(1 - view.player, share))
            elif listener.frame not in frames:
                frames.append(listener.frame)
                inside += self.listening(heard, listener, share)
        if len(heard.listeners) > 1:
            inside.append(self.over_all(heard, 1 - view.player))
        return Thought(text, (*inside, *self.planned(heard, view)))

    def over_all(self, heard: Heard, player: int) -> Thought:
        """Tell the replies of all who may be listening, mixed."""
        does = "finally makes" if self.retry else "replies"
        several = len({o if isinstance(o, Blind) else o.frame for o, _ in heard.listeners}) > 1
        what = "whoever it may be" if several else "whatever it may know"
        replies = self.listed(heard.replies)
        return Thought(f"All in all, {what}, {self.name(player)} {does} {replies}.")

    def at_random(self, player: int, share: float) -> Thought:
        """Tell how somebody without beliefs replies."""
        how = "its legal moves" if self.retry else f"all its {len(self.names)} actions"
        sure = "" if share > 0.995 else f" (probability {chance(share, 2)})"
        return Thought(f"{self.name(player)} (j) plays at random{sure}: {how} are equally likely.")

    def listening(self, heard: Heard, j: Viewpoint, share: float) -> list[Thought]:
        """Tell what one of the others who may be listening believes, why, and what it replies."""
        minds = sum(isinstance(o, Viewpoint) and o.frame is j.frame for o, _ in heard.listeners)
        known = "" if share > 0.995 else f" (probability {chance(share, 2)})"
        if minds > 1:
            known = f" ({chance(share, 2)}: the likeliest of {minds} things it may know)"
        among = heard.speaker.frame.opponents
        lambda_ = f", lambda {j.frame.rationality:g}" if len(among) > 1 else ""
        believes = f"{self.who(j, lambda_)}{known} believes {self.placed(j.belief, 1 - j.player)}"
        thoughts = [Thought(f"{believes},", (self.because(heard.before(j)),))]
        order = [int(a) for a in np.argsort(-j.tries.round(12), kind="stable") if j.tries[a] > 0]
        hopeless = [action for action in order if j.legal(action) == 0]
        order = [action for action in order if j.legal(action) > 0]
        told = [self.reply(j, action) for action in order[:MOST]]
        if rest := order[MOST:]:
            told.append(Thought(f"{self.together(j, rest, 'other')}."))
        if hopeless:
            words = f"{self.together(j, hopeless, 'illegal one')}: the position stays as it is."
            told.append(Thought(words))
        first = "tries first" if self.retry else "replies"
        thoughts.append(Thought(f"so {self.name(j.player)} {first}:", tuple(told)))
        if self.retry:
            made = f"in the end it makes {self.listed(heard.replies_of(j))}."
            thoughts.append(Thought(made))
        return thoughts

    def together(self, view: Viewpoint, actions: list[int], word: str) -> str:
        """Return how many actions there are, how likely they are, and what they are worth."""
        values = sorted(float(view.values[action]) for action in actions)
        span = " to ".join(dict.fromkeys(worth(value) for value in (values[0], values[-1])))
        share = chance(float(view.tries[actions].sum()), 2)
        many = f"1 {word}" if len(actions) == 1 else f"{len(actions)} {word}s"
        return f"{many}: {share} together, worth {span} to it"

    def because(self, before: Viewpoint) -> Thought:
        """Tell how a listener thinks that the other has moved."""
        other = 1 - before.player
        if before.frame.level == 0:
            return Thought(
                f"because at level 0 it models nobody: any legal move of {self.name(other)}'s that "
                "sounds so is as likely."
            )
        mixed, likeliest = np.zeros(len(self.names)), None
        for opponent, share in before.opponents:
            if isinstance(opponent, Viewpoint):
                mixed += share * before.expects(opponent)
                likeliest = likeliest or opponent
        if likeliest is None:
            return Thought(f"because it thinks that {self.name(other)} plays at random.")
        made = "finally makes" if self.retry else "plays"
        said = f"because it thinks that {self.who(likeliest)} {made} {self.listed(mixed)}."
        told = int(np.argmax(before.expects(likeliest).round(12)))
        return Thought(said, (self.move(likeliest, told),))

    def reply(self, j: Viewpoint, action: int) -> Thought:
        """Tell how likely a reply is, what it is worth to the one who replies, and why."""
        value = worth(float(j.values[action]))
        odds = chance(float(j.tries[action]))
        inside = [self.refusal(j, action)] if j.legal(action) < 1 else []
        heard = heard_after(j, action)
        if heard and all(one.over for one in heard):
            words = "Otherwise it ends the game." if inside else "That ends the game."
            inside.append(Thought(words))
        elif heard and j.frame.level > 0:
            answers = answered(heard, len(self.names))
            granted = "Where that is legal, " if j.legal(action) < 1 else ""
            words = f"{granted}{self.facing(j)} would answer {self.listed(answers)}."
            inside.append(Thought(words))
        return Thought(f"{self.names[action]}: {odds}, worth {value} to it.", tuple(inside))

    def facing(self, view: Viewpoint) -> str:
        """Return whom a player thinks it faces."""
        level = max(o.level if isinstance(o, Frame) else 0 for o in view.frame.opponents)
        return f"{self.name(1 - view.player)} (level {level})"

    def planned(self, heard: Heard, view: Viewpoint) -> Iterator[Thought]:
        """Tell how a player that plans further goes on after the likeliest reply."""
        left = view.frame.planned(view.step) - 1
        if left < 1:
            return
        decisions = "one more decision" if left == 1 else f"{left} more decisions"
        told = [self.continued(heard, view, left, int(a)) for a in self.likeliest(heard.replies)]
        found = tuple(thought for thought in told if thought)
        yield Thought(f"{self.name(view.player)} plans {decisions}:", found)

    def continued(self, heard: Heard, view: Viewpoint, left: int, reply: int) -> Thought | None:
        """Tell a player's best continuation after a reply."""
        said = next(iter(heard.answers(reply)), None)
        if said is None or view.solver.rules.audible:
            return None
        then = view.later(heard.action, heard.said, said)
        values = then.solver.values(then.player, then.frame, then.step, left)[then.turn]
        best = int(np.argmax(values))
        return Thought(
            f'after {self.names[reply]} ("{self.game.say(said)}") {self.names[best]} is best, '
            f"worth {worth(float(values[best]))} to it."
        )

    def likeliest(self, chances: FloatArray) -> list[int]:
        """Return the few likeliest actions."""
        order = np.argsort(-chances.round(12), kind="stable")[:MOST]
        return [int(action) for action in order if chances[action] > 0]

    def verdict(self, view: Viewpoint, action: int) -> str:
        """Return what a move is worth, and how that compares."""
        name, value = self.names[action], float(view.values[action])
        best = int(np.argmax(view.moves))
        better = int((view.moves > value + TIE).sum())
        said = f"So {name} is worth {worth(value)} to {self.name(view.player)}"
        if not better:
            return f"{said}; no move is worth more."
        more = "1 move is" if better == 1 else f"{better} moves are"
        return (
            f"{said}; {more} worth more, {self.names[best]} most: {worth(float(view.moves[best]))}."
        )

    def placed(self, belief: Mapping[int, float], player: int) -> str:
        """Return where a player's pieces are believed to stand."""
        places: dict[str, float] = {}
        for state, share in belief.items():
            pieces = pieces_of(self.game.describe(state), self.game.players[player])
            places[pieces] = places.get(pieces, 0.0) + share
        ranked = sorted(places.items(), key=lambda item: -item[1])
        if len(ranked) == 1:
            return f"that {self.name(player)} has {ranked[0][0]}"
        return f"that {self.name(player)} has {some(ranked)}"

    def listed(self, chances: FloatArray) -> str:
        """Return the likeliest actions with their probabilities, and how many others there are."""
        order = [int(a) for a in np.argsort(-chances.round(12), kind="stable") if chances[a] > 0]
        return some([(self.names[a], float(chances[a])) for a in order])
