"""Figure 2 of Quanz and Huan (2012): true and estimated error of co-regularized logistic regression over λ and μ.

One draw of Synth. SDS is drawn after 0, 5 and 20 updates of the weights of the candidates; the first data sets of
all three are the same.
"""

from pathlib import Path

import matplotlib
import numpy as np
import pandas as pd

from benchmarks.papers.few_labels.trial import Truth
from benchmarks.papers.quanz2012.sets import SYNTH_VIEWS, synth
from foldless import compare
from foldless.criteria import ADA, LeaveOneOut, SimilarData
from foldless.learners import CoRegularizedLogisticRegression

matplotlib.use("agg")
import matplotlib.pyplot as plt

UPDATES = (0, 5, 20)
TRUE, CV, METRIC = "true error", "CV", "ADA"


def surfaces(seed: int, every: int, samples: int) -> pd.DataFrame:
    """All surfaces on each so many-th power of two of λ; of μ on every power, or on half as many."""
    X, y, n = synth([seed, 0])
    weights = {"lam": range(-20, 4, every), "mu": range(-40, 26, every if every == 1 else 2 * every)}
    criteria = {
        TRUE: Truth(tuple(y[n:].tolist())),
        CV: LeaveOneOut(),
        METRIC: ADA(),
        **{sampled(times): SimilarData(samples, "probabilities", updates=times) for times in UPDATES},
    }
    start = n / (len(y) - n)
    comparison = compare(
        CoRegularizedLogisticRegression(views=SYNTH_VIEWS),
        {"lam": [2.0**power for power in weights["lam"]], "mu": [start * 2.0**power for power in weights["mu"]]},
        X[:n], y[:n], X_unlabeled=X[n:], criteria=criteria, keep_models=0, random_state=seed,
    )  # fmt: skip
    scores = {name: {c.candidate: c.score for c in comparison[name].ranking} for name in criteria}
    return pd.DataFrame(
        {
            "log2 lambda": round(np.log2(candidate.params["lam"])),
            "log2 mu": round(np.log2(candidate.params["mu"] / start)),
            **{name: of[candidate] if name == METRIC else 1 - of[candidate] for name, of in scores.items()},
        }
        for candidate in sorted(scores[TRUE], key=lambda candidate: candidate.index)
    )


def lowest(points: pd.DataFrame) -> pd.DataFrame:
    """What the lowest point of each surface is worth, and how well the surface is ordered as the true one."""
    rows = []
    for name in points.columns[2:]:
        best = points.loc[points[name].idxmin()]
        rows.append(
            {
                "surface": name,
                "lowest at log2 lambda": int(best["log2 lambda"]),
                "log2 mu": int(best["log2 mu"]),
                "true error there": best[TRUE],
                "rank correlation with the true error": points[name].corr(points[TRUE], method="spearman"),
            }
        )
    return pd.DataFrame(rows)


def draw(points: pd.DataFrame, path: Path) -> None:
    """Six surfaces; ADA's is the logarithm of its score, the others are errors."""
    figure, axes = plt.subplots(2, 3, figsize=(13, 8), subplot_kw={"projection": "3d"}, layout="constrained")
    for axis, name in zip(axes.flat, points.columns[2:], strict=True):
        grid = points.pivot(index="log2 lambda", columns="log2 mu", values=name)
        heights = np.log10(np.maximum(grid, 1e-12)) if name == METRIC else grid
        x, y = grid.columns.to_numpy()[None], grid.index.to_numpy()[:, None]
        axis.plot_surface(x, y, heights.to_numpy(), cmap="viridis", linewidth=0)
        axis.set(title=f"log₁₀ {name}" if name == METRIC else name, xlabel="log₂ μu/n", ylabel="log₂ λ")
        axis.view_init(25, -125)
    figure.savefig(path, dpi=90)
    plt.close(figure)


def sampled(updates: int) -> str:
    return f"SDS, {updates} updates"
