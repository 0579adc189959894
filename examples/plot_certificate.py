"""
How wrong can the chosen model be?
==================================

A test set would tell, but it costs labels that training could use. A certificate needs none held out: labels and
unlabeled rows together bound the error of the model trained on **every** label, and the bound holds with the confidence
asked for, also though the model was chosen by it. Here it stands beside the usual way, a bound from labels held out.
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

told = compare(
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
print(told["every label"].certificate)

# %%
# Each bar is the bound of one candidate; all of them hold at once. The strong part is what the labels say: how often
# the fits that have not seen a fold err on it. The pale part is what the pool says: how often the model trained on
# every label disagrees with those fits. White ticks are what was observed; the rest is what chance may hide, and it is
# most of the bound.

figure, axes = plt.subplots(1, 2, figsize=(10, 3.6), sharex=True, layout="constrained")
for ax, (name, selection) in zip(axes, told.selections.items(), strict=True):
    BoundDisplay.from_selection(selection, ax=ax)
    ax.set_title(name, loc="left", pad=44)

# %%
# Held-out labels often give the lower bound, as here: they judge one fit, where five folds of fewer rows each must be
# bounded on the other side. Their price is the model: it has not seen them, and training it again with them would void
# its certificate. The smaller of the two bounds does **not** hold with confidence 0.95: settle for one before you look.

rows = told.table().set_index("criterion")
for name, selection in told.selections.items():
    error = 1 - rows.loc[name, "test_accuracy"]
    print(f"{name:17} error at most {selection.certificate.upper:.3f}, on {len(y[test])} test rows {error:.3f}")
