"""Any criterion that judges candidates one by one as a scorer: it trains what it needs on the rows it is given.

With ``cv=EveryLabel()`` these are all labels. The fit that the search made before is not used by the criterion, so that
each candidate takes one fit more than in `FoldlessSearch`, and fits are not shared between candidates.
"""

from typing import Any

from sklearn.base import clone

from foldless.core import Criterion
from foldless.criteria import resolve
from foldless.data._minus_one import ASSUMED, marks_pool
from foldless.errors import BadInput
from foldless.selection.search import FoldlessSearch


class CriterionScorer:
    """Score an estimator by a criterion; for ``scoring=`` of a search with ``cv=EveryLabel()``.

    Parameters
    ----------
    criterion : str or Criterion
        One that judges a candidate without the others, such as ``"quantification_bound"`` or ``"bootstrap_632"``.
    X_unlabeled : like X, or Pool, optional
        The pool.
    random_state : int
        The seed; all candidates have the same folds.
    unlabeled : -1 or None
        As for `FoldlessSearch`: None makes −1 a class, as it is for GridSearchCV, where no ``X_unlabeled`` is given.
    """

    def __init__(
        self, criterion: str | Criterion, X_unlabeled: Any = None, random_state: int = 0, *, unlabeled: Any = ASSUMED
    ):
        self.criterion = resolve(criterion)
        self.X_unlabeled = X_unlabeled
        self.random_state = random_state
        self.unlabeled = unlabeled
        marks_pool(X_unlabeled, unlabeled)
        if self.criterion.traits.compares:
            raise BadInput(
                f"{self.criterion.name} compares candidates with each other, and a scorer sees one at a time: use "
                f"FoldlessSearch, or a criterion such as 'quantification_bound'"
            )

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        search = FoldlessSearch(
            clone(estimator), criterion=self.criterion, refit=False, estimate=False, unlabeled=self.unlabeled,
            random_state=self.random_state,
        )  # fmt: skip
        return float(search.fit(X, y, X_unlabeled=self.X_unlabeled).best_score_)

    def __repr__(self) -> str:
        return f"CriterionScorer({self.criterion.name!r})"
