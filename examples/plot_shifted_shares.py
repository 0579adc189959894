"""
How many mails were about billing, month by month?
==================================================

The labels are from winter, when few mails are about billing. In the pool the prices rise in April. Counting predicted
topics follows the change only in part, because the model has learned the shares of winter; :func:`foldless.quantify`
corrects the count by its errors on held-out labels, with intervals.
"""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from topics import make

from foldless import quantify

labeled = make(200, shares=(0.2, 0.6, 0.2), seed=0)
before, after = make(300, shares=(0.2, 0.6, 0.2), seed=1), make(300, shares=(0.6, 0.25, 0.15), seed=2)
pool = pd.concat([before.assign(month="March"), after.assign(month="April")], ignore_index=True)

model = make_pipeline(TfidfVectorizer(), LogisticRegression(max_iter=500))
prevalence = quantify(model, labeled.text, labeled.topic, X_unlabeled=pool.text, by=pool.month, random_state=0)
print(prevalence)

# %%
# The counts beside it, and the truth:
predicted = model.fit(labeled.text, labeled.topic).predict(pool.text)
for month in ("March", "April"):
    rows = (pool.month == month).to_numpy()
    counted, true = np.mean(predicted[rows] == "billing"), np.mean(pool.topic[rows] == "billing")
    print(f"{month}: {counted:.0%} predicted to be about billing, {true:.0%} truly are")

# %%
# The answer as a picture:
prevalence.plot()
plt.show()
