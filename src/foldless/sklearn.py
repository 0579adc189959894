"""A pool for scikit-learn's own searches: scorers and ``cv`` objects for GridSearchCV and HalvingGridSearchCV.

>>> import numpy as np
>>> from sklearn.datasets import load_iris
>>> from sklearn.linear_model import LogisticRegression
>>> from sklearn.model_selection import GridSearchCV
>>> from foldless.sklearn import CriterionScorer, EveryLabel, PoolScorer
>>> X, y = load_iris(return_X_y=True)
>>> few, grid = np.arange(0, 150, 5), {"C": [0.01, 1, 100]}
>>> search = GridSearchCV(LogisticRegression(max_iter=500), grid, scoring=PoolScorer(X), cv=3).fit(X[few], y[few])
>>> search.best_params_
{'C': 1}
>>> bound = CriterionScorer("quantification_bound", X_unlabeled=X)
>>> search = GridSearchCV(LogisticRegression(max_iter=500), grid, scoring=bound, cv=EveryLabel()).fit(X[few], y[few])
>>> search.best_params_
{'C': 1}
"""

from foldless.integrations.criterion_scorer import CriterionScorer
from foldless.integrations.cv_objects import EveryLabel, RaceResamples
from foldless.integrations.pool_scorer import PoolScorer

__all__ = ["CriterionScorer", "EveryLabel", "PoolScorer", "RaceResamples"]
