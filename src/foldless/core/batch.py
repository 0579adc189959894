"""How a learner says that it can answer many of its own fits at once, and what it is then given.

``batch_over`` names what may differ inside a batch: parameters of the learner, or ``"rows"``, ``"labels"`` and (for a
semi-supervised learner) ``"unlabeled"`` rows of the training set. ``answer_batch`` gets blocks of features, and members
that point into them; it answers as its own predict methods would.

Batches that differ only in parameters of ``series_over`` form a series: they come one after the other, with the same
blocks, to one and the same learner object, whose ``prepare`` is called with the first of them. What depends on none of
these parameters, such as the eigenvectors of a kernel, is made there once. Between batches others have their turn, so
a series suits where a batch of everything would hold too much or take too long.

A learner whose members do not influence each other (no value of a path starts from another) says so with
``independent = True``: then the journal keeps what it has of a batch when others join.

A semi-supervised learner, one with ``semi_supervised = True``, gets class codes as labels and answers with them. It
finds all training rows of a member, those without a label too, in one block: what depends on features alone, such as a
kernel, can be made once for all members.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from foldless.core import Array, Response


@dataclass(frozen=True, eq=False)
class Part:
    """Some rows of one block of features; all of them where ``rows`` is None."""

    block: int
    rows: Array | None = None


@dataclass(frozen=True, eq=False)
class Question:
    """A response wanted on some rows; on none of them for "evidence", whose answer is an array of one number."""

    part: Part
    response: Response


@dataclass(frozen=True, eq=False)
class Member:
    """One fit of a batch: the parameters that differ, the training rows with their labels, and what is asked.

    ``unlabeled`` are rows handed over without labels, to a semi-supervised learner only. ``start`` is where a learner
    with ``start_of`` may start: what it took from a fit with the same parameters on more rows.
    """

    params: Mapping[str, Any]
    train: Part
    y: Array
    questions: tuple[Question, ...]
    keep: bool
    unlabeled: Part | None = None
    start: Any = None


@dataclass(frozen=True, eq=False)
class Answered:
    """What a batch learner gives for one member: answers as its predict methods would, and the model if it is kept.

    ``classes`` are the classes this fit has seen, in the order of the answers' columns (codes, where it got codes).
    """

    answers: tuple[Array, ...]
    classes: Array
    model: Any = None


@runtime_checkable
class BatchLearner(Protocol):
    """A classifier that can answer many of its own fits at once.

    One with ``own_threads = True`` keeps all cores busy by itself: its batches run one after the other, here.
    One with ``frees_gil = True`` spends its time where other threads can work, and in several of its own where it can:
    its batches run in threads, unless the user chose other workers, and also where ``n_jobs`` is 1.
    One with ``answers_cheaply = True`` takes little time for scores of some more rows beside a fit.
    One with ``series_over`` has ``prepare(blocks, members)``, too.
    One whose fits on a part of the rows are sooner done from the solution on all of them has
    ``start_of(model, rows)``: what it takes from a pickled model of its own for a fit on these rows (None for nothing).
    It must reach the same solution from any start.
    A semi-supervised one with ``of_row_sets = True`` learns the same from all rows of a fit whichever of them are
    labeled: behind the steps of a pipeline its fits on parts of the labels come with the same blocks to one learner
    object, which says in ``shared_seconds`` how long it made what they have in common.
    """

    batch_over: frozenset[str]

    def answer_batch(self, blocks: Sequence[Any], members: Sequence[Member]) -> Iterable[Answered]:
        """Answers for every member, in order; ``self`` carries the parameters that the members share."""
        ...
