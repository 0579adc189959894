"""
A miss costs ten times as much as a false alarm
===============================================

A tumor that is missed costs more than a second look at a healthy one. With costs, foldless chooses the model with the
lowest expected cost, and the model then decides by it. With a threshold, it says "malignant" only where it is sure.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import shuffle

from foldless import AtLeast, Costs, FoldlessSearch, decided

data = load_breast_cancer()
X, y = shuffle(data.data, data.target_names[data.target], random_state=0)
X_labeled, y_labeled, pool, truth = X[:120], y[:120], X[120:], y[120:]
model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
grid = {"logisticregression__C": [0.01, 0.1, 1, 10]}


def mistakes(predicted):
    """How many tumors are missed, and how many healthy ones are looked at again."""
    missed = ((predicted != "malignant") & (truth == "malignant")).sum()
    return f"{missed} missed, {((predicted == 'malignant') & (truth == 'benign')).sum()} false alarms"


# %%
# By accuracy, and by costs:
plain = FoldlessSearch(model, grid, random_state=0).fit(X_labeled, y_labeled, X_unlabeled=pool)
careful = FoldlessSearch(model, grid, scoring=Costs({"malignant": 10}), random_state=0)
careful.fit(X_labeled, y_labeled, X_unlabeled=pool)
for name, search in (("by accuracy", plain), ("by costs", careful)):
    print(f"{name:12} {mistakes(search.predict(pool))} of {len(truth)}")
print(careful.selection_.measures[0])

# %%
# A threshold that has a precision of .95 on held-out labels. Other rows have no label, for somebody to look at:
precise = FoldlessSearch(model, grid, scoring="roc_auc", random_state=0).fit(X_labeled, y_labeled, X_unlabeled=pool)
sure = decided(precise.selection_, AtLeast("malignant", precision=0.95))
for measure in sure.measures:
    print(measure.short)

# %%
# The answer: what it labels, and what is left.
labels = sure.model.predict(pool)
named = labels == "malignant"
print(f"{named.sum()} rows are called malignant, {(truth[named] == 'malignant').mean():.0%} of them truly are")
