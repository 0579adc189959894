"""Prevalence windows: class shares of an unlabeled stream, window by window, and an alarm when they drift.

Shares are those of the predicted classes (classify and count), or what a quantifier makes of the answers with the help
of rows held out in training: adjusted counts by default, which need their table only. Intervals are those of
`foldless.quantify`: for the chance in the window and in the held-out rows. The alarm watches the counts before
anything is adjusted.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from foldless.accuracy._prior_shift import prior_shift, prior_shift_of_counts
from foldless.core import Array
from foldless.core._resampling import check_share
from foldless.errors import BadInput, SaveModel, SetArgument, some
from foldless.io._atomic import reason
from foldless.io._faults import Ledger
from foldless.quantifiers import Bags, Held, Quantifier, adjusted_count, classify_and_count, ill_conditioned, resolve
from foldless.quantifiers._intervals import ends_under_covariate_shift, shares_with_ends
from foldless.quantifiers.quantifier import codes_of
from foldless.results.prior_shift import PriorShift
from foldless.results.stream_shares import PrevalenceWindow
from foldless.streams._batches import Stream
from foldless.streams._classes import FEW
from foldless.streams._cleaning import clean
from foldless.streams._record import soft_answers
from foldless.streams.drift import DriftAlarm
from foldless.streams.prequential import FEW_CLASSES

ALWAYS = 10**6  # imagined rows of a class that is taken as always recognized
MAX_TESTED = 2000  # held-out rows that a window is compared with
MOST_ADJUSTED = 300  # classes: an interval draws K² rates many times


class ShareEstimator:
    """Turns answers on a window into shares; ``table`` are the held-out rows, by true and predicted class.

    ``held`` are probabilities for held-out rows, which methods that read probabilities need. By default counts are
    adjusted. A class with hardly any held-out row shows no rates: it is then taken as always recognized. Where the
    predictions hardly separate the classes, so that an adjusted count would be anything, counts are not adjusted; nor
    are those of more than 100 classes, unless it is asked for. ``notes`` say so, and when counts are not adjusted
    although this was not asked for.
    """

    def __init__(
        self,
        classes: Array,
        table: Any,
        method: str | Quantifier | None,
        confidence: float = 0.95,
        held: Held | None = None,
    ):
        check_share("confidence", confidence)
        self._way = resolve(method or ("cc" if table is None else "acc"))
        self.soft = self._way.response == "probabilities"
        name, adjusts = self._way.name, self._way.name not in ("cc", "pcc")
        if adjusts and table is None:
            raise _refused(method, "adjusted counts need rows held out in training, and the model has none", "cc")
        if adjusts and self.soft and held is None:
            why = f"{name} needs probabilities for rows held out in training, and the model keeps none"
            raise _refused(method, why, "acc")
        if adjusts and method is not None and len(classes) > MOST_ADJUSTED:
            why = f"adjusted counts of {len(classes):,} classes need the rates of all their pairs"
            raise _refused(method, why, "cc")
        self.classes, self.confidence, self._rng = classes, confidence, np.random.default_rng(0)
        self.notes: list[str] = []
        self._rng_of_tests = np.random.default_rng(1)  # their own, so that intervals are drawn as without them
        self.alarms = 0  # windows in which more than class shares differs
        if table is None and method is None:
            self._count_only("the model has no held-out rows to adjust by")
        if table is not None and method is None and len(classes) > FEW_CLASSES:
            table = None
            self._count_only(f"held-out rows do not give the confusion rates of {len(classes):,} classes")
        table = table.toarray() if sparse.issparse(table) else table
        self.table = table
        if table is not None and self.method == "acc":
            self._adjust(table)
        self._held = held if self.soft else None if self.table is None else _rows_of(self.table, self.method)

    def _adjust(self, table: Array) -> None:
        """Prepare the table for adjusted counts, or count without."""
        few = table.sum(axis=1) < FEW
        self.table = np.where(few[:, None], np.eye(len(table), dtype=int) * ALWAYS, table)
        if few.any() and not few.all():
            self.notes.append(
                f"fewer than {FEW} rows of {some(self.classes[few].tolist())} were held out, so it is assumed to be "
                f"recognized without errors"
            )
        if few.all():
            self._count_only(f"fewer than {FEW} rows of each class were held out")
        elif ill_conditioned(self.table, self._rng):
            self._count_only(
                "on the held-out rows, predictions hardly separate the classes, so adjusted counts would be unreliable"
            )

    def _count_only(self, why: str) -> None:
        self._way = resolve("cc")
        self.notes.append(f"shares are those of the predicted classes (cc): {why}")

    @property
    def method(self) -> str:
        return self._way.name

    def of(self, answers: Array) -> tuple[Array, Array, Array]:
        """Shares behind the answers on a window, with lower and upper ends, not a number where nothing is adjusted."""
        held, bags, unknown = self._held, Bags.whole(len(answers)), np.full(len(self.classes), np.nan)
        if not self._way.corrects or held is None:
            shares = answers.mean(axis=0) if self.soft else classify_and_count(answers, len(self.classes))
            return shares, unknown, unknown
        estimates = shares_with_ends(self._way, held, answers, bags, self.confidence, self._rng)
        shares, lower, upper = (part[0] for part in estimates)
        if self.method == "acc" and self.table is not None:
            shares = adjusted_count(classify_and_count(answers, len(self.classes)), self.table)
            lower, upper = np.minimum(lower, shares), np.maximum(upper, shares)
        test = self._tested(held, answers)
        if test is not None and test.alarm:  # no shares explain the predictions, and ends would be nearly equal
            self.alarms += 1
            lower, upper = unknown, unknown
        elif test is not None and test.doubtful:  # more than class shares may differ
            least, most = ends_under_covariate_shift(held, answers, bags, self.confidence)
            lower, upper = np.minimum(lower, least[0]), np.maximum(upper, most[0])
        return shares, lower, upper

    def _tested(self, held: Held, answers: Array) -> PriorShift | None:
        if self.soft:
            few = self._rng_of_tests.permutation(len(held.y))[:MAX_TESTED]
            return prior_shift(replace(held, answers=held.answers[few], y=held.y[few]), answers, self._rng_of_tests)
        if self.table is None:
            return None
        return prior_shift_of_counts(self.table, np.bincount(answers, minlength=len(self.classes)), self._rng_of_tests)


def _refused(method: Any, why: str, instead: str) -> BadInput:
    return BadInput(why, value=method, place="method", remedy=SetArgument("method", instead))


def _rows_of(table: Array, method: str) -> Held:
    """A table as rows that were predicted: one of each cell with a weight, or as many as there are."""
    true, predicted = np.nonzero(table)
    counts = table[true, predicted]
    if method == "acc":
        return Held(predicted, true, len(table), counts.astype(float))
    return Held(np.repeat(predicted, counts), np.repeat(true, counts), len(table))


def windows(
    stream: Stream, model: Any, estimator: ShareEstimator, alarm: DriftAlarm, ledger: Ledger, size: int
) -> Iterator[PrevalenceWindow]:
    """The windows of a stream of that many rows each; the last may have fewer."""
    last = 0
    for number, answers in enumerate(_cut(_answers(stream, model, estimator, ledger), size), 1):
        alarm.update(np.bincount(codes_of(answers), minlength=len(estimator.classes)))
        first, last = last + 1, last + len(answers)
        yield PrevalenceWindow(
            number, first, last, estimator.classes, *estimator.of(answers), estimator.method, alarm.evidence,
            alarm.drift_detected, alarm.drift_window,
        )  # fmt: skip


def _answers(stream: Stream, model: Any, estimator: ShareEstimator, ledger: Ledger) -> Iterator[Array]:
    """The codes of the predicted classes, or probabilities, batch by batch."""
    if stream.schema is None:
        raise BadInput("the model has no columns with names, so it cannot read a stream")
    classes = estimator.classes
    for batch in stream.batches():
        cleaned = clean(batch, stream.schema)
        ledger.enter(cleaned.faults)
        if len(cleaned):
            rows = cleaned.frame[list(stream.schema.columns.kinds)]
            try:
                if estimator.soft:
                    answers = soft_answers(model, rows)
                else:
                    answers = np.minimum(np.searchsorted(classes, model.predict(rows)), len(classes) - 1)
            except Exception as error:  # a model of another version, or a forged one, fails in its own way
                raise BadInput(f"the model cannot label these rows ({reason(error)})", remedy=SaveModel()) from error
            yield answers


def _cut(batches: Iterator[Array], size: int) -> Iterator[Array]:
    """The same rows in pieces of one size, each as soon as it is full; the last may be shorter."""
    pending = np.array([], dtype=int)
    for answers in batches:
        pending = np.concatenate([pending, answers]) if len(pending) else answers
        while len(pending) >= size:
            yield pending[:size]
            pending = pending[size:]
    if len(pending):
        yield pending
