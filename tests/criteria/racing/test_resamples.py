"""The resamples of auto, by the number of labels."""

import numpy as np

from foldless.criteria.racing._resamples import FOLDS, RESAMPLES, resamples


class TestResamples:
    """Folds that keep the class shares come first, unless labels are few."""

    def test_three_times_three_folds_then_bootstraps(self, make_task):
        y = np.array(list("aab") * 20)
        task = make_task(y, n_pool=10, params=[{}])
        drawn = resamples(task)
        assert len(drawn) == RESAMPLES
        for repeat in range(3):
            folds = drawn[3 * repeat : 3 * repeat + 3]
            assert sorted(np.concatenate([fold.test.indices for fold in folds])) == list(range(60))
            for fold in folds:
                assert (y[fold.test.indices] == "b").sum() in (6, 7)
                assert not set(fold.train.indices) & set(fold.test.indices)
        assert all(len(draw.train) == 60 for draw in drawn[9:])

    def test_many_labels_have_larger_training_sets(self, make_task):
        n = FOLDS[0][0]
        drawn = resamples(make_task(np.array(list("ab") * (n // 2)), n_pool=10, params=[{}]))
        assert [len(fold.train) for fold in drawn[:10]] == [n * 4 // 5] * 10
        assert sorted(np.concatenate([fold.test.indices for fold in drawn[:5]])) == list(range(n))

    def test_few_labels_have_bootstraps_only(self, make_task):
        task = make_task(np.array(list("ab") * (FOLDS[-1][0] // 2 - 1)), n_pool=10, params=[{}])
        assert [d.train for d in resamples(task)] == [d.train for d in task.bootstraps(RESAMPLES)]

    def test_a_class_with_one_label_is_in_every_training_set_that_needs_it(self, make_task):
        task = make_task(np.array(["a"] * 59 + ["b"]), n_pool=10, params=[{}])
        assert len(resamples(task)) == RESAMPLES
        assert all(len(np.unique(task.codes(draw.train))) == 2 for draw in resamples(task))

    def test_fewer_of_them_are_the_first_of_all(self, make_task):
        for n in (20, 60):
            task = make_task(np.array(list("ab") * (n // 2)), n_pool=10, params=[{}])
            every = [draw.train for draw in resamples(task)]
            assert [draw.train for draw in resamples(task, 3)] == every[:3]
            assert [draw.train for draw in resamples(task, 20)][:12] == every

    def test_groups_stay_whole(self, make_task):
        groups = np.repeat(np.arange(50), 2)
        task = make_task(np.repeat(list("ab") * 25, 2), n_pool=10, params=[{}], groups=groups)
        for draw in resamples(task):
            assert not set(groups[draw.train.indices]) & set(groups[draw.test.indices])
