"""What one may choose: a candidate, its score, and the fits that make the model."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from foldless.core._vote import Vote
from foldless.core.ask import Candidate, Fit
from foldless.core.certificate import Certificate


class Rank(NamedTuple):
    """What ranks a choice where its score does not.

    ``by`` is the number that ranks it, where the order is not that of the scores. A ``lot`` is drawn by criteria that
    break ties at random. A ``degenerate`` candidate has learned nothing: it is ranked below those that have.
    """

    by: float | None = None
    lot: float = 0.0
    degenerate: bool = False


@dataclass(frozen=True, eq=False)
class ScoreDetails:
    """Numbers beside a score: the ``parts`` it is made of, and what `cv_results_` shows of other metrics.

    ``metrics`` are further scores of each split, by the end of their column's name: ``"train_score"``,
    ``"test_recall"``; ``pooled`` has those that are of all splits together.
    """

    parts: Mapping[str, float] = field(default_factory=dict)
    metrics: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    pooled: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Choice:
    """Something one may choose: a candidate, its score and the fit that is the final model, or the fits that vote.

    A ``certificate`` holds for the choices of all candidates at once, so that any of them may be taken.
    """

    candidate: Candidate
    score: float
    fits: tuple[Fit, ...]
    splits: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()
    certificate: Certificate | None = None
    vote: Vote = field(default_factory=Vote)
    rank: Rank = field(default_factory=Rank)
    details: ScoreDetails = field(default_factory=ScoreDetails)

    @property
    def degenerate(self) -> bool:
        """Whether the candidate has learned nothing."""
        return self.rank.degenerate

    @property
    def parts(self) -> Mapping[str, float]:
        """The numbers that the score is made of."""
        return self.details.parts
