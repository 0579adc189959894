"""
How wrong can the chosen model be?
==================================

A test set answers this question, if it took no part in choosing. A certificate uses the labels in this way: the first
seven tenths of them choose and train, the others bound the error. Labels and unlabeled rows together can also bound the
error of the model trained on **every** label. Here both are compared with the usual bound, where the labels held out
choose too. Each holds with the given confidence although the model was chosen.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.utils import shuffle

from foldless import compare
from foldless.criteria import HoldOut, Progressive
from foldless.learners import LogisticRegression
from foldless.report import BoundDisplay

X, y = shuffle(*load_digits(return_X_y=True), random_state=0)
X = X / 16
labeled, pool, test = slice(0, 700), slice(700, 1400), slice(1400, None)

comparison = compare(
    LogisticRegression(),
    {"C": np.logspace(-2, 2, 5)},
    X[labeled],
    y[labeled],
    X_unlabeled=X[pool],
    criteria={
        "chosen first": Progressive(),
        "every label": Progressive(refit=True),
        "a fifth held out": HoldOut(0.2, confidence=0.95),
    },
    X_test=X[test],
    y_test=y[test],
    random_state=0,
)
print(comparison["chosen first"].certificate)

# %%
# Each bar is the bound of one candidate; all of them hold at once. The dark part bounds the error of the fit that was
# tested. The light part bounds how often the model trained on every label disagrees with this fit on the pool. White
# ticks are the observed rates; the rest allows for chance. The candidate that was first on the training labels has
# most of the allowed risk, so that its bound is the narrowest.

figure, axes = plt.subplots(1, 3, figsize=(14, 3.6), sharex=True, layout="constrained")
for ax, (name, selection) in zip(axes, comparison.selections.items(), strict=True):
    BoundDisplay.from_selection(selection, ax=ax)
    ax.set_title(name, loc="left", pad=44)

# %%
# Choosing on other labels than those that certify gives the lowest bound, as here: its choice does not share the risk
# with the other candidates. Its model is trained on seven tenths of the labels; the model trained on all of them has a
# wider bound. The smallest of the bounds does **not** hold with confidence 0.95: decide which one to use before you see
# the results.

rows = comparison.table().set_index("criterion")
for name, selection in comparison.selections.items():
    error = 1 - rows.loc[name, "test_accuracy"]
    print(f"{name:17} error at most {selection.certificate.upper:.3f}, on {len(y[test])} test rows {error:.3f}")
