import numpy as np
import pytest

from foldless.accuracy import contingency
from foldless.errors import BadInput


@pytest.mark.parametrize("n_classes", [2, 4, 25])
def test_with_exact_rates_the_table_under_prior_shift_is_found(n_classes):
    rng = np.random.default_rng(n_classes)
    rates = 0.3 * rng.dirichlet(np.ones(n_classes), n_classes) + 0.7 * np.eye(n_classes)
    before, after = rng.dirichlet(np.full(n_classes, 5.0), 2)
    found = contingency(1000 * before[:, None] * rates, after @ rates)
    np.testing.assert_allclose(found, after[:, None] * rates, atol=2e-3)


def test_without_shift_the_trace_is_the_accuracy_of_the_labels():
    table = np.array([[40, 10], [5, 45]])
    found = contingency(table, table.sum(axis=0) / 100)
    assert found.sum() == pytest.approx(1)
    assert np.trace(found) == pytest.approx(0.85, abs=1e-3)


def test_a_class_without_labels_has_no_rates():
    with pytest.raises(BadInput, match="class 1 has no row"):
        contingency(np.array([[3, 1], [0, 0]]), np.array([0.5, 0.5]))


def test_a_constant_classifier_keeps_the_shares_of_the_labels():
    found = contingency(np.array([[30, 0], [10, 0]]), np.array([1.0, 0.0]))
    np.testing.assert_allclose(found, [[0.75, 0], [0.25, 0]], atol=1e-6)
