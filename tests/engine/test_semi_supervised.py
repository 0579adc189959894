"""Semi-supervised learners in batches and behind prefixes: what depends on features is made once, the answers stay."""

import warnings
from typing import ClassVar

import numpy as np
import pytest
from helpers.learners import CALLS, Centered, Scale
from helpers.searches import plain_search
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.semi_supervised import LabelSpreading

from foldless import compare
from foldless.core import Ask, Choice, Criterion, Fit, Rows
from foldless.core.batch import Answered
from foldless.criteria import BY_NAME, TRI, Bootstrap632, Evidence, SimilarData
from foldless.data._opening import open_sample
from foldless.engine._fits import CodedClassifier, label
from foldless.engine._journal import Journal
from foldless.engine._progress import Silent
from foldless.errors import BadInput
from foldless.learners import CoTraining, GPCoTraining, ManifoldGP, MultiViewGP
from foldless.selection._request import Request
from foldless.selection._session import Session

GRID = {"C": [0.1, 1.0, 10.0], "power": [1, 2]}
CRITERIA = {name: kind() for name, kind in BY_NAME.items()} | {
    "similar_data": SimilarData(5),
    "soft": SimilarData(5, answers="probabilities"),
    "bootstrap_632": Bootstrap632(5),
}


class Single(Centered):
    """The same learner without the batch protocol."""

    answer_batch = None
    batch_over = None


class Wide(Centered):
    """The same learner, which also takes its parameter in a batch."""

    batch_over: ClassVar[frozenset[str]] = frozenset({"rows", "labels", "unlabeled", "C"})


class Narrow(Centered):
    """The same learner, which wants one set of unlabeled rows in a batch."""

    batch_over: ClassVar[frozenset[str]] = frozenset({"labels", "C"})


class Apart(Centered):
    """The same learner, which says that its fits do not influence each other."""

    independent: ClassVar[bool] = True


@pytest.fixture
def blobs():
    rng = np.random.default_rng(0)
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 4)) + 2 * np.eye(3, 4)[y]
    CALLS.clear()
    return X[:9], np.array(["one", "three", "two"])[y[:9]], X[9:]


def scores(estimator, grid, blobs, criteria=CRITERIA, **settings):
    X, y, pool = blobs
    comparison = compare(estimator, grid, X, y, X_unlabeled=pool, criteria=criteria, random_state=0, **settings)
    return {name: [c.score for c in one.ranking] for name, one in comparison.selections.items()}, comparison


@pytest.mark.slow
@pytest.mark.parametrize("learner", [Centered, Wide, Narrow])
def test_a_batch_answers_what_single_fits_answer(blobs, learner):
    batched, comparison = scores(learner(), GRID, blobs)
    assert CALLS["centered fit"] == 0
    single, alone = scores(Single(), GRID, blobs)
    assert set(batched) == set(single) == set(CRITERIA)
    for name in CRITERIA:
        assert batched[name] == pytest.approx(single[name], rel=1e-12, abs=1e-12), name
    assert comparison.n_fits == alone.n_fits


def test_what_features_alone_give_is_made_once_per_candidate_and_round(blobs):
    scores(Centered(), GRID, blobs, {"sds": SimilarData(20), "evidence": Evidence()})
    # the fits on the real data, then those on 20 drawn data sets: the same points each time, labeled or not
    assert (CALLS["batch"], CALLS["members"], CALLS["kernel"]) == (2 * 6, 6 + 6 * 20, 2 * 6)
    CALLS.clear()
    scores(Wide(), GRID, blobs, {"sds": SimilarData(20)})
    assert (CALLS["batch"], CALLS["members"]) == (2 * 2, 6 + 6 * 20)


def test_fits_on_other_pools_are_other_batches_unless_the_learner_takes_them(blobs):
    scores(Narrow(), GRID, blobs, {"loo": "leave_one_out"})
    assert (CALLS["batch"], CALLS["members"]) == (9 * 2, 9 * 6)


@pytest.mark.parametrize("names", [["ham", "spam"], [-1, 1], [True, False]])
def test_the_chosen_model_speaks_the_users_labels(names):
    rng = np.random.default_rng(1)
    y = np.arange(60) % 2
    X = rng.normal(size=(60, 2)) + 4 * y[:, None]
    labels = np.array(sorted(names))[y]
    search = plain_search(Centered(), {"C": [1.0, 2.0]}, criterion=SimilarData(5), random_state=0)
    search.fit(X[:6], labels[:6], X_unlabeled=X[6:])
    assert search.selection_.n_fits.final == 0
    assert isinstance(search.best_estimator_, CodedClassifier)
    assert search.classes_.tolist() == search.best_estimator_.classes_.tolist() == sorted(names)
    assert search.score(X, labels) > 0.9
    assert search.predict_proba(X).shape == (60, 2)
    assert search.predict_log_proba(X).shape == (60, 2)
    assert search.best_estimator_.log_marginal_likelihood() == search.best_estimator_.estimator_.evidence_


def labeled_by(names, n=6):
    """Two clouds of 60 rows under two names, the first n of which have a label."""
    y = np.arange(60) % 2
    X = np.random.default_rng(1).normal(size=(60, 2)) + 4 * y[:, None]
    truth = np.array(names)[y]
    return X, truth, np.where(np.arange(60) < n, truth.astype(object), -1)


def test_a_row_that_is_drawn_twice_is_one_row_behind_a_prefix_as_well():
    X, _, y = labeled_by([0, 1], n=10)
    X -= 3 * np.arange(60)[:, None] % 2 * (np.random.default_rng(2).random((60, 1)) < 0.5)  # so that labels matter
    grid, how = {"ratio": [0, 1]}, {"criterion": Bootstrap632(20), "random_state": 0}
    bare = plain_search(ManifoldGP(), grid, **how).fit(X, y.astype(int))
    behind = make_pipeline(FunctionTransformer(), ManifoldGP())
    prefixed = plain_search(behind, {"manifoldgp__ratio": [0, 1]}, **how).fit(X, y.astype(int))
    scores = [search.cv_results_["mean_test_score"] for search in (bare, prefixed)]
    np.testing.assert_allclose(*scores, rtol=1e-12)


def test_labels_that_are_codes_need_no_translation():
    X, truth, y = labeled_by([0, 1])
    for learner, grid in ((Centered(), {"C": [1.0, 2.0]}), (LabelSpreading(), {"alpha": [0.1, 0.2]})):
        search = plain_search(learner, grid, criterion=SimilarData(5), random_state=0).fit(X, y.astype(int))
        assert type(search.best_estimator_) is type(learner)
        assert search.best_estimator_.set_params(**search.best_params_).predict(X).dtype == truth.dtype
        assert search.score(X, truth) > 0.9


@pytest.mark.parametrize("names", [["ham", "spam"], [1, 2]])
def test_the_chosen_model_can_be_trained_again_by_the_users_labels(names):
    X, truth, y = labeled_by(names)
    search = plain_search(LabelSpreading(), {"alpha": [0.1]}, criterion=SimilarData(5), random_state=0).fit(X, y)
    again = clone(search.best_estimator_).fit(X, y)
    assert (again.predict(X) == search.predict(X)).all()
    assert again.classes_.tolist() == names
    assert cross_val_score(search.best_estimator_, X, truth).mean() > 0.9
    other = clone(search.best_estimator_).fit(X, np.where(truth == names[0], "x", "y"))
    assert other.classes_.tolist() == ["x", "y"]
    assert set(other.predict(X)) == {"x", "y"}


def test_labels_that_a_refit_cannot_read():
    X, _, y = labeled_by(["ham", "spam"])
    search = plain_search(LabelSpreading(), {"alpha": [0.1]}, criterion=SimilarData(5), random_state=0).fit(X, y)
    for wrong, words in (
        (y.astype(str), "y holds the string '-1'"),
        (y.tolist(), "y holds the string '-1'"),
        (np.full(60, -1), "all labels are −1"),
        (np.where(y == -1, None, y), "y has no label .* in 54 rows"),
    ):
        with pytest.raises(BadInput, match=words):
            clone(search.best_estimator_).fit(X, wrong)


def test_rows_that_no_label_reaches_have_none():
    X, _, y = labeled_by(["ham", "spam"])
    X[50:] += 1e6
    model = plain_search(LabelSpreading(), {"gamma": [0.5]}, criterion=SimilarData(3), random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of scikit-learn's own training
        chosen = model.fit(X, y).best_estimator_
    labels, n = label(chosen, X)
    assert n == 10
    assert labels[50:].tolist() == [None] * 10
    assert set(labels[:50]) == {"ham", "spam"}
    assert label(Centered().fit(X[:50], np.arange(50) % 2), X[:50])[1] == 0


def test_the_chosen_model_of_a_class_minus_one_reads_it_as_one():
    X, truth, _ = labeled_by([-1, 1])
    search = plain_search(LabelSpreading(), {"alpha": [0.1]}, criterion=SimilarData(5), random_state=0)
    search.fit(X[:6], truth[:6], X_unlabeled=X[6:])
    again = clone(search.best_estimator_).fit(X, truth)
    assert again.classes_.tolist() == [-1, 1]
    assert again.score(X, truth) > 0.9


@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")
@pytest.mark.parametrize("names", [[0, 1], ["ham", "spam"]])
def test_a_distribution_that_is_no_number_names_no_class(names):
    X, truth, y = labeled_by(names)
    grid = {"gamma": [1e4, 0.5]}  # so narrow that most rows are near none
    search = plain_search(LabelSpreading(), grid, criterion=SimilarData(5), random_state=0)
    search.fit(1e3 * X, y if names != [0, 1] else y.astype(int))
    ranking = {choice.candidate.params["gamma"]: choice.score for choice in search.selection_.ranking}
    assert ranking[1e4] < 0.2


def test_a_one_class_set_becomes_constant_in_a_batch(blobs):
    X, y, pool = blobs

    class OneClass(Criterion):
        def evaluate(self, task):
            fits = [
                Fit(c, task.labeled, np.full(9, code), task.unlabeled) for c in task.candidates for code in (0, 2)
            ] + [Fit(c, task.labeled, np.arange(9) % 2, task.unlabeled) for c in task.candidates]
            answers = yield [Ask(fit, task.unlabeled, "probabilities") for fit in fits]
            assert (answers[0] == [1, 0, 0]).all()
            assert (answers[1] == [0, 0, 1]).all()
            assert (answers[2][:, 2] == 0).all()
            assert (answers[2][:, :2] > 0).all()
            return [Choice(c, 0.0, (task.full(c),)) for c in task.candidates]

    plain_search(Centered(), criterion=OneClass()).fit(X, y, X_unlabeled=pool)
    assert (CALLS["members"], CALLS["centered fit"]) == (1, 1)  # the set of two classes, and the final model


def test_rows_that_cross_the_border_are_in_one_block(blobs):
    X, y, pool = blobs

    class Across(Criterion):
        def evaluate(self, task):
            train, rest = Rows(np.r_[2:5, 40:44]), Rows(np.r_[0:2, 5:40, 44:90])
            fits = [Fit(c, train, np.array([0, 1, 2, 0, 1, 2, 0]), rest) for c in task.candidates]
            answers = yield [Ask(fit, Rows(np.r_[80, 3, 50]), "probabilities") for fit in fits]
            return [Choice(c, float(p[0, 0]), (task.full(c),)) for c, p in zip(task.candidates, answers, strict=True)]

    batched = plain_search(Wide(), GRID, criterion=Across()).fit(X, y, X_unlabeled=pool)
    assert CALLS["members"] == 6
    single = plain_search(Single(), GRID, criterion=Across()).fit(X, y, X_unlabeled=pool)
    assert batched.cv_results_["mean_test_score"] == pytest.approx(single.cv_results_["mean_test_score"])


def test_without_a_pool_there_is_nothing_unlabeled(blobs):
    X, y, _ = blobs
    search = plain_search(Centered(), GRID, criterion="evidence").fit(X, y)
    assert search.best_score_ == pytest.approx(Single(**search.best_params_).fit(X, np.arange(9) % 3).evidence_)


def test_a_pipeline_shares_its_prefix_which_sees_the_pool(blobs):
    X, y, pool = blobs
    grid = {"centered__C": GRID["C"], "centered__power": GRID["power"]}
    criteria = {"evidence": "evidence", "bound": "quantification_bound", "loo": "leave_one_out"}
    batched, _ = scores(make_pipeline(Scale(), Centered()), grid, blobs, criteria)
    assert CALLS["scale fit"] == 1 + 9
    assert CALLS["centered fit"] == 0
    lone = {key.replace("centered", "single"): values for key, values in grid.items()}
    fitted, _ = scores(make_pipeline(Scale(), Single()), lone, blobs, criteria)
    assert CALLS["scale fit"] == 2 * (1 + 9)
    assert CALLS["centered fit"] == 6 * (1 + 9)
    scaled = np.concatenate([X, pool]) / np.abs(np.concatenate([X, pool])).max()
    codes = np.r_[np.arange(9) % 3, np.full(81, -1)]
    direct = [Single(C, power).fit(scaled, codes) for C in GRID["C"] for power in GRID["power"]]
    assert sorted(batched["evidence"]) == pytest.approx(sorted(one.evidence_ for one in direct))
    for name in criteria:
        assert batched[name] == pytest.approx(fitted[name])
    search = plain_search(make_pipeline(Scale(), Centered()), grid, criterion="evidence").fit(X, y, X_unlabeled=pool)
    assert search.selection_.n_fits.final == 0
    assert [name for name, _ in search.best_estimator_.estimator_.steps] == ["scale", "centered"]
    assert search.predict(X).tolist() == np.array(["one", "three", "two"])[direct[4].predict(scaled[:9])].tolist()


def test_a_member_that_fails_leaves_the_others_whole(blobs):
    class Picky(Wide):
        def answer_batch(self, blocks, members):
            if any((member.y == 0).sum() > 3 for member in members):
                raise RuntimeError("too many of class 0")
            return super().answer_batch(blocks, members)

    with pytest.warns(RuntimeWarning, match="Picky was fitted one at a time, because its batch failed: .* class 0"):
        picky, _ = scores(Picky(), GRID, blobs, {"sds": SimilarData(10)})
    assert CALLS["centered fit"] > 0
    assert picky["sds"] == pytest.approx(scores(Single(), GRID, blobs, {"sds": SimilarData(10)})[0]["sds"])


def test_a_journal_keeps_independent_members_when_others_join(blobs, tmp_path):
    for learner, kept in ((Centered, 0), (Apart, 6)):
        path = tmp_path / learner.__name__
        few, _ = scores(learner(), GRID, blobs, {"ada": "ada"}, journal=path)
        more, comparison = scores(learner(), GRID, blobs, {"ada": "ada", "boot": Bootstrap632(3)}, journal=path)
        assert (comparison.n_fits.run, comparison.n_fits.resumed) == (24 - kept, kept)
        assert more["ada"] == few["ada"]


@pytest.mark.parametrize(
    "learner",
    [
        GPCoTraining(views=[[0, 1], [2, 3]]),
        MultiViewGP(views=[[0, 1], [2, 3]]),
        ManifoldGP(n_neighbors=5),
        CoTraining(views=[[0, 1], [2, 3]], l1=0.01),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_learners_that_call_their_fits_independent_answer_alike_in_any_batch(blobs, learner):
    assert learner.independent
    X, y, pool = blobs
    engines = []
    for criteria in ([TRI()], [TRI(), Bootstrap632(3), SimilarData(3)]):
        session = Session(Request(learner, None, random_state=0), open_sample(X, y, pool), Silent())
        session.run(criteria)
        engines.append(session.engine.answers)
    few, many = engines
    assert 0 < len(few) < len(many)
    for ask, answer in few.items():
        assert answer.tobytes() == many[ask].tobytes()


def test_questions_that_differ_only_in_what_they_make_of_an_answer_are_asked_once(blobs):
    asked = []

    class Watched(Wide):
        def answer_batch(self, blocks, members) -> list[Answered]:
            asked.extend(len(member.questions) for member in members)
            return super().answer_batch(blocks, members)

    _, comparison = scores(Watched(), GRID, blobs, {"ada": "ada", "soft": SimilarData(2, answers="probabilities")})
    assert len(comparison.selections) == 2
    # probabilities of labels and pool, the labels of the labeled rows and those of pool rows in two orders; then one
    # answer for each data set
    assert asked == [4] * 6 + [1] * 12


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_journal_answers_batches_with_drawn_labels(blobs, tmp_path, n_jobs):
    path = tmp_path / "journal"
    criteria = {"sds": SimilarData(5), "evidence": "evidence"}
    first, comparison = scores(Centered(), GRID, blobs, criteria, journal=path, n_jobs=n_jobs)
    assert comparison.n_fits.run == 6 + 6 * 5
    kept = len(Journal(path))
    again, comparison = scores(Centered(), GRID, blobs, criteria, journal=path)
    assert (comparison.n_fits.run, comparison.n_fits.resumed) == (0, 36)
    assert again == first
    # other draws are other fits; those on the real data are there
    _, comparison = scores(Centered(), GRID, blobs, {"sds": SimilarData(6), "evidence": "evidence"}, journal=path)
    assert (comparison.n_fits.run, comparison.n_fits.resumed) == (36, 6)
    assert len(Journal(path)) > kept
