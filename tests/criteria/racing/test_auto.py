"""Auto is driven by hand: candidates whose labels are right with a given probability, on every row."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from tests.helpers.races import fits_of, noisy

from foldless import FoldlessSearch
from foldless.core import Ask, OutOfTime, ranked
from foldless.criteria import Auto
from foldless.criteria.racing._resamples import POOL, resamples
from foldless.criteria.racing.auto import FIRST, MANY, PART, TRIES
from foldless.errors import BadInput, CannotAnswer

Y = np.array(list("aabb") * 10)


def best(criterion, choices):
    return ranked(criterion, choices)[0]


def test_all_have_three_resamples_and_the_better_third_three_more(make_task, answered, asked):
    task = make_task(Y, n_pool=200, params=[{}] * 21)
    accuracies = [0.95, 0.9] + [0.6] * 19
    choices = answered(Auto(), task, noisy(task, accuracies))
    assert best(Auto(), choices).candidate.index in (0, 1)
    assert sorted(choice.parts["resamples"] for choice in choices) == [FIRST] * 14 + [2 * FIRST] * (21 // PART)
    assert len(fits_of(asked)) == 21 * FIRST + 7 * FIRST + 1 < 0.82 * (5 * 21 + 1)


@pytest.mark.parametrize(("n", "finalists"), [(2, 2), (3, 2), (6, 2), (7, 3)])
def test_at_least_two_go_on(make_task, answered, n, finalists):
    task = make_task(Y, n_pool=50, params=[{}] * n)
    choices = answered(Auto(), task, noisy(task, [0.8] * n))
    assert [choice.parts["resamples"] for choice in choices].count(2 * FIRST) == finalists


def test_every_candidate_has_one_choice_with_all_labels(make_task, answered):
    task = make_task(Y, n_pool=50, params=[{}] * 4)
    choices = answered(Auto(), task, noisy(task, [0.9, 0.8, 0.7, 0.6]))
    assert [choice.candidate.index for choice in choices] == [0, 1, 2, 3]
    assert all(choice.fits == (task.full(choice.candidate),) for choice in choices)


def test_the_model_is_trained_before_the_end(make_task, answered, asked):
    task = make_task(Y, n_pool=50, params=[{}] * 3)
    first = best(Auto(), answered(Auto(), task, noisy(task, [0.9, 0.7, 0.6])))
    assert first.fits[0] in fits_of(asked)


def test_the_score_is_the_accuracy_out_of_bag(make_task, answered, asked):
    task = make_task(Y, n_pool=50, params=[{}] * 2)
    answer = noisy(task, [0.9, 0.6])
    choices = answered(Auto(), task, answer)
    for choice in choices:
        draws = resamples(task)[: int(choice.parts["resamples"])]
        fits = [task.fit(choice.candidate, draw.train) for draw in draws]
        assert set(fits) <= fits_of(asked)
        right = [answer(Ask(fit, draw.test)) == task.codes(draw.test) for fit, draw in zip(fits, draws, strict=True)]
        assert choice.score == pytest.approx(np.concatenate(right).mean())


def test_the_rank_is_by_the_blend_among_those_asked_longest(make_task, answered):
    task = make_task(Y, n_pool=100, params=[{}] * 6)
    choices = ranked(Auto(), answered(Auto(), task, noisy(task, [0.8, 0.78, 0.76, 0.5, 0.5, 0.5])))
    longest = max(choice.parts["resamples"] for choice in choices)
    finalists = [choice.parts["blend"] for choice in choices if choice.parts["resamples"] == longest]
    assert finalists == sorted(finalists, reverse=True)
    assert [choice.parts["resamples"] for choice in choices[: len(finalists)]] == [longest] * len(finalists)


def test_who_is_dropped_is_told_why(make_task, answered):
    task = make_task(Y, n_pool=100, params=[{}] * 3)
    loser = answered(Auto(), task, noisy(task, [1.0, 0.9, 0.2]))[2]
    assert any("behind, standard error" in note for note in loser.notes)
    assert loser.parts["behind"] > loser.parts["chance"] > 0


@pytest.mark.parametrize("effort", [0.3, 0.6, 1.0])
def test_the_budget_holds(make_task, answered, asked, effort):
    task = make_task(Y, n_pool=100, params=[{}] * 10)
    answered(Auto(effort=effort), task, noisy(task, [0.8] * 10))
    assert len(fits_of(asked)) <= max(effort * 51, 11)


def test_more_effort_takes_more_fits(make_task, answered, asked):
    task = make_task(Y, n_pool=100, params=[{}] * 10)
    counts = []
    for effort in (0.5, 1.0, 2.0):
        asked.clear()
        answered(Auto(effort=effort), task, noisy(task, np.linspace(0.6, 0.8, 10)))
        counts.append(len(fits_of(asked)))
    assert counts[0] < counts[1] < counts[2]


def test_it_is_the_same_each_time(make_task, answered, asked):
    task = make_task(Y, n_pool=100, params=[{}] * 5)
    runs = []
    for _ in range(2):
        asked.clear()
        choices = answered(Auto(), task, noisy(task, [0.8, 0.7, 0.75, 0.6, 0.8]))
        runs.append(([(c.score, c.rank.by, c.notes) for c in choices], list(asked)))
    assert runs[0] == runs[1]


def test_a_class_that_is_never_named_counts_against_a_candidate(make_task, answered):
    # both are right as often as the other, but the first says "a" to everything
    task = make_task(list("ab") * 20, n_pool=200, params=[{}] * 2)

    def answer(ask):
        truth = np.concatenate([task.y, np.arange(200) % 2])[ask.rows.indices]
        if ask.fit.candidate.index == 0:
            return np.zeros(len(truth), dtype=int)
        rng = np.random.default_rng(int.from_bytes(ask.fit.rows.digest[:4], "little"))
        return np.where(rng.random(len(truth)) < 0.5, truth, 1 - truth)

    choices = answered(Auto(), task, answer)
    assert choices[0].parts["missing"] == pytest.approx(0.5)
    assert choices[1].parts["missing"] == 0
    assert choices[0].parts["shares"] < choices[1].parts["shares"]
    assert best(Auto(), choices).candidate.index == 1


def test_classes_too_rare_to_be_expected_in_the_pool_are_not_missed(make_task, answered):
    y = np.array([0] * 38 + [1, 1])
    task = make_task(y, n_pool=60, params=[{}] * 2)
    choices = answered(Auto(), task, lambda ask: np.zeros(len(ask.rows), dtype=int))
    assert all(choice.parts["missing"] == 0 for choice in choices)


# without a pool, without probabilities, few labels, many classes


def test_without_a_pool(make_task, answered, asked):
    task = make_task(Y, params=[{}] * 8)
    choices = answered(Auto(), task, noisy(task, [0.9] + [0.5] * 7))
    assert best(Auto(), choices).candidate.index == 0
    assert "consensus" not in choices[0].parts
    assert len(fits_of(asked)) < 41


def test_two_labels_per_class_of_many(make_task, answered):
    y = np.repeat(np.arange(300), 2)
    task = make_task(y, n_pool=900, params=[{}] * 4)
    choices = answered(Auto(), task, noisy(task, [0.9, 0.6, 0.3, 0.1]))
    assert best(Auto(), choices).candidate.index == 0


def test_two_labels_per_class(make_task, answered):
    task = make_task(list("abab"), n_pool=100, params=[{}] * 3)
    choices = answered(Auto(), task, noisy(task, [0.95, 0.5, 0.5]))
    assert len(choices) == 3


def test_one_label_of_each_class_leaves_the_rank_to_the_pool(make_task, answered):
    """The second candidate gives the whole pool one label; both know their two training rows by heart."""
    task = make_task(list("ab"), n_pool=200, params=[{}] * 2)
    answer = noisy(task, [0.5, 1.0])

    def says(ask):
        labels = answer(ask)
        return np.where(ask.rows.indices < 2, labels, 0) if ask.fit.candidate.index else labels

    choices = answered(Auto(), task, says)
    assert best(Auto(), choices).candidate.index == 0
    assert all("none can be held out" in " ".join(choice.notes) for choice in choices)


def test_one_label_of_each_class_and_no_pool_cannot_be_ranked(make_task, answered):
    task = make_task(list("ab"), n_pool=0, params=[{}] * 2)
    with pytest.raises(CannotAnswer, match="label more rows"):
        answered(Auto(), task, noisy(task, [0.9, 0.5]))


def test_one_candidate_is_scored(make_task, answered, asked):
    task = make_task(Y, n_pool=20)
    (choice,) = answered(Auto(), task, noisy(task, [0.7]))
    assert len(fits_of(asked)) == FIRST + 1  # there is nothing to choose
    assert choice.parts["resamples"] == FIRST


def test_labels_of_other_classes_agree_with_nobody(make_task, answered):
    task = make_task(Y, n_pool=40, params=[{}] * 2)
    choices = answered(Auto(), task, lambda ask: np.full(len(ask.rows), -1))
    assert all(choice.score == 0 and choice.parts["consensus"] == 0 for choice in choices)


def test_only_a_part_of_a_large_pool_is_asked_about(make_task, answered, asked):
    task = make_task(Y, n_pool=10 * POOL, params=[{}] * 2)
    answered(Auto(), task, noisy(task, [0.9, 0.5]))
    races = [ask for ask in asked if ask.fit != task.full(ask.fit.candidate)]
    assert {len(ask.rows) for ask in races} == {len(Y) + POOL}


def test_groups_stay_together(make_task, answered, asked):
    groups = np.repeat(np.arange(10), 4)
    task = make_task(Y, n_pool=20, params=[{}] * 3, groups=groups)
    answered(Auto(), task, noisy(task, [0.9, 0.7, 0.5]))
    for draw in resamples(task):
        assert not set(groups[draw.train.indices]) & set(groups[draw.test.indices])


def test_semi_supervised_candidates_get_the_pool(make_task, answered, asked):
    task = make_task(Y, n_pool=20, params=[{}] * 2, semi_supervised=True)
    answered(Auto(), task, noisy(task, [0.9, 0.6]))
    assert all(ask.fit.unlabeled is not None for ask in asked)


# other metrics


@pytest.mark.parametrize("scoring", ["f1_macro", "roc_auc", "neg_log_loss", "balanced_accuracy"])
def test_other_metrics(make_task, answered, scoring):
    task = make_task(Y, n_pool=100, params=[{}] * 4, responses=("labels", "probabilities"))
    choices = answered(Auto(scoring=scoring), task, noisy(task, [0.95, 0.6, 0.6, 0.6]))
    assert best(Auto(scoring=scoring), choices).candidate.index == 0
    assert all(np.isfinite(choice.score) for choice in choices)


def test_a_metric_of_probabilities_needs_them(make_task, answered):
    task = make_task(Y, n_pool=20)
    with pytest.raises(CannotAnswer, match="neg_log_loss"):
        answered(Auto(scoring="neg_log_loss"), task, noisy(task, [0.9]))


def test_a_metric_that_is_nowhere_defined(make_task, answered):
    task = make_task(["a"] * 12 + ["b"], n_pool=20, params=[{}] * 2, responses=("labels", "probabilities"))
    with pytest.raises(CannotAnswer, match="not defined on the rows"):
        answered(Auto(scoring="roc_auc"), task, noisy(task, [0.9, 0.8]))


# the average


def test_the_average_has_the_leaders_trained_on_every_label(make_task, answered, asked):
    task = make_task(Y, n_pool=100, params=[{}] * 4, responses=("labels", "probabilities"))
    criterion = Auto(offer="average")
    choices = answered(criterion, task, noisy(task, [0.8, 0.79, 0.5, 0.5]))
    first, *others = ranked(criterion, choices)
    assert first.fits == tuple(task.full(choice.candidate) for choice in (first, *others[:2]))
    assert set(first.fits) <= fits_of(asked)
    assert first.vote.voting == "soft"
    gaps = np.array([choice.parts["behind"] for choice in (first, *others[:2])])
    assert np.all(np.diff(np.log(first.vote.weights)) * np.diff(gaps) <= 0)  # the nearer, the more votes
    assert first.vote.weights[0] == max(first.vote.weights)
    assert sum(first.vote.weights) == pytest.approx(1)
    assert all(choice.fits == (task.full(choice.candidate),) for choice in others)
    assert any("an average of" in note for note in first.notes)


def test_the_average_has_at_most_three_models(make_task, answered):
    task = make_task(Y, n_pool=100, params=[{}] * 20, responses=("labels", "probabilities"))
    criterion = Auto(offer="average")
    assert len(best(criterion, answered(criterion, task, noisy(task, [0.8] * 20))).fits) == 3


def test_without_probabilities_the_average_is_a_vote(make_task, answered):
    task = make_task(Y, n_pool=100, params=[{}] * 2)
    criterion = Auto(offer="average")
    assert best(criterion, answered(criterion, task, noisy(task, [0.9, 0.6]))).vote.voting == "hard"


# its end


def drive_until(criterion, task, answer, rounds):
    evaluation = criterion.evaluate(task)
    asks = next(evaluation)
    for _ in range(rounds):
        asks = evaluation.send([answer(ask) for ask in asks])
    try:
        evaluation.throw(OutOfTime())
    except StopIteration as end:
        return end.value
    raise AssertionError("it went on")


def test_out_of_time_it_chooses_by_what_it_heard(make_task):
    task = make_task(Y, n_pool=100, params=[{}] * 4)
    choices = drive_until(Auto(), task, noisy(task, [0.8, 0.79, 0.78, 0.3]), 1)
    assert max(choice.parts["resamples"] for choice in choices) == 1
    assert len(choices) == 4


def test_out_of_time_before_the_first_round_it_cannot(make_task):
    task = make_task(Y, n_pool=100, params=[{}] * 4)
    with pytest.raises(OutOfTime):
        drive_until(Auto(), task, noisy(task, [0.8] * 4), 0)


@pytest.mark.parametrize("wrong", [{"effort": 0}, {"effort": "much"}, {"effort": np.inf}, {"offer": "all"}])
def test_what_it_does_not_take(make_task, answered, wrong):
    task = make_task(Y, n_pool=10)
    with pytest.raises(BadInput, match=f"{next(iter(wrong))} must be .*got {next(iter(wrong.values()))!r}"):
        answered(Auto(**wrong), task, noisy(task, [0.9]))


def test_scores_of_those_that_left_early_compare_with_the_winner(make_task, answered):
    """The winner's score plus the difference of both on the resamples that both have."""
    task = make_task(Y, n_pool=200, params=[{}] * 6)
    answer = noisy(task, [0.95, 0.9, 0.4, 0.4, 0.4, 0.4])
    choices = answered(Auto(), task, answer)
    won = best(Auto(), choices)
    draws = resamples(task)

    def own(choice, resamples):
        right = []
        for draw in draws[:resamples]:
            ask = Ask(task.fit(choice.candidate, draw.train), draw.test)
            right.append(answer(ask) == task.codes(draw.test))
        return np.concatenate(right).mean()

    early = [choice for choice in choices if choice.parts["resamples"] < won.parts["resamples"]]
    assert early
    plain = [own(choice, int(choice.parts["resamples"])) for choice in choices]
    for choice in early:
        k = int(choice.parts["resamples"])
        expected = won.score + own(choice, k) - own(won, k)
        assert choice.score == pytest.approx(np.clip(expected, min(plain), max(plain)))


def test_one_label_for_the_whole_pool_is_set_aside_where_others_are_as_good(make_task, answered):
    task = make_task(Y, n_pool=100, params=[{}] * 3)
    truth = noisy(task, [0.9, 0.55, 0.55])

    def answer(ask):
        labels = truth(ask)
        return np.zeros_like(labels) if ask.fit.candidate.index == 2 else labels

    choices = answered(Auto(), task, answer)
    assert "predicts the same for the whole pool" in " ".join(choices[2].notes)
    assert best(Auto(), choices).candidate.index == 0


def test_where_all_others_are_far_behind_one_label_for_the_whole_pool_wins(make_task, answered):
    """Of 100 rows 90 are of one class; the other candidate is right about four in ten."""
    task = make_task(np.arange(100) % 10 == 0, n_pool=100, params=[{}] * 2)
    inner = noisy(task, [0.4, 1.0])

    def answer(ask):
        return np.zeros(len(ask.rows), dtype=int) if ask.fit.candidate.index == 1 else inner(ask)

    choices = answered(Auto(), task, answer)
    assert best(Auto(), choices).candidate.index == 1
    assert choices[0].parts["behind"] > 2.5 * choices[0].parts["chance"]


def test_who_is_set_aside_is_ranked_below_those_that_stay(make_task, answered):
    task = make_task(np.arange(100) % 10 == 0, n_pool=100, params=[{}] * 2)
    inner = noisy(task, [0.85, 1.0])  # behind, and not by more than chance explains

    def answer(ask):
        return np.zeros(len(ask.rows), dtype=int) if ask.fit.candidate.index == 1 else inner(ask)

    choices = answered(Auto(), task, answer)
    assert choices[1].score > choices[0].score
    assert best(Auto(), choices).candidate.index == 0


def test_in_a_search_the_frequent_class_may_be_the_best_answer():
    """Naive Bayes with little smoothing is wrong half of the time, with much of it names the frequent class."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1000, 30)), np.arange(1000) % 20 == 0
    X[:, :20] = X[:, :20] > 1.6  # rare marks, which say nothing
    X[:, 20:] += 0.1 * y[:, None]
    candidates = {"loud": GaussianNB(var_smoothing=1e-12), "quiet": GaussianNB(var_smoothing=100.0)}
    found = FoldlessSearch(candidates, random_state=0).fit(X[:300], y[:300], X_unlabeled=X[300:800])
    assert (found.predict(X[800:]) == y[800:]).mean() >= 0.9


def test_one_label_for_a_tiny_pool_says_nothing(make_task, answered):
    task = make_task(Y, n_pool=3, params=[{}] * 2)
    inner = noisy(task, [0.9, 0.9])

    def answer(ask):
        labels = inner(ask)
        pool = ask.rows.indices >= len(Y)
        return np.where(pool, 0 if ask.fit.candidate.index else labels, labels)

    choices = answered(Auto(), task, answer)
    assert "answers alike" not in " ".join(choices[1].notes)


def test_constants_only_are_ranked_too(make_task, answered):
    task = make_task(Y, n_pool=100, params=[{}] * 3)
    choices = answered(Auto(), task, lambda ask: np.zeros(len(ask.rows), dtype=int))
    assert len(choices) == 3


def broken_at_the_end(task, answer, *broken, every=2):
    """Right as before on resamples, and wrong about every second row where these are trained on every label."""

    def answers(ask):
        labels = answer(ask)
        if ask.fit.candidate.index in broken and ask.fit.rows == task.labeled:
            return np.where(ask.rows.indices % every, labels, (labels + 1) % 2)
        return labels

    return answers


@pytest.mark.parametrize("offer", ["best", "average"])
@pytest.mark.parametrize("n_pool", [0, 200])
def test_a_fit_on_all_labels_that_is_broken_is_not_taken(make_task, answered, n_pool, offer):
    task = make_task(np.array(list("aabb") * 50), n_pool=n_pool, params=[{}] * 3)
    answer = noisy(task, [0.97, 0.9, 0.6])
    criterion = Auto(offer=offer)
    assert best(criterion, answered(criterion, task, answer)).candidate.index == 0
    choices = answered(criterion, task, broken_at_the_end(task, answer, 0))
    assert [choice.candidate.index for choice in ranked(criterion, choices)] == [1, 2, 0]
    assert {fit.candidate.index for fit in best(criterion, choices).fits} <= {1, 2}
    assert any("ranked last: its training accuracy is" in note for note in choices[0].notes)


def test_a_fit_that_is_a_little_worse_with_all_labels_is_taken(make_task, answered):
    task = make_task(np.array(list("aabb") * 5), n_pool=200, params=[{}] * 2)
    choices = answered(Auto(), task, broken_at_the_end(task, noisy(task, [0.9, 0.6]), 0, every=4))
    assert best(Auto(), choices).candidate.index == 0  # with 20 labels a quarter says little


def test_where_all_break_only_a_few_are_tried(make_task, answered, asked):
    task = make_task(np.array(list("aabb") * 50), n_pool=200, params=[{}] * 5)
    choices = answered(Auto(), task, broken_at_the_end(task, noisy(task, [0.97, 0.9, 0.85, 0.8, 0.75]), *range(5)))
    full = {fit.candidate.index for fit in fits_of(asked) if fit.rows == task.labeled}
    assert len(full) == TRIES
    assert best(Auto(), choices).candidate.index not in full


def test_where_the_only_two_break_the_better_stays(make_task, answered):
    task = make_task(np.array(list("aabb") * 50), n_pool=200, params=[{}] * 2)
    choices = answered(Auto(), task, broken_at_the_end(task, noisy(task, [0.97, 0.8]), 0, 1))
    assert best(Auto(), choices).candidate.index == 0


def test_without_a_pool_no_sentence_speaks_of_one():
    X = np.arange(40.0)[:, None]
    found = FoldlessSearch(KNeighborsClassifier(), {"n_neighbors": [1, 3]}, estimate=False, random_state=0)
    alone = found.fit(X, np.arange(40) % 2).selection_.assumes
    assert len(alone) == 3
    assert not any("pool" in sentence for sentence in alone)
    with_pool = found.fit(X, np.arange(40) % 2, X_unlabeled=X + 0.5).selection_.assumes
    assert any("pool" in sentence for sentence in with_pool)


@pytest.mark.parametrize("offer", ["best", "average"])
def test_one_label_of_each_class_takes_one_fit_per_candidate(make_task, answered, asked, offer):
    task = make_task(list("abcd"), n_pool=100, params=[{}] * 5)
    codes = np.random.default_rng(0).integers(4, size=104)
    codes[:4] = task.y
    odd = np.where(np.arange(104) < 4, codes, 0)  # one candidate gives the whole pool one label

    def predict(ask):
        return (odd if ask.fit.candidate.index == 2 else codes)[ask.rows.indices]

    choices = answered(Auto(offer=offer), task, predict)
    assert fits_of(asked) == {task.full(candidate) for candidate in task.candidates}
    first = ranked(Auto(), choices)[0]
    assert first.candidate.index != 2
    assert set(first.fits) <= fits_of(asked)
    assert "every class has one label" in first.notes[0]


def test_of_very_many_candidates_a_third_goes_on_after_one_resample(make_task, answered, asked):
    task = make_task(Y, n_pool=50, params=[{}] * MANY)
    choices = answered(Auto(), task, noisy(task, [0.95] + [0.5] * (MANY - 1)))
    assert best(Auto(), choices).candidate.index == 0
    resampled = [choice.parts["resamples"] for choice in choices]
    finalists = -(-MANY // PART**2)
    assert sorted(set(resampled)) == [1, FIRST, 2 * FIRST]
    assert (resampled.count(1), resampled.count(2 * FIRST)) == (MANY - MANY // PART, finalists)
    assert len(fits_of(asked)) < 0.42 * (5 * MANY + 1)
