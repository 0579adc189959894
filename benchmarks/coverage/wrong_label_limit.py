"""How often can a test see that a tenth of 200 labels is wrong, where classes overlap?

    python -m benchmarks.coverage.wrong_label_limit [--draws N] [--from SEED]

Files are those of `benchmarks.coverage.planted_faults` whose true class probabilities are known. Each test has the
level of FL012 in clean draws of the same population, which no check has, and knows in turn:

* "all": the true probabilities p and the share ε of wrong labels, so that no test is better (Neyman and Pearson);
* "but sharpness": p up to a temperature, p^(1/T); a share of wrong labels and classes that overlap more look alike;
* "labels": those of the file, by a logistic regression out of fold.
"""

import argparse
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.coverage import planted_faults as planted
from benchmarks.measuring import versions
from foldless.checks._label_errors import LEVEL, random_labels
from foldless.core import Array

WRONG = 0.1


def of_numbers(X: pd.DataFrame) -> Array:
    """The probabilities of the classes of `planted_faults.numbers`."""
    return np.asarray(softmax(1.2 * X[["x0", "x1", "x2"]].to_numpy(), axis=1))


def of_mixed(X: pd.DataFrame) -> Array:
    """Those of `planted_faults.mixed`: two normal columns and one category say something."""
    age, score = (X["age"].to_numpy() - 40) / 10, X["score"].to_numpy()
    plan = np.where(X["plan"] == "full", 1, -1) * np.log(0.7 / 0.3)
    return np.asarray(softmax(np.c_[np.zeros(len(X)), 0.8 * (age + score - 0.8) + plan], axis=1))


TRUE = {"numbers": of_numbers, "mixed": of_mixed}


def statistics(name: str, files: planted.Files) -> dict[str, float]:
    """What each test looks at: the larger, the more wrong labels."""
    p, (codes, n_classes) = TRUE[name](files.X), planted.coded(files.y)
    of_label = p[np.arange(len(codes)), codes]
    with_wrong = (1 - WRONG) * of_label + WRONG * (1 - of_label) / (n_classes - 1)
    model = make_pipeline(StandardScaler(), LogisticRegression(C=100, max_iter=1000))
    X = pd.get_dummies(files.X.drop(columns="when", errors="ignore"), dtype=float)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    learned = cross_val_predict(model, X, codes, cv=folds, method="predict_proba")
    return {
        "all": float(np.log(with_wrong / of_label).sum()),
        "but sharpness": random_labels(p, codes)[0],
        "labels": random_labels(learned, codes)[0],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first seed")
    arguments = parser.parse_args()
    print(versions(), flush=True)
    for name in TRUE:
        clean, wrong = [], []
        for seed in range(arguments.first, arguments.first + arguments.draws):
            files = planted.SETS[name](np.random.default_rng([seed, 1]))
            clean.append(statistics(name, files))
            wrong.append(statistics(name, planted.label_errors(files, np.random.default_rng([seed, 2]))))
        seen = pd.DataFrame(wrong) > pd.DataFrame(clean).quantile(1 - LEVEL)
        print(f"{name}: seen at level {LEVEL}, by what the test knows: {seen.mean().round(2).to_dict()}", flush=True)


if __name__ == "__main__":
    main()
