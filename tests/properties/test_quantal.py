"""Quantal response, for any utilities and any lambda."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ipomdp import quantal_response

utilities = st.lists(st.floats(-1e300, 1e300), min_size=1, max_size=40).map(np.array)
rationalities = st.one_of(st.floats(0, 1e308), st.sampled_from([0.0, 0.004, math.inf]))


@given(utilities, rationalities)
def test_probabilities_sum_to_one_and_never_overflow(u: np.ndarray, rationality: float) -> None:
    p = quantal_response(u, rationality)
    assert np.isfinite(p).all()
    assert p.sum() == pytest.approx(1.0)


@given(utilities, rationalities)
def test_a_better_action_is_never_less_likely(u: np.ndarray, rationality: float) -> None:
    p = quantal_response(u, rationality)[np.argsort(u, kind="stable")]
    assert (np.diff(p) >= -1e-12).all()


@given(utilities, rationalities, st.data())
def test_only_allowed_actions_are_taken(
    u: np.ndarray,
    rationality: float,
    data: st.DataObject,
) -> None:
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=u.size, max_size=u.size)))
    if not allowed.any():
        with pytest.raises(ValueError, match="no action"):
            quantal_response(u, rationality, allowed)
        return
    p = quantal_response(u, rationality, allowed)
    assert p[~allowed].sum() == 0
    assert p[allowed] == pytest.approx(quantal_response(u[allowed], rationality))


def test_the_ends_of_lambda() -> None:
    u = np.array([1.0, 3.0, 3.0 - 1e-10, 2.0])
    assert quantal_response(u, 0.0) == pytest.approx([0.25] * 4)
    assert quantal_response(u, math.inf) == pytest.approx([0, 0.5, 0.5, 0])


@pytest.mark.parametrize("wrong", [-1.0, math.nan])
def test_lambda_must_be_a_number_from_zero(wrong: float) -> None:
    with pytest.raises(ValueError, match="rationality"):
        quantal_response(np.zeros(2), wrong)
