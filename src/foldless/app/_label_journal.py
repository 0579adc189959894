"""The labels that were given, on disk before anybody is told so.

A journal is a text file of JSON lines: the first says which pool it is about, each other one is an entry. It only
grows, and an entry is on the disk when `append` returns: whoever is killed after that has lost nothing. The end of a
line that a power failure cut is put into a file beside the journal when it is opened again. A file that is not a
journal of these rows is refused before a byte of it is changed.

Editors and sync tools put another file in the place of one that they change. The journal notices it before an entry
counts: it goes on with the new file where that holds what it wrote, or the beginning of it, and adds the rest.
Otherwise it takes no entry, and keeps a copy of its own.

=======================================  ============================================================
entry                                    meaning
=======================================  ============================================================
``{"row": 5, "label": "spam"}``          row 5 of the pool is spam; the last label of a row counts
``{…, "p": 0.1, "batch": 2, "of": 30}``  with which probability it was drawn, in a batch of so many rows
``{"row": 5, "skip": true}``             row 5 is not to be shown again
``{"row": 5, "undo": true}``             the last entry of row 5 does not count
``{"round": {…}}``                       a model was chosen
=======================================  ============================================================
"""

import json
import os
import sys
import threading
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

from foldless.errors import BadInput
from foldless.io import flush_folder, is_still, kept_beside, open_to_append, parse_json

if sys.platform != "win32":
    import fcntl

KIND, VERSION = "foldless labels", 1
SKIPPED = object()
"""Stands in the place of a label."""


class _Said(NamedTuple):
    """What was said of a row: the label or `SKIPPED`, by which tab of a browser, and the number of the entry."""

    label: Any
    tab: str | None
    number: int


class LabelJournal:
    """The entries about one pool; safe for threads, and for one process at a time.

    Parameters
    ----------
    path : path
        The file; it is made where there is none.
    about : mapping
        What the entries are about, such as a digest of the pool. A journal about something else is refused.
    n_rows : int, optional
        The rows of the pool: an entry about another one is refused.

    Attributes
    ----------
    labels : dict of row -> label, in the order in which they were given
    skipped : set of rows
    rounds : list of what was chosen
    """

    def __init__(self, path: str | Path, about: Mapping[str, Any], n_rows: int | None = None):
        self.path = Path(path)
        self._about, self._n_rows = {KIND: VERSION, **about}, n_rows
        self._lock = threading.Lock()
        self._n_entries = 0
        self._past: dict[int, list[_Said]] = {}
        self.labels: dict[int, Any] = {}
        self.skipped: set[int] = set()
        self.rounds: list[dict[str, Any]] = []
        self._origins: dict[int, tuple[float | None, int, int]] = {}
        try:
            self._file = open_to_append(self.path)
        except OSError as error:
            raise BadInput(f"{self.path} cannot be written ({error.strerror}): name another folder") from error
        try:
            _lock(self._file, self.path)
            self._read()
        except BaseException:
            os.close(self._file)
            raise

    def append(self, entry: Mapping[str, Any], tab: str | None = None) -> int:
        """Put an entry on the disk, then into `labels`, `skipped` or `rounds`; its number, for `undo`.

        OSError where the disk does not take it; then it does not count. ``tab`` is the tab of a browser that says it.
        """
        with self._lock:
            self._put(entry)
            return self._apply(entry, tab)

    def undo(self, row: int, number: int, tab: str | None) -> None:
        """Take back the entry of a row with this number, which the tab made since this journal was opened.

        Refused where it is not the last entry of the row any more: then it is somebody else's that would be lost.
        """
        with self._lock:
            past = self._past.get(row)
            if not past or past[-1].number != number or tab is None or past[-1].tab != tab:
                raise BadInput(
                    f"what this page last gave row {row} was changed elsewhere: nothing is undone, label the row again",
                    value=row,
                )
            entry = {"row": row, "undo": True}
            self._put(entry)
            self._apply(entry)

    def look(self) -> None:
        """Go on with a file that was put in the place of the journal; raises as `append` does where it cannot."""
        with self._lock:
            if self._file >= 0:
                self._follow()

    def state(self) -> tuple[dict[int, Any], set[int]]:
        """The labels and the skipped rows as they are now."""
        with self._lock:
            return dict(self.labels), set(self.skipped)

    def drawn(self) -> list[tuple[int, Any, float | None, int]]:
        """Row, label, probability and batch of each label.

        Batches are labeled from their beginning: where only k of n rows were, each was drawn with k/n of its
        probability. A row that was in no batch was chosen: its probability is 0.
        """
        with self._lock:
            done = Counter(self._origins[row][1] for row in (*self.labels, *self.skipped) if row in self._origins)
            draws = []
            for row, label in self.labels.items():
                p, batch, n = self._origins.get(row, (0.0, 0, 1))
                draws.append((row, label, p and p * min(1.0, done[batch] / n), batch))
            return draws

    @property
    def last_batch(self) -> int:
        """The number of the last batch that had a label."""
        with self._lock:
            return max((batch for _, batch, _ in self._origins.values()), default=0)

    def close(self) -> None:
        """Let another process have the journal; once is enough."""
        with self._lock:
            if self._file < 0:
                return
            try:
                self._follow()
            except (OSError, BadInput):
                pass  # it was refused before, and what was written is kept beside it
            finally:
                os.close(self._file)
                self._file = -1

    def _put(self, entry: Mapping[str, Any]) -> None:
        """An entry at the end of the file that has the journal's name."""
        self._follow()
        file, end = self._file, os.fstat(self._file).st_size
        self._write(_line(entry))
        try:
            self._follow()  # where the file was replaced a moment ago
        except (OSError, BadInput):
            os.ftruncate(file, end)  # what is not acknowledged does not count
            raise

    def _write(self, line: bytes) -> None:
        end = os.fstat(self._file).st_size
        try:
            while line:
                line = line[os.write(self._file, line) :]
            os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, end)  # half an entry would spoil the next one
            raise

    def _follow(self) -> None:
        """Go on with the file that has the journal's name now, which may be another one or none."""
        if is_still(self.path, self._file):
            return
        written = _content(self._file)
        other = open_to_append(self.path)
        try:
            _lock(other, self.path)
            there = _content(other)
            if not written.startswith(there) and not there.startswith(written):
                copy = kept_beside(self.path, written, "kept")
                raise BadInput(
                    f"another program has put other labels into {self.path}, so that nothing can be saved: the labels "
                    f"so far are in {copy}, put them in its place, or stop the app",
                    place=str(self.path),
                )
        except BaseException:
            os.close(other)
            raise
        before, self._file = self._file, other
        try:
            for line in there[len(written) :].splitlines(keepends=True):
                self._apply(self._entry(line, self._n_entries + 2))
            self._write(written[len(there) :])
            flush_folder(self.path)
        except BaseException:
            os.close(other)
            self._file = before
            raise
        os.close(before)

    def _apply(self, entry: Mapping[str, Any], tab: str | None = None) -> int:
        self._n_entries += 1
        if "round" in entry:
            self.rounds.append(dict(entry["round"]))
            return self._n_entries
        row = entry["row"]
        if "batch" in entry:
            self._origins[row] = entry["p"], entry["batch"], entry["of"]
        past = self._past.setdefault(row, [])
        if not entry.get("undo"):
            past.append(_Said(SKIPPED if entry.get("skip") else entry["label"], tab, self._n_entries))
        elif past:
            past.pop()
        self.labels.pop(row, None)
        self.skipped.discard(row)
        if past and past[-1].label is SKIPPED:
            self.skipped.add(row)
        elif past:
            self.labels[row] = past[-1].label
        return self._n_entries

    def _read(self) -> None:
        """Read what is there; only then change it, where its last line is torn or its first one is missing."""
        content, header = _content(self._file), _line(self._about)
        whole = content[: content.rfind(b"\n") + 1]
        if whole:
            first, *lines = whole.splitlines(keepends=True)
            self._check(first)
            for number, line in enumerate(lines, 2):
                self._apply(self._entry(line, number))
        elif not header.startswith(content):
            raise self._foreign()
        if len(whole) < len(content):
            kept_beside(self.path, content[len(whole) :], "torn")
            os.ftruncate(self._file, len(whole))
        if not whole:
            self._write(header)
            flush_folder(self.path)

    def _entry(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            entry = parse_json(line, dict)
        except ValueError as error:
            raise self._damaged(number) from error
        if not _is_entry(entry, self._n_rows):
            raise self._damaged(number)
        return entry

    def _damaged(self, number: int) -> BadInput:
        return BadInput(
            f"line {number} of {self.path} is not an entry of a label journal: correct it, or name another folder",
            place=str(self.path),
        )

    def _foreign(self) -> BadInput:
        return BadInput(f"{self.path} is not a label journal: name another folder", place=str(self.path))

    def _check(self, line: bytes) -> None:
        try:
            first = parse_json(line, dict)
        except ValueError as error:
            raise self._foreign() from error
        if first.get(KIND) != VERSION:
            raise self._foreign()
        if first != self._about:
            raise BadInput(
                f"{self.path} holds labels of other rows: pass the files that were labeled, or name another folder",
                place=str(self.path),
            )


def _line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"


def _content(file: int) -> bytes:
    with open(file, "rb", closefd=False) as reading:
        reading.seek(0)
        return reading.read()


def _lock(file: int, path: Path) -> None:
    """Keep other processes from writing too."""
    if sys.platform == "win32":
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise BadInput(
            f"{path} is in use: stop the other foldless app, or name another folder", place=str(path)
        ) from error


def _is_entry(entry: Mapping[str, Any], n_rows: int | None) -> bool:
    """Whether this is one of the entries of the table above, with values that it can have."""
    if "round" in entry:
        return isinstance(entry["round"], dict)
    row = entry.get("row")
    if not _is_whole(row) or row < 0 or (n_rows is not None and row >= n_rows):
        return False
    if "batch" in entry and not ("p" in entry and _is_draw(entry["p"], entry["batch"], entry.get("of"))):
        return False
    if "undo" in entry or "skip" in entry:
        return entry.get("undo", True) is True and entry.get("skip", True) is True
    return isinstance(entry.get("label"), str | int | float)


def _is_draw(p: Any, batch: Any, of: Any) -> bool:
    probability = p is None or (isinstance(p, int | float) and 0 <= p <= 1)
    return probability and _is_whole(batch) and batch >= 0 and _is_whole(of) and of >= 1


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
