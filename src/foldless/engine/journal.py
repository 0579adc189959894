"""Answers on disk, by content hash, so that a killed run goes on where it stopped.

One SQLite file. A key covers the versions, the estimator, the rows it was trained on, their labels and the question,
so a journal of other data, or of other code, simply has no answer: nothing in it can be misused. Each group of fits
is one transaction; write-ahead logging lets several processes share a file.
"""

import io
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import numpy as np

from foldless.core import Array
from foldless.errors import JournalError

APPLICATION = 0x464F4C44  # "FOLD", so that no other database is taken for a journal
FORMAT = 1
PATIENCE = 60.0  # seconds to wait for another process to finish writing


class Entry(NamedTuple):
    """A journaled answer and what it cost."""

    answer: Array
    fit_seconds: float
    answer_seconds: float


class Journal:
    """A file of answers. It is opened when it is needed, and can be closed at any time."""

    def __init__(self, path: str | Path):
        self.path = Path(path)
        self._db: sqlite3.Connection | None = None
        if self.path.is_dir() or not self.path.absolute().parent.is_dir():
            raise JournalError(f"the journal must be a file in an existing folder, got {str(path)!r}")
        with self._open() as db:
            db.execute("BEGIN")  # one look: another process may be making the file at this moment
            (application,) = db.execute("PRAGMA application_id").fetchone()
            (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            (version,) = db.execute("PRAGMA user_version").fetchone()
        if tables and application != APPLICATION:
            self.close()
            raise JournalError(f"{str(path)!r} is a database of something else: name another file for the journal")
        if tables and version != FORMAT:
            self.close()
            raise JournalError(
                f"the journal {str(path)!r} has format {version}, this foldless reads {FORMAT}: name another file"
            )
        if not tables:
            self._create()
        self.close()

    def close(self) -> None:
        """Let go of the file until it is needed again."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def seed(self, data: bytes, fresh: int) -> int:
        """The seed an earlier run on the same data drew, else ``fresh``, which is then remembered."""
        with self._open() as db:
            db.execute("INSERT OR IGNORE INTO seeds VALUES (?, ?)", (data, fresh))
            return int(db.execute("SELECT seed FROM seeds WHERE data = ?", (data,)).fetchone()[0])

    def read(self, keys: Iterable[bytes]) -> dict[bytes, Entry]:
        """The entries there are for these keys."""
        found: dict[bytes, Entry] = {}
        with self._open() as db:
            for key in keys:
                row = db.execute("SELECT answer, fit_s, answer_s FROM answers WHERE key = ?", (key,)).fetchone()
                if row is not None:
                    found[key] = Entry(np.load(io.BytesIO(row[0]), allow_pickle=False), row[1], row[2])
        return found

    def write(self, entries: Iterable[tuple[bytes, Entry]]) -> None:
        """Add entries in one transaction; what is there already stays."""
        rows = [(key, _packed(e.answer), e.fit_seconds, e.answer_seconds) for key, e in entries]
        with self._open() as db:
            db.executemany("INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?)", rows)

    def __len__(self) -> int:
        with self._open() as db:
            return int(db.execute("SELECT count(*) FROM answers").fetchone()[0])

    def __repr__(self) -> str:
        return f"Journal({str(self.path)!r})"

    def _create(self) -> None:
        with self._open() as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("BEGIN IMMEDIATE")  # all of it or nothing, as another process sees it
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            db.execute(f"PRAGMA user_version = {FORMAT}")
            db.execute("CREATE TABLE IF NOT EXISTS seeds (data BLOB PRIMARY KEY, seed INTEGER)")
            db.execute(
                "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, answer BLOB, fit_s REAL, answer_s REAL)"
            )

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            if self._db is None:
                self._db = sqlite3.connect(self.path, timeout=PATIENCE)
                self._db.execute("PRAGMA synchronous = NORMAL")  # with write-ahead logging a kill loses nothing
            with self._db:
                yield self._db
        except sqlite3.DatabaseError as error:
            self.close()
            raise JournalError(f"the journal {str(self.path)!r} cannot be used: {error}; name another file") from error


def _packed(answer: Array) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, answer, allow_pickle=False)
    return buffer.getvalue()
