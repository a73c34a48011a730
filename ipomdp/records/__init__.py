"""Records of games: one JSON form and one PGN form for every board, each checked by the referee.

>>> from ipomdp.records import read_record
>>> moves = [{"by": "white", "move": "Qd2", "heard": "Check by File"}]
>>> game = read_record({"start": "1q1k/4/4/K1Q1 w", "tries": "retry", "moves": moves})
>>> game.outcome, game.result.reason
('*', 'unfinished')

A game that was played becomes a record by ``record(game, result, white=..., black=...)``, a plain
dictionary for ``json.dumps``; more fields may be added by name. One that is not over has the
reason ``unfinished``; its turns so far, and the tries refused in the turn that waits, are enough
to go on with it. ``read_record`` turns the dictionary back into a ``GameRecord``, every move made
again by the referee; the states in it are those of ``GameRecord.game``, which may be given.
``read_records`` reads a file in either form and keeps its good games.
"""

from ipomdp.records.endings import result_so_far
from ipomdp.records.game_record import GameRecord, record
from ipomdp.records.pgn import read_pgn, write_pgn
from ipomdp.records.reading import read_records
from ipomdp.records.replaying import read_record
from ipomdp.records.views import view

__all__ = [
    "GameRecord",
    "read_pgn",
    "read_record",
    "read_records",
    "record",
    "result_so_far",
    "view",
    "write_pgn",
]
