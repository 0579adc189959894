"""Is the best single candidate better if it learns from the pool as the average labels it?

    python -m benchmarks.league.distilled [--sets …] [--labels 20 100] [--seeds 0 1]

Of the default portfolio without boosting and forests, and with the first eight members that the pool teaches: test
accuracy of the best supervised candidate by its folds, of the average, and of the same candidate trained on labels and
pool with the labels of the average.
"""

import argparse
import warnings
from typing import Any

import numpy as np
from sklearn.base import clone

from benchmarks.league.end_to_end import Setting, draw
from benchmarks.places import DATA
from foldless import FoldlessSearch
from foldless.data._features import concatenate
from foldless.portfolio import default_candidates

SETS = ("dry-bean", "vowel", "satimage", "spambase", "sms_spam", "webkb_course", "segment", "clinc150")
LEFT_OUT, TAUGHT = ("gradient-boosting", "random-forest"), 8


def candidates(X: Any, n_labels: int) -> dict[str, Any]:
    """The default portfolio, shortened so that a setting takes seconds."""
    whole = default_candidates(X, pool=True, n_labels=n_labels)
    kept = {name: each for name, each in whole.items() if name not in LEFT_OUT}
    pipeline, points = kept["pool-features"]
    return {**kept, "pool-features": (pipeline, points[:TAUGHT])}


def measured(setting: Setting) -> dict[str, float] | None:
    """Accuracy on test rows of the best, the average and the distilled one; None where a set has too few rows."""
    drawn = draw(setting, DATA)
    if drawn is None:
        return None
    search = FoldlessSearch(
        candidates(drawn.X, len(drawn.y)), offer="average", random_state=setting.seed, estimate=False
    )
    selection = search.fit(drawn.X, drawn.y, X_unlabeled=drawn.pool).selection_
    supervised = [choice for choice in selection.ranking if not choice.candidate.semi_supervised]
    best = max(supervised, key=lambda choice: np.mean(choice.splits)).candidate
    estimator = selection.ground.recipes[best.index].estimator
    rows = concatenate([drawn.X, drawn.pool])
    labels = np.concatenate([drawn.y, search.predict(drawn.pool)])
    models = {
        "best": clone(estimator).fit(drawn.X, drawn.y), "average": search,
        "distilled": clone(estimator).fit(rows, labels),
    }  # fmt: skip
    return {name: float(model.score(drawn.X_test, drawn.y_test)) for name, model in models.items()}


def main() -> None:
    """Print the differences to the best, in points, with standard errors over the sets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", nargs="*", default=SETS)
    parser.add_argument("--labels", nargs="*", type=int, default=[20, 100])
    parser.add_argument("--seeds", nargs="*", type=int, default=[0, 1])
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    for n in asked.labels:
        gains = []
        for name in asked.sets:
            known = [found for seed in asked.seeds if (found := measured(Setting(name, n, seed))) is not None]
            if known:
                gains.append(
                    [np.mean([each[kind] - each["best"] for each in known]) for kind in ("average", "distilled")]
                )
                print(f"{n} labels, {name}: average {gains[-1][0]:+.3f}, distilled {gains[-1][1]:+.3f}", flush=True)
        table = 100 * np.array(gains)
        errors = table.std(axis=0, ddof=1) / np.sqrt(len(table))
        for kind, mean, error in zip(("average", "distilled"), table.mean(axis=0), errors, strict=True):
            print(f"{n} labels: {kind} minus best {mean:+.1f} ± {error:.1f} points over {len(table)} sets")


if __name__ == "__main__":
    main()
