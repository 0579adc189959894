"""Kernel values that are given: which rows they are between, and what is refused."""

import copy

import numpy as np
import pytest

from foldless.learners import Precomputed
from foldless.learners.gaussian_process._view_kernels import view_kernels

P = np.random.default_rng(0).normal(size=(12, 3))


def test_precomputed_values_are_named_by_row_number():
    K = P @ P.T
    numbered = np.column_stack([np.zeros(12), np.arange(12)])
    (kernel,) = view_kernels(numbered[:8], [np.array([1])], Precomputed(K), None, 1)
    np.testing.assert_allclose(kernel.values, K[:8, :8])
    np.testing.assert_allclose(kernel.cross(numbered[8:]), K[8:, :8])
    np.testing.assert_allclose(kernel.diagonal(numbered[8:]), np.diag(K)[8:])
    assert copy.deepcopy(kernel.function) is kernel.function  # not one copy for each candidate


def test_precomputed_values_form_a_square():
    with pytest.raises(ValueError, match=r"square, got an array of shape \(2, 3\)"):
        Precomputed(np.ones((2, 3)))
