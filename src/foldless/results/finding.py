"""What was found in the data: a note with a code, and the rows or columns it is about."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from foldless.core._plain import plain_value
from foldless.errors import Note, Way


class Finding(Note):
    """Something in the data that numbers depend on; as a string, a sentence with its remedies.

    It is a note, and goes where notes go. ``selection_.findings`` of a search are those among its notes.

    Attributes
    ----------
    code : stable from release to release, such as "FL004"
    problem : the sentence without its remedies
    rows : numbers of the rows it is about, in the table or array they came in; empty where it is about columns
    columns : names or numbers of the columns it is about
    remedies : the options that handle it

    Examples
    --------
    >>> finding = Finding("FL004", "3 rows appear more than once, and are kept together", rows=[4, 8, 9])
    >>> finding.code, finding.rows
    ('FL004', (4, 8, 9))
    >>> print(finding)
    3 rows appear more than once, and are kept together
    """

    code: str
    rows: tuple[int, ...]
    columns: tuple[Any, ...]

    def __new__(
        cls,
        code: str,
        problem: str,
        *,
        rows: Iterable[int] = (),
        columns: Iterable[Any] = (),
        remedy: Way | Sequence[Way] = (),
    ) -> "Finding":
        finding = cast("Finding", super().__new__(cls, problem, remedy=remedy))
        finding.code, finding.rows, finding.columns = code, tuple(int(row) for row in rows), tuple(columns)
        return finding

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (self.code, self.problem), {"rows": self.rows, "columns": self.columns, "remedy": self.remedies}

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON."""
        return {
            "code": self.code,
            "sentence": str(self),
            "rows": list(self.rows),
            "columns": [plain_value(column) for column in self.columns],
            "remedies": [str(remedy) for remedy in self.remedies],
        }


def among(notes: Iterable[str]) -> tuple[Finding, ...]:
    """The findings among notes, each once."""
    return tuple(dict.fromkeys(note for note in notes if isinstance(note, Finding)))
