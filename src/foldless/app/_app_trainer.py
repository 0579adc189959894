"""The work behind a page: read the files, choose a model with the labels there are, say what to label next, save.

Rows to label are drawn at random before anything is known, then where the leaders disagree. Each comes with the
probability with which it was drawn, so that estimates know what its label stands for: None where it was drawn at random
like the first labels, and 0 where it was chosen.
"""

import hashlib
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

import foldless
from foldless import saving, tables
from foldless.app._label_journal import pool_of
from foldless.app._page_data import (
    offered_criteria,
    offered_models,
    shown_examples,
    shown_problem,
    shown_rows,
    shown_selection,
    shown_standing,
)
from foldless.app._pictures import picture_folder
from foldless.app._pool_search import matching_rows, searched_columns
from foldless.app._row_answers import classes_of
from foldless.app._row_hints import row_hints
from foldless.app.app_setup import How, Setup
from foldless.core import Array
from foldless.errors import BadInput, PassPool
from foldless.io import write_table
from foldless.labeling import unlikely_labels
from foldless.selection import watched
from foldless.tables import Problem, labeled_table
from foldless.tables.pool_labels import free_mark, label_lists

Tell = Callable[[str, Any], None]
Label = tuple[int, Any, float | None, int]
"""A row of the pool, its class, the probability with which it was drawn, and the number of the batch it was in."""
NO_TABLE = (
    "features without names are in no table to which labels could be added, and so no command trains the final model: "
    "save, which writes the model that leads; the labels are in {journal}"
)
MAX_LINES = 12  # of what a command prints
FOUND = 20  # rows of a search that are shown at once
DOUBTING = 30.0  # seconds for models that look at labels again, while the next rows are labeled
ALWAYS = ("foldless_at", "foldless_why")  # columns of the written labels; others where a row has them


class AppTrainer:
    """One problem, and the last choice; ``tell`` is called with the name of a section and its value."""

    def __init__(self, setup: Setup, tell: Tell):
        self._setup, self._tell = setup, tell
        self._problem = _read(setup)
        self._separator = setup.reading.get("label_separator")
        self._search: Any = None
        self._used: tuple[Problem, Array] | None = None  # the last choice was made from this
        self._seed = int(setup.settings.get("random_state") or 0)
        self._wanted_hints = {"likely": False, "words": False}
        self._rows_shown: list[int] = []
        self._tell("examples", shown_examples(self._problem))

    def opened(self) -> dict[str, Any]:
        """What the files hold, and what there is to choose from."""
        return {
            **shown_problem(self._problem, self._setup.word),
            "digest": _digest(self._problem.X_unlabeled),
            "several": _has_several(self._problem, self._setup),
            "separator": self._separator,
            "labels": list(dict.fromkeys([*map(_plain, self._problem.classes), *self._setup.classes])),
            "open": all(isinstance(label, str) for label in self._problem.classes),
            "models": offered_models(self._problem),
            "criteria": offered_criteria(),
        }

    def batch(self, out: Sequence[int], how: How, number: int, first: bool) -> None:
        """Show rows to label; those that are ``out`` are labeled or skipped. ``number`` is that of the batch."""
        n, size, handled = self._problem.rows["pool"], self._setup.batch, set(out)
        if how == "random" or self._search is None or self._used is None or len(handled) >= n:
            picked = at_random(n, handled, size, self._seed, first=first)
        else:
            picked = by_leaders(self._search, self._used[1], handled, size, self._seed, valid=how == "valid")
        self._rows_shown = [each.row for each in picked]
        rows = self._cards(self._rows_shown, [each.why for each in picked])
        guesses = self._guesses(self._rows_shown)
        origin = {"batch": number, "of": len(picked)}
        self._tell(
            "batch",
            [{**row, "p": each.p, **origin, **guess} for row, each, guess in zip(rows, picked, guesses, strict=True)],
        )
        self._show_hints()

    def look(self) -> None:
        """Say what is wrong with the files, and import what a race needs, while the first rows are labeled."""
        if self._setup.first_look is not None:
            self._tell("checked", list(self._setup.first_look(self._problem)))
        tables.candidates(dict(self._setup.models), self._problem.columns, self._problem.views)

    def cards(self, rows: Sequence[int]) -> None:
        """Show what rows hold, for a list of those that have labels."""
        self._tell("cards", self._cards(rows, [""] * len(rows)))

    def search(self, number: int, words: str, out: Sequence[int], offset: int) -> None:
        """Show rows of the pool that contain words, for who asked with this number; also while a race runs."""
        pool, rows = self._problem.pool, np.array([], dtype=np.int64)
        if pool is not None and not self._problem.columns.width:
            frame = pool.frame.drop(columns=self._problem.label, errors="ignore")
            rows = matching_rows(frame, searched_columns(frame), words, out)
        start = max(0, min(offset, max(0, len(rows) - 1) // FOUND * FOUND))
        part = rows[start : start + FOUND].tolist()
        cards = self._cards(part, [""] * len(part))
        self._tell("found", {"number": number, "rows": cards, "total": len(rows), "offset": start})

    def _cards(self, rows: Sequence[int], why: Sequence[str]) -> list[dict[str, Any]]:
        return shown_rows(self._problem, rows, why, picture_folder(self._setup))

    def _guesses(self, rows: Sequence[int]) -> list[dict[str, Any]]:
        """What the last chosen model says of rows; pages learn it after somebody has labeled them."""
        if self._search is None or not rows:
            return [{}] * len(rows)
        pool, at = self._problem.X_unlabeled, np.asarray(rows)
        predicted = self._search.predict(pool.iloc[at] if isinstance(pool, pd.DataFrame) else pool[at])
        return [{"guess": _plain(label)} for label in predicted]

    def choose(
        self, models: Sequence[str], criterion: Any, labels: Sequence[Label], next_batch: Mapping[str, Any],
        hinted: int = 0,
    ) -> None:  # fmt: skip
        """Choose a model with the labels of the file and these, and show what it is and what to label next.

        ``hinted`` is how many labels were given with the model's opinion in view.
        """
        setup, problem = self._setup, tables.with_labels(self._problem, *_columns(labels), hinted=hinted)
        left = np.setdiff1d(np.arange(self._problem.rows["pool"]), [row for row, *_ in labels])
        grids = {name: setup.models.get(name) for name in models}
        candidates = tables.candidates(grids, problem.columns, problem.views, n_labels=len(problem.y))
        settings = {"unlabeled": None, **setup.settings}  # reading the files has decided what −1 is
        search = foldless.FoldlessSearch(candidates, criterion=criterion, **settings)
        draws = {} if problem.draws is None else problem.draws._asdict()
        pool = problem.X_unlabeled
        if problem.groups is not None:
            draws["groups"], pool = problem.groups.labeled, problem.groups.wrapped(pool)
        with warnings.catch_warnings(), watched(lambda standing: self._tell("race", shown_standing(standing))):
            warnings.simplefilter("ignore")  # what a user should know is in the notes of the selection
            search.fit(problem.X, problem.y, X_unlabeled=pool, X_test=problem.X_test, y_test=problem.y_test, **draws)
        new_notes = problem.notes[len(self._problem.notes) :]
        search.selection_ = search.selection_.assuming(problem.assumes).noting(new_notes)
        self._search, self._used = search, (problem, left)
        shown = shown_selection(search.selection_, setup.word)
        shown["ceiling"] = len(problem.y) / sum(len(classes_of(label)) for label in problem.y)
        self._tell("result", {**shown, "labels": len(problem.y), "given": len(labels), "hinted": hinted})
        self._tell("examples", shown_examples(problem))
        self.batch(**next_batch)
        if doubts := self._doubts(labels):
            self._tell("doubts", doubts)

    def _doubts(self, labels: Sequence[Label]) -> dict[int, tuple[Any, float]]:
        """For labels of the page: what cheap models that had not seen them say, and how likely they find them."""
        assert self._used is not None
        problem, before = self._used[0], len(self._problem.y)
        groups = None if problem.groups is None else problem.groups.labeled
        rows = sorted(row for row, *_ in labels)
        doubts = unlikely_labels(problem.X, problem.y, groups=groups, seconds=DOUBTING, random_state=self._seed)
        return {
            rows[doubt.row - before]: (_plain(doubt.predicted), doubt.probability)
            for doubt in doubts
            if doubt.row >= before
        }

    def save(self, labels: Sequence[Label], beside: Mapping[int, Mapping[str, str]] | None = None) -> None:
        """Write the labels, and the model and the report of the last choice.

        ``beside`` says of rows who said what of them and when; rows that have no label are written without one.
        """
        setup, written, places = self._setup, dict[str, str](), self._setup.places
        setup.check_apart()
        if not self._problem.columns.width:
            said = beside or {}
            labeled = {row for row, *_ in labels}
            others = [(row, None, None, 0) for row in said if row not in labeled]
            rows, names, chances, batches = _columns([*labels, *others])
            columns = {
                f"foldless_{key}": [said.get(row, {}).get(key, "") for row in rows]
                for key in ("state", "by", "at", "why", "hints", "note")
            }
            used = {name: values for name, values in columns.items() if name in ALWAYS or any(values)}
            fmt = setup.reading.get("fmt")
            table = labeled_table(setup.train, self._problem, rows, names, chances, batches, fmt, used, self._separator)
            for what in ("labels", "parquet", "jsonl"):
                write_table(self._in_format(table, what), places[what])
                written[what] = str(places[what])
        if self._search is not None and self._used is not None:
            problem, selection = self._used[0], self._search.selection_
            saving.save(selection, places["model"], problem.schema)
            selection.report(places["report"], made_by=setup.made_by, about=problem.describe())
            written |= {"model": str(places["model"]), "report": str(places["report"])}
        trained_on = None if self._used is None else len(self._used[0].y) - len(self._problem.y)
        self._tell("saved", {"files": written, "labels": len(labels), "trained_on": trained_on})

    def _in_format(self, table: pd.DataFrame, what: str) -> pd.DataFrame:
        """The labeled rows as a file has them: text has several labels joined, Parquet and JSON lines have lists."""
        label, is_text = self._problem.label, what == "labels"
        if not _has_several(self._problem, self._setup) or (is_text and self._separator is not None):
            return table if is_text else _typed(table)
        lists = label_lists(table[label].tolist(), self._separator)
        cells: list[Any] = lists
        if is_text:
            mark = free_mark([str(each) for several in lists for each in several or ()])
            cells = [several and mark.join(map(str, several)) for several in lists]
        labeled = table.copy() if is_text else _typed(table.assign(**{label: ""}))
        labeled[label] = pd.Series(cells, index=table.index, dtype=object)
        return labeled

    def final(self, labels: Sequence[Label], beside: Mapping[int, Mapping[str, str]]) -> None:
        """Write the labels, and run the command that trains the final model with them."""
        if self._problem.columns.width:
            raise BadInput(NO_TABLE.format(journal=self._setup.places["journal"]))
        self.save(labels, beside)
        started, lists = time.monotonic(), _has_several(self._problem, self._setup) and self._separator is None
        ended = subprocess.run(
            [sys.executable, "-c", "from foldless.cli import main; main()", *self._setup.final_command(lists=lists)],
            capture_output=True, text=True, errors="replace", check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        if ended.returncode:
            why = (ended.stderr.strip() or ended.stdout.strip()).splitlines()[-1:]
            raise BadInput(f"the final model was not trained: {''.join(why) or 'the command failed'}")
        places = {what: self._setup.places[what] for what in ("model", "report", "predictions")}
        files = {what: str(place) for what, place in places.items() if place.is_file()}
        lines = ended.stdout.strip().splitlines()
        self._tell(
            "final",
            {"files": files, "said": lines[:MAX_LINES], "seconds": time.monotonic() - started, "labels": len(labels)},
        )

    def hints(self, likely: bool, words: bool) -> None:
        """Show likely classes, and words that support the leading class, with this batch and the next ones."""
        self._wanted_hints = {"likely": likely, "words": words}
        self._show_hints()

    def _show_hints(self) -> None:
        model, problem = None if self._search is None else self._search.best_estimator_, self._problem
        texts = problem.columns.of("text")
        self._tell("hints", row_hints(model, problem.X_unlabeled, self._rows_shown, texts, self._wanted_hints))


def _columns(labels: Sequence[Label]) -> tuple[list[int], list[Any], list[float], list[int]]:
    """Rows in their order, with classes, probabilities and batches; what was drawn at random has no probability."""
    rows = sorted(labels, key=lambda label: label[0])
    chances = [np.nan if p is None else p for _, _, p, _ in rows]
    return [row for row, *_ in rows], [name for _, name, *_ in rows], chances, [batch for *_, batch in rows]


def _typed(table: pd.DataFrame) -> pd.DataFrame:
    """The table with numbers where all cells of a column are numbers, and texts elsewhere."""
    typed = table.copy()
    for name in typed:
        values = typed[name].where(typed[name].astype(object) != "", None)
        numbers = pd.to_numeric(values, errors="coerce")
        is_numeric = values.notna().any() and bool((numbers.notna() == values.notna()).all())
        typed[name] = numbers if is_numeric else values.map(str, na_action="ignore").astype(object)
    return typed


def _read(setup: Setup) -> Problem:
    problem = tables.read_problem(setup.train, setup.label, **setup.reading)
    before = pool_of(setup.places["journal"])
    if before is not None and problem.X_unlabeled is not None and before != _digest(problem.X_unlabeled):
        # earlier releases numbered the rows of the pool with those that are labeled rows
        whole = tables.read_problem(setup.train, setup.label, keep_labeled=True, **setup.reading)
        problem = whole if before == _digest(whole.X_unlabeled) else problem
    if problem.regression:
        raise BadInput(
            f"column {problem.label!r} holds numbers to predict, and the app labels rows with classes: use "
            f"foldless.suggest"
        )
    if problem.X_unlabeled is None:
        raise BadInput("there is no pool, so nothing is left to label", remedy=PassPool())
    tables.with_labels(problem, [], [])  # whether its rows are in memory
    if set(setup.models) != {"portfolio"}:  # which reads all columns; to make its models imports a compiler
        tables.candidates(dict(setup.models), problem.columns, problem.views)  # whether they can read the columns
    if not _has_several(problem, setup):
        return problem
    y = np.empty(len(problem.y), dtype=object)
    y[:] = [classes_of(_plain(label)) for label in problem.y]  # also where no row has several yet
    return replace(problem, y=y)


def _has_several(problem: Problem, setup: Setup) -> bool:
    """Whether rows may have several classes: some have, or a separator says so."""
    is_said = setup.several or setup.reading.get("label_separator") is not None
    return is_said or any(isinstance(label, tuple) for label in problem.y[:1])


def _digest(X: Any) -> str:
    digest = hashlib.sha256()
    parts: list[Any] = [X.data, X.indices, X.indptr] if not isinstance(X, pd.DataFrame) else []
    if isinstance(X, pd.DataFrame):
        for name in X:
            digest.update(f"{name}\0".encode("utf-8", "surrogatepass"))
            values = X[name]
            words = values.dtype == object or isinstance(values.dtype, pd.StringDtype)
            parts.append("\0".join(map(str, values)).encode("utf-8", "surrogatepass") if words else values.to_numpy())
    for part in parts:
        digest.update(part if isinstance(part, bytes) else np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


class Picked(NamedTuple):
    """A row of the pool, why it is shown, and the probability with which it was drawn."""

    row: int
    why: str
    p: float | None


def at_random(n_pool: int, out: Collection[int], n: int, seed: int, *, first: bool) -> list[Picked]:
    """Rows that are not ``out``, drawn at random; ``first`` says that no label was chosen in another way before."""
    left = np.setdiff1d(np.arange(n_pool), np.fromiter(out, dtype=np.int64, count=len(out)))
    rows = np.random.default_rng([seed, len(out)]).permutation(left)[:n].tolist()
    return [Picked(row, "drawn at random", None if first else len(rows) / len(left)) for row in rows]


def by_leaders(search: Any, pool: Array, out: Collection[int], n: int, seed: int, *, valid: bool) -> list[Picked]:
    """Rows that help most to choose and to train; ``pool`` are the rows that the search has as its pool."""
    gone = sum(row in out for row in pool.tolist())  # skipped, or labeled since
    wanted = min(len(pool), round(n * len(pool) / max(1, len(pool) - gone)) if valid else n + gone)
    strategy = "auto" if valid else "diverse"
    suggestion = foldless.suggest(search, wanted, strategy=strategy, keep_valid=valid, random_state=seed + len(out))
    chances = [0.0] * len(suggestion.rows) if suggestion.probabilities is None else suggestion.probabilities.tolist()
    picked = [
        Picked(int(pool[row]), str(why), p)
        for row, why, p in zip(suggestion.rows, suggestion.reasons, chances, strict=True)
    ]
    left = [each for each in picked if each.row not in out]
    return left if valid else left[:n]  # a part of those drawn would have smaller probabilities
