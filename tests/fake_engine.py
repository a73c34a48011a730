"""A UCI engine that counts material, and misbehaves if asked to: ``fake_engine.py [HOW]``."""

from __future__ import annotations

import sys
import time

WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 0}


def material(fen: str) -> int:
    """Return the centipawns that the side to move is ahead."""
    men, side = fen.split()[:2]
    white = sum(WORTH[c.lower()] * (1 if c.isupper() else -1) for c in men if c.isalpha())
    return 100 * (white if side == "w" else -white)


def say(words: str) -> None:
    """Answer at once."""
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


def answer(fen: str, how: str, asked: int) -> None:
    """Value a position, in the way asked for."""
    if how == "dies" and asked == 3:
        sys.exit(7)
    if how == "hangs" and asked == 3:
        time.sleep(60)
    if how != "mute":
        say(f"info depth 1 seldepth 2 score cp {material(fen) - 5} upperbound nodes 10")
        say(f"info depth 1 score {how.replace('_', ' ')}" if how.startswith("mate") else
            f"info depth 1 score cp {material(fen)} nodes 12 pv e2e4")  # fmt: skip
        say("info depth 1 nodes 12 nps 1")
        say("info string score cp is what this engine says")
    say("bestmove e2e4")


def main() -> None:
    """Speak the protocol."""
    how, fen, asked = sys.argv[1] if len(sys.argv) > 1 else "", "", 0
    for line in sys.stdin:
        match line.split():
            case ["uci"]:
                say("id name fake\noption name Hash type spin default 16 min 1 max 1024\nuciok")
            case ["setoption", "name", "Hash", "value", "1"] | ["ucinewgame"]:
                pass
            case ["isready"]:
                say("readyok")
            case ["position", "fen", *rest]:
                fen = " ".join(rest)
            case ["go", "depth", _]:
                asked += 1
                answer(fen, how, asked)
            case ["quit"]:
                return
            case other:
                sys.exit(f"not understood: {other}")


if __name__ == "__main__":
    main()
