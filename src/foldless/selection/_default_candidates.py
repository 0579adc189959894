"""What is tried where a search, a comparison or a certificate is given no estimator: the default portfolio."""

from typing import Any

from foldless.data._minus_one import has_pool, marks_pool, n_labeled
from foldless.errors import BadInput
from foldless.portfolio import default_candidates


def candidates_for(
    X: Any, y: Any, X_unlabeled: Any, unlabeled: Any, *, param_grid: Any = None, pool_teaches: bool = True
) -> dict[str, Any]:
    """The portfolio for rows like these; ``pool_teaches`` says whether some of it may learn from the pool."""
    if param_grid is not None:
        raise BadInput(f"param_grid={param_grid!r} is the grid of an estimator, and none was given: pass both")
    empty = hasattr(X_unlabeled, "shape") and X_unlabeled.shape[0] == 0
    pool = pool_teaches and not empty and has_pool(y, X_unlabeled, unlabeled)
    return default_candidates(X, pool=pool, n_labels=n_labeled(y, marks_pool(X_unlabeled, unlabeled)))
