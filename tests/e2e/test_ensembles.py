"""Choices whose model is a vote of several fits: what is kept, trained once more, journaled, told and saved."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.semi_supervised import SelfTrainingClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from foldless import FoldlessSearch, compare
from foldless.criteria import ADA, BestOf, Dagging, KFold, RankSum
from foldless.errors import CandidatesFailed, CannotAnswer
from foldless.learners import DaggingClassifier, LinearSVC
from foldless.saving.model_files import load, save

pytestmark = pytest.mark.slow  # whole tasks

X, CODES = make_classification(400, 8, n_informative=5, n_classes=3, class_sep=1.5, random_state=0)
Y = np.array(["x", "y", "z"])[CODES]
LABELED, POOL, TEST = X[:50], X[50:300], X[300:]
GRID = {"C": [0.01, 1.0]}


def search(criterion=None, estimator=None, grid=None, **settings):
    configured = FoldlessSearch(
        estimator or LinearSVC(), GRID if grid is None else grid, criterion=criterion or Dagging(), random_state=0,
        **settings,
    )  # fmt: skip
    return configured.fit(LABELED, Y[:50], X_unlabeled=POOL)


def test_the_ensemble_is_the_best_estimator():
    found = search()
    model = found.best_estimator_
    assert isinstance(model, DaggingClassifier)
    assert len(model.estimators_) == model.n_batches == 5
    assert found.best_params_["C"] == model.estimator.C
    assert model.classes_.tolist() == ["x", "y", "z"]
    assert found.score(LABELED, Y[:50]) == pytest.approx(found.best_score_)  # judged by the very votes
    np.testing.assert_allclose(found.predict_proba(TEST).sum(axis=1), 1)
    assert (found.selection_.n_fits.run, found.selection_.n_fits.final) == (2 * 6, 0)
    again = pickle.loads(pickle.dumps(found))
    np.testing.assert_array_equal(again.predict(TEST), found.predict(TEST))
    predicted = pd.Series(found.predict(POOL)).value_counts(normalize=True)
    np.testing.assert_allclose(found.selection_.shares[predicted.index], predicted)


def test_an_ensemble_by_hand():
    """The same members, trained without an engine."""
    found = search(estimator=LogisticRegression(), grid={"C": [1.0]})
    first = LogisticRegression(C=1.0).fit(LABELED, Y[:50])
    labels = first.predict(POOL)
    rows = [fit.rows.indices - 50 for fit in found.selection_.best.fits]
    assert sorted(np.concatenate(rows)) == list(range(250))
    members = [LogisticRegression(C=1.0).fit(POOL[own], labels[own]) for own in rows]
    votes = np.array([member.predict(TEST) for member in members])
    counts = np.array([(votes == name).sum(axis=0) for name in "xyz"])
    np.testing.assert_array_equal(found.predict(TEST), np.array(["x", "y", "z"])[counts.argmax(axis=0)])


@pytest.mark.parametrize("settings", [{"n_jobs": 2}, {"keep_models": 0}, {"voting": "soft"}])
def test_workers_and_room_change_nothing(settings):
    voting = settings.pop("voting", "hard")
    criterion, estimator = Dagging(voting=voting), LogisticRegression()
    plain, other = search(criterion, estimator), search(criterion, estimator, **settings)
    np.testing.assert_allclose(plain.predict_proba(TEST), other.predict_proba(TEST))
    assert other.selection_.n_fits.final == (5 if settings.get("keep_models") == 0 else 0)
    assert other.best_estimator_.voting == voting


def test_a_journal_brings_back_the_same_choice(tmp_path):
    first = search(estimator=LogisticRegression(), journal=tmp_path / "j.sqlite")
    again = search(estimator=LogisticRegression(), journal=tmp_path / "j.sqlite")
    assert (again.selection_.n_fits.run, again.selection_.n_fits.resumed) == (0, 12)
    assert again.selection_.n_fits.final == 5
    np.testing.assert_array_equal(first.predict(TEST), again.predict(TEST))


def test_the_best_of_two_worlds():
    found = search(BestOf(KFold(5), Dagging()))
    assert len(found.selection_.ranking) == len(found.cv_results_["params"]) == 4
    single = isinstance(found.best_estimator_, LinearSVC)
    assert single == (found.selection_.best.notes[0] == "by k_fold")
    shown = found.selection_._repr_html_()
    assert ("every label" in shown) == single
    assert "of 2 candidates" in shown
    assert "candidates=2" in repr(found.selection_)
    assert found.cv_results_["mean_test_score"][found.best_index_] == found.best_score_


def test_compare_judges_the_ensemble_itself():
    results = compare(
        LinearSVC(), GRID, LABELED, Y[:50], X_unlabeled=POOL, X_test=TEST, y_test=Y[300:], random_state=0,
        criteria=["dagging", Dagging(offer="candidate"), "k_fold|dagging"],
    )  # fmt: skip
    rows = results.table().set_index("criterion")
    assert rows.loc["dagging", "test_accuracy"] == pytest.approx(search().score(TEST, Y[300:]))
    row = rows.loc["dagging(offer='candidate')"]
    assert row["test_accuracy"] == results.test_accuracy[results["dagging(offer='candidate')"].best.candidate]
    assert isinstance(results["dagging"].model, DaggingClassifier)


def test_a_candidate_that_fails_in_the_second_stage_is_left_out():
    class Picky(DecisionTreeClassifier):
        def fit(self, X, y):
            if self.max_depth == 1 and len(X) != 50:
                raise ValueError("only fifty rows")
            return super().fit(X, y)

    with pytest.warns(FitFailedWarning, match="only fifty rows"):
        found = FoldlessSearch(Picky(), {"max_depth": [1, 3]}, criterion=Dagging(n_batches=4), random_state=0).fit(
            LABELED, Y[:50], X_unlabeled=POOL
        )
    assert found.best_params_ == {"max_depth": 3}
    assert len(found.selection_.failed) == 1


def test_weights_have_no_place_in_the_second_stage():
    with pytest.raises(CannotAnswer, match="sample_weight cannot be passed to dagging"):
        FoldlessSearch(LogisticRegression(), GRID, criterion="dagging", random_state=0).fit(
            LABELED, Y[:50], X_unlabeled=POOL, sample_weight=np.ones(50)
        )


def test_it_needs_a_pool():
    with pytest.raises(CannotAnswer, match="dagging needs unlabeled rows"):
        FoldlessSearch(LinearSVC(), GRID, criterion="dagging").fit(LABELED, Y[:50])


def test_semi_supervised_candidates_vote_too():
    model = SelfTrainingClassifier(LogisticRegression(), threshold=0.9)
    found = search(Dagging(voting="soft"), model, {})
    assert found.score(TEST, Y[300:]) > 0.7
    assert found.predict(TEST[:3]).dtype.kind == "U"


def test_a_pool_smaller_than_the_labels_gives_one_copy():
    found = FoldlessSearch(LinearSVC(), GRID, criterion="dagging", random_state=0).fit(
        LABELED, Y[:50], X_unlabeled=POOL[:20]
    )
    assert isinstance(found.best_estimator_, LinearSVC)
    assert len(found.selection_.best.fits) == 1


def test_a_class_that_no_copy_has_seen_is_never_named():
    found = search(estimator=DecisionTreeClassifier(max_depth=1), grid={})  # a stump names two classes of three
    (absent,) = set("xyz") - set(found.predict(POOL))
    assert found.selection_.best.notes[1] == f"the candidate predicts {absent} for no pool row"
    p = found.predict_proba(TEST)
    assert p.shape == (100, 3)
    assert not p[:, "xyz".index(absent)].any()
    assert found.best_score_ <= np.mean(Y[:50] != absent)


def test_a_batch_of_one_class_votes_for_it():
    """Ninety-five pool rows of a hundred are far on one side: some of the batches have no other."""
    rng = np.random.default_rng(0)
    rows, y = rng.normal(size=(10, 1)) + 6 * (np.arange(10) % 2)[:, None], np.array(["left", "right"] * 5)
    pool = np.concatenate([rng.normal(size=(95, 1)), rng.normal(size=(5, 1)) + 6])
    found = FoldlessSearch(LinearSVC(), criterion="dagging", random_state=0).fit(rows, y, X_unlabeled=pool)
    kinds = [type(member).__name__ for member in found.best_estimator_.estimators_]
    assert (kinds.count("DummyClassifier"), kinds.count("LinearSVC")) == (5, 5)
    assert found.predict([[0.0], [6.0]]).tolist() == ["left", "left"]  # a tie goes to the first class


def test_saved_without_pickle(tmp_path):
    found = search()
    save(found.selection_, tmp_path / "model.skops")
    np.testing.assert_array_equal(load(tmp_path / "model.skops").model.predict(TEST), found.predict(TEST))


def test_the_report_shows_both_choices_of_a_candidate(tmp_path):
    page = search(BestOf(KFold(5), Dagging())).report(tmp_path / "report.html").read_text(encoding="utf-8")
    assert "by k_fold" in page
    assert "by dagging" in page


def test_the_command_line_tells_the_accuracy_of_the_ensemble(tmp_path):
    from click.testing import CliRunner

    from foldless.cli import main

    for name, rows in (("train", slice(0, 50)), ("pool", slice(50, 300)), ("test", slice(300, 400))):
        frame = pd.DataFrame(X[rows], columns=[f"f{at}" for at in range(8)])
        if name != "pool":
            frame["label"] = Y[rows]
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    words = ["select", str(tmp_path / "train.csv"), "--label", "label", "--unlabeled", str(tmp_path / "pool.csv")]
    words += ["--test", str(tmp_path / "test.csv"), "--model", "linear-svc", "--grid", "C=0.01,1", "--json"]
    results = {}
    for criterion in ("dagging", "dagging:offer=candidate"):
        done = CliRunner().invoke(main, [*words, "--criterion", criterion])
        assert done.exit_code == 0, done.output
        results[criterion] = json.loads(done.stdout)
    told_both = CliRunner().invoke(main, [*words[:-1], "--criterion", "k-fold|dagging", "-v"])
    assert "2 candidates ranked by k-fold|dagging" in told_both.stdout
    ensemble, candidate = results["dagging"]["ranking"], results["dagging:offer=candidate"]["ranking"]
    assert ensemble[0]["test_accuracy"] != candidate[0]["test_accuracy"]
    assert [entry["test_accuracy"] for entry in ensemble[1:]] == [None]
    assert all(entry["test_accuracy"] is not None for entry in candidate)


@pytest.mark.parametrize("first", [0, 1])
def test_an_equal_question_that_may_not_win_does_not_lose_the_model(first):
    criteria = [Dagging(), Dagging(offer="candidate")]
    done = compare(
        LinearSVC(), GRID, LABELED, Y[:50], X_unlabeled=POOL, criteria=[criteria[first], criteria[1 - first]],
        X_test=TEST, y_test=Y[300:], random_state=0,
    )  # fmt: skip
    assert done.n_fits.final == 0
    assert isinstance(done["dagging"].model, DaggingClassifier)


def test_a_sum_of_ranks_hands_out_the_vote_that_was_judged():
    found = search(RankSum(Dagging(voting="soft"), ADA()), LogisticRegression())
    assert found.best_estimator_.voting == "soft"
    assert any(note.startswith("a vote of 5 copies") for note in found.selection_.best.notes)


def test_the_results_tell_the_choices_of_a_candidate_apart():
    results = search("k_fold|dagging").cv_results_
    assert sorted(note.split(";")[0] for note in results["notes"]) == ["by dagging"] * 2 + ["by k_fold"] * 2
    assert "notes" not in search("dagging").cv_results_


def test_kernel_values_of_pool_rows_are_not_there():
    kernels = FoldlessSearch(SVC(kernel="precomputed"), GRID, criterion="dagging")
    with pytest.raises(CandidatesFailed, match=r"on 50 rows of the pool as it labeled them: .* pool rows have none"):
        kernels.fit(LABELED @ LABELED.T, Y[:50], X_unlabeled=POOL @ LABELED.T)
