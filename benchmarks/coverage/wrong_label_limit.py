"""How often can a test see that a tenth of 200 labels is wrong, where classes overlap, or that a segment is weak?

    python -m benchmarks.coverage.wrong_label_limit [--draws N] [--from SEED] [--sets NAME ...]

Files are those of `benchmarks.coverage.planted_faults`. Each test has the level of FL012 in clean draws of the same
population, which no check has, and knows in turn:

* "all": the true probabilities p and the share ε of wrong labels, so that no test is better (Neyman and Pearson). The
  p of cancer and wine are not known: there, a logistic regression of the clean labels of all other rows stands in;
* "but sharpness": p up to a temperature, p^(1/T); a share of wrong labels and classes that overlap more look alike;
* "labels": those of the file, by a logistic regression out of fold.

A weak segment, which only ``mixed`` has, is seen by a test that knows the segment: Welch's test of the errors of the
cheap model in it and elsewhere, out of fold.
"""

import argparse
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from scipy import stats
from scipy.special import softmax
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from benchmarks.coverage import planted_faults as planted
from benchmarks.measuring import versions
from foldless.checks import _weak_segments
from foldless.checks._label_errors import LEAST, LEVEL, random_labels
from foldless.core import Array
from foldless.portfolio._candidates import cheap_candidates
from foldless.selection._cheap_fits import CheapFits

WRONG = 0.1


def of_numbers(files: planted.Files) -> Array:
    """The probabilities of the classes of `planted_faults.numbers`."""
    return np.asarray(softmax(1.2 * files.X[["x0", "x1", "x2"]].to_numpy(), axis=1))


def of_mixed(files: planted.Files) -> Array:
    """Those of `planted_faults.mixed`: two normal columns and one category say something."""
    X = files.X
    age, score = (X["age"].to_numpy() - 40) / 10, X["score"].to_numpy()
    plan = np.where(X["plan"] == "full", 1, -1) * np.log(0.7 / 0.3)
    return np.asarray(softmax(np.c_[np.zeros(len(X)), 0.8 * (age + score - 0.8) + plan], axis=1))


def of_texts(files: planted.Files) -> Array:
    """Those of `planted_faults.texts`: all words of topics but two are of the own one, and two of any."""
    topics = [set(words.split()) for _, words in sorted(planted.TOPICS.items())]
    counts = np.array([[sum(word in topic for word in text.split()) for topic in topics] for text in files.X["text"]])
    n = counts.sum(axis=1, keepdims=True)
    possible = (counts == n) | ((counts == n - 2) & (np.sort(counts, axis=1)[:, :1] == 0))
    return np.asarray(possible / possible.sum(axis=1, keepdims=True))


def of_others(files: planted.Files) -> Array:
    """By the clean labels of all rows that are not in the file."""
    X, y = pd.concat([files.pool, files.test]), np.concatenate([files.y_pool, files.y_test])
    return np.asarray(linear().fit(X, y).predict_proba(files.X))


def linear() -> Pipeline:
    return make_pipeline(StandardScaler(), LogisticRegression(C=100, max_iter=1000))


TRUE = {"numbers": of_numbers, "mixed": of_mixed, "texts": of_texts, "cancer": of_others, "wine": of_others}


def statistics(name: str, files: planted.Files) -> dict[str, float]:
    """What each test looks at: the larger, the more wrong labels."""
    p, (codes, n_classes) = np.clip(TRUE[name](files), LEAST, 1), planted.coded(files.y)
    of_label = p[np.arange(len(codes)), codes]
    with_wrong = (1 - WRONG) * of_label + WRONG * (1 - of_label) / (n_classes - 1)
    if "text" in files.X:
        model, X = cheap_candidates(files.X)["logistic-regression"], files.X
    else:
        model, X = linear(), pd.get_dummies(files.X.drop(columns="when", errors="ignore"), dtype=float)
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    learned = cross_val_predict(model, X, codes, cv=folds, method="predict_proba")
    return {
        "all": float(np.log(with_wrong / of_label).sum()),
        "but sharpness": random_labels(p, codes)[0],
        "labels": random_labels(learned, codes)[0],
    }


def segment_seen(seed: int) -> bool:
    """Whether the errors of the cheap model differ in the segment that was planted."""
    files = planted.weak_segment(planted.mixed(np.random.default_rng([seed, 1])), np.random.default_rng([seed, 2]))
    assert files is not None
    answers = CheapFits(files.X, *planted.coded(files.y)).answers()
    assert answers is not None
    there = (files.X["city"] == "Oslo").to_numpy()[answers.rows]
    test = stats.ttest_ind(answers.right[there], answers.right[~there], equal_var=False, alternative="less")
    return bool(test.pvalue < _weak_segments.LEVEL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first seed")
    parser.add_argument("--sets", nargs="*", default=list(TRUE), choices=list(TRUE))
    arguments = parser.parse_args()
    print(versions(), flush=True)
    for name in arguments.sets:
        clean, wrong = [], []
        for seed in range(arguments.first, arguments.first + arguments.draws):
            files = planted.SETS[name](np.random.default_rng([seed, 1]))
            clean.append(statistics(name, files))
            wrong.append(statistics(name, planted.label_errors(files, np.random.default_rng([seed, 2]))))
        seen = pd.DataFrame(wrong) > pd.DataFrame(clean).quantile(1 - LEVEL)
        print(f"{name}: seen at level {LEVEL}, by what the test knows: {seen.mean().round(2).to_dict()}", flush=True)
    if "mixed" in arguments.sets:
        known = [segment_seen(seed) for seed in range(arguments.first, arguments.first + arguments.draws)]
        print(f"mixed: a weak segment that is known is seen in {np.mean(known):.2f}", flush=True)


if __name__ == "__main__":
    main()
