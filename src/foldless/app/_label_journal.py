"""The labels that were given, on disk before anybody is told so.

A journal is a text file of JSON lines: the first says which pool it is about, each other one is an entry. It only
grows, and an entry is on the disk when `append` returns: whoever is killed after that has lost nothing. The end of a
line that a power failure cut is taken off when the journal is opened again.

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
from typing import Any

from foldless.errors import BadInput
from foldless.io import flush_folder

if sys.platform != "win32":
    import fcntl

KIND, VERSION = "foldless labels", 1
AS_IT_IS = getattr(os, "O_BINARY", 0)  # Windows would write other line ends
SKIPPED = object()
"""Stands in the place of a label."""


class LabelJournal:
    """The entries about one pool; safe for threads, and for one process at a time.

    Parameters
    ----------
    path : path
        The file; it is made where there is none.
    about : mapping
        What the entries are about, such as a digest of the pool. A journal about something else is refused.

    Attributes
    ----------
    labels : dict of row -> label, in the order in which they were given
    skipped : set of rows
    rounds : list of what was chosen
    """

    def __init__(self, path: str | Path, about: Mapping[str, Any]):
        self.path = Path(path)
        self._about = {KIND: VERSION, **about}
        self._lock = threading.Lock()
        self._past: dict[int, list[Any]] = {}
        self.labels: dict[int, Any] = {}
        self.skipped: set[int] = set()
        self.rounds: list[dict[str, Any]] = []
        self._origins: dict[int, tuple[float | None, int, int]] = {}
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | AS_IT_IS, 0o600)
        except OSError as error:
            raise BadInput(f"{self.path} cannot be written ({error.strerror}): name another folder") from error
        try:
            self._take()
            self._read()
        except BaseException:
            os.close(self._file)
            raise

    def append(self, entry: Mapping[str, Any]) -> None:
        """Put an entry on the disk, then into `labels`, `skipped` or `rounds`.

        OSError where the disk does not take it; then it does not count.
        """
        with self._lock:
            self._put(entry)
            self._apply(entry)

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
            if self._file >= 0:
                os.close(self._file)
            self._file = -1

    def _put(self, entry: Mapping[str, Any]) -> None:
        line = json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"
        end = os.fstat(self._file).st_size
        try:
            while line:
                line = line[os.write(self._file, line) :]
            os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, end)  # half an entry would spoil the next one
            raise

    def _apply(self, entry: Mapping[str, Any]) -> None:
        if "round" in entry:
            self.rounds.append(dict(entry["round"]))
            return
        row = int(entry["row"])
        if "batch" in entry:
            self._origins[row] = entry["p"], int(entry["batch"]), int(entry["of"])
        past = self._past.setdefault(row, [])
        if not entry.get("undo"):
            past.append(SKIPPED if entry.get("skip") else entry["label"])
        elif past:
            past.pop()
        self.labels.pop(row, None)
        self.skipped.discard(row)
        if past and past[-1] is SKIPPED:
            self.skipped.add(row)
        elif past:
            self.labels[row] = past[-1]

    def _take(self) -> None:
        """Keep other processes from writing too."""
        if sys.platform == "win32":
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise BadInput(
                f"{self.path} is in use: stop the other foldless app, or name another folder", place=str(self.path)
            ) from error

    def _read(self) -> None:
        with open(self._file, "rb", closefd=False) as file:
            content = file.read()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            os.ftruncate(self._file, len(whole))
        lines = whole.decode("utf-8", "surrogatepass").split("\n")[:-1]
        if not lines:
            self._put(self._about)
            flush_folder(self.path)
            return
        self._check(self._parsed(lines[0], 1))
        for number, line in enumerate(lines[1:], 2):
            entry = self._parsed(line, number)
            try:
                self._apply(entry)
            except (KeyError, TypeError, ValueError) as error:
                raise self._damaged(number) from error

    def _parsed(self, line: str, number: int) -> dict[str, Any]:
        try:
            entry = json.loads(line)
        except ValueError as error:
            raise self._damaged(number) from error
        if not isinstance(entry, dict):
            raise self._damaged(number)
        return entry

    def _damaged(self, number: int) -> BadInput:
        return BadInput(
            f"line {number} of {self.path} is not an entry of a label journal: correct it, or name another folder",
            place=str(self.path),
        )

    def _check(self, first: Mapping[str, Any]) -> None:
        if first.get(KIND) != VERSION:
            raise BadInput(f"{self.path} is not a label journal: name another folder", place=str(self.path))
        if dict(first) != self._about:
            raise BadInput(
                f"{self.path} holds labels of other rows: pass the files that were labeled, or name another folder",
                place=str(self.path),
            )
