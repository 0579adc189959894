"""Batches and prefixes: fewer calls, the same answers."""

import time

import numpy as np
import pytest
from helpers.learners import CALLS, Mean, MeanInSeries, MeanOverRows, Ridge, Scale, TwoFaced
from helpers.searches import plain_search
from helpers.slow import slow_beyond
from scipy import sparse
from sklearn.datasets import make_classification
from sklearn.exceptions import FitFailedWarning
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from foldless import compare
from foldless.core import Rows
from foldless.criteria import Bootstrap632, KFold, QuantificationBound
from foldless.data._opening import open_sample
from foldless.engine import _workers as batches
from foldless.engine._groups import Sorting
from foldless.engine._groups import group as grouped
from foldless.engine._progress import Silent
from foldless.errors import Overtime, StoppedEarly
from foldless.learners import PoolFeatures
from foldless.selection._request import Request
from foldless.selection._session import Session

GRID = {"C": [0.1, 1.0, 10.0, 100.0]}


@pytest.fixture
def blobs():
    X, y = make_classification(240, 6, n_informative=4, n_classes=3, random_state=1)
    CALLS.clear()
    return X[:60], np.array(["a", "b", "c"])[y[:60]], X[60:]


class Alone(Mean):
    """The same learner without the batch protocol."""

    answer_batch = None
    batch_over = None


def same(a, b):
    assert (a.cv_results_["mean_test_score"] == b.cv_results_["mean_test_score"]).all()
    assert a.best_params_ == b.best_params_


@pytest.mark.parametrize(
    "criterion", slow_beyond(2, ["quantification_bound", "k_fold", "leave_one_out", "bootstrap_632"])
)
@pytest.mark.parametrize("learner", [Mean, MeanOverRows])
def test_a_batch_answers_what_single_fits_answer(blobs, criterion, learner):
    X, y, pool = blobs
    batched = plain_search(learner(), GRID, criterion=criterion, random_state=0).fit(X, y, X_unlabeled=pool)
    assert CALLS["mean fit"] <= 1  # the final fit of the resampling criteria
    single = plain_search(Alone(), GRID, criterion=criterion, random_state=0).fit(X, y, X_unlabeled=pool)
    same(batched, single)
    assert (batched.predict(pool) == single.predict(pool)).all()


def test_one_call_per_training_set(blobs):
    X, y, pool = blobs
    plain_search(Mean(), GRID, criterion="k_fold", refit=False).fit(X, y)
    assert CALLS["batch"] == 5
    assert CALLS["members"] == 20


def test_one_call_for_all_training_sets_where_rows_may_differ(blobs):
    X, y, pool = blobs
    plain_search(MeanOverRows(), GRID, criterion="k_fold", refit=False).fit(X, y)
    assert (CALLS["batch"], CALLS["members"]) == (1, 20)


def test_parameters_outside_the_batch_split_it(blobs):
    X, y, pool = blobs
    plain_search(Mean(), {**GRID, "power": [1, 2]}).fit(X, y, X_unlabeled=pool)
    assert (CALLS["batch"], CALLS["members"]) == (2, 8)


def test_batches_of_a_series_have_one_learner(blobs):
    X, y, pool = blobs
    grid = {**GRID, "power": [1, 2, 3]}
    search = plain_search(MeanInSeries(), grid, criterion="k_fold", refit=False, random_state=0).fit(X, y)
    assert (CALLS["prepared"], CALLS["batch"], CALLS["members"], CALLS["mean fit"]) == (1, 3, 60, 0)
    same(search, plain_search(Alone(), grid, criterion="k_fold", refit=False, random_state=0).fit(X, y))


def test_a_series_behind_a_prefix(blobs):
    X, y, pool = blobs
    grid = {"meaninseries__power": [1, 2, 3]}
    plain_search(make_pipeline(Scale(), MeanInSeries()), grid, criterion="k_fold", refit=False).fit(X, y)
    assert (CALLS["scale fit"], CALLS["prepared"], CALLS["batch"], CALLS["mean fit"]) == (5, 5, 15, 0)


IN_SERIES = Request(MeanInSeries(), {"power": [1, 2, 3]}, random_state=0)


def advances(data, request, criterion):
    """How many fits each step of a run has ended."""
    shown = []

    class Watch(Silent):
        def advance(self, fits):
            shown.append(fits)

    Session(request, data, Watch()).run([criterion])
    return shown


def test_a_series_comes_back_between_its_batches(blobs, monkeypatch, clock):
    X, y, pool = blobs
    monkeypatch.setattr(batches, "PATIENCE", 0.0)
    monkeypatch.setattr(MeanInSeries, "_learn", lambda self, X, y: time.sleep(0.02) or Mean._learn(self, X, y))
    assert advances(open_sample(X, y, pool), IN_SERIES, KFold(4)) == [4, 4, 4]
    assert CALLS["prepared"] == 3
    prepare = MeanInSeries.prepare  # which, where it takes long, is not thrown away after one batch
    monkeypatch.setattr(MeanInSeries, "prepare", lambda *given: time.sleep(0.05) or prepare(*given))
    assert advances(open_sample(X, y, pool), IN_SERIES, KFold(4)) == [12]


def test_several_estimators_have_batches_of_their_own(blobs):
    X, y, pool = blobs
    search = plain_search({"near": (Mean(), GRID), "far": (Mean(power=1), GRID)}).fit(X, y, X_unlabeled=pool)
    assert (CALLS["batch"], CALLS["members"]) == (2, 8)
    assert search.best_params_["estimator"] in ("near", "far")


def test_a_member_that_fails_leaves_the_others_whole(blobs):
    X, y, pool = blobs
    with pytest.warns(FitFailedWarning, match="C must be positive, got -1"):
        search = plain_search(Mean(), {"C": [-1, 1.0, 10.0]}).fit(X, y, X_unlabeled=pool)
    assert search.cv_results_["rank_test_score"][0] == 3
    same_without = plain_search(Alone(), {"C": [1.0, 10.0]}).fit(X, y, X_unlabeled=pool)
    assert (search.cv_results_["mean_test_score"][1:] == same_without.cv_results_["mean_test_score"]).all()


def test_a_prefix_is_fitted_once_per_training_set(blobs):
    X, y, pool = blobs
    grid = {"ridge__C": GRID["C"]}
    search = plain_search(make_pipeline(Scale(), Ridge()), grid, criterion="k_fold", refit=False, random_state=0).fit(
        X, y
    )
    assert CALLS["scale fit"] == 5
    assert CALLS["scale transform"] == 5 * 2  # the training part and the fold
    assert CALLS["fit"] == 20
    # fit parameters do not travel through a prefix, so with them every pipeline is fitted whole
    whole = plain_search(make_pipeline(Scale(), Ridge()), grid, criterion="k_fold", refit=False, random_state=0)
    whole.fit(X, y, ridge__sample_weight=np.ones(60))
    assert CALLS["scale fit"] == 5 + 20
    same(search, whole)


def test_a_prefix_that_varies_is_fitted_for_each_of_its_values(blobs):
    X, y, pool = blobs
    grid = {"ridge__C": GRID["C"], "scale__by": [1.0, 2.0]}
    plain_search(make_pipeline(Scale(), Ridge()), grid).fit(X, y, X_unlabeled=pool)
    assert (CALLS["scale fit"], CALLS["fit"]) == (2, 8)


def test_a_batch_behind_a_prefix(blobs):
    X, y, pool = blobs
    grid = {"mean__C": GRID["C"], "mean__power": [1, 2]}
    batched = plain_search(make_pipeline(Scale(), Mean()), grid, criterion="k_fold", random_state=0).fit(X, y)
    assert (CALLS["scale fit"], CALLS["batch"], CALLS["members"]) == (5 + 1, 10, 40)
    single = plain_search(make_pipeline(Scale(), Alone()), {k.replace("mean", "alone"): v for k, v in grid.items()},
                            criterion="k_fold", random_state=0).fit(X, y)  # fmt: skip
    assert (batched.cv_results_["mean_test_score"] == single.cv_results_["mean_test_score"]).all()


def test_the_chosen_pipeline_is_whole(blobs):
    X, y, pool = blobs
    search = plain_search(make_pipeline(Scale(), Mean()), {"mean__C": GRID["C"]}).fit(X, y, X_unlabeled=pool)
    assert search.selection_.n_fits.final == 0
    assert [name for name, _ in search.best_estimator_.steps] == ["scale", "mean"]
    scaled = np.abs(X).max()
    alone = Alone(**search.best_estimator_[-1].get_params()).fit(X / scaled, y)
    assert (search.predict(pool) == alone.predict(pool / scaled)).all()


def test_a_one_class_fold_becomes_constant(blobs):
    X, y, pool = blobs
    few = np.r_[np.flatnonzero(y == "a")[:5], np.flatnonzero(y == "b")[:1]]
    for learner in (Mean(), make_pipeline(Scale(), Mean())):
        search = plain_search(learner, criterion="leave_one_out").fit(X[few], y[few])
        assert 0 <= search.best_score_ <= 5 / 6


def test_rows_across_labels_and_pool(blobs):
    """A batch whose training rows lie in both parts gets them in one block."""
    from foldless.core import Ask, Choice, Criterion, Fit

    X, y, pool = blobs

    class Across(Criterion):
        def evaluate(self, task):
            rows = Rows(np.r_[100:130, 0:30])
            labels = np.arange(60) % 3
            answers = yield [Ask(Fit(c, rows, labels), Rows(np.r_[0:5, 70:75])) for c in task.candidates]
            return [
                Choice(c, float(answer.sum()), (task.full(c),))
                for c, answer in zip(task.candidates, answers, strict=True)
            ]

    batched = plain_search(MeanOverRows(), GRID, criterion=Across()).fit(X, y, X_unlabeled=pool)
    single = plain_search(Alone(), GRID, criterion=Across()).fit(X, y, X_unlabeled=pool)
    same(batched, single)


def test_text_behind_a_vectorizer():
    """Lists of documents and sparse matrices pass through a prefix."""
    words = ["good fine", "bad poor", "good nice", "bad awful", "fine nice", "poor awful"] * 5
    y = ["+", "-", "+", "-", "+", "-"] * 5
    for last, key in ((LinearSVC(), "linearsvc__C"), (MultinomialNB(), "multinomialnb__alpha")):
        search = plain_search(make_pipeline(TfidfVectorizer(), last), {key: [0.1, 1]}).fit(
            words, y, X_unlabeled=["good bad"] * 50 + words
        )
        assert search.predict(["nice", "awful"]).tolist() == ["+", "-"]


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2, 5])
def test_groups_do_not_depend_on_the_number_of_workers(blobs, n_jobs):
    X, y, pool = blobs
    pipeline = make_pipeline(Scale(), LinearSVC())
    comparison = compare(
        pipeline, {"linearsvc__C": GRID["C"]}, sparse.csr_array(X).toarray(), y, X_unlabeled=pool,
        criteria=["quantification_bound", "k_fold"], n_jobs=n_jobs, random_state=0,
    )  # fmt: skip
    assert comparison.n_fits.run == 4 + 20
    alone = plain_search(pipeline, {"linearsvc__C": GRID["C"]}, random_state=0).fit(X, y, X_unlabeled=pool)
    assert comparison["quantification_bound"].best.score == alone.best_score_


def test_training_rows_that_are_asked_about_keep_what_fit_transform_made(blobs):
    """A cross-fitted encoder's transform of its own training rows would leak the labels into the fit."""
    X, y, _ = blobs
    pipeline = make_pipeline(TwoFaced(), Ridge())
    settings = {"param_grid": {"ridge__C": [0.1, 10.0]}, "criterion": Bootstrap632(5), "random_state": 0}
    search = plain_search(pipeline, **settings).fit(X, y)
    whole = plain_search(pipeline, **settings).fit(X, y, ridge__sample_weight=np.ones(60))  # fitted one by one
    same(search, whole)


def test_a_long_group_comes_back_in_pieces(blobs, monkeypatch, clock):
    X, y, pool = blobs
    data = open_sample(X, y, pool)
    pipeline = make_pipeline(Scale(), Ridge(sleep=0.05))
    request = Request(pipeline, {"ridge__C": np.logspace(-2, 2, 8)}, random_state=0)
    assert advances(data, request, QuantificationBound()) == [8]
    assert CALLS["scale fit"] == 1
    monkeypatch.setattr(batches, "PATIENCE", 0.12)
    assert advances(data, request, QuantificationBound()) == [3, 3, 2]
    assert CALLS["scale fit"] == 1 + 3


def test_a_time_budget_reaches_into_a_prefix(blobs, monkeypatch, clock):
    X, y, pool = blobs
    monkeypatch.setattr(batches, "PATIENCE", 0.15)
    search = plain_search(
        make_pipeline(Scale(), Ridge(sleep=0.1)), {"ridge__C": np.logspace(-2, 2, 8)}, time_budget=0.35
    )
    with pytest.warns(StoppedEarly):
        search.fit(X, y, X_unlabeled=pool)
    assert CALLS["fit"] == 4  # two at a time


def test_what_a_group_has_answered_when_time_ends_is_kept(blobs, monkeypatch):
    X, y, pool = blobs
    plain, calls = batches._run_batch, []

    def run_batch(*given):
        calls.append(given[0])
        if len(calls) == 2:
            raise Overtime
        return plain(*given)

    monkeypatch.setattr(batches, "_run_batch", run_batch)
    assert advances(open_sample(X, y, pool), IN_SERIES, KFold(4)) == [4, 8]  # the first; the rest again


def test_candidates_on_the_same_rows_are_complete_one_after_the_other(blobs):
    X, y, pool = blobs
    data = open_sample(X, y, pool)
    learner = make_pipeline(StandardScaler(), PoolFeatures("logistic"))
    request = Request(learner, {"poolfeatures__features": ["few", "rows"]}, random_state=0)
    session = Session(request, data, Silent())
    session.unable(criterion := KFold(4))
    (group,) = grouped(session.engine._work(session._begun[id(criterion)].pending), Sorting(data))
    assert group.of_rows
    assert [{order.fit.candidate.index for order, _ in batch.work} for batch in group.batches] == [{0}, {1}]
    assert [len(batch.work) for batch in group.batches] == [4, 4]
