"""What a person at the board is shown: until the end its own side alone, then the whole game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.text import Text

from ipomdp.arena.match import GameResult
from ipomdp.arena.session import Session
from ipomdp.game import BoardGame
from ipomdp.players.explanation import Explanation
from ipomdp.players.player import Advice
from ipomdp.quoting import printable
from ipomdp.show.board_text import beside, board_lines, look_of, titled
from ipomdp.show.explanation_text import NAMES, SIDES, bits, percent, sentences
from ipomdp.show.tables import table, worth

MOST_ADVICE = 10
"""Tries that are shown with their worth."""


def print_help(console: Console, game: BoardGame) -> None:
    """Print what can be typed."""
    spelled = "Qd1" if "Qd1" in game.actions else "e2e4, Nf3, exd5, e8=Q or O-O"
    rows = {
        spelled: "a move; if it is refused, try another",
        "moves": "the tries open to you",
        "board": "your pieces",
        "history": "what you did and heard",
        "belief": "where the other's pieces may be; belief q: the queen alone",
        "advice": "your tries by what they are worth, best first",
        f"explain {spelled.partition(',')[0]}": "what a move would make the other believe and do",
        "save FILE": "write the game to a .json, to go on later with --resume FILE",
        "resign": "give up",
        "quit": "leave the game",
    }
    width = max(map(len, rows))
    for typed, meaning in rows.items():
        console.print(f"  {typed:<{width}}  {meaning}")


def print_start(console: Console, session: Session) -> None:
    """Print the position from which the game starts, with both sides."""
    console.print("The start, which both sides know:")
    _print_whole(console, session.game, session.start, session.side)


def print_board(console: Console, session: Session) -> None:
    """Print the person's pieces."""
    size, look = session.game.size, look_of(console)
    for line in board_lines(size, session.pieces, None, session.side, look=look):
        console.print(line)


def print_moves(console: Console, session: Session) -> None:
    """Print the tries open to the person, and those refused in this turn."""
    actions, refused = session.game.actions, session.refused
    console.print(f"Open to you: {' '.join(actions[a] for a in session.tries)}")
    if refused:
        console.print(f"Refused: {' '.join(actions[a] for a in refused)}")


def print_history(console: Console, session: Session) -> None:
    """Print what the person did and heard."""
    game, rows, refused = session.game, [], []
    for hearing in session.known:
        if hearing.heard is None and hearing.action is not None:
            refused.append(game.actions[hearing.action])
            continue
        mine = hearing.action is not None
        by = SIDES[session.side if mine else 1 - session.side]
        move = game.actions[hearing.action] if hearing.action is not None else "?"
        rows.append((by, " ".join(refused), move, game.say(hearing.heard or 0)))
        refused = []
    if refused:
        rows.append((SIDES[session.side], " ".join(refused), "", ""))
    if not rows:
        console.print("Nothing has happened yet.")
        return
    _print_turns(console, rows)


def print_advice(console: Console, game: BoardGame, advice: Sequence[Advice]) -> None:
    """Print tries with their worth, best first."""
    columns = ("try", "worth", "legal", "a refusal teaches", "gives away")
    ranked = table(*columns, right=columns[1:], title="Your tries, best first")
    for one in advice[:MOST_ADVICE]:
        told = bits(one.refusal_bits) if one.refusal_bits > 0 else ""
        name, legal = game.actions[one.action], percent(one.legal)
        ranked.add_row(name, worth(one.value), legal, told, bits(one.leak_bits))
    console.print(ranked)
    if len(advice) > MOST_ADVICE:
        console.print(f"and {len(advice) - MOST_ADVICE} more, not better")
    unit = "points of the utility" if game.name == "4x4" else "hundredths of a pawn"
    console.print(
        f"Worth in {unit}, what follows a refusal included: a try that is likely to be refused "
        "costs nothing. What cannot be legal is left out. In bits: what a refusal would teach you "
        "about the other's pieces, and what the announcement, if the move is made, is expected to "
        "give away about yours."
    )


def print_explanation(
    console: Console, game: BoardGame, side: int, explanation: Explanation
) -> None:
    """Print what stands behind a try, sentence by sentence."""
    for line in sentences(game, side, explanation):
        console.print(line, soft_wrap=True)


def print_belief(
    console: Console, session: Session, belief: Mapping[tuple[str, str], float], letters: str
) -> None:
    """Print heat maps of where pieces of the other may stand: of all, or of some letters."""
    look, other = look_of(console), SIDES[1 - session.side]
    found = {letter.lower() for _, letter in belief}
    if letters:
        groups = list(dict.fromkeys(letters))
    elif len(found) <= 2:
        groups = [letter for letter in NAMES if letter in found]
    else:
        groups = ["k", "".join(letter for letter in NAMES if letter in found)]
    boards = []
    for group in groups:
        shading: dict[str, float] = {}
        for (square, letter), probability in belief.items():
            if letter.lower() in group:
                shading[square] = min(1.0, shading.get(square, 0.0) + probability)
        lines = board_lines(session.game.size, session.pieces, shading, session.side, look=look)
        boards.append(titled(_title(group, sum(shading.values())), lines))
    console.print(f"Where {other}'s pieces may be, in percent:")
    across = 1 if console.width < 76 and session.game.size > 4 else 2
    for first in range(0, len(boards), across):
        for line in beside(*boards[first : first + across]):
            console.print(line)


def print_end(console: Console, session: Session, result: GameResult) -> None:
    """Print the whole game, both sides of it, and who has won."""
    game, rows = session.game, []
    for turn in result.turns:
        refused = " ".join(game.actions[a] for a in turn.refused)
        move, heard = game.actions[turn.action], game.say(turn.heard)
        rows.append((SIDES[turn.player], refused, move, heard))
    if result.refused:
        refused = " ".join(game.actions[a] for a in result.refused)
        rows.append((SIDES[game.turn(result.final)], refused, "", ""))
    if rows:
        console.print("\nThe whole game:")
        _print_turns(console, rows)
    console.print("The last position:")
    _print_whole(console, game, result.final, session.side)
    console.print(Text(f"\n{_verdict(session.side, result)}", style="bold"))


def _verdict(side: int, result: GameResult) -> str:
    """Return how the game ended, to the person who played a side."""
    won = result.winner == side
    winner = "you win" if won else f"{SIDES[1 - side]} wins"
    failed = " ".join(printable(result.detail).split())
    words = {
        "resigned": f"{SIDES[1 - side] if won else 'You'} resigned: {winner}.",
        "crash": f"{SIDES[1 - side]} could not go on ({failed}): {winner}.",
        "length": f"Draw: nobody has won in {len(result.turns)} half-moves.",
        "agreed": "Draw by agreement.",
        "stalemate": "Draw by stalemate.",
        "draw": "Draw: what is left cannot mate.",
    }
    return words.get(result.reason, f"Checkmate: {winner}.")


def _print_whole(console: Console, game: BoardGame, state: int, side: int) -> None:
    pieces = {**game.pieces(state, 0), **game.pieces(state, 1)}
    for line in board_lines(game.size, pieces, None, side, look=look_of(console)):
        console.print(line)


def _print_turns(console: Console, rows: Sequence[tuple[str, str, str, str]]) -> None:
    """Print half-moves: who, what was refused, what was made, what the referee said."""
    turns = table("", "", "move", "the referee", "refused before", right=("",))
    number = 0
    for k, (by, refused, move, heard) in enumerate(rows):
        first = k == 0 or by == SIDES[0]
        number += first
        turns.add_row(f"{number}." if first else "", by, move, heard, refused)
    console.print(turns)


def _title(group: str, expected: float) -> str:
    """Return what a heat map shows, with how many such pieces are left, as far as is known."""
    if group == "k":
        return "the king"
    if len(group) > 1:
        return f"any piece, {expected:.1f} left"
    name = NAMES[group]
    if group == "q" and expected <= 1:
        return f"the queen, {expected:.0%} still there"
    return f"{name}s, {expected:.1f} left"
