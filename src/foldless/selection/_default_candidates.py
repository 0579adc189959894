"""What is tried where a search, a comparison or a certificate is given no estimator: the default portfolio."""

from collections.abc import Mapping
from typing import Any

from sklearn import get_config
from sklearn.utils.validation import has_fit_parameter

from foldless.data._features import as_features
from foldless.data._minus_one import has_pool, marks_pool, n_labeled
from foldless.errors import BadInput
from foldless.portfolio import default_candidates
from foldless.portfolio._candidates import STEP


def candidates_for(
    X: Any, y: Any, X_unlabeled: Any, unlabeled: Any, *, param_grid: Any = None, pool_teaches: bool = True
) -> dict[str, Any]:
    """The portfolio for rows like these; ``pool_teaches`` says whether some of it may learn from the pool."""
    if param_grid is not None:
        raise BadInput(f"param_grid={param_grid!r} is the grid of an estimator, and none was given: pass both")
    empty = hasattr(X_unlabeled, "shape") and X_unlabeled.shape[0] == 0
    pool = pool_teaches and not empty and has_pool(y, X_unlabeled, unlabeled)
    return default_candidates(as_features(X, "X"), pool=pool, n_labels=n_labeled(y, marks_pool(X_unlabeled, unlabeled)))


def weighted(candidates: Mapping[str, Any], params: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Those of the portfolio that can be given the sample weights of a fit, if there are any; a note on the others."""
    if params.get("sample_weight") is None:
        return dict(candidates), []
    taking = {name: each for name, each in candidates.items() if has_fit_parameter(each[0][-1], "sample_weight")}
    others = [name for name in candidates if name not in taking]
    return taking, [f"{', '.join(others)} take no sample weights, and are left out"] if others else []


def for_last_step(params: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a fit with sample weights for the last step of the pipelines of the portfolio."""
    if get_config()["enable_metadata_routing"]:  # then each step says what it requests
        return dict(params)
    return {f"{STEP}__{name}" if name == "sample_weight" else name: value for name, value in params.items()}
