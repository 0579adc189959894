from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import beta
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

from foldless.bounds import _bentkus as bentkus
from foldless.bounds import _betting as betting
from foldless.bounds import _empirical_bernstein as empirical_bernstein
from foldless.bounds import _hoeffding as hoeffding
from foldless.bounds import _hoeffding_bentkus as hoeffding_bentkus
from foldless.bounds import _relative_entropy as relative_entropy
from foldless.core import Contents, Overlap, Rows, ranked, without
from foldless.criteria import SemiSupervisedCV
from foldless.errors import BadInput, CannotAnswer
from foldless.judging._copies import GROUPED

N, M = 23, 60  # 23 rows in 5 folds: 5, 5, 5, 4, 4
Y = np.random.default_rng(0).integers(0, 3, N)
MEANS = {
    "betting": betting,
    "kl": relative_entropy,
    "bentkus": bentkus,
    "hb": hoeffding_bentkus,
    "hoeffding": hoeffding,
    "maurer_pontil": empirical_bernstein,
}


def bound(errors, n, delta):
    """The binomial tail, inverted by scipy's own quantiles."""
    return 1.0 if errors == n else float(beta.isf(delta, errors + 1, n - errors))


class Answers:
    """Random predictions of each fit for every row; fits without a fold sometimes differ from the full fit."""

    def __init__(self, task, *, error=0.2, differ=0.1, seed=0):
        self.task, self.error, self.differ, self.seed = task, error, differ, seed
        self.tables = {}

    def table(self, fit):
        if fit not in self.tables:
            salt = [self.seed, fit.candidate.index, 0 if fit.rows == self.task.labeled else int(fit.rows.indices.sum())]
            rng = np.random.default_rng(salt)
            n, rows = len(self.task.y), len(self.task.y) + len(self.task.unlabeled)
            truth = np.concatenate([self.task.y, np.arange(rows - n) % self.task.n_classes])
            rate = np.where(np.arange(rows) < n, self.error, self.differ)
            self.tables[fit] = np.where(rng.random(rows) < rate, (truth + 1) % self.task.n_classes, truth)
        return self.tables[fit]

    def __call__(self, ask):
        return self.table(ask.fit)[ask.rows.indices]

    def errors(self, fits):
        """Out-of-fold errors of each fit, and the size of its fold."""
        folds = [np.setdiff1d(self.task.labeled.indices, fit.rows.indices) for fit in fits]
        return [(int((self.table(fit)[f] != self.task.y[f]).sum()), len(f)) for fit, f in zip(fits, folds, strict=True)]


def fold_fits(task, k, c=0):
    return [task.fit(task.candidates[c], train) for train, _ in task.folds(k)]


def test_the_bound_of_the_paper(make_task, answered, asked):
    task = make_task(Y, n_pool=M)
    answers = Answers(task)
    (choice,) = answered(SemiSupervisedCV(), task, answers)
    fits, full = fold_fits(task, 5), task.full(task.candidates[0])
    asked_rows = {f: next(a.rows for a in asked if a.fit == f and a.rows.start >= N) for f in fits}
    assert sorted(np.concatenate([rows.indices for rows in asked_rows.values()])) == list(range(N, N + M))
    differing = sum(
        int((answers.table(f) != answers.table(full))[rows.indices].sum()) for f, rows in asked_rows.items()
    )
    on_folds = [bound(e, n, 0.05 / 10) for e, n in answers.errors(fits)]
    assert {n for _, n in answers.errors(fits)} == {4, 5}
    assert differing > 0
    assert choice.score == pytest.approx(np.mean(on_folds) + bound(differing, M, 0.05 / 2))
    assert choice.fits == (full,)
    labels, pool = choice.certificate.terms
    assert labels.upper == pytest.approx(np.mean(on_folds))
    assert labels.observed == pytest.approx(np.mean([e / n for e, n in answers.errors(fits)]))
    assert (pool.observed, pool.rows, labels.rows) == (differing / M, M, N)
    assert (labels.delta, pool.delta) == pytest.approx((0.025, 0.025))


@pytest.mark.parametrize("disagreement", [*MEANS, "per_fold"])
def test_bounds_of_the_mean_ask_every_fold_about_the_whole_pool(disagreement, make_task, answered, asked):
    task = make_task(Y, n_pool=M)
    answers = Answers(task)
    (choice,) = answered(SemiSupervisedCV(disagreement=disagreement), task, answers)
    fits, full = fold_fits(task, 5), task.full(task.candidates[0])
    assert sum(ask.rows == task.unlabeled for ask in asked) == 6
    differ = np.array([answers.table(f)[N:] != answers.table(full)[N:] for f in fits])
    term = choice.certificate.terms[1]
    assert term.observed == pytest.approx(differ.mean())
    if disagreement == "per_fold":
        expected = np.mean([bound(d, M, 0.025 / 5) for d in differ.sum(axis=1)])
    elif disagreement == "betting":  # in an order drawn before the values are seen
        order = task.rng("order of the pool").permutation(M)
        expected = betting.upper(differ.sum(axis=0)[order], 5, 0.025)
        assert expected != betting.upper(differ.sum(axis=0), 5, 0.025)
    else:
        expected = MEANS[disagreement].upper(differ.sum(axis=0), 5, 0.025)
    assert term.upper == pytest.approx(expected)


def test_folds_that_all_agree_leave_what_the_size_of_the_pool_leaves(make_task, answered):
    task = make_task(Y, n_pool=M)
    (choice,) = answered(SemiSupervisedCV(), task, Answers(task, error=0, differ=0))
    assert choice.certificate.terms[1].upper == pytest.approx(1 - 0.025 ** (1 / M))


def test_the_draws_are_the_same_for_all_candidates_and_depend_on_the_seed(make_task, answered, asked):
    def asked_rows(task):
        asked.clear()
        answered(SemiSupervisedCV(), task, Answers(task))
        fold = task.folds(5)[0].train
        return [ask.rows for ask in asked if ask.fit.rows == fold and ask.rows.start >= N]

    single, triple = make_task(Y, n_pool=M), make_task(Y, n_pool=M, params=[{}] * 3)
    assert asked_rows(single) * 3 == asked_rows(triple)
    assert asked_rows(without(triple, {triple.candidates[1]})) == asked_rows(single) * 2
    assert asked_rows(make_task(Y, n_pool=M, seed=1)) != asked_rows(single)


def test_delta_is_divided_by_the_candidates_that_were_asked_for(make_task, answered):
    task = make_task(Y, n_pool=M, params=[{}] * 4)
    for less in (task, without(task, set(task.candidates[1:]))):
        choice = answered(SemiSupervisedCV(), less, Answers(task))[0]
        assert [term.delta for term in choice.certificate.terms] == pytest.approx([0.05 / 8] * 2)
        assert choice.certificate.candidates == 4


def test_shares_and_an_unequal_split_spend_delta_once(make_task, answered):
    task = make_task(Y, n_pool=M, params=[{}] * 3)
    names = [c.name for c in task.candidates]
    for shares in ([0.5, 0.25, 0.25], dict(zip(names, [0.5, 0.25, 0.25], strict=True))):
        choices = answered(SemiSupervisedCV(confidence=0.9, labeled_share=0.8, shares=shares), task, Answers(task))
        terms = [choice.certificate.terms for choice in choices]
        assert [labels.delta for labels, _ in terms] == pytest.approx([0.04, 0.02, 0.02])
        assert [pool.delta for _, pool in terms] == pytest.approx([0.01, 0.005, 0.005])
    alone = without(task, {task.candidates[0]})
    assert answered(SemiSupervisedCV(shares=[0.5, 0.25, 0.25]), alone, Answers(task))[0].certificate.terms[0].delta == (
        pytest.approx(0.25 * 0.025)
    )


@pytest.mark.parametrize("shares", [[0.5, 0.5], [0.5, 0.5, 0.1], [1, 0, 0], {"candidate 0": 0.5}, [0.2] * 4])
def test_shares_that_cannot_be_used(shares, make_task):
    with pytest.raises(BadInput, match="shares must have a positive number for each of the 3 candidates"):
        next(SemiSupervisedCV(shares=shares).evaluate(make_task(Y, n_pool=M, params=[{}] * 3)))


def test_a_single_split_compares_the_model_with_its_one_fit(make_task, answered, asked):
    task = make_task(Y, n_pool=M)
    answers = Answers(task)
    (choice,) = answered(SemiSupervisedCV(k=1, test_size=0.3), task, answers)
    ((train, test),) = task.hold_outs(0.3, 1)
    fit, full = task.fit(task.candidates[0], train), task.full(task.candidates[0])
    assert {ask.fit for ask in asked} == {fit, full}
    errors = int((answers.table(fit)[test.indices] != task.y[test.indices]).sum())
    differing = int((answers.table(fit) != answers.table(full))[N:].sum())
    assert choice.score == pytest.approx(bound(errors, 7, 0.025) + bound(differing, M, 0.025))
    assert choice.fits == (full,)


# references


def test_any_reference_takes_the_best_pair_at_its_price(make_task, answered):
    task = make_task(Y, n_pool=M, params=[{}] * 3)
    answers = Answers(task)
    choices = answered(SemiSupervisedCV(disagreement="kl", reference="any"), task, answers)
    labels = {
        g: np.mean([bound(e, n, 0.025 / 3 / 5) for e, n in answers.errors(fold_fits(task, 5, g.index))])
        for g in task.candidates
    }

    def pair(c, g):
        own = answers.table(task.full(c))[N:]
        votes = sum((answers.table(f)[N:] != own).astype(int) for f in fold_fits(task, 5, g.index))
        return labels[g] + relative_entropy.upper(votes, 5, 0.025 / 9)

    for c, choice in zip(task.candidates, choices, strict=True):
        assert choice.score == pytest.approx(min(pair(c, g) for g in task.candidates))
        spent = choice.certificate.terms
        assert [term.delta for term in spent] == pytest.approx([0.025 / 3, 0.025 / 9])


def test_a_named_reference_is_the_only_one_that_is_trained_on_folds(make_task, answered, asked):
    task = make_task(Y, n_pool=M, params=[{}] * 3)
    choices = answered(SemiSupervisedCV(reference="candidate 1"), task, Answers(task))
    assert {ask.fit.candidate.index for ask in asked if ask.fit.rows != task.labeled} == {1}
    assert len({ask.fit for ask in asked}) == 3 + 5
    compared = ["compared with the folds of candidate 1" in choice.notes for choice in choices]
    assert compared == [True, False, True]
    assert [term.delta for term in choices[0].certificate.terms] == pytest.approx([0.025, 0.025 / 3])


def test_references_that_cannot_be_used(make_task, answered):
    task = make_task(Y, n_pool=M, params=[{}] * 3)
    for reference in ("candidate 7", ("candidate 0", "candidate 7")):
        with pytest.raises(BadInput, match="reference must be 'any' or names of candidates"):
            next(SemiSupervisedCV(reference=reference).evaluate(task))
    twins = replace(task, candidates=tuple(replace(c, name="twin") for c in task.candidates))
    with pytest.raises(BadInput, match="each once"):
        next(SemiSupervisedCV(reference="twin").evaluate(twins))


def test_a_reference_that_failed_leaves_the_others_or_nothing(make_task, answered):
    task = make_task(Y, n_pool=M, params=[{}] * 3)
    less = without(task, {task.candidates[1]})
    assert answered(SemiSupervisedCV(reference="candidate 1"), less, Answers(task)) == []
    two = SemiSupervisedCV(reference=("candidate 0", "candidate 1"))
    choice = answered(two, less, Answers(task))[1]
    assert [term.delta for term in choice.certificate.terms] == pytest.approx([0.025 / 2, 0.025 / 6])


# what voids the guarantee


@pytest.mark.parametrize(
    "splitter",
    [
        StratifiedKFold(3),
        StratifiedKFold(3, shuffle=True),
        RepeatedStratifiedKFold(n_splits=3),
        StratifiedShuffleSplit(3),
        StratifiedShuffleSplit(1, test_size=0.4),
    ],
)
def test_folds_made_by_the_labels_are_refused(splitter, make_task):
    with pytest.raises(CannotAnswer, match=r"uses the labels to build folds.*use k=\d"):
        next(SemiSupervisedCV(k=splitter).evaluate(make_task(Y, n_pool=M)))


@pytest.mark.parametrize("splitter", [KFold(4), KFold(4, shuffle=True), RepeatedKFold(n_splits=2), ShuffleSplit(3)])
def test_blind_folds_are_taken(splitter, make_task, answered):
    task = make_task(Y, n_pool=M)
    answers = Answers(task)
    (choice,) = answered(SemiSupervisedCV(k=splitter), task, answers)
    shuffled = task.rng("rows for a splitter").permutation(N)  # so that sorted rows do no harm
    folds = [(Rows(shuffled[train.indices]), Rows(shuffled[test.indices])) for train, test in task.folds(splitter)]
    assert all(rows.indices.tolist() != sorted(rows.indices) for _, rows in folds)
    errors = [int((answers.table(task.fit(task.candidates[0], a))[b.indices] != task.codes(b)).sum()) for a, b in folds]
    expected = [bound(e, len(b), 0.025 / len(folds)) for e, (_, b) in zip(errors, folds, strict=True)]
    assert choice.certificate.terms[0].upper == pytest.approx(np.mean(expected))


class Leaky:
    """A splitter that tests on a training row, or on a row twice."""

    def __init__(self, train, test):
        self.rows = train, test

    def split(self, X, y=None, groups=None):
        yield self.rows


@pytest.mark.parametrize(("train", "test"), [([0, 1, 2], [2, 3]), ([0, 1, 2], [3, 4, 4])])
def test_rows_that_are_not_fresh_are_refused(train, test, make_task):
    with pytest.raises(CannotAnswer, match="tests on a training row, or on a row twice"):
        next(SemiSupervisedCV(k=Leaky(train, test)).evaluate(make_task(Y, n_pool=M)))


@pytest.mark.parametrize("k", [GroupKFold(3), LeaveOneGroupOut(), StratifiedGroupKFold(3)])
def test_splitters_of_groups_are_refused(k, make_task):
    task = make_task(Y, n_pool=M, groups=np.arange(N) // 2, of_pool={"groups": N + np.arange(M)})
    with pytest.raises(CannotAnswer, match="cannot make folds of groups for a certificate: use a number of folds"):
        next(SemiSupervisedCV(k=k).evaluate(task))


def test_groups_need_those_of_the_pool(make_task):
    with pytest.raises(CannotAnswer, match="the groups of the pool are not known"):
        next(SemiSupervisedCV().evaluate(make_task(Y, n_pool=M, groups=np.arange(N) // 2)))


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("disagreement", ["draw", "betting"])
def test_of_each_group_one_row_counts(k, disagreement, make_task, answered, asked):
    groups, pool_groups = np.arange(N) // 2, 3 + np.arange(M) // 3
    task = make_task(Y, n_pool=M, groups=groups, of_pool={"groups": pool_groups})
    (choice,) = answered(SemiSupervisedCV(k, disagreement=disagreement), task, Answers(task))
    labels, pool = choice.certificate.terms
    tested = np.concatenate([ask.rows.indices for ask in asked if ask.rows.bounds[1] < N])
    assert len(np.unique(groups[tested])) == len(tested) == labels.rows
    other = set(pool_groups) - set(groups)
    assert pool.rows == len(other)
    assert choice.certificate.assumes[0] == GROUPED
    for ask in asked:
        assert not set(groups[ask.fit.rows.indices]) & set(groups[ask.rows.indices[ask.rows.indices < N]])


def test_the_labeled_rows_as_the_pool_are_refused(make_task):
    task = make_task(Y, n_pool=N, of_pool={"overlap": lambda: Overlap(N, same=True)})
    with pytest.raises(CannotAnswer, match="the pool holds the labeled rows themselves"):
        next(SemiSupervisedCV().evaluate(task))


def test_copies_among_the_labels_become_an_assumption(make_task, answered):
    labeled = np.maximum(np.arange(N) - 5, 0)
    task = make_task(Y, n_pool=M, of_pool={"contents": lambda: Contents(labeled)})
    (choice,) = answered(SemiSupervisedCV(), task, Answers(task))
    sentence = "the 6 labeled rows with the content of another one are all separate draws, or all copies"
    assert choice.certificate.assumes == (*SemiSupervisedCV.assumes, sentence)
    assert choice.certificate.notes[0].startswith("the bound of 1 allows for equal rows that are copies")
    assert choice.certificate.notes[1].startswith(f"6 of {N} labeled rows have the content of another one")
    (narrow,) = answered(SemiSupervisedCV(equal_rows="draws"), task, Answers(task))
    assert narrow.score < choice.score
    assert narrow.certificate.assumes[-1] == sentence.replace("all separate draws, or all copies", "separate draws")


def test_copies_in_the_pool_count_once_if_that_is_safer(make_task, answered):
    plain, pool = make_task(Y, n_pool=M), np.arange(M) // 4
    task = replace(plain, pool=replace(plain.pool, contents=lambda: Contents(None, pool)))
    same = {"predict": lambda ask: np.zeros(len(ask.rows), dtype=int)}
    (choice,) = answered(SemiSupervisedCV(), task, same["predict"])
    assert choice.certificate.terms[1].rows == len(np.unique(pool))
    (every,) = answered(SemiSupervisedCV(equal_rows="draws"), task, same["predict"])
    assert every.certificate.terms[1].rows == M
    assert choice.certificate.notes[1].startswith(f"{M} of {M} pool rows have the content of another one")


def test_pool_rows_like_labeled_rows_become_an_assumption(make_task, answered):
    shared = np.arange(M) < 7
    contents = Contents(None, None, shared, np.arange(N) < 7)
    task = make_task(Y, n_pool=M, of_pool={"contents": lambda: contents})
    (choice,) = answered(SemiSupervisedCV(), task, Answers(task))
    sentence = "the 7 pool rows with the content of a labeled row are all separate draws, or all copies"
    assert choice.certificate.assumes == (*SemiSupervisedCV.assumes, sentence)
    plain = make_task(Y, n_pool=M)
    assert answered(SemiSupervisedCV(), plain, Answers(plain))[0].certificate.assumes == SemiSupervisedCV.assumes


@pytest.mark.parametrize("k", [0, 24, True, "5", 2.5])
def test_folds_that_cannot_be_made(k, make_task):
    with pytest.raises(BadInput, match="folds"):
        next(SemiSupervisedCV(k=k).evaluate(make_task(Y, n_pool=M)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence": 1}, r"confidence must be a number in \(0, 1\), got 1"),
        ({"confidence": 95}, r"confidence must be a number in \(0, 1\), got 95"),
        ({"confidence": "0.95"}, r"confidence must be a number in \(0, 1\), got '0.95'"),
        ({"labeled_share": "0.5"}, r"labeled_share must be a number in \(0, 1\), got '0.5'"),
        ({"shares": "all"}, "shares must have a positive number .* got"),
        ({"shares": ["1"]}, "shares must have a positive number .* got"),
        ({"labeled_share": 0}, r"labeled_share must be a number in \(0, 1\), got 0"),
        ({"disagreement": "guess"}, "disagreement must be one of 'draw', .* got 'guess'"),
        ({"k": 1, "test_size": 1.5}, "test_size must be a number in"),
    ],
)
def test_options_that_cannot_be_used(options, message, make_task):
    with pytest.raises(BadInput, match=message):
        next(SemiSupervisedCV(**options).evaluate(make_task(Y, n_pool=M)))


# semi-supervised candidates


@pytest.mark.parametrize("disagreement", ["draw", "kl"])
def test_semi_supervised_candidates_train_with_one_half_of_the_pool_and_are_measured_on_the_other(
    disagreement, make_task, answered, asked
):
    task = make_task(Y, n_pool=61, semi_supervised=True, params=[{}, {}])
    choices = answered(SemiSupervisedCV(disagreement=disagreement), task, Answers(task))
    given = {tuple(ask.fit.unlabeled.indices) for ask in asked}
    measured = set(np.concatenate([ask.rows.indices for ask in asked if ask.rows.start >= N]))
    (half,) = given  # the same for folds, full fits and candidates: no labeled row is among them
    assert min(half) >= N
    assert (len(half), len(measured)) == (30, 31)
    assert not measured & set(half)
    for choice in choices:
        (model,) = choice.fits
        assert model.rows == task.labeled
        assert tuple(model.unlabeled.indices) == half
        assert choice.certificate.terms[1].rows == 31
        assert "trained with one half of the pool and measured on the other" in choice.notes


def test_supervised_candidates_keep_the_whole_pool_beside_semi_supervised_ones(make_task, answered):
    task = make_task(Y, n_pool=M, params=[{}] * 2)
    mixed = (task.candidates[0], replace(task.candidates[1], semi_supervised=True))
    task = replace(task, candidates=mixed)
    rows = [c.certificate.terms[1].rows for c in answered(SemiSupervisedCV(), task, Answers(task))]
    assert rows == [M, M // 2]
    by_other = SemiSupervisedCV(reference="candidate 1", disagreement="hoeffding")
    rows = [c.certificate.terms[1].rows for c in answered(by_other, task, Answers(task))]
    assert rows == [M // 2, M // 2]  # what the reference was trained with cannot be measured on


# ranking and reporting


def test_labels_that_are_none_of_the_classes_count_as_disagreement(make_task, answered):
    task = make_task(Y, n_pool=M)
    truth = Answers(task, error=0, differ=0)
    odd = lambda ask: np.where(ask.rows.indices % 4 == 3, -1, truth(ask))  # noqa: E731
    for disagreement in ("draw", "kl"):
        (choice,) = answered(SemiSupervisedCV(disagreement=disagreement), task, odd)
        strange = np.mean(np.arange(N, N + M) % 4 == 3)
        assert choice.certificate.terms[1].observed == pytest.approx(strange)


def test_above_1_the_sum_ranks_and_the_certificate_says_1(make_task, answered):
    task = make_task(Y, n_pool=3, params=[{}] * 2)
    good, bad = Answers(task, error=0.3, differ=0), Answers(task, error=1, differ=0)
    choices = answered(SemiSupervisedCV(), task, lambda ask: (bad, good)[ask.fit.candidate.index](ask))
    assert all(choice.score > 1 for choice in choices)
    assert [choice.certificate.upper for choice in choices] == [1, 1]
    assert [c.candidate.index for c in ranked(SemiSupervisedCV(), choices)] == [1, 0]
    assert all("the bound is not below 1, so it is vacuous" in choice.notes for choice in choices)


def test_equal_bounds_go_to_the_smaller_error_of_cross_validation_then_to_the_first(make_task, answered):
    task = make_task(Y, n_pool=M, params=[{}] * 3)
    same = Answers(task)
    choices = answered(
        SemiSupervisedCV(), task, lambda ask: same.table(task.full(task.candidates[0]))[ask.rows.indices]
    )
    assert len({choice.score for choice in choices}) == 1
    assert order(choices) == [0, 1, 2]
    for choice, observed in zip(choices, (0.9, 0.5, 0.5), strict=True):
        term = replace(choice.certificate.terms[0], observed=observed)
        object.__setattr__(choice, "certificate", replace(choice.certificate, terms=(term,)))
    assert order(choices) == [1, 2, 0]


def order(choices):
    return [choice.candidate.index for choice in ranked(SemiSupervisedCV(), choices)]


def test_the_certificate_tells_everything(make_task, answered):
    task = make_task(Y, n_pool=2000)
    (choice,) = answered(SemiSupervisedCV(disagreement="betting"), task, Answers(task, error=0, differ=0.01))
    certificate = choice.certificate
    assert (certificate.quantity, certificate.confidence) == ("error", 0.95)
    assert certificate.method == "semi_supervised_cv(disagreement='betting')"
    (other,) = answered(SemiSupervisedCV(k=4, confidence=0.9), task, Answers(task))
    assert (other.certificate.method, other.certificate.confidence) == ("semi_supervised_cv(k=4)", 0.9)
    assert certificate.upper == choice.score < 1
    assert certificate.upper == sum(term.upper for term in certificate.terms)
    printed = str(certificate)
    assert all(sentence in printed for sentence in certificate.assumes)


def test_candidates_of_one_name_cannot_each_spend_its_share(make_task, answered):
    task = make_task(Y, n_pool=M, params=[{}] * 3)
    alike = replace(task, candidates=tuple(replace(c, name="C=1") for c in task.candidates))
    with pytest.raises(BadInput, match="equal names: pass shares as a sequence"):
        answered(SemiSupervisedCV(shares={"C=1": 1.0}), alike, Answers(alike))


def test_shares_as_an_array_have_a_name():
    assert SemiSupervisedCV(shares=np.array([0.5, 0.5])) == SemiSupervisedCV(shares=(0.5, 0.5))
    assert "shares=(0.5, 0.5)" in SemiSupervisedCV(shares=np.array([0.5, 0.5])).name


def test_many_shares_do_not_fill_the_name():
    assert len(SemiSupervisedCV(shares=(1 / 225,) * 225).name) < 200
    assert len(SemiSupervisedCV(shares={f"C={at}": 1 / 225 for at in range(225)}).name) < 200
