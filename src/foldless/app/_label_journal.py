"""The labels on disk: an entry is written before the page says that it is saved.

A journal is a text file of JSON lines: the first says which pool it is about, each other one is an entry. It only
grows, and an entry is on the disk when `append` returns: a process that is killed after that loses nothing. The end of
a line that a power failure cut is put into a file beside the journal when it is opened again. A file that is not a
journal of these rows is refused before a byte of it is changed.

Other programs may change the file, or put another one in its place, while it is open. The journal notices it before an
entry counts, reads what is there, and appends what is missing (`foldless.app._merged_lines`).

=======================================  ============================================================
entry                                    meaning
=======================================  ============================================================
``{"row": 5, "label": "spam"}``          row 5 of the pool is spam; the last label of a row counts
``{"row": 5, "label": ["a", "b"]}``      it is of several classes, in any order; in journals of such labels alone
``{…, "by": "anna", "at": "2026-…"}``    who says it, and when; of several people, what they agree on counts
``{…, "p": 0.1, "batch": 2, "of": 30}``  with which probability it was drawn, in a batch of so many rows
``{"row": 5, "skip": true}``             row 5 is not to be shown again
``{…, "skip": true, "state": "none"}``   it is of no class; "unsure" and "flag" are other states
``{…, "note": "two topics"}``            a note, which any entry of a row can have
``{…, "settles": true}``                 people differ about the row, and this is the decision
``{…, "repeat": true}``                  it was shown again; the label of before counts
``{…, "hints": ["likely"]}``             what was seen of the model's opinion before the answer; or "words"
``{"row": 5, "undo": true}``             the last such entry of row 5 by this person does not count
``{"round": {…}}``                       a model was chosen
=======================================  ============================================================

Earlier releases read a kind of entry that they do not know as the nearest one that they know: a state as a skipped row.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeGuard

from foldless.app._merged_lines import merge
from foldless.app._row_answers import HINTS, OWNER, STATES, Answer, RowAnswers
from foldless.errors import BadInput
from foldless.io import flush_folder, is_still, kept_beside, open_to_append, parse_json

if sys.platform != "win32":
    import fcntl

KIND, VERSION = "foldless labels", 1
MAX_HEADER = 65_536  # bytes
TEXTS = {"by": 200, "at": 40, "note": 2000, "why": 2000}  # how many characters each may have
PATIENCE, PAUSE = 1.0, 0.02  # seconds that another program has to write the file, and between two looks at it


class LabelJournal:
    """The entries about one pool; safe for threads, and for one process at a time.

    Parameters
    ----------
    path : path
        The file; it is made where there is none.
    about : mapping
        What the entries are about, such as a digest of the pool. A journal about something else is refused. Where it
        has ``"several": True``, each label is a list of classes.
    n_rows : int, optional
        The rows of the pool: an entry about another one is refused.

    Attributes
    ----------
    answers : what was said of the rows, to be read within ``with journal.reading() as answers``
    changes : how often another program has changed the file
    """

    def __init__(self, path: str | Path, about: Mapping[str, Any], n_rows: int | None = None):
        self.path = Path(path)
        self._about, self._n_rows = {KIND: VERSION, **about}, n_rows
        self._lock = threading.RLock()
        self._lines: list[bytes] = []  # of the file, without the first
        self._written: dict[bytes, tuple[int, str | None]] = {}  # by this process: number and tab
        self._n_written = 0
        self._copy: tuple[int, Path] | None = None  # of how many lines, where it is kept
        self._known: tuple[int, int] = (-1, -1)  # size of the file and time of its last change, when it was read
        self.answers = RowAnswers()
        self.changes = 0
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

    @property
    def labels(self) -> dict[int, Any]:
        """The labels by row, in the order in which they were given."""
        return self.answers.labels

    @contextmanager
    def reading(self) -> Iterator[RowAnswers]:
        """The answers, which nobody changes within ``with``."""
        with self._lock:
            yield self.answers

    def append(self, entry: Mapping[str, Any], tab: str | None = None) -> int:
        """Put an entry on the disk, then into the answers; its number, for `undo`.

        OSError where the disk does not take it; then it does not count. ``tab`` is the tab of a browser that says it.
        """
        with self._lock:
            return self._put(entry, tab)

    def undo(
        self, row: int, number: int, tab: str | None, by: str = OWNER, *, settles: bool = False, repeat: bool = False
    ) -> Answer:
        """Take back the entry of a row with this number, which the tab made since this journal was opened.

        Refused where it is not the last entry of the row any more: then it is somebody else's that would be lost.
        """
        with self._lock:
            last = self.answers.last(row, by, settles=settles, repeat=repeat)
            if last is None or last.number != number or tab is None or last.tab != tab:
                raise BadInput(
                    f"what this page last gave row {row} was changed elsewhere: nothing is undone, label the row again",
                    value=row,
                )
            kind = {"settles": settles, "repeat": repeat, "by": by}
            self._put({"row": row, "undo": True, **{key: value for key, value in kind.items() if value}}, None)
            return last

    def look(self) -> bool:
        """Read what another program has put into the file; whether anything has changed.

        It raises as `append` does where that cannot be read.
        """
        with self._lock:
            before = self.changes
            if self._file >= 0:
                self._follow()
            return self.changes > before

    def state(self) -> tuple[dict[int, Any], set[int]]:
        """The labels, and the rows that are not to be shown though they have none, as they are now."""
        with self._lock:
            return dict(self.labels), self.answers.states.keys() | self.answers.disputed

    def drawn(self) -> list[tuple[int, Any, float | None, int]]:
        """Row, label, probability and batch of each label, as `RowAnswers.drawn` has them."""
        with self._lock:
            return self.answers.drawn()

    @property
    def last_batch(self) -> int:
        """The number of the last batch that had a label."""
        with self._lock:
            return max((draw.batch for draw in self.answers.draws.values()), default=0)

    def close(self) -> None:
        """Let another process have the journal; once is enough."""
        with self._lock:
            if self._file < 0:
                return
            self._known = (-1, -1)  # a change that has left size and time as they were
            try:
                with suppress(OSError, BadInput):  # it was refused before, and what was written is kept beside it
                    self._follow()
            finally:
                os.close(self._file)
                self._file = -1

    def _put(self, entry: Mapping[str, Any], tab: str | None) -> int:
        """An entry at the end of the file that has the journal's name, and among the answers."""
        self._follow()
        file, end, line = self._file, self._known[0], entry_line(entry)
        self._write(file, line)
        self._n_written += 1
        self._written[line] = self._n_written, tab
        self._lines.append(line)
        if is_still(self.path, file) and os.fstat(file).st_size == end + len(line):
            self._known = _stamp(file)
            self.answers.apply(entry, self._n_written, tab)
            return self._n_written
        try:
            self._follow()  # where the file was changed a moment ago
        except (OSError, BadInput):
            self._lines.pop()
            del self._written[line]
            if os.fstat(file).st_size == end + len(line):
                os.ftruncate(file, end)  # what is not acknowledged does not count
            raise
        return self._n_written

    def _write(self, file: int, content: bytes) -> None:
        end = os.fstat(file).st_size
        try:
            while content:
                content = content[os.write(file, content) :]
            os.fsync(file)
        except OSError:
            os.ftruncate(file, end)  # half an entry would spoil the next one
            raise

    def _follow(self) -> None:
        """Go on with the file that has the journal's name now, which may be changed, another one, or none."""
        is_same = is_still(self.path, self._file)
        if is_same and _stamp(self._file) == self._known:
            return
        is_new = not self.path.exists()
        file = self._file if is_same else open_to_append(self.path)
        try:
            if not is_same:
                _lock(file, self.path)
            there, beginning = self._found(file, is_new)
            missing, changed, conflicts = merge(self._lines, there, lambda line: parse_json(line, dict))
            if changed:
                kept_beside(self.path, b"".join(changed), "kept")
            lines = [*missing, *map(entry_line, conflicts)]
            if beginning or lines:
                self._write(file, beginning + b"".join(lines))
                flush_folder(self.path)
            self._known = _stamp(file)
        except BaseException:
            if not is_same:
                os.close(file)
            raise
        if not is_same:
            os.close(self._file)
            self._file = file
        if there + lines != self._lines:
            self.changes += 1
        self._lines = there + lines
        self._replay()

    def _replay(self) -> None:
        """The answers anew, from all lines."""
        self.answers = RowAnswers()
        for at, line in enumerate(self._lines, 2):
            self.answers.apply(self._entry(line, at), *self._written.get(line, (0, None)))

    def _found(self, file: int, is_new: bool) -> tuple[list[bytes], bytes]:
        """The lines that another program has left in a file, and what is missing before others can be appended.

        A program that writes it at this moment has some time to end.
        """
        end = time.monotonic() + (0.0 if is_new else PATIENCE)
        while True:
            content = _content(file)
            if not content and time.monotonic() < end:
                time.sleep(PAUSE)
                continue
            try:
                return self._parsed(content)
            except BadInput as error:
                if time.monotonic() < end:
                    time.sleep(PAUSE)
                    continue
                if self._copy is None or self._copy[0] != len(self._lines):
                    ours = entry_line(self._about) + b"".join(self._lines)
                    self._copy = len(self._lines), kept_beside(self.path, ours, "kept")
                raise BadInput(
                    f"another program has put something else into {self.path}, so that nothing can be saved "
                    f"({error.problem}): the labels so far are in {self._copy[1]}, put them in its place, or stop the "
                    f"app",
                    place=str(self.path),
                ) from error

    def _parsed(self, content: bytes) -> tuple[list[bytes], bytes]:
        """The lines of entries, each of which is one, and what to write before the next."""
        if not content:
            return [], entry_line(self._about)
        first, *lines = content.splitlines(keepends=True)
        self._check(first)
        beginning = b"" if content.endswith(b"\n") else b"\n"
        # other programs spell JSON in other ways
        return [entry_line(self._entry(line, number)) for number, line in enumerate(lines, 2)], beginning

    def _read(self) -> None:
        """Read what is there; only then change it, where its last line is torn or its first one is missing."""
        content, header = _content(self._file), entry_line(self._about)
        whole = content[: content.rfind(b"\n") + 1]
        if whole and len(whole) < len(content) and self._is_entry(content[len(whole) :]):
            self._lines, beginning = self._parsed(content)  # an editor has left out the end of the last line
            self._write(self._file, beginning)
            whole = content
        elif whole:
            self._lines, _ = self._parsed(whole)
        elif not header.startswith(content):
            raise self._foreign()
        if len(whole) < len(content):
            kept_beside(self.path, content[len(whole) :], "torn")
            os.ftruncate(self._file, len(whole))
        if not whole:
            self._write(self._file, header)
            flush_folder(self.path)
        self._replay()
        self._known = _stamp(self._file)

    def _is_entry(self, line: bytes) -> bool:
        try:
            self._entry(line, 0)
        except BadInput:
            return False
        return True

    def _entry(self, line: bytes, number: int) -> dict[str, Any]:
        with suppress(ValueError):
            entry: dict[str, Any] = parse_json(line, dict)
            if is_entry(entry, self._n_rows, bool(self._about.get("several"))):
                return entry
        raise BadInput(
            f"line {number} of {self.path} is not an entry of a label journal: correct it, or name another folder",
            place=str(self.path),
        )

    def _foreign(self) -> BadInput:
        return BadInput(f"{self.path} is not a label journal: name another folder", place=str(self.path))

    def _check(self, line: bytes) -> None:
        first: dict[str, Any] = {}
        with suppress(ValueError):
            first = parse_json(line, dict)
        if first.get(KIND) != VERSION:
            raise self._foreign()
        if {**first, "several": None} == {**self._about, "several": None} and first != self._about:
            one, other = ("several labels", "one") if first.get("several") else ("one label", "several")
            raise BadInput(
                f"{self.path} holds rows with {one} each, and {other} can be given now: start as it was started "
                f"before, or name another folder",
                place=str(self.path),
            )
        if first != self._about:
            raise BadInput(
                f"{self.path} holds labels of other rows: pass the files that were labeled, or name another folder",
                place=str(self.path),
            )


def pool_of(path: Path) -> str | None:
    """The digest of the pool that a journal is about; None where there is no journal."""
    try:
        with open(path, "rb") as file:
            first = parse_json(file.readline(MAX_HEADER), dict)
    except (OSError, ValueError):
        return None
    return pool if isinstance(pool := first.get("pool"), str) else None


def _content(file: int) -> bytes:
    with open(file, "rb", closefd=False) as reading:
        reading.seek(0)
        return reading.read()


def _stamp(file: int) -> tuple[int, int]:
    status = os.fstat(file)
    return status.st_size, status.st_mtime_ns


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


def entry_line(entry: Mapping[str, Any]) -> bytes:
    return json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"


def is_entry(entry: Mapping[str, Any], n_rows: int | None, several: bool = False) -> bool:
    """Whether this is one of the entries that a `LabelJournal` has, with values that it can have.

    ``several`` says that a label is a list of classes.
    """
    if "round" in entry:
        return isinstance(entry["round"], dict)
    row = entry.get("row")
    if not _is_whole(row) or row < 0 or (n_rows is not None and row >= n_rows):
        return False
    if "batch" in entry and not ("p" in entry and _is_draw(entry["p"], entry["batch"], entry.get("of"))):
        return False
    if not all(isinstance(text := entry.get(key, ""), str) and len(text) <= most for key, most in TEXTS.items()):
        return False
    hints = entry.get("hints", [])
    if not isinstance(hints, list) or not all(name in HINTS for name in hints):
        return False
    if any(entry.get(key, True) is not True for key in ("undo", "skip", "settles", "repeat")):
        return False
    if "undo" in entry or "skip" in entry:
        return entry.get("state", "skip") in STATES
    label = entry.get("label")
    if not several:
        return isinstance(label, str | int | float)
    return isinstance(label, list) and bool(label) and all(isinstance(each, str | int | float) for each in label)


def _is_draw(p: Any, batch: Any, of: Any) -> bool:
    probability = p is None or (isinstance(p, int | float) and 0 <= p <= 1)
    return probability and _is_whole(batch) and batch >= 0 and _is_whole(of) and of >= 1


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
