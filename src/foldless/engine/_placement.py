"""Whether the fits of a run go to other processes or threads: only where that saves more than it costs.

A worker process starts and imports for seconds before its first fit, so that a run of many short fits is over before.
How long fits take is not known, so a run begins in this process, and goes on in others as soon as what is left is worth
their start. Estimators of other packages go there at once: they may take their process along when they crash.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import joblib
from sklearn.utils.parallel import Parallel

from foldless.core._threads import threads
from foldless.engine._groups import Group
from foldless.engine._stopping import loky_workers

STARTING = 3.5  # seconds until a new worker fits: imports, as benchmarks/speed/startup.py measures them
HANDING = 0.1  # seconds until a worker that is there fits
WAITING = 0.02  # seconds that joblib takes to start threads, and to see that they are done
CLEARLY = 1.5  # of the start has to be left: two workers that are started for less lose a tenth of a run at worst
TRUSTED = ("sklearn", "foldless")  # packages whose estimators do not crash


class Placement:
    """Counts what fits took in this process, and says when others are worth their start."""

    def __init__(self, n_jobs: int | None):
        self._n_jobs = n_jobs
        self._seconds, self._fits = 0.0, 0
        self._trusted: dict[int, bool] = {}

    def workers(self, pieces: Iterable[Group]) -> int:
        """How many pieces may run at once: ``n_jobs``, and as many as cores where their learners use all of them."""
        wanted = int(joblib.effective_n_jobs(self._n_jobs))
        shares = all(piece.shares_cores for piece in pieces) and not _are_chosen()
        return max(wanted, threads()) if shares else wanted

    def begins_here(self, pieces: Sequence[Group]) -> bool:
        """Whether fits may run in this process although several workers are wanted.

        Not where the user chose the kind of workers.
        """
        return self.workers(pieces) > 1 and not _are_chosen() and all(map(self._is_trusted, pieces))

    def ran_here(self, seconds: float, fits: int) -> None:
        """So many fits took so long, in seconds of the processor, in this process."""
        self._seconds, self._fits = self._seconds + seconds, self._fits + fits

    def worth_workers(self, pieces: int, fits: int, workers: int, *, in_threads: bool = False) -> bool:
        """Whether so many pieces, with so many fits, should go to that many other processes, or threads.

        A run that has lasted some time is expected to last as long again.
        """
        if not self._fits:
            return False
        left = fits * self._seconds / self._fits
        start = WAITING if in_threads else HANDING if loky_workers() else STARTING
        saved = (1 - 1 / min(pieces, workers)) * (left + self._seconds)
        return left > CLEARLY * start and saved > start

    def _is_trusted(self, piece: Group) -> bool:
        estimators = {id(recipe.estimator): recipe.estimator for _, recipe in piece.work}
        for key, estimator in estimators.items():
            if key not in self._trusted:
                self._trusted[key] = is_trusted(estimator)
        return all(self._trusted[key] for key in estimators)


def _are_chosen() -> bool:
    """Whether the user chose the kind of workers: joblib then has one kind for all work."""
    return len({type(Parallel(n_jobs=2, prefer=kind)._backend) for kind in ("threads", "processes")}) == 1


def is_trusted(estimator: Any) -> bool:
    """Whether an estimator and all estimators inside it are of packages that do not crash.

    Examples
    --------
    >>> from sklearn.linear_model import LogisticRegression
    >>> Own = type("Own", (LogisticRegression,), {"__module__": "mine"})
    >>> is_trusted(LogisticRegression()), is_trusted(Own())
    (True, False)
    """
    inside = [value for value in estimator.get_params(deep=True).values() if hasattr(value, "fit")]
    return all(type(each).__module__.split(".")[0] in TRUSTED for each in (estimator, *inside))
