"""label: open the page for rows in memory, wait for who labels, and return the labels."""

import json
import threading
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from foldless.app._label_journal import KIND, LabelJournal
from foldless.app.app_setup import BATCH, Setup
from foldless.app.serving import at_ctrl_c, serve
from foldless.core.time_budget import WorkingSeconds
from foldless.errors import BadInput

ROWS = "rows.parquet"
SECONDS = WorkingSeconds(15.0)  # of a race: rows can be labeled meanwhile
PULSE = 0.2  # seconds between two looks whether the page is done, in which Ctrl-C is heard
SETS = (list, tuple, set, frozenset, np.ndarray)
COLUMNS = ("row", "label", "who", "when", "probability", "hints")


def label(
    X_pool: Any,
    y: Any = None,
    *,
    classes: Sequence[str] = (),
    several: bool = False,
    folder: str | Path = "labels.foldless",
    columns: Sequence[str] | None = None,
    label_name: str = "label",
    models: Mapping[str, Any] | None = None,
    batch: int = BATCH,
    time_budget: float = SECONDS,
    random_state: int = 0,
    port: int = 0,
    shown: Callable[[str], None] = print,
    browse: Callable[[str], object] | None = webbrowser.open,
) -> pd.DataFrame:
    """Label rows on a page in the browser, and return the labels when you are done.

    It is the page of ``foldless app``: rows are drawn with known probabilities, models are trained with the labels so
    far and draw the next rows. The call ends with the button "done" or with Ctrl-C, in a notebook with its stop button.
    It needs ``pip install 'foldless[app]'``.

    Parameters
    ----------
    X_pool : data frame, array of two dimensions, or list of texts
        The rows, with and without labels.
    y : array-like, optional
        One entry a row: its label so far, None or NaN where it has none.
    classes : list of str
        Classes that can be given from the start. Others are named on the page.
    several : bool
        Whether a row can have several classes. Entries of ``y`` are then lists of labels, and those returned tuples.
    folder : path
        Where the labels are kept, with model and report. With the same rows and the same folder, the page goes on where
        it was left, and all labels are returned.
    columns : list of str, optional
        The names of the columns of an array.
    label_name : str
        What the label is called, on the page and in the files.
    models : dict of name -> grid, optional
        As `foldless.tables.candidates` takes them; by default the portfolio.
    batch : int
        Rows to label before the next choice.
    time_budget : float
        Seconds that each choice of a model may take; rows can be labeled meanwhile.
    random_state : int
        The seed of every random draw.
    port : int
        The port of the page on this machine (127.0.0.1); 0 takes a free one.
    shown, browse : callables
        ``shown`` is called with the address of the page, ``browse`` with that of a file that opens it; None opens no
        browser.

    Returns
    -------
    DataFrame
        A line for each label that was given on the page: ``row``, its position in ``X_pool``; ``label``; ``who`` and
        ``when``, where the page knows; ``probability`` with which it was drawn, NaN for rows drawn at random like the
        pool, and 0 for rows that were picked; ``hints`` that were in view, likely classes or marked words.
        ``attrs["round"]`` are the numbers of the batches, for ``label_rounds``.

    Examples
    --------
    >>> import foldless
    >>> texts = ["cheap pills", "see you at ten", "you have won"]
    >>> labels = foldless.label(texts, classes=["spam", "ham"])  # doctest: +SKIP
    """
    missing = [name for name in ("starlette", "uvicorn") if find_spec(name) is None]
    if missing:
        raise ImportError(f"foldless.label needs {' and '.join(missing)}: pip install 'foldless[app]'")
    frame = _table(X_pool, columns)
    if label_name in frame:
        raise BadInput(f"X_pool has a column {label_name!r}: pass another label_name", value=label_name)
    given = _labels(y, len(frame), several)
    _check_classes(classes, given)
    rows = np.flatnonzero(given.isna())
    if not len(rows):
        raise BadInput("every row has a label, so nothing is left to label")
    place = Path(folder)
    setup = Setup(
        str(place / ROWS), label_name, place, {"min_per_class": 0}, dict(models or {"portfolio": None}),
        settings={"time_budget": time_budget, "random_state": random_state, "verbose": 0}, batch=batch,
        made_by="foldless.label", classes=tuple(classes), several=several,
    )  # fmt: skip
    frame[label_name] = given.to_numpy()
    _keep(frame, place, setup)
    _wait(setup, port, shown, browse)
    return _returned(setup.places["journal"], rows)


def _table(X: Any, columns: Sequence[str] | None) -> pd.DataFrame:
    """The rows as a data frame whose columns have names."""
    if isinstance(X, pd.DataFrame):
        if columns is not None:
            raise BadInput("a data frame has names of columns: leave columns out", value=columns)
        return X.reset_index(drop=True).rename(columns=str)
    if hasattr(X, "to_pandas"):
        return _table(X.to_pandas(), columns)
    if isinstance(X, pd.Series) or np.ndim(X) == 1:
        values = list(X)
        if not all(isinstance(value, str) for value in values):
            raise BadInput("X_pool must have two dimensions, or be a list of texts")
        return pd.DataFrame({(columns or ["text"])[0]: values})
    array = np.asarray(X)
    if array.ndim != 2:
        raise BadInput(f"X_pool must be a data frame, an array of two dimensions or a list of texts, got {type(X)}")
    names = list(columns) if columns is not None else [f"x{at}" for at in range(array.shape[1])]
    if len(names) != array.shape[1]:
        raise BadInput(f"columns has {len(names)} names for {array.shape[1]} columns", value=names)
    return pd.DataFrame(array, columns=names).infer_objects()


def _labels(y: Any, n: int, several: bool) -> "pd.Series[Any]":
    """A label, a list of several, or None, for each row."""
    labels = pd.Series([None] * n if y is None else list(y), dtype=object)
    if len(labels) != n:
        raise BadInput(f"y has {len(labels)} entries for {n} rows: None stands for a row without a label")
    labels = labels.where(labels.notna(), None)
    wrong = [each for each in labels if each is not None and isinstance(each, SETS) != several]
    if wrong:
        expected = "lists of labels" if several else "one label a row, or pass several=True"
        raise BadInput(f"y holds {wrong[0]!r:.50}: pass {expected}", value=wrong[0])
    return labels.map(lambda each: sorted(each, key=str) or None, na_action="ignore") if several else labels


def _check_classes(classes: Sequence[str], given: "pd.Series[Any]") -> None:
    others = [name for name in classes if not isinstance(name, str)]
    if others or isinstance(classes, str):
        raise BadInput(f"classes must be a list of strings, got {others[0] if others else classes!r}", value=classes)
    labels = [each for label in given if label is not None for each in (label if isinstance(label, list) else [label])]
    numbers = [each for each in labels if not isinstance(each, str)]
    if classes and numbers:
        raise BadInput(f"classes are strings and y holds {numbers[0]!r}: pass y as strings", value=numbers[0])


def _keep(table: pd.DataFrame, place: Path, setup: Setup) -> None:
    """Put the rows into the folder, where the process that trains reads them; never over other rows with labels."""
    import pyarrow as pa

    path = place / ROWS
    try:
        rows = pa.Table.from_pandas(table, preserve_index=False).to_pandas()  # as they come back from a file
    except (TypeError, ValueError) as error:  # as those of Arrow are
        raise BadInput(
            f"the rows cannot be written as a table ({error}): columns hold texts, numbers or dates"
        ) from error
    if setup.places["journal"].exists() and path.exists() and not pd.read_parquet(path).equals(rows):
        raise BadInput(f"{place} holds labels of other rows: pass the rows that were labeled, or name another folder")
    place.mkdir(mode=0o700, exist_ok=True)
    setup.check_places()
    rows.to_parquet(path, index=False)


def _wait(setup: Setup, port: int, shown: Callable[[str], None], browse: Callable[[str], object] | None) -> None:
    """Serve the page, in a thread of its own as a notebook has an event loop, until it is done."""
    ended, stopped, failures = threading.Event(), threading.Event(), list[BaseException]()

    def work() -> None:
        try:
            serve(setup, port=port, shown=shown, browse=browse, ended=ended)
        except BaseException as error:
            failures.append(error)
        finally:
            stopped.set()

    with at_ctrl_c(lambda *_: ended.set()):
        threading.Thread(target=work, name="foldless-label", daemon=True).start()
        while not stopped.wait(PULSE):
            pass
    if failures:
        raise failures[0]


def _returned(journal: Path, rows: Any) -> pd.DataFrame:
    """The labels of a journal; ``rows`` are the positions of its rows in the table."""
    with open(journal, encoding="utf-8", errors="surrogateescape") as lines:
        about, *entries = [json.loads(line) for line in lines if line.endswith("\n")]
    said = {entry["row"]: entry for entry in entries if "label" in entry}
    about.pop(KIND)
    opened = LabelJournal(journal, about, len(rows))
    try:
        drawn = sorted(opened.drawn(), key=lambda each: each[0])
        hints = {row: ", ".join(opened.answers.hints(row)) for row, *_ in drawn}
    finally:
        opened.close()
    lines_of = [
        (int(rows[row]), name, said[row].get("by"), said[row].get("at"), np.nan if p is None else p, hints[row])
        for row, name, p, _ in drawn
    ]
    labels = pd.DataFrame(lines_of, columns=list(COLUMNS))
    labels.attrs["round"] = [number for *_, number in drawn]
    return labels.astype({"row": np.int64, "probability": float})
