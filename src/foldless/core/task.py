"""The nouns of the seam: a criterion *asks* questions of fits and is *answered* with arrays.

A criterion is a generator over `Ask`; it never sees an estimator, a matrix or a process pool. Everything slow,
parallel, cached or journaled is on the other side, in ``foldless.engine``.

Rows have one numbering: the labeled rows first, then the pool, then a test set if there is one.
"""

import re
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from foldless.core import resampling
from foldless.core.certificate import Certificate as Certificate
from foldless.core.resampling import Splitter
from foldless.core.rows import Array as Array
from foldless.core.rows import Rows as Rows
from foldless.core.rows import digest as digest
from foldless.core.rows import short as short
from foldless.core.vote import Vote

Response = Literal["labels", "probabilities", "scores", "evidence"]
Reduce = Callable[[Array], Array]
"""What a worker makes of an answer before it travels: a module-level function or a frozen dataclass."""


@dataclass(frozen=True)
class Candidate:
    """One model that may be chosen, described without an estimator."""

    index: int
    name: str
    params: Mapping[str, Any] = field(hash=False, compare=False)
    responses: frozenset[Response] = frozenset({"labels"})
    semi_supervised: bool = False

    def respond(self, *wanted: Response) -> Response | None:
        """The first of the wanted responses that this candidate can give."""
        return next((response for response in wanted if response in self.responses), None)


@dataclass(frozen=True, eq=False)
class Fit:
    """What is trained: a candidate on rows, with the true labels or others.

    ``unlabeled`` rows are handed to a semi-supervised candidate and mean nothing to another, so only there they are
    part of the key by which fits are shared and journaled.
    """

    candidate: Candidate
    rows: Rows
    labels: Array | None = None
    unlabeled: Rows | None = None
    key: tuple[int, bytes, bytes, bytes] = field(init=False, repr=False)
    _hash: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.candidate.semi_supervised:
            object.__setattr__(self, "unlabeled", None)
        labels = b"" if self.labels is None else digest(np.asarray(self.labels, dtype=np.int64).tobytes())
        unlabeled = b"" if self.unlabeled is None else self.unlabeled.digest
        object.__setattr__(self, "key", (self.candidate.index, self.rows.digest, labels, unlabeled))
        own = hash((self.candidate.index, hash(self.rows), short(labels), short(unlabeled)))
        object.__setattr__(self, "_hash", own)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fit) and self.key == other.key

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True)
class Ask:
    """A question to a fit: its response on some rows. Different questions to one fit train it once.

    "evidence" is the log marginal likelihood of the fit's own labels, an array of one number: its rows are empty.
    ``may_win`` says that the fit may become a part of the chosen model; one on every label may in any case.
    """

    fit: Fit
    rows: Rows
    response: Response = "labels"
    reduce: Reduce | None = None
    may_win: bool = field(default=False, compare=False)

    def reduced(self, answer: Array) -> Array:
        """What travels of an answer."""
        return answer if self.reduce is None else self.reduce(answer)


class Fold(NamedTuple):
    """Rows to train on and rows to test on."""

    train: Rows
    test: Rows


class Overlap(NamedTuple):
    """How many pool rows have the content of a labeled row, and whether one part is within the other.

    ``same`` says the latter, where chance does not explain it: few distinct rows are all in both parts anyway.
    ``copies`` are the labeled rows whose content another labeled row has too.
    """

    rows: int = 0
    same: bool = False
    copies: int = 0


@dataclass(frozen=True, eq=False)
class Task:
    """What a criterion may know: labels and row numbers, never features.

    ``y`` holds class codes, one per labeled row; ``classes`` are the user's labels in the order of the codes.
    ``n_asked`` is the original number of candidates: a share δ/N must not grow because one failed. ``overlap`` compares
    the content of rows, labeled and pool; it is called by those who must know, because it reads all features.
    """

    y: Array
    classes: Array
    labeled: Rows
    unlabeled: Rows
    candidates: tuple[Candidate, ...]
    n_asked: int
    seed: int
    groups: Array | None = None
    overlap: Callable[[], Overlap] = Overlap
    _rests: dict[Rows, Rows] = field(default_factory=dict, init=False, repr=False)

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    def class_shares(self) -> Array:
        """The share of each class in the labels."""
        return np.bincount(self.y, minlength=self.n_classes) / len(self.y)

    def full(self, candidate: Candidate) -> Fit:
        """The candidate trained on every label."""
        return Fit(candidate, self.labeled, unlabeled=self.unlabeled if len(self.unlabeled) else None)

    def fit(self, candidate: Candidate, train: Rows) -> Fit:
        """The candidate trained on some labeled rows; the others count as unlabeled."""
        if not candidate.semi_supervised:
            return Fit(candidate, train)
        return Fit(candidate, train, unlabeled=self._rest(train))

    def folds(self, k: int | Splitter) -> list[Fold]:
        """k random folds of the labeled rows (never stratified), or the splits of a splitter object.

        They do not depend on the candidates, so criteria with equal k share their fits.
        """
        return self._rows(resampling.folds(k, self.y, self.groups, self._seed("folds")))

    def leave_one_out(self) -> list[Fold]:
        """Every labeled row (or group) left out once."""
        return self._rows(resampling.leave_one_out(self.y, self.groups))

    def hold_outs(self, test_size: float, repeats: int) -> list[Fold]:
        """Independent random splits of the labeled rows."""
        return self._rows(resampling.hold_outs(test_size, repeats, self.y, self.groups, self._seed("hold_outs")))

    def bootstraps(self, resamples: int) -> list[Fold]:
        """Draws with replacement from the labeled rows, and the rows each left out."""
        return self._rows(resampling.bootstraps(resamples, self.y, self.groups, self.rng("bootstraps")))

    def rng(self, name: str) -> np.random.Generator:
        """A generator of its own for each purpose, whatever the number and order of candidates."""
        return np.random.default_rng(self._seed(name))

    def codes(self, rows: Rows) -> Array:
        """The true class codes of labeled rows."""
        codes: Array = self.y[rows.indices]
        return codes

    def _rest(self, train: Rows) -> Rows:
        """The other labeled rows and the pool; all candidates share them."""
        if train not in self._rests:
            rest = np.setdiff1d(self.labeled.indices, train.indices)
            self._rests[train] = Rows(np.concatenate([rest, self.unlabeled.indices]))
        return self._rests[train]

    def _seed(self, name: str) -> int:
        return int.from_bytes(digest(str(self.seed), name)[:4], "little")

    def _rows(self, splits: list[resampling.Split]) -> list[Fold]:
        return [Fold(self.labeled.at(split.train), self.labeled.at(split.test)) for split in splits]


@dataclass(frozen=True, eq=False)
class Choice:
    """Something one may choose: a candidate, its score and the fit that is the final model, or the fits that vote.

    A ``certificate`` holds for the choices of all candidates at once, so that any of them may be taken. A ``lot`` is
    drawn by criteria that break ties at random.
    """

    candidate: Candidate
    score: float
    fits: tuple[Fit, ...]
    splits: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()
    certificate: Certificate | None = None
    vote: Vote = field(default_factory=Vote)
    lot: float = 0.0


Evaluation = Generator[list[Ask], list[Array], list[Choice]]
"""A criterion at work: it yields questions, is sent their answers in order, and returns its choices."""


class Criterion(ABC):
    """A way of choosing. Subclasses are frozen dataclasses, so they have a repr and compare by value.

    ``needs`` names what must be there ("pool"); ``assumes`` says in sentences what the number rests on. Scores within
    ``tolerance`` of each other are ties. One that ``trains_on_pool`` gives labels of its own to pool rows, which have
    no weights.
    """

    better: ClassVar[Literal["higher", "lower"]] = "higher"
    needs: ClassVar[frozenset[str]] = frozenset()
    assumes: ClassVar[tuple[str, ...]] = ()
    tolerance: ClassVar[float] = 0.0
    trains_on_pool: ClassVar[bool] = False

    @abstractmethod
    def evaluate(self, task: Task) -> Evaluation:
        """Ask, be answered, and return at least one choice for every candidate of the task."""

    def order_ties(self, tied: list[Choice]) -> list[Choice]:
        """Who goes first among equals: the first candidate, as in GridSearchCV."""
        return tied

    @property
    def holds_out(self) -> bool:
        """Whether the models it offers are trained without some of the labels."""
        return False

    @property
    def name(self) -> str:
        """The name users write, with the parameters that are not the defaults: ``k_fold(k=10)``."""
        plain = re.sub(r"(?<=[a-z])(?=[A-Z0-9])|(?<!^)(?=[A-Z][a-z])", "_", type(self).__name__).lower()
        own = fields(self) if hasattr(self, "__dataclass_fields__") else ()  # type: ignore[arg-type]  # asked before
        changed = [f"{f.name}={_brief(getattr(self, f.name))}" for f in own if getattr(self, f.name) != f.default]
        return f"{plain}({', '.join(changed)})" if changed else plain


def _brief(value: Any) -> str:
    """As repr has it, unless it is a long collection."""
    return reprlib.repr(value) if isinstance(value, Mapping | list | tuple) else repr(value)


def together(task: Task, criteria: Sequence[Criterion]) -> Generator[list[Ask], list[Array], list[list[Choice]]]:
    """Drive several criteria in lockstep inside one: their rounds are merged, so what they share is asked at once."""
    running = {at: criterion.evaluate(task) for at, criterion in enumerate(criteria)}
    done: dict[int, list[Choice]] = {}
    inbox: dict[int, list[Array] | None] = dict.fromkeys(running)
    while running:
        asked: dict[int, list[Ask]] = {}
        for at, evaluation in list(running.items()):
            answers = inbox[at]
            try:
                asked[at] = next(evaluation) if answers is None else evaluation.send(answers)
            except StopIteration as end:
                done[at] = end.value
                del running[at]
        if not asked:
            break
        replies = yield [ask for asks in asked.values() for ask in asks]
        for at, asks in asked.items():
            inbox[at], replies = replies[: len(asks)], replies[len(asks) :]
    return [done[at] for at in range(len(criteria))]


@dataclass(frozen=True, eq=False)
class FitCounts(Mapping[str, int]):
    """How many fits were trained, shared, taken from the journal, and trained once more at the end."""

    run: int = 0
    shared: int = 0
    resumed: int = 0
    final: int = 0

    def __getitem__(self, name: str) -> int:
        return {f.name: getattr(self, f.name) for f in fields(self)}[name]

    def __iter__(self) -> Any:
        return (f.name for f in fields(self))

    def __len__(self) -> int:
        return len(fields(self))

    def __str__(self) -> str:
        return ", ".join(f"{count} {name}" for name, count in self.items())


def ranked(criterion: Criterion, choices: Sequence[Choice], shuffle: np.random.Generator | None = None) -> list[Choice]:
    """Best first; equal scores by the criterion's rule, or at random; a score that is not a number goes last."""
    sign = 1 if criterion.better == "higher" else -1
    numbers = [choice for choice in choices if not np.isnan(choice.score)]
    in_order: list[Choice] = []
    for tied in _ties(sorted(numbers, key=lambda choice: -sign * choice.score), criterion.tolerance):
        by_index = sorted(tied, key=lambda choice: choice.candidate.index)
        if shuffle is None:
            in_order += criterion.order_ties(by_index)
        else:
            in_order += [by_index[at] for at in shuffle.permutation(len(by_index))]
    return in_order + [choice for choice in choices if np.isnan(choice.score)]


def ranks_of(criterion: Criterion, ranking: Sequence[Choice]) -> dict[Choice, int]:
    """The rank of each choice of a ranking, 1 for the best; ties have the rank of their first."""
    ranks: dict[Choice, int] = {}
    for tied in _ties(list(ranking), criterion.tolerance):
        first = len(ranks) + 1
        ranks |= dict.fromkeys(tied, first)
    return ranks


def _ties(choices: list[Choice], tolerance: float) -> list[list[Choice]]:
    """Sorted choices, cut into runs whose scores equal the first of the run within the tolerance."""
    runs: list[list[Choice]] = []
    for choice in choices:
        if runs and _equal(choice.score, runs[-1][0].score, tolerance):
            runs[-1].append(choice)
        else:
            runs.append([choice])
    return runs


def _equal(score: float, other: float, tolerance: float) -> bool:
    """Whether two scores are ties; infinities and what is not a number equal their like."""
    if np.isfinite(score) and np.isfinite(other):
        return abs(score - other) <= tolerance
    return score == other or bool(np.isnan(score) and np.isnan(other))


def without(task: Task, dropped: set[Candidate]) -> Task:
    """The same task for the other candidates; seeds, folds and ``n_asked`` stay."""
    return replace(task, candidates=tuple(c for c in task.candidates if c not in dropped))
