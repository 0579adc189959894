"""Seeded runs over all criteria, all learners and the command line: whether a change of the code changes answers.

    python tests/golden/runs.py              compared with golden.json, as far as tolerances.json allows
    python tests/golden/runs.py --record     written to golden.json; only where a release changes answers on purpose
    python tests/golden/runs.py --stability  written to tolerances.json: how far each number can be compared on another
                                             processor, from runs with perturbed inputs; after each --record

What is recorded is what was chosen, scores, certificates, shares and counts of fits; no sentences, which may be worded
anew. Only public names are imported. To the last digit, compare.py compares two commits in one place.
"""

import argparse
import json
import os
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import scipy.linalg
from click.testing import CliRunner
from scipy.stats import loguniform
from sklearn.datasets import load_breast_cancer, load_digits, load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler, scale
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier
from sklearn.utils import shuffle

from foldless import FoldlessSearch, certify, compare
from foldless.cli import main
from foldless.criteria import (
    ADA,
    ADJ,
    TRI,
    BestOf,
    Bootstrap632,
    Dagging,
    Evidence,
    HoldOut,
    KFold,
    LeaveOneOut,
    QuantificationBound,
    RankSum,
    SemiSupervisedCV,
    SimilarData,
)
from foldless.learners import (
    CoRegularizedLogisticRegression,
    CoTraining,
    DaggingClassifier,
    GPCoTraining,
    KernelSVC,
    L1LogisticRegression,
    LinearSVC,
    LogisticOutputs,
    LogisticRegression,
    ManifoldGP,
    MultinomialNB,
    MultiViewGP,
    Precomputed,
    ViewGP,
)
from foldless.measures import BY_NAME as MEASURES
from foldless.measures import KLD
from foldless.online import CAN, NEMSIS, SCAN, OnePassMiniBatch, SVMPerf
from foldless.text import ClassWordVectorizer

GOLDEN = Path(__file__).with_name("golden.json")
TOLERANCES = Path(__file__).with_name("tolerances.json")
LINEAR_ALGEBRA = {
    name: getattr(scipy.linalg, name)
    for name in ("cho_factor", "cho_solve", "cholesky", "eigh", "inv", "solve_triangular")
}
PATH = {"C": [0.01, 0.1, 1.0, 10.0]}
SENTENCES = {"notes", "assumes", "versions", "saved", "checkpoint", "journal", "model", "source", "what", "report",
             "method", "quantity", "columns", "stopped", "files", "why", "difference", "rank", "findings"}  # fmt: skip

Run = Callable[[], Any]
RUNS: dict[str, Run] = {}


def run(function: Run) -> Run:
    RUNS[function.__name__] = function
    return function


# perturbation ------------------------------------------------------------------------------------------------------

_perturbation = (0.0, 0)  # its relative size and its seed


@contextmanager
def perturbation(size: float, seed: int) -> Iterator[None]:
    """Inside it, numbers of the data are off by about this size, relative to each, as if they had been rounded.

    A graph of nearest neighbors does not notice this, and what is solved on it may be all roundings: so SciPy's linear
    algebra, which every library does in its own order, is off in the last digit too.
    """
    global _perturbation
    _perturbation = (size, seed)
    rng = np.random.default_rng(seed)
    replaced = [
        (module, name, function)
        for path, module in list(sys.modules.items())
        if path.partition(".")[0] == "foldless"
        for name, function in LINEAR_ALGEBRA.items()
        if vars(module).get(name) is function
    ]
    for module, name, function in replaced:
        setattr(module, name, rounding_otherwise(function, rng))
    try:
        yield
    finally:
        _perturbation = (0.0, 0)
        for module, name, function in replaced:
            setattr(module, name, function)


def rounding_otherwise(function: Callable[..., Any], rng: np.random.Generator) -> Callable[..., Any]:
    """A function whose arrays are off by a rounding of their largest number."""

    def rounded(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(rounded(part) for part in value)
        if isinstance(value, np.ndarray) and value.size:
            return value + 2e-16 * np.abs(value).max() * rng.standard_normal(value.shape)
        return value

    return lambda *args, **kwargs: rounded(function(*args, **kwargs))


def perturbed(X: Any) -> Any:
    size, seed = _perturbation
    return X * (1 + size * np.random.default_rng(seed).standard_normal(X.shape)) if size else X


# data --------------------------------------------------------------------------------------------------------------


def wine(n: int = 60) -> tuple[Any, Any, Any, Any]:
    """Labeled rows, their labels, and the pool with its labels."""
    X, y = shuffle(*load_wine(return_X_y=True), random_state=0)
    X = perturbed(scale(X).round(6))
    return X[:n], y[:n], X[n:], y[n:]


def cancer(n: int = 30, m: int = 150) -> tuple[Any, Any, Any, Any]:
    X, y = shuffle(*load_breast_cancer(return_X_y=True), random_state=1)
    X = perturbed(scale(X).round(6)[:, :10])
    return X[:n], y[:n], X[n : n + m], y[n : n + m]


def digits(n: int = 100, m: int = 200) -> tuple[Any, Any, Any, Any]:
    X, y = shuffle(*load_digits(return_X_y=True), random_state=2)
    X = perturbed(X / 16)
    return X[:n], y[:n], X[n : n + m], y[n : n + m]


def table(n: int = 240) -> pd.DataFrame:
    rng = np.random.default_rng(5)
    codes = rng.integers(3, size=n)
    points = perturbed((rng.normal(size=(n, 2)) + 2.5 * np.array([[0, 0], [1, 0], [0, 1]])[codes]).round(4))
    color = np.where(rng.random(n) < 0.7, np.array(["red", "green", "blue"])[codes], "gray")
    when = pd.date_range("2024-01-01", periods=n, freq="31h").strftime("%Y-%m-%dT%H:%M:%S")
    words = np.array(["sun moon", "moon star", "star sun"])[codes]
    text = [f"{word} w{at % 5} w{at % 11}" for at, word in enumerate(words)]
    return pd.DataFrame(
        {"x": points[:, 0], "y": points[:, 1], "color": color, "when": when, "text": text,
         "topic": np.array(["a", "b", "c"])[codes]}
    )  # fmt: skip


# what a result tells -----------------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """A value as JSON has it, with all its digits; an object is the name of its class."""
    if isinstance(value, Mapping):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, np.ndarray | np.generic):
        return plain(value.tolist())
    return value if isinstance(value, str | int | float | type(None)) else type(value).__name__


def of_selection(selection: Any) -> dict[str, Any]:
    certificate = selection.certificate
    return {
        "ranking": [[c.candidate.index, plain(c.candidate.params), plain(c.score)] for c in selection.ranking],
        "shares": None if selection.shares is None else plain(selection.shares.to_dict()),
        "certificate": None if certificate is None else of_certificate(certificate),
    }


def of_certificate(certificate: Any) -> Any:
    return [plain(certificate.upper), plain(certificate.confidence), [plain(term.upper) for term in certificate.terms]]


def of_comparison(comparison: Any) -> dict[str, Any]:
    selections = {name: of_selection(selection) for name, selection in comparison.selections.items()}
    table = comparison.table()
    shown = [name for name in ("score", "fits", "test_accuracy", "test_macro_f1", "regret") if name in table]
    return {
        "selections": selections,
        "unable": sorted(comparison.unable),
        "table": {name: plain(table[name].tolist()) for name in shown},
        "n_fits": plain(dict(comparison.n_fits)),
    }


def of_search(search: FoldlessSearch, X: Any) -> dict[str, Any]:
    found = {**of_selection(search.selection_), "n_fits": plain(dict(search.selection_.n_fits))}
    return {**found, "predicted": plain(search.predict(X[:40])), "model": of_model(search.best_estimator_, X[:5])}


def of_model(model: Any, X: Any) -> dict[str, Any]:
    answers = {"predict": plain(model.predict(X))}
    for name in ("predict_proba", "decision_function", "predict_shares"):
        if hasattr(model, name):
            answers[name] = plain(getattr(model, name)(X))
    return answers


def compared(estimator: Any, grid: Any, data: tuple[Any, Any, Any, Any], criteria: Any, seed: int, **more: Any) -> Any:
    X, y, pool, truth = data
    return of_comparison(
        compare(estimator, grid, X, y, X_unlabeled=pool, criteria=criteria, X_test=pool, y_test=truth,
                random_state=seed, **more)
    )  # fmt: skip


# criteria ----------------------------------------------------------------------------------------------------------


@run
def all_criteria_by_name() -> Any:
    names = (
        "quantification_bound", "k_fold", "leave_one_out", "hold_out", "bootstrap_632", "semi_supervised_cv",
        "similar_data", "ada", "tri", "adj", "evidence", "dagging",
    )  # fmt: skip
    return compared(LogisticRegression(), PATH, cancer(), list(names), 0)


@run
def bounds_of_every_form() -> Any:
    bounds = {
        "measure": QuantificationBound(measure="macro_f1"),
        "valid": QuantificationBound(form="valid", delta=0.1),
        "pcc": QuantificationBound(quantifier="pcc"),
        "printed": QuantificationBound(quantifier="pcc", eps_rule="printed", fallback="never"),
    }
    return {
        "scores": compared(LinearSVC(), PATH, wine(), bounds, 1),
        "probabilities": compared(LogisticRegression(), PATH, wine(), bounds, 1),
    }


@run
def resampling() -> Any:
    criteria = {
        "3": KFold(3), "10": KFold(10), "one": LeaveOneOut(), "out": HoldOut(0.3), "sure": HoldOut(0.3, confidence=0.9),
        ".632": Bootstrap632(5),
    }  # fmt: skip
    return compared(make_pipeline(StandardScaler(), LinearSVC()), {"linearsvc__C": PATH["C"]}, wine(40), criteria, 2)


@run
def certified_cross_validation() -> Any:
    X, y, pool, truth = digits(200, 300)
    criteria = {f"{k}": SemiSupervisedCV(k, 0.9) for k in (1, 5)}
    return compared(LogisticRegression(), PATH, (X, y, pool, truth), criteria, 3)


@run
def similar_data() -> Any:
    criteria = {
        "labels": SimilarData(5), "probabilities": SimilarData(5, "probabilities"),
        "updated": SimilarData(5, updates=2, scoring="matthews_corrcoef"),
    }  # fmt: skip
    return compared(LogisticRegression(), PATH, cancer(8, 60), criteria, 4)


@run
def distances_to_the_pool() -> Any:
    return compared(LogisticRegression(), PATH, cancer(12), [ADA(), TRI(), ADJ()], 5)


@run
def rank_sums_and_the_best_of_all() -> Any:
    criteria = {
        "sum": RankSum(SimilarData(4), ADA()), "named": "k_fold+tri", "best": BestOf(KFold(4), Dagging(4)),
        "bar": "hold_out|k_fold",
    }  # fmt: skip
    return compared(LogisticRegression(), PATH, cancer(24), criteria, 6)


@run
def dagging_criterion() -> Any:
    X, y, pool, truth = digits()
    search = FoldlessSearch(LogisticRegression(), PATH, criterion=Dagging(4), random_state=7)
    return of_search(search.fit(X, y, X_unlabeled=pool), pool)


@run
def evidence_of_gaussian_processes() -> Any:
    X, y, pool, truth = cancer(16, 60)
    criteria = [Evidence(), LeaveOneOut()]
    return {
        "manifold": compared(ManifoldGP(), {"ratio": [0.1, 1.0, 10.0]}, (X, y, pool, truth), criteria, 8),
        "views": compared(ViewGP(), {"kernel": ["rbf", "linear"]}, (X, y, pool, truth), criteria, 8),
    }


# learners ----------------------------------------------------------------------------------------------------------


@run
def supervised_learners() -> Any:
    candidates = {
        "linear": (LinearSVC(), PATH), "hinge": (LinearSVC(loss="hinge"), PATH),
        "logistic": (LogisticRegression(), PATH),
        "kernel": (KernelSVC(), {"C": [1.0, 10.0], "gamma": ["scale", 0.05]}),
        "l1": (L1LogisticRegression(), {"lam": [0.1, 0.01], "scale": ["mean", "sum"]}),
        "dagging": (DaggingClassifier(LogisticRegression(), 3), {"voting": ["hard", "soft"]}),
        "outputs": (LogisticOutputs(LinearSVC()), {"targets": ["weka", "platt"]}),
        "gp": (ViewGP(), {"form": ["averaged", "stacked"]}),
    }  # fmt: skip
    return compared(candidates, None, wine(30), ["quantification_bound", KFold(3), ADJ()], 9)


@run
def many_classes() -> Any:
    candidates = {"linear": (LinearSVC(), PATH), "kernel": (KernelSVC(kernel="poly"), {"C": [0.1, 1.0]})}
    return compared(candidates, None, digits(), ["quantification_bound", KFold(4)], 10)


@run
def semi_supervised_learners() -> Any:
    candidates = {
        "co-training": (CoTraining(rounds=5), {"l1": [0.1, 0.01]}),
        "others": CoTraining(LogisticRegression(), LogisticRegression(), rounds=3),
        "co-regularized": (CoRegularizedLogisticRegression(), {"lam": [0.1, 0.01], "mu": [0.1, 1.0]}),
        "gp": (GPCoTraining(), {"sigma1": [0.1, 1.0], "kernel": ["rbf", "graph"]}),
        "multi-view": (MultiViewGP(kernel=["linear", "rbf"]), {"coupling": [0.0, 1.0]}),
        "manifold": (ManifoldGP(), {"degree": [1, 2]}),
        "spreading": (LabelSpreading(max_iter=200), {"gamma": [0.1, 1.0]}),
        "self": SelfTrainingClassifier(LogisticRegression()),
    }
    X, y, pool, truth = cancer(14, 60)
    names = np.array(["ham", "spam"])
    criteria = ["quantification_bound", KFold(3), SimilarData(3), ADJ()]
    return compared(candidates, None, (X, names[y], pool, names[truth]), criteria, 11)


@run
def models_of_semi_supervised_learners() -> Any:
    X, y, pool, _ = cancer(14, 40)
    together, labels = np.vstack([X, pool]), np.concatenate([y, np.full(len(pool), -1)])
    learners = {
        "co-training": CoTraining(rounds=5, random_state=0),
        "co-regularized": CoRegularizedLogisticRegression(lam=0.01),
        "gp": GPCoTraining(), "centered": GPCoTraining(kernel="centered_linear"), "multi-view": MultiViewGP(),
        "manifold": ManifoldGP(n_neighbors=4),
    }  # fmt: skip
    return {name: of_model(learner.fit(together, labels), pool[:5]) for name, learner in learners.items()}


@run
def precomputed_kernels() -> Any:
    X, y, pool, truth = cancer(20, 60)
    everything = np.vstack([X, pool])
    kernel = Precomputed(np.exp(-0.05 * ((everything[:, None] - everything[None]) ** 2).sum(axis=2)))
    numbers = np.arange(len(everything), dtype=float)[:, None]
    data = (numbers[:20], y, numbers[20:], truth)
    return compared(ViewGP([[0]]), {"kernel": [kernel]}, data, [Evidence(), KFold(4)], 12)


@run
def online_learners() -> Any:
    X, y, pool, truth = cancer(80, 120)
    candidates = {
        "nemsis": (NEMSIS("bakld"), {"eta0": [0.1, 1.0]}),
        "scan": (SCAN(first_epoch=20), {"measure": ["cq_reward", "bk_reward"]}),
        "can": (CAN(), {"measure": ["cq_reward", "f_measure"]}),
        "one pass": (OnePassMiniBatch(buffer=20), {"eta0": [0.1, 1.0]}),
        "perf": (SVMPerf(), {"C": [1.0, 25.0]}),
    }
    return compared(candidates, None, (X, y, pool, truth), ["quantification_bound", KFold(3)], 13)


@run
def models_of_online_learners() -> Any:
    X, y, pool, _ = wine(90)
    nested = ("kld", "nss", "balanced_accuracy", "q_measure", "bakld", "g_mean")
    pseudo_concave = ("cq_reward", "bk_reward", "f_measure")
    learners = {
        **{f"nemsis {name}": NEMSIS(name, random_state=0) for name in nested},
        "counting": NEMSIS(KLD(), non_surrogate=True, random_state=0),
        **{f"scan {name}": SCAN(name, first_epoch=20, random_state=0) for name in pseudo_concave},
        "can": CAN("bk_reward"),
        "one pass": OnePassMiniBatch("nss", buffer=20, random_state=0),
        "perf": SVMPerf("bakld"),
    }  # fmt: skip
    return {name: of_model(learner.fit(X, y), pool[:5]) for name, learner in learners.items()}


@run
def values_of_measures() -> Any:
    rates = np.minimum(perturbed(np.array([(0.9, 0.8, 0.3), (0.5, 1.0, 0.1), (0.0, 0.7, 0.6)])), 1.0).tolist()
    return {name: [plain(measure().value(P, N, p, 100)) for P, N, p in rates] for name, measure in MEASURES.items()}


@run
def class_words() -> Any:
    frame = table(120)
    model = make_pipeline(ClassWordVectorizer(3), MultinomialNB())
    search = FoldlessSearch(
        {"nb": (model, {"multinomialnb__alpha": [0.1, 1.0]}),
         "svm": (make_pipeline(ClassWordVectorizer(), LinearSVC()), {"linearsvc__C": [0.1, 1.0]})},
        criterion=KFold(3), random_state=14,
    )  # fmt: skip
    texts = frame["text"].tolist()
    return of_search(search.fit(texts[:60], frame.topic[:60], X_unlabeled=texts[60:]), texts[60:])


# what users call ---------------------------------------------------------------------------------------------------


@run
def search_with_scikit_learn() -> Any:
    X, y, pool, _ = wine(50)
    search = FoldlessSearch(
        {"forest": (RandomForestClassifier(10), {"max_depth": [2, 5]}),
         "neighbors": (KNeighborsClassifier(), {"n_neighbors": [1, 5]})},
        criterion="k_fold", random_state=15,
    )  # fmt: skip
    return of_search(search.fit(X, np.array(["x", "y", "z"])[y], X_unlabeled=pool), pool)


@run
def search_that_draws() -> Any:
    X, y, pool, _ = wine(50)
    search = FoldlessSearch(
        LinearSVC(), {"C": loguniform(1e-3, 1e3)}, criterion="quantification_bound", n_iter=6, random_state=16,
    )  # fmt: skip
    found = of_search(search.fit(X, y, X_unlabeled=pool), pool)
    return {**found, "scores": plain(search.cv_results_["mean_test_score"])}


@run
def search_with_weights_and_groups() -> Any:
    X, y, pool, _ = wine(60)
    search = FoldlessSearch(LogisticRegression(), PATH, criterion=KFold(3), random_state=17)
    weights = np.where(np.arange(60) % 3, 1.0, 2.0)
    return {
        "weights": of_search(search.fit(X, y, X_unlabeled=pool, sample_weight=weights), pool),
        "groups": of_search(search.fit(X, y, X_unlabeled=pool, groups=np.arange(60) // 4), pool),
        "marked": of_search(search.fit(np.vstack([X, pool]), np.concatenate([y, np.full(len(pool), -1)])), pool),
    }


@run
def certificates() -> Any:
    X, y, pool, _ = digits(300, 500)
    grid = {"C": [0.1, 1.0]}
    return {
        "usual": of_certificate(certify(LogisticRegression(), X, y, X_unlabeled=pool, random_state=18)),
        "chosen": of_certificate(certify(LinearSVC(), X, y, X_unlabeled=pool, param_grid=grid, random_state=18)),
        "sure": of_certificate(certify(LinearSVC(), X, y, X_unlabeled=pool, confidence=0.99, random_state=18)),
        "held out": of_certificate(certify(LinearSVC(), X, y, method="hold_out", random_state=18)),
    }


# the command line --------------------------------------------------------------------------------------------------


@run
def commands_that_choose() -> Any:
    task = ["train.csv", "--label", "topic", "--unlabeled", "pool.csv", "--test", "test.csv", "--seed", "3"]
    linear = ["--model", "logistic-regression", "--grid", "C=0.01,1,100"]
    bound = ["--criterion", "quantification-bound"]
    return {
        "select": command("select", *task, *linear, *bound),
        "several": command("select", *task, "--model", "svc", "--model", "naive-bayes", "--criterion", "k_fold",
                           "--grid", "svc.C=1,10", "--grid", "svc.gamma=0.1", "--drop", "text"),
        "views": command("select", *task, "--model", "co-training", "--view", "x,color,text", "--view", "y,when",
                         "--grid", "l1=0.1,0.01", "--grid", "l2=0.1", *bound),
        "few": command("select", *task, "--model", "manifold-gp", "--criterion", "evidence", "--drop", "text"),
        "sum": command("select", *task, *linear, "--criterion", "similar-data:3+ada"),
        "compare": command("compare", *task, *linear, "--criteria", "k_fold,quantification-bound,tri"),
    }  # fmt: skip


@run
def commands_that_certify() -> Any:
    task = ["train.csv", "--label", "topic", "--unlabeled", "pool.csv", "--drop", "text", "--seed", "4"]
    linear = ["--model", "logistic-regression", "--grid", "C=0.1,1"]
    return {
        "certify": command("certify", *task, *linear, "--confidence", "0.9", "--compare-hold-out", "0.3"),
        "held out": command("certify", *task, *linear, "--hold-out", "0.3"),
    }


@run
def commands_that_predict() -> Any:
    for name in ("logistic-regression", "svc", "manifold-gp"):
        command("select", "train.csv", "--label", "topic", "--unlabeled", "pool.csv", "--model", name, "--drop", "text",
                "--criterion", "quantification-bound", "--save", f"{name}.skops",
                "--predict", f"{name}.csv", "--no-probabilities")  # fmt: skip
    probabilities = records("predict", "logistic-regression.skops", "test.csv", "--probabilities")
    return {
        "predicted": {name: rows(Path(f"{name}.csv").read_text()) for name in ("svc", "manifold-gp")},
        "document": command("predict", "svc.skops", "test.csv", "--no-probabilities"),
        "probabilities": [
            {key: value for key, value in row.items() if key != "predicted_topic_probability"} for row in probabilities
        ],
    }


@run
def commands_of_streams() -> Any:
    train = ["stream", "train", "all.csv", "--label", "topic", "--batch", "40", "--hold", "30"]
    found = {
        name: command(*train, "--learner", name, "--save", f"{name}.skops", *more)
        for name, more in {"nemsis": ["--measure", "g-mean"], "scan": [], "one-pass": ["--param", "eta0=0.1"]}.items()
    }
    shares = ["stream", "shares", "pool.csv", "--model", "nemsis.skops", "--window", "50"]
    windows = invoked(*shares, "--json").splitlines()
    return {**found, "windows": [without_sentences(json.loads(line)) for line in windows], "counted": records(
        *shares, "--method", "cc")}  # fmt: skip


def command(*args: str) -> Any:
    """The document of a command, without times and sentences."""
    return without_sentences(json.loads(invoked(*args, "--json")))


def records(*args: str) -> Any:
    return rows(invoked(*args))


def rows(text: str) -> Any:
    return plain(pd.read_csv(StringIO(text), float_precision="round_trip").to_dict("records"))


def invoked(*args: str) -> str:
    result = CliRunner().invoke(main, args)
    if result.exit_code:
        raise RuntimeError(f"foldless {' '.join(args)}: {result.output}") from result.exception
    return str(result.stdout)


def without_sentences(value: Any) -> Any:
    if isinstance(value, dict):
        return {
            key: without_sentences(part) for key, part in value.items() if key not in SENTENCES and "second" not in key
        }
    return [without_sentences(part) for part in value] if isinstance(value, list) else value


# recorded results --------------------------------------------------------------------------------------------------


def observed(name: str) -> Any:
    """What a run tells, in a folder of its own with the tables of the command line."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.chdir(folder)
        try:
            frame = table()
            frame.to_csv("all.csv", index=False)
            frame[:60].to_csv("train.csv", index=False)
            frame[60:200].drop(columns="topic").to_csv("pool.csv", index=False)
            frame[200:].to_csv("test.csv", index=False)
            return json.loads(json.dumps(RUNS[name]()))
        finally:
            os.chdir(before)


def recorded() -> dict[str, Any]:
    return dict(json.loads(GOLDEN.read_text()))


def tolerances() -> dict[str, dict[str, float | None]]:
    """By run how far the places of its result can be compared; a place that is not listed, to six digits."""
    return dict(json.loads(TOLERANCES.read_text()))


def _main() -> int:
    import comparing  # beside this file, which is also read alone

    parser = argparse.ArgumentParser(description="Whether choices, scores and certificates are what they were.")
    parser.add_argument("--record", action="store_true", help="write what is told now")
    parser.add_argument("--stability", action="store_true", help="write how far it can be compared elsewhere")
    parser.add_argument("names", nargs="*", help="runs; all if none is named")
    args = parser.parse_args()
    names = args.names or list(RUNS)
    if args.record:
        write(GOLDEN, {**recorded(), **{name: observed(name) for name in names}})
        return 0
    if args.stability:
        for name in names:
            write(TOLERANCES, {**tolerances(), name: _stability(name, comparing)})
        return 0
    failed = 0
    for name in names:
        found = list(comparing.differences(observed(name), recorded()[name], tolerances()[name]))
        failed += bool(found)
        print(f"{name}: {'the same' if not found else f'{len(found)} differences'}")
        for line in found[:5]:
            print(f"    {line}")
    return failed


def _stability(name: str, comparing: Any) -> Any:
    others: dict[float, list[Any]] = {}
    for size, draws in comparing.PERTURBATIONS:
        for seed in range(draws):
            with perturbation(size, seed):
                others.setdefault(size, []).append(observed(name))
    measured = comparing.measured_tolerances(observed(name), others)
    places = len(comparing.leaves(recorded()[name]))
    left_out = sum(tolerance is None for tolerance in measured.values())
    print(f"{name}: of {places} labels and numbers {left_out} are not compared", flush=True)
    return measured


def write(path: Path, by_run: Mapping[str, Any]) -> None:
    """One line for each run, in their order."""
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(by_run[name])}" for name in RUNS if name in by_run)
    path.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    sys.exit(_main())
