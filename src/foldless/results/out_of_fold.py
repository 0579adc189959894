"""What a chosen model says of labels that its fits left out: every estimate of how good it is comes from here."""

from dataclasses import dataclass

from foldless.core import Array


@dataclass(frozen=True, eq=False)
class OutOfFoldAnswers:
    """Out-of-fold predictions of the labeled rows, combined as the chosen model combines its members.

    Attributes
    ----------
    classes : the class labels
    y : the class codes of the rows
    labels : the class codes that are predicted
    probabilities : (n, K), or None where the model has labels only
    units : codes of what is independent: rows, or groups of them
    rows : which of the labeled rows they are
    """

    classes: Array
    y: Array
    labels: Array
    probabilities: Array | None
    units: Array
    rows: Array
