import pickle
from dataclasses import replace
from typing import get_args

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import make_classification
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.semi_supervised import SelfTrainingClassifier

from foldless import FoldlessSearch, Pool, certify, compare
from foldless.core.certificate import Certificate
from foldless.criteria import HoldOut, KFold, Progressive, SemiSupervisedCV
from foldless.criteria.semi_supervised_cv import Disagreement
from foldless.errors import BadInput, CandidatesFailed, CannotAnswer
from foldless.saving import model_files

X, CODES = make_classification(1500, 6, n_informative=4, class_sep=2, random_state=0)
Y = np.array(["ham", "spam"])[CODES]
TRAIN, POOL, TEST = slice(0, 300), slice(300, 1100), slice(1100, 1500)
GRID = {"C": [0.01, 1, 100]}
REFIT = Progressive(refit=True)


class Counting(GaussianNB):
    """Tells how often it was fitted."""

    fits = 0

    def fit(self, X, y):
        Counting.fits += 1
        return super().fit(X, y)


def certified(estimator=None, X_labeled=X[TRAIN], y=Y[TRAIN], pool=X[POOL], **options):
    chosen = LogisticRegression() if estimator is None else estimator
    return certify(chosen, X_labeled, y, X_unlabeled=pool, **{"random_state": 0, **options})


def test_one_model_is_certified_and_handed_over():
    certificate = certified()
    assert (certificate.quantity, certificate.confidence, certificate.candidates) == ("error", 0.95, 1)
    assert certificate.method == "progressive"
    assert certificate.upper == certificate.terms[0].upper < 0.5
    assert 1 - certificate.model.score(X[TEST], Y[TEST]) < certificate.upper
    assert "the model is the fit on 210 labels, without the 90 that certify it" in certificate.assumes
    assert certified(GaussianNB()).model.class_count_.sum() == 210


def test_a_model_with_every_label_is_certified_by_way_of_the_pool():
    certificate = certified(method=REFIT)
    assert certificate.method == "progressive(refit=True)"
    assert certificate.upper == sum(term.upper for term in certificate.terms) < 0.5
    alone = LogisticRegression().fit(X[TRAIN], Y[TRAIN])  # on every label
    assert (certificate.model.coef_ == alone.coef_).all()


@pytest.mark.slow
def test_a_fifth_held_out_gives_no_narrower_bound():
    many = {"C": np.logspace(-3, 3, 20).tolist()}
    certificate = certified(param_grid=many, compare_with=HoldOut(0.2))
    assert certificate.upper < certificate.selection.beside.certificate.upper


@pytest.mark.slow
def test_a_grid_is_chosen_from_and_certified_at_once():
    certificate = certified(param_grid=GRID, confidence=0.9)
    search = FoldlessSearch(LogisticRegression(), GRID, criterion=Progressive(confidence=0.9), random_state=0)
    search.fit(X[TRAIN], Y[TRAIN], X_unlabeled=X[POOL])
    assert search.selection_.certificate == certificate
    assert certificate.candidates == 3
    assert search.best_params_ == {"C": certificate.model.C}
    assert search.best_score_ == -search.selection_.best.score == -certificate.upper
    assert all(choice.certificate.candidates == 3 for choice in search.selection_.ranking)
    assert search.selection_.best.score == min(choice.score for choice in search.selection_.ranking)


FORMS = {
    "sparse": sparse.csr_matrix,
    "frame": lambda part: pd.DataFrame(part, columns=list("abcdef")),
    "list": lambda part: part.tolist(),
}


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_features_of_any_form_give_the_same_certificate(form):
    pipeline = make_pipeline(StandardScaler(with_mean=False), LogisticRegression())
    plain = certified(pipeline)
    other = certified(pipeline, X_labeled=FORMS[form](X[TRAIN]), pool=FORMS[form](X[POOL]))
    assert other == plain


def test_texts_with_string_labels():
    rng = np.random.default_rng(0)
    words = {"ham": ["meet", "lunch", "report"], "spam": ["win", "free", "prize"]}
    texts = [" ".join(rng.choice(words[label] + ["the", "a"], 8)) + f" {at}" for at, label in enumerate(Y[:900])]
    certificate = certify(
        make_pipeline(CountVectorizer(), MultinomialNB()), texts[:300], Y[:300], X_unlabeled=texts[300:], random_state=0
    )
    assert certificate.upper < 0.2


@pytest.mark.slow
def test_minus_one_marks_the_pool():
    y = np.where(np.arange(1100) < 300, CODES[:1100] + 1, -1)
    marked = certify(LogisticRegression(), X[:1100], y, unlabeled=-1, random_state=0)
    assert marked == certified(y=CODES[TRAIN] + 1)
    assert certified(pool=Pool(X[POOL])) == certified()


@pytest.mark.slow
def test_the_seed_decides_the_folds_and_draws():
    assert certified() == certified()
    assert certified().terms != certified(random_state=1).terms


# criteria


def test_hold_out_certifies_the_model_without_the_labels_held_out():
    certificate = certified(GaussianNB(), method="hold_out", confidence=0.99)
    assert certificate.confidence == 0.99
    assert certificate.model.class_count_.sum() == 210
    assert "the fit on 210 labels" in str(certificate)
    assert certificate == certified(GaussianNB(), pool=None, method=HoldOut(confidence=0.99))
    assert certificate == certified(GaussianNB(), method=HoldOut(), confidence=0.99)


def test_a_criterion_object_brings_its_confidence():
    narrow = certified(method=SemiSupervisedCV(disagreement="betting", confidence=0.99))
    assert narrow.confidence == 0.99
    with pytest.raises(BadInput, match=r"confidence=0.9 is not that of semi_supervised_cv\(confidence=0.99\), 0.99"):
        certified(method=SemiSupervisedCV(confidence=0.99), confidence=0.9)


@pytest.mark.parametrize("criterion", ["k_fold", KFold(3)])
def test_criteria_that_certify_nothing_are_refused(criterion):
    with pytest.raises(BadInput, match="gives no certificate: use 'progressive', 'semi_supervised_cv' or 'hold_out'"):
        certified(method=criterion)


def test_what_equal_rows_are_can_be_said():
    pool = np.repeat(X[300:340], 100, axis=0)
    draws = certified(pool=pool, method=REFIT, equal_rows="draws")
    assert draws == certified(pool=pool, method=Progressive(refit=True, equal_rows="draws"))
    assert draws.upper < certified(pool=pool, method=REFIT).upper


def test_the_pool_has_no_part_unless_the_model_is_trained_on_every_label():
    assert certified(pool=None) == certified()
    within = certified(pool=X[TRAIN])
    assert replace(within, notes=()) == replace(certified(), notes=())
    assert "pool rows have the content of a labeled row" in within.notes[0]
    for method in (REFIT, "semi_supervised_cv"):
        with pytest.raises(CannotAnswer, match="needs unlabeled rows"):
            certified(pool=None, method=method)


def test_a_costly_model_is_certified_by_the_folds_of_a_cheap_one():
    models = {"costly": GaussianNB(), "cheap": LogisticRegression()}
    search = FoldlessSearch(models, criterion=SemiSupervisedCV(reference="cheap"), random_state=0)
    selection = search.fit(X[TRAIN], Y[TRAIN], X_unlabeled=X[POOL]).selection_
    assert selection.n_fits.run == 2 + 5
    costly = next(choice for choice in selection.ranking if choice.candidate.name == "costly")
    assert costly.notes == ("compared with the folds of cheap",)
    assert 1 - GaussianNB().fit(X[TRAIN], Y[TRAIN]).score(X[TEST], Y[TEST]) < costly.certificate.upper < 1


class Frail(LogisticRegression):
    """Cannot be trained on less than all labels."""

    def fit(self, X, y):
        if len(y) < 300:
            raise ValueError("too few rows")
        return super().fit(X, y)


def test_without_its_reference_nothing_is_certified():
    models = {"costly": GaussianNB(), "cheap": Frail()}
    search = FoldlessSearch(models, criterion=SemiSupervisedCV(reference="cheap"), random_state=0)
    with pytest.raises(CandidatesFailed) as error:
        search.fit(X[TRAIN], Y[TRAIN], X_unlabeled=X[POOL])
    assert str(error.value) == (
        "the reference, cheap, failed to fit on 240 of the 300 labeled rows: ValueError: too few rows; the other "
        "candidates cannot be judged without it: correct the reference, or name another one"
    )


def test_a_bad_parameter_is_not_a_wrong_type():
    models = {"costly": GaussianNB(), "cheap": LogisticRegression(C=-1)}
    search = FoldlessSearch(models, criterion=SemiSupervisedCV(reference="cheap"), random_state=0)
    with pytest.raises(CandidatesFailed, match="the reference, cheap, failed to fit: Invalid") as error:
        search.fit(X[TRAIN], Y[TRAIN], X_unlabeled=X[POOL])
    assert not isinstance(error.value, TypeError)
    with pytest.raises(CandidatesFailed, match="the only candidate, LogisticRegression, failed to fit on 210") as error:
        certified(LogisticRegression(C=-1))
    assert not isinstance(error.value, TypeError)


# what would void it


@pytest.mark.parametrize(
    "pool",
    [
        X[TRAIN], X[TRAIN].copy(), X[TRAIN][::-1], X[TRAIN].astype(np.float32), X[TRAIN].tolist(),
        X[:1100], X[:1100].astype(np.float32), X[10:60],
    ],
    ids=["same", "copy", "reversed", "float32", "list", "and others", "and others in float32", "a part of them"],
)  # fmt: skip
def test_the_labeled_rows_are_no_pool(pool):
    with pytest.raises(CannotAnswer, match="the pool holds the labeled rows themselves"):
        certified(pool=pool, method=REFIT)
    with pytest.raises(CannotAnswer, match="the pool holds the labeled rows themselves"):
        certified(SelfTrainingClassifier(LogisticRegression()), pool=pool)


def test_rows_in_both_are_counted_and_noted():
    certificate = certified(pool=X[250:1100], method=REFIT)
    assert certificate.notes[0].startswith("50 of 850 pool rows have the content of a labeled row")
    assert certificate.notes[0] in str(certificate)
    assert "notes: 1" in repr(certificate)
    assert (
        certificate.assumes[-1]
        == "the 50 pool rows with the content of a labeled row are all separate draws, or all copies"
    )
    search = FoldlessSearch(LogisticRegression(), criterion="semi_supervised_cv", random_state=0)
    search.fit(X[TRAIN], Y[TRAIN], X_unlabeled=X[250:1100])
    assert any(
        note.startswith("50 of 850 pool rows have the content of a labeled row") for note in search.selection_.notes
    )


def test_of_several_labels_per_row_one_counts():
    sets = [["a", "b"] if at % 3 == 0 else [label] for at, label in enumerate(np.where(CODES[TRAIN] == 1, "a", "b"))]
    labels, pool = certified(y=sets, method="semi_supervised_cv").terms
    assert (labels.rows, pool.rows) == (300, 800)
    assert certified(y=sets, method=HoldOut(0.3, confidence=0.9)).terms[0].rows == 90


def test_copies_in_the_pool_do_not_make_it_narrower():
    few = certified(pool=X[300:340], method=REFIT)
    many = certified(pool=np.repeat(X[300:340], 100, axis=0), method=REFIT)
    assert many.terms[1].rows == 40
    assert many.upper >= few.upper
    assert many.notes[0].startswith("4,000 of 4,000 pool rows have the content of another one: the bound allows for")
    draws = certified(pool=np.repeat(X[300:340], 100, axis=0), method=SemiSupervisedCV(equal_rows="draws"))
    assert draws.terms[1].rows == 4000


def test_a_pool_half_is_kept_from_semi_supervised_candidates():
    certificate = certified(SelfTrainingClassifier(LogisticRegression()), method=REFIT)
    assert certificate.terms[1].rows == 400
    assert certificate.model.estimator_.transduction_.size == 300 + 400
    certificate = certified(SelfTrainingClassifier(LogisticRegression()))  # the pool measures nothing
    assert certificate.model.estimator_.transduction_.size == 210 + 800


class OneFails(LogisticRegression):
    """Fails where C is 1."""

    def fit(self, X, y):
        if self.C == 1:
            raise ValueError("no fit")
        return super().fit(X, y)


@pytest.mark.filterwarnings("ignore:1 of 3 candidates failed")
def test_a_candidate_that_failed_keeps_its_share_of_delta():
    certificate = certified(OneFails(), param_grid=GRID)
    assert certificate.candidates == 3
    assert certificate.terms[0].delta == pytest.approx(0.05 * 0.1 / 2)  # the other may have been the first
    certificate = certified(OneFails(), param_grid=GRID, method="semi_supervised_cv")
    assert certificate.terms[0].delta == pytest.approx(0.05 / 6)


class Moody(ClassifierMixin, BaseEstimator):
    """Whenever it is trained it is another one: it says its first class to the rows above a line that moves."""

    times = 0

    def fit(self, X, y):
        type(self).times += 1
        self.classes_ = np.unique(y)
        self.line_ = np.quantile(X[:, 0], 1 - 0.05 * type(self).times)
        return self

    def predict(self, X):
        return self.classes_[(X[:, 0] > self.line_).astype(int)]


@pytest.mark.parametrize("criterion", [SemiSupervisedCV(k=2), HoldOut(confidence=0.95)])
def test_a_model_trained_once_more_is_certified_by_its_own_answers(criterion):
    Moody.times = 0
    search = FoldlessSearch(Moody(), criterion=criterion, keep_models=0, random_state=0)
    search.fit(X[TRAIN], Y[TRAIN], X_unlabeled=X[POOL])
    selection = search.selection_
    assert selection.n_fits.final == 1
    assert selection.certificate != selection.best.certificate
    assert any("its certificate rests on its own predictions" in note for note in selection.notes)
    if isinstance(criterion, HoldOut):
        held = (Y[TRAIN] != search.predict(X[TRAIN]))[_held_out(search)]
        assert selection.certificate.terms[0].observed == pytest.approx(held.mean())


def _held_out(search):
    trained = search.selection_.best.fits[0].rows.indices
    return np.setdiff1d(np.arange(300), trained)


def test_a_model_trained_once_more_that_answers_the_same_keeps_its_certificate():
    search = FoldlessSearch(LogisticRegression(), GRID, criterion="semi_supervised_cv", keep_models=0, random_state=0)
    selection = search.fit(X[TRAIN], Y[TRAIN], X_unlabeled=X[POOL]).selection_
    assert selection.n_fits.final == 1
    assert selection.certificate == selection.best.certificate
    assert selection.notes == ()


@pytest.mark.parametrize("criterion", [SemiSupervisedCV(k=2), HoldOut(confidence=0.95)])
def test_a_forest_trained_once_more_is_the_same(criterion):
    forest = RandomForestClassifier(5)
    kept, again = (
        FoldlessSearch(forest, criterion=criterion, keep_models=room, random_state=0)
        .fit(X[TRAIN], Y[TRAIN], X_unlabeled=X[POOL])
        .selection_
        for room in (512, 0)
    )
    assert again.n_fits.final == 1
    assert again.certificate == kept.certificate
    assert again.certificate.notes == ()


def test_self_training_at_the_end_of_a_pipeline_keeps_to_its_half_of_the_pool():
    pipeline = make_pipeline(StandardScaler(), SelfTrainingClassifier(LogisticRegression()))
    certificate = certified(pipeline, method=REFIT)
    assert certificate.terms[1].rows == 400
    assert 1 - certificate.model.score(X[TEST], Y[TEST]) < certificate.upper < 0.5


def test_sample_weights_are_those_of_the_rows():
    weights = np.where(CODES[TRAIN] == 1, 1.0, 1e-9)  # as if one class were not there
    search = FoldlessSearch(LogisticRegression(), criterion="semi_supervised_cv", random_state=0)
    selection = search.fit(X[TRAIN], Y[TRAIN], X_unlabeled=X[POOL], sample_weight=weights).selection_
    assert selection.certificate.terms[0].observed == pytest.approx((CODES[TRAIN] == 0).mean())
    assert selection.certificate.upper > 0.5


@pytest.mark.slow
def test_certificates_and_selections_travel(tmp_path):
    certificate = certified(pool=X[250:1100])
    back = pickle.loads(pickle.dumps(certificate))
    assert back == certificate
    assert (back.model.predict(X[TEST]) == certificate.model.predict(X[TEST])).all()
    search = FoldlessSearch(LogisticRegression(), GRID, criterion="semi_supervised_cv", random_state=0)
    selection = search.fit(X[TRAIN], Y[TRAIN], X_unlabeled=X[250:1100]).selection_
    assert selection.certificate.notes
    assert pickle.loads(pickle.dumps(selection)).certificate == selection.certificate
    model_files.save(selection, tmp_path / "model.skops")
    kept = model_files.load(tmp_path / "model.skops").selection["certificate"]
    assert Certificate.from_dict(kept) == selection.certificate


@pytest.mark.filterwarnings("ignore:y contains no unlabeled samples")
@pytest.mark.parametrize("disagreement", get_args(Disagreement))
def test_a_pool_of_one_row_says_nothing_and_says_so(disagreement):
    for estimator in (LogisticRegression(), SelfTrainingClassifier(LogisticRegression())):
        certificate = certified(estimator, pool=X[POOL][:1], method=SemiSupervisedCV(disagreement=disagreement))
        assert certificate.upper == 1
        assert "a bound of 1 is vacuous (its parts are " in str(certificate)


@pytest.mark.slow
def test_missing_values_are_left_to_the_candidates():
    holes = X.copy()
    holes[::7, 1] = np.nan
    trees, with_holes = HistGradientBoostingClassifier(max_iter=5), {"X_labeled": holes[TRAIN], "method": REFIT}
    assert certified(trees, pool=holes[POOL], **with_holes).upper < 0.5
    with pytest.raises(CannotAnswer, match="the labeled rows themselves"):
        certified(trees, pool=holes[:1100], **with_holes)
    with pytest.raises(CandidatesFailed, match="contains NaN"):
        certified(pool=holes[POOL], method=REFIT)


def test_too_few_rows_or_classes():
    with pytest.raises(CannotAnswer, match="5 folds cannot be made of 4 labeled rows"):
        certified(X_labeled=X[:4], y=["a", "b", "a", "b"], method="semi_supervised_cv")
    with pytest.raises(BadInput, match="one class only"):
        certified(y=["a"] * 300)


# beside other criteria


@pytest.mark.slow
def test_compare_shows_certificates_beside_other_criteria():
    comparison = compare(
        LogisticRegression(), GRID, X[TRAIN], Y[TRAIN], X_unlabeled=X[POOL], X_test=X[TEST], y_test=Y[TEST],
        criteria=["semi_supervised_cv", "k_fold", SemiSupervisedCV(disagreement="betting"), HoldOut(confidence=0.95)],
        random_state=0,
    )  # fmt: skip
    table = comparison.table().set_index("criterion")
    assert comparison["k_fold"].certificate is None
    assert comparison.notes == (
        "each certificate holds by itself: the smallest of several does not hold at their confidence",
    )
    names = [name for name in table.index if name != "k_fold"]
    assert all(comparison[name].certificate.upper < 0.5 for name in names)
    assert comparison.n_fits.run == 3 * (1 + 5) + 3  # the folds of three criteria are the same fits
    assert comparison.n_fits.final == 1  # the model without the labels held out, for the test column
    held = comparison[names[-1]]
    model = LogisticRegression(**held.best.candidate.params).fit(
        X[held.best.fits[0].rows.indices], Y[held.best.fits[0].rows.indices]
    )
    assert table.loc[names[-1], "test_accuracy"] == model.score(X[TEST], Y[TEST])
    for name in names:
        assert 1 - table.loc[name, "test_accuracy"] < comparison[name].certificate.upper


def test_in_compare_a_pool_of_labeled_rows_is_not_an_error():
    comparison = compare(
        LogisticRegression(), GRID, X[TRAIN], Y[TRAIN], X_unlabeled=X[TRAIN], random_state=0,
        criteria=["semi_supervised_cv", "k_fold"],
    )  # fmt: skip
    assert "the labeled rows themselves" in comparison.unable["semi_supervised_cv"]
    assert list(comparison.selections) == ["k_fold"]


@pytest.mark.slow
def test_a_journal_gives_the_same_certificate(tmp_path):
    def run():
        search = FoldlessSearch(
            LogisticRegression(), GRID, criterion=SemiSupervisedCV(disagreement="betting"),
            journal=tmp_path / "answers.db",
        )  # fmt: skip
        return search.fit(X[TRAIN], Y[TRAIN], X_unlabeled=X[POOL]).selection_

    first, again = run(), run()
    assert again.n_fits.run == 0
    assert again.certificate == first.certificate  # a run without a seed of its own is not redrawn


def test_a_journal_lets_it_go_on(tmp_path):
    first = certified(Counting(), journal=tmp_path / "run.db")
    before = Counting.fits
    assert certified(Counting(), journal=tmp_path / "run.db").upper == first.upper
    assert Counting.fits - before <= 1  # the model itself


def test_groups_are_counted_where_those_of_the_pool_are_known():
    groups = np.arange(300) // 2
    with pytest.raises(CannotAnswer, match="the groups of the pool are not known"):
        certified(groups=groups, method=REFIT)
    assert certified(groups=groups).terms[0].rows == 45  # three tenths of the groups test
    pool = Pool(X[300:1100], groups=140 + np.arange(800) // 4)
    certificate = certified(groups=groups, pool=pool, method=REFIT)
    assert [term.rows for term in certificate.terms] == [45, 190]
    certificate = certified(groups=groups, pool=pool, method="semi_supervised_cv")
    assert [term.rows for term in certificate.terms] == [150, 190]  # 10 groups of the pool have labeled rows
    assert certificate.assumes[0].startswith("groups are independent draws")
    assert certified(method=HoldOut(0.2, confidence=0.9), groups=groups).terms[0].rows == 30


def test_the_groups_of_a_pool_fit_its_rows():
    with pytest.raises(BadInput, match="the groups of the pool have 3 entries for 800 rows"):
        certified(groups=np.arange(300), pool=Pool(X[300:1100], groups=[1, 2, 3]))
    with pytest.raises(BadInput, match="the pool has groups and the labeled rows have none"):
        certified(pool=Pool(X[300:1100], groups=np.arange(800)))


def test_rows_marked_as_unlabeled_keep_their_groups():
    y = np.where(np.arange(1100) < 300, CODES[:1100], -1)
    certificate = certify(
        LogisticRegression(), X[:1100], y, unlabeled=-1, groups=np.arange(1100) // 4, method=REFIT, random_state=0
    )
    assert [term.rows for term in certificate.terms] == [23, 200]
