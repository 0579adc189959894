"""What a criterion may know: labels and row numbers, never features.

Rows have one numbering: the labeled rows first, then the pool, then a test set if there is one.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from foldless.core import _resampling as resampling
from foldless.core._resampling import Splitter
from foldless.core.ask import Candidate, Fit, Response
from foldless.core.rows import Array, Rows, digest
from foldless.core.target import Classes, Target


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


class Contents(NamedTuple):
    """Which rows have equal content: those with equal numbers in ``labeled``, and those with equal ones in ``pool``.

    ``shared`` marks the pool rows with the content of a labeled row, and ``in_pool`` the labeled rows with the content
    of a pool row. None stands for no such rows.
    """

    labeled: Array | None = None
    pool: Array | None = None
    shared: Array | None = None
    in_pool: Array | None = None


@dataclass(frozen=True, eq=False)
class PoolRows:
    """The unlabeled rows of a task.

    Where the pool stays in its files, ``stored`` are all of its rows, which can be asked about with a reduction only,
    and ``rows`` are a random sample. ``overlap`` compares the content of rows, labeled and pool, and ``contents`` says
    which are equal; both are called by those who must know, because they read all features.
    """

    rows: Rows
    groups: Array | None = None
    stored: Rows | None = None
    overlap: Callable[[], Overlap] = Overlap
    contents: Callable[[], Contents] = Contents

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def every(self) -> Rows:
        """All rows, in files or in memory: for questions with a reduction."""
        return self.rows if self.stored is None else self.stored


@dataclass(frozen=True, eq=False)
class ScorerInputs:
    """What scorers are given beside answers.

    ``weights`` are those of the labeled rows, for each metric that takes them. Scorers that ``read_more`` than weights
    are put to the fits. ``error_score`` is the score of a split whose fit failed.
    """

    weights: Mapping[str, Array] = field(default_factory=dict)
    read_more: bool = False
    error_score: Any = np.nan


class LabelWeights(NamedTuple):
    """Weights of labels that were drawn with unequal probabilities, adding up to 1; None where they were not.

    By those in ``estimating``, estimates and class shares are those of the pool. By those in ``comparing``, candidates
    are compared: the same, but where labels were chosen they grow with the rows that are nearer to a label than to any
    other.
    """

    estimating: Array | None = None
    comparing: Array | None = None


class KeptCopies(NamedTuple):
    """Labeled rows are copies of others, and are kept together by groups; ``passed`` are the groups of the user.

    Splitter objects get those that were passed, and nothing is refused because of copies.
    """

    passed: Array | None = None


@dataclass(frozen=True, eq=False)
class Task:
    """What a criterion may know: labels and row numbers, never features.

    The ``target`` holds labels: class codes ``y`` and ``classes``, the user's labels in the order of the codes; or
    values, of which there are no classes. ``n_asked`` is the original number of candidates: a share δ/N must not grow
    because one failed. ``groups`` are of the labeled rows: those of the user, joined where they share copies, or copies
    alone, as ``copies`` says. ``features`` of the labeled rows are for splitter objects only.
    """

    target: Target
    labeled: Rows
    pool: PoolRows
    candidates: tuple[Candidate, ...]
    n_asked: int
    seed: int
    groups: Array | None = None
    features: Callable[[], Any] | None = None
    scoring: ScorerInputs = field(default_factory=ScorerInputs)
    draws: LabelWeights = field(default_factory=LabelWeights)
    copies: KeptCopies | None = None
    _split: dict[tuple[int, int], tuple[Splitter, list[Fold]]] = field(default_factory=dict, repr=False)
    _rests: dict[Rows, Rows] = field(default_factory=dict, init=False, repr=False)

    @property
    def y(self) -> Array:
        """The class codes of the labeled rows, or their values."""
        return self.target.y

    @property
    def classes(self) -> Array:
        return self.target.classes

    @property
    def n_classes(self) -> int:
        return self.target.n_classes

    @property
    def unlabeled(self) -> Rows:
        """The rows of the pool, or a random sample of a pool that stays in its files."""
        return self.pool.rows

    @property
    def regression(self) -> bool:
        """Whether candidates predict values, and not classes."""
        return not isinstance(self.target, Classes)

    @property
    def response(self) -> Response:
        """What every candidate can answer: labels, or values where there are no classes."""
        return self.target.response

    @property
    def units(self) -> Array:
        """Codes of what is independent among the labels: rows, or groups of them."""
        return np.arange(len(self.y)) if self.groups is None else np.unique(self.groups, return_inverse=True)[1]

    @property
    def n_units(self) -> int:
        return len(self.y) if self.groups is None else len(np.unique(self.groups))

    @property
    def named_groups(self) -> Array | None:
        """The groups as the user passed them."""
        return self.groups if self.copies is None else self.copies.passed

    def class_shares(self) -> Array:
        """The share of each class in the labels; by the weights of labels that were drawn."""
        if self.draws.estimating is not None:
            return np.bincount(self.y, self.draws.estimating, self.n_classes)
        return np.bincount(self.y, minlength=self.n_classes) / len(self.y)

    def full(self, candidate: Candidate) -> Fit:
        """The candidate trained on every label."""
        return Fit(candidate, self.labeled, unlabeled=self.unlabeled if len(self.unlabeled) else None)

    def fit(self, candidate: Candidate, train: Rows) -> Fit:
        """The candidate trained on some labeled rows; the others count as unlabeled."""
        if not candidate.semi_supervised:
            return Fit(candidate, train)
        return Fit(candidate, train, unlabeled=self._rest(train))

    def folds(self, k: int | Splitter, repeat: int = 0) -> list[Fold]:
        """k random folds of the labeled rows (never stratified), or the splits of a splitter object, which gets the
        features and labels that the user passed.

        They do not depend on the candidates, so criteria with equal k share their fits. Each ``repeat`` is another
        random partition.
        """
        seed = self._seed(f"folds {repeat}" if repeat else "folds")
        if isinstance(k, int):
            groups = self.groups
            if self.copies is not None and groups is not None and not isinstance(k, bool):
                k = min(k, max(2, len(np.unique(groups))))  # nobody asked for groups: copies refuse nothing
            return self._rows(resampling.folds(k, self.y, groups, seed))
        if (id(k), repeat) not in self._split:  # some splitters can be asked once only
            rows = resampling.folds(k, self.target.as_passed(), self.named_groups, seed, self.features)
            self._split[id(k), repeat] = k, self._rows(rows)  # with the splitter, so that no other has its id
        return self._split[id(k), repeat][1]

    def relabeled(self, y: Array) -> "Task":
        """The same rows with other labels, of which splitters see nothing else."""
        return replace(self, target=self.target.relabeled(y), _split={})

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
        """The true class codes of labeled rows, or their values."""
        return np.asarray(self.y[rows.indices])

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


def without(task: Task, dropped: set[Candidate]) -> Task:
    """The same task for the other candidates; seeds, folds and ``n_asked`` stay."""
    return replace(task, candidates=tuple(c for c in task.candidates if c not in dropped))
