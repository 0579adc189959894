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
class Task:
    """What a criterion may know: labels and row numbers, never features.

    ``y`` holds class codes, one per labeled row; ``classes`` are the user's labels in the order of the codes. In a
    regression ``y`` holds values, there are no classes, and ``regression`` is true.
    ``n_asked`` is the original number of candidates: a share δ/N must not grow because one failed. ``overlap`` compares
    the content of rows, labeled and pool, and ``contents`` says which are equal; both are called by those who must
    know, because they read all features. ``groups`` are of the labeled rows, ``pool_groups`` of the pool.
    ``features`` of the labeled rows, and the ``targets`` as the user passed them, are for splitter objects only. Where
    targets are ``opaque`` (none at all, or several in a row) there are no class codes: only metrics can be asked.
    ``weights`` are those of the labeled rows for each metric that takes them; where ``scorers_read_more`` than weights,
    they are put to the fits. ``error_score`` is the score of a split whose fit failed. Where the pool stays in its
    file, ``stored`` are its rows, which can be asked about with a reduction only, and ``unlabeled`` is a random sample.
    Labels that were ``drawn`` with unequal probabilities have weights, adding up to 1, by which estimates and class
    shares are those of the pool. ``stands_for`` has the weights by which candidates are compared: the same, but where
    labels were chosen they grow with the rows that are nearer to a label than to any other.
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
    contents: Callable[[], Contents] = Contents
    pool_groups: Array | None = None
    features: Callable[[], Any] | None = None
    targets: Any = None
    opaque: bool = False
    weights: Mapping[str, Array] = field(default_factory=dict)
    scorers_read_more: bool = False
    error_score: Any = np.nan
    stored: Rows | None = None
    drawn: Array | None = None
    stands_for: Array | None = None
    _split: dict[tuple[int, int], tuple[Splitter, list[Fold]]] = field(default_factory=dict, repr=False)
    _rests: dict[Rows, Rows] = field(default_factory=dict, init=False, repr=False)

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    @property
    def regression(self) -> bool:
        """Whether the candidates predict values, and not classes."""
        return not len(self.classes)

    @property
    def response(self) -> Response:
        """What every candidate can answer."""
        return "values" if self.regression else "labels"

    def class_shares(self) -> Array:
        """The share of each class in the labels; by the weights of labels that were drawn."""
        if self.drawn is not None:
            return np.bincount(self.y, self.drawn, self.n_classes)
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
            return self._rows(resampling.folds(k, self.y, self.groups, seed))
        if (id(k), repeat) not in self._split:  # some splitters can be asked once only
            rows = resampling.folds(k, self._passed(), self.groups, seed, self.features)
            self._split[id(k), repeat] = k, self._rows(rows)  # with the splitter, so that no other has its id
        return self._split[id(k), repeat][1]

    def relabeled(self, y: Array) -> "Task":
        """The same rows with other labels, of which splitters see nothing else."""
        return replace(self, y=y, targets=None, _split={})

    def _passed(self) -> Any:
        """The targets as the user passed them, or what they mean."""
        if self.targets is not None or self.opaque:
            return self.targets
        return self.y if self.regression else self.classes[self.y]

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


def without(task: Task, dropped: set[Candidate]) -> Task:
    """The same task for the other candidates; seeds, folds and ``n_asked`` stay."""
    return replace(task, candidates=tuple(c for c in task.candidates if c not in dropped))
