"""What the records of Kar et al. (2016) say: curves over time, where they end, and who is sooner and who counts better.

All comparisons are paired over splits. A classifier that counts right on average does not have a KLD of zero on test
rows: FP − FN varies by the root of their sum, so that KLD is near errors / (2 n p (1 − p)) by chance.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.papers.kar2016.race import BASELINES, MEASURES, OURS, SVM

POINTS = 30  # of a curve
NEAR = 0.05  # of balanced accuracy
LITTLE = 1e-3  # of KLD
OF_KLD = ("difference", "± difference", "by chance")
KEYS = ["goal", "set", "method"]


def gathered(records: Sequence[dict[str, Any]], part: str) -> pd.DataFrame:
    """The rows of a part of all records, with set and split."""
    return pd.DataFrame(
        [{"set": record["set"], "split": record["trial"], **row} for record in records for row in record[part]]
    )


def legible(frame: pd.DataFrame) -> pd.DataFrame:
    """KLD in units of 1e-4, and so all that is of its kind; a column that is named by a number holds KLD."""
    named = {column: column if isinstance(column, str) else "KLD" for column in frame}
    kinds = {column for column, name in named.items() if "KLD" in name or name in OF_KLD}
    scaled = {column: 1e4 * frame[column] if column in kinds else frame[column] for column in frame}
    return pd.DataFrame(scaled).rename(columns=lambda name: f"{name} (1e-4)" if name in kinds else name)


def ends(curves: pd.DataFrame) -> pd.DataFrame:
    """Where each curve ends."""
    return curves.groupby(["goal", "set", "split", "method"], sort=False).last().reset_index()


def means(final: pd.DataFrame) -> pd.DataFrame:
    """Over splits, with the standard error of KLD."""
    grouped = final.groupby(KEYS, sort=False)
    table = grouped[["seconds", *MEASURES]].mean()
    table.insert(2, "± KLD", grouped["KLD"].sem())
    return table.reset_index()


def systematic(chosen: pd.DataFrame, final: pd.DataFrame) -> pd.DataFrame:
    """KLD on the training rows beside that on test rows: who does not even count right there has not learned to."""
    rows = chosen.merge(final, on=["goal", "set", "split", "method"])
    return (
        rows[rows["goal"] == "KLD"].groupby(["set", "method"], sort=False)[["training KLD", "KLD"]].mean().reset_index()
    )


def over_time(curves: pd.DataFrame) -> pd.DataFrame:
    """Means over splits at common moments: each split's curve stands until its next point."""
    rows = []
    for keys, own in curves.groupby(KEYS, sort=False):
        splits = [split for _, split in own.groupby("split")]
        first, last = (max(split["seconds"].iloc[at] for split in splits) for at in (0, -1))
        moments = np.geomspace(first, last, POINTS)
        held = [
            split.iloc[np.searchsorted(split["seconds"], moments, side="right") - 1][[*MEASURES]] for split in splits
        ]
        named = dict(zip(KEYS, map(str, keys), strict=True))
        table = pd.DataFrame(np.mean(held, axis=0), columns=[*MEASURES])
        rows.append(table.assign(seconds=moments, **named))
    return pd.concat(rows)[[*KEYS, "seconds", *MEASURES]]


def settled(points: pd.DataFrame) -> pd.DataFrame:
    """Per set and method: the seconds after which the mean curve stays at a KLD of 1e-3 or less, if it does."""
    rows = []
    for (name, method), own in points[points["goal"] == "KLD"].groupby(["set", "method"], sort=False):
        above = np.flatnonzero(own["KLD"] > LITTLE)
        after = own["seconds"].iloc[above[-1] + 1 if len(above) else 0 :]
        rows.append({"set": name, "method": method, "seconds": after.min()})
    table = pd.DataFrame(rows).pivot(index="set", columns="method", values="seconds")
    return table.reindex(points["set"].unique()).reset_index()


def counting(final: pd.DataFrame, sizes: pd.DataFrame) -> pd.DataFrame:
    """Per set: the baseline with the least mean KLD and ours, their paired difference, and what is due to chance."""
    rows = []
    for name, own in final[final["goal"] == "KLD"].groupby("set", sort=False):
        kld, accuracy, errors = (own.pivot(index="split", columns="method", values=v) for v in ("KLD", "BA", "errors"))
        best = kld[list(BASELINES)].mean().idxmin()
        gap, lost = kld[OURS] - kld[best], accuracy[best] - accuracy[OURS]
        size = sizes.set_index("set").loc[name]
        rows.append({
            "set": name, "best baseline": best, "its KLD": kld[best].mean(), "its BA": accuracy[best].mean(),
            "our KLD": kld[OURS].mean(), "our BA": accuracy[OURS].mean(),
            "difference": gap.mean(), "± difference": gap.sem(), "BA lost": lost.mean(),
            "by chance": errors[OURS].mean() / (2 * size["test rows"] * size["positives"] * (1 - size["positives"])),
            "not worse": gap.mean() <= 0 and lost.mean() <= NEAR,
        })  # fmt: skip
    return pd.DataFrame(rows)


def sooner(curves: pd.DataFrame, sizes: pd.DataFrame) -> pd.DataFrame:
    """Per set: the time to 1.1 of SVMperf's final KLD + 1e-4, medians over splits of SVMperf's over ours.

    "and BA": balanced accuracy must be within 5 points of SVMperf's final one too, for both. "than its end": against
    all of SVMperf's time.
    """
    rows, n_rows = [], sizes.set_index("set")["rows"]
    for name, own in curves[curves["goal"] == "KLD"].groupby("set", sort=False):
        reached = pd.DataFrame([reaching(split) for _, split in own.groupby("split")])
        both = reached["SVMperf and BA"] / reached["ours and BA"]
        ratios = (reached["SVMperf"] / reached["ours"]).where(reached["ours"].notna(), 0.0)
        rows.append({
            "set": name, "rows": n_rows[name], "SVMperf ends": reached["end"].median(),
            "SVMperf reaches": reached["SVMperf"].median(), "ours reaches": reached["ours"].median(),
            "sooner": ratios.median(), "lower quartile": ratios.quantile(0.25),
            "and BA": both.where(reached["ours and BA"].notna(), 0.0).median(),
            "than its end": (reached["end"] / reached["ours"]).where(reached["ours"].notna(), 0.0).median(),
            "quadratic program": reached["program"].median(), "never": int(reached["ours"].isna().sum()),
        })  # fmt: skip
    return pd.DataFrame(rows)


def reaching(split: pd.DataFrame) -> dict[str, float]:
    """When SVMperf and ours come to SVMperf's final KLD, and how long SVMperf takes in all."""
    svm, ours = (split[split["method"] == method] for method in (SVM, OURS))
    last = svm.iloc[-1]
    reached = {"end": last["seconds"], "program": last["in the program"] / last["seconds"]}
    for name, own in (("SVMperf", svm), ("ours", ours)):
        there = own["KLD"] <= 1.1 * last["KLD"] + 1e-4
        reached[name] = own.loc[there, "seconds"].min()
        reached[f"{name} and BA"] = own.loc[there & (own["BA"] >= last["BA"] - NEAR), "seconds"].min()
    return reached
