"""What happens when unlabeled rows are marked −1: in GridSearchCV, and in foldless."""

import warnings

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

print(f"{len(labeled)} labeled rows, {np.sum(y_few == -1)} unlabeled rows marked -1, {len(y_test)} test rows")

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    search = GridSearchCV(LinearSVC(max_iter=10_000), grid).fit(X_train, y_few)
minus_one = np.mean(search.predict(X_test) == -1)
print(f"GridSearchCV    best score {search.best_score_:.3f}, {len(caught)} warnings, ", end="")
print(f"predicts -1 for {minus_one:.0%} of the test rows, true accuracy {search.score(X_test, y_test):.3f}")

search = FoldlessSearch(LinearSVC(max_iter=10_000), grid, unlabeled=-1, random_state=0).fit(X_train, y_few)
print(f"FoldlessSearch  best score {search.best_score_:.3f}, C = {search.best_params_['C']:g}, ", end="")
print(f"{search.selection_.n_fits.run} fits, true accuracy {search.score(X_test, y_test):.3f}")
