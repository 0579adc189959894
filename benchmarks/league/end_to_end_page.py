"""The tables of docs/portfolio.md and the figure of the README, made of the records of `end_to_end` alone."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from benchmarks.league.tables import markdown
from benchmarks.places import RESULTS
from benchmarks.records import Record, read

PATH = RESULTS / "end_to_end" / "records.jsonl"
KEYS = ["set", "n", "seed"]
OURS = "foldless"
LEAST_SETS = 10  # of a number of labels, or of a peer, that has a place in a table
NAMES = {
    "foldless": "**foldless**",
    "foldless, no pool": "foldless, without the pool",
    "GridSearchCV, same models": "the choice by 5 folds among the same models, without the pool",
    "foldless 0.3": "eight linear SVMs, the default of 0.3",
    "extra trees": "extra trees, 300",
    "random forest": "random forest, 300",
    "logistic regression": "logistic regression",
    "SVM": "RBF SVM",
}
PEERS = {
    "GridSearchCV, same models": "the choice by 5 folds among the same models",
    "foldless 0.3": "eight linear SVMs",
    "extra trees": "extra trees",
    "AutoGluon medium": "AutoGluon 1.6.3, medium quality, 30 s",
    "AutoGluon good": "AutoGluon 1.6.3, good quality, 30 s",
    "CatBoost": "CatBoost 1.2.10, defaults, tables",
    "LightGBM": "LightGBM 4.7.0, defaults",
    "FLAML": "FLAML 2.7.0, 15 s",
}
LINES = {
    "foldless": ("foldless, with the pool", "#0b6e99", "-"),
    "foldless, no pool": ("foldless, without", "#0b6e99", "--"),
    "AutoGluon medium": ("AutoGluon, medium", "#c0504d", "-"),
    "FLAML": ("FLAML", "#d08c2e", "-"),
    "GridSearchCV, same models": ("GridSearchCV, same models", "#444444", "-"),
    "extra trees": ("extra trees", "#8a8a8a", ":"),
}
"""What the figure shows, with its color and stroke: rows that ran on the same sets at each number of labels."""
LIGHT = "#bbbbbb"


def records() -> pd.DataFrame:
    """The models that were trained, the last of each row and setting."""
    return _frame(read(PATH))


def _frame(lines: Sequence[Record]) -> pd.DataFrame:
    table = pd.DataFrame(lines).drop_duplicates(["row", *KEYS], keep="last")
    return table[table.accuracy.notna()]


def standings(table: pd.DataFrame) -> str:
    """Accuracy, log loss and rank of each row over the sets, by the number of labels, and CPU seconds of 100 labels."""
    columns = {}
    for n, here in _by_labels(table):
        names = [name for name in NAMES if name != "foldless, no pool" and name in set(here.row)]
        wide = here.pivot(index=KEYS, columns="row", values="accuracy")[names].dropna()
        ranks = (-wide).rank(axis=1).mean()
        n_models = sum(here.row == OURS)
        columns[f"{n:,} labels, {here['set'].nunique()} sets"] = {
            shown: _cell(here[here.row == name], ranks.get(name))
            for name, shown in NAMES.items()
            if sum(here.row == name) == n_models  # others have not run everywhere, and means would be of other sets
        }
    hundred = table[table.n == 100].groupby("row").seconds.mean()
    columns["CPU s, 100 labels"] = {
        shown: f"{hundred[name]:.0f}" if hundred[name] >= 1 else _short(hundred[name], 1)
        for name, shown in NAMES.items()
        if name in hundred
    }
    return markdown(pd.DataFrame(columns, index=list(NAMES.values())).fillna(""))


def _cell(rows: pd.DataFrame, rank: float | None) -> str:
    """As `.671, .844, 2.7`; a dash stands for a log loss that the row has not everywhere."""
    losses = rows.loss if "loss" in rows else pd.Series(dtype=float)
    loss = "–" if len(losses) == 0 or losses.isna().any() else _short(losses.mean(), 3)
    return ", ".join([_short(rows.accuracy.mean(), 3), loss, *([] if rank is None else [f"{rank:.1f}"])])


def differences(table: pd.DataFrame) -> str:
    """foldless minus the others in points of accuracy, with a standard error over the sets that both ran."""
    columns = {
        f"{n:,} labels": {shown: _difference(here, peer) for peer, shown in PEERS.items()}
        for n, here in _by_labels(table)
    }
    shown = pd.DataFrame(columns, index=list(PEERS.values()))
    return markdown(shown[(shown != "").any(axis=1)])


def _difference(table: pd.DataFrame, peer: str) -> str:
    of_sets = gains(table, peer)
    if len(of_sets) < LEAST_SETS:
        return ""
    error = of_sets.std(ddof=1) / np.sqrt(len(of_sets))
    sign = "−" if of_sets.mean() < 0 else "+"
    return f"{sign}{_short(abs(of_sets.mean()), 1)} ± {_short(error, 1)} ({len(of_sets)})"


def gains(table: pd.DataFrame, peer: str, what: str = "accuracy") -> pd.Series:
    """Points of accuracy that foldless has more than a peer, a mean for each set that both ran."""
    wide = table[table.row.isin([OURS, peer])].pivot(index=KEYS, columns="row", values=what)
    if peer not in wide or OURS not in wide:
        return pd.Series(dtype=float)
    return 100 * (wide[OURS] - wide[peer]).dropna().groupby("set").mean()


def draw(table: pd.DataFrame, path: Path) -> None:
    """Accuracy and log loss over the number of labels, on the sets that every line has at every number."""
    shown = table[table.row.isin(LINES) & (table.seed == 0)]
    counts = [n for n, here in _by_labels(shown) if set(LINES) <= set(here.row)]
    shown = shown[shown.n.isin(counts)]
    wide = shown.pivot(index="set", columns=["row", "n"], values=["accuracy", "loss"])
    common = wide["accuracy"].dropna().index
    with mpl.rc_context({"svg.hashsalt": "foldless", "svg.fonttype": "none", "font.size": 10}):
        figure = Figure(figsize=(9, 3.6), layout="constrained")
        axes = figure.subplots(1, 2)
        for at, (what, name) in zip(axes, (("accuracy", "accuracy"), ("loss", "log loss")), strict=True):
            for row, (label, color, stroke) in LINES.items():
                means = wide[what][row].loc[common]
                if means.isna().any(axis=None):
                    continue  # a linear SVM has no probabilities
                at.plot(counts, means.mean()[counts], stroke, color=color, marker="o", markersize=4, label=label)
            at.set_xscale("log")
            at.set_xticks(counts, [f"{n:,}" for n in counts])
            at.minorticks_off()
            at.set(xlabel="labeled rows", ylabel=name)
            at.grid(axis="y", color=LIGHT, linewidth=0.4)
            at.spines[["top", "right"]].set_visible(False)
        axes[0].legend(frameon=False, fontsize=8, loc="lower right")
        axes[1].set_title(f"means over {len(common)} data sets", fontsize=9, loc="right")
        figure.savefig(path, metadata={"Date": None})


def _by_labels(table: pd.DataFrame) -> list[tuple[int, pd.DataFrame]]:
    parts = [(int(n), here) for n, here in table.groupby("n")]
    return [(n, here) for n, here in parts if here[here.row == OURS]["set"].nunique() >= LEAST_SETS]


def _short(value: float, digits: int) -> str:
    """As docs write shares: .671."""
    text = f"{value:.{digits}f}"
    return "0" if not float(text) else text.removeprefix("0")
