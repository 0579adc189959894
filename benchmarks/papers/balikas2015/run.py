"""Balikas et al. (2015), Tables 1 to 3 and Figure 1, on collections that are free to use.

    python -m benchmarks.papers.balikas2015.run [--full] [--only NAME ...] [--data FOLDER] [--output FOLDER] [--seed 0]

Each set is cut into labeled rows, pool and test rows (sets.py says how). For SVM and logistic regression
with C in 1e-4, ..., 1e3 a C is chosen by the bound on the pool (bound_un), by the bound on the test rows' features
(bound_test), by ten hold-out splits of 70/30 (each makes its own choice) and by 5-fold cross-validation, once for
accuracy and once for MaF. The test labels are only read to score the choices.

MaF is scikit-learn's: the mean over the classes of the labeled part of each class's F1. The harmonic mean of macro
precision and macro recall, as the paper writes it, is in the column ``harmonic``.

Times are wall times of separate runs, one for each method (both measures share its fits), with compiled code, all of
foldless included. ``final`` is the fit of the chosen C on all labels where the method did not hold that model already.
"""

import argparse
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib
import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score

from benchmarks.papers.balikas2015 import printed
from benchmarks.papers.balikas2015.sets import SOURCES, Parts, make
from benchmarks.papers.balikas2015.tables import MEASURES, METHODS, agreement, as_printed, claims, speed
from benchmarks.papers.reproducing import Book, options, parser, recorded
from foldless import compare
from foldless.core import Ask, Choice, Criterion, Evaluation, Task
from foldless.criteria import HoldOut, KFold, QuantificationBound
from foldless.learners import LinearSVC, LogisticRegression
from foldless.quantifiers import MeanProbabilities, SigmoidShares, classify_and_count
from foldless.results.comparison import Comparison
from foldless.results.selection import Selection

COSTS = [10.0**power for power in range(-4, 4)]
LEARNERS = {"svm": LinearSVC, "lr": LogisticRegression}
REPEATS = 10
FIGURE = "wordnet_1500"


def harmonic(truth: Any, labels: Any, classes: Any) -> float:
    """The harmonic mean of macro precision and macro recall."""
    same = {"labels": classes, "average": "macro", "zero_division": 0}
    precision, recall = precision_score(truth, labels, **same), recall_score(truth, labels, **same)
    return float(2 * precision * recall / (precision + recall)) if precision + recall else 0.0


SCORES: dict[str, Callable[[Any, Any, Any], float]] = {
    "accuracy": lambda truth, labels, _: float(accuracy_score(truth, labels)),
    "maf": lambda truth, labels, classes: float(
        f1_score(truth, labels, labels=classes, average="macro", zero_division=0)
    ),
    "harmonic": harmonic,
}


@dataclass(frozen=True, eq=False)
class Listener(Criterion):
    """Chooses nothing: it writes down what every candidate says about the pool, here the test rows, for later."""

    answers: dict[float, Any] = field(default_factory=dict)

    def evaluate(self, task: Task) -> Evaluation:
        answers = yield [Ask(task.full(c), task.unlabeled) for c in task.candidates]
        for candidate, labels in zip(task.candidates, answers, strict=True):
            self.answers[candidate.params["C"]] = task.classes[labels]
        return [Choice(c, 0.0, (task.full(c),)) for c in task.candidates]


class Run(NamedTuple):
    """What one method found, and the seconds it took by itself."""

    comparison: Comparison
    seconds: float


class Outcome(NamedTuple):
    """The protocol on one set with one learner."""

    runs: dict[str, Run]
    test: dict[str, dict[float, float]]  # score -> C -> value on the test rows
    warned: str


def choose(parts: Parts, learner: Any, seed: int) -> Outcome:
    """Run the four methods one after the other."""
    bounds = {"accuracy": QuantificationBound(), "maf": QuantificationBound("macro_f1")}
    listener = Listener()
    asked: dict[str, tuple[Any, dict[str, Any]]] = {
        "bound_un": (parts.pool, bounds),
        "bound_test": (parts.X_test, {**bounds, "listener": listener}),
        "hold_out": (None, {"accuracy": HoldOut(repeats=REPEATS), "maf": HoldOut(repeats=REPEATS, scoring="f1_macro")}),
        "5_cv": (None, {"accuracy": KFold(5), "maf": KFold(5, scoring="f1_macro")}),
    }
    runs = {}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for method, (pool, criteria) in asked.items():
            start = time.perf_counter()
            found = compare(
                learner(), {"C": COSTS}, parts.X, parts.y, X_unlabeled=pool, criteria=criteria, groups=parts.groups,
                random_state=seed,
            )  # fmt: skip
            runs[method] = Run(found, time.perf_counter() - start)
    classes = np.unique(parts.y)
    test = {
        score: {cost: formula(parts.y_test, listener.answers[cost], classes) for cost in COSTS}
        for score, formula in SCORES.items()
    }
    return Outcome(runs, test, summary([str(warning.message) for warning in caught]))


def summary(messages: list[str]) -> str:
    """What a run warned about, in a line."""
    return f"{len(messages)} warnings, the first: {messages[0]}" if messages else ""


def by_cost(selection: Selection) -> dict[float, float]:
    """The score of each C."""
    scores = {choice.candidate.params["C"]: choice.score for choice in selection.ranking}
    return {cost: scores[cost] for cost in COSTS}


def split_choices(selection: Selection) -> list[float]:
    """The C that each single split would choose; the smallest of equals."""
    splits = {choice.candidate.params["C"]: choice.splits for choice in selection.ranking}
    table = np.array([splits[cost] for cost in COSTS])
    return [COSTS[at] for at in table.argmax(axis=0)]


def table_1(parts: Parts) -> dict[str, Any]:
    """Statistics of a set; ``perfect`` is the accuracy bound that the pool's true labels would get."""
    known = np.unique(parts.y)
    perfect = np.nan
    if parts.pool_y is not None:
        shares = [np.array([np.mean(labels == c) for c in known]) for labels in (parts.y, parts.pool_y)]
        perfect = float(np.minimum(*shares).sum())
    return {
        "set": parts.name,
        "documents": parts.n_documents,
        "of_documents": parts.of_documents,
        "labeled": len(parts.y),
        "pool": parts.pool.shape[0],
        "test": len(parts.y_test),
        "features": parts.X.shape[1],
        "classes": parts.n_classes,
        "classes_labeled": len(known),
        "parameters": len(known) * parts.X.shape[1],
        "test_known": float(np.isin(parts.y_test, known).mean()),
        "perfect": perfect,
    }


def table_2(parts: Parts, seed: int) -> dict[str, Any]:
    """Max_eps of PCC at C = 1: the largest gap between a class's mean probability and its counted share."""
    row: dict[str, Any] = {"set": parts.name, "one_by_classes": 1 / len(np.unique(parts.y))}
    for name, learner in LEARNERS.items():
        model = learner(random_state=seed).fit(parts.X, parts.y)
        counted = classify_and_count(model.decision_function(parts.pool).argmax(axis=1), len(model.classes_))
        if name == "lr":
            row["lr"] = max_eps(MeanProbabilities()(model.predict_proba(parts.pool)), counted)
            continue
        gaps = [max_eps(shares, counted) for shares in SigmoidShares()(model.decision_function(parts.pool))]
        row |= {"svm": min(gaps), "sigma": 1 + int(np.argmin(gaps))}
    return row


def max_eps(shares: Any, counted: Any) -> float:
    """The largest deviation of estimated shares from counted ones."""
    return float(np.abs(shares - counted).max())


def table_3(parts: Parts, name: str, outcome: Outcome) -> list[dict[str, Any]]:
    """One row per method and measure, and a row ``best`` for the C that the test rows would have chosen."""
    rows = []
    finals: dict[float, float] = {}
    for measure in MEASURES:
        for method in METHODS:
            selection = outcome.runs[method].comparison[measure]
            chosen = split_choices(selection) if method == "hold_out" else [selection.best.candidate.params["C"]]
            held = method != "hold_out" and selection.model is not None
            final = 0.0 if held else np.mean([final_fit(parts, LEARNERS[name], cost, finals) for cost in chosen])
            seconds = outcome.runs[method].seconds / (REPEATS if method == "hold_out" else 1)
            rows.append(_row(parts, name, measure, method, chosen, outcome.test) | {"seconds": seconds, "final": final})
        best = max(COSTS, key=lambda cost: outcome.test[measure][cost])
        rows.append(_row(parts, name, measure, "best", [best], outcome.test))
    rows[0]["warnings"] = outcome.warned
    return rows


def _row(parts: Parts, name: str, measure: str, method: str, chosen: list[float], test: Any) -> dict[str, Any]:
    row: dict[str, Any] = {"set": parts.name, "learner": name, "measure": measure, "method": method}
    row["C"] = " ".join(f"{cost:g}" for cost in chosen)
    for score, values in test.items():
        row[score] = float(np.mean([values[cost] for cost in chosen]))
        row[f"{score}_sd"] = float(np.std([values[cost] for cost in chosen], ddof=len(chosen) > 1))
    return row | {"score": row[measure], "sd": row[f"{measure}_sd"], "log10_C": float(np.mean(np.log10(chosen)))}


def final_fit(parts: Parts, learner: Any, cost: float, known: dict[float, float]) -> float:
    """Seconds of the one fit that a method without a model of its own needs at the end."""
    if cost not in known:
        start = time.perf_counter()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            learner(C=cost, random_state=0).fit(parts.X, parts.y)
        known[cost] = time.perf_counter() - start
    return known[cost]


def scores(parts: Parts, name: str, outcome: Outcome) -> list[dict[str, Any]]:
    """Every method's score of every C beside the truth: what the choices were made from."""
    rows = []
    for cost in COSTS:
        row: dict[str, Any] = {"set": parts.name, "learner": name, "C": cost}
        for measure in MEASURES:
            row |= {f"{method} {measure}": by_cost(run.comparison[measure])[cost] for method, run in _named(outcome)}
        rows.append(row | {f"test {score}": values[cost] for score, values in outcome.test.items()})
    return rows


def _named(outcome: Outcome) -> list[tuple[str, Run]]:
    return [(method, outcome.runs[method]) for method in METHODS]


def figure_1(parts: Parts, outcome: Outcome, seed: int) -> pd.DataFrame:
    """The curves of Figure 1: SVM, MaF; the bound by PCC follows Algorithm 1 to the letter."""
    pcc = QuantificationBound("macro_f1", quantifier="pcc", eps_rule="printed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = compare(
            LinearSVC(), {"C": COSTS}, parts.X, parts.y, X_unlabeled=parts.pool, criteria={"pcc": pcc},
            groups=parts.groups, random_state=seed,
        )  # fmt: skip
    held = outcome.runs["hold_out"].comparison["maf"]
    first = {choice.candidate.params["C"]: choice.splits[0] for choice in held.ranking}
    return pd.DataFrame(
        {
            "C": COSTS,
            "MaF on the test rows": outcome.test["maf"].values(),
            "Bound CC": by_cost(outcome.runs["bound_un"].comparison["maf"]).values(),
            "Bound PCC": by_cost(found["pcc"]).values(),
            "Hold-out (first split)": [first[cost] for cost in COSTS],
            "Hold-out (mean of 10)": by_cost(held).values(),
            "5-CV": by_cost(outcome.runs["5_cv"].comparison["maf"]).values(),
        }
    )


def draw(curves: pd.DataFrame, title: str, path: Path) -> None:
    """The curves as a picture; squares are the highest points, at the smallest C of equals."""
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 4.2))
    for column in curves.columns.drop(["C", "Hold-out (mean of 10)"]):
        (line,) = axes.plot(curves["C"], curves[column], ".-", label=column)
        at = curves[column].idxmax()
        axes.plot(curves["C"][at], curves[column][at], "s", color=line.get_color(), markersize=9)
    axes.set(xscale="log", xlabel="C = 1/λ", ylabel="MaF, or its bound", title=title)
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)


def warm_up() -> None:
    """Compile every kernel before the clock: blocks of 16, 4 and 1 classes, labels and scores."""
    rng = np.random.default_rng(0)
    X = sparse.csr_matrix(rng.random((80, 8)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for n_classes in (33, 20):
            for learner in LEARNERS.values():
                y = np.arange(80) % n_classes
                compare(learner(), {"C": [1, 10]}, X, y, X_unlabeled=X, criteria=["quantification_bound", "hold_out"])
                learner().fit(X, y).decision_function(X)


def report(book: Book) -> None:
    """Everything that is printed."""
    ours, theirs = book["table3"], printed.table_3()
    compared = pd.concat([claims(theirs, "paper"), claims(ours, "ours")])
    times, why = speed(ours), agreement(ours, book["scores"])
    for name, frame in (("claims", compared), ("speed", times), ("agreement", why)):
        book.csv(name, frame)
    paper_ratio = printed.SECONDS["5_cv"] / printed.SECONDS["bound_un"]
    sections = {
        "Table 1: sets (documents used, of how many; classes in the set, and those with a labeled row)": book["table1"],
        "Table 2: Max_eps of PCC at C = 1, on the pool": book["table2"],
        "Table 3: test scores of the chosen models, and seconds to choose (hold-out: of one split)": as_printed(ours),
        "Table 3 as the paper prints it: other collections, so no row of it can be compared with a row of ours":
            as_printed(theirs),
        "The claims: mean difference over sets with its standard error (paper: its own ten sets)": compared,
        f"Times longer than the bound on the pool (paper: 5-CV takes {paper_ratio:.2f} times as long)": times,
        "Where the methods choose, and the rank correlation of their scores with the truth over C": why,
    }  # fmt: skip
    book.tell(sections)


def run(typed: argparse.Namespace) -> Book:
    """The protocol on every set."""
    book = Book(typed.output, ("table1", "table2", "table3", "scores"))
    figure = FIGURE if FIGURE in typed.only else typed.only[-1]
    for name in typed.only:
        start = time.perf_counter()
        parts = make(name, typed.data, typed.seed, None if typed.full else typed.rows or SOURCES[name].limit)
        book.rows["table1"].append(table_1(parts))
        book.rows["table2"].append(table_2(parts, typed.seed))
        for learner in LEARNERS:
            outcome = choose(parts, LEARNERS[learner], typed.seed)
            book.rows["table3"] += table_3(parts, learner, outcome)
            book.rows["scores"] += scores(parts, learner, outcome)
            if (name, learner) == (figure, "svm"):
                curves = figure_1(parts, outcome, typed.seed)
                book.csv("figure1", curves)
                draw(curves, f"SVM on {name}", typed.output / "figure1.png")
        book.write()
        print(f"{name}: {time.perf_counter() - start:.0f} s", flush=True)
    return book


def main() -> None:
    typed = options(parser("balikas2015", __doc__, list(SOURCES)), needed="wordnet_glosses")
    with recorded("balikas2015", typed):
        warm_up()
        report(run(typed))


if __name__ == "__main__":
    main()
