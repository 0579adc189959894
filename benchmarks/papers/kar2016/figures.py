"""The six figures of Kar et al. (2016), one panel per set."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import matplotlib
import pandas as pd

matplotlib.use("agg")
import matplotlib.pyplot as plt

COLORS = {
    "NEMSIS": "tab:blue", "NEMSIS-NS": "tab:cyan", "1PMB": "tab:orange", "SVMperf": "tab:red",
    "NEMSIS-NS (BAKLD)": "tab:green", "SCAN": "tab:blue", "SCAN-NS": "tab:cyan",
}  # fmt: skip
LEAST = 1e-6  # of a KLD that is drawn: zero has no logarithm


def draw(tables: Mapping[str, pd.DataFrame], folder: Path) -> None:
    """All of them."""
    curves = tables["curves"]
    for number, goal, label in ((1, "KLD", "KLD"), (5, "Q", "Q-measure"), (6, "CQ", "CQReward")):
        own = curves[curves["goal"] == goal]
        _panels(own, folder / f"figure{number}.png", partial(_over_time, goal=goal), label)
    _panels(tables["trade_off"], folder / "figure2.png", _trade_off, "balanced accuracy")
    _shares(tables["final"], tables["sizes"], folder / "figure3.png")
    _panels(tables["drift"], folder / "figure4.png", _drift, "KLD")


def _panels(rows: pd.DataFrame, path: Path, fill: Callable[[Any, pd.DataFrame], None], label: str) -> None:
    """One for each set, and the legend in the place after them."""
    names = list(dict.fromkeys(rows["set"]))
    across = min(4, len(names) + 1)
    down = -(-(len(names) + 1) // across)
    figure, axes = plt.subplots(down, across, figsize=(3.6 * across, 3.0 * down), squeeze=False, layout="constrained")
    for axis, name in zip(axes.flat, names, strict=False):
        fill(axis, rows[rows["set"] == name])
        axis.set_title(name)
    for axis in list(axes.flat)[len(names) :]:
        axis.set_axis_off()
    for row in axes:
        row[0].set_ylabel(label)
    axes.flat[len(names)].legend(*axes.flat[0].get_legend_handles_labels(), loc="center", frameon=False)
    figure.savefig(path, dpi=100)
    plt.close(figure)


def _over_time(axis: Any, rows: pd.DataFrame, goal: str) -> None:
    for method, own in rows.groupby("method", sort=False):
        axis.plot(own["seconds"], own[goal].clip(lower=LEAST), color=COLORS[str(method)], label=method)
    axis.set(xscale="log", xlabel="seconds of training", yscale="log" if goal == "KLD" else "linear")


def _trade_off(axis: Any, rows: pd.DataFrame) -> None:
    axis.plot(rows["C"], rows["BA"], color="tab:blue", label="balanced accuracy (left)")
    axis.plot([], [], color="tab:red", label="KLD (right)")
    other = axis.twinx()
    other.plot(rows["C"], rows["KLD"].clip(lower=LEAST), color="tab:red")
    other.set_yscale("log")
    axis.set_xlabel("weight of balanced accuracy")


def _drift(axis: Any, rows: pd.DataFrame) -> None:
    table = rows.set_index("method").drop(columns="set").clip(lower=LEAST)
    for method, values in table.iterrows():
        axis.plot(100 * values.index.astype(float), values, color=COLORS[str(method)], label=method)
    axis.set(yscale="log", xlabel="change of the share of positives, %")


def _shares(final: pd.DataFrame, sizes: pd.DataFrame, path: Path) -> None:
    table = final[final["goal"] == "KLD"].pivot(index="set", columns="method", values="KLD").clip(lower=LEAST)
    table = table.loc[sizes.sort_values("positives")["set"]]
    table.index = [f"{row.set}\n{row.positives:.1%}" for row in sizes.sort_values("positives").itertuples()]
    figure, axis = plt.subplots(figsize=(10, 4), layout="constrained")
    names = [name for name in COLORS if name in table]
    table[names].plot.bar(ax=axis, color=[COLORS[name] for name in names], logy=True, rot=0, legend=False)
    figure.legend(loc="outside upper center", ncols=len(names), frameon=False)
    axis.set(ylabel="KLD", xlabel="sets and their share of positives")
    figure.savefig(path, dpi=100)
    plt.close(figure)
