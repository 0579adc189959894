"""Is SDS-L led astray by what the candidates believe, or by how few data sets it draws?

On the first trials of the tables SDS-L chooses twice more: once drawing the true labels instead of those that the
candidates believe in, once drawing five times as many data sets. Beside it stands what all labels are worth, which no
choice among candidates with a dozen of them can be expected to reach.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

from benchmarks.papers.few_labels.tables import BEST_FIXED, choices
from benchmarks.papers.few_labels.trial import trial
from benchmarks.papers.journal import Journal, Record
from benchmarks.papers.quanz2012.sets import SETTINGS, Setting
from foldless.core import Array, Task
from foldless.criteria import SimilarData

TRIALS, MORE = 5, 5
TRUE, MANY = "SDS-L of true labels", "SDS-L of more data sets"


@dataclass(frozen=True)
class TrueBelief(SimilarData):
    """SDS-L of candidates that believe the truth."""

    truth: tuple[int, ...] = ()

    def mixture(self, task: Task, answers: list[Array], log_weights: Array) -> Array:
        del answers, log_weights
        return np.eye(task.n_classes)[np.concatenate([task.y, self.truth])]


def beliefs(journal: Journal, data: Path, seed: int, sizes: dict[str, tuple[int, int]]) -> pd.DataFrame:
    """One row per set, of so many trials and data sets: errors of what is chosen, in two ways more than elsewhere."""
    rows = []
    for name, (trials, samples) in sizes.items():
        setting, title, n = SETTINGS[name](data), f"{name}, beliefs", min(trials, TRIALS)
        journal.run(title, samples, range(n), partial(_trial, setting, samples, seed))
        records = [
            {**known, "chosen": {**known["chosen"], **more["chosen"]}}
            for known, more in zip(journal.of(name, n, samples), journal.of(title, n, samples), strict=True)
        ]
        means = choices(records).groupby("method")["error"].mean()[["CV", ".632+", "SDS-L", MANY, TRUE, BEST_FIXED]]
        rows.append({"set": name, "trials": n, **means, "all candidates": _wrong(records), "all labels": _all(setting)})
    return pd.DataFrame(rows)


def _trial(setting: Setting, samples: int, seed: int, number: int) -> Record:
    drawn = setting.draw([seed, number])
    ways = {
        TRUE: TrueBelief(samples, scoring=setting.scoring, truth=tuple(map(int, drawn.truth))),
        MANY: SimilarData(MORE * samples, scoring=setting.scoring),
    }
    return trial(setting.learner, setting.grid, drawn, ways, 1000 * seed + number, setting.jobs)


def _wrong(records: Sequence[Record]) -> float:
    return float(np.mean([[own[0] for own in record["measures"]] for record in records]))


def _all(setting: Setting) -> float:
    """The error of logistic regression on both views over ten folds of all rows with their labels."""
    drawn: Any = setting.draw([0, 0])
    X, y = sparse.vstack([drawn.X, drawn.pool], format="csr"), np.concatenate([drawn.y, drawn.truth])
    return 1 - float(cross_val_score(LogisticRegression(max_iter=1000), X, y, cv=10).mean())
