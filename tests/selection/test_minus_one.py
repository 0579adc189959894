"""What −1 means, in every public entry point: a class like any other, unless the call says that it marks the pool.

Every call gives the same numbers and choices, whatever its classes are called. Where −1 marks rows without a label, a
warning at the line of the user names the argument that says otherwise.
"""

import inspect
import warnings
from functools import cache

import numpy as np
import pandas as pd
import pytest
from helpers.slow import slow_beyond
from sklearn.ensemble import IsolationForest
from sklearn.linear_model import Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.semi_supervised import LabelSpreading

from foldless import FoldlessSearch, certify, compare, estimate, evaluate, quantify, suggest
from foldless.errors import AmbiguousLabels, BadInput
from foldless.selection.cost import cost
from foldless.sklearn import CriterionScorer, EveryLabel, PoolScorer, RaceResamples
from foldless.streams import shares, train

optuna = pytest.importorskip("optuna")  # the oldest versions are tested without it

from optuna.distributions import FloatDistribution  # noqa: E402

from foldless.optuna import FoldlessObjective  # noqa: E402

CLASSES = {
    "-1, 0, 1": [-1, 0, 1],
    "'-1', '0', '1'": ["-1", "0", "1"],
    "-1, 1": [-1, 1],
    "0, 1": [0, 1],
    "strings": ["ham", "spam"],
    "booleans": [False, True],
}
PLAIN = {2: ["a", "b"], 3: ["a", "b", "c"]}
GRID = {"var_smoothing": [1e-9, 0.1]}
N = 50


@cache
def rows(n_classes: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Labeled rows, their codes, pool rows and their codes."""
    rng = np.random.default_rng(n_classes)
    codes = rng.integers(n_classes, size=4 * N)
    X = rng.normal(size=(4 * N, 3)) + 1.3 * np.eye(3)[codes]
    return X[:N], codes[:N], X[N:], codes[N:]


class Call:
    """The data of a call, with classes of some names."""

    def __init__(self, names):
        self.names = np.asarray(names)
        self.X, self.codes, self.pool, self.truth = rows(len(names))
        self.y, self.y_pool = self.names[self.codes], self.names[self.truth]

    def code(self, labels):
        """Class codes of labels, which must be of the classes."""
        return [self.names.tolist().index(label) for label in np.asarray(labels).tolist()]

    def model(self):
        return GaussianNB().fit(self.pool[:N], self.y_pool[:N])


def of_search(call, search):
    ranking = [(choice.candidate.index, choice.score) for choice in search.selection_.ranking]
    found = search.selection_.estimate
    return ranking, [found.value, found.lower, found.upper], call.code(search.predict(call.pool))


def search_with_a_pool(call):
    search = FoldlessSearch(GaussianNB(), GRID, random_state=0).fit(call.X, call.y, X_unlabeled=call.pool)
    return of_search(call, search)


def search_by_the_bound(call):
    search = FoldlessSearch(GaussianNB(), GRID, criterion="quantification_bound", random_state=0)
    return of_search(call, search.fit(call.X, call.y, X_unlabeled=call.pool))


def search_without_a_pool(call):
    return of_search(call, FoldlessSearch(GaussianNB(), GRID, unlabeled=None, random_state=0).fit(call.X, call.y))


def search_of_semi_supervised(call):
    search = FoldlessSearch(LabelSpreading(), {"gamma": [0.1, 1.0]}, criterion="k_fold", random_state=0)
    return of_search(call, search.fit(call.X, call.y, X_unlabeled=call.pool))


def search_with_test_rows(call):
    search = FoldlessSearch(GaussianNB(), GRID, criterion="k_fold", unlabeled=None, random_state=0)
    search.fit(call.X, call.y, X_test=call.pool, y_test=call.y_pool)
    return search.selection_.best_test_accuracy, search.score(call.pool, call.y_pool)


def comparison(call, **pool):
    comparison = compare(
        GaussianNB(), GRID, call.X, call.y, X_test=call.pool, y_test=call.y_pool, random_state=0,
        criteria=["auto", "k_fold", "ada"], **pool,
    )  # fmt: skip
    return comparison.table()[["score", "test_accuracy", "test_macro_f1", "regret"]].to_numpy().tolist()


def certificate(call, **pool):
    certificate = certify(GaussianNB(), call.X, call.y, random_state=0, **pool)
    return (
        certificate.upper,
        [term.upper for term in certificate.terms],
        call.code(certificate.model.predict(call.pool)),
    )


def estimated(call, **pool):
    found = estimate(call.model(), call.X, call.y, random_state=0, **pool)
    return found.value, found.lower, found.upper, found.rows, found.notes


def estimated_by_macro_f1(call):
    return estimated(call, scoring="f1_macro")


def evaluated(call):
    found = evaluate(call.model(), call.X, call.y, random_state=0)
    both = [(each.value, each.lower, each.upper) for each in (found.accuracy, found.macro_f1)]
    return both, found.confusion.tolist(), found.unlabeled.tolist(), call.code(found.classes)


def counted(call):
    found = quantify(GaussianNB(), call.X, call.y, X_unlabeled=call.pool, random_state=0)
    return found.values.tolist(), found.lowest.tolist(), found.highest.tolist(), found.labeled.tolist()


def suggested(call):
    search = FoldlessSearch(GaussianNB(), GRID, criterion="k_fold", estimate=False, random_state=0)
    found = suggest(search.fit(call.X, call.y, X_unlabeled=call.pool), 7)
    return found.rows.tolist(), found.probabilities.tolist(), call.code(found.labels)


def planned(call, **pool):
    return dict(cost(GaussianNB(), GRID, call.X, call.y, criteria=["auto", "k_fold"], random_state=0, **pool).fits)


def pool_scorer(call):
    search = GridSearchCV(GaussianNB(), GRID, scoring=PoolScorer(call.pool), cv=3).fit(call.X, call.y)
    return search.cv_results_["mean_test_score"].tolist()


def criterion_scorer(call, **pool):
    scorer = CriterionScorer("k_fold", **pool)
    search = GridSearchCV(GaussianNB(), GRID, scoring=scorer, cv=EveryLabel(), error_score="raise")
    return search.fit(call.X, call.y).cv_results_["mean_test_score"].tolist()


def race_resamples(call):
    resamples = RaceResamples(4, random_state=0)
    return [(a.tolist(), b.tolist()) for a, b in resamples.split(call.X, call.y)]


def objective(call, **pool):
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    objective = FoldlessObjective(
        GaussianNB(), {"var_smoothing": FloatDistribution(1e-9, 1.0)}, call.X, call.y, random_state=0, **pool
    )
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.RandomSampler(seed=0))
    study.optimize(objective, n_trials=3)
    return [trial.value for trial in study.trials], call.code(objective.refit(study.best_trial).predict(call.pool))


def streamed(call):
    frame = pd.DataFrame(call.X, columns=list("uvw")).assign(k=call.y)
    training = train(pd.concat([frame] * 5), "k", batch=50, hold=100)
    found = shares(training, pd.DataFrame(call.pool, columns=list("uvw")), window=90)
    scores = training.evaluation.whole.scores()
    return scores, [window.shares.tolist() for window in found.details], found.drift_detected


def with_pool(entry):
    return lambda call: entry(call, X_unlabeled=call.pool)


def without_pool(entry):
    return lambda call: entry(call, unlabeled=None)


ENTRIES = {
    "FoldlessSearch": search_with_a_pool,
    "FoldlessSearch, the bound": search_by_the_bound,
    "FoldlessSearch, no pool": search_without_a_pool,
    "FoldlessSearch, semi-supervised": search_of_semi_supervised,
    "FoldlessSearch, test rows": search_with_test_rows,
    "compare": with_pool(comparison),
    "compare, no pool": without_pool(comparison),
    "certify": with_pool(certificate),
    "certify, no pool": lambda call: certificate(call, method="hold_out", unlabeled=None),
    "estimate": estimated,
    "estimate, with a pool": with_pool(estimated),
    "estimate, macro F1": estimated_by_macro_f1,
    "evaluate": evaluated,
    "quantify": counted,
    "suggest": suggested,
    "cost": with_pool(planned),
    "cost, no pool": without_pool(planned),
    "PoolScorer": pool_scorer,
    "CriterionScorer": with_pool(criterion_scorer),
    "CriterionScorer, no pool": without_pool(criterion_scorer),
    "RaceResamples": race_resamples,
    "FoldlessObjective": with_pool(objective),
    "FoldlessObjective, no pool": without_pool(objective),
    "streams": streamed,
}


@cache
def expected(entry: str, n_classes: int):
    return ENTRIES[entry](Call(PLAIN[n_classes]))


@pytest.mark.parametrize("names", slow_beyond(1, CLASSES.values()), ids=CLASSES.keys())
@pytest.mark.parametrize("entry", ENTRIES)
def test_no_number_depends_on_what_the_classes_are_called(entry, names):
    assert repr(ENTRIES[entry](Call(names))) == repr(expected(entry, len(names)))  # where NaN equals NaN


# Where −1 marks the pool


def fitted(X, y, **how):
    pool = {name: how.pop(name) for name in ("X_unlabeled",) if name in how}
    return FoldlessSearch(GaussianNB(), GRID, random_state=0, **how).fit(X, y, **pool).best_score_


def in_a_pipeline(X, y, **how):
    if "X_unlabeled" in how:
        return fitted(X, y, **how)
    search = FoldlessSearch(GaussianNB(), GRID, random_state=0, **how)
    return make_pipeline(FunctionTransformer(), search).fit(X, y)[-1].best_score_


def scored(X, y, **how):
    return CriterionScorer("quantification_bound", **how)(GaussianNB(), X, y)


MARKING = {
    "FoldlessSearch": fitted,
    "FoldlessSearch in a Pipeline": in_a_pipeline,
    "compare": lambda X, y, **how: compare(GaussianNB(), GRID, X, y, random_state=0, **how).table().score.tolist(),
    "certify": lambda X, y, **how: certify(GaussianNB(), X, y, random_state=0, **how).upper,
    "quantify": lambda X, y, **how: quantify(GaussianNB(), X, y, random_state=0, **how).values.tolist(),
    "cost": lambda X, y, **how: cost(GaussianNB(), GRID, X, y, random_state=0, **how).total,
    "CriterionScorer": scored,
    "FoldlessObjective": lambda X, y, **how: objective_rows(X, y, **how),
}


def objective_rows(X, y, **how):
    data = FoldlessObjective(GaussianNB(), {}, X, y, random_state=0, **how).data
    return data.classes.tolist(), data.labeled.tolist(), data.pool.tolist()


@pytest.fixture
def marked():
    """Labeled rows, their labels, the pool, and both together with the pool marked −1."""
    X, codes, pool, _ = rows(2)
    return X, codes, pool, np.vstack([X, pool]), np.concatenate([codes, np.full(len(pool), -1)])


@pytest.mark.parametrize("call", MARKING.values(), ids=MARKING.keys())
def test_a_warning_at_the_line_of_the_user_says_that_rows_are_the_pool(call, marked):
    X, y, pool, X_both, y_both = marked
    with pytest.warns(
        UserWarning, match="150 rows with the label −1 are taken as the pool: .*unlabeled=None"
    ) as caught:
        assumed = call(X_both, y_both)
    taken = [each for each in caught if "are taken as the pool" in str(each.message)]
    assert [each.filename for each in taken] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert call(X_both, y_both, unlabeled=-1) == assumed == call(X, y, X_unlabeled=pool)


@pytest.mark.parametrize("call", MARKING.values(), ids=MARKING.keys())
def test_minus_one_and_one_other_class_ask_for_the_argument_that_every_call_has(call, marked):
    X, y, *_ = marked
    for sides in (2 * y - 1, np.where(y == 1, "1", "-1")):
        with pytest.raises(AmbiguousLabels, match="pass unlabeled=None if −1 is a class"):
            call(X, sides)
    with pytest.raises(BadInput, match="unlabeled must be -1, or None where −1 is a class, got 0"):
        call(X, y, unlabeled=0)


@pytest.mark.parametrize("call", [FoldlessSearch, compare, certify, quantify, cost, CriterionScorer, FoldlessObjective])
def test_what_takes_a_pool_takes_the_argument(call):
    assert inspect.signature(call).parameters["unlabeled"].default == "warn"


# Models that are only measured


def test_the_accuracy_of_a_fitted_model_counts_the_class_minus_one():
    rng = np.random.default_rng(0)
    y = rng.integers(-1, 2, size=600)
    X = rng.normal(size=(600, 2)) + 2 * np.eye(3)[y, :2]
    model = GaussianNB().fit(X[:200], y[:200])
    truth = model.score(X[200:], y[200:])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert evaluate(model, X[200:], y[200:]).accuracy.value == pytest.approx(truth)
        assert estimate(model, X[200:], y[200:]).value == pytest.approx(truth)
        assert evaluate(model, X[200:], y[200:]).confusion.sum() == 400


def test_an_estimate_takes_marked_rows_as_a_pool_only_if_it_is_told_so(marked):
    X, y, pool, X_both, y_both = marked
    model = GaussianNB().fit(pool, rows(2)[3])
    told = estimate(model, X_both, y_both, unlabeled=-1, random_state=0)
    apart = estimate(model, X, y, X_unlabeled=pool, random_state=0)
    assert (told.value, told.lower, told.upper, told.pool) == (apart.value, apart.lower, apart.upper, apart.pool)
    for found in (estimate(model, X_both, y_both), evaluate(model, X_both, y_both)):
        assert found.notes[0] == "150 rows have a class that the model was not trained on, -1: they count as wrong"


# Targets that are no classes


def test_minus_one_among_values_is_no_pool(marked):
    X, y, *_ = marked
    chosen = [
        FoldlessSearch(Ridge(), {"alpha": [0.1, 1.0]}, cv=3, random_state=0).fit(X, values).selection_.criterion.name
        for values in (y * 2.0 - 1, y * 2.0 + 1)
    ]
    assert chosen[0] == chosen[1]


def test_minus_one_of_an_outlier_detector_is_no_pool(marked):
    X, y, *_ = marked
    forest = IsolationForest(n_estimators=20)
    search = FoldlessSearch(forest, {"max_features": [0.5, 1.0]}, scoring="accuracy", cv=3, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert search.fit(X, 2 * y - 1).selection_.criterion.name.startswith("k_fold")
