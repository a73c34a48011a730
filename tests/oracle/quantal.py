"""The logit response, in logarithms throughout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import exp, inf, isinf, log

TIE = 1e-9


def log_sum(terms: Iterable[float]) -> float:
    """Logarithm of the sum of the exponentials of ``terms``."""
    known = list(terms)
    top = max(known, default=-inf)
    if top == -inf:
        return -inf
    return top + log(sum(exp(term - top) for term in known))


def log_response(values: Mapping[int, float], rationality: float) -> dict[int, float]:
    """Log of exp(rationality U(a)) / sum of the same; at infinity the maximisers share evenly."""
    best = max(values.values())
    if isinf(rationality):
        weights = {a: 0.0 if value >= best - TIE else -inf for a, value in values.items()}
    else:
        weights = {a: rationality * (value - best) for a, value in values.items()}
    total = log_sum(weights.values())
    return {action: weight - total for action, weight in weights.items()}
