"""Figures 1 to 3 of Pfahringer et al.: estimated against true error, one point per split and classifier."""

from pathlib import Path

import matplotlib
import pandas as pd

matplotlib.use("agg")
import matplotlib.pyplot as plt

COLORS = {"NBM": "tab:gray", "SMO": "tab:blue", "SMO-L": "tab:cyan", "SMO-P": "tab:red"}
MARKS = {"cv": "x", "dag": "o"}


def correlation(measured: pd.DataFrame, topic: str, path: Path, *, percent: int = 5, zoomed: bool = False) -> None:
    """One topic; ``zoomed`` leaves naive Bayes out, as Figure 3 does."""
    own = measured[(measured["topic"] == topic) & (measured["percent"] == percent)]
    if zoomed:
        own = own[own["learner"] != "NBM"]
    figure, axis = plt.subplots(figsize=(6.4, 5), layout="constrained")
    for (kind, learner), points in own.groupby(["kind", "learner"]):
        color = COLORS[learner]
        filled = {"facecolors": "none", "edgecolors": color} if kind == "dag" else {"color": color}
        axis.scatter(
            100 * points["estimate"], 100 * points["error"], marker=MARKS[kind], label=f"{kind} {learner}", **filled
        )
    most = 100 * own[["estimate", "error"]].to_numpy().max()
    axis.plot([0, most], [0, most], color="0.7", linewidth=0.8, zorder=0)
    axis.set(xlabel="estimated error in %", ylabel="true error in %", title=f"{topic}, {percent} % labeled")
    axis.legend(fontsize="small")
    figure.savefig(path, dpi=90)
    plt.close(figure)
