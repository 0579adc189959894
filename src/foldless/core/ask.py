"""Questions to fits: a candidate trained on rows, and what is asked of it. No estimator, no features."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from foldless.core._metrics import Metrics
from foldless.core.rows import Array, Rows, digest, short

Response = Literal["labels", "probabilities", "scores", "evidence", "values", "metrics"]
Reduce = Callable[..., Array]
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
        labels = b"" if self.labels is None else _digest(np.asarray(self.labels))
        unlabeled = b"" if self.unlabeled is None else self.unlabeled.digest
        object.__setattr__(self, "key", (self.candidate.index, self.rows.digest, labels, unlabeled))
        number = hash((self.candidate.index, hash(self.rows), short(labels), short(unlabeled)))
        object.__setattr__(self, "_hash", number)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fit) and self.key == other.key

    def __hash__(self) -> int:
        return self._hash


@dataclass(frozen=True)
class Ask:
    """A question to a fit: its response on some rows. Different questions to one fit train it once.

    "values" are the numbers that a regressor predicts. "evidence" is the log marginal likelihood of the fit's own
    labels, an array of one number: its rows are empty. "metrics" are the numbers that scorers, given as ``by``, read
    off the fitted model on these rows: one element with a field for each metric. ``may_win`` says that the fit may
    become a part of the chosen model; one on every label may in any case. Where ``may_fail``, an empty array is the
    answer of a fit that failed, unless all such questions to its candidate fail.

    A question about a pool that stays in its file has a ``reduce``: it is applied to blocks of rows, and the answer is
    the mean over all rows, or what its ``merge`` makes of two parts. There ``beside`` are other fits whose answers to
    the same rows it is given too.
    """

    fit: Fit
    rows: Rows
    response: Response = "labels"
    reduce: Reduce | None = None
    by: Metrics | None = None
    beside: tuple[Fit, ...] = ()
    may_fail: bool = field(default=False, compare=False)
    may_win: bool = field(default=False, compare=False)

    def reduced(self, answer: Array) -> Array:
        """What travels of an answer."""
        return answer if self.reduce is None else self.reduce(answer)


def _digest(labels: Array) -> bytes:
    """The content hash of class codes, or of the values that a regressor learns."""
    return digest(labels.astype(np.float64 if labels.dtype.kind == "f" else np.int64, copy=False).tobytes())
