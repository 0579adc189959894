from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from foldless.core import (
    Ask,
    Candidate,
    Choice,
    Classes,
    Criterion,
    Fit,
    FitCounts,
    PoolRows,
    Rows,
    Task,
    Traits,
    digest,
    ranked,
    ranks_of,
    short,
    together,
    without,
)
from foldless.criteria import BY_NAME, Bootstrap632, HoldOut, KFold, LeaveOneOut, QuantificationBound
from foldless.quantifiers import SigmoidShares


def candidates(n: int, *, semi_supervised: bool = False) -> tuple[Candidate, ...]:
    return tuple(Candidate(at, f"c{at}", {}, semi_supervised=semi_supervised) for at in range(n))


def task_of(y, n_pool=0, n_candidates=1, *, seed=0, groups=None, semi_supervised=False) -> Task:
    y = np.asarray(y)
    pool = Rows(range(len(y), len(y) + n_pool))
    many = candidates(n_candidates, semi_supervised=semi_supervised)
    return Task(Classes(y, np.unique(y)), Rows(range(len(y))), PoolRows(pool), many, len(many), seed, groups)


def content(folds) -> list[tuple[list[int], list[int]]]:
    return [(fold.train.indices.tolist(), fold.test.indices.tolist()) for fold in folds]


# Candidate, Fit, Ask


def test_a_candidate_gives_the_first_response_it_can():
    candidate = Candidate(0, "svm", {}, frozenset({"labels", "scores"}))
    assert candidate.respond("probabilities", "scores", "labels") == "scores"
    assert candidate.respond("scores", "labels") == "scores"
    assert candidate.respond("labels", "scores") == "labels"
    assert candidate.respond("probabilities") is None


def test_unlabeled_rows_mean_nothing_to_a_supervised_fit():
    (candidate,) = candidates(1)
    bare, given_pool = Fit(candidate, Rows(range(3))), Fit(candidate, Rows(range(3)), unlabeled=Rows(range(3, 9)))
    assert bare == given_pool
    assert hash(bare) == hash(given_pool)
    assert given_pool.unlabeled is None


def test_hashes_are_made_of_content_so_they_are_the_same_in_every_process():
    (candidate,) = candidates(1)
    rows, labels = Rows(np.array([4, 2])), np.array([1, 0])
    assert hash(rows) == short(rows.digest) == short(digest("4:6", np.array([4, 2], dtype=np.int64).tobytes()))
    own = digest(labels.astype(np.int64).tobytes())
    assert hash(Fit(candidate, rows, labels)) == hash((0, short(rows.digest), short(own), 0))


def test_a_question_makes_what_it_wants_of_an_answer():
    (candidate,) = candidates(1)
    fit, rows = Fit(candidate, Rows(range(2))), Rows(range(3))
    answer = np.array([1, 2, 3])
    assert Ask(fit, rows).reduced(answer) is answer
    assert Ask(fit, rows, reduce=np.sum).reduced(answer) == 6


def test_candidates_share_the_rows_without_a_label():
    task = task_of([0, 1, 1, 0], n_pool=3, n_candidates=2, semi_supervised=True)
    one, other = (task.fit(c, Rows(np.array([2, 0]))) for c in task.candidates)
    assert one.unlabeled is other.unlabeled
    assert one.unlabeled.indices.tolist() == [1, 3, 4, 5, 6]


def test_unlabeled_rows_are_part_of_a_semi_supervised_fit():
    (candidate,) = candidates(1, semi_supervised=True)
    fits = {
        Fit(candidate, Rows(range(3))),
        Fit(candidate, Rows(range(3)), unlabeled=Rows(range(3, 9))),
        Fit(candidate, Rows(range(3)), unlabeled=Rows(range(3, 8))),
        Fit(candidate, Rows(np.arange(3)), unlabeled=Rows(np.arange(3, 8))),
    }
    assert len(fits) == 3


def test_a_fit_is_its_candidate_rows_and_labels():
    one, two = candidates(2)
    rows, labels = Rows(range(3)), np.array([0, 1, 0])
    same = {Fit(one, rows, labels), Fit(one, rows, labels.astype(np.int8)), Fit(one, Rows(np.arange(3)), labels.copy())}
    assert len(same) == 1
    others = {Fit(one, rows), Fit(two, rows), Fit(one, Rows(range(4))), Fit(one, rows, np.array([1, 0, 0]))}
    assert len(others | same) == 5
    assert Fit(one, rows) != "a fit"


def test_questions_are_equal_by_value():
    (candidate,) = candidates(1)
    fit, again = Fit(candidate, Rows(range(3))), Fit(candidate, Rows(np.arange(3)))
    same = {
        Ask(fit, Rows(range(5)), "scores", SigmoidShares()),
        Ask(again, Rows(np.arange(5)), "scores", SigmoidShares()),
    }
    others = {
        Ask(fit, Rows(range(5)), "scores"),
        Ask(fit, Rows(range(5)), "labels"),
        Ask(fit, Rows(range(4)), "scores"),
        Ask(fit, Rows(range(5)), "scores", SigmoidShares((1,))),
        Ask(Fit(candidate, Rows(range(2))), Rows(range(5)), "scores"),
    }
    assert len(same) == 1
    assert len(same | others) == 6


# Task


def test_class_shares_and_codes():
    task = task_of([0, 2, 2, 1])
    assert task.class_shares().tolist() == [0.25, 0.25, 0.5]
    assert task.codes(Rows(np.array([2, 0]))).tolist() == [2, 0]
    assert task.n_classes == 3


def test_full_is_trained_on_every_label():
    task = task_of([0, 1, 1], n_pool=4, semi_supervised=True)
    full = task.full(task.candidates[0])
    assert full.rows == task.labeled
    assert full.unlabeled == Rows(range(3, 7))
    alone = task_of([0, 1, 1], semi_supervised=True)
    assert alone.full(alone.candidates[0]).unlabeled is None


def test_rows_left_out_of_a_fit_join_the_pool():
    task = task_of([0, 1, 1, 0], n_pool=2, semi_supervised=True)
    fit = task.fit(task.candidates[0], Rows(np.array([0, 2, 2])))
    assert fit.rows.indices.tolist() == [0, 2, 2]
    assert fit.unlabeled.indices.tolist() == [1, 3, 4, 5]
    supervised = task_of([0, 1, 1, 0], n_pool=2)
    assert supervised.fit(supervised.candidates[0], Rows(range(2))).unlabeled is None


SPLITS = {
    "folds": lambda task: task.folds(3),
    "splitter": lambda task: task.folds(StratifiedKFold(3, shuffle=True)),
    "leave_one_out": lambda task: task.leave_one_out(),
    "hold_outs": lambda task: task.hold_outs(0.25, 3),
    "bootstraps": lambda task: task.bootstraps(3),
}


@pytest.mark.parametrize("splits", SPLITS.values(), ids=SPLITS.keys())
def test_splits_do_not_depend_on_the_candidates(splits):
    y = np.arange(12) % 2
    one, many = task_of(y, n_pool=3), task_of(y, n_pool=3, n_candidates=7)
    assert content(splits(one)) == content(splits(one))
    assert content(splits(one)) == content(splits(many))
    assert content(splits(one)) == content(splits(without(many, {many.candidates[0]})))
    assert content(splits(one)) == content(splits(task_of(y)))


@pytest.mark.parametrize("name", ["folds", "splitter", "hold_outs", "bootstraps"])
def test_splits_depend_on_the_seed(name):
    y = np.arange(12) % 2
    assert content(SPLITS[name](task_of(y, seed=1))) != content(SPLITS[name](task_of(y, seed=2)))


def test_splits_train_and_test_on_different_labeled_rows():
    for splits in SPLITS.values():
        for train, test in splits(task_of(np.arange(12) % 2, n_pool=5)):
            assert not set(train.indices) & set(test.indices)
            assert set(train.indices) | set(test.indices) == set(range(12))


def test_splits_are_those_of_the_resampling_with_train_before_test():
    task = task_of(np.arange(12) % 2)
    assert [(len(train), len(test)) for train, test in task.folds(3)] == [(8, 4)] * 3
    assert [(len(train), len(test)) for train, test in task.leave_one_out()] == [(11, 1)] * 12
    assert [(len(train), len(test)) for train, test in task.hold_outs(0.25, 2)] == [(9, 3)] * 2
    assert all(len(train) == 12 for train, _ in task.bootstraps(2))


def test_groups_reach_every_split():
    groups = np.repeat(np.arange(6), 2)
    task = task_of(np.tile([0, 1], 6), groups=groups)
    for name in ("folds", "leave_one_out", "hold_outs", "bootstraps"):
        for train, test in SPLITS[name](task):
            assert not set(groups[train.indices]) & set(groups[test.indices])


def test_each_purpose_has_its_own_generator():
    task = task_of([0, 1], n_candidates=3)
    assert task.rng("a").random() == task_of([0, 1]).rng("a").random()
    assert task.rng("a").random() != task.rng("b").random()
    assert task.rng("a").random() != task_of([0, 1], seed=1).rng("a").random()


def test_a_failed_candidate_leaves_the_task_and_is_still_counted():
    task = task_of([0, 1], n_candidates=3)
    less = without(task, {task.candidates[1]})
    assert [c.index for c in less.candidates] == [0, 2]
    assert less.n_asked == 3
    assert len(task.candidates) == 3


# together


@dataclass(frozen=True)
class Rounds(Criterion):
    """Asks ``width`` questions in each of ``rounds`` rounds, and scores by all it was told."""

    rounds: int
    width: int = 1

    def evaluate(self, task):
        received = []
        for at in range(self.rounds):
            rows = [Rows(range(10 * at + i, 10 * at + i + 1)) for i in range(self.width)]
            answers = yield [Ask(task.full(task.candidates[0]), r) for r in rows]
            received += [(r.start, float(a)) for r, a in zip(rows, answers, strict=True)]
        assert all(answer == start + 0.5 for start, answer in received)
        return [Choice(task.candidates[0], len(received), ())]


def test_together_drives_criteria_of_different_length_in_lockstep():
    task = task_of([0, 1])
    evaluation = together(task, [Rounds(1), Rounds(3, 2), Rounds(0), Rounds(2), Rounds(2, 0)])
    rounds, asks, results = [], next(evaluation), None
    while results is None:
        rounds.append([ask.rows.start for ask in asks])
        try:
            asks = evaluation.send([np.array(ask.rows.start + 0.5) for ask in asks])
        except StopIteration as end:
            results = end.value
    assert rounds == [[0, 0, 1, 0], [10, 11, 10], [20, 21]]
    assert [choices[0].score for choices in results] == [1, 6, 0, 2, 0]


def test_together_of_nothing_returns_nothing():
    with pytest.raises(StopIteration) as end:
        next(together(task_of([0, 1]), []))
    assert end.value.value == []


# ranking


@dataclass(frozen=True)
class Higher(Criterion):
    def evaluate(self, task):
        yield []


@dataclass(frozen=True)
class Lower(Higher):
    better: ClassVar = "lower"


@dataclass(frozen=True)
class Rough(Higher):
    traits: ClassVar = Traits(tolerance=0.1)

    def order_ties(self, tied):
        return tied[::-1]


def order(criterion, *scores) -> list[int]:
    choices = [Choice(c, score, ()) for c, score in zip(candidates(len(scores)), scores, strict=True)]
    return [choice.candidate.index for choice in ranked(criterion, choices)]


def ranks(criterion, *scores) -> dict[int, int]:
    choices = [Choice(c, score, ()) for c, score in zip(candidates(len(scores)), scores, strict=True)]
    return {choice.candidate.index: rank for choice, rank in ranks_of(criterion, ranked(criterion, choices)).items()}


def test_the_best_is_first_and_equals_keep_their_order():
    assert order(Higher(), 0.1, 0.3, 0.2, 0.3) == [1, 3, 2, 0]
    assert order(Lower(), 0.1, 0.3, 0.2, 0.1) == [0, 3, 2, 1]


def test_what_is_not_a_number_goes_last():
    assert order(Higher(), np.nan, 0.1, np.nan, 0.2) == [3, 1, 0, 2]
    assert order(Lower(), np.nan, 0.1, np.nan, 0.2) == [1, 3, 0, 2]
    assert order(Higher(), -np.inf, np.nan, np.inf) == [2, 0, 1]


def test_scores_within_the_tolerance_are_ties_for_the_criterion_to_order():
    assert order(Rough(), 1.0, 0.95, 0.91, 0.5) == [2, 1, 0, 3]
    assert order(Higher(), 1.0, 0.95, 0.91, 0.5) == [0, 1, 2, 3]


def test_ties_are_measured_from_the_best_of_them_so_they_do_not_chain():
    assert order(Rough(), 1.0, 0.92, 0.84) == [1, 0, 2]


def test_ranks_count_ties_once_each():
    assert ranks(Higher(), 0.1, 0.3, 0.3, 0.2) == {1: 1, 2: 1, 3: 3, 0: 4}
    assert ranks(Lower(), 0.1, 0.3, 0.3, 0.2) == {0: 1, 3: 2, 1: 3, 2: 3}
    assert ranks(Rough(), 1.0, 0.95, 0.91, 0.5) == {0: 1, 1: 1, 2: 1, 3: 4}
    assert ranks(Higher(), np.nan, 0.3) == {1: 1, 0: 2}


def test_infinite_scores_are_ties_and_so_are_those_that_are_no_number():
    assert order(Lower(), np.inf, 0.1, np.inf, np.nan, np.nan) == [1, 0, 2, 3, 4]
    assert ranks(Lower(), np.inf, 0.1, np.inf, np.nan, np.nan) == {1: 1, 0: 2, 2: 2, 3: 4, 4: 4}
    assert ranks(Rough(), np.inf, -np.inf, 1e9) == {0: 1, 2: 2, 1: 3}


def test_ranking_does_not_depend_on_the_order_of_the_choices():
    choices = [Choice(c, 0.5, ()) for c in candidates(4)]
    assert [choice.candidate.index for choice in ranked(Higher(), choices[::-1])] == [0, 1, 2, 3]


# names and counts


@pytest.mark.parametrize(("name", "kind"), BY_NAME.items())
def test_a_criterion_is_called_what_users_write(name, kind):
    assert kind().name == name


def test_a_name_shows_what_is_not_the_default():
    assert KFold(10).name == "k_fold(k=10)"
    assert KFold(5, scoring="f1_macro").name == "k_fold(scoring='f1_macro')"
    assert HoldOut(0.5, 10).name == "hold_out(test_size=0.5, repeats=10)"
    assert LeaveOneOut(scoring="roc_auc").name == "leave_one_out(scoring='roc_auc')"
    assert Bootstrap632(variant="esl").name == "bootstrap_632(variant='esl')"
    assert QuantificationBound("macro_f1", "pcc").name == "quantification_bound(measure='macro_f1', quantifier='pcc')"


@pytest.mark.parametrize(
    ("type_name", "name"),
    [
        ("SemiSupervisedCV", "semi_supervised_cv"),
        ("ADA", "ada"),
        ("RankSum", "rank_sum"),
        ("GPEvidence", "gp_evidence"),
    ],
)
def test_names_of_types_become_names_users_write(type_name, name):
    assert type(type_name, (Higher,), {})().name == name


def test_criteria_compare_by_value():
    assert KFold(10) == KFold(10) != KFold(5)
    assert len({KFold(), KFold(5), HoldOut()}) == 2


def test_fit_counts_are_a_mapping():
    counts = FitCounts(run=56, shared=3, final=1)
    assert dict(counts) == {"run": 56, "shared": 3, "resumed": 0, "final": 1}
    assert list(counts) == ["run", "shared", "resumed", "final"]
    assert len(counts) == 4
    assert counts["run"] == counts.run == 56
    assert counts.get("trained") is None
    assert "resumed" in counts
    assert str(counts) == "56 run, 3 shared, 0 resumed, 1 final"
    with pytest.raises(KeyError, match="trained"):
        counts["trained"]
