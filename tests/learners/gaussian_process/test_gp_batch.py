"""A batch answers as its fits would one by one, and makes each kernel once."""

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from helpers.slow import slow_beyond
from helpers.two_views import VIEWS, blobs
from scipy import sparse
from sklearn.base import clone

from foldless import compare
from foldless.core.batch import Member, Part, Question
from foldless.criteria import Evidence, LeaveOneOut, SimilarData
from foldless.learners import GPCoTraining, ManifoldGP, MultiViewGP, ViewGP
from foldless.learners.gaussian_process import _point_sets as gp_clouds
from foldless.learners.gaussian_process.gp_co_training import CoTrainingKernel, Spectrum

X = blobs(50, 6)[0]
X[31] = X[7]  # two rows with one content
RESPONSES = ("labels", "probabilities", "scores")
GRIDS = [
    (GPCoTraining(VIEWS), [{"sigma1": a, "sigma2": b} for a in (2.0, 0.01) for b in (0.5, 0.05)]),
    (GPCoTraining([slice(None)] * 2, kernel=("rbf", "graph")), [{"sigma1": 1.0, "sigma2": s} for s in (100.0, 0.1)]),
    (MultiViewGP(VIEWS), [{"penalty1": 1.0, "penalty2": p, "coupling": 3.0} for p in (0.1, 10.0)]),
    (ManifoldGP(), [{"ratio": r} for r in (0.0, 10.0)]),
    (ViewGP(VIEWS), [{}]),
]


def members(learner, grid, n_sets=4, keep=False):
    """Training sets of 2 to 4 classes and different rows; questions about rows in the pool and outside of it."""
    rng = np.random.default_rng(0)
    computed = []
    for number in range(n_sets):
        order = rng.permutation(50)
        n_classes, n_unlabeled = 2 + number % 3, 50 if number % 2 else 40
        y = rng.permutation(np.arange(8) % n_classes)
        asked = Part(0, rng.permutation(50)[:25])
        questions = (*(Question(asked, response) for response in RESPONSES), Question(Part(0, order[:0]), "evidence"))
        unlabeled = Part(0, order[8:n_unlabeled]) if learner.semi_supervised else None
        train = np.concatenate([order[:8], order[:2]])  # as a bootstrap sample repeats rows
        computed += [
            Member(params, Part(0, train), np.concatenate([y, y[:2]]), questions, keep, unlabeled) for params in grid
        ]
    return computed


def alone(learner, member, X):
    """The fit of a member; of rows that were drawn twice a learner with a pool is given each once."""
    model = clone(learner).set_params(**member.params)
    if member.unlabeled is None:
        return model.fit(X[member.train.rows], member.y)
    drawn, first = np.unique(member.train.rows, return_index=True)
    rows = np.concatenate([drawn, member.unlabeled.rows])
    return model.fit(X[rows], np.concatenate([member.y[first], np.full(len(member.unlabeled.rows), -1)]))


@pytest.mark.parametrize(
    "form", slow_beyond(1, [np.asarray, sparse.csr_array, lambda X: pd.DataFrame(X, columns=list("abcd"))])
)
@pytest.mark.parametrize(("learner", "grid"), GRIDS, ids=repr)
def test_a_batch_answers_as_single_fits(learner, grid, form):
    batch = members(learner, grid)
    given = learner.answer_batch([form(X)], batch)
    for member, answered in zip(batch, given, strict=True):
        model = alone(learner, member, X)
        rows = X[member.questions[0].part.rows]
        expected = (model.predict(rows), model.predict_proba(rows), model.decision_function(rows))
        np.testing.assert_array_equal(answered.classes, model.classes_)
        for mine, other in zip(answered.answers[1:3], expected[1:], strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-4, atol=1e-7)
        np.testing.assert_array_equal(answered.answers[0], expected[0])
        np.testing.assert_allclose(answered.answers[3], [model.log_marginal_likelihood()], rtol=1e-7)


@pytest.mark.parametrize(("learner", "grid"), GRIDS, ids=repr)
def test_rows_that_look_alike_count_and_rows_drawn_twice_do_not(learner, grid):
    """Row 31 has the content of row 7."""
    pool = Part(0, np.arange(8, 31)) if learner.semi_supervised else None
    nothing = (Question(Part(0, np.arange(0)), "evidence"),)
    evidence = {}
    for name, last in (("once", []), ("drawn twice", [7]), ("alike", [31])):
        train, y = np.array([*range(8), *last]), np.array([0, 1] * 4 + [1] * len(last))
        member = Member(grid[0], Part(0, train), y, nothing, False, pool)
        evidence[name] = learner.answer_batch([X], [member])[0].answers[0][0]
        assert evidence[name] == pytest.approx(alone(learner, member, X).log_marginal_likelihood(), rel=1e-9)
    assert evidence["alike"] < evidence["once"] - 0.01
    if learner.semi_supervised:
        assert evidence["drawn twice"] == evidence["once"]
    else:
        assert evidence["drawn twice"] == pytest.approx(evidence["alike"])


@pytest.mark.parametrize(("learner", "grid"), GRIDS, ids=repr)
def test_kept_models_are_the_fitted_ones(learner, grid):
    frame = pd.DataFrame(X, columns=list("abcd"))
    batch = members(learner, grid, n_sets=1, keep=True)
    new = frame.iloc[:5] + 0.1
    for member, answered in zip(batch, learner.answer_batch([frame], batch), strict=True):
        model = pickle.loads(pickle.dumps(answered.model))
        assert model.get_params() == alone(learner, member, X).get_params()
        assert model.feature_names_in_.tolist() == list("abcd")
        for rows in (frame, new):
            expected = alone(learner, member, X).predict_proba(rows.to_numpy())
            np.testing.assert_allclose(model.predict_proba(rows), expected, rtol=1e-4, atol=1e-7)
        assert model.log_marginal_likelihood() == pytest.approx(answered.answers[3][0])


def test_blocks_are_put_together():
    learner, grid = GRIDS[0]
    member = members(learner, grid, n_sets=1)[0]
    # in a block of their own, copies are rows
    member = replace(member, train=Part(0, member.train.rows[:8]), y=member.y[:8])
    whole = learner.answer_batch([X], [member])[0]
    order = np.concatenate([member.train.rows, member.unlabeled.rows, member.questions[0].part.rows])
    cuts = np.cumsum([len(member.train.rows), len(member.unlabeled.rows)])
    blocks = [X[rows] for rows in np.split(order, cuts)]
    questions = tuple(
        Question(Part(2) if question.response != "evidence" else Part(0, order[:0]), question.response)
        for question in member.questions
    )
    apart = Member(member.params, Part(0), member.y, questions, False, Part(1))
    for mine, other in zip(learner.answer_batch(blocks, [apart])[0].answers, whole.answers, strict=True):
        np.testing.assert_allclose(mine, other, rtol=1e-9)


@pytest.fixture
def computed(monkeypatch):
    """How many kernels and decompositions were made."""
    computed = {"kernels": 0, "spectra": 0}
    gram, values = CoTrainingKernel.gram, Spectrum.values.func

    def counted(self):
        computed["kernels"] += 1
        return gram(self)

    def decomposed(self):
        computed["spectra"] += 1
        return self.__dict__.setdefault("values", values(self))

    monkeypatch.setattr(CoTrainingKernel, "gram", counted)
    monkeypatch.setattr(Spectrum.values, "func", decomposed)
    return computed


def test_a_kernel_is_made_once_for_all_label_vectors(computed):
    rng = np.random.default_rng(0)
    learner, grid = GRIDS[0]
    batch = []
    for _ in range(30):  # the same points, cut differently and labeled differently
        order = rng.permutation(50)
        questions = (Question(Part(0, order[4:]), "labels"),)
        batch += [
            Member(params, Part(0, order[:4]), rng.permutation([0, 0, 1, 1]), questions, False, Part(0, order[4:]))
            for params in grid
        ]
    learner.answer_batch([X], batch)
    assert computed == {"kernels": len(grid), "spectra": 1}


def test_a_search_makes_one_kernel_for_each_candidate(computed):
    X, y, _ = blobs(50, 6)
    grid = {"sigma1": [2.0, 0.01], "sigma2": [0.5, 0.05, 1e-3]}
    criteria = {"drawn": SimilarData(7), "evidence": Evidence(), "loo": LeaveOneOut()}
    table = compare(GPCoTraining(VIEWS), grid, X[:6], y[:6], X_unlabeled=X[6:], criteria=criteria, random_state=0)
    assert table.n_fits.run >= 6 * (1 + 7)
    assert computed == {"kernels": 2 * 6, "spectra": 2}  # the real data, then the drawn ones


@pytest.mark.parametrize(("room", "before", "after"), [(2**23, 3, 0), (0, 1, 2 * 4)])
def test_a_series_keeps_what_its_batches_share(computed, monkeypatch, room, before, after):
    """Four sets make three clouds of points; where there is no room, the first of them stays and two are made anew."""
    monkeypatch.setattr(gp_clouds, "KEPT_PAIRS", room)
    learner, grid = clone(GRIDS[0][0]), GRIDS[0][1]
    blocks, batch = [X], members(learner, grid)
    expected = learner.answer_batch(blocks, batch)
    computed["spectra"] = 0
    learner.prepare(blocks, batch)
    assert computed["spectra"] == before
    for number in range(len(grid)):
        given = learner.answer_batch(blocks, batch[number :: len(grid)])
        for answered, other in zip(given, expected[number :: len(grid)], strict=True):
            for mine, theirs in zip(answered.answers, other.answers, strict=True):
                np.testing.assert_array_equal(mine, theirs)
    assert computed["spectra"] == before + after


def test_other_blocks_than_the_prepared_are_answered_on_their_own():
    learner, (params, *_) = clone(GRIDS[0][0]), GRIDS[0][1]
    (member,) = members(learner, [params], n_sets=1)
    learner.prepare([X], [member])
    moved = learner.answer_batch([X + 1.0], [member])[0]
    np.testing.assert_array_equal(
        moved.answers[0], alone(learner, member, X + 1.0).predict(X[member.questions[0].part.rows] + 1.0)
    )
    assert np.abs(moved.answers[2] - learner.answer_batch([X[::-1].copy()], [member])[0].answers[2]).max() > 0.01


@pytest.mark.slow
def test_threads_change_nothing(monkeypatch):
    monkeypatch.setattr("foldless.learners.gaussian_process._laplace_sets.LITTLE", 10)
    learner, grid = GRIDS[0]
    batch = members(learner, grid, n_sets=12)
    by_order = []
    for n_threads in ("1", "3", "9"):
        monkeypatch.setenv("OMP_NUM_THREADS", n_threads)
        by_order.append(learner.answer_batch([X], batch))
    for answered, *others in zip(*by_order, strict=True):
        for other in others:
            for mine, theirs in zip(answered.answers, other.answers, strict=True):
                np.testing.assert_allclose(mine, theirs, rtol=1e-12)


def test_bad_members_are_named():
    learner, grid = GRIDS[0]
    member = members(learner, grid, n_sets=1)[0]
    with pytest.raises(ValueError, match="needs at least 2 classes, the labels hold"):
        learner.answer_batch([X], [Member(member.params, member.train, np.zeros(10, int), (), False, member.unlabeled)])
    with pytest.raises(ValueError, match="sigma1 == -1, must be > 0"):
        learner.answer_batch([X], [replace(member, params={"sigma1": -1, "sigma2": 1}, questions=())])
