"""evaluate: what a fitted model gets right and wrong on labeled rows that it has not seen, class by class."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.metrics import f1_score
from sklearn.utils import check_random_state

from foldless.accuracy import HeldOut, held_out_accuracy
from foldless.accuracy._assumptions import CONFIDENCE
from foldless.accuracy._distributions import normal_quantile
from foldless.accuracy._held_out_accuracy import wilson
from foldless.checks import among, checked, of_test
from foldless.core import Array, Candidate, PoolRows, Task
from foldless.core._plain import plain_value
from foldless.core._resampling import check_share
from foldless.data._class_labels import MeasuredClasses
from foldless.data._features import as_features
from foldless.data._opening import open_sample
from foldless.data._overlap import hashes
from foldless.data._sample import Sample
from foldless.errors import BadInput
from foldless.judging._judge import Scoring
from foldless.results.evaluation import Evaluation
from foldless.selection.estimate import (
    FEWEST,
    by_labels,
    class_units,
    measure_interval,
    measured_on,
    rare_class_notes,
    strange_classes,
)
from foldless.selection.predict_labels import predict_labels, refuse_regressor

BY_MAJORITY = "by accuracy, the model is no better than always predicting {name!r}, right for {share:.1%} of these rows"
ONE_CLASS = "all rows are of class {name!r}: the accuracy is the recall of this class, and says nothing of others"


def evaluate(
    model: Any,
    X: Any,
    y: Any,
    *,
    X_train: Any = None,
    scoring: Scoring | Sequence[Scoring] = (),
    confidence: float = CONFIDENCE,
    groups: Any = None,
    random_state: Any = None,
) -> Evaluation:
    """Measure a fitted model on labeled rows that it has not seen: accuracy, classes and confusion.

    `estimate` gives one number with a narrower interval, if there is a pool.

    Parameters
    ----------
    model : a fitted classifier
    X, y : labeled rows that the model was not trained on, nor chosen by; the label −1 is a class
    X_train : the rows that the model was trained on, optional
        Rows of ``X`` that are among them are counted in a note, with the accuracy without them
    scoring : metrics that are wanted too: scikit-learn's names, `foldless.Metric`, scorers of predictions
    confidence : how often the intervals contain the true value
    groups : rows of one group count as one
    random_state : the seed of every random draw

    Returns
    -------
    Evaluation
        ``accuracy`` and ``macro_f1`` with intervals, ``confusion``, and ``table()`` with a row for each class.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.utils import shuffle
    >>> from foldless import evaluate
    >>> X, y = shuffle(*load_iris(return_X_y=True), random_state=0)
    >>> found = evaluate(LogisticRegression(max_iter=500).fit(X[:50], y[:50]), X[50:], y[50:], random_state=0)
    >>> print(found.accuracy)
    accuracy on new rows about 0.970, 0.914 to 0.990 with confidence 0.95 (from 100 labels)
    >>> found.confusion.tolist()
    [[34, 0, 0], [0, 30, 1], [0, 2, 33]]
    """
    seen = None if X_train is None else hashes(as_features(X_train, "X_train"))
    return evaluated(
        model, X, y, seen, scoring=scoring, confidence=confidence, groups=groups, random_state=random_state
    )


def evaluated(
    model: Any,
    X: Any,
    y: Any,
    trained_on: Array | None,
    *,
    scoring: Scoring | Sequence[Scoring] = (),
    confidence: float = CONFIDENCE,
    groups: Any = None,
    random_state: Any = None,
) -> Evaluation:
    """The same, where the hashes of the rows that the model was trained on are known."""
    check_share("confidence", confidence)
    refuse_regressor(model)
    sample = checked(open_sample(X, y, kind=MeasuredClasses, groups=groups))  # an evaluation reads no pool
    if (n := len(sample.y)) < FEWEST:
        raise BadInput(f"an evaluation needs at least {FEWEST} labeled rows, got {n}")
    classes, codes = _predicted(model, sample)
    labeled, unlabeled, _ = sample.rows()
    seed = int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    rng = Task(sample.target, labeled, PoolRows(unlabeled), (Candidate(0, "model", {}),), 1, seed, sample.groups).rng
    held = HeldOut(codes == sample.y, groups=sample.groups)
    confusion, none = _confusion(sample.y, codes, len(classes))
    # over the classes that the rows have
    macro_f1 = float(f1_score(sample.y, codes, labels=np.unique(sample.y), average="macro", zero_division=0))
    f1 = measure_interval(macro_f1, "f1_macro", model, sample, codes, confidence, rng("macro F1"))
    several = [scoring] if isinstance(scoring, str) or callable(scoring) else list(scoring)
    measures, more = measured_on(model, sample, codes, several, confidence, rng("measures"))
    without = rare_class_notes(model, sample, "f1_macro") if np.isnan(f1.lower) else []
    return Evaluation(
        by_labels("accuracy", held_out_accuracy(held, confidence, rng("estimate"), inflated=1.0), confidence, n),
        by_labels("macro F1", f1, confidence, n),
        tuple(plain_value(label) for label in classes), confusion, none,
        _recall_intervals(confusion, none, class_units(sample, len(classes)), confidence),
        notes=(
            *sample.notes,
            *_shared(sample, codes == sample.y, trained_on),
            *_notes(model, sample, confusion, classes),
            *without,
            *more,
        ),
        measures=measures,
    )  # fmt: skip


def _predicted(model: Any, sample: Sample) -> tuple[list[Any], Array]:
    """All classes, first those of the rows, and the codes of the predicted ones; −1 for no label."""
    labels = np.asarray(predict_labels(model, sample.labeled))
    classes = list(sample.classes)
    known = {plain_value(label): at for at, label in enumerate(classes)}
    plain = [plain_value(label) for label in labels]
    for label in [*map(plain_value, getattr(model, "classes_", ())), *plain]:
        if label is not None and label not in known:
            known[label] = len(classes)
            classes.append(label)
    return classes, np.array([-1 if label is None else known[label] for label in plain])


def _confusion(y: Array, codes: Array, n_classes: int) -> tuple[Array, Array]:
    """Counts by class and predicted class, and the rows of each class without a label."""
    there = codes >= 0
    table = np.zeros((n_classes, n_classes), dtype=np.int64)
    np.add.at(table, (y[there], codes[there]), 1)
    return table, np.bincount(y[~there], minlength=n_classes)


def _recall_intervals(confusion: Array, unlabeled: Array, units: Array, confidence: float) -> Array:
    """Wilson's interval of the recall of each class from its rows, or groups of them; NaN where it has no rows."""
    right, rows = confusion.diagonal(), confusion.sum(axis=1) + unlabeled
    quantile = normal_quantile((1 + confidence) / 2)
    recalls = zip(right, rows, units, strict=True)
    return np.array([wilson(r / n, unit, quantile) if n else (np.nan, np.nan) for r, n, unit in recalls])


def _shared(sample: Sample, right: Array, trained_on: Array | None) -> list[str]:
    if trained_on is None:
        return []
    seen = among(trained_on, hashes(sample.labeled), sample.labeled)
    if not seen.any():
        return []
    return [of_test(seen, "accuracy", float(right.mean()), None if seen.all() else float(right[~seen].mean()))]


def _notes(model: Any, sample: Sample, confusion: Array, classes: Sequence[Any]) -> list[str]:
    notes, counts = strange_classes(model, sample), np.bincount(sample.y)
    share = counts.max() / len(sample.y)
    if len(counts) == 1:
        notes.append(ONE_CLASS.format(name=plain_value(classes[0])))
    if len(counts) > 1 and confusion.trace() / len(sample.y) <= share:
        notes.append(BY_MAJORITY.format(name=plain_value(classes[int(counts.argmax())]), share=share))
    return notes
