"""
Choose C for digits with 60 labels
==================================

Several criteria rank the same eight candidates. A fit that two of them need is trained once. A test set, which no
criterion uses, shows how good each choice is.
"""

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

from foldless import compare
from foldless.criteria import HoldOut
from foldless.learners import LinearSVC
from foldless.report import ComparisonDisplay

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X / 16, y, test_size=1 / 3, random_state=0)
X_labeled, y_labeled, pool = X_train[:60], y_train[:60], X_train[60:]

comparison = compare(
    LinearSVC(),
    {"C": np.logspace(-4, 3, 8)},
    X_labeled,
    y_labeled,
    X_unlabeled=pool,
    criteria=["quantification_bound", "k_fold", HoldOut(repeats=10), "bootstrap_632", "leave_one_out"],
    X_test=X_test,
    y_test=y_test,
    random_state=0,
)
table = comparison.table()
table["C"] = [f"{chosen['C']:g}" for chosen in table.pop("params")]
print(table[["criterion", "C", "score", "fits", "test_accuracy", "regret"]].round(3).to_string(index=False))
print(f"\nfits of all criteria together: {comparison.n_fits}")

# %%
# ``regret`` is the test accuracy of the best candidate minus that of the choice. Scores of different criteria have no
# common unit: an upper bound is not an estimate. So each curve is scaled from its worst score (0) to its best (1);
# compare where the curves are high.

ComparisonDisplay.from_comparison(comparison).figure_.set_size_inches(8, 5)

# %%
# One draw of 60 rows is mostly chance. Here is the mean regret of three of the criteria over more draws, in points of
# test accuracy (± its standard error over the draws), with the number of fits of each.

criteria = ["quantification_bound", "k_fold", "hold_out"]
regrets, fits = [], {}
for seed in range(10):
    few, _ = train_test_split(np.arange(len(y_train)), train_size=60, stratify=y_train, random_state=seed)
    rest = np.setdiff1d(np.arange(len(y_train)), few)
    table = compare(
        LinearSVC(),
        {"C": np.logspace(-4, 3, 8)},
        X_train[few],
        y_train[few],
        X_unlabeled=X_train[rest],
        criteria=criteria,
        X_test=X_test,
        y_test=y_test,
        random_state=seed,
    ).table()
    regrets.append(table["regret"])
    fits = dict(zip(table["criterion"], table["fits"], strict=True))

means, errors = 100 * np.mean(regrets, axis=0), 100 * np.std(regrets, axis=0, ddof=1) / len(regrets) ** 0.5
for name, mean, error in zip(criteria, means, errors, strict=True):
    print(f"{name:22} regret {mean:4.1f} ± {error:.1f} points, {fits[name]:3} fits")
