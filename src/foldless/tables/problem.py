"""A problem from files: labeled rows, unlabeled pool and test rows with the same prepared columns.

Rows of the training file without a label join the pool. Without another pool, the label −1 marks unlabeled rows, as it
does in `FoldlessSearch.fit`, unless ``minus_one_is_class``. Labels of a pool are never read, and labels of a test file
are never used for choosing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from foldless.core import Array
from foldless.core._plain import plain_value
from foldless.data._column_options import ColumnOptions
from foldless.data._columns import Columns, Missing
from foldless.data._features import concatenate, n_rows, take
from foldless.errors import BadInput, NamePositive, PassPool, counted, some
from foldless.io import Table
from foldless.io._dialect import Dialect, FileOptions
from foldless.io._formats import Format
from foldless.io._reading import file_options
from foldless.judging._judge import Scoring
from foldless.judging.costs import Costs
from foldless.results.finding import Finding, among
from foldless.saving import Schema
from foldless.selection._probability_columns import Answering, Wanted, free_columns, probability_of
from foldless.selection.decided import GOALS, AtLeast
from foldless.tables import _label_column as labeling
from foldless.tables import _label_draws as label_draws
from foldless.tables._arguments import Files, Tables, check_named, label_of
from foldless.tables._feature_columns import features, recognized, zone_notes
from foldless.tables._kept_rows import KeptRows, WholePool, whole_pool
from foldless.tables._label_draws import LabelDraws
from foldless.tables._label_options import LabelOptions, LabelTask, without_label
from foldless.tables._row_groups import RowGroups, row_groups
from foldless.tables._scoring_names import class_named, costs_of, scorings
from foldless.tables._stored_rows import LabelColumns, StoredRows, at_hand, pool_in_files, stored_rows
from foldless.tables._value_column import ValueColumn

OUTSIDE = "they were recognized from these rows, outside the candidates"


@dataclass(frozen=True, eq=False)
class Problem:
    """What `read_problem` reads.

    Attributes
    ----------
    label : the name of the label column
    columns : the columns that models read, by their kind
    X, y : the labeled rows, prepared, and their labels; a label is a tuple where rows have several
    X_unlabeled : the unlabeled pool, prepared; None where there is none
    pool : the rows of the pool as the files have them, without a label column that is empty; of a pool that is larger
        than memory, X_unlabeled and this stay in the files
    X_test, y_test : the rows of the test file and their labels
    notes : sentences a user should read
    views : the columns of each view, where there are views
    regression : whether labels are numbers to predict, and not classes
    draws : how the labels were drawn, where columns of ``train`` say so that `foldless suggest` wrote
    merge_labels : whether labels that differ by case and spaces only are one class
    groups : the groups of labeled rows and pool, where a column names them
    ids : the columns that were left out since they look like row numbers, ids or hashes
    dialect : how the text of the labeled rows is written; None where it is no delimited text
    whole_pool : all rows of the pool's file, where some are labeled rows and left the pool

    Features are a data frame, or a sparse matrix where columns have no names.
    """

    label: str
    columns: Columns
    X: Any
    y: Array
    X_unlabeled: Any = None
    pool: KeptRows | StoredRows | None = None
    X_test: Any = None
    y_test: Array | None = None
    notes: tuple[str, ...] = ()
    views: tuple[tuple[str, ...], ...] = ()
    regression: bool = False
    draws: LabelDraws | None = None
    merge_labels: bool = False
    groups: RowGroups | None = None
    ids: tuple[str, ...] = ()
    dialect: Dialect | None = None
    whole_pool: WholePool | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was found in the files: the notes that have a code, and name columns."""
        return among(self.notes)

    @property
    def pool_rows(self) -> pd.DataFrame | None:
        """The rows of the pool as the files have them, without a label column that is empty.

        Of a pool that stays in its files they are those of its sample.
        """
        return None if self.pool is None else self.pool.frame

    @property
    def predicted(self) -> str:
        """The name of the column of predicted labels in files that foldless writes."""
        return f"predicted_{self.label}"

    @property
    def rows_to_predict(self) -> Any:
        """The rows to predict labels of: the pool, with the rows of its file that left it as they are labeled rows."""
        return self.X_unlabeled if self.whole_pool is None else self.whole_pool.features(self.X_unlabeled)

    def write_pool(self, path: str, labels: Array, beside: Mapping[str, Array] | None = None) -> None:
        """Put the rows of ``rows_to_predict`` with these labels into a file, and columns beside them.

        Text of the same format is copied byte for byte.
        """
        rows = self.pool if self.whole_pool is None else self.whole_pool.rows
        if isinstance(rows, KeptRows):
            rows.write(path, {self.predicted: labels, **(beside or {})})

    def label_pool(self, path: str, model: Any, asked: Answering | None = None) -> list[str]:
        """Put the rows of a pool that stays in its files, with the labels of a model, into a file; notes on them.

        ``asked`` is the model with the probabilities that are wanted beside the labels.
        """
        assert isinstance(self.pool, StoredRows)
        labels, asking = LabelColumns(model), asked or Answering(model, None, False)
        self.pool.write(path, self.X_unlabeled, lambda X: labels.of(asking.about(X), self.predicted))
        return labels.notes

    def asking(self, model: Any, temperature: float | None, wanted: Wanted) -> tuple[Answering, list[str]]:
        """A model to label the pool with, and the probabilities that it and the columns of the pool allow; notes."""
        notes: list[str] = []
        asked = Answering(model, temperature, False if self.regression else wanted)
        if wanted is True and not asked.known:
            notes.append("the model gives no probabilities: labels are written alone")
        if self.pool is not None:
            asked = free_columns(asked, self.predicted, wanted, self.pool.check_free, notes)
        return asked, notes

    def check_predicted(self, wanted: Wanted) -> None:
        """Refuse a pool that has a column with the name of one that is to be written."""
        names = [self.predicted]
        if wanted is True and not self.regression:
            names += [probability_of(self.predicted), *(f"P({label})" for label in self.classes)]
        if self.pool is not None:
            self.pool.check_free(names)

    @property
    def stored(self) -> bool:
        """Whether the pool stays in its files."""
        return isinstance(self.pool, StoredRows)

    def check_to_label(self) -> None:
        """Refuse a pool with suggested rows that are still unlabeled."""
        if isinstance(self.pool, KeptRows):
            label_draws.check_none_waits(self.pool.parts)

    def write_to_label(self, path: str, rows: Array, probabilities: Array | None = None) -> Array:
        """Put rows of the pool into a file, with an empty label column to fill in and columns that say how they came.

        ``rows`` are positions in the pool; without ``probabilities`` they were chosen, and not drawn. Their numbers in
        their files, from 1, are returned.
        """
        if (pool := at_hand(self.pool)) is None:
            raise BadInput("there is no pool to take rows from", remedy=PassPool())
        chosen, order, numbers = pool.at(rows)
        chances = np.zeros(len(rows)) if probabilities is None else np.asarray(probabilities)
        at_round = 1 if self.draws is None else self.draws.next_round
        columns = {
            self.label: np.full(len(rows), None, dtype=object), label_draws.ROW: numbers,
            label_draws.PROBABILITY: chances[order], label_draws.ROUND: np.full(len(rows), at_round),
        }  # fmt: skip
        chosen.write(path, columns)
        return np.asarray(numbers[np.argsort(order)])

    @property
    def classes(self) -> Array:
        """The classes; none in a regression."""
        if self.regression:
            return np.empty(0)
        return np.unique(labeling.flat(self.y))

    def scorings(self, names: Sequence[str], positive: Any = None) -> list[Scoring]:
        """Metrics by scikit-learn's names, for ``scoring=`` of a search; those of one class are of ``positive``.

        Names of metrics of one class need it where no class is 1.
        """
        return scorings(names, positive, self.classes.tolist())

    def costs(self, table: str | None, entries: Sequence[str] = ()) -> Costs | None:
        """What errors cost, for ``scoring=`` of a search: a file with a row for each true class and a column for each
        predicted class, or entries such as "yes:5" (missing a yes) and "yes>no:5" (saying no where yes is true).
        """
        if self.regression and (table is not None or entries):
            raise BadInput(f"costs are of classes, and {self.label!r} holds numbers to predict: leave them out")
        return costs_of(table, entries, self.classes.tolist())

    def at_least(self, typed: str, positive: Any = None) -> AtLeast:
        """A goal as it is typed, such as "precision=.9", for `foldless.decided`; of two classes one may be 1."""
        goal, _, number = typed.partition("=")
        try:
            value = float(number)
        except ValueError:
            value = 0.0
        if goal.strip() not in GOALS or not 0 < value < 1:
            raise BadInput(f"{typed!r} is no goal: write precision=.9 or recall=.95", value=typed)
        classes = self.classes.tolist()
        if positive is None and (len(classes) != 2 or 1 not in classes):
            raise BadInput(
                f"a threshold is for one class, and there are {some(classes)}", value=typed,
                remedy=NamePositive(goal, tuple(classes)),
            )  # fmt: skip
        return AtLeast(class_named(1 if positive is None else positive, classes), **{goal.strip(): value})

    @property
    def assumes(self) -> tuple[str, ...]:
        """What a certificate takes for granted about the columns: they are recognized outside the candidates.

        Add it to a certificate with ``certificate.assuming(problem.assumes)``.
        """
        if self.columns.width:
            return (f"the number of features, {self.columns.width:,}, has no influence on training: {OUTSIDE}",)
        recognized = {name: kind for name, kind in self.columns.kinds.items() if name not in self.columns.chosen}
        counts = ", ".join(f"{n} {kind}" for kind, n in replace(self.columns, kinds=recognized).count().items())
        alike = f" ({counts}), and ids in {', '.join(map(repr, self.ids))}" if self.ids else f" ({counts})"
        kinds = f"any rows of the population would have columns of the same types{alike}: {OUTSIDE}"
        return (kinds,) if counts else ()

    @property
    def rows(self) -> dict[str, int]:
        """The number of rows of each part."""
        parts = {"labeled": self.X, "pool": self.X_unlabeled, "test": self.X_test}
        return {name: 0 if part is None else n_rows(part) for name, part in parts.items()}

    @property
    def schema(self) -> Schema:
        """The columns and the label, for `foldless.saving.save`."""
        return Schema(self.label, self.columns, None if self.dialect in (Dialect(), Dialect("\t")) else self.dialect)

    def describe(self) -> list[str]:
        """Rows, classes or values, and columns in two sentences; for reports, as ``about=problem.describe()``."""
        rows = self.rows
        parts = [f"{counted(rows['labeled'], 'labeled row')} of {counted(len(self.classes), 'class', 'classes')}"]
        if self.regression:
            span = f"{self.y.min():.6g} to {self.y.max():.6g}"
            parts = [f"{counted(rows['labeled'], 'labeled row')} with values of {self.label!r} from {span}"]
        parts.append(f"{counted(rows['pool'], 'row')} in the pool" if rows["pool"] else "no pool")
        if rows["test"]:
            parts.append(counted(rows["test"], "test row"))
        sizes = " and ".join(str(len(view)) for view in self.views)
        return [", ".join(parts), self.columns.describe() + (f"; two views, of {sizes} columns" if sizes else "")]

    def to_dict(self) -> dict[str, Any]:
        """The problem as plain data, without its rows."""
        return {
            "label": self.label,
            **({"task": "regression"} if self.regression else {}),
            "rows": self.rows,
            "classes": [plain_value(label) for label in self.classes],
            "columns": {**self.columns.count(), "done": self.describe()[1]},
            **({"views": [list(view) for view in self.views]} if self.views else {}),
        }


def read_problem(
    train: str,
    label: str | None = None,
    *,
    unlabeled: str | None = None,
    test: str | None = None,
    drop: Sequence[str] = (),
    text: Sequence[str] = (),
    categorical: Sequence[str] = (),
    keep: Sequence[str] = (),
    groups: str | None = None,
    views: Sequence[Sequence[str]] = (),
    only_views: bool = False,
    label_separator: str | None = None,
    fmt: Format | FileOptions | None = None,
    missing: Missing = "error",
    min_per_class: int = 2,
    minus_one_is_class: bool = False,
    merge_labels: bool = False,
    task: LabelTask | None = None,
    keep_labeled: bool = False,
    pool_sample: int | None = None,
    random_state: int = 0,
) -> Problem:
    """Read the files of a problem, recognize what their columns hold, and check all of it.

    Parameters
    ----------
    train : path, or "-" for standard input
        The labeled rows: CSV, TSV, JSON lines, Parquet, Arrow or svmlight. Rows without a label join the pool.
    label : str
        The column of ``train`` with the labels, classes or numbers to predict; svmlight files need none.
    unlabeled, test : path, optional
        The pool, and labeled rows that are only used to measure the choice.
    drop, text, categorical : lists of columns
        Columns to leave out, to take as text, to take as categories.
    keep : list of columns
        Columns to read although they look like row numbers, ids or hashes, which are left out with a note.
    groups : str, optional
        The column whose values are groups of rows that belong together, such as those of one patient. Models do not
        read it. Pass ``problem.groups.labeled`` as ``groups=`` to a search.
    views : two lists of columns, optional
        Names, or patterns such as ``"page_*"``, for learners of two views.
    only_views : bool
        Leave out the columns that are in no view.
    label_separator : str, optional
        The mark between the labels of rows that have several.
    fmt : str or `foldless.io.FileOptions`, optional
        The format of standard input, or of a file whose ending does not name it; or a `FileOptions` with delimiter,
        decimal mark, encoding, format of dates and sheet. What is not given is found from the file.
    missing : "error" or "impute"
        What to do with missing values.
    min_per_class : int
        The labeled rows that every class must have; with 0 there may be one class or none, before labeling goes on.
    minus_one_is_class : bool
        Whether −1 is a class although there is no other pool. By default it marks rows without a label there.
    merge_labels : bool
        Whether labels that differ by case and spaces only are one class, under its most frequent name. By default they
        are several, with a note.
    task : "classification" or "regression", optional
        Whether labels are classes or numbers to predict. Without it, numbers of which some have a fraction are a
        regression, and everything else is a classification.
    keep_labeled : bool
        Whether rows of the pool that are labeled rows of ``train`` stay in it. By default they are left out, with a
        note.
    pool_sample : int, optional
        Leave a pool in Parquet in its files, and draw so many rows where single rows are needed. By default that is
        done, with 100,000 rows, where the pool takes more than half a gigabyte.
    random_state : int
        The seed of that draw.

    Examples
    --------
    >>> import pandas as pd
    >>> from foldless import FoldlessSearch
    >>> from foldless.tables import candidates, read_problem
    >>> topics = ["sport", "money"] * 20 + [None] * 40
    >>> pd.DataFrame({"x": range(80), "even": [1.0, 0.0] * 40, "topic": topics}).to_csv("train.csv", index=False)
    >>> problem = read_problem("train.csv", "topic")
    >>> problem.rows
    {'labeled': 40, 'pool': 40, 'test': 0}
    >>> search = FoldlessSearch(candidates({"linear-svc": {"C": [0.01, 1]}}, problem.columns), random_state=0)
    >>> search.fit(problem.X, problem.y, X_unlabeled=problem.X_unlabeled).best_params_
    {'estimator': 'linear-svc', 'model__C': 0.01}
    """
    files = Files(train, unlabeled, test, file_options(fmt))
    labels = LabelOptions(label_separator, min_per_class, minus_one_is_class, task, merge_labels, keep_labeled)
    dropped, texts, categories, kept = (tuple(dict.fromkeys(names)) for names in (drop, text, categorical, keep))
    both_views = tuple(tuple(view) for view in views)
    options = ColumnOptions(dropped, texts, categories, missing, both_views, only_views, kept, groups)
    files.check()
    labels.check()
    stored, notes = stored_rows(unlabeled, pool_sample, random_state)
    return _read(files.tables(stored), label, labels, options, notes)


def _read(
    tables: Tables, label: str | None, options: LabelOptions, column_options: ColumnOptions, of_files: Sequence[str]
) -> Problem:
    train = tables.train
    label = label_of(train, label)
    check_named(column_options, label, train, tables.others)
    notes = [*(note for table in (train, *tables.others) for note in table.notes), *of_files]
    column = options.column(train, label, notes)
    labels = column.read(train, notes)
    columns, left_out, views, ids = recognized(train, tables.pool, label, labels, column_options, notes)
    notes += zone_notes(columns, [train, *tables.others])
    for table in tables.others:
        if columns.width and table.features is not None and table.features.shape[1] > columns.width:
            notes.append(f"features of {table.name} above {columns.width - 1} are left out: {train.name} has none")
    prepared = features(train, columns, train.name, left_out)
    decided = tables.pool is not None or isinstance(column, ValueColumn) or options.minus_one_is_class
    empty = without_label(train.name, labels, decided, notes)
    without, labeled = np.flatnonzero(empty), np.flatnonzero(~empty)
    pools: list[Any] = [take(prepared, without)] if len(without) else []
    pool_rows: list[tuple[Table, Array | None]] = [(train, without)] if len(without) else []
    if tables.pool is not None:
        if label in tables.pool.frame:
            notes.append(f"the column {label!r} of {tables.pool.name} is not read: labels of a pool are never used")
        if tables.stored is None:
            pools.append(features(tables.pool, columns, train.name, left_out))
            pool_rows.append((tables.pool, None))
    y = column.present(train.name, labels[~empty], notes)
    X_test, y_test = None, None
    if tables.test is not None:
        X_test = features(tables.test, columns, train.name, left_out)
        y_test = column.truth(tables.test, train.name, y, notes)
    X = take(prepared, labeled)
    draws, whole = label_draws.read(train, labeled, notes), None
    if tables.pool is not None and tables.stored is None:
        others = labeled if not options.keep_labeled else ()
        of_pool = pools[-1]
        gone = label_draws.leave_out(prepared, train, pools, pool_rows, notes, others, ids)
        waiting = without, take(prepared, without)
        whole = whole_pool(label, train, waiting, tables.pool, of_pool, gone) if pools else None
    pool = pool_in_files(tables.stored, columns, train, left_out, empty, notes)
    if pool is None and pools:
        pool = {"X_unlabeled": concatenate(pools), "pool": KeptRows(pool_rows, label)}
    by = column_options.groups
    return Problem(
        label, columns, X.reset_index(drop=True) if isinstance(X, pd.DataFrame) else X, y, **(pool or {}),
        X_test=X_test, y_test=y_test, notes=(*dict.fromkeys(notes), *columns.notes), views=views,
        regression=isinstance(column, ValueColumn), draws=draws,
        merge_labels=options.merge_labels, groups=None if by is None else row_groups(by, train, labeled, pool_rows),
        ids=ids, dialect=train.dialect, whole_pool=whole,
    )  # fmt: skip
