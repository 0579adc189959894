"""estimate: how good a fitted model is on new rows, from labels it has not seen and a pool."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from foldless.accuracy import HeldOut, held_out_accuracy
from foldless.accuracy._assumptions import CONFIDENCE, DRAWN, ONE_POPULATION, ROUGH, SAME_POOL, UNSEEN
from foldless.accuracy._confusion_interval import BY_ROWS, MEASURES, confusion_interval, rare_classes, with_interval
from foldless.accuracy._confusion_interval import FEWEST as FEWEST_OF_CLASS
from foldless.accuracy._drawn_weights import drawn_weights
from foldless.accuracy._held_out_accuracy import Interval
from foldless.accuracy._measured import ModelAnswers, measured
from foldless.accuracy._second_opinion import lead
from foldless.accuracy._shift import ModelOutputs
from foldless.checks import checked
from foldless.core import Array, Candidate, LabelWeights, PoolRows, Response, Task
from foldless.core._plain import plain_value
from foldless.core._resampling import check_share
from foldless.data._class_labels import encode
from foldless.data._features import n_rows, take
from foldless.data._metadata import Draws, Metadata
from foldless.data._opening import open_sample
from foldless.data._sample import Sample
from foldless.errors import BadInput, counted
from foldless.judging._judge import AnswerScorer, Scoring, is_of_answers
from foldless.judging._scoring import ClassJudge
from foldless.results._measure_words import in_words
from foldless.results.estimate import LIKE_LABELS, NEW_ROWS, Estimate
from foldless.results.measured import MeasuredScore
from foldless.selection._compared_rows import comparable, opinions, picked, read_pool, shift_of
from foldless.selection.measured import better_of, constant, name_of
from foldless.selection.predict_labels import predict_labels, refuse_regressor

FEWEST = 10
METRICS = tuple(MEASURES)
MAX_COMPARED = 2000  # pool rows whose predictions are compared with those of labeled rows
RESPONSES: tuple[tuple[str, Response, float], ...] = (
    ("predict_proba", "probabilities", 0.0),
    ("decision_function", "scores", -np.inf),
)  # methods of a model, what they answer, and what stands for a class that the model does not know
STRANGE = (
    "row has a class that the model was not trained on, {}: it counts as wrong",
    "rows have a class that the model was not trained on, {}: they count as wrong",
)
RARE = "there is no interval of {scoring}: it needs {least} rows of each class, and {names}"


def estimate(
    model: Any,
    X: Any,
    y: Any,
    *,
    X_unlabeled: Any = None,
    unlabeled: Any = None,
    scoring: Scoring = "accuracy",
    confidence: float = CONFIDENCE,
    groups: Any = None,
    label_probabilities: Any = None,
    label_rounds: Any = None,
    random_state: Any = None,
) -> Estimate:
    """Estimate how good a fitted model is on new rows, with an interval.

    A pool makes the interval of the accuracy narrower: the confidence of the model on the pool and the opinion of a
    second model on its answers there are used, after the labels have corrected both.

    Parameters
    ----------
    model : a fitted classifier
    X, y : labeled rows that the model was not trained on, nor chosen by
    X_unlabeled : the pool, optional
    unlabeled : None or -1
        The label −1 is a class, as for `evaluate`; pass -1 if rows of ``y`` with that label are the pool
    scoring : "accuracy", or another metric such as "f1_macro", "roc_auc" or ``foldless.Metric("f1", positive="yes")``,
        whose interval does not use the pool. Where a class has fewer than three rows, metrics that weigh all classes
        alike have no interval: its ends are NaN, and a note says so
    confidence : how often such intervals contain the true value
    groups : rows of one group count as one
    label_probabilities, label_rounds : of labels that `suggest` drew from the pool, the probability and the round of
        each; NaN for those drawn at random like the pool, and 0 for those that someone chose. The pool is then what
        was not drawn
    random_state : the seed of every random draw

    Returns
    -------
    Estimate
        ``value``, ``lower``, ``upper``, what it ``assumes``, and ``shift``: whether the pool is like the labels.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.utils import shuffle
    >>> from foldless import estimate
    >>> X, y = shuffle(*load_digits(return_X_y=True), random_state=0)
    >>> model = LogisticRegression(max_iter=500).fit(X[:300] / 16, y[:300])
    >>> print(estimate(model, X[300:400] / 16, y[300:400], X_unlabeled=X[400:] / 16, random_state=0))
    accuracy on new rows about 0.913, 0.857 to 0.949 with confidence 0.95 (from 100 labels and the pool)
    """
    check_share("confidence", confidence)
    refuse_regressor(model)
    if not isinstance(scoring, str | AnswerScorer) and not is_of_answers(scoring):
        raise BadInput(f"scoring {scoring!r} has no interval here: use a name such as 'f1_macro', or a foldless.Metric")
    if label_probabilities is not None and scoring != "accuracy":
        raise BadInput(f"scoring {scoring!r} is not weighted by probabilities: use 'accuracy', or leave them out")
    metadata = Metadata(draws=Draws(label_probabilities, label_rounds))
    sample = checked(
        open_sample(X, y, X_unlabeled, groups=groups, metadata=metadata, unlabeled=unlabeled, random_state=random_state)
    )
    if (n := len(sample.y)) < FEWEST:
        raise BadInput(f"an estimate needs at least {FEWEST} labeled rows, got {n}")
    labeled, unlabeled, _ = sample.rows()
    seed = int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    weights = _weights(sample)
    task = Task(
        sample.target, labeled, PoolRows(unlabeled), (Candidate(0, "model", {}),), 1, seed, sample.groups,
        draws=LabelWeights(weights), copies=sample.copies,
    )  # fmt: skip
    labels = encode(np.asarray(predict_labels(model, sample.labeled)), sample.classes)
    shift = shift_of(sample, task, _outputs(model, sample, task, labels))
    differs = shift is not None and shift.alarm
    interval, pool = _interval(model, sample, task, labels, scoring, confidence, pool_differs=differs)
    notes = [
        *sample.notes,
        *strange_classes(model, sample),
        *(rare_class_notes(model, sample, scoring) if np.isnan(interval.lower) and scoring in METRICS else []),
        *([shift.note] if shift is not None and shift.alarm else []),
    ]
    if scoring != "accuracy" and sample.pool is not None:
        notes.append(f"the pool does not make the interval of {name_of(scoring)} narrower")
    with_pool = interval.weight > 0
    population = SAME_POOL if with_pool else ONE_POPULATION
    return Estimate(
        name_of(scoring), interval.value, interval.lower, interval.upper, confidence,
        "labels and the pool" if with_pool else "labels",
        (population if weights is None else DRAWN, UNSEEN, ROUGH),
        n if weights is None else int((weights > 0).sum()), pool, interval.weight, shift=shift,
        notes=tuple(notes), population=LIKE_LABELS if differs else NEW_ROWS,
    )  # fmt: skip


def strange_classes(model: Any, sample: Sample) -> list[str]:
    """A sentence about rows of classes that the model was not trained on, if there are such rows."""
    known = {plain_value(label) for label in getattr(model, "classes_", sample.classes)}
    strange = [at for at, label in enumerate(sample.classes) if plain_value(label) not in known]
    if not strange:
        return []
    names = ", ".join(repr(plain_value(sample.classes[at])) for at in strange[:5]) + ", …" * (len(strange) > 5)
    return [counted(int(np.isin(sample.y, strange).sum()), *STRANGE).format(names)]


def _interval(
    model: Any, sample: Sample, task: Task, labels: Array, scoring: Scoring, confidence: float, *, pool_differs: bool
) -> Any:
    """The interval, and the number of pool rows behind it."""
    if scoring != "accuracy" and not (isinstance(scoring, str) and scoring in METRICS):
        answers = answers_of(model, sample, labels)
        return measured(scoring, answers, _units(sample), confidence, task.rng("estimate"))[0], 0
    if scoring != "accuracy":
        value = ClassJudge(scoring, sample.classes).score("labels", sample.y, labels)
        return measure_interval(value, str(scoring), model, sample, labels, confidence, task.rng("estimate")), 0
    with_pool = sample.pool is not None and not picked(sample) and not pool_differs
    sure, on_pool = _predictors(model, sample, task, labels) if with_pool else (None, None)
    held = HeldOut(
        labels == sample.y, sure, on_pool, groups=sample.groups, weights=task.draws.estimating,
        n_pool=len(task.unlabeled),
    )  # fmt: skip
    interval = held_out_accuracy(held, confidence, task.rng("estimate"), inflated=1.0)
    return interval, 0 if on_pool is None else on_pool.shape[1]


def answers_of(model: Any, sample: Sample, codes: Array) -> ModelAnswers:
    """What a model says of the labeled rows, by the classes of both: labels, and probabilities or scores."""
    classes = np.unique(np.concatenate([np.asarray(sample.classes), np.asarray(getattr(model, "classes_", ()))]))
    truth = encode(np.asarray(sample.classes), classes)[sample.y]
    of_rows = ((codes >= 0) & (codes < len(sample.classes))).all()  # a model may predict classes that no row has
    labels = encode(np.asarray(sample.classes if of_rows else predict_labels(model, sample.labeled)), classes)
    labels = labels[codes] if of_rows else labels
    for method, response, absent in RESPONSES:
        if hasattr(model, method):
            raw = np.asarray(getattr(model, method)(sample.labeled), dtype=float)
            raw = np.column_stack([-raw, raw]) if raw.ndim == 1 else raw
            shares = np.full((len(truth), len(classes)), absent)
            shares[:, encode(np.asarray(model.classes_), classes)] = raw
            return ModelAnswers(classes, truth, labels, shares, response)
    return ModelAnswers(classes, truth, labels)


def measured_on(
    model: Any, sample: Sample, codes: Array, scoring: Sequence[Scoring], confidence: float, rng: np.random.Generator
) -> tuple[tuple[MeasuredScore, ...], list[str]]:
    """Metrics of a model on labeled rows that it has not seen, with intervals, and notes."""
    if not scoring:
        return (), []
    answers, scores, notes = answers_of(model, sample, codes), list[MeasuredScore](), list[str]()
    for one in scoring:
        interval, more = measured(one, answers, _units(sample), confidence, rng)
        estimate = by_labels(name_of(one), interval, confidence, len(sample.y), more)
        scores.append(MeasuredScore(estimate, constant(one, answers.classes, answers.truth), better_of(one)))
        notes += more
    return tuple(scores), notes


def by_labels(quantity: str, interval: Interval, confidence: float, n: int, notes: Sequence[str] = ()) -> Estimate:
    """What an interval from labels alone says of a model that has not seen them."""
    assumed = (ONE_POPULATION, UNSEEN, ROUGH)
    ends = interval.lower, interval.upper
    return Estimate(quantity, interval.value, *ends, confidence, "labels", assumed, n, notes=tuple(notes))


def measure_interval(
    value: float, scoring: str, model: Any, sample: Sample, labels: Array, confidence: float, rng: np.random.Generator
) -> Interval:
    """A measure of the table of true and predicted classes with its interval; none where a class has too few rows."""
    if _rare(model, sample, scoring):
        return with_interval(value, None)
    ends = confusion_interval(scoring, sample.y, labels, len(sample.classes), confidence, rng, _units(sample))
    return with_interval(value, ends)


def rare_class_notes(model: Any, sample: Sample, scoring: Scoring) -> list[str]:
    """Why there is no interval of a measure, if there is none."""
    rare = _rare(model, sample, str(scoring))
    if not rare:
        return []
    shown = [f"class {label!r} has {n}" for label, n in list(rare.items())[:5]]
    names = ", ".join(shown) + ", …" * (len(rare) > 5)
    return [RARE.format(scoring=in_words(str(scoring)), least=FEWEST_OF_CLASS, names=names)]


def _rare(model: Any, sample: Sample, scoring: str) -> dict[Any, int]:
    """The classes of the rows and of the model that have too few rows, and how many each has."""
    few = rare_classes(scoring, class_units(sample, len(sample.classes)))
    rare = {plain_value(sample.classes[at]): int((sample.y == at).sum()) for at in few}
    if scoring in BY_ROWS:
        return rare
    present = {plain_value(label) for label in sample.classes}
    return rare | {label: 0 for c in getattr(model, "classes_", ()) if (label := plain_value(c)) not in present}


def class_units(sample: Sample, n_classes: int) -> Array:
    """How many rows, or groups of rows, each class has."""
    pairs = np.unique(np.stack([sample.y.astype(np.int64), _units(sample)]), axis=1)[0]
    return np.asarray(np.bincount(pairs, minlength=n_classes))


def _units(sample: Sample) -> Array:
    """Codes of what is independent: rows or groups."""
    if sample.groups is None:
        return np.arange(len(sample.y))
    return np.asarray(np.unique(sample.groups, return_inverse=True)[1])


def _outputs(model: Any, sample: Sample, task: Task, labels: Array) -> ModelOutputs | None:
    """What the model predicts for labeled rows, one of each group and none that was chosen, and for pool rows."""
    if sample.pool is None:
        return None
    rows = comparable(sample)
    read = task.rng("compared outputs").permutation(len(task.unlabeled))[:MAX_COMPARED]
    pool = take(sample.pool, np.sort(read))
    pool_labels = encode(np.asarray(predict_labels(model, pool)), sample.classes)
    sure, on_pool = _confidence(model, sample.labeled), _confidence(model, pool)
    if sure is None or on_pool is None:
        return ModelOutputs(labels[rows], pool_labels)
    return ModelOutputs(labels[rows], pool_labels, sure[rows], on_pool)


def _weights(sample: Sample) -> Array | None:
    """Those of labels that were drawn with unequal probabilities."""
    if sample.draws is None:
        return None
    known = sample.draws.probabilities
    weights = drawn_weights(known, sample.draws.rounds, None if sample.pool is None else n_rows(sample.pool))
    n = int((weights > 0).sum()) if weights is not None else int((~(known == 0)).sum())
    if n < FEWEST:
        raise BadInput(f"an estimate needs at least {FEWEST} labels that were drawn with a known probability, got {n}")
    return weights


def _predictors(model: Any, sample: Sample, task: Task, labels: Array) -> tuple[Array | None, Array | None]:
    """What predicts whether the model is right, on labeled rows and on pool rows: its confidence, a second opinion."""
    read = read_pool(sample, task)
    pool, mine, theirs = take(sample.pool, read), list[Array](), list[Array]()
    sure, on_pool = (_confidence(model, rows) if len(read) else None for rows in (sample.labeled, pool))
    if sure is not None and on_pool is not None:
        mine, theirs = [sure], [on_pool]
    scores = opinions(sample, task, read) if len(read) else None
    if scores is not None:
        mine.append(lead(scores[0], labels))
        theirs.append(lead(scores[1], encode(np.asarray(predict_labels(model, pool)), sample.classes)))
    return (np.array(mine), np.array(theirs)) if mine else (None, None)


def _confidence(model: Any, X: Any) -> Array | None:
    """The probability of the predicted class, or the margin squeezed to (0, 1); None where a model has neither."""
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X)).max(axis=1)
    if hasattr(model, "decision_function"):
        scores = np.asarray(model.decision_function(X))
        margin = np.abs(scores) if scores.ndim == 1 else np.diff(np.sort(scores, axis=1)[:, -2:])[:, 0]
        return np.asarray(1 / (1 + np.exp(-margin)))
    return None
