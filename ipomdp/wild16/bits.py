"""Squares as bits: a board of any even size up to 8x8 lies in the corner of 64 of them.

Square ``rank * 8 + file`` whatever the size, so one set of kernels serves all boards; only the
tables of steps and rays depend on the size, by ``k`` = 0, 1, 2 for 4x4, 6x6, 8x8.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numpy.typing import NDArray


def drop_stale_kernels(folder: Path) -> None:
    """Forget compiled kernels if any source has changed.

    numba looks at a kernel's own file alone, not at those whose kernels it calls.
    """
    kept = folder / "__pycache__"
    stamp = kept / "kernels.sha256"
    sources = b"".join(path.read_bytes() for path in sorted(folder.glob("*.py")))
    now = hashlib.sha256(sources).hexdigest()
    try:
        if stamp.is_file() and stamp.read_text() == now:
            return
        for path in [*kept.glob("*.nbi"), *kept.glob("*.nbc")]:
            path.unlink(missing_ok=True)
        kept.mkdir(exist_ok=True)
        stamp.write_text(now)
    except OSError:  # a folder that cannot be written holds no kernels of ours either
        return


if TYPE_CHECKING:

    def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
        """Compile a function once; later runs load it from disk."""

    def leaf(function: Callable[..., Any]) -> Callable[..., Any]:
        """Compile a function that allocates nothing.

        References to arrays are not counted in it then; counting them takes longer than most of
        the work on a board does.
        """

    def intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
        """Make a function out of the instructions that build it."""

else:
    import numba
    from numba.extending import intrinsic

    drop_stale_kernels(Path(__file__).parent)

    kernel = numba.njit(cache=True, nogil=True, error_model="numpy")
    leaf = numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=False)

SIZES = (4, 6, 8)
U = np.uint64
Bits = NDArray[np.uint64]


@intrinsic
def lowest(context: Any, bits: Any) -> Any:  # noqa: ANN401, ARG001
    """Return the index of the lowest bit set; there must be one."""

    def build(_: Any, builder: Any, __: Any, arguments: Any) -> Any:  # noqa: ANN401
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), build


@intrinsic
def highest(context: Any, bits: Any) -> Any:  # noqa: ANN401, ARG001
    """Return the index of the highest bit set; there must be one."""

    def build(_: Any, builder: Any, __: Any, arguments: Any) -> Any:  # noqa: ANN401
        leading = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), leading)

    return types.int64(types.uint64), build


@intrinsic
def count(context: Any, bits: Any) -> Any:  # noqa: ANN401, ARG001
    """Return how many bits are set."""

    def build(_: Any, builder: Any, __: Any, arguments: Any) -> Any:  # noqa: ANN401
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), build


@leaf
def bit(square: int) -> np.uint64:
    """Return a square as a bit."""
    return U(1) << U(square)


_KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
_RAYS = ((0, 1), (1, 0), (1, 1), (-1, 1), (0, -1), (-1, 0), (-1, -1), (1, -1))
"""(file, rank) steps: north, east, north-east, north-west, then their opposites in that order."""


def _steps(size: int, steps: tuple[tuple[int, int], ...], *, far: bool = False) -> Bits:
    """Return the squares that steps from each square lead to, as bits."""
    table = np.zeros(64, dtype=np.uint64)
    for rank in range(size):
        for file in range(size):
            found = 0
            for dx, dy in steps:
                x, y = file + dx, rank + dy
                while 0 <= x < size and 0 <= y < size:
                    found |= 1 << (8 * y + x)
                    x, y = x + dx, y + dy
                    if not far:
                        break
            table[8 * rank + file] = found
    return table


def _between() -> Bits:
    """Return the squares strictly between two squares on one line."""
    table = np.zeros((64, 64), dtype=np.uint64)
    for one in range(64):
        for step in _RAYS:
            x, y, found = one % 8 + step[0], one // 8 + step[1], 0
            while 0 <= x < 8 and 0 <= y < 8:
                table[one, 8 * y + x] = found
                found |= 1 << (8 * y + x)
                x, y = x + step[0], y + step[1]
    return table


def _diagonal_is_long() -> NDArray[np.bool_]:
    """Return whether the rising diagonal through a square is the longer, for each size."""
    table = np.zeros((len(SIZES), 64), dtype=np.bool_)
    for k, size in enumerate(SIZES):
        for square in range(64):
            x, y = square % 8, square // 8
            rising, falling = size - abs(x - y), size - abs(x + y - (size - 1))
            table[k, square] = rising > falling
    return table


KNIGHT_STEPS = np.stack([_steps(size, _KNIGHT) for size in SIZES])
KING_STEPS = np.stack([_steps(size, _RAYS) for size in SIZES])
PAWN_STEPS = np.stack(
    [np.stack([_steps(size, ((-1, up), (1, up))) for up in (1, -1)]) for size in SIZES]
)
"""(size, colour, square): what a pawn attacks."""
RAYS = np.stack([np.stack([_steps(size, (step,), far=True) for step in _RAYS]) for size in SIZES])
"""(size, direction, square)."""
STRAIGHTS = np.bitwise_or.reduce(RAYS[:, [0, 1, 4, 5]], axis=1)
DIAGONALS = np.bitwise_or.reduce(RAYS[:, [2, 3, 6, 7]], axis=1)
"""(size, square): what a rook and a bishop attack on an empty board."""
BETWEEN = _between()
RISING_IS_LONG = _diagonal_is_long()
SIZE = np.array(SIZES)


@leaf
def _forward(k: int, direction: int, square: int, occupied: np.uint64) -> np.uint64:
    ray = RAYS[k, direction, square]
    blockers = ray & occupied
    if blockers:
        ray ^= RAYS[k, direction, lowest(blockers)]
    return ray


@leaf
def _backward(k: int, direction: int, square: int, occupied: np.uint64) -> np.uint64:
    ray = RAYS[k, direction, square]
    blockers = ray & occupied
    if blockers:
        ray ^= RAYS[k, direction, highest(blockers)]
    return ray


@leaf
def rook_reach(k: int, square: int, occupied: np.uint64) -> np.uint64:
    """Return what a rook attacks."""
    return (
        _forward(k, 0, square, occupied)
        | _forward(k, 1, square, occupied)
        | _backward(k, 4, square, occupied)
        | _backward(k, 5, square, occupied)
    )


@leaf
def bishop_reach(k: int, square: int, occupied: np.uint64) -> np.uint64:
    """Return what a bishop attacks."""
    return (
        _forward(k, 2, square, occupied)
        | _forward(k, 3, square, occupied)
        | _backward(k, 6, square, occupied)
        | _backward(k, 7, square, occupied)
    )
