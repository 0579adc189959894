"""What one may choose: a candidate, its score, and the fits that make the model."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from foldless.core._vote import Vote
from foldless.core.ask import Candidate, Fit
from foldless.core.certificate import Certificate


@dataclass(frozen=True, eq=False)
class Choice:
    """Something one may choose: a candidate, its score and the fit that is the final model, or the fits that vote.

    A ``certificate`` holds for the choices of all candidates at once, so that any of them may be taken. A ``lot`` is
    drawn by criteria that break ties at random. A criterion whose order is not that of its scores says what it ranks by
    in ``rank_by``; ``parts`` are the numbers behind it. ``metrics`` are further scores of each split, by the end of
    their column's name: ``"train_score"``, ``"test_recall"``; ``pooled`` has those that are of all splits together. A
    ``degenerate`` candidate has learned nothing, and is ranked below those that have, whatever its score.
    """

    candidate: Candidate
    score: float
    fits: tuple[Fit, ...]
    splits: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()
    certificate: Certificate | None = None
    vote: Vote = field(default_factory=Vote)
    lot: float = 0.0
    rank_by: float | None = None
    parts: Mapping[str, float] = field(default_factory=dict)
    degenerate: bool = False
    metrics: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    pooled: Mapping[str, float] = field(default_factory=dict)
