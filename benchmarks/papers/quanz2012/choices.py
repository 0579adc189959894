"""What the paper leaves open, chosen otherwise: Best Fixed and Frac. Close on a few draws that no other table uses.

Where a trial is cheap, what CV, .632+ and SDS-L choose is shown too.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.preprocessing import normalize

from benchmarks.papers.few_labels.trial import trial
from benchmarks.papers.journal import Journal, Record
from benchmarks.papers.quanz2012.sets import SETTINGS, Setting, Trial
from benchmarks.papers.quanz2012.tables import CLOSE
from foldless.criteria import Bootstrap632, LeaveOneOut, SimilarData

OTHERS = 1_000_000  # the first of the draws that are used here only
SAMPLES = 20


def learner(**params: Any) -> Callable[[Setting], Setting]:
    return lambda setting: setting._replace(learner=setting.learner.set_params(**params))


def unit_rows(setting: Setting) -> Setting:
    """Each view of each row has length 1."""
    views = setting.learner.views

    def scaled(X: Any) -> Any:
        return sparse.hstack([normalize(X[:, view]) for view in views], format="csr")

    def draw(seed: Sequence[int]) -> Trial:
        X, y, pool, truth = setting.draw(seed)
        return Trial(scaled(X), y, scaled(pool), truth)

    return setting._replace(draw=draw)


def as_chosen(setting: Setting) -> Setting:
    return setting


CO_TRAINING = {
    "as chosen": as_chosen,
    "λ beside the sum of losses": learner(scale="sum"),
    "rows of length 1": unit_rows,
    "both views choose from all rows": learner(pool_size=10_000),
    "60 rounds": learner(rounds=60),
    "rounds until no row is left": learner(rounds=10_000),
}
VARIANTS: dict[str, dict[str, Callable[[Setting], Setting]]] = {
    "Synth": {
        "as chosen": as_chosen,
        "linear kernel, not centered": learner(kernel="linear"),
        "RBF kernel, median width": learner(kernel="rbf"),
    },
    "WebKB": CO_TRAINING,
    "Coil 20": {
        "as chosen": as_chosen,
        "1 neighbor": learner(n_neighbors=1),
        "3 neighbors": learner(n_neighbors=3),
        "6 neighbors": learner(n_neighbors=6),
        "median distance to the nearest as width, 1 neighbor": learner(gamma=0.325, n_neighbors=1),
        "median of all distances as width, 1 neighbor": learner(gamma=None, n_neighbors=1),
    },
    "Citeseer": CO_TRAINING,
}
TRIALS = {"Synth": 10, "WebKB": 2, "Coil 20": 2, "Citeseer": 2}
SHOWN = {
    name: {"CV": LeaveOneOut(), ".632+": Bootstrap632(SAMPLES), "SDS-L": SimilarData(SAMPLES)}
    for name in ("Synth", "Coil 20")
}


def study(journal: Journal, data: Path, seed: int, names: Sequence[str], most: int | None) -> pd.DataFrame:
    """One row per set and variant, each of so many trials at most."""
    rows = []
    for name in names:
        for variant, changed in VARIANTS.get(name, {}).items():
            trials = min(TRIALS[name], most or TRIALS[name])
            setting, title = changed(SETTINGS[name](data)), f"{name}, {variant}"
            journal.run(title, SAMPLES, range(trials), partial(_trial, setting, SHOWN.get(name, {}), seed))
            rows.append({"set": name, "choice": variant, **_summary(journal.of(title, trials, SAMPLES))})
    return pd.DataFrame(rows)


def _trial(setting: Setting, criteria: dict[str, Any], seed: int, number: int) -> Record:
    drawn = setting.draw([seed, OTHERS + number])
    return trial(setting.learner, setting.grid, drawn, criteria, seed + number, setting.jobs)


def _summary(records: Sequence[Record]) -> dict[str, Any]:
    """Best Fixed, Frac. Close and the errors of what was chosen."""
    errors = np.array([record["measures"] for record in records])[:, :, 0]
    means = errors.mean(axis=0)
    near = int((means <= means.min() + CLOSE).sum())
    return {
        "trials": len(records),
        "Best Fixed": means.min(),
        "Frac. Close": f"{near}/{len(means)}",
        **{
            name: np.mean([own[record["chosen"][name][0]] for own, record in zip(errors, records, strict=True)])
            for name in records[0]["chosen"]
        },
    }
