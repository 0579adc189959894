"""The two figures of Kääriäinen (2005), in his colors, and the simulation of his Theorem 2."""

from pathlib import Path
from typing import Any

import matplotlib
import pandas as pd

matplotlib.use("agg")
import matplotlib.pyplot as plt

OBSERVED, ESTIMATE, BOUND = "0.6", "darkturquoise", "crimson"


def surfaces(points: pd.DataFrame, path: Path) -> None:
    """Figure 1: observed error (gray surface), CV estimate and bound (meshes) over C and γ."""
    figure, panels = _panels(points, (13, 4.2), subplot_kw={"projection": "3d"})
    for axis, name, own in panels:
        grids = {
            what: own.pivot(index="log2 C", columns="log2 gamma", values=what)
            for what in ("observed", "CV estimate", "bound")
        }
        x, y = grids["observed"].columns.to_numpy()[None], grids["observed"].index.to_numpy()[:, None]
        axis.plot_surface(x, y, grids["observed"].to_numpy(), color=OBSERVED, alpha=0.8)
        axis.plot_wireframe(x, y, grids["CV estimate"].to_numpy(), color=ESTIMATE, linewidth=0.6)
        axis.plot_wireframe(x, y, grids["bound"].to_numpy(), color=BOUND, linewidth=0.6)
        axis.set(title=name, xlabel="log₂ γ", ylabel="log₂ C", zlim=(0, 1))
        axis.view_init(25, -125)
    figure.suptitle("Observed error (gray), 10-CV estimate (cyan), bound (red)")
    figure.savefig(path, dpi=90)
    plt.close(figure)


def sections(points: pd.DataFrame, path: Path) -> None:
    """Figure 2: the same at the C that attains the smallest observed error."""
    figure, panels = _panels(points, (12, 3.4), sharey=True)
    for axis, name, own in panels:
        best = own.loc[own["observed"].idxmin(), "log2 C"]
        cut = own[own["log2 C"] == best].sort_values("log2 gamma")
        for what, color in (("observed", OBSERVED), ("CV estimate", ESTIMATE), ("bound", BOUND)):
            axis.plot(cut["log2 gamma"], cut[what], color=color, label=what)
        axis.set(title=f"{name}, C = 2^{best}", xlabel="log₂ γ", ylim=(0, 1))
    panels[0][0].legend()
    figure.savefig(path, dpi=90)
    plt.close(figure)


def _panels(points: pd.DataFrame, size: tuple[float, float], **settings: Any) -> tuple[Any, list[Any]]:
    """A figure with three panels in a row of this size, and the axis, the name and the points of each set."""
    names = list(dict.fromkeys(points["set"]))
    n_rows, (width, height) = -(-len(names) // 3), size
    figure, axes = plt.subplots(
        n_rows, min(3, len(names)), figsize=(width, height * n_rows), squeeze=False, layout="constrained", **settings
    )
    for axis in axes.flat[len(names) :]:
        axis.remove()
    return figure, [(axis, name, points[points["set"] == name]) for axis, name in zip(axes.flat, names, strict=False)]


def consistency(means: pd.DataFrame, bayes: float, path: Path) -> None:
    """The chosen model's error over n."""
    figure, axis = plt.subplots(figsize=(6, 4), layout="constrained")
    for criterion, own in means.groupby("criterion", sort=False):
        axis.errorbar(own["n"], own["error"], own["standard error"], label=f"chosen by {criterion}", capsize=2)
    bound = means[means["criterion"] == "semi_supervised_cv"]
    axis.plot(bound["n"], bound["score"].clip(upper=1), color=BOUND, linestyle="--", label="bound of the choice")
    axis.axhline(bayes, color="0.4", linewidth=0.8, label="Bayes error")
    axis.set(xscale="log", xlabel="labeled rows, and as many in the pool", ylabel="error", ylim=(0, 1))
    axis.legend()
    figure.savefig(path, dpi=90)
    plt.close(figure)
