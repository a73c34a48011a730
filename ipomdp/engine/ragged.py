"""Lists of lists as flat arrays: item k owns the entries from ``start[k]`` to ``start[k + 1]``."""

from __future__ import annotations

import numpy as np

from ipomdp.game import FloatArray, IntArray


def starts_of(owner: IntArray, owners: int) -> IntArray:
    """Return where the entries of each owner start (and the last ends); ``owner`` is sorted."""
    return np.searchsorted(owner, np.arange(owners + 1))


def entries(start: IntArray, items: IntArray) -> tuple[IntArray, IntArray]:
    """Return the entries of the items in order, and which of the items owns each."""
    first = start[items]
    count = start[items + 1] - first
    owner = np.repeat(np.arange(items.size), count)
    shift = first - (np.cumsum(count) - count)
    return np.arange(owner.size) + shift[owner], owner


def firsts(*columns: IntArray) -> IntArray:
    """Return where a run of equal rows begins in sorted columns."""
    size = columns[0].size
    fresh = np.zeros(size, dtype=bool)
    fresh[:1] = True
    for column in columns:
        fresh[1:] |= column[1:] != column[:-1]
    return np.flatnonzero(fresh)


def runs(*columns: IntArray) -> tuple[IntArray, IntArray]:
    """Return an order that sorts rows by their columns, natural numbers, and where runs begin."""
    key = np.zeros(columns[0].size, dtype=np.int64)
    span = 1
    for column in columns:
        width = int(column.max(initial=0)) + 1
        key = key * width + column
        span *= width
    if span < 2**62:
        order = np.argsort(key, kind="stable")
        return order, firsts(key[order])
    order = np.lexsort(columns[::-1])
    return order, firsts(*(column[order] for column in columns))


def log_sums(logs: FloatArray, first: IntArray) -> FloatArray:
    """Return the logarithm of the sum of exponentials of each run, given where runs begin."""
    if not first.size:
        return np.zeros(0)
    top = np.maximum.reduceat(logs, first)
    top = np.where(top == -np.inf, 0.0, top)
    length = np.diff(np.append(first, logs.size))
    total = np.add.reduceat(np.exp(logs - np.repeat(top, length)), first)
    with np.errstate(divide="ignore"):  # a run of impossible entries
        sums: FloatArray = top + np.log(total)
    return sums


def totals(owner: IntArray, amounts: FloatArray, owners: int) -> FloatArray:
    """Return the sum of each owner's amounts."""
    return np.bincount(owner, amounts, minlength=owners).astype(np.float64, copy=False)
