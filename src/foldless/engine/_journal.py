"""Answers on disk, by content hash, so that a killed run goes on where it stopped.

One SQLite file. A key covers the versions, the estimator, the rows it was trained on, their labels and the question,
so a journal of other data, or of other code, simply has no answer: nothing in it can be misused. Each group of fits
is one transaction; write-ahead logging lets several processes share a file. A checksum stands behind each answer: one
that does not match it, or that cannot be an answer to its question, is dropped and computed again.
"""

import hashlib
import io
import os
import sqlite3
import struct
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tokenize import TokenError
from typing import NamedTuple

import numpy as np

from foldless.core import Array, Ask, digest
from foldless.errors import JournalError
from foldless.io._our_files import open_to_append

APPLICATION = 0x464F4C44  # "FOLD", so that no other database is taken for a journal
FORMAT = 1
PATIENCE = 60.0  # seconds to wait for another process to finish writing
CHECKSUM = 16  # bytes
FOREIGN = "{path!r} is a database of another program: name another file for the journal"


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
        self.dropped = 0
        if not _has_place(self.path):
            raise JournalError(f"the journal must be a file in an existing folder, got {str(path)!r}")
        self._check_start()
        with self._open() as db:
            db.execute("BEGIN")  # one look: another process may be making the file at this moment
            (application,) = db.execute("PRAGMA application_id").fetchone()
            (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            (version,) = db.execute("PRAGMA user_version").fetchone()
        if tables and application != APPLICATION:
            self.close()
            raise JournalError(FOREIGN.format(path=str(path)))
        if tables and version != FORMAT:
            self.close()
            raise JournalError(
                f"the journal {str(path)!r} has format {version}, this foldless reads {FORMAT}: name another file"
            )
        if not tables:
            self._create()
        self.close()

    def _check_start(self) -> None:
        """Whether the file is a journal, or none yet; SQLite repairs, and so changes, any database that it opens.

        It is SQLite that looks, as one who promises to change nothing: to open and close the file here would take away
        the locks of other connections of this process.
        """
        try:
            if not self.path.exists():
                os.close(open_to_append(self.path))  # only its owner reads it
            elif not self.path.is_file():
                raise OSError(None, "it is not a regular file")
        except OSError as error:
            raise JournalError(
                f"the journal {str(self.path)!r} cannot be used: {error.strerror}; name another file"
            ) from error
        try:
            looking = sqlite3.connect(f"{self.path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
            with closing(looking):
                (application,) = looking.execute("PRAGMA application_id").fetchone()
                (tables,) = looking.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except (sqlite3.DatabaseError, UnicodeError):
            return  # said where it is opened
        if tables and application != APPLICATION:
            raise JournalError(FOREIGN.format(path=str(self.path)))

    def close(self) -> None:
        """Let go of the file until it is needed again."""
        if self._db is not None:
            self._db.close()
            self._db = None

    def seed(self, data: bytes, fresh: int) -> int:
        """The seed an earlier run on the same data drew, else ``fresh``, which is then remembered."""
        beside = digest(data, b"checksum")  # the key of a second row, which vouches for the first
        with self._open() as db:
            db.execute("INSERT OR IGNORE INTO seeds VALUES (?, ?)", (data, fresh))
            (seed,) = db.execute("SELECT seed FROM seeds WHERE data = ?", (data,)).fetchone()
            known = db.execute("SELECT seed FROM seeds WHERE data = ?", (beside,)).fetchone()
            if not isinstance(seed, int) or (known is not None and known[0] != _vouching(data, seed)):
                self.dropped, seed = self.dropped + 1, fresh
                db.execute("UPDATE seeds SET seed = ? WHERE data = ?", (seed, data))
            db.execute("INSERT OR REPLACE INTO seeds VALUES (?, ?)", (beside, _vouching(data, seed)))
            return seed

    def read(self, keys: Iterable[bytes], sound: Callable[[bytes, Array], bool] | None = None) -> dict[bytes, Entry]:
        """The entries there are for these keys; those that are damaged, or not ``sound``, are dropped."""
        entries: dict[bytes, Entry] = {}
        with self._open() as db:
            for key in keys:
                row = db.execute("SELECT answer, fit_s, answer_s FROM answers WHERE key = ?", (key,)).fetchone()
                if row is None:
                    continue
                entry = _unpacked(key, *row)
                if entry is None or (sound is not None and not sound(key, entry.answer)):
                    db.execute("DELETE FROM answers WHERE key = ?", (key,))
                    self.dropped += 1
                else:
                    entries[key] = entry
        return entries

    def write(self, entries: Iterable[tuple[bytes, Entry]]) -> None:
        """Add entries in one transaction; what is there already stays."""
        rows = [(key, _packed(key, e), e.fit_seconds, e.answer_seconds) for key, e in entries]
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
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the latter where a message quotes damaged text
            self.close()
            why = "it is damaged" if isinstance(error, UnicodeDecodeError) else str(error)
            raise JournalError(f"the journal {str(self.path)!r} cannot be used: {why}; name another file") from error


def _has_place(path: Path) -> bool:
    """Whether a file of this name can be there."""
    try:
        return not path.is_dir() and path.absolute().parent.is_dir() and "\0" not in str(path)
    except (OSError, ValueError):  # a name too long
        return False


def can_answer(ask: Ask, answer: Array, n_classes: int) -> bool:
    """Whether an array has the type, the shape and the range of an answer to a question."""
    if ask.reduce is not None:
        return answer.dtype.kind in "biuf"
    if ask.response == "evidence":
        return answer.shape == (1,) and answer.dtype == np.float64 and not np.isnan(answer).any()
    if ask.response == "values":
        return answer.shape == (len(ask.rows),) and answer.dtype == np.float64 and bool(np.isfinite(answer).all())
    if ask.response == "labels":
        inside = answer.dtype.kind in "iu" and answer.shape == (len(ask.rows),)
        return inside and bool(np.all((answer >= -1) & (answer < n_classes)))  # −1: no label reaches the row
    if answer.shape != (len(ask.rows), n_classes) or answer.dtype != np.float64:
        return False
    return ask.response == "scores" or bool(np.isfinite(answer).all())


def _packed(key: bytes, entry: Entry) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, entry.answer, allow_pickle=False)
    return buffer.getvalue() + _checksum(key, buffer.getvalue(), entry.fit_seconds, entry.answer_seconds)


def _unpacked(key: bytes, answer: object, fit_seconds: object, answer_seconds: object) -> Entry | None:
    """An entry, or None where it is not as it was written."""
    if not (isinstance(answer, bytes) and isinstance(fit_seconds, float) and isinstance(answer_seconds, float)):
        return None
    content = answer[:-CHECKSUM]
    if answer[-CHECKSUM:] != _checksum(key, content, fit_seconds, answer_seconds):
        content = answer  # releases before 0.3 wrote no checksum: then the array ends where the answer ends
    file = io.BytesIO(content)
    try:
        array = np.load(file, allow_pickle=False)
    except (ValueError, EOFError, OSError, SyntaxError, MemoryError, TokenError):  # not written by a journal
        return None
    return Entry(array, fit_seconds, answer_seconds) if file.tell() == len(content) else None


def _checksum(key: bytes, content: bytes, *seconds: float) -> bytes:
    return hashlib.blake2b(key + struct.pack("<2d", *seconds) + content, digest_size=CHECKSUM).digest()


def _vouching(data: bytes, seed: int) -> int:
    """A whole number that SQLite can hold and that is another for each seed."""
    return int.from_bytes(digest(data, str(seed).encode())[:7], "little")
