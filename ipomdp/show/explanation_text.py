"""A try explained in sentences: what may be said of it, what the other will then believe and do."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from ipomdp.game import BoardGame
from ipomdp.players.explanation import Announced, Explanation, Placed
from ipomdp.players.player import CERTAIN

NAMES = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
SIDES = ("White", "Black")
MOST = 5
"""Squares or moves that a sentence lists."""
FEW_MEN = 4.5
"""With fewer men than this all of them are told; with more, those that are least sure."""
SURE = 0.995


def sentences(game: BoardGame, side: int, explanation: Explanation) -> tuple[str, ...]:
    """Return an explanation to the player of a side; two spaces before what hangs on a line."""
    return tuple(_told(game, side, explanation))


def percent(probability: float) -> str:
    """Return a probability as a person reads it; what is possible is never 0%, nor sure 100%."""
    if 0 < probability < 0.005:
        return "<1%"
    if 0.995 <= probability < 1 - CERTAIN:
        return ">99%"
    return f"{probability:.0%}"


def _told(game: BoardGame, side: int, explanation: Explanation) -> Iterable[str]:
    advice = explanation.advice
    name = game.actions[advice.action]
    if advice.legal < 1 - CERTAIN:
        yield (
            f"{name} is legal with probability {percent(advice.legal)}; a refusal would teach you "
            f"{bits(advice.refusal_bits)} bits."
        )
        if explanation.after_refusal:
            yield f"  You would then believe: {_places(explanation.after_refusal)}."
    for announced in explanation.announcements:
        said = f'the referee will say "{game.say(announced.heard)}"'
        yield f"If {name} is made, {said} ({percent(announced.probability)})."
        for line in _listening(game, side, name, announced):
            yield f"  {line}"
    if explanation.others:
        rest = 1.0 - sum(one.probability for one in explanation.announcements)
        many = f"{explanation.others} other announcement{'s' * (explanation.others > 1)}"
        yield f"There may be {many} ({percent(max(rest, 0.0))} together)."
    if not math.isnan(advice.leak_bits):
        yield f"What is said gives away {bits(advice.leak_bits)} bits about your pieces."


def bits(number: float) -> str:
    """Return bits with two decimals; what rounds to zero has no sign, what nobody knows is a ?."""
    return "?" if math.isnan(number) else f"{round(number, 2) + 0.0:.2f}"


def _listening(game: BoardGame, side: int, name: str, announced: Announced) -> Iterable[str]:
    """Tell what the other makes of an announcement."""
    other = SIDES[1 - side]
    if announced.over:
        yield "The game is over then."
        return
    if not announced.belief:
        yield f"What {other} makes of it no particle knows."
        return
    yield f"{other} will then believe: {_places(announced.belief)}."
    if target := _moved_to(game, name, announced):
        yield target
    if announced.replies:
        listed = ", ".join(
            f"{game.actions[r.action]} {percent(r.probability)}" for r in announced.replies[:MOST]
        )
        yield f"{other}, {_minds(announced)}, is likeliest to reply: {listed}."
    for reply in announced.replies[:MOST]:
        after = f"After {game.actions[reply.action]} it expects you to answer"
        if reply.answers:
            expected = (f"{game.actions[a.action]} {percent(a.probability)}" for a in reply.answers)
            yield f"  {after}: {', '.join(expected)}."
    fears = [r for r in announced.replies[:MOST] if r.attacked is not None]
    if fears:
        squares = ", ".join(f"{game.actions[r.action]} {percent(r.attacked or 0.0)}" for r in fears)
        yield f"  It thinks that you strike where it would go: {squares}."


def _minds(announced: Announced) -> str:
    """Return who replies, as ``at level 0 (90%) or at random (10%)``."""
    if len(announced.minds) == 1:
        return announced.minds[0].words
    return " or ".join(f"{mind.words} ({percent(mind.probability)})" for mind in announced.minds)


def _moved_to(game: BoardGame, name: str, announced: Announced) -> str:
    """Tell how much of the move itself the other sees, where moves name both squares."""
    if game.size == 4 and name[0].isupper():
        return ""
    seen = [p for p in announced.belief if p.square == name[2:4]]
    found = ", ".join(f"{_name(p)} {percent(p.probability)}" for p in seen[:2]) or "nothing"
    return f"On {name[2:4]} it sees: {found}."


def _places(belief: Sequence[Placed]) -> str:
    """Return where men are believed to be: piece by piece where there are few, else the unsure."""
    if sum(p.probability for p in belief) > FEW_MEN:
        unsure = [p for p in belief if p.probability < SURE]
        unsure.sort(key=lambda p: round(abs(p.probability - 0.5), 9))
        listed = ", ".join(
            f"{_name(p)} on {p.square} {percent(p.probability)}" for p in unsure[:MOST]
        )
        return f"least surely {listed}" if listed else "each man surely on its square"
    told = []
    for letter, name in NAMES.items():
        places = [p for p in belief if p.letter.lower() == letter]
        if places:
            squares = ", ".join(f"{p.square} {percent(p.probability)}" for p in places[:MOST])
            rest = places[MOST:]
            more = f", elsewhere {percent(sum(p.probability for p in rest))}" if rest else ""
            told.append(f"{name} on {squares}{more}")
    return "; ".join(told)


def _name(placed: Placed) -> str:
    return NAMES[placed.letter.lower()]
