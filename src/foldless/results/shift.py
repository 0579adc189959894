"""Whether the pool is like the labels: the outcome of a test of one against the other."""

from dataclasses import asdict, dataclass
from typing import Any

LEVEL = 0.01
ALIKE = "no difference between labels and pool detected"
DIFFER = "labels and pool differ"
REMEDY = (
    "scores, estimates and certificates assume one population: label rows drawn at random from the pool, or pass a "
    "pool like the labels"
)


@dataclass(frozen=True)
class Shift:
    """A test of labels against pool, and what it found.

    It is ``selection_.shift`` of a search, and ``shift`` of what `foldless.estimate` and `foldless.quantify` return.

    Attributes
    ----------
    alarm : whether labels and pool differ, at ``level``
    p_value : how probable a difference as large is at most, if they do not
    auc : the out-of-fold AUC of a classifier that tells labels from pool; 0.5 is chance
    auc_p_value, shares_p_value : of the two tests
    moved, in_labels, in_pool : the class whose predicted share moves most, and its shares
    labeled, pool : how many rows were compared
    level : the p-value below which there is an alarm
    """

    alarm: bool
    p_value: float
    auc: float
    auc_p_value: float
    shares_p_value: float
    moved: Any
    in_labels: float
    in_pool: float
    labeled: int
    pool: int
    level: float = LEVEL

    def __str__(self) -> str:
        test = f"a classifier of labels against pool has AUC {self.auc:.2f} (p {self.auc_p_value:.2g})"
        shares = (
            f"the predicted share of class {self.moved} is {self.in_labels:.2f} in the labels and {self.in_pool:.2f} "
            f"in the pool (p {self.shares_p_value:.2g})"
        )
        return f"{DIFFER if self.alarm else ALIKE}: {test}, {shares}"

    @property
    def note(self) -> str:
        """What a user should read and do, where they differ; else empty."""
        return f"{self}: {REMEDY}" if self.alarm else ""

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data that JSON has."""
        return asdict(self)
