import warnings

import numpy as np
import pytest
from helpers.slow import slow_beyond
from scipy.stats import rankdata
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    f1_score,
    get_scorer,
    get_scorer_names,
    log_loss,
    make_scorer,
    matthews_corrcoef,
    roc_auc_score,
)
from sklearn.svm import LinearSVC

from foldless.core import Candidate, Classes, PoolRows, Rows, Task
from foldless.criteria import Bootstrap632, HoldOut, KFold, LeaveOneOut
from foldless.data._class_labels import encode
from foldless.errors import BadInput, CannotAnswer
from foldless.judging._scoring import ClassJudge, matthews, mean_ranks

ALL = frozenset({"labels", "probabilities", "scores"})
LABELS = {
    "ints": [3, 7, 11],
    "zero-one": [0, 1, 2],
    "strings": ["ham", "eggs", "spam"],
    "plus-minus": [-1, 1, 5],
    "floats": [0.0, 1.0, 2.0],
    "objects": np.array(["b", "a", "c"], dtype=object),
    "booleans": [False, True],
}


def candidate(*responses) -> Candidate:
    return Candidate(0, "one", {}, frozenset(responses))


def answers_of(model, X, classes) -> dict[str, np.ndarray]:
    answers = {"labels": encode(model.predict(X), classes)}
    if hasattr(model, "predict_proba"):
        answers["probabilities"] = model.predict_proba(X)
    scores = model.decision_function(X)
    answers["scores"] = np.column_stack([-scores, scores]) if scores.ndim == 1 else scores
    return answers


def outcome(score):
    """A number, or None where there is none to be had."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return float(score())
        except (ValueError, TypeError, AttributeError):
            return None


# every scorer of scikit-learn, on real classifiers


@pytest.mark.parametrize("model", [LogisticRegression(), LinearSVC()], ids=["logistic", "svm"])
@pytest.mark.parametrize(
    ("labels", "n_classes", "least"),
    slow_beyond(
        2,
        [
            ("zero-one", 2, 45),
            ("strings", 3, 28),
            ("ints", 3, 40),
            ("zero-one", 3, 38),
            ("strings", 2, 28),
            ("plus-minus", 2, 42),
            ("floats", 2, 45),
            ("objects", 3, 28),
            ("booleans", 2, 42),
        ],
    ),
)
def test_scorers_score_answers_as_they_score_the_classifier(model, labels, n_classes, least):
    X, y = make_classification(120, n_classes=n_classes, n_informative=4, class_sep=0.6, flip_y=0.2, random_state=0)
    classes, codes = np.unique(np.asarray(LABELS[labels])[y], return_inverse=True)
    model.fit(X[:60], classes[codes[:60]])
    answers = answers_of(model, X[60:], classes)
    asked = candidate(*answers)
    compared = 0
    for name in get_scorer_names():
        direct = outcome(lambda name=name: get_scorer(name)(model, X[60:], classes[codes[60:]]))
        judge = ClassJudge(name, classes)

        def mine(judge=judge):
            response = judge.response(asked)
            return judge.score(response, codes[60:], answers[response])

        ours = outcome(mine)
        if direct is None:
            assert ours is None, name
        else:
            assert ours == pytest.approx(direct, abs=1e-12, nan_ok=True), name
            compared += 1
    assert compared >= (least if hasattr(model, "predict_proba") else least - 10)


@pytest.mark.parametrize(
    ("scoring", "responses", "wanted"),
    [
        ("accuracy", ALL, "labels"),
        ("f1_macro", ALL, "labels"),
        ("neg_log_loss", ALL, "probabilities"),
        ("roc_auc", ALL, "scores"),
        ("roc_auc", {"labels", "probabilities"}, "probabilities"),
        ("average_precision", {"labels", "scores"}, "scores"),
        (make_scorer(f1_score, average="macro"), ALL, "labels"),
        (make_scorer(roc_auc_score, response_method="predict_proba"), ALL, "probabilities"),
    ],
)
def test_a_scorer_is_given_what_it_would_ask_for(scoring, responses, wanted):
    assert ClassJudge(scoring, np.array(["a", "b"])).response(candidate(*responses)) == wanted


@pytest.mark.parametrize(
    ("scoring", "responses", "needs"),
    [
        ("neg_log_loss", {"labels", "scores"}, "probabilities"),
        ("roc_auc", {"labels"}, "scores or probabilities"),
        (make_scorer(log_loss, response_method="predict_proba"), {"labels"}, "probabilities"),
    ],
)
def test_a_candidate_that_cannot_be_scored(scoring, responses, needs):
    with pytest.raises(CannotAnswer, match=f"needs {needs}, which candidate 'one' does not give"):
        ClassJudge(scoring, np.arange(2)).response(candidate(*responses))


@pytest.mark.parametrize("criterion", [KFold(2), HoldOut(), LeaveOneOut(), Bootstrap632(2)], ids=lambda c: c.name)
def test_every_resampling_criterion_says_when_a_candidate_cannot_answer(criterion):
    y = np.array([0, 1] * 4)
    task = Task(Classes(y, np.arange(2)), Rows(range(8)), PoolRows(Rows(range(0))), (candidate("labels"),), 1, 0)
    asking = type(criterion)(**{**vars(criterion), "scoring": "neg_log_loss"})
    with pytest.raises(CannotAnswer, match="'neg_log_loss' needs probabilities"):
        next(asking.evaluate(task))


# names, callables and what is neither


@pytest.mark.parametrize("scoring", ["acuracy", "f1macro", "", "Accuracy"])
def test_unknown_names(scoring):
    with pytest.raises(BadInput, match=f"scorer name or a callable, got '{scoring}': try "):
        ClassJudge(scoring, np.arange(2)).response(candidate(*ALL))


def test_an_unknown_name_shows_what_is_near():
    with pytest.raises(BadInput, match=r"try .*precision_macro"):
        ClassJudge("precise", np.arange(2)).response(candidate(*ALL))


@pytest.mark.parametrize("scoring", [None, 5, ["accuracy", "f1"], {"a": "accuracy"}, ("accuracy",)])
def test_what_is_no_scorer_at_all(scoring):
    with pytest.raises(BadInput, match="one scikit-learn scorer name or one callable, got"):
        ClassJudge(scoring, np.arange(2)).response(candidate(*ALL))


@pytest.mark.parametrize("scoring", [f1_score, lambda estimator, X, y: 0.5])
def test_a_callable_that_asks_nothing(scoring):
    with pytest.raises(BadInput, match="uses no answer of a classifier"):
        ClassJudge(scoring, np.arange(2)).response(candidate(*ALL))


def test_a_callable_that_asks_twice():
    def both(estimator, X, y):
        return np.mean(estimator.predict(X) == y) + estimator.predict_proba(X)[:, 1].mean()

    judge = ClassJudge(both, np.arange(2))
    with pytest.raises(BadInput, match="'both' cannot score these answers"):
        judge.score(judge.response(candidate(*ALL)), np.array([0, 1]), np.array([0, 1]))


def test_a_callable_that_reads_features_is_refused():
    """Answers have no features; row numbers in their place would be scored without a word."""

    def costly(model, X, y):
        return -np.sum(X[:, 0] * (model.predict(X) != y))

    def named(model, X, y):
        return -np.sum(X["price"] * (model.predict(X) != y))

    def as_array(model, X, y):
        return -np.sum(np.asarray(X) * (model.predict(X) != y))

    def as_frame(model, X, y):
        return -np.sum(X.price * (model.predict(X) != y))

    def first_rows(model, X, y):
        return np.mean(model.predict(X[:2]) == y[:2])

    classes, codes = np.array(["a", "b"]), np.array([0, 1, 1])
    for scorer in (costly, named, as_array, as_frame):
        with pytest.raises(BadInput, match=f"'{scorer.__name__}' cannot .* reads the features of X"):
            ClassJudge(scorer, classes).score(ClassJudge(scorer, classes).response(candidate("labels")), codes, codes)
    assert ClassJudge(first_rows, classes).score("labels", codes, np.array([0, 0, 1])) == 0.5


def test_a_callable_scores_the_labels_of_the_user():
    def spam_found(estimator, X, y):
        return np.mean(estimator.predict(X)[y == "spam"] == "spam")

    judge = ClassJudge(spam_found, np.array(["ham", "spam"]))
    truth, answer = np.array([1, 1, 1, 0]), np.array([1, 0, 1, 1])
    assert judge.score("labels", truth, answer) == pytest.approx(2 / 3)


def test_a_score_that_cannot_be_computed_names_the_scorer():
    with pytest.raises(BadInput, match=r"'f1' cannot score these answers: it is of a positive class, .* 'a' and 'b'"):
        ClassJudge("f1", np.array(["a", "b"])).score("labels", np.array([0, 1]), np.array([0, 1]))


# classes that are absent, answers outside the classes


def test_log_loss_with_a_class_that_is_absent():
    probabilities = np.array([[0.7, 0.2, 0.1], [0.1, 0.8, 0.1]])
    score = ClassJudge("neg_log_loss", np.array(["a", "b", "c"])).score(
        "probabilities", np.array([0, 1]), probabilities
    )
    assert score == pytest.approx((np.log(0.7) + np.log(0.8)) / 2)


CLASSES = {
    "ints": np.array([0, 1]),
    "plus-minus": np.array([-1, 1]),
    "full bytes": np.array([0, 255], dtype=np.uint8),
    "small bytes": np.array([-128, 127], dtype=np.int8),
    "largest": np.array([0, 2**63 - 1]),
    "booleans": np.array([False, True]),
    "strings": np.array(["a", "b"]),
    "objects": np.array(["a", "b"], dtype=object),
}


@pytest.mark.parametrize("classes", CLASSES.values(), ids=CLASSES.keys())
@pytest.mark.parametrize("scoring", ["accuracy", "balanced_accuracy", "f1_macro", "f1_micro", "recall_macro"])
def test_what_is_outside_the_classes_is_never_right(classes, scoring):
    truth, answer = np.array([0, 0, 1, 1, -1, -1]), np.array([0, -1, 1, -1, 0, -1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # labels without answers, answers without labels
        ours = ClassJudge(scoring, classes).score("labels", truth, answer)
        theirs = get_scorer(scoring)._score_func(truth, np.where(answer < 0, 9, answer), **get_scorer(scoring)._kwargs)
    assert ours == pytest.approx(theirs)
    assert ours < 1


def test_accuracy_counts_two_unknowns_as_wrong():
    judge = ClassJudge("accuracy", np.arange(2))
    assert judge.score("labels", np.array([-1, -1, 0]), np.array([-1, 0, 0], dtype=np.int8)) == pytest.approx(1 / 3)


def test_scores_of_fits_that_saw_one_class_only():
    # Rows 0 and 1 by a fit on both classes, row 2 by one that saw only class 0, row 3 by one that saw only class 1.
    scores = np.array([[1.0, -1.0], [-1e9, 1e9], [0.0, -np.inf], [-np.inf, 0.0]])
    judge = ClassJudge("roc_auc", np.array(["a", "b"]))
    assert judge.score("scores", np.array([0, 1, 0, 1]), scores) == 1
    assert judge.score("scores", np.array([1, 0, 1, 0]), scores) == 0
    assert judge.score("scores", np.array([0, 0, 0, 1]), scores) == 1
    assert judge.score("scores", np.array([1, 1, 0, 1]), scores) == 1


def test_scores_of_fits_that_did_not_see_one_class():
    scores = np.array([[0.3, 0.2, -np.inf], [-9.0, -7.0, -8.0], [-5.0, -4.0, -np.inf]])
    judge = ClassJudge(make_scorer(top_one, response_method="decision_function"), np.array(["a", "b", "c"]))
    assert judge.score("scores", np.array([0, 1, 1]), scores) == 1
    assert ClassJudge("top_k_accuracy", np.arange(3)).score("scores", np.array([0, 1, 2]), scores) == pytest.approx(
        2 / 3
    )


def top_one(y, scores):
    assert np.isfinite(scores).all()
    return np.mean(np.array(["a", "b", "c"])[scores.argmax(axis=1)] == y)


def test_scores_that_are_not_numbers_are_refused():
    scores = np.array([[1.0, -1.0], [np.nan, np.nan]])
    with pytest.raises(BadInput, match=r"'roc_auc' cannot score these answers: .*NaN"):
        ClassJudge("roc_auc", np.arange(2)).score("scores", np.array([0, 1]), scores)


# over splits


def test_metrics_of_labels_are_averaged_and_others_pooled():
    truths = [np.array([0, 0, 1]), np.array([1])]
    labels = [np.array([0, 1, 1]), np.array([0])]
    mean, each = ClassJudge("accuracy", np.arange(2)).over_splits("labels", truths, labels)
    assert each == (pytest.approx(2 / 3), 0)
    assert mean == pytest.approx(1 / 3)
    scores = [np.array([[0, 0.1], [0, 0.4], [0, 0.3]]), np.array([[0, 0.35]])]
    pooled, none = ClassJudge("roc_auc", np.arange(2)).over_splits("scores", truths, scores)
    assert none == ()
    assert pooled == roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.3, 0.35])


@pytest.mark.parametrize("n_classes", [2, 3, 7])
def test_matthews_is_scikit_learns(n_classes):
    rng = np.random.default_rng(n_classes)
    judge = ClassJudge("matthews_corrcoef", np.arange(n_classes))
    slow = ClassJudge(make_scorer(matthews_corrcoef), np.arange(n_classes))
    for share in (0.2, 0.8):
        truth = rng.integers(n_classes, size=40)
        predicted = np.where(rng.random(40) < share, truth, rng.integers(n_classes, size=40)).astype(np.int8)
        assert judge.score("labels", truth, predicted) == pytest.approx(matthews_corrcoef(truth, predicted), abs=1e-12)
        truth[3], predicted[3], predicted[5] = -1, -1, -1  # of no known class, which equals no other
        assert judge.score("labels", truth, predicted) == pytest.approx(
            slow.score("labels", truth, predicted), abs=1e-12
        )


def test_matthews_by_hand_and_at_its_borders():
    truth, predicted = np.array([0, 0, 0, 1, 1, 1]), np.array([0, 0, 1, 1, 1, 1])
    assert matthews(truth, predicted, 2) == pytest.approx((2 * 3 - 1 * 0) / np.sqrt(4 * 3 * 3 * 2))
    assert matthews(truth, truth, 2) == 1
    assert matthews(truth, 1 - truth, 2) == -1
    assert matthews(truth, np.zeros(6, int), 2) == matthews(np.zeros(6, int), predicted, 2) == 0
    assert matthews(np.zeros(6, int), np.zeros(6, int), 2) == 0  # also where scikit-learn warns


@pytest.mark.parametrize("scoring", ["f1_macro", "balanced_accuracy"])
@pytest.mark.parametrize("n_classes", [2, 3, 12])
@pytest.mark.filterwarnings("ignore")
def test_means_over_classes_are_scikit_learns(scoring, n_classes):
    rng, classes = np.random.default_rng(0), np.arange(n_classes)
    scorer = get_scorer(scoring)
    slow = ClassJudge(lambda estimator, X, y: scorer(estimator, X, y), classes)
    for n in (1, 3, 40):
        truth, answer = rng.integers(0, n_classes, (2, n))
        ours = ClassJudge(scoring, classes).score("labels", truth, answer)
        assert ours == pytest.approx(slow.score("labels", truth, answer), abs=1e-12)
    unknown = np.array([-1, 0])  # a row without an answer is left to scikit-learn
    assert ClassJudge(scoring, classes).score("labels", np.array([0, 1]), unknown) == slow.score(
        "labels", np.array([0, 1]), unknown
    )


def test_tied_scores_share_their_mean_rank_and_the_area_is_theirs():
    rng = np.random.default_rng(0)
    values, truth = rng.integers(0, 4, size=60).astype(float), rng.integers(0, 2, size=60)
    assert (mean_ranks(values) == rankdata(values)).all()
    assert mean_ranks(np.array([0.0, np.inf, -np.inf, 0.0])).tolist() == [2.5, 4, 1, 2.5]
    judge = ClassJudge("roc_auc", np.array(["a", "b"]))
    area = judge.score("scores", truth, np.column_stack([-values, values]))
    assert area == pytest.approx(roc_auc_score(truth, values))
