"""
Class shares in the labels and in the pool
==========================================

The quantification bound compares two vectors: the share of each class in the labels, and the share that a candidate
predicts for the pool. Their overlap, Σ min(p, q), is its score.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits

from foldless import FoldlessSearch
from foldless.learners import LinearSVC
from foldless.report import SharesDisplay

X, y = load_digits(return_X_y=True)
order = np.random.default_rng(0).permutation(len(y))
X, y = X[order] / 16, y[order]
X_labeled, y_labeled, pool, truth = X[:200], y[:200], X[200:], y[200:]

search = FoldlessSearch(LinearSVC(), {"C": np.logspace(-6, 0, 7)}, random_state=0)
search.fit(X_labeled, y_labeled, X_unlabeled=pool)
selection = search.selection_
print(selection.table()[["rank", "candidate", "score", "notes"]].to_string(index=False))

overlap = np.minimum(selection.label_shares, selection.shares).sum()
print(f"\noverlap of the two vectors {overlap:.6f}, score of the choice {selection.best.score:.6f}")

# %%
# On the left the choice; on the right a candidate that is regularized so strongly that it never predicts some classes.

strong = FoldlessSearch(LinearSVC(), {"C": [1e-6]}, random_state=0).fit(X_labeled, y_labeled, X_unlabeled=pool)
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4.5), layout="constrained")
for ax, fitted in ((left, search), (right, strong)):
    SharesDisplay.from_selection(fitted.selection_, ax=ax)
    C, score, accuracy = fitted.best_params_["C"], fitted.best_score_, np.mean(fitted.predict(pool) == truth)
    ax.set_xlabel(f"C={C:g}: score {score:.3f}, accuracy in the pool {accuracy:.3f}")

# %%
# **Where it goes wrong.** The bound assumes that labels and pool are drawn from the same population. In this pool the
# digits 0 to 4 are five times as frequent as the others. The same model is as accurate as before, but its predicted
# class shares are no longer those of the labels, so that the score falls for reasons that have nothing to do with its
# errors.

kept = np.random.default_rng(1).random(len(truth)) < np.where(truth < 5, 1, 0.2)
drifted = FoldlessSearch(LinearSVC(), {"C": [search.best_params_["C"]]}, random_state=0)
drifted.fit(X_labeled, y_labeled, X_unlabeled=pool[kept])
for name, fitted, rows in (("same population", search, slice(None)), ("other shares", drifted, kept)):
    accuracy = np.mean(fitted.predict(pool[rows]) == truth[rows])
    C, score = fitted.best_params_["C"], fitted.best_score_
    print(f"{name:16} C={C:g}  score {score:.3f}  accuracy in the pool {accuracy:.3f}")

SharesDisplay.from_selection(drifted.selection_).figure_.set_size_inches(6.4, 4.5)
