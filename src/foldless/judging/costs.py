"""What errors cost: the score of a model is the mean cost of its decisions, which are those of least expected cost.

With probabilities p and costs c, a row is given the class argmin_j Σ_i p_i c_ij, where i is the true class. A model
that has labels only pays for these. The score is the cost with a minus, because higher scores are better.

References
----------
Elkan (2001). The foundations of cost-sensitive learning. IJCAI.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from foldless.core._plain import plain_value
from foldless.core.rows import Array
from foldless.errors import BadInput, some
from foldless.judging._judge import AnswerScorer


@dataclass(frozen=True)
class Costs(AnswerScorer):
    """What errors cost, as a scorer for ``scoring=``: it ranks candidates, decides, and is saved with the model.

    Parameters
    ----------
    costs : dict or data frame
        ``{"yes": 5}`` is what it costs to miss a "yes", whatever is predicted instead; ``{("yes", "no"): 5}`` what it
        costs to say "no" where "yes" is true. A data frame has a row for each true and a column for each predicted
        class.
    otherwise : float
        The cost of every error that is not named. A right label costs nothing unless it is named.

    Examples
    --------
    >>> from foldless import Costs
    >>> costs = Costs({"yes": 5})
    >>> costs.matrix(["no", "yes"]).tolist()
    [[0.0, 1.0], [5.0, 0.0]]
    >>> costs.decide(np.array([[0.8, 0.2]]), ["no", "yes"])
    array([1])
    """

    costs: Any = field(hash=False)
    otherwise: float = 1.0
    entries: tuple[tuple[Any, Any, float], ...] = field(init=False, repr=False)

    lower_is_better: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "entries", tuple(_entries(self.costs)))
        if not np.isfinite(self.otherwise) or any(not np.isfinite(cost) for *_, cost in self.entries):
            raise BadInput("a cost must be a finite number: write what an error costs, such as {'yes': 5}")

    def __call__(self, model: Any, X: Any, y: Any, **params: Any) -> float:
        """Minus the mean cost of what a fitted model decides."""
        classes = [plain_value(label) for label in model.classes_]
        known = sorted({*classes, *map(plain_value, np.asarray(y))}, key=str)
        truth = np.array([known.index(plain_value(label)) for label in np.asarray(y)], dtype=int)
        if hasattr(model, "predict_proba"):
            shares = np.zeros((len(truth), len(known)))
            shares[:, [known.index(label) for label in classes]] = model.predict_proba(X)
            codes = self.decide(shares, known)
        else:
            codes = np.array([known.index(plain_value(label)) for label in model.predict(X)], dtype=int)
        paid = self.matrix(known)[truth, codes]
        return -float(np.average(paid, weights=params.get("sample_weight")))

    def matrix(self, classes: Iterable[Any]) -> Array:
        """The costs (K, K) by true class and predicted class."""
        known = [plain_value(label) for label in classes]
        table = np.full((len(known), len(known)), float(self.otherwise))
        np.fill_diagonal(table, 0.0)
        for true, predicted, cost in sorted(self.entries, key=lambda entry: entry[1] is not None):
            if predicted is not None:
                table[known.index(true), known.index(predicted)] = cost
            else:  # whatever is said instead
                at = known.index(true)
                table[at, np.arange(len(known)) != at] = cost
        return table

    def decide(self, shares: Array, classes: Iterable[Any]) -> Array:
        """The codes of the classes of least expected cost, from probabilities (n, K)."""
        return np.asarray((shares @ self.matrix(classes)).argmin(axis=1))

    def paid(self, truth: Array, codes: Array, classes: Iterable[Any]) -> Array:
        """What each row costs; a row without a label, −1, costs as much as the worst label."""
        return np.asarray(self.with_none(classes)[truth, np.where(codes >= 0, codes, -1)])

    def with_none(self, classes: Iterable[Any]) -> Array:
        """The costs (K, K + 1) with a column for no label."""
        table = self.matrix(classes)
        return np.column_stack([table, table.max(axis=1)])

    def check(self, classes: Iterable[Any]) -> None:
        """Refuse costs of classes that are not there."""
        known = [plain_value(label) for label in classes]
        named = [label for true, predicted, _ in self.entries for label in (true, predicted) if label is not None]
        strange = [label for label in named if label not in known]
        if strange:
            raise BadInput(f"there is no class {strange[0]!r} to have a cost: the classes are {some(known)}")

    def __str__(self) -> str:
        return "expected cost"


def _entries(costs: Any) -> Iterable[tuple[Any, Any, float]]:
    """True class, predicted class or None for any other, and cost."""
    if hasattr(costs, "columns") and hasattr(costs, "index"):
        for true in costs.index:
            for predicted in costs.columns:
                yield plain_value(true), plain_value(predicted), float(costs.loc[true, predicted])
        return
    if not isinstance(costs, Mapping) or not costs:
        raise BadInput(
            f"costs must be a dict such as {{'yes': 5}} or {{('yes', 'no'): 5}}, or a data frame, got {costs!r}"
        )
    for key, cost in costs.items():
        true, predicted = key if isinstance(key, tuple) else (key, None)
        yield plain_value(true), plain_value(predicted), float(cost)
