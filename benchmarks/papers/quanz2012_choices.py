"""What the paper leaves open, chosen otherwise: Best Fixed and Frac. Close on a few draws that no other table uses.

Where a trial is cheap, what CV, .632+ and SDS-L choose is shown too.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from few_labels import trial
from quanz2012_sets import SETTINGS, Setting, Trial
from quanz2012_tables import CLOSE
from scipy import sparse
from sklearn.preprocessing import normalize

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
    "100 rounds": learner(rounds=100),
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
        "median of all distances as width": learner(gamma=None),
        "2 neighbors": learner(n_neighbors=2),
        "3 neighbors": learner(n_neighbors=3),
        "6 neighbors": learner(n_neighbors=6),
    },
    "Citeseer": CO_TRAINING,
}
CHEAP = {"Synth": 20, "Coil 20": 5}  # trials of those whose criteria are shown too
FEW = 3


def study(data: Path, seed: int, names: Sequence[str]) -> pd.DataFrame:
    """One row per set and variant."""
    rows = []
    for name in names:
        for variant, changed in VARIANTS.get(name, {}).items():
            setting = changed(SETTINGS[name](data))
            criteria = (
                {"CV": LeaveOneOut(), ".632+": Bootstrap632(SAMPLES), "SDS-L": SimilarData(SAMPLES)}
                if name in CHEAP
                else {}
            )
            trials = CHEAP.get(name, FEW)
            told = [
                trial(
                    setting.learner, setting.grid, setting.draw([seed, OTHERS + at]), criteria, seed + at, setting.jobs
                )
                for at in range(trials)
            ]
            errors = np.array([record["measures"] for record in told])[:, :, 0]
            means = errors.mean(axis=0)
            chosen = {
                one: np.mean([own[record["chosen"][one][0]] for own, record in zip(errors, told, strict=True)])
                for one in criteria
            }
            rows.append(
                {
                    "set": name,
                    "choice": variant,
                    "trials": trials,
                    "Best Fixed": means.min(),
                    "Frac. Close": f"{int((means <= means.min() + CLOSE).sum())}/{len(means)}",
                    **chosen,
                }
            )
            print(f"{name}, {variant}: Best Fixed {means.min():.3f}", flush=True)
    return pd.DataFrame(rows)
