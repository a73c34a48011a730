"""Players by the names that users type: ``random``, ``hs:boards=200``, ``ipomdp:level=2``."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ipomdp.errors import InvalidInput
from ipomdp.game import BoardGame
from ipomdp.players.player import Player
from ipomdp.players.settings import named, settings
from ipomdp.quoting import shown

BOARDS = ("4x4", "4x4-pawns", "6x6", "8x8")
SAMPLING = ("los", "aosp", "hs")
"""The players that value boards, by a search of ours or by an engine."""


def board_game(name: str) -> BoardGame:
    """Return the game on a board that users name."""
    if name == "4x4":
        from ipomdp.kriegspiel import Kriegspiel4x4

        return Kriegspiel4x4()
    if name not in BOARDS:
        raise InvalidInput(f"expected {', '.join(BOARDS[:-1])} or {BOARDS[-1]}, not {shown(name)}")
    from ipomdp.wild16.game import Wild16

    return Wild16(name)


def make_player(spec: str, game: BoardGame, engine: str | None = None) -> Player:
    """Return a player by its name, with settings behind a colon, for a game.

    ``engine`` is the command of a UCI engine that values boards for the players that sample.
    """
    name = named(spec)
    if name not in PLAYERS:
        *names, last = PLAYERS
        raise InvalidInput(f"unknown player {shown(name)}; expected {', '.join(names)} or {last}")
    if name in SAMPLING:
        return _sampling(spec, game, engine)
    return PLAYERS[name](spec, game)


def check_engine(engine: str | None, specs: Iterable[str], game: BoardGame) -> None:
    """Refuse an engine that cannot be used, or that none of the players would use."""
    if engine is None:
        return
    if not any(named(spec) in SAMPLING for spec in specs):
        names = f"{', '.join(SAMPLING[:-1])} or {SAMPLING[-1]}"
        raise InvalidInput(f"none of the players uses an engine; expected {names} among them")
    from ipomdp.players import judgement

    judgement.check_engine(engine, game)


def _random(spec: str, game: BoardGame) -> Player:
    from ipomdp.players.chance import RandomPlayer

    settings(spec, {})
    return RandomPlayer(game)


def _ipomdp(spec: str, game: BoardGame) -> Player:
    if game.name == "4x4":
        from ipomdp.players.exact import SETTINGS, ExactPlayer

        return ExactPlayer(game, **settings(spec, SETTINGS))  # type: ignore[arg-type]
    from ipomdp.players.particle import SETTINGS as PARTICLE_SETTINGS
    from ipomdp.players.particle import ParticlePlayer

    return ParticlePlayer(game, **settings(spec, PARTICLE_SETTINGS))  # type: ignore[arg-type]


def _sampling(spec: str, game: BoardGame, engine: str | None = None) -> Player:
    from ipomdp.players.sampling import DEPTH, SETTINGS, SamplingPlayer

    name, given = named(spec), settings(spec, SETTINGS)
    evaluate = None
    if engine is not None:
        from ipomdp.players.judgement import EngineJudgement

        evaluate = EngineJudgement(engine, int(str(given.get("depth", DEPTH))))
    return SamplingPlayer(
        game, pools=name != "los", fills=name != "aosp", evaluate=evaluate,
        **given,  # type: ignore[arg-type]
    )  # fmt: skip


PLAYERS: dict[str, Callable[[str, BoardGame], Player]] = {
    "random": _random,
    "los": _sampling,
    "aosp": _sampling,
    "hs": _sampling,
    "ipomdp": _ipomdp,
}
"""What makes each player from what the user typed."""
