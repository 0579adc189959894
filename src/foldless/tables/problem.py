"""A problem from files: labeled rows, unlabeled pool and test rows with the same prepared columns.

Rows of the training file without a label join the pool. Without another pool, the label −1 marks unlabeled rows, as it
does in `FoldlessSearch.fit`, unless ``minus_one_is_class``. Labels of a pool are never read, and labels of a test file
are never used for choosing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd
from scipy import sparse

from foldless.core import Array
from foldless.core._plain import plain_value
from foldless.data._columns import Columns, Kind, Missing, prepare, recognize
from foldless.data._features import concatenate, n_rows, take
from foldless.errors import BadInput, DecideMinusOne, Note, PassPool
from foldless.io import Table
from foldless.io._formats import Format
from foldless.saving import Schema
from foldless.tables import _arguments, _view_columns
from foldless.tables import _label_column as labeling
from foldless.tables import _label_draws as label_draws
from foldless.tables import _value_column as valuing
from foldless.tables._kept_rows import KeptRows
from foldless.tables._label_draws import LabelDraws
from foldless.tables._stored_rows import LabelColumns, StoredRows, pool_in_files, stored_rows

Task = Literal["classification", "regression"]
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

    def write_pool(self, path: str, labels: Array) -> None:
        """Put the rows of the pool with these labels into a file; text of the same format is copied byte for byte."""
        if isinstance(self.pool, KeptRows):
            self.pool.write(path, {self.predicted: labels})

    def label_pool(self, path: str, model: Any) -> list[str]:
        """Put the rows of a pool that stays in its files, with the labels of a model, into a file; notes on them."""
        assert isinstance(self.pool, StoredRows)
        labels = LabelColumns(model)
        self.pool.write(path, self.X_unlabeled, lambda X: {self.predicted: labels.of(X)})
        return labels.notes

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
        if self.pool is None:
            raise BadInput("there is no pool to take rows from", remedy=PassPool())
        if isinstance(self.pool, StoredRows):
            raise BadInput(f"the pool stays in {self.pool.source.name}: pass a part of it that fits into memory")
        chosen, order, numbers = self.pool.at(rows)
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

    @property
    def assumes(self) -> tuple[str, ...]:
        """What a certificate takes for granted about the columns: they are recognized outside the candidates.

        Add it to a certificate with ``certificate.assuming(problem.assumes)``.
        """
        if self.columns.width:
            return (f"the number of features, {self.columns.width:,}, has no influence on training: {OUTSIDE}",)
        recognized = {name: kind for name, kind in self.columns.kinds.items() if name not in self.columns.chosen}
        counts = ", ".join(f"{n} {kind}" for kind, n in replace(self.columns, kinds=recognized).count().items())
        kinds = f"any rows of the population would have columns of the same types ({counts}): {OUTSIDE}"
        return (kinds,) if counts else ()

    @property
    def rows(self) -> dict[str, int]:
        """The number of rows of each part."""
        parts = {"labeled": self.X, "pool": self.X_unlabeled, "test": self.X_test}
        return {name: 0 if part is None else n_rows(part) for name, part in parts.items()}

    @property
    def schema(self) -> Schema:
        """The columns and the label, for `foldless.saving.save`."""
        return Schema(self.label, self.columns)

    def describe(self) -> list[str]:
        """Rows, classes or values, and columns in two sentences; for reports, as ``about=problem.describe()``."""
        rows = self.rows
        parts = [f"{rows['labeled']} labeled rows of {len(self.classes)} classes"]
        if self.regression:
            span = f"{self.y.min():.6g} to {self.y.max():.6g}"
            parts = [f"{rows['labeled']} labeled rows with values of {self.label!r} from {span}"]
        parts.append(f"{rows['pool']} rows in the pool" if rows["pool"] else "no pool")
        if rows["test"]:
            parts.append(f"{rows['test']} test rows")
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


def read_problem(  # noqa: C901 (the parts of a problem, one after the other)
    train: str,
    label: str | None = None,
    *,
    unlabeled: str | None = None,
    test: str | None = None,
    drop: Sequence[str] = (),
    text: Sequence[str] = (),
    categorical: Sequence[str] = (),
    views: Sequence[Sequence[str]] = (),
    only_views: bool = False,
    label_separator: str | None = None,
    fmt: Format | None = None,
    missing: Missing = "error",
    min_per_class: int = 2,
    minus_one_is_class: bool = False,
    task: Task | None = None,
    pool_sample: int | None = None,
    random_state: int = 0,
) -> Problem:
    """Read the files of a problem, recognize what their columns hold, and check all of it.

    Parameters
    ----------
    train : path, or "-" for standard input
        The labeled rows: CSV, TSV, JSON lines, Parquet, Arrow or svmlight. Rows without a label join the pool.
    label : str
        The column of ``train`` that holds the classes; svmlight files need none.
    unlabeled, test : path, optional
        The pool, and labeled rows that are only used to measure the choice.
    drop, text, categorical : lists of columns
        Columns to leave out, to take as text, to take as categories.
    views : two lists of columns, optional
        Names, or patterns such as ``"page_*"``, for learners of two views.
    only_views : bool
        Leave out the columns that are in no view.
    label_separator : str, optional
        The mark between the labels of rows that have several.
    fmt : str, optional
        The format of standard input, or of a file whose ending does not name it.
    missing : "error" or "impute"
        What to do with missing values.
    min_per_class : int
        The labeled rows that every class must have.
    minus_one_is_class : bool
        Whether −1 is a class although there is no other pool. By default it marks rows without a label there.
    task : "classification" or "regression", optional
        Whether labels are classes or numbers to predict. Without it, numbers of which some have a fraction are a
        regression, and everything else is a classification.
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
    _arguments.check_inputs(train, unlabeled, test, fmt, label_separator)
    stored, of_files = stored_rows(unlabeled, pool_sample, random_state)
    read, *others = _tables([train, unlabeled, test], fmt, stored)
    label = _arguments.label_of(read, label)
    kinds = _arguments.chosen_kinds(drop, text, categorical, label, [read, *others])
    notes = [*(note for table in (read, *others) for note in table.notes), *of_files]
    regression = _is_regression(read, label, task, label_separator, notes)
    if regression:
        labels: pd.Series[Any] = valuing.read(read, label)
    else:
        labels = labeling.read(read, label, label_separator, notes)
    left_out, found = [label, *drop, *label_draws.columns(read.frame)], _view_columns.NONE
    if views:
        known = [str(name) for name in read.frame if name not in left_out] if read.features is None else None
        found, rest = _view_columns.resolve(views, known, label)
        if rest and only_views:
            left_out, kinds = [*left_out, *rest], {name: kind for name, kind in kinds.items() if name not in rest}
            notes.append(f"{labeling.listed(rest)} in no view, and not read")
        elif rest:
            notes.append(f"{labeling.listed(rest)} in no view, and not read by learners of two views")
    columns = _columns(read, left_out, missing, kinds)
    for table in others:
        if columns.width and table.features is not None and table.features.shape[1] > columns.width:
            notes.append(f"features of {table.name} above {columns.width - 1} are left out: {read.name} has none")
    prepared = features(read, columns, read.name, left_out)
    decided = unlabeled is not None or regression or minus_one_is_class
    empty = _unlabeled(read.name, labels, decided, notes)
    pools = [take(prepared, np.flatnonzero(empty))] if empty.any() else []
    pool_rows: list[tuple[Table, Array | None]] = [(read, np.flatnonzero(empty))] if empty.any() else []
    if unlabeled is not None:
        table = others[0]
        if label in table.frame:
            notes.append(f"the column {label!r} of {table.name} is not read: labels of a pool are never used")
        if stored is None:
            pools.append(features(table, columns, read.name, left_out))
            pool_rows.append((table, None))
    if regression:
        y = valuing.present(read.name, label, labels[~empty])
        notes += valuing.order_notes(read.name, label, y)
    else:
        y = labeling.narrow(read.name, label, labels[~empty])
        labeling.check_classes(read.name, label, y, min_per_class)
        notes += labeling.order_notes(read.name, y)
    X_test, y_test = None, None
    if test is not None:
        X_test = features(others[-1], columns, read.name, left_out)
        y_test = _truth(others[-1], read, label, label_separator, y, regression)
    X = take(prepared, np.flatnonzero(~empty))
    draws = label_draws.read(read, np.flatnonzero(~empty), notes)
    if unlabeled is not None and stored is None:
        label_draws.leave_out(prepared, read, pools, pool_rows, notes)
    return Problem(
        label, columns, X.reset_index(drop=True) if isinstance(X, pd.DataFrame) else X, y,
        **_pool(pools, pool_rows, label, pool_in_files(stored, columns, read, left_out, empty, notes)),
        X_test=X_test, y_test=y_test, notes=(*dict.fromkeys(notes), *columns.notes), views=found,
        regression=regression, draws=draws,
    )  # fmt: skip


def _tables(paths: Sequence[str | None], fmt: Format | None, stored: StoredRows | None) -> list[Table]:
    """The tables of training, pool and test; of a pool that stays in its files only the columns."""
    train, unlabeled, test = paths
    at_hand = [train, unlabeled if stored is None else None, test]
    read = _arguments.read([path for path in at_hand if path is not None], fmt)
    return read if stored is None else [read[0], stored.table, *read[1:]]


def _truth(table: Table, train: Table, label: str, separator: str | None, y: Array, regression: bool) -> Array:
    """The labels of test rows."""
    if regression:
        return valuing.truth(table, label)
    return labeling.truth(table, train.name, label, separator, y)


def _pool(
    pools: Sequence[Any], rows: Sequence[tuple[Table, Array | None]], label: str, stored: dict[str, Any] | None
) -> dict[str, Any]:
    """The pool in its files, or in memory, if there is one."""
    if stored is not None:
        return stored
    return {"X_unlabeled": concatenate(list(pools)), "pool": KeptRows(rows, label)} if pools else {}


def _is_regression(table: Table, label: str, task: Task | None, separator: str | None, notes: list[str]) -> bool:
    """Whether labels are numbers to predict: said so, or seen from them."""
    if task not in (None, "classification", "regression"):
        raise BadInput(f"task must be 'classification' or 'regression', got {task!r}")
    if task == "regression" and label not in table.frame:
        raise BadInput(f"{table.name} has no label column {label!r}: {labeling.near(label, list(table.frame))}")
    if task == "regression" and separator is not None:
        raise BadInput("a row of a regression has one value: leave the label separator out")
    return task == "regression" or (task is None and valuing.recognized(table, label, notes))


def features(table: Table, columns: Columns, like: str, left_out: Sequence[str] = ()) -> Any:
    """The features of a table in the columns of the table ``like``."""
    if columns.width:
        X = table.features
        if X is None:
            raise BadInput(f"{like} is svmlight and {table.name} is not: give both in the same format")
        X = X[:, : columns.width]  # training has never seen the others
        return sparse.csr_array((X.data, X.indices, X.indptr), shape=(X.shape[0], columns.width))
    if table.features is not None:
        raise BadInput(f"{table.name} is svmlight and {like} is not: give both in the same format")
    return prepare(_without(table, left_out), columns, table.name, like)


def _columns(train: Table, left_out: Sequence[str], missing: Missing, kinds: dict[str, Kind]) -> Columns:
    if train.features is not None:
        return Columns({}, width=train.features.shape[1])
    named = _without(train, left_out)
    if not len(named.columns):
        raise BadInput(f"{train.name} has no column beside the label {left_out[0]!r}: a model needs features")
    return recognize(named, train.name, missing, kinds)


def _without(table: Table, names: Sequence[str]) -> pd.DataFrame:
    return table.frame.drop(columns=list(names), errors="ignore")


def _unlabeled(source: str, labels: "pd.Series[Any]", decided: bool, notes: list[str]) -> Array:
    """Which rows have no label; ``decided`` if −1 does not mark them."""
    empty = labels.isna().to_numpy()
    if empty.any():
        notes.append(f"{empty.sum()} rows of {source} without a label join the pool")
    if decided or empty.any():
        return empty
    marked = np.array([label in (-1, "-1") for label in labels])
    if not marked.any():
        return empty
    others = labels[~marked].unique()
    if len(others) < 2 or "-1" in labels.to_numpy():
        raise BadInput(
            f"{source} has the label −1 and no other pool, so −1 may be a class or mark unlabeled rows",
            value=-1, place=source, remedy=DecideMinusOne(in_files=True),
        )  # fmt: skip
    problem = f"{marked.sum()} rows of {source} with the label −1 are the pool"
    notes.append(Note(problem, remedy=DecideMinusOne(in_files=True)))
    return marked
