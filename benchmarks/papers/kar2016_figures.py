"""The six figures of Kar et al. (2016), one panel per set."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pandas as pd

matplotlib.use("agg")
import matplotlib.pyplot as plt

COLORS = {
    "NEMSIS": "tab:blue", "NEMSIS-NS": "tab:cyan", "1PMB": "tab:orange", "SVMperf": "tab:red",
    "NEMSIS-NS (BAKLD)": "tab:green", "SCAN": "tab:blue", "SCAN-NS": "tab:cyan",
}  # fmt: skip


def draw(book: Any, folder: Path) -> None:
    """All of them."""
    curves = book["curves"]
    for number, goal, label in ((1, "KLD", "KLD"), (5, "Q", "Q-measure"), (6, "CQ", "CQReward")):
        own = curves[curves["goal"] == goal]
        _panels(own, folder / f"figure{number}.png", lambda axis, rows, goal=goal: _over_time(axis, rows, goal), label)
    _panels(book["trade_off"], folder / "figure2.png", _trade_off, "balanced accuracy (blue), KLD (red)")
    _shares(curves[curves["goal"] == "KLD"], book["sizes"], folder / "figure3.png")
    _panels(book["drift"], folder / "figure4.png", _drift, "KLD")


def _panels(rows: pd.DataFrame, path: Path, fill: Callable[[Any, pd.DataFrame], None], label: str) -> None:
    names = list(dict.fromkeys(rows["set"]))
    across = min(4, len(names))
    down = -(-len(names) // across)
    figure, axes = plt.subplots(down, across, figsize=(4 * across, 3.2 * down), squeeze=False, layout="constrained")
    for axis, name in zip(axes.flat, names, strict=False):
        fill(axis, rows[rows["set"] == name])
        axis.set_title(name)
    for axis in list(axes.flat)[len(names) :]:
        axis.remove()
    axes[0, 0].set_ylabel(label)
    if axes[0, 0].get_legend_handles_labels()[0]:
        axes[0, 0].legend(fontsize="small")
    figure.savefig(path, dpi=90)
    plt.close(figure)


def _over_time(axis: Any, rows: pd.DataFrame, goal: str) -> None:
    """Means over splits at common moments: each split's curve stands until its next point."""
    for method, own in rows.groupby("method", sort=False):
        moments = np.geomspace(max(own["seconds"].min(), 1e-5), own["seconds"].max(), 60)
        held = [
            np.r_[np.nan, split[goal]][np.searchsorted(split["seconds"], moments, side="right")]
            for _, split in own.groupby("split")
        ]
        seen = np.isfinite(held).any(axis=0)
        axis.plot(moments[seen], np.nanmean(np.array(held)[:, seen], axis=0), color=COLORS[str(method)], label=method)
    axis.set(xscale="log", xlabel="seconds of training")
    if goal == "KLD":
        axis.set_yscale("log")


def _trade_off(axis: Any, rows: pd.DataFrame) -> None:
    means = rows.groupby("C")[["BA", "KLD"]].mean()
    axis.plot(means.index, means["BA"], color="tab:blue")
    other = axis.twinx()
    other.plot(means.index, means["KLD"], color="tab:red")
    axis.set_xlabel("weight of balanced accuracy")


def _drift(axis: Any, rows: pd.DataFrame) -> None:
    for method, own in rows.groupby("method", sort=False):
        means = own.groupby("change")["KLD"].mean()
        axis.plot(100 * means.index, means, color=COLORS[str(method)], label=method)
    axis.set(yscale="log", xlabel="change of the share of positives, %")


def _shares(curves: pd.DataFrame, sizes: pd.DataFrame, path: Path) -> None:
    final = curves.groupby(["set", "split", "method"], sort=False).last().groupby(["set", "method"])["KLD"].mean()
    table = final.unstack("method").loc[sizes.sort_values("positives")["set"]]
    figure, axis = plt.subplots(figsize=(9, 4), layout="constrained")
    table[[name for name in COLORS if name in table]].plot.bar(ax=axis, color=COLORS, logy=True, rot=0)
    axis.set(ylabel="KLD", xlabel="sets, from the rarest positive class")
    figure.savefig(path, dpi=90)
    plt.close(figure)
