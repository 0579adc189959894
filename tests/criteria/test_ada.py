from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy

from foldless.core import ranked
from foldless.criteria import ADA
from foldless.criteria.ada import SMALL, MeanDivergence
from foldless.errors import BadInput, CannotAnswer

SOFT = ("labels", "probabilities")
Y = list("aabb")
DIRECTIONS = ["from_constant", "to_constant"]


def soft(task, *probabilities):
    """Answers of candidates that give these probabilities, one array for all rows each."""

    def answer(ask):
        p = probabilities[ask.fit.candidate.index][ask.rows.indices]
        return p if ask.response == "probabilities" else p.argmax(axis=1)

    return answer


def two(*p):
    """Probabilities of two classes from those of the second."""
    return np.column_stack([1 - np.array(p), p])


@pytest.fixture
def score(make_task, answered):
    """The score of one candidate."""

    def of(p, y=Y, **options):
        task = make_task(y, n_pool=len(p) - len(y), responses=SOFT)
        return answered(ADA(**options), task, soft(task, p))[0].score

    return of


# distances


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_far_from_the_constant_the_divergence_is_the_textbooks(direction):
    rng = np.random.default_rng(0)
    phi, h = rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(4), 50)
    kl = [entropy(phi, row) if direction == "from_constant" else entropy(row, phi) for row in h]
    summary = MeanDivergence(tuple(phi), direction, 1e-12)(h)
    assert summary[0] == pytest.approx(np.mean(kl), rel=1e-9)
    assert summary[1:].tolist() == [*h.min(axis=0), *h.max(axis=0)]


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("size", [1e-3, 3e-5, 1e-7, 1e-10])
def test_near_the_constant_it_is_half_the_chi_square(direction, size):
    phi = np.array([0.5, 0.25, 0.25])
    d = size * np.array([[1.0, -2.0, 1.0], [-3.0, 1.0, 2.0]])
    expected = np.mean((d**2 / (2 * phi)).sum(axis=1))
    assert MeanDivergence(tuple(phi), direction, 1e-12)(phi + d)[0] == pytest.approx(expected, rel=20 * size + 1e-5)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_series_and_the_logarithm_meet(direction):
    away = MeanDivergence((0.5, 0.5), direction, 1e-12)
    below, above = (away(two(0.5 + 0.5 * SMALL * by))[0] / by**2 for by in (1 - 1e-9, 1 + 1e-9))
    assert below == pytest.approx(above, rel=1e-8)
    assert away(two(0.5))[0] == 0


# the score


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_by_hand(score, direction):
    p = two(0.2, 0.3, 0.6, 0.9, 0.4, 0.7)
    loss = -np.mean(np.log([0.8, 0.7, 0.6, 0.9]))
    half = [0.5, 0.5]
    kl = [entropy(half, row) if direction == "from_constant" else entropy(row, half) for row in p]
    labels, pool = np.mean(kl[:4]), np.mean(kl[4:])
    assert labels > pool
    assert score(p, direction=direction) == pytest.approx(loss * labels / pool)


def test_equal_distances_leave_the_training_loss(score):
    p = two(0.2, 0.2, 0.8, 0.8, 0.2, 0.8)
    assert score(p) == pytest.approx(-np.log(0.8))
    assert score(two(0.6, 0.4, 0.6, 0.4, 0.6, 0.4), loss="zero_one") == pytest.approx(0.5)


@given(st.lists(st.floats(0.01, 0.99), min_size=4, max_size=4), st.floats(0.01, 0.99))
def test_swapping_labels_and_pool_leaves_the_ratio(on_labels, on_pool):
    away = MeanDivergence((0.5, 0.5), "from_constant", 1e-12)
    a, b = float(away(two(*on_labels))[0]), float(away(two(on_pool))[0])
    assert ADA()._ratio(a, b) == ADA()._ratio(b, a) >= 1


@pytest.mark.parametrize("shrink", [1e-1, 1e-3, 1e-6, 1e-9])
def test_shrinking_towards_the_constant_leaves_the_ratio(score, shrink):
    """To second order in the size of what is left."""
    f = np.array([0.3, -0.2, 0.4, -0.1, 0.5, 0.6])
    ratio = np.mean(f[4:] ** 2) / np.mean(f[:4] ** 2)
    small = two(*(0.5 + shrink * f))
    loss = -np.mean(np.log(np.r_[small[:2, 0], small[2:4, 1]]))
    # what is left of a probability near one half after rounding bounds the rest
    assert score(small) == pytest.approx(loss * ratio, rel=2 * shrink**2 + 1e-14 / shrink)


def test_a_floor_forces_the_ratio_of_nearly_constant_candidates_to_one(score):
    small = two(*(0.5 + 1e-8 * np.array([1, 1, 1, 1, 9, 9])))
    assert score(small) == pytest.approx(81 * np.log(2), rel=1e-6)
    assert score(small, ratio_floor=1e-9) == pytest.approx(np.log(2), rel=1e-4)


def test_a_candidate_that_never_leaves_the_constant_goes_last(make_task, answered):
    task = make_task(Y, n_pool=2, params=[{}] * 4, responses=SOFT)
    constant = two(*[0.5] * 6)
    on_pool_only, on_labels_only = two(0.5, 0.5, 0.5, 0.5, 0.9, 0.1), two(0.9, 0.1, 0.1, 0.9, 0.5, 0.5)
    bad = two(0.9, 0.9, 0.1, 0.1, 0.9, 0.1)
    for loss in ("log", "zero_one"):
        choices = answered(ADA(loss), task, soft(task, constant, on_pool_only, on_labels_only, bad))
        scores = [choice.score for choice in choices]
        assert scores[:3] == [np.inf] * 3
        assert np.isfinite(scores[3])
        assert [c.candidate.index for c in ranked(ADA(loss), choices)] == [3, 0, 1, 2]
        assert [len(choice.notes) for choice in choices] == [2, 2, 2, 1]
        assert choices[0].notes[1] == "predicts the class shares for every labeled row or for every pool row"


def test_a_candidate_that_says_the_same_of_all_rows_goes_last_wherever_it_stands(make_task, answered):
    task = make_task(list("aaab"), n_pool=2, params=[{}] * 4, responses=SOFT)
    at_shares, beside, elsewhere = (two(*[0.25 + off] * 6) for off in (0.0, 1e-7, 0.3))
    beside[0] += [1e-14, -1e-14]
    hardly = two(*(0.25 + 1e-8 * np.array([1, 2, 1, 3, 2, 1])))
    choices = answered(ADA(), task, soft(task, at_shares, beside, elsewhere, hardly))
    assert [np.isinf(choice.score) for choice in choices] == [True, True, True, False]
    assert [choice.notes[1:] for choice in choices[1:]] == [("predicts the same probabilities for every row",)] * 2 + [
        ()
    ]


def test_an_infinite_best_score_is_told(make_task, answered):
    task = make_task(Y, n_pool=2, params=[{}] * 2, responses=SOFT)
    constant = two(*[0.5] * 6)
    for choice in answered(ADA(), task, soft(task, constant, constant)):
        assert choice.score == np.inf
        assert choice.notes[-1] == "all candidates do, so none is preferred: use another criterion"


def test_certain_candidates_have_finite_scores(score):
    sure = two(0, 0, 1, 1, 0, 1)
    assert 0 < score(sure) < 1e-10
    wrong = two(1, 1, 0, 0, 0, 1)
    assert score(wrong) == pytest.approx(-np.log(1e-12), rel=1e-3)
    assert score(sure, loss="zero_one") == 0


def test_a_class_that_a_candidate_never_names(score):
    p = np.column_stack([two(0.2, 0.3, 0.6, 0.9, 0.4, 0.7), np.zeros(6)])
    assert np.isfinite(score(p, y=["a", "b", "c", "a"]))


def test_zero_one_loss_counts_wrong_labels(score):
    p = two(0.2, 0.7, 0.6, 0.9, 0.2, 0.8)
    away = MeanDivergence((0.5, 0.5), "from_constant", 1e-12)
    ratio = away(p[4:])[0] / away(p[:4])[0]
    assert score(p, loss="zero_one") == pytest.approx(0.25 * max(ratio, 1 / ratio))


# what is asked


def test_only_full_fits_are_asked_and_the_pool_travels_as_five_numbers(make_task, answered, asked):
    task = make_task(Y, n_pool=100, params=[{}, {}], responses=SOFT)
    p = two(*np.linspace(0.1, 0.9, 104))
    answered(ADA(), task, soft(task, p, p))
    assert {ask.fit for ask in asked} == {task.full(c) for c in task.candidates}
    assert all(ask.reduce is not None for ask in asked if ask.rows == task.unlabeled)
    assert MeanDivergence((0.5, 0.5), "from_constant", 1e-12)(p).shape == (5,)


def test_candidates_without_probabilities(make_task):
    with pytest.raises(CannotAnswer, match="ada needs probabilities, which candidate 'candidate 0' does not give"):
        next(ADA().evaluate(make_task(Y, n_pool=2)))


def test_a_candidate_without_probabilities_is_not_judged_and_the_others_are(make_task, answered, asked):
    task = make_task(Y, n_pool=100, params=[{}, {}], responses=SOFT)
    mute = replace(task.candidates[0], responses=frozenset({"labels"}))
    p = two(*np.linspace(0.1, 0.9, 104))
    alone = answered(ADA(), task, soft(task, p, p))[1]
    task = replace(task, candidates=(mute, task.candidates[1]))
    judged, unjudged = answered(ADA(), task, soft(task, p, p))
    assert (judged.candidate, judged.score) == (alone.candidate, alone.score)
    assert np.isnan(unjudged.score)
    assert unjudged.notes == ("not judged: it gives no probabilities",)
    assert [choice.candidate for choice in ranked(ADA(), [unjudged, judged])] == [judged.candidate, mute]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"loss": "hinge"}, "loss must be 'log' or 'zero_one', got 'hinge'"),
        ({"direction": "both"}, "direction must be 'from_constant' or 'to_constant', got 'both'"),
        ({"clip": 0.5}, r"clip must be in \(0, 0.5\), got 0.5"),
        ({"ratio_floor": -1}, "ratio_floor must be 0 or more, got -1"),
    ],
)
def test_options_that_cannot_be_used(options, says, make_task):
    with pytest.raises(BadInput, match=says):
        next(ADA(**options).evaluate(make_task(Y, n_pool=2, responses=SOFT)))
