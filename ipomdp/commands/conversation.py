"""The talk with a person at the board: what it types, and what it is told."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

import numpy as np
from rich.console import Console

from ipomdp.arena.match import crash_words
from ipomdp.arena.notation import understood
from ipomdp.arena.saving import WARNING, GameFile
from ipomdp.arena.session import Session
from ipomdp.errors import InvalidInput
from ipomdp.players.player import Thinker
from ipomdp.quoting import cut, printable, shown
from ipomdp.seats.hearing import Listener
from ipomdp.show import play_text
from ipomdp.show.console import show
from ipomdp.show.explanation_text import NAMES, SIDES
from ipomdp.show.waiting import waiting

_T = TypeVar("_T")


class Left(Exception):
    """The person has left the game."""


class Conversation:
    """One game with a person in the terminal."""

    def __init__(
        self,
        session: Session,
        file: GameFile,
        *,
        against: str,
        adviser: Callable[[], Thinker],
        rng: np.random.Generator,
    ) -> None:
        """Talk about a game kept in a file, against a player by its name.

        ``adviser`` makes the player that, told what the person hears, believes and advises.
        """
        self._against = against
        self.session, self.file, self._rng = session, file, rng
        self._make_adviser = adviser
        self._listener: Listener | None = None
        self._thinker: Thinker | None = None
        self._commands: Mapping[str, Callable[[str], None]] = {
            "help": self._help, "?": self._help, "moves": self._moves, "board": self._board,
            "history": self._history, "belief": self._belief, "advice": self._advice,
            "explain": self._explain, "save": self._save, "resign": self._resign,
            "quit": self._quit, "exit": self._quit,
        }  # fmt: skip

    def run(self) -> None:
        """Talk until the game is over or the person leaves."""
        session = self.session
        try:
            self._introduce()
            self._keep()
            while session.result is None:
                if session.mine:
                    self._persons_turn()
                else:
                    self._opponents_turn()
                self._keep()
        except (EOFError, KeyboardInterrupt):
            _tell("\nThe game stops here.")
        except Left:
            _tell("Goodbye.")
        self._keep()  # the other may have been interrupted between two tries
        if (result := session.result) is not None:
            show(lambda console: play_text.print_end(console, session, result))
        if self.file.holds(session.so_far()):
            _tell(f"The game is in {shown(str(self.file.path))}.")

    def _introduce(self) -> None:
        session = self.session
        me, game = SIDES[session.side], session.game
        _tell(f"Kriegspiel on {game.name}: you are {me}, against {self._against}.")
        if self.file.path is not None:
            _tell(f"The game is kept in {shown(str(self.file.path))}. {WARNING}")
        if session.known:
            _tell("What you did and heard so far:")
            self._history("")
            return
        example = "Qd1" if "Qd1" in game.actions else "e2e4 or Nf3"
        _tell(
            "You see only your own pieces. The referee announces every move that is made in\n"
            "the same few words to both sides; an illegal one it refuses: then try another.\n"
            f"Type a move like {example}, or help.\n"
        )
        show(lambda console: play_text.print_start(console, session))

    def _persons_turn(self) -> None:
        session, played = self.session, sum(h.heard is not None for h in self.session.known)
        _tell("")
        self._board("")
        while session.mine:
            refused = f", {len(session.refused)} refused" if session.refused else ""
            typed = ask(f"{SIDES[session.side]}, move {played // 2 + 1}{refused}> ").strip()
            word, _, rest = typed.partition(" ")
            if command := self._commands.get(word.lower()):
                command(rest.strip())
            elif typed:
                self._attempt(typed)

    def _opponents_turn(self) -> None:
        other = SIDES[1 - self.session.side]
        with waiting(f"{other} is thinking"):
            heard = self.session.reply()
        if heard is not None:
            _tell(f"{other} has moved. The referee: {self.session.game.say(heard)}")

    def _attempt(self, typed: str) -> None:
        session, game = self.session, self.session.game
        action = self._meant(typed)
        if action is None:
            return
        if (heard := session.attempt(action)) is None:
            _tell(f"{game.actions[action]} is refused. Try another move.")
            self._keep()
        else:
            _tell(f"You played {game.actions[action]}. The referee: {game.say(heard)}")

    def _meant(self, typed: str) -> int | None:
        """Return the try open to the person that is meant; else say what is wrong with it."""
        session, game = self.session, self.session.game
        everything = [*session.tries, *session.refused]
        meant = understood(typed, game, everything, session.pieces)
        if not meant:
            _tell(f"{shown(typed)} is no move open to you; moves lists those, help the rest.")
        elif len(meant) > 1:
            names = " or ".join(game.actions[action] for action in meant)
            _tell(f"{shown(typed)} may be {names}: which?")
        elif meant[0] in session.refused:
            _tell(f"{game.actions[meant[0]]} was refused before in this turn.")
        else:
            return int(meant[0])
        return None

    def _help(self, _: str) -> None:
        show(lambda console: play_text.print_help(console, self.session.game))

    def _moves(self, _: str) -> None:
        show(lambda console: play_text.print_moves(console, self.session))

    def _board(self, _: str) -> None:
        show(lambda console: play_text.print_board(console, self.session))

    def _history(self, _: str) -> None:
        show(lambda console: play_text.print_history(console, self.session))

    def _belief(self, rest: str) -> None:
        letters = rest.lower().replace(" ", "")
        if set(letters) - set(NAMES):
            _tell(f"belief takes the letters of pieces, {' '.join(NAMES)}, not {shown(rest)}.")
            return
        self._consult(
            lambda thinker: thinker.belief(),
            lambda console, belief: play_text.print_belief(console, self.session, belief, letters),
        )

    def _advice(self, _: str) -> None:
        session = self.session
        self._consult(
            lambda thinker: thinker.advice(session.tries, session.seconds),
            lambda console, advice: play_text.print_advice(console, session.game, advice),
        )

    def _explain(self, rest: str) -> None:
        session = self.session
        if not rest:
            _tell("Explain which move? Type explain and a move; advice lists them.")
        elif (action := self._meant(rest)) is not None:
            self._consult(
                lambda thinker: thinker.explain(action),
                lambda console, explanation: play_text.print_explanation(
                    console, session.game, session.side, explanation
                ),
            )

    def _consult(
        self, question: Callable[[Thinker], _T], answer: Callable[[Console, _T], None]
    ) -> None:
        """Ask the adviser, who knows what the person knows; what it makes of it is a line or more.

        An adviser that fails is sent away: the game goes on, and the next question starts another.
        """
        session = self.session
        try:
            with waiting("thinking"):
                if self._listener is None or self._thinker is None:
                    self._thinker = self._make_adviser()
                    self._listener = Listener(
                        self._thinker, session.side, session.start, self._rng.spawn(1)[0]
                    )
                self._listener.catch_up(session.known)
                given = question(self._thinker)
        except InvalidInput as error:
            _tell(f"No advice: {error}.")
        except Exception as error:  # noqa: BLE001 - the game does not depend on it
            self._listener = None
            _tell(f"No advice this time ({crash_words(error)}).")
        else:
            show(lambda console: answer(console, given))

    def _save(self, rest: str) -> None:
        try:
            if rest:
                self.file.choose(Path(rest).expanduser())
            self.file.keep(self.session.so_far())
        except InvalidInput as error:
            _tell(f"Not saved: {error}")
            return
        if self.file.path is None:
            _tell("Save it where? Type save and the name of a new .json file.")
        else:
            _tell(f"Saved in {shown(str(self.file.path))}, now and at every move. {WARNING}")

    def _resign(self, _: str) -> None:
        self.session.resign()

    def _quit(self, _: str) -> None:
        if sys.stdin.isatty() and self.file.path is None and self.session.known:
            while self.file.path is None:
                if not (name := ask("Save the game to which .json (Enter: not at all)? ").strip()):
                    break
                self._save(name)
        raise Left

    def _keep(self) -> None:
        """Write what is played, if there is a file for it; the game outlives a full disk."""
        try:
            self.file.keep(self.session.so_far())
        except InvalidInput as error:
            _tell(f"Not saved: {error}")


def ask(prompt: str) -> str:
    """Return a line that is typed; one that comes through a pipe is shown as if it were."""
    if sys.stdin is None:  # closed by the shell
        raise EOFError
    line = input(prompt)
    if not sys.stdin.isatty():
        _tell(cut(printable(line)))
    return line


def _tell(words: str) -> None:
    show(lambda console: console.print(words, soft_wrap=True))
