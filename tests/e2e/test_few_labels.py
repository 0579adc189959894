"""Quanz and Huan's setting, whole: a few labels, a pool, all criteria of their Table 2 in one comparison."""

import numpy as np
import pytest
from helpers.learners import CALLS, Centered
from sklearn.dummy import DummyClassifier
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.semi_supervised import LabelPropagation, LabelSpreading, SelfTrainingClassifier
from sklearn.svm import LinearSVC

from foldless import FoldlessSearch, compare
from foldless.criteria import (
    ADA,
    ADJ,
    TRI,
    Bootstrap632,
    Evidence,
    HoldOut,
    KFold,
    LeaveOneOut,
    QuantificationBound,
    RankSum,
    SemiSupervisedCV,
    SimilarData,
)
from foldless.criteria.rank_sum import average_ranks
from foldless.errors import BadInput, CannotAnswer

pytestmark = pytest.mark.slow  # all criteria on whole tasks

SDS = SimilarData(10, "probabilities")
TABLE_2 = {
    "CV": LeaveOneOut(),
    ".632+": Bootstrap632(10),
    "MML": Evidence(),
    "ADA": ADA(),
    "SDS": SDS,
    "SDS+ADA": RankSum(SDS, ADA()),
    "SDS-L": SimilarData(10),
}
OTHERS = {
    "TRI": TRI(),
    "ADJ": ADJ(),
    "bound": QuantificationBound(),
    "folds": KFold(2),
    "hold-out": HoldOut(),
    "certified": SemiSupervisedCV(2),
    "MCC": SimilarData(10, updates=2, scoring="matthews_corrcoef"),
}
SEMI_SUPERVISED = {
    "spreading": (LabelSpreading(max_iter=200), {"gamma": [0.5, 2]}),
    "propagation": LabelPropagation(gamma=0.5, max_iter=2000),
    "self": SelfTrainingClassifier(LogisticRegression()),
}


def clouds(n=120, n_classes=2, n_labels=8, seed=0):
    """Labeled rows (the first), their labels, and all rows with all labels."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % n_classes
    X = rng.normal(size=(n, 3)) + 3 * np.eye(n_classes, 3)[y]
    return X[:n_labels], y[:n_labels], X[n_labels:], y[n_labels:]


def is_whole(comparison, names):
    """Every criterion ranks every candidate, by numbers."""
    assert set(comparison.selections) == set(names)
    for name, selection in comparison.selections.items():
        assert not any(np.isnan(choice.score) for choice in selection.ranking), name
        assert not selection.failed
    return True


def test_table_2_in_one_comparison():
    X, y, pool, truth = clouds(n_labels=4)
    CALLS.clear()
    comparison = compare(
        Centered(), {"C": np.logspace(-2, 2, 5)}, X, y, X_unlabeled=pool, criteria=TABLE_2, X_test=pool, y_test=truth,
        random_state=0,
    )  # fmt: skip
    assert is_whole(comparison, TABLE_2)
    assert CALLS["centered fit"] == 0
    table = comparison.table().set_index("criterion")
    fits = table["fits"].to_dict()
    assert 5 < fits.pop(".632+") <= 55  # of four rows some resamples are alike
    assert fits == {"CV": 20, "MML": 5, "ADA": 5, "SDS": 55, "SDS+ADA": 55, "SDS-L": 55}
    parts = {name: c for name, c in TABLE_2.items() if name != "SDS+ADA"}
    alone = compare(Centered(), {"C": np.logspace(-2, 2, 5)}, X, y, X_unlabeled=pool, criteria=parts, random_state=0)
    assert comparison.n_fits.run == alone.n_fits.run  # the sum asks for nothing that its two parts have not asked for
    assert (table["test_accuracy"] > 0.8).all()
    ranks = [average_ranks(comparison[name].criterion, comparison[name].ranking) for name in ("SDS", "ADA")]
    assert {c.candidate: c.score for c in comparison["SDS+ADA"].ranking} == {
        c: ranks[0][c] + ranks[1][c] for c in ranks[0]
    }


def test_evidence_is_not_to_be_had_of_learners_that_have_none():
    X, y, pool, _ = clouds()
    comparison = compare(
        LogisticRegression(), {"C": [0.1, 1]}, X, y, X_unlabeled=pool, criteria=TABLE_2, random_state=0
    )
    assert is_whole(comparison, set(TABLE_2) - {"MML"})
    assert comparison.table().set_index("criterion").loc["MML", "notes"].startswith("n/a: evidence needs learners with")
    comparison = compare(
        LinearSVC(), {"C": [0.1, 1]}, X, y, X_unlabeled=pool, criteria=TABLE_2 | OTHERS, random_state=0
    )
    assert is_whole(comparison, set(TABLE_2 | OTHERS) - {"MML", "ADA", "SDS", "SDS+ADA"})


def test_evidence_of_scikit_learns_gaussian_processes():
    X, y, pool, _ = clouds(n_labels=20)
    kernels = [RBF(length) for length in (0.01, 2.0, 100.0)]
    gp = GaussianProcessClassifier(optimizer=None)
    search = FoldlessSearch(gp, {"kernel": kernels}, criterion="evidence").fit(X, y, X_unlabeled=pool)
    expected = [
        GaussianProcessClassifier(kernel, optimizer=None).fit(X, y).log_marginal_likelihood() for kernel in kernels
    ]
    assert search.cv_results_["mean_test_score"] == pytest.approx(expected, rel=1e-12)
    assert search.best_params_ == {"kernel": kernels[int(np.argmax(expected))]}
    assert search.selection_.n_fits.run == 3


@pytest.mark.parametrize("names", [["ham", "spam"], [-1, 1]])
def test_scikit_learns_semi_supervised_classifiers_with_every_criterion(names):
    X, y, pool, truth = clouds(n=60)
    criteria = {name: c for name, c in (TABLE_2 | OTHERS).items() if name != "MML"}
    labels = np.array(names)
    comparison = compare(
        SEMI_SUPERVISED, None, X, labels[y], X_unlabeled=pool, criteria=criteria, X_test=pool, y_test=labels[truth],
        random_state=0,
    )  # fmt: skip
    assert is_whole(comparison, criteria)
    for name in ("CV", "SDS-L", "MCC", "bound"):
        assert comparison.table().set_index("criterion").loc[name, "test_accuracy"] > 0.8
    for name in ("CV", "SDS-L", "ADA"):
        assert all(c.candidate.semi_supervised and c.fits[0].unlabeled is not None for c in comparison[name].ranking)


# what few labels bring with them


def robust(X, y, pool, estimator=None, grid=None, *, without=()):
    criteria = {name: c for name, c in (TABLE_2 | OTHERS).items() if name not in without}
    estimator = Centered() if estimator is None else estimator
    grid = {"C": [0.1, 1.0, 10.0]} if grid is None else grid
    comparison = compare(estimator, grid, X, y, X_unlabeled=pool, criteria=criteria, random_state=0)
    assert is_whole(comparison, criteria)
    return comparison


def test_drawn_sets_of_one_class():
    X, y, pool, _ = clouds()
    few = np.r_[0, 2, 4, 1]  # three of one class and one of the other
    comparison = robust(X[few], y[few], pool, without=("certified",))
    assert comparison.n_fits.run > 0


def test_a_class_that_no_candidate_predicts():
    X, y, pool, _ = clouds(n_classes=3, n_labels=12)
    y = np.where(y == 2, 1, y)
    y[0] = 2  # its row looks like another class
    comparison = robust(np.vstack([X, X[:1] + 0.1]), np.r_[y, 0], pool, KNeighborsClassifier(), {"n_neighbors": [5, 6]},
                  without=("MML",))  # fmt: skip
    assert comparison["SDS-L"].best.notes == (
        "no candidate predicts 2, so no data set has this class",
        "predicts 2 of 3 classes",
    )


def test_rows_that_are_all_the_same():
    X, y, pool, _ = clouds()
    robust(np.ones_like(X), y, np.ones_like(pool), without=("certified", "ADA", "SDS+ADA"))
    comparison = compare(Centered(), {"C": [1.0, 2.0]}, np.ones_like(X), y, X_unlabeled=np.ones_like(pool),
                   criteria={"ADA": ADA(), "sum": RankSum(ADA(), SimilarData(3))}, random_state=0)  # fmt: skip
    assert [choice.score for choice in comparison["ADA"].ranking] == [np.inf, np.inf]
    assert [choice.score for choice in comparison["sum"].ranking] == [3, 3]


def test_two_rows_of_each_content_with_different_labels():
    X, y, pool, _ = clouds(n_labels=4)
    robust(np.vstack([X, X]), np.r_[y, 1 - y], np.vstack([pool, pool[:50]]))


def test_one_label_of_each_of_many_classes():
    X, y, pool, _ = clouds(n=60, n_classes=3, n_labels=3)
    comparison = robust(X, y, pool, without=("certified", "folds", "CV"))
    assert all(len(selection.ranking) == 3 for selection in comparison.selections.values())


def test_one_label_of_each_of_two_classes():
    X, y, pool, _ = clouds(n_labels=2)
    comparison = compare(Centered(), {"C": [1.0, 2.0]}, X, y, X_unlabeled=pool, criteria=["bootstrap_632", "tri"])
    assert set(comparison.selections) == {"tri"}
    assert comparison.table()["notes"][0].startswith("n/a: too few bootstrap samples of the 2 labeled rows")


def test_a_class_that_is_never_drawn_leaves_the_others_their_choices():
    X, y, pool, _ = clouds(n_classes=3, n_labels=12)
    two_classes = LogisticRegression(class_weight={0: 1, 1: 1, 2: 1e-6})
    comparison = compare(two_classes, {"C": [1.0, 2.0]}, X, y, X_unlabeled=pool, random_state=0,
                   criteria={"AUC": SimilarData(3, scoring="roc_auc_ovr"), "bound": QuantificationBound()})  # fmt: skip
    assert set(comparison.selections) == {"bound"}
    assert "no data set has the class 2" in comparison.table()["notes"][0]


def test_a_constant_candidate_that_wins_is_told():
    X, y, pool, _ = clouds()
    comparison = compare({"d": DummyClassifier(), "l": LogisticRegression()}, None, X[[0, 2, 4, 1]], y[[0, 2, 4, 1]],
                   X_unlabeled=pool, criteria=[SimilarData(5)], random_state=0)  # fmt: skip
    notes = {choice.candidate.name: choice.notes for choice in next(iter(comparison.selections.values())).ranking}
    assert "predicts 1 of 2 classes" in notes["d"]
    assert notes["l"] == ()


@pytest.mark.parametrize("criterion", [SimilarData(3), RankSum(ADA(), SimilarData(3))])
def test_weights_are_of_labeled_rows_and_drawn_labels_are_not(criterion):
    X, y, pool, _ = clouds()
    search = FoldlessSearch(LogisticRegression(), {"C": [1.0, 2.0]}, criterion=criterion)
    with pytest.raises(CannotAnswer, match=r"sample_weight cannot be passed to .*similar_data.*: the pool has no such"):
        search.fit(X, y, X_unlabeled=pool, sample_weight=np.ones(len(y)))
    search.set_params(criterion=ADA()).fit(X, y, X_unlabeled=pool, sample_weight=np.ones(len(y)))


def test_regression_targets_are_refused_with_a_reason():
    X, y, pool, _ = clouds()
    with pytest.raises(BadInput, match=r"y holds no class labels: .*continuous"):
        compare(LogisticRegression(), {}, X, y + 0.5 * np.random.default_rng(0).random(8), X_unlabeled=pool,
                criteria=["similar_data"])  # fmt: skip


def test_criteria_that_read_the_pool_need_one():
    X, y, _, _ = clouds()
    comparison = compare(Centered(), {"C": [1.0, 2.0]}, X, y, criteria=TABLE_2, random_state=0)
    assert set(comparison.selections) == {"CV", ".632+", "MML"}
    assert (
        comparison.table()
        .set_index("criterion")
        .loc["SDS-L", "notes"]
        .endswith("needs unlabeled rows: pass X_unlabeled=, or mark them −1 in y")
    )
