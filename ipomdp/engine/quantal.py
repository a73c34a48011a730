"""Quantal response: better actions are likelier, mistakes happen (the 2007 paper's equation 3)."""

from __future__ import annotations

import math

import numpy as np

from ipomdp.game import BoolArray, FloatArray

TIE = 1e-9
"""Best responses closer than this share the probability."""
SLIMMEST = -1e300
"""The logarithm of the slimmest chance: products of many such are still chances."""


def quantal_response(
    utilities: FloatArray, rationality: float, allowed: BoolArray | None = None
) -> FloatArray:
    """Return P(a) = exp(lambda U(a)) / sum exp(lambda U) over the allowed actions (last axis).

    ``rationality`` is lambda: 0 is uniform play, inf the best response with ties shared.
    """
    response: FloatArray = np.exp(log_quantal_response(utilities, rationality, allowed))
    return response


def log_quantal_response(
    utilities: FloatArray, rationality: float, allowed: BoolArray | None = None
) -> FloatArray:
    """Return the logarithm of the quantal response; -inf where an action is not allowed.

    Only shortfalls from the best allowed action count, so nothing overflows and a row with an
    allowed action never divides by zero. A row with none is an error.
    """
    if math.isnan(rationality) or rationality < 0:
        raise ValueError(f"rationality must be a number >= 0 or inf, not {rationality}")
    if allowed is None:
        best = utilities.max(axis=-1, keepdims=True)
    elif allowed.any(axis=-1).all():
        best = np.where(allowed, utilities, -np.inf).max(axis=-1, keepdims=True)
    else:
        raise ValueError("quantal response over no action at all")
    if rationality == 0:
        logits = np.zeros(utilities.shape)
    elif math.isinf(rationality):
        logits = np.where(utilities >= best - TIE, 0.0, -np.inf)
    else:
        with np.errstate(over="ignore"):  # a shortfall beyond all bounds is still a chance
            logits = np.maximum(rationality * (utilities - best), SLIMMEST)
    if allowed is not None:
        logits = np.where(allowed, logits, -np.inf)
    total: FloatArray = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    return total
