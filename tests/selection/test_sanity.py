"""Results that a reader should doubt come with a sentence, and others do not."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from foldless import FoldlessSearch, certify, compare
from foldless.selection._sanity import _about_certificate, _about_labels, _about_pool
from foldless.tables._label_column import order_notes

RNG = np.random.default_rng(0)
Y = np.arange(60) % 3
X = RNG.normal(size=(60, 2)) + 3 * Y[:, None]
POOL = RNG.normal(size=(300, 2)) + 3 * (np.arange(300) % 3)[:, None]


def notes(estimator: object, X: object = X, y: object = Y, pool: object = POOL, criterion: str = "auto") -> str:
    search = FoldlessSearch(estimator, criterion=criterion, estimate=False, random_state=0)
    return "; ".join(search.fit(X, y, X_unlabeled=pool).selection_.notes)


def test_a_good_run_has_nothing_to_doubt() -> None:
    assert notes({"logistic": (LogisticRegression(), {"C": [0.1, 1]})}) == ""
    assert notes({"logistic": (LogisticRegression(), {"C": [0.1, 1]})}, criterion="quantification_bound") == ""


def test_candidates_that_all_predict_one_class() -> None:
    found = notes({"one": DummyClassifier(strategy="most_frequent"), "two": DummyClassifier(strategy="prior")})
    assert "no candidate has learned anything: each predicts one class" in found
    assert "the chosen model predicts 0 for every row of the pool" in found


def test_a_pool_that_goes_to_a_class_with_few_labels() -> None:
    found = notes({"logistic": LogisticRegression()}, pool=np.vstack([POOL[::3], RNG.normal(size=(1500, 2))]))
    assert "of the pool goes to class 0, which has 33% of the labels: the pool is another population" in found


@pytest.mark.parametrize(("share", "n", "doubted"), [(0.93, 60, True), (0.6, 10, False), (0.45, 1000, False)])
def test_a_share_is_doubted_beyond_chance(share: float, n: int, doubted: bool) -> None:
    labels, pool = pd.Series([0.3, 0.7], index=["a", "b"]), pd.Series([share, 1 - share], index=["a", "b"])
    assert bool(_about_pool(labels, pool, n)) == doubted


def test_a_certificate_that_allows_more_errors_than_guessing() -> None:
    certificate = certify(GaussianNB(), X, Y, X_unlabeled=POOL, random_state=0)
    labels = pd.Series([0.2, 0.8], index=["rare", "often"])
    (found,) = _about_certificate(labels, replace(certificate, upper=0.31))
    assert found.startswith("the certificate allows an error of 0.310, and always answering 'often' is wrong on 0.200")
    assert not _about_certificate(labels, replace(certificate, upper=0.15))
    assert not _about_certificate(labels, replace(certificate, upper=1.0))


def test_a_criterion_where_its_page_says_not_to_use_it() -> None:
    two = Y % 3 < 2
    found = notes({"logistic": LogisticRegression()}, X[two], Y[two], criterion="quantification_bound")
    assert "quantification_bound is not reliable here, because two classes of about equal share" in found
    mixed = {"logistic": LogisticRegression(), "bayes": GaussianNB()}
    assert "the candidates are of several families: use auto, or k_fold" in notes(
        mixed, criterion="quantification_bound"
    )
    assert "is not reliable" not in notes(mixed, criterion="k_fold")
    comparison = compare(mixed, X, Y, X_unlabeled=POOL, criteria=["k_fold", "quantification_bound"], random_state=0)
    (found,) = [note for note in comparison.notes if "is not reliable" in note]
    assert found.startswith("quantification_bound: ")


def test_files_in_the_order_of_their_labels() -> None:
    (found,) = order_notes("train.csv", np.sort(Y))
    assert found.startswith("the rows of train.csv are ordered by label")
    runs = np.repeat([0, 1, 0, 2, 1, 0, 2, 1], 10)
    assert "have the same label in 91% of the cases, 34% by chance" in order_notes("train.csv", runs)[0]
    assert not order_notes("train.csv", Y)
    assert not order_notes("train.csv", np.sort(Y)[::6])  # too few to tell
    for _ in range(200):  # 6 standard errors: a false note has a probability of 1e-8
        assert not order_notes("train.csv", RNG.integers(0, 2, 100))


@pytest.mark.parametrize(
    ("counts", "picked"),
    [
        ([3] * 20, True),
        ([3] * 19 + [2], False),  # labels drawn at random have such counts
        ([5] * 3, False),  # one of twenty draws from three classes
        ([6] * 20, False),
        ([1] * 20, False),  # nothing can be held out, and there is no estimate
    ],
)
def test_as_few_labels_of_every_class_were_picked_by_class(counts: list[int], picked: bool) -> None:
    note = _about_labels(np.array(counts))
    assert bool(note) == picked
    assert not picked or "every class has 3 labels" in note[0]


def test_labels_picked_by_class_are_said_in_a_search() -> None:
    y = np.arange(60) % 20
    X = RNG.normal(size=(60, 2)) + y[:, None]
    assert "every class has 3 labels, and if they were picked by class, the estimate can be too low" in notes(
        {"nb": GaussianNB()}, X, y, X + 0.1
    )
