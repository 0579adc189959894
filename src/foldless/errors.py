"""What can go wrong, as a tree, and the ways out.

::

    FoldlessError                     problem, value, place, remedies
    ├── BadInput (ValueError)         data or an argument that cannot be used
    │   ├── AmbiguousLabels           −1 may be a class or mark unlabeled rows
    │   └── CannotAnswer              a criterion needs what the pool or the candidates do not give
    ├── BadType (TypeError)           an argument of the wrong type
    ├── CandidatesFailed (ValueError) every candidate failed to fit
    │   └── WrongTypes (TypeError)    each of them because of the type of what it was given
    ├── Unfinished                    stopped before one candidate was complete
    │   └── Interrupted               by Ctrl-C
    ├── JournalError (ValueError)     the journal file cannot be used
    └── ClusterLost (RuntimeError)    a cluster cannot be reached, is gone, or has workers that cannot run the fits

    StoppedEarly (UserWarning)        the choice was made among the candidates that were complete

The message of an error is "problem: remedy, or remedy". A remedy is a string where all front ends use the same words,
else a `Remedy`: a value that names the column, the parameter or the file. ``str(remedy)`` says it in Python's words;
the command line has its own, in ``foldless.cli._remedies``.

Examples
--------
>>> error = BadInput("column 'age' of people.csv has no value", value="age", remedy=("fill it", DropColumns(("age",))))
>>> print(error)
column 'age' of people.csv has no value: fill it, or leave it out with drop=['age']
>>> error.worded(lambda remedy: f"delete the column {remedy.columns[0]}")
"column 'age' of people.csv has no value: fill it, or delete the column age"
"""

import re
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

MAX_NAMED_COLUMNS = 5  # columns in a remedy


@dataclass(frozen=True)
class Remedy:
    """A way out that each front end words by itself; ``str`` words it for Python."""

    words: ClassVar[str] = ""

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True)
class SetArgument(Remedy):
    """Pass an argument; ``value`` None leaves its value to the user, ``to`` is what it is good for."""

    name: str
    value: Any = None
    to: str = ""

    def __str__(self) -> str:
        argument = f"{self.name}={'' if self.value is None else repr(self.value)}"
        return f"{self.to} with {argument}" if self.to else f"pass {argument}"


@dataclass(frozen=True)
class ReadAs(Remedy):
    """Say how files are written, each setting by its name in `foldless.io.FileOptions`; ``to`` is what that does."""

    settings: tuple[tuple[str, str], ...]
    to: str = "read it"

    def __str__(self) -> str:
        return f"{self.to} with fmt=FileOptions({', '.join(f'{name}={value!r}' for name, value in self.settings)})"


@dataclass(frozen=True)
class DropColumns(Remedy):
    """Leave columns of a table out; ``when`` is the condition under which to do so.

    ``of`` is the variable of the table, where no argument does it.
    """

    columns: tuple[str, ...]
    when: str = ""
    of: str = ""

    def __str__(self) -> str:
        named = repr(list(self.columns)) if len(self.columns) <= MAX_NAMED_COLUMNS else ""
        return f"{self.when}leave {self.them} out " + (f"of {self.of}" if self.of else f"with drop={named}")

    @property
    def them(self) -> str:
        return "them" if len(self.columns) > 1 else "it"


@dataclass(frozen=True)
class KeepColumns(Remedy):
    """Read columns of a table that would be left out."""

    columns: tuple[str, ...]

    def __str__(self) -> str:
        named = repr(list(self.columns)) if len(self.columns) <= MAX_NAMED_COLUMNS else ""
        return f"read {'them' if len(self.columns) > 1 else 'it'} all the same with keep={named}"


@dataclass(frozen=True)
class Impute(Remedy):
    """Let missing values be imputed; ``first`` is what to do before."""

    first: str = ""

    def __str__(self) -> str:
        return f"{self.first}{' and ' * bool(self.first)}pass missing='impute'"


class PassPool(Remedy):
    """Give unlabeled rows."""

    words = "pass X_unlabeled=, or mark them −1 in y"


@dataclass(frozen=True)
class DecideMinusOne(Remedy):
    """Decide whether −1 is a class or marks unlabeled rows, of arrays or of files."""

    in_files: bool = False

    def __str__(self) -> str:
        if self.in_files:
            return "pass minus_one_is_class=True if −1 is a class, or name the pool as unlabeled= (then −1 is a class)"
        return "pass unlabeled=None if −1 is a class, or pass the unlabeled rows as X_unlabeled= (then −1 is a class)"


@dataclass(frozen=True)
class NamePositive(Remedy):
    """Say which class a metric is of."""

    metric: str
    classes: tuple[Any, ...]

    def __str__(self) -> str:
        first, *others = (repr(label) for label in self.classes)
        beside = f" or positive={others[0]}" if len(others) == 1 else ""
        return f"pass scoring=foldless.Metric({self.metric!r}, positive={first}){beside}"


class NameViews(Remedy):
    """Name the columns of two views."""

    words = "name the columns of each view, such as views=(['page_*'], ['links', 'anchors'])"


class UseGaussianProcess(Remedy):
    """Choose among learners that have an evidence."""

    words = "use Gaussian processes, such as ManifoldGP or GPCoTraining"


class ReadLetters(Remedy):
    """Read texts that have no words."""

    words = "read letters, for example with TfidfVectorizer(analyzer='char') in a Pipeline, or leave the texts out"


class KeepJournal(Remedy):
    """Keep the answers of a run, so that another one can continue."""

    words = "pass journal= so that a next run can continue"


class SaveModel(Remedy):
    """Save the model once more."""

    words = "save the model again with foldless.saving.save"


class NameSavedModel(Remedy):
    """Name a file that holds a saved model."""

    words = "name a file that foldless.saving.save wrote"


@dataclass(frozen=True)
class StartOver(Remedy):
    """Begin a stream from its first row, without the checkpoint there is."""

    checkpoint: str = "the checkpoint"

    def __str__(self) -> str:
        return f"delete {self.checkpoint} to start over, or pass another checkpoint="


LONG, LONGEST = 300, 2000  # characters of a sentence that may quote data in whole, and of any sentence
QUOTED, UNBROKEN = re.compile(r"""'[^']{120,}'|"[^"]{120,}\""""), re.compile(r"\S{120,}")
Way = Remedy | str
Wording = Callable[[Any], str | None]  # a remedy in the words of a front end; None where it has no such way out


class FoldlessError(Exception):
    """Base of everything foldless raises on purpose.

    Parameters
    ----------
    problem : what is wrong, as a sentence
    value : what cannot be used: a value, a column, a candidate
    place : where it is: an argument, a file
    remedy : one way out or several, each a `Remedy` or a string
    """

    def __init__(
        self, problem: str = "", *, value: Any = None, place: str | None = None, remedy: Way | Sequence[Way] = ()
    ):
        self.problem, self.value, self.place = problem, value, place
        self.remedies = _several(remedy)
        super().__init__(_sentence(problem, self.remedies, str))

    def worded(self, wording: Wording) -> str:
        """The message with remedies in the words of a front end."""
        return _sentence(self.problem, self.remedies, wording)


class Note(str):
    """A sentence for the user that may end in remedies, as an error does; as a string, in Python's words."""

    problem: str
    remedies: tuple[Way, ...]

    def __new__(cls, problem: str, *, remedy: Way | Sequence[Way] = ()) -> "Note":
        remedies = _several(remedy)
        note = super().__new__(cls, _sentence(problem, remedies, str))
        note.problem, note.remedies = problem, remedies
        return note

    @classmethod
    def of(cls, error: FoldlessError) -> "Note":
        """What an error says, as a note."""
        return cls(error.problem, remedy=error.remedies)

    def __getnewargs_ex__(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        return (self.problem,), {"remedy": self.remedies}

    def worded(self, wording: Wording) -> str:
        """The note with remedies in the words of a front end."""
        return _sentence(self.problem, self.remedies, wording)


class BadInput(FoldlessError, ValueError):
    """Data or an argument that cannot be used."""


class AmbiguousLabels(BadInput):
    """−1 may be a class or mark unlabeled rows, and nothing says which."""


class CannotAnswer(BadInput):
    """A criterion needs a pool or a response that it cannot have."""


class BadType(FoldlessError, TypeError):
    """An argument of the wrong type."""


class CandidatesFailed(FoldlessError, ValueError):
    """Every candidate failed to fit."""


class WrongTypes(CandidatesFailed, TypeError):
    """Every candidate failed because of the type of what it was given."""


class Unfinished(FoldlessError):
    """The run was stopped before one candidate was complete."""


class Interrupted(Unfinished):
    """Ctrl-C came before one candidate was complete."""


class JournalError(FoldlessError, ValueError):
    """The journal file cannot be used."""


class ClusterLost(FoldlessError, RuntimeError):
    """A cluster cannot be reached, is gone, or has workers that cannot run the fits; ``value`` is its address."""


class Overtime(BaseException):
    """Raised inside work that runs on after its time budget; no Exception, which a fit may catch."""


class StoppedEarly(UserWarning):
    """The choice was made among the candidates that were complete when the run stopped."""


CALLING = ("abc", "foldless", "sklearn", "joblib", "optuna", "contextlib")  # packages between a user and a warning


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Warn at the line of the user: the first one outside of foldless, and of libraries that call it for the user."""
    frame = sys._getframe(1)
    while frame.f_back is not None and str(frame.f_globals.get("__name__")).partition(".")[0] in CALLING:
        frame = frame.f_back
    module = frame.f_globals
    warnings.warn_explicit(
        message,
        category,
        filename=frame.f_code.co_filename,
        lineno=frame.f_lineno,
        module=str(module.get("__name__")),
        registry=module.setdefault("__warningregistry__", {}),
    )


def summary(error: Exception, wording: Wording = str) -> str:
    """What an error says, on one line; what other libraries raise begins with the name of its type."""
    message = error.worded(wording) if isinstance(error, FoldlessError) else f"{type(error).__name__}: {error}"
    return " ".join(message.split())


def some(names: Sequence[Any], most: int = 5, written: Callable[[Any], str] = repr) -> str:
    """The first of many names in a sentence, and how many more there are.

    Examples
    --------
    >>> some(["a", "b", "c", "d"], most=2)
    "'a', 'b' and 2 more"
    """
    return ", ".join(map(written, names[:most])) + f" and {len(names) - most} more" * (len(names) > most)


def some_columns(names: Sequence[Any]) -> str:
    """The same, after the noun."""
    return f"column{'s' * (len(names) > 1)} {some(names)}"


def counted(count: int, noun: str, plural: str = "") -> str:
    """A number with its noun: 1 fit, 2,000 fits."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def shortened(text: str) -> str:
    """A sentence in which data of any length is quoted by its beginning and its end."""
    if len(text) <= LONG:
        return text
    for long in (QUOTED, UNBROKEN):
        text = long.sub(lambda match: f"{match[0][:60]} … {match[0][-20:]}", text)
    return text if len(text) <= LONGEST else f"{text[:250]} … {text[-150:]}"


def _several(remedy: Way | Sequence[Way]) -> tuple[Way, ...]:
    return (remedy,) if isinstance(remedy, Remedy | str) else tuple(remedy)


def _sentence(problem: str, remedies: Sequence[Way], wording: Wording) -> str:
    ways = [way if isinstance(way, str) else wording(way) for way in remedies]
    worded, problem = shortened(", or ".join(way for way in ways if way)), shortened(problem)
    return f"{problem}: {worded}" if worded else problem
