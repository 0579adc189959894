"""Learn from a stream batch by batch: predict, count, set some rows aside, learn from the rest.

The first rows (one batch, more only where it has none to learn from) fix the classes and the scale of the features;
then every batch is read once and dropped. All that is kept between two batches is `State`, and the same state with the
same rows behind it gives the same weights to the bit.
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from foldless.core import Array
from foldless.data._features import take
from foldless.errors import BadInput, Note, SetArgument
from foldless.io._faults import Ledger
from foldless.io._parts import Place, StreamBatch
from foldless.io._table import table_of
from foldless.streams._batches import Stream
from foldless.streams._classes import check_exact, classes_of, named_classes, rare, spelled
from foldless.streams._cleaning import Clean, clean
from foldless.streams._out_of_range import Ranges
from foldless.streams._plan import Plan
from foldless.streams._preparation import preparation
from foldless.streams._reservoir import ReservoirRows
from foldless.streams._schemas import StreamSchema, first_look
from foldless.streams.prequential import ConfusionMatrix, PrequentialEvaluation


@dataclass
class State:
    """What is known between two batches."""

    schema: StreamSchema
    classes: Array
    preparation: Any
    learner: Any
    evaluation: PrequentialEvaluation
    held: ReservoirRows
    ranges: Ranges
    place: Place = field(default_factory=Place)
    rows: int = 0

    def held_counts(self) -> ConfusionMatrix:
        """The held-out rows, by true and predicted class."""
        k = len(self.classes)
        if not len(self.held):
            return ConfusionMatrix.empty(k)
        return ConfusionMatrix.of(self.held.codes, self._predicted(self.held.X), k)

    def learn(self, frame: pd.DataFrame, codes: Array) -> None:
        """Use up one batch of prepared rows."""
        X = self.preparation.transform(frame)
        if self.rows:
            self.evaluation.add(codes, self._predicted(X))
            self.ranges.add(frame)
        learned = np.flatnonzero(self.held.draw(X, codes, self.rows))
        if len(learned) < len(codes):
            X, codes = take(X, learned), codes[learned]
        if len(codes):
            self.learner.partial_fit(X, self.classes[codes], classes=self.classes)
        self.rows += len(frame)

    def _predicted(self, X: Any) -> Array:
        return np.searchsorted(self.classes, self.learner.predict(X))


class Trainer:
    """Feeds a stream to a learner. ``state`` is None until the first rows are there; ``ended`` when none are left."""

    def __init__(self, stream: Stream, plan: Plan, learner: Any, ledger: Ledger):
        self.stream, self.plan, self.learner, self.ledger = stream, plan, learner, ledger
        self.state: State | None = None
        self.ended = False
        self._first: list[Clean] = []
        self._met, self._place = 0, Place()
        self._before = 0
        stream.spelled = plan.label

    def take(self, state: State) -> None:
        self.state, self.stream.schema, self._before = state, state.schema, state.rows

    @property
    def learned(self) -> int:
        """The rows of this run."""
        return 0 if self.state is None else self.state.rows - self._before

    def run(self, after_batch: Callable[["Trainer"], bool]) -> State:
        """Learn to the end of the stream, or until ``after_batch`` says that it is enough."""
        place = None if self.state is None else self.state.place
        with closing(self.stream.batches(place)) as batches:
            for batch in batches:
                self._feed(batch)
                if not after_batch(self):
                    break
            else:
                self.ended = True
        if self.state is None:
            self._begin()
        if self.state is None:
            raise BadInput("the stream has no row to learn from: check its files, and the messages about its rows")
        return self.state

    def _feed(self, batch: StreamBatch) -> None:
        schema, label = self.stream.schema, self.plan.label
        if not self.stream.exact:
            batch = spelled(batch, label, None if schema is None else schema.families[label])
        self._place = batch.place
        self._met += len(batch.rows) + sum(fault.row is not None for fault in batch.faults)
        if schema is None:
            if not len(batch.rows):
                self.ledger.enter(batch.faults)
                return
            schema = self.stream.schema = self._look(batch)
        cleaned = clean(batch, schema, self._classes())
        self.ledger.enter(cleaned.faults)
        if self.state is not None:
            if len(cleaned):
                self.state.learn(cleaned.frame, cleaned.labels)
            self.state.place = batch.place
            return
        if len(cleaned):
            self._first.append(cleaned)
        if self._met >= self.plan.batch and self._enough():
            self._begin()

    def _look(self, batch: StreamBatch) -> StreamSchema:
        """The columns that the first batch shows; those of folder names are left out unless they are asked for."""
        table, plan = table_of(batch.source, batch.table), self.plan
        frame = table.frame
        for note in table.notes:
            self.ledger.tell(note)
        asked = {plan.label, *plan.kinds, *plan.drop}
        unasked = [name for name in self.stream.partition_columns if name in frame and name not in asked]
        if unasked:
            self.ledger.tell(
                Note(
                    f"the columns of folder names, {', '.join(unasked)}, are left out, because they are constant "
                    f"over many rows",
                    remedy=SetArgument("categorical", to="use one"),
                )
            )
        left_out = [*plan.drop, *unasked]
        return first_look(batch.table, frame, batch.source, plan.label, left_out, plan.kinds, plan.missing)

    def _classes(self) -> Array | None:
        if self.state is not None:
            return self.state.classes
        schema = self.stream.schema
        if not self.plan.classes or schema is None or schema.label is None:
            return None
        return named_classes(self.plan.classes, schema.families[schema.label])

    def _enough(self) -> bool:
        """Whether the first rows show classes; if not, more are gathered until a batch of sound ones is full."""
        if self.plan.classes:
            return bool(self._first)
        seen = {label for part in self._first for label in part.labels}
        return len(seen) > 1 or sum(map(len, self._first)) >= self.plan.batch

    def _begin(self) -> None:
        """Fix classes and scale by the first rows, and learn from them."""
        schema = self.stream.schema
        if schema is None or schema.label is None or not self._first:
            return
        frame = pd.concat([part.frame for part in self._first], ignore_index=True)
        codes, classes = np.concatenate([part.labels for part in self._first]), self._classes()
        if classes is None:
            classes = classes_of(codes, self.stream.name, schema.label)
            codes = np.searchsorted(classes, np.array(codes.tolist(), dtype=classes.dtype))
            for sentence in rare(codes, classes, [name for part in self._first for name in part.names()], schema.label):
                self.ledger.tell(sentence)
        if not self.stream.exact:
            check_exact(classes, self.stream.name, schema.label)
        held = ReservoirRows(self.plan.hold, self.plan.seed)
        fitted = preparation(schema.columns, len(classes)).fit(frame)
        if not fitted.transform(frame[:1]).shape[1]:
            raise BadInput(
                f"the columns of {self.stream.name} are dates without a repeating cycle in the first rows",
                place="batch",
                remedy=(SetArgument("batch", to="let the first rows cover a day, a week or a year"), "add columns"),
            )
        ranges = Ranges.of(frame, schema.columns.of("numeric"))
        self.state = State(
            schema, classes, fitted, self.learner, PrequentialEvaluation(len(classes)), held, ranges, self._place
        )
        self.state.learn(frame, codes)
        self._first = []
