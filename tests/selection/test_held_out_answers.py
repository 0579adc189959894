"""What members add to an average, and what an average would have: from answers that are there already."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

from foldless import FoldlessSearch
from foldless.core import Candidate, Choice, Classes, LabelWeights, PoolRows, Rows, Task
from foldless.judging._left_out import LeftOut
from foldless.judging._scoring import judge_of
from foldless.selection._held_out_answers import differences

N = 40
rng = np.random.default_rng(0)
Y = np.array(["ant", "bee", "cat"])[np.arange(90) % 3]
X = rng.normal(size=(90, 3)) + 1.2 * np.c_[Y == "bee", Y == "cat", Y == "ant"]
CANDIDATES = {
    "lr": (LogisticRegression(), {"C": [0.1, 1.0]}), "nb": (GaussianNB(), {}), "svc": (LinearSVC(), {"C": [0.1]}),
}  # fmt: skip


def fitted(candidates=CANDIDATES, **settings):
    return FoldlessSearch(candidates, random_state=0, **settings).fit(X[:N], Y[:N], X_unlabeled=X[N:])


@pytest.fixture(scope="module")
def average():
    return fitted(offer="average", estimate=False)


def test_each_member_has_what_the_others_have_without_it(average):
    selection, known = average.selection_, average.selection_.average
    assert {c: part.weight for c, part in known.members.items()} == pytest.approx(selection.members)
    assert known.rows == N
    assert sum(part.weight for part in known.members.values()) == pytest.approx(1)
    for part in known.members.values():
        assert 0 < part.accuracy_without <= 1
        assert part.log_loss_without > 0
    (first, _), *_ = known.members.items()
    frame = selection.table().set_index("candidate")
    assert frame.loc[first.name, "accuracy_without"] == known.members[first].accuracy_without
    assert frame.loc[~frame["weight"].gt(0), "log_loss_without"].isna().all()
    plain = selection.to_dict()["choice"]
    assert plain["average"] == {"accuracy": known.accuracy, "log_loss": known.log_loss, "rows": N}
    assert plain["members"][0]["log_loss_without"] == known.members[first].log_loss_without


def test_two_members_are_each_other_without_one():
    two = {"lr": (LogisticRegression(), {}), "nb": (GaussianNB(), {})}
    average = fitted(two, offer="average", estimate=False)
    (first, part), (second, _) = average.selection_.average.members.items()
    (alone,) = [choice for choice in average.selection_.ranking if choice.candidate == second]
    assert first == average.selection_.best.candidate
    assert part.accuracy_without == pytest.approx(alone.score)


@pytest.mark.slow
def test_the_report_shows_what_members_add(average, tmp_path):
    page = average.report(tmp_path / "r.html").read_text(encoding="utf-8")
    assert "If a member is left out" in page
    assert "change of accuracy" in page
    assert f"The choice, average of {len(average.selection_.members)} models, is marked." in page
    assert "If a member is left out" not in fitted(estimate=False).report(tmp_path / "b.html").read_text(
        encoding="utf-8"
    )


def test_the_best_one_says_what_an_average_would_have():
    notes = [
        note for note in fitted(estimate=False).selection_.notes if note.startswith("an average of the candidates")
    ]
    assert len(notes) == 1
    assert "its weights, and the best one, were found without them" in notes[0]


def test_nothing_is_said_where_candidates_are_of_one_kind_or_no_average_can_be_had():
    one_kind = fitted({"lr": (LogisticRegression(), {"C": [0.1, 1.0]})}, estimate=False)
    by_folds = fitted(criterion="k_fold", estimate=False)
    for search in (one_kind, by_folds):
        assert not any(note.startswith("an average of") for note in search.selection_.notes)
        assert search.selection_.average is None


def test_labels_weigh_as_in_the_score_beside_the_difference():
    draw = np.random.default_rng(0)
    weights, candidates = draw.dirichlet(np.full(60, 0.3)), (Candidate(0, "first", {}), Candidate(1, "second", {}))
    task = Task(
        Classes(np.arange(60) % 2, np.array(["a", "b"])), Rows(range(60)), PoolRows(Rows(range(60, 100))), candidates,
        2, 0, draws=LabelWeights(weights, weights),
    )  # fmt: skip
    labels = [np.where(draw.random(60) < share, task.y, 1 - task.y) for share in (0.9, 0.6)]
    left_out = LeftOut(task, judge_of("accuracy", task))
    for at, codes in enumerate(labels):
        left_out.add(at, "labels", task.labeled, codes, codes)
    right = {c: (codes == task.y).astype(float) for c, codes in zip(task.candidates, labels, strict=True)}
    ranking = [Choice(c, 0.0, (task.full(c),)) for c in task.candidates]
    (difference,) = differences(ranking, right, task).values()
    assert difference.value == pytest.approx(left_out.score(0) - left_out.score(1))
    (unweighted,) = differences(ranking, right, replace(task, draws=LabelWeights())).values()
    assert difference.value != pytest.approx(unweighted.value, abs=1e-3)
