"""Quantal response: better actions are likelier, mistakes happen (the 2007 paper's equation 3)."""

from __future__ import annotations

import math

import numpy as np

from ipomdp.game import BoolArray, FloatArray

TIE = 1e-9
"""Best responses closer than this share the probability."""


def quantal_response(
    utilities: FloatArray, rationality: float, allowed: BoolArray | None = None
) -> FloatArray:
    """Return P(a) = exp(lambda U(a)) / sum exp(lambda U) over the allowed actions (last axis).

    ``rationality`` is lambda: 0 is uniform play, inf the best response with ties shared. Only
    differences to the best allowed action are exponentiated, so nothing overflows and a row with
    an allowed action never divides by zero. A row with none is an error.
    """
    if math.isnan(rationality) or rationality < 0:
        raise ValueError(f"rationality must be a number >= 0 or inf, not {rationality}")
    if allowed is None:
        allowed = np.ones(utilities.shape, dtype=bool)
    elif not allowed.any(axis=-1).all():
        raise ValueError("quantal response over no action at all")
    best = np.where(allowed, utilities, -np.inf).max(axis=-1, keepdims=True)
    if rationality == 0:
        likelihood = allowed.astype(np.float64)
    elif math.isinf(rationality):
        likelihood = (allowed & (utilities >= best - TIE)).astype(np.float64)
    else:
        with np.errstate(over="ignore"):  # an infinite shortfall has likelihood exp(-inf) = 0
            likelihood = np.where(allowed, np.exp(rationality * (utilities - best)), 0.0)
    total: FloatArray = likelihood / likelihood.sum(axis=-1, keepdims=True)
    return total
