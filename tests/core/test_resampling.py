import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    PredefinedSplit,
    RepeatedKFold,
    ShuffleSplit,
    StratifiedKFold,
    TimeSeriesSplit,
)

from foldless.core._resampling import batches, bootstraps, folds, hold_outs, leave_one_out
from foldless.errors import BadInput

Y = np.arange(20) % 3


def content(splits) -> list[tuple[list[int], list[int]]]:
    return [(train.tolist(), test.tolist()) for train, test in splits]


def rng(seed=0) -> np.random.Generator:
    return np.random.default_rng(seed)


# folds


@given(st.integers(2, 20), st.integers(0, 2**32 - 1))
def test_every_row_is_tested_once(k, seed):
    splits = folds(k, Y, None, seed)
    assert len(splits) == k
    assert sorted(np.concatenate([test for _, test in splits])) == list(range(20))
    for train, test in splits:
        assert sorted([*train, *test]) == list(range(20))
    sizes = [len(test) for _, test in splits]
    assert max(sizes) - min(sizes) <= 1


def test_folds_are_random_and_not_stratified():
    halves = np.repeat([0, 1], 50)
    counts = [int(halves[test].sum()) for seed in range(20) for _, test in folds(5, halves, None, seed)]
    assert len(set(counts)) > 3
    assert content(folds(5, Y, None, 0)) == content(folds(5, Y, None, 0)) != content(folds(5, Y, None, 1))
    assert content(folds(5, Y, None, 0)) == content(folds(5, Y[::-1], None, 0))
    assert content(folds(np.int64(5), Y, None, 0)) == content(folds(5, Y, None, 0))


def test_groups_stay_together_in_folds():
    groups = np.array(list("aabbccddee") * 2)
    splits = folds(3, Y, groups, 0)
    assert sorted(np.concatenate([test for _, test in splits])) == list(range(20))
    assert all(not set(groups[train]) & set(groups[test]) for train, test in splits)
    assert content(splits) != content(folds(3, Y, groups, 1))


@pytest.mark.parametrize("k", [-1, 0, 1, 21])
def test_folds_that_cannot_be_made(k):
    with pytest.raises(BadInput, match=f"^{k} folds cannot be made of 20 labeled rows: choose between 2 and 20"):
        folds(k, Y, None, 0)


def test_more_folds_than_groups():
    with pytest.raises(BadInput, match="3 folds cannot be made of 2 groups"):
        folds(3, Y, np.arange(20) % 2, 0)


@pytest.mark.parametrize("k", [2.0, "5", None, True, KFold, [([0], [1])], np.float64(3)])
def test_folds_that_are_no_number_and_no_splitter(k):
    with pytest.raises(BadInput, match="whole number or a splitter object with split"):
        folds(k, Y, None, 0)


# splitter objects


def test_a_splitter_gives_its_own_splits():
    mine = folds(KFold(4), Y, None, 0)
    assert content(mine) == content(KFold(4).split(Y))
    assert content(folds(TimeSeriesSplit(3), Y, None, 0)) == content(TimeSeriesSplit(3).split(Y))
    predefined = PredefinedSplit(np.arange(20) % 2)
    assert content(folds(predefined, Y, None, 5)) == content(predefined.split())


def test_a_splitter_sees_the_labels_and_the_groups():
    stratified = folds(StratifiedKFold(5), Y, None, 0)
    assert all(len(set(Y[test])) == 3 for _, test in stratified)
    groups = np.arange(20) // 5
    assert len(folds(LeaveOneGroupOut(), Y, groups, 0)) == 4
    assert content(folds(GroupKFold(2), Y, groups, 0)) == content(GroupKFold(2).split(Y, Y, groups))


@pytest.mark.parametrize(
    "splitter", [ShuffleSplit(3), KFold(3, shuffle=True), RepeatedKFold(n_splits=2, n_repeats=2)], ids=repr
)
def test_a_splitter_without_a_seed_is_seeded_and_left_as_it_was(splitter):
    first = content(folds(splitter, Y, None, 0))
    assert first == content(folds(splitter, Y, None, 0))
    assert first != content(folds(splitter, Y, None, 1))
    assert splitter.random_state is None


def test_a_splitter_with_a_seed_keeps_it():
    seeded = ShuffleSplit(2, random_state=7)
    assert content(folds(seeded, Y, None, 0)) == content(folds(seeded, Y, None, 1)) == content(seeded.split(Y))
    drawing = ShuffleSplit(2, random_state=np.random.RandomState(7))
    assert content(folds(drawing, Y, None, 0)) == content(folds(drawing, Y, None, 1))


def test_splits_may_be_masks():
    class Halves:
        def split(self, X, y=None, groups=None):
            yield np.arange(len(X)) % 2 == 0, np.arange(len(X)) % 2 == 1

    assert content(folds(Halves(), Y, None, 0)) == [(list(range(0, 20, 2)), list(range(1, 20, 2)))]


def test_a_splitter_that_cannot_split_says_so():
    with pytest.raises(BadInput, match=r"^KFold cannot split the 20 labeled rows: .*n_splits=30"):
        folds(KFold(30), Y, None, 0)
    with pytest.raises(BadInput, match=r"LeaveOneGroupOut cannot split the 20 labeled rows: .*groups"):
        folds(LeaveOneGroupOut(), Y, None, 0)


@pytest.mark.parametrize("pairs", [[], [(np.arange(3), np.array([], int))], [(np.array([], int), np.arange(3))]])
def test_a_splitter_must_leave_rows_on_both_sides(pairs):
    class Lopsided:
        def split(self, X, y=None, groups=None):
            return iter(pairs)

    with pytest.raises(BadInput, match="no split with rows on both sides"):
        folds(Lopsided(), Y, None, 0)


# leave one out


def test_every_row_or_group_is_left_out_once():
    assert content(leave_one_out(np.array([0, 1, 0]), None)) == [([1, 2], [0]), ([0, 2], [1]), ([0, 1], [2])]
    groups = np.array(["b", "a", "b"])
    assert content(leave_one_out(np.array([0, 1, 0]), groups)) == [([0, 2], [1]), ([1], [0, 2])]


@pytest.mark.parametrize(("y", "groups"), [([0], None), ([0, 1], ["a", "a"])])
def test_nothing_to_leave_out(y, groups):
    with pytest.raises(BadInput, match=r"LeaveOne.* cannot split the . labeled rows"):
        leave_one_out(np.array(y), groups and np.array(groups))


# hold-outs


@pytest.mark.parametrize(
    ("n", "test_size", "held"), [(10, 0.3, 3), (10, 0.25, 2), (2, 0.9, 1), (2, 0.01, 1), (3, 0.5, 2), (7, 0.99, 6)]
)
def test_the_share_held_out_leaves_rows_on_both_sides(n, test_size, held):
    splits = hold_outs(test_size, 4, np.arange(n) % 2, None, 0)
    assert [len(test) for _, test in splits] == [held] * 4
    assert all(sorted([*train, *test]) == list(range(n)) for train, test in splits)


def test_repeated_hold_outs_are_different_draws():
    splits = hold_outs(0.3, 10, Y, None, 0)
    assert len({tuple(sorted(test)) for _, test in splits}) > 5
    assert content(splits) == content(hold_outs(0.3, 10, Y, None, 0)) != content(hold_outs(0.3, 10, Y, None, 1))
    assert content(hold_outs(0.3, 1, Y, None, 0)) == content(splits)[:1]


def test_hold_outs_take_whole_groups():
    groups = np.repeat(np.arange(10), 2)
    for train, test in hold_outs(0.3, 5, Y, groups, 0):
        assert not set(groups[train]) & set(groups[test])
        assert len(set(groups[test])) == 3


@pytest.mark.parametrize("test_size", [0, 1, -0.1, 1.5, float("nan"), 3])
def test_a_share_outside_zero_and_one(test_size):
    with pytest.raises(BadInput, match=r"test_size must be a number in \(0, 1\), got"):
        hold_outs(test_size, 1, Y, None, 0)


def test_hold_outs_that_cannot_be_made():
    with pytest.raises(BadInput, match="repeats must be a whole number, 1 or more, got 0"):
        hold_outs(0.3, 0, Y, None, 0)
    with pytest.raises(BadInput, match="at least 2 labeled rows or groups, got 1"):
        hold_outs(0.3, 1, Y, np.zeros(20), 0)


# bootstraps


@given(st.integers(3, 12), st.integers(0, 1000))
def test_a_draw_has_two_classes_and_leaves_rows_out(n, seed):
    codes = np.arange(n) % 2
    for train, test in bootstraps(3, codes, None, rng(seed)):
        assert len(train) == n
        assert len(test) > 0
        assert len(set(codes[train])) == 2
        assert set(train) | set(test) == set(range(n))
        assert not set(train) & set(test)


def test_draws_are_with_replacement_and_uniform():
    splits = bootstraps(2000, np.arange(10) % 2, None, rng())
    times = np.bincount(np.concatenate([train for train, _ in splits]), minlength=10)
    assert times.sum() == 20_000
    # Each count is binomial(20000, 1/10): five standard deviations are 212.
    assert np.abs(times - 2000).max() < 212
    left_out = np.mean([len(test) / 10 for _, test in splits])
    assert left_out == pytest.approx(0.9**10, abs=0.02)


def test_bootstraps_draw_whole_groups():
    groups = np.array(["a", "b", "b", "c", "c", "c", "d", "d"])
    codes = np.array([0, 1, 0, 1, 0, 1, 0, 1])
    sizes = {"a": 1, "b": 2, "c": 3, "d": 2}
    for train, test in bootstraps(20, codes, groups, rng()):
        assert not set(groups[train]) & set(groups[test])
        drawn = 0
        for group, size in sizes.items():
            times = np.bincount(train[groups[train] == group], minlength=8)[groups == group]
            assert len(set(times)) == 1
            assert len(times) == size
            drawn += times[0]
        assert drawn == 4


def test_rows_that_no_draw_can_use():
    with pytest.raises(BadInput, match="bootstrap samples of the 2 labeled rows"):
        bootstraps(1, np.array([0, 1]), None, rng())
    with pytest.raises(BadInput, match="label more rows of the rare class"):
        bootstraps(1, np.zeros(9, int), None, rng())
    with pytest.raises(BadInput, match="resamples must be a whole number, 1 or more, got 0"):
        bootstraps(0, Y, None, rng())
    with pytest.raises(BadInput, match="resamples must be a whole number, 1 or more, got '5'"):
        bootstraps("5", Y, None, rng())


@pytest.mark.parametrize("stratify", [True, False])
@pytest.mark.parametrize("n_batches", [1, 2, 7, 20])
def test_batches_are_disjoint_cover_all_and_are_even(n_batches, stratify):
    codes = np.array([0] * 14 + [1] * 5 + [2])
    drawn = batches(n_batches, codes, np.random.default_rng(0), stratify=stratify)
    assert sorted(np.concatenate(drawn)) == list(range(20))
    assert len(drawn) == n_batches
    assert np.ptp([len(batch) for batch in drawn]) <= 1
    counts = np.array([np.bincount(codes[batch], minlength=3) for batch in drawn])
    if stratify:
        assert np.ptp(counts, axis=0).max() <= 1


@pytest.mark.parametrize(
    ("n_batches", "words"), [(0, "got 0"), (2.0, "got 2.0"), (True, "got True"), (4, "n_batches=4")]
)
def test_batches_that_cannot_be_made(n_batches, words):
    with pytest.raises(BadInput, match=words):
        batches(n_batches, np.zeros(3), np.random.default_rng(0))
