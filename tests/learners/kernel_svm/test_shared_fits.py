"""Through a search: one Gram matrix for each γ, the answers of single fits, models held or fitted once more."""

import numpy as np
import pandas as pd
import pytest
from helpers.kernel_problems import rings
from helpers.searches import plain_search
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning, FitFailedWarning
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from foldless import compare
from foldless.core.batch import Member, Part, Question
from foldless.criteria import Bootstrap632, KFold, QuantificationBound
from foldless.errors import CandidatesFailed
from foldless.learners import KernelSVC
from foldless.learners.kernel_svm import _shared_fits as kernel_fits
from foldless.learners.kernel_svm import kernel_svc

GRID = {"C": [0.1, 3.0, 1e3], "gamma": [0.05, 1.0, 20.0]}
CLOSE = {"tol": 1e-6}


class Alone(KernelSVC):
    """One fit after the other."""

    answer_batch = None


@pytest.fixture
def grams(monkeypatch):
    kernels = []
    whole = kernel_fits.gram_of

    def spy(kernel, *others):
        kernels.append(kernel)
        return whole(kernel, *others)

    monkeypatch.setattr(kernel_fits, "gram_of", spy)
    return kernels


def split(k, labeled=90, n=250, noise=0.3):
    X, y = rings(n, k, noise=noise)
    return X[:labeled], np.array([f"c{c}" for c in range(k)])[y[:labeled]], X[labeled:]


@pytest.mark.parametrize(("criterion", "k"), [
    (QuantificationBound(), 2),
    (QuantificationBound(), 4),
    (KFold(5), 2),
    (KFold(5), 4),
    (KFold(4, scoring="roc_auc"), 2),
    (Bootstrap632(6), 4),
])  # fmt: skip
def test_a_batch_answers_what_single_fits_answer(criterion, k, grams):
    X, y, pool = split(k)
    settings = {"criterion": criterion, "random_state": 0}
    batched = plain_search(KernelSVC(**CLOSE), GRID, **settings).fit(X, y, X_unlabeled=pool)
    assert [kernel.gamma for kernel in grams[:3]] == GRID["gamma"]
    assert len(grams) == 3 + batched.selection_.n_fits.final
    single = plain_search(Alone(**CLOSE), GRID, **settings).fit(X, y, X_unlabeled=pool)
    np.testing.assert_allclose(
        batched.cv_results_["mean_test_score"], single.cv_results_["mean_test_score"], atol=0.015
    )
    assert batched.best_params_ == single.best_params_
    assert (batched.predict(pool) == single.predict(pool)).mean() >= 0.99


@pytest.mark.parametrize("limit", [None, 0])
@pytest.mark.parametrize("k", [2, 3])
def test_members_answer_as_models_do(k, limit, monkeypatch):
    """Folds that lack a class, rows that occur twice, questions about any block, scores and labels; also by libsvm."""
    if limit is not None:
        monkeypatch.setattr(kernel_fits, "LIMIT", 4 * 64**2)
    X, y, pool = split(k, labeled=60)
    y = np.r_[y, ["rare", "rare"]]
    X = np.vstack([X, [[3.0, 3.0], [3.2, 3.0]]])
    rows = np.arange(62)
    sets = [rows, rows[:60], rows[rows % 3 != 0], np.r_[rows[20:], rows[20:40]]]
    everywhere = [Part(1), Part(0), Part(0, rows[::3]), Part(1, np.arange(0, 30, 2))]
    members = [
        Member(
            {"C": C, "gamma": gamma}, Part(0, part), y[part],
            tuple(Question(first, response) for first in everywhere for response in ("labels", "scores")), part is rows,
        )
        for part in sets for C in (0.3, 30.0) for gamma in (0.5, "scale")
    ]  # fmt: skip
    answered = KernelSVC(**CLOSE).answer_batch([X, pool], members)
    for member, given in zip(members, answered, strict=True):
        part = member.train.rows
        model = SVC(**member.params, **CLOSE).fit(X[part], y[part])
        assert (given.classes == model.classes_).all()
        for question, answer in zip(member.questions, given.answers, strict=True):
            block = [X, pool][question.part.block]
            asked = block if question.part.rows is None else block[question.part.rows]
            if question.response == "labels":
                assert (answer == model.predict(asked)).mean() > 0.97
            else:
                theirs = model.decision_function(asked)
                assert answer.shape == theirs.shape
                assert np.median(np.abs(answer - theirs)) < 2e-3
        if member.keep:
            assert (given.model.support_ == model.support_).mean() > 0.9 or len(given.model.support_) != len(
                model.support_
            )
            assert (given.model.predict(pool) == given.answers[0]).all()
            assert given.model.get_params()["gamma"] == member.params["gamma"]
        else:
            assert given.model is None


def test_support_counts_in_the_rows_of_the_fit():
    X, y, _ = split(2)
    rows = np.random.default_rng(0).permutation(90)[:70]
    member = Member({"C": 1.0, "gamma": 1.0}, Part(0, rows), y[rows], (), keep=True)
    (given,) = KernelSVC(**CLOSE).answer_batch([X], [member])
    assert (X[rows][given.model.support_] == given.model.support_vectors_).all()


def test_rows_under_two_labels_do_not_share_a_gram_matrix(grams):
    """A criterion may draw labels: the same rows then have others in another fit."""
    X, y, pool = split(2)
    members = [
        Member({"C": 1.0, "gamma": 1.0}, Part(0), labels, (Question(Part(1), "labels"),), keep=False)
        for labels in (y, y[::-1].copy(), y)
    ]
    first, other, again = KernelSVC(**CLOSE).answer_batch([X, pool], members)
    assert len(grams) == 2
    assert (first.answers[0] == again.answers[0]).all()
    assert (first.answers[0] == KernelSVC(gamma=1.0, **CLOSE).fit(X, y).predict(pool)).all()
    assert (other.answers[0] == KernelSVC(gamma=1.0, **CLOSE).fit(X, y[::-1]).predict(pool)).mean() > 0.99
    assert (other.answers[0] != first.answers[0]).any()


def test_precomputed_folds_cut_rows_and_columns():
    X, y, pool = split(3)
    K, across = rbf_kernel(X, gamma=1.0), rbf_kernel(pool, X, gamma=1.0)
    grid = {"C": GRID["C"]}
    for criterion in (QuantificationBound(), KFold(5)):
        settings = {"criterion": criterion, "random_state": 0}
        given = plain_search(KernelSVC(kernel="precomputed", **CLOSE), grid, **settings).fit(K, y, X_unlabeled=across)
        own = plain_search(KernelSVC(gamma=1.0, **CLOSE), grid, **settings).fit(X, y, X_unlabeled=pool)
        np.testing.assert_allclose(given.cv_results_["mean_test_score"], own.cv_results_["mean_test_score"], atol=0.012)
        assert (given.predict(across) == own.predict(pool)).mean() > 0.99


@pytest.mark.parametrize("k", [2, 3])
def test_sparse_is_dense(k):
    X, y, pool = split(k)
    X[np.abs(X) < 0.2], pool[np.abs(pool) < 0.2] = 0, 0
    settings = {"criterion": KFold(4), "random_state": 0}
    dense = plain_search(KernelSVC(**CLOSE), GRID, **settings).fit(X, y)
    other = plain_search(KernelSVC(**CLOSE), GRID, **settings).fit(sparse.csr_array(X), y)
    np.testing.assert_allclose(dense.cv_results_["mean_test_score"], other.cv_results_["mean_test_score"], atol=0.012)
    assert (other.predict(sparse.csr_array(pool)) == dense.predict(pool)).mean() > 0.99


def test_behind_a_scaler(grams):
    """The prefix is another for each training set, so each has its own Gram matrices."""
    X, y, pool = split(3)
    grid = {f"kernelsvc__{name}": values for name, values in GRID.items()}
    search = plain_search(make_pipeline(StandardScaler(), KernelSVC()), grid, criterion=KFold(3), random_state=0)
    search.fit(X, y)
    assert len(grams) == 3 * 3 + 1
    assert search.score(X, y) > 0.6


@pytest.mark.parametrize("workers", ["1", "2"])
def test_threads_do_not_change_a_selection(workers, monkeypatch):
    X, y, pool = split(5)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    first = plain_search(KernelSVC(), GRID, criterion=KFold(5), random_state=0).fit(X, y)
    monkeypatch.setenv("OMP_NUM_THREADS", workers)
    other = plain_search(KernelSVC(), GRID, criterion=KFold(5), random_state=0).fit(X, y)
    assert (first.cv_results_["mean_test_score"] == other.cv_results_["mean_test_score"]).all()
    assert (first.predict(pool) == other.predict(pool)).all()


def test_little_memory_changes_nothing(monkeypatch, grams):
    """Without room for two matrices the base is computed again; coefficients come in pieces."""
    X, y, pool = split(3)
    roomy = plain_search(KernelSVC(**CLOSE), GRID, criterion=KFold(5), random_state=0).fit(X, y)
    monkeypatch.setattr(kernel_fits, "LIMIT", 4 * 96**2 + 5 * 64**2)
    tight = plain_search(KernelSVC(**CLOSE), GRID, criterion=KFold(5), random_state=0).fit(X, y)
    assert len(grams) == 2 * (3 + 1)
    np.testing.assert_allclose(roomy.cv_results_["mean_test_score"], tight.cv_results_["mean_test_score"], atol=0.012)


def test_models_that_are_too_large_are_fitted_once_more(monkeypatch):
    X, y, pool = split(3)
    held = plain_search(KernelSVC(**CLOSE), GRID).fit(X, y, X_unlabeled=pool)
    assert held.selection_.n_fits.final == 0
    monkeypatch.setattr(kernel_svc, "HELD", 0)
    again = plain_search(KernelSVC(**CLOSE), GRID).fit(X, y, X_unlabeled=pool)
    assert again.selection_.n_fits.final == 1
    assert again.best_params_ == held.best_params_
    assert (again.predict(pool) == held.predict(pool)).mean() > 0.99


def test_one_warning_for_a_grid():
    X, y, pool = split(3)
    with pytest.warns(ConvergenceWarning, match="did not converge in 60 steps at C = 1000: ") as warned:
        plain_search(KernelSVC(max_iter=60), {"C": [1e-3, 1e3]}).fit(X, y, X_unlabeled=pool)
    assert len([w for w in warned if issubclass(w.category, ConvergenceWarning)]) == 1


def test_a_cost_that_cannot_be_fails_alone():
    X, y, pool = split(3)
    with pytest.warns(FitFailedWarning, match=r"C == -1.0, must be > 0"):
        search = plain_search(KernelSVC(), {"C": [-1.0, 1.0]}).fit(X, y, X_unlabeled=pool)
    assert np.isnan(search.cv_results_["mean_test_score"][0])
    assert np.isfinite(search.cv_results_["mean_test_score"][1])


def test_frames_keep_their_names():
    X, y, pool = split(3)
    frame, other = (pd.DataFrame(part, columns=["u", "v"]) for part in (X, pool))
    search = plain_search(KernelSVC(), GRID).fit(frame, y, X_unlabeled=other)
    assert search.best_estimator_.feature_names_in_.tolist() == ["u", "v"]
    assert (search.predict(other) == search.predict(other)).all()


def test_criteria_share_their_fits():
    X, y, pool = split(3)
    both = compare(
        KernelSVC(), GRID, X, y, X_unlabeled=pool, criteria=[KFold(4), QuantificationBound()], random_state=0
    )
    assert both.n_fits.run == 9 * 5


def test_each_width_is_a_batch_that_runs_here_with_threads_of_its_own(grams, tmp_path):
    """So a stop, the journal and the progress reach between widths, whatever n_jobs is."""
    X, y, pool = split(3)
    settings = {"criterion": KFold(4), "random_state": 0, "journal": tmp_path / "run.db"}
    plain_search(KernelSVC(**CLOSE), GRID, n_jobs=2, **settings).fit(X, y, X_unlabeled=pool)
    assert len(grams) >= 3  # built in this process
    other = plain_search(KernelSVC(**CLOSE), {**GRID, "gamma": [*GRID["gamma"][:2], 5.0]}, **settings)
    assert other.fit(X, y, X_unlabeled=pool).selection_.n_fits["resumed"] == 2 * 3 * 4


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_sample_weights_count_as_in_theirs(n_jobs):
    X, y, pool = split(3, noise=0.6)
    weights = 0.05 + (y == "c1") * 3.0
    settings = {"criterion": KFold(4), "random_state": 0}
    mine = plain_search(KernelSVC(**CLOSE), GRID, n_jobs=n_jobs, **settings).fit(X, y, sample_weight=weights)
    theirs = plain_search(SVC(**CLOSE), GRID, **settings).fit(X, y, sample_weight=weights)
    plain = plain_search(KernelSVC(**CLOSE), GRID, **settings).fit(X, y)
    np.testing.assert_allclose(mine.cv_results_["mean_test_score"], theirs.cv_results_["mean_test_score"], atol=0.012)
    assert (mine.predict(pool) == theirs.predict(pool)).mean() > 0.99
    assert np.abs(mine.cv_results_["mean_test_score"] - plain.cv_results_["mean_test_score"]).max() > 0.03


@pytest.mark.parametrize("where", ["X", "pool"])
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_what_is_not_finite_is_told(where, value):
    X, y, pool = split(3)
    (X if where == "X" else pool)[7, 1] = value
    message = "contains NaN" if np.isnan(value) else "contains infinity"
    with pytest.raises(CandidatesFailed, match=message):
        plain_search(KernelSVC(), {"C": [1.0, 10.0]}).fit(X, y, X_unlabeled=pool)


def test_scores_of_pairs_are_refused_with_the_remedy():
    X, y, _ = split(3)
    pairs = KernelSVC(decision_function_shape="ovo")
    by_labels = plain_search(pairs, GRID, criterion=KFold(4), random_state=0).fit(X, y)
    plain = plain_search(KernelSVC(), GRID, criterion=KFold(4), random_state=0).fit(X, y)
    assert (by_labels.cv_results_["mean_test_score"] == plain.cv_results_["mean_test_score"]).all()
    two = y != "c2"
    settings = {"criterion": KFold(4, scoring="roc_auc"), "random_state": 0}
    assert plain_search(pairs, {"C": [1.0]}, **settings).fit(X[two], y[two]).best_score_ > 0.5
    settings["criterion"] = KFold(4, scoring="top_k_accuracy")
    X, y, _ = split(4)
    with pytest.raises(CandidatesFailed, match="set decision_function_shape='ovr'"):
        plain_search(pairs, {"C": [1.0]}, **settings).fit(X, y)
