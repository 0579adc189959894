"""
A table with dates, ids and a column that knows too much
========================================================

A table as it comes out of a database: numbers, categories, dates, a number for each row, and a column that is filled
once the answer is known. Who will leave? First the table is checked, then a model is chosen.
"""

import numpy as np
import pandas as pd

from foldless import FoldlessSearch, check
from foldless.portfolio import default_candidates

rng = np.random.default_rng(0)
n = 700
customers = pd.DataFrame(
    {
        "customer_id": rng.permutation(n) + 40_000,
        "plan": rng.choice(["basic", "family", "business"], n, p=(0.5, 0.3, 0.2)),
        "joined": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 1400, n), "D"),
        "calls": rng.poisson(3, n),
        "monthly": rng.gamma(9, 5, n).round(2),
    }
)
months = (pd.Timestamp("2024-01-01") - customers.joined).dt.days / 30
leaning = 0.7 * customers.calls - 0.08 * months + 0.03 * customers.monthly - (customers.plan == "business") - 1.5
leaves = pd.Series(np.where(rng.random(n) < 1 / (1 + np.exp(-leaning)), "leaves", "stays"), name="leaves")
customers["last_bill"] = np.where(leaves == "leaves", 0.0, customers.monthly)  # known once they have left
X, y, pool, truth = customers[:200], leaves[:200], customers[200:], leaves[200:]

# %%
# The check names what is odd, and how much it matters:
findings = check(X, y, X_unlabeled=pool, random_state=0)
print(findings.table()[["code", "finding"]].to_string(index=False, max_colwidth=90))

# %%
# Without the two columns, four candidates of the portfolio are combined. Dates and categories are prepared inside them:
used = ["plan", "joined", "calls", "monthly"]
few = {
    name: model
    for name, model in default_candidates(X[used], n_labels=len(y)).items()
    if name in ("logistic-regression", "linear-discriminant", "nearest-neighbors", "extra-trees")
}
search = FoldlessSearch(few, offer="average", time_budget=300, random_state=0)
search.fit(X[used], y, X_unlabeled=pool[used])
print(search.selection_.accuracy_line)

# %%
# The answer: whom to call first.
answers = search.predict_frame(pool[used]).set_index(pool.index)
call = answers[answers.predicted == "leaves"].sort_values("predicted_probability", ascending=False).head(10)
print(
    pool.loc[call.index, ["customer_id", "plan", "calls"]]
    .assign(probability=call.predicted_probability.round(2))
    .to_string()
)
leave = truth == "leaves"
print(f"\nof these ten, {leave.loc[call.index].sum()} leave; of all rows {leave.mean():.0%}")
