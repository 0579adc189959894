"""What to choose from and how to run it: the settings that search, compare and certify share."""

import os
import time
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np

from foldless.core import Classes, Target, Values
from foldless.core._resampling import check_whole
from foldless.engine._candidates import are_regressors
from foldless.errors import BadInput


@dataclass(frozen=True, eq=False)
class Request:
    """The candidates and the settings of a run; `FoldlessSearch` documents each.

    ``drawn_by`` is the seed of ``n_iter`` candidates, if it is to be that of RandomizedSearchCV. ``keep_out_of_fold``
    keeps what fits said of labels that they left out, for metrics other than accuracy. The time budget counts from
    ``started``, unless it has a start of its own.
    """

    estimator: Any
    param_grid: Any
    n_iter: Any = None
    n_jobs: int | None = None
    journal: Any = None
    time_budget: Any = None
    keep_models: Any = 512
    random_state: Any = None
    error_score: Any = np.nan
    estimate: bool = False
    drawn_by: Any = None
    keep_out_of_fold: bool = False
    started: float = field(default_factory=time.monotonic)

    @property
    def kind(self) -> type[Target]:
        """What the candidates learn: classes, or values."""
        return Values if are_regressors(self.estimator) else Classes

    def check(self) -> None:
        if self.error_score != "raise" and not isinstance(self.error_score, Real):
            raise BadInput(f"error_score must be 'raise' or a number, got {self.error_score!r}")
        if self.journal is not None and not isinstance(self.journal, str | os.PathLike):
            raise BadInput(f"journal must be the path of a file, or None, got {self.journal!r}")
        if self.time_budget is not None and not (isinstance(self.time_budget, int | float) and self.time_budget > 0):
            raise BadInput(f"time_budget must be a number of seconds above 0, got {self.time_budget!r}")
        if not isinstance(self.keep_models, int | float) or not self.keep_models >= 0:
            raise BadInput(f"keep_models must be a number of megabytes, 0 or more, got {self.keep_models!r}")
        if not isinstance(self.estimate, bool | np.bool_):
            raise BadInput(f"estimate must be True or False, got {self.estimate!r}")
        if self.n_jobs == 0:
            raise BadInput("n_jobs must not be 0: give a number of workers, or -1 for all cores")
        if self.n_iter is not None:
            check_whole("n_iter", self.n_iter)
