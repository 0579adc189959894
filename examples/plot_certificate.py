"""
How wrong can the chosen model be?
==================================

A test set answers this question, but it costs labels that training could use. A certificate needs no labels held out:
labels and unlabeled rows together bound the error of the model trained on **every** label. The bound holds with the
given confidence although the model was chosen by it. Here it is compared with the usual bound, from labels held out.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.utils import shuffle

from foldless import compare
from foldless.criteria import HoldOut, SemiSupervisedCV
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
    criteria={"every label": SemiSupervisedCV(), "a fifth held out": HoldOut(0.2, confidence=0.95)},
    X_test=X[test],
    y_test=y[test],
    random_state=0,
)
print(comparison["every label"].certificate)

# %%
# Each bar is the bound of one candidate; all of them hold at once. The dark part bounds the out-of-fold error. The
# light part bounds how often the model trained on every label disagrees with the out-of-fold fits on the pool. White
# ticks are the observed rates; the rest, most of the bound, allows for chance.

figure, axes = plt.subplots(1, 2, figsize=(10, 3.6), sharex=True, layout="constrained")
for ax, (name, selection) in zip(axes, comparison.selections.items(), strict=True):
    BoundDisplay.from_selection(selection, ax=ax)
    ax.set_title(name, loc="left", pad=44)

# %%
# Held-out labels often give the lower bound, as here: they test a single fit, while the other bound needs five folds of
# fewer rows each. In return their model is trained on fewer labels, and a refit on all labels has no certificate. The
# smaller of the two bounds does **not** hold with confidence 0.95: decide which one to use before you see the results.

rows = comparison.table().set_index("criterion")
for name, selection in comparison.selections.items():
    error = 1 - rows.loc[name, "test_accuracy"]
    print(f"{name:17} error at most {selection.certificate.upper:.3f}, on {len(y[test])} test rows {error:.3f}")
