"""The server of the pages with the same dice in every game: ``python -m tests.web.serving``."""

from __future__ import annotations

from ipomdp.web.app import build, run
from ipomdp.web.rooms import Rooms

if __name__ == "__main__":
    build(Rooms(seeds=lambda: 7))
    run("127.0.0.1", 0, show=False)
