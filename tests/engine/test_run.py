"""Sharing, replay, counting: what is trained, and that it is trained once."""

import os
import re
import time
import warnings
from contextlib import suppress

import numpy as np
import pytest
from helpers.clock import patched
from helpers.learners import CALLS, Ridge
from helpers.searches import plain_search
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import LabelPropagation

import foldless
from foldless import FoldlessSearch, compare
from foldless.core import Ask
from foldless.core.time_budget import woken_after
from foldless.criteria import TRI, Bootstrap632, HoldOut, KFold, QuantificationBound
from foldless.engine._run import Engine
from foldless.errors import CandidatesFailed, CannotAnswer, KeepJournal, Overtime, StoppedEarly, Unfinished

GRID = {"C": np.logspace(-4, 3, 8)}


@pytest.fixture
def blobs():
    X, y = make_classification(300, 8, n_informative=5, n_classes=3, random_state=0)
    CALLS.clear()
    return X[:60], y[:60], X[60:200], X[200:], y[200:]


def test_common_fits_run_once(blobs):
    X, y, pool, X_test, y_test = blobs
    both = {"X_unlabeled": pool, "X_test": X_test, "y_test": y_test, "random_state": 0}
    three = compare(Ridge(), GRID, X, y, criteria=["quantification_bound", "k_fold", "hold_out"], **both)
    assert three.n_fits.run == CALLS["fit"] == 8 + 40 + 8
    assert list(three.table()["fits"]) == [8, 40, 8]


@pytest.mark.slow
def test_more_questions_to_the_same_fits_add_none(blobs):
    X, y, pool, X_test, y_test = blobs
    criteria = [
        QuantificationBound(),
        KFold(5),
        HoldOut(),
        QuantificationBound(quantifier="pcc"),
        QuantificationBound(measure="macro_f1"),
        QuantificationBound(form="valid"),
        KFold(5, scoring="neg_log_loss"),
        KFold(5, scoring="f1_macro"),
    ]
    comparison = compare(
        LogisticRegression(max_iter=5000), GRID, X, y,
        X_unlabeled=pool, criteria=criteria, X_test=X_test, y_test=y_test, random_state=0,
    )  # fmt: skip
    assert comparison.n_fits.run == 8 + 40 + 8
    assert comparison.n_fits.shared == 8 * 4 + 40 * 2  # four more askers of the full fits, two more of the folds
    assert comparison.n_fits.final == 0


def test_folds_do_not_depend_on_the_other_candidates(blobs):
    X, y, _, _, _ = blobs
    few = plain_search(Ridge(), {"C": [1.0]}, criterion="k_fold", random_state=3).fit(X, y)
    many = plain_search(Ridge(), {"C": [0.1, 1.0, 10.0]}, criterion="k_fold", random_state=3).fit(X, y)
    assert few.best_score_ == many.cv_results_["mean_test_score"][1]


def test_the_bound_needs_no_refit(blobs):
    X, y, pool, _, _ = blobs
    search = plain_search(Ridge(), GRID, random_state=0).fit(X, y, X_unlabeled=pool)
    assert CALLS["fit"] == 8
    assert dict(search.selection_.n_fits) == {"run": 8, "shared": 0, "resumed": 0, "final": 0}


def test_without_room_for_models_there_is_one_final_fit(blobs):
    X, y, pool, _, _ = blobs
    kept = plain_search(Ridge(), GRID, random_state=0).fit(X, y, X_unlabeled=pool)
    CALLS.clear()
    search = plain_search(Ridge(), GRID, keep_models=0, random_state=0).fit(X, y, X_unlabeled=pool)
    assert CALLS["fit"] == 9
    assert search.selection_.n_fits.final == 1
    assert (search.predict(pool) == kept.predict(pool)).all()


def test_folds_are_followed_by_one_final_fit_and_none_without_refit(blobs):
    X, y, pool, _, _ = blobs
    search = plain_search(Ridge(), GRID, criterion="k_fold", random_state=0).fit(X, y, X_unlabeled=pool)
    assert search.selection_.n_fits.run == 40
    assert search.selection_.n_fits.final == 1
    assert search.selection_.shares.sum() == pytest.approx(1)
    bare = plain_search(Ridge(), GRID, criterion="k_fold", refit=False, random_state=0).fit(X, y)
    assert bare.selection_.n_fits.final == 0
    assert not hasattr(bare, "best_estimator_")
    with pytest.raises(AttributeError, match="no attribute 'predict'"):
        bare.predict(X)


def test_a_candidate_that_fails_is_reported_and_ranked_last(blobs):
    X, y, pool, _, _ = blobs
    with pytest.warns(FitFailedWarning, match=r"1 of 3 candidates failed.*no fit at C=1"):
        search = plain_search(Ridge(fail_at=1), {"C": [0.1, 1, 10]}, random_state=0).fit(X, y, X_unlabeled=pool)
    assert search.cv_results_["params"] == [{"C": 0.1}, {"C": 1}, {"C": 10}]
    assert np.isnan(search.cv_results_["mean_test_score"][1])
    assert search.cv_results_["rank_test_score"][1] == 3
    assert search.selection_.table()["notes"].iloc[-1] == "failed: RuntimeError: no fit at C=1"
    healthy = plain_search(Ridge(), {"C": [0.1, 10]}, random_state=0).fit(X, y, X_unlabeled=pool)
    assert search.best_score_ == healthy.best_score_


def test_a_failure_is_no_smaller_family(blobs):
    """δ/N keeps its N: criteria see the number of candidates that were asked for."""
    X, y, pool, _, _ = blobs
    seen = []

    class Spy(QuantificationBound):
        def evaluate(self, task):
            seen.append((len(task.candidates), task.n_asked))
            return super().evaluate(task)

    with pytest.warns(FitFailedWarning):
        plain_search(Ridge(fail_at=1), {"C": [0.1, 1, 10]}, criterion=Spy()).fit(X, y, X_unlabeled=pool)
    assert seen[-1] == (2, 3)


class Mute(LogisticRegression):
    """Is trained well, and at C=1 has no evidence."""

    def log_marginal_likelihood(self):
        if self.C == 1:
            raise ArithmeticError("no determinant")
        return -self.C


def test_a_model_that_fails_in_one_answer_did_not_fail_to_fit(blobs):
    X, y, pool, _, _ = blobs
    with pytest.raises(
        CandidatesFailed, match=r"the only candidate, C=1, failed to give evidence: ArithmeticError: no deter"
    ):
        plain_search(Mute(), {"C": [1]}, criterion="evidence").fit(X, y, X_unlabeled=pool)
    with pytest.warns(
        FitFailedWarning, match=r"1 of 2 candidates failed to give evidence and are ranked last; C=1: Arithm"
    ):
        search = plain_search(Mute(), {"C": [1, 2]}, criterion="evidence").fit(X, y, X_unlabeled=pool)
    assert search.best_params_ == {"C": 2}
    comparison = compare(Mute(), {"C": [1]}, X, y, X_unlabeled=pool, criteria=["leave_one_out", "evidence"])
    notes = comparison.table().set_index("criterion")["notes"]
    assert notes["evidence"].startswith("n/a: the only candidate, C=1, failed to give evidence")


def test_all_fail(blobs):
    X, y, pool, _, _ = blobs
    with pytest.raises(CandidatesFailed, match=r"the only candidate, C=1, failed to fit: RuntimeError: no fit at C=1"):
        plain_search(Ridge(fail_at=1), {"C": [1]}).fit(X, y, X_unlabeled=pool)
    with pytest.raises(RuntimeError, match="no fit at C=1"):
        plain_search(Ridge(fail_at=1), {"C": [1, 2]}, error_score="raise").fit(X, y, X_unlabeled=pool)
    with pytest.warns(FitFailedWarning):
        scored = plain_search(Ridge(fail_at=1), {"C": [1, 2]}, error_score=-7).fit(X, y, X_unlabeled=pool)
    assert scored.cv_results_["mean_test_score"][0] == -7
    assert scored.best_params_ == {"C": 2}


def test_a_time_budget_chooses_among_the_complete(blobs, clock):
    X, y, pool, _, _ = blobs
    search = plain_search(Ridge(sleep=0.1), GRID, time_budget=0.35, random_state=0)
    with pytest.warns(StoppedEarly, match=r"time budget of 0.35 s.*of 8 candidates"):
        search.fit(X, y, X_unlabeled=pool)
    done = 8 - len(search.selection_.unfinished)
    assert done == 4
    assert CALLS["fit"] == done
    assert [c.index for c in search.selection_.unfinished] == list(range(done, 8))
    assert "time budget" in search.selection_.stopped
    assert np.isnan(search.cv_results_["mean_test_score"][done:]).all()


def test_nothing_complete_is_answered_by_the_constant_model_and_says_how_to_continue(blobs, clock, tmp_path):
    X, y, _, _, _ = blobs
    search = plain_search(Ridge(sleep=0.2), GRID, criterion="k_fold", time_budget=0.1)
    with pytest.warns(StoppedEarly, match="before one candidate was complete, so the model is the constant one"):
        search.fit(X, y)
    (note,) = [note for note in search.selection_.notes if "ran out" in note]
    assert note.remedies == (KeepJournal(),)
    assert (search.predict(X) == np.unique(y)[np.unique(y, return_counts=True)[1].argmax()]).all()
    assert search.best_score_ == np.unique(y, return_counts=True)[1].max() / len(y)
    assert len(search.selection_.unfinished) == len(search.cv_results_["params"]) - 1 == 8
    with pytest.warns(StoppedEarly, match="run it again to continue, as its answers are in the journal"):
        search.set_params(journal=tmp_path / "j").fit(X, y)


class SlowAtLast(GaussianNB):
    """Takes as long as the fit on every label has no time for."""

    def fit(self, X, y, sample_weight=None):
        with suppress(Exception):
            time.sleep(60 * (len(X) == 60))
        return super().fit(X, y, sample_weight)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no timers")
def test_a_choice_that_cannot_be_trained_in_time_is_answered_by_the_constant_model(blobs, monkeypatch):
    monkeypatch.setattr("foldless.core.time_budget.LATER", 3.0)
    patched(monkeypatch, wakes=True)
    X, y, _, _, _ = blobs
    start = time.monotonic()
    search = plain_search(SlowAtLast(), criterion="k_fold", time_budget=1)
    with pytest.warns(StoppedEarly, match="before the chosen model was trained on every label, so the model is"):
        search.fit(X, y)
    assert time.monotonic() - start < 20
    assert len(set(search.predict(X))) == 1
    assert search.selection_.estimate is None


def test_a_certificate_needs_a_candidate_that_is_complete(blobs):
    X, y, pool, _, _ = blobs
    with pytest.raises(Unfinished, match="before one candidate was complete"):
        foldless.certify(Ridge(), X, y, X_unlabeled=pool, time_budget=1e-9)


class Asleep(GaussianNB):
    """Sleeps for longer than anybody waits, and does not want to be woken."""

    def fit(self, X, y, sample_weight=None):
        with suppress(Exception):
            time.sleep(60)
        return super().fit(X, y, sample_weight)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no timers")
@pytest.mark.parametrize("criterion", ["combination", "auto", "k_fold"])
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_a_fit_that_sleeps_is_left_behind(blobs, criterion, n_jobs):
    X, y, pool, _, _ = blobs
    start = time.monotonic()
    search = FoldlessSearch(
        {"first": GaussianNB(), "last": Asleep()}, criterion=criterion, time_budget=1, n_jobs=n_jobs
    )
    with pytest.warns(StoppedEarly):
        search.fit(X, y, X_unlabeled=pool)
    assert search.best_params_["estimator"] in ("first", "constant")  # workers take some time to start
    assert time.monotonic() - start < 40  # of 60; on two busy cores


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no timers")
def test_the_answers_of_a_part_of_a_family_are_used(blobs, monkeypatch):
    """The candidates of one estimator are asked together: those that are complete count when the time is up."""
    patched(monkeypatch, wakes=True)
    X, y, _, _, _ = blobs
    search = FoldlessSearch(Slower(), {"seconds": [0.0, 5.0]}, criterion="combination", time_budget=1)
    with pytest.warns(StoppedEarly, match="chosen among the 1 of 2 candidates"):
        search.fit(X, y)
    assert search.best_params_ == {"seconds": 0.0}
    assert [c.params for c in search.selection_.unfinished] == [{"seconds": 5.0}]


class Slower(GaussianNB):
    def __init__(self, seconds=0.0):
        super().__init__()
        self.seconds = seconds

    def fit(self, X, y, sample_weight=None):
        time.sleep(self.seconds)
        return super().fit(X, y, sample_weight)


@pytest.mark.skipif(os.name == "nt", reason="no timers")
def test_a_run_that_somebody_else_ends_has_no_answer(blobs):
    """A command whose time is up ended with "no candidate answers: None", as if its fits had failed."""
    X, y, _, _, _ = blobs
    with pytest.raises(Overtime), woken_after(0.3):
        plain_search(Slower(5.0), criterion="k_fold").fit(X, y)


def test_answers_about_a_large_pool_stay_small():
    rng = np.random.default_rng(0)
    X, pool = rng.normal(size=(60, 2)), rng.normal(size=(1_000_000, 2))
    y = (X[:, 0] > 0).astype(int)
    from foldless.core import PoolRows, Task
    from foldless.data._opening import open_sample
    from foldless.engine._candidates import build
    from foldless.engine._driving import Drive, drive

    data = open_sample(X, y, pool)
    candidates, recipes = build(Ridge(), GRID, None, 0)
    engine = Engine(data, recipes)
    labeled, unlabeled, _ = data.rows()
    task = Task(data.target, labeled, PoolRows(unlabeled), candidates, 8, 0)
    drive(engine, task, [Drive(c, task) for c in (QuantificationBound(), QuantificationBound(measure="macro_f1"))])
    examined = 60 + 2 * 100  # the labels, and pool rows in two orders
    assert sum(answer.nbytes for answer in engine.answers.values()) == 8 * (1_000_000 + examined)
    drive(engine, task, [Drive(Bootstrap632(2), task)])
    assert len(engine.ran) == 8 + 16


def test_a_criterion_may_ask_in_several_rounds(blobs):
    """Answers of an earlier round are there when a candidate drops out in a later one."""
    from dataclasses import dataclass

    from foldless.core import Ask, Choice, Criterion

    X, y, pool, _, _ = blobs

    @dataclass(frozen=True)
    class TwoRounds(Criterion):
        def evaluate(self, task):
            first = yield [Ask(task.full(c), task.unlabeled) for c in task.candidates]
            second = yield [Ask(task.fit(c, task.labeled.at(np.arange(30))), task.labeled) for c in task.candidates]
            assert len(first) == len(second) == len(task.candidates)
            return [Choice(c, float(c.index), (task.full(c),)) for c in task.candidates]

    search = plain_search(Ridge(), {"C": [1, 2, 3]}, criterion=TwoRounds()).fit(X, y, X_unlabeled=pool)
    assert search.best_params_ == {"C": 3}
    assert CALLS["fit"] == 6


class Unsure(Ridge):
    """Gives labels, and probabilities that are none where C is large."""

    def predict_proba(self, X):
        p = 1 / (1 + np.exp(-self.decision_function(X)))
        return p / p.sum(axis=1, keepdims=True) if self.C < 10 else np.full_like(p, np.nan)


def test_a_question_that_cannot_be_answered_fails_those_who_asked_it(blobs, tmp_path):
    X, y, pool, _, _ = blobs
    grid, journal = {"C": [0.1, 1.0, 10.0]}, tmp_path / "journal"
    settings = {"X_unlabeled": pool, "random_state": 0}
    with pytest.warns(FitFailedWarning, match=r"1 of 3 candidates .* C=10: .* probabilities are not all finite"):
        both = compare(Unsure(), grid, X, y, criteria=["ada", "quantification_bound"], journal=journal, **settings)
    assert [c.name for c in both["ada"].failed] == ["C=10"]
    assert len(both["ada"].ranking) == 2
    assert not both["quantification_bound"].failed
    alone = compare(Unsure(), grid, X, y, criteria=["quantification_bound"], **settings)
    assert [(c.candidate, c.score) for c in both["quantification_bound"].ranking] == [
        (c.candidate, c.score) for c in alone["quantification_bound"].ranking
    ]
    again = compare(Unsure(), grid, X, y, criteria=["quantification_bound"], journal=journal, **settings)
    assert again.n_fits.run == 0  # the journal has the answers that there were
    with pytest.raises(CandidatesFailed, match="the only candidate"):
        compare(Unsure(C=10), None, X, y, criteria=["ada"], **settings)
    with pytest.raises(ValueError, match="its probabilities are not all finite numbers"):
        plain_search(Unsure(), grid, criterion="ada", error_score="raise").fit(X, y, X_unlabeled=pool)


def test_a_graph_with_parts_that_have_no_label():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 6))
    X[20:] += 100
    with pytest.warns(RuntimeWarning, match="invalid value encountered in divide"):  # scikit-learn's, of its rows
        comparison = compare(
            LabelPropagation(kernel="knn"), {"n_neighbors": [2, 4]}, X[:3], np.arange(3),
            X_unlabeled=X[3:], criteria=["tri", "quantification_bound", "ada"], random_state=0,
        )  # fmt: skip
    assert set(comparison.selections) == {"tri", "quantification_bound"}
    assert "probabilities are not all finite" in comparison.table()["notes"][2]


def test_a_criterion_that_cannot_answer_after_some_rounds_is_a_row_without_a_choice(blobs):
    class Hesitant(TRI):
        def evaluate(self, task):
            yield [Ask(task.full(c), task.unlabeled) for c in task.candidates]
            raise CannotAnswer("not after all")

    X, y, pool, _, _ = blobs
    comparison = compare(Ridge(), GRID, X, y, X_unlabeled=pool, criteria={"k": KFold(3), "h": Hesitant()})
    assert comparison.table()["notes"].tolist() == ["", "n/a: not after all"]
    with pytest.raises(CannotAnswer, match="not after all"):
        plain_search(Ridge(), GRID, criterion=Hesitant()).fit(X, y, X_unlabeled=pool)
    with pytest.raises(CannotAnswer, match="not after all"):
        compare(Ridge(), GRID, X, y, X_unlabeled=pool, criteria=[Hesitant()])


@pytest.mark.slow
def test_learners_that_free_the_gil_run_in_threads_and_the_user_may_choose_otherwise(blobs, monkeypatch):
    import joblib

    from foldless.engine import _executing
    from foldless.learners import LinearSVC

    X, y, pool, _, _ = blobs
    backends = []

    class Watched(_executing.Parallel):
        def __call__(self, iterable):
            backends.append(type(self._backend).__name__)
            return super().__call__(iterable)

    def scores(estimator, **grid):
        search = FoldlessSearch(estimator, grid, criterion="k_fold", n_jobs=2, random_state=0)
        return search.fit(X, y, X_unlabeled=pool).cv_results_["mean_test_score"]

    monkeypatch.setattr(_executing, "Parallel", Watched)
    monkeypatch.setattr("foldless.engine._placement.WAITING", 0.0)  # what is left is worth threads, however short
    in_threads = scores(LinearSVC(), C=[0.1, 1.0])
    assert set(backends) == {"ThreadingBackend"}
    backends.clear()
    scores(RandomForestClassifier(20, random_state=0), min_samples_leaf=[1, 2])
    assert set(backends) == {"ThreadingBackend"}
    backends.clear()
    scores(Ridge(), C=[0.1, 1.0])
    assert "ThreadingBackend" not in backends
    backends.clear()
    with joblib.parallel_config(backend="loky"):
        np.testing.assert_array_equal(scores(LinearSVC(), C=[0.1, 1.0]), in_threads)
    assert set(backends) == {"LokyBackend"}


def test_warnings_of_fits_in_threads_are_said_once(blobs):
    from foldless.learners import LogisticRegression

    X, y, pool, _, _ = blobs
    search = FoldlessSearch(LogisticRegression(max_iter=1), {"C": [1.0, 100.0]}, criterion="k_fold", n_jobs=2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        search.fit(X, y, X_unlabeled=pool)
    assert [str(each.message) for each in caught if "fits)" in str(each.message)]
    assert len(caught) == 1


class Leaving(GaussianNB):
    """Ends the program."""

    def fit(self, X, y, sample_weight=None):
        raise SystemExit(3)


class Misnamed(GaussianNB):
    """Says that it knows other classes."""

    def __init__(self, names=()):
        super().__init__()
        self.names = names

    def fit(self, X, y, sample_weight=None):
        super().fit(X, y)
        self.classes_ = np.array(self.names)
        return self


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.FitFailedWarning")
@pytest.mark.parametrize(
    ("odd", "words"),
    [
        (Leaving(), r"it called sys.exit\(3\)"),
        (make_pipeline(StandardScaler(), Leaving()), r"it called sys.exit\(3\)"),
        (Misnamed((7, 8, 9)), "none of them is a label of y"),
    ],
)
def test_an_odd_fit_is_the_failure_of_its_candidate(blobs, odd, words):
    X, y, pool, _, _ = blobs
    search = FoldlessSearch({"plain": GaussianNB(), "odd": odd}, criterion="combination")
    search.fit(X, y, X_unlabeled=pool)
    assert search.best_params_["estimator"] == "plain"
    (error,) = search.selection_.failed.values()
    assert re.search(words, str(error))


@pytest.mark.parametrize("several", [list, tuple])
def test_several_estimators_are_a_dict(blobs, several):
    X, y, _, _, _ = blobs
    with pytest.raises(ValueError, match="several estimators are a dict with a name for each"):
        FoldlessSearch(several([GaussianNB(), LogisticRegression()])).fit(X, y)
