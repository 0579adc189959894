"""GridSearchCV and RandomizedSearchCV as `FoldlessSearch` by k-fold: arguments are renamed, and nothing else.

Two defaults are scikit-learn's, because leaving an argument out means them there: five folds, and ten draws. The
estimate of accuracy, which scikit-learn does not have, is off.
"""

from typing import Any

import numpy as np

from foldless import FoldlessSearch


class GridSearchCV(FoldlessSearch):
    def __init__(
        self, estimator: Any, param_grid: Any, *, scoring: Any = None, n_jobs: Any = None, refit: Any = True,
        cv: Any = None, verbose: int = 0, pre_dispatch: Any = "2*n_jobs", error_score: Any = np.nan,
        return_train_score: bool = False,
    ):  # fmt: skip
        super().__init__(
            estimator, param_grid, criterion="k_fold", scoring=scoring, n_jobs=n_jobs, refit=refit,
            cv=5 if cv is None else cv, verbose=verbose, error_score=error_score,
            return_train_score=return_train_score, estimate=False, unlabeled=None,
        )  # fmt: skip
        self.pre_dispatch = pre_dispatch


class RandomizedSearchCV(FoldlessSearch):
    def __init__(
        self, estimator: Any, param_distributions: Any, *, n_iter: int = 10, scoring: Any = None, n_jobs: Any = None,
        refit: Any = True, cv: Any = None, verbose: int = 0, pre_dispatch: Any = "2*n_jobs", random_state: Any = None,
        error_score: Any = np.nan, return_train_score: bool = False,
    ):  # fmt: skip
        super().__init__(
            estimator, param_distributions, criterion="k_fold", n_iter=n_iter, scoring=scoring, n_jobs=n_jobs,
            refit=refit, cv=5 if cv is None else cv, verbose=verbose, error_score=error_score,
            return_train_score=return_train_score, estimate=False, unlabeled=None, random_state=random_state,
        )  # fmt: skip
        self.param_distributions, self.pre_dispatch = param_distributions, pre_dispatch
