"""Optuna with the race against Optuna with cross-validation: fits, and regret of the chosen model.

    python -m benchmarks.league.optuna_race [--data ../shared/data] [--sets A,B] [--studies 3] [--trials 30]

Both have the same sampler (TPE, same seed), 60 labels and a pool of up to 1,000 rows. The regret is against the best of
all trials of both studies, each trained on every label, by accuracy on test rows.
"""

import argparse
import warnings
from pathlib import Path
from zlib import crc32

import numpy as np
import optuna
from optuna.distributions import FloatDistribution
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from benchmarks.places import DATA
from benchmarks.sets import load
from foldless.optuna import FoldlessObjective

SETS = ("segment", "spambase", "vehicle", "waveform-21", "yeast", "satimage")
LABELS, POOL, TEST = 60, 1000, 1000
MODEL = make_pipeline(StandardScaler(), SVC())
SPACE = {"svc__C": FloatDistribution(1e-2, 1e3, log=True), "svc__gamma": FloatDistribution(1e-4, 1, log=True)}


def run(name: str, seed: int, trials: int, folder: Path) -> dict[str, tuple[float, float]]:
    """Regret and fits of both ways."""
    X, y = load(name, folder)
    rows = np.random.default_rng([seed, crc32(name.encode())]).permutation(len(y))
    first, pool, test = np.split(rows[: LABELS + POOL + TEST], [LABELS, min(LABELS + POOL, (len(y) + LABELS) // 2)])
    race = FoldlessObjective(MODEL, SPACE, X[first], y[first], X_unlabeled=X[pool], random_state=seed)
    folds = StratifiedKFold(5, shuffle=True, random_state=seed)

    def crossed(trial: optuna.Trial) -> float:
        params = {name: trial.suggest_float(name, how.low, how.high, log=how.log) for name, how in SPACE.items()}
        model = clone(MODEL).set_params(**params)
        return float(cross_val_score(model, X[first], y[first], cv=folds).mean())

    found, every = {}, []
    for way, objective in (("race", race), ("5-fold", crossed)):
        study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=seed))
        study.optimize(objective, n_trials=trials)
        scores = {
            trial.number: clone(MODEL).set_params(**trial.params).fit(X[first], y[first]).score(X[test], y[test])
            for trial in study.trials
        }
        every += scores.values()
        found[way] = (scores[study.best_trial.number], race.n_fits if way == "race" else 5 * trials)
    return {way: (max(every) - score, fits) for way, (score, fits) in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--studies", type=int, default=3)
    parser.add_argument("--trials", type=int, default=30)
    given = parser.parse_args()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    warnings.simplefilter("ignore")
    results = [
        run(name, seed, given.trials, given.data) for seed in range(given.studies) for name in given.sets.split(",")
    ]
    print(f"{len(results)} studies of {given.trials} trials, {LABELS} labels")
    behind = 100 * np.array([result["race"][0] - result["5-fold"][0] for result in results])
    for way in ("race", "5-fold"):
        regret, fits = np.mean([result[way] for result in results], axis=0)
        print(f"{way:8} regret {100 * regret:.2f} points, {fits:.0f} fits")
    print(f"difference {behind.mean():+.2f} ± {behind.std(ddof=1) / np.sqrt(len(behind)):.2f} points")


if __name__ == "__main__":
    main()
