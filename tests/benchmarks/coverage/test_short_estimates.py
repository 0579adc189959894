"""Measures of a classifier with known rates, beside those of scikit-learn."""

import numpy as np
import pytest
from benchmarks.coverage import short_estimates
from sklearn.metrics import balanced_accuracy_score, f1_score, matthews_corrcoef


@pytest.mark.parametrize(
    ("what", "of"),
    [
        ("f1_macro", lambda y, named: f1_score(y, named, average="macro")),
        ("matthews_corrcoef", matthews_corrcoef),
        ("balanced_accuracy", balanced_accuracy_score),
    ],
)
def test_the_truth_is_that_of_the_shares_of_the_cells(what, of):
    cells = np.array([0.5, 0.125, 0.125, 0.25])
    drawn = np.repeat(np.arange(4), (8 * cells).astype(int))
    assert short_estimates._measured(what, cells) == pytest.approx(of(drawn // 2, drawn % 2))


def test_intervals_are_of_measures_that_have_one():
    rows = list(short_estimates.fixed(0.2, 100, seed=0))
    assert {row["what"] for row in rows} == set(short_estimates.JUDGED)
    assert all(row["lower"] <= row["value"] <= row["upper"] for row in rows)
