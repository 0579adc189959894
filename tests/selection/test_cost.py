"""What a run will take: the fits that it then takes, and a time in words."""

import numpy as np
import pytest
from helpers.slow import slow_beyond
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from foldless import FoldlessSearch
from foldless.criteria import BY_NAME
from foldless.errors import CannotAnswer
from foldless.selection.cost import Cost, cost

RNG = np.random.default_rng(0)
Y = np.arange(42) % 3
X = RNG.normal(size=(42, 3)) + 2 * np.eye(3)[Y]
POOL = RNG.normal(size=(90, 3)) + 2 * np.eye(3)[np.arange(90) % 3]
GRID = {"C": [0.01, 0.1, 1.0]}


@pytest.mark.parametrize("name", slow_beyond(6, [name for name in BY_NAME if name != "evidence"]))
def test_the_fits_are_those_of_the_run(name: str) -> None:
    found = cost(LogisticRegression(), GRID, X, Y, X_unlabeled=POOL, criteria=[name], random_state=0)
    search = FoldlessSearch(LogisticRegression(), GRID, criterion=name, refit=False, estimate=False, random_state=0)
    search.fit(X, Y, X_unlabeled=POOL)
    if name == "auto":  # a race: its length depends on the answers, its budget is five fits of each candidate
        assert 3 <= found.total <= 16
    elif name in ("combination", "dagging", "reverse_validation", "similar_data"):  # it depends on the answers
        assert found.total == pytest.approx(search.selection_.n_fits.run, rel=0.5)
    else:
        assert found.total == search.selection_.n_fits.run
    assert found.seconds[found_name(found)] > 0


def found_name(found: Cost) -> str:
    (name,) = found.fits
    return name


def test_shared_fits_count_once_and_criteria_that_cannot_run_do_not() -> None:
    found = cost(LinearSVC(), GRID, X, Y, criteria=["k_fold", "leave_one_out", "ada"], random_state=0)
    assert dict(found.fits) == {"k_fold": 15, "leave_one_out": 126}
    both = cost(LinearSVC(), GRID, X, Y, X_unlabeled=POOL, criteria=["k_fold", "semi_supervised_cv"], random_state=0)
    assert max(both.fits.values()) <= both.total < sum(both.fits.values())
    with pytest.raises(CannotAnswer, match="semi_supervised_cv needs unlabeled rows"):
        cost(LinearSVC(), GRID, X, Y, criteria=["semi_supervised_cv"])


def test_the_sentence() -> None:
    found = Cost({"k_fold": 4, "loo": 4000, "boot": 2000}, {"k_fold": 1.0, "loo": 250.0, "boot": 170.0}, 6004, 421.0)
    assert str(found) == "6,004 fits, about 7 minutes, most of it for loo"
    assert str(Cost({"auto": 1}, {"auto": 0.1}, 1, 0.1)) == "1 fit, about 1 second"
    assert found.to_dict()["total"] == 6004
