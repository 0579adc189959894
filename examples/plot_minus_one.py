"""
The −1 trap
===========

scikit-learn marks unlabeled rows with −1. Semi-supervised classifiers respect that; ``GridSearchCV`` does not.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.svm import LinearSVC

from foldless import FoldlessSearch

X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X / 16, y, test_size=1 / 3, stratify=y, random_state=0)
labeled, _ = train_test_split(np.arange(len(y_train)), train_size=60, stratify=y_train, random_state=0)
y_few = np.full(len(y_train), -1)
y_few[labeled] = y_train[labeled]
grid = {"C": np.logspace(-4, 1, 6)}

searches = {
    "GridSearchCV": GridSearchCV(LinearSVC(max_iter=10_000), grid).fit(X_train, y_few),
    "FoldlessSearch": FoldlessSearch(LinearSVC(max_iter=10_000), grid, unlabeled=-1, random_state=0).fit(
        X_train, y_few
    ),
}
print(f"{len(labeled)} labeled rows, {np.sum(y_few == -1)} unlabeled rows marked -1")
for name, search in searches.items():
    print(f"{name:15} best_score_ {search.best_score_:.3f}, true accuracy {search.score(X_test, y_test):.3f}")

# %%
# ``GridSearchCV`` treated −1 as a class, the most frequent one, and its score is mostly the accuracy for that class.
# The two scores are of different kinds: the first is a cross-validated accuracy (on labels that are mostly −1), the
# second an upper bound. Only the true accuracies can be compared.

figure, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
names = [-1, *range(10)]
for at, (name, search) in enumerate(searches.items()):
    predicted = search.predict(X_test)
    ax.bar(np.arange(11) + 0.4 * at, [np.mean(predicted == label) for label in names], width=0.4, label=name)
ax.set(xticks=np.arange(11) + 0.2, xticklabels=names, xlabel="predicted label", ylabel="share of the test rows")
_ = ax.legend()

# %%
# If −1 is one of your classes, pass the pool as ``X_unlabeled=``: then −1 is a class like any other. If both meanings
# are possible, foldless raises an error that explains how to decide.

try:
    FoldlessSearch(LinearSVC(), grid).fit(X_train[:4], [1, -1, 1, -1])
except ValueError as error:
    print(error)
