"""
The first hour, as a notebook
=============================

Choose a model with 60 labels and a pool, look at what was chosen, compare criteria, and bound the error. Every result
has a summary that a notebook shows; the button below downloads this page as one.
"""

# %%
# Sixty labeled digits, and over a thousand that nobody has labeled:
from sklearn.datasets import load_digits
from sklearn.utils import shuffle

from foldless import FoldlessSearch, certify, compare, evaluate
from foldless.learners import LogisticRegression

X, y = shuffle(*load_digits(return_X_y=True), random_state=0)
X = X / 16
X_labeled, y_labeled, pool, X_later, y_later = X[:60], y[:60], X[60:1400], X[1400:], y[1400:]
print(len(y_labeled), "labels,", len(pool), "rows in the pool")

# %%
# The search shows the chosen parameters, its score and the ranking. ≈ marks candidates that are
# statistically tied with the chosen one:
search = FoldlessSearch(LogisticRegression(), {"C": [0.01, 0.1, 1, 10, 100]}, random_state=0)
search.fit(X_labeled, y_labeled, X_unlabeled=pool)

# %%
# How good is it on rows that it has not seen?
evaluate(search.best_estimator_, X_later, y_later, random_state=0)

# %%
# The choices of several criteria, every common fit trained once:
compare(LogisticRegression(), {"C": [0.01, 0.1, 1, 10, 100]}, X_labeled, y_labeled, X_unlabeled=pool, random_state=0)

# %%
# With more labels the error can be bounded:
certify(
    LogisticRegression(),
    X[:900],
    y[:900],
    X_unlabeled=X[900:],
    param_grid={"C": [0.1, 1, 10]},
    random_state=0,
)
