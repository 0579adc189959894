"""The tables of Pfahringer et al. from measurements: one row per split, topic, learner, and "cv" or "dag"."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binomtest

from benchmarks.papers.pfahringer.printed import printed

READINGS = {"weka": ("NBM", "SMO", "SMO-L"), "platt": ("NBM", "SMO", "SMO-P")}
SEED = 0  # of ties between estimates
ROUNDING = 1e-12


def chosen(own: pd.DataFrame, estimate: str = "estimate", *, lowest: bool = True) -> pd.DataFrame:
    """The row of the best estimate on every split, ties at random."""
    shuffled = own.sample(frac=1, random_state=SEED)
    best = shuffled.sort_values(estimate, ascending=lowest, kind="stable").groupby("split").head(1)
    return best.set_index("split").sort_index()


def table(measured: pd.DataFrame, percent: int, reading: str) -> pd.DataFrame:
    """Tables 2 to 4: ours, and beside it what is printed under the same percentage."""
    paper = printed().query("percent == @percent").set_index("topic")
    rows = []
    for topic, own, errors in _questions(measured, percent, reading):
        meta, means = chosen(own)["error"], errors.mean().sort_values()
        printed_row = paper.loc[topic]
        rows.append(
            {
                "topic": topic,
                "wrong %": 100 * np.mean(meta > errors.min(axis=1)),
                "paper wrong %": printed_row["wrong"],
                "error": 100 * meta.mean(),
                "se": 100 * meta.sem(),
                "paper error": printed_row["error"],
                "2nd": 100 * means.iloc[1],
                "paper 2nd": printed_row["second"],
                "1st": 100 * means.iloc[0],
                "paper 1st": printed_row["first"],
                "best": means.index[0],
                "paper best": printed_row["best"],
            }
        )
    return pd.DataFrame(rows)


def claims(measured: pd.DataFrame) -> pd.DataFrame:
    """What must hold, counted over the topics: who is best, and whether the meta-classifier is worth it."""
    rows = []
    for percent in sorted(set(measured["percent"])):
        for reading in READINGS:
            near, best, above, beats, total = 0, 0, 0, 0, 0
            for _, own, errors in _questions(measured, percent, reading):
                means, meta = errors.mean().sort_values(), chosen(own)["error"]
                svms = [name for name in errors if name.startswith("dag SMO")]
                gap = errors[min(svms, key=lambda name: errors[name].mean())] - errors[means.index[0]]
                best += bool(gap.mean() <= ROUNDING)
                near += bool(gap.mean() <= gap.sem() + ROUNDING)
                above += bool(meta.mean() <= means.iloc[1] + ROUNDING)
                beats += bool(meta.mean() <= means.iloc[0] + ROUNDING)
                total += 1
            rows.append(
                {
                    "percent": percent, "reading": reading, "topics": total, "dagged SVM best": best,
                    "dagged SVM within one se": near, "choice at most 2nd": above, "choice at most 1st": beats,
                }
            )  # fmt: skip
    return pd.DataFrame(rows)


def captions(measured: pd.DataFrame) -> pd.DataFrame:
    """How far each printed table is from ours at each percentage: the mean of |log ratio| of the "1st" column."""
    rows = []
    for table_number, paper in printed().groupby("table"):
        row: dict[str, Any] = {"table": table_number, "caption": f"{paper['percent'].iloc[0]} %"}
        for percent in sorted(set(measured["percent"])):
            for reading in READINGS:
                ours = table(measured, percent, reading).set_index("topic")["1st"]
                theirs = paper.set_index("topic").loc[ours.index, "first"]
                row[f"{percent} % {reading}"] = float(np.mean(np.abs(np.log(ours / theirs))))
        rows.append(row)
    return pd.DataFrame(rows)


def sign_tests(measured: pd.DataFrame) -> pd.DataFrame:
    """Over the splits: does the choice have a smaller error than the best and the second best, dag than cv?"""
    rows = []
    for percent in sorted(set(measured["percent"])):
        for reading in READINGS:
            for topic, own, errors in _questions(measured, percent, reading):
                meta, means = chosen(own)["error"], errors.mean().sort_values()
                row = {"percent": percent, "reading": reading, "topic": topic}
                pairs = {"1st": (meta, errors[means.index[0]]), "2nd": (meta, errors[means.index[1]])}
                svm = READINGS[reading][-1]
                pairs |= {f"cv {name}": (errors[f"dag {name}"], errors[f"cv {name}"]) for name in ("SMO", svm)}
                for name, (ours, other) in pairs.items():
                    name = "cv SMO-L/P" if name == f"cv {svm}" else name
                    less, more = int((ours < other).sum()), int((ours > other).sum())
                    p = binomtest(less, less + more).pvalue if less + more else 1.0
                    row |= {f"{name}: less": less, f"{name}: more": more, f"{name}: p": p}
                rows.append(row)
    return pd.DataFrame(rows)


def optimism(measured: pd.DataFrame) -> pd.DataFrame:
    """By how much estimates are below the truth, in percent of rows and of the true error; and who names too few."""
    rows = []
    for (percent, kind, learner), own in measured.groupby(["percent", "kind", "learner"]):
        gap = (own["error"] - own["estimate"]).groupby([own["topic"], own["split"]]).mean()
        truth = own["error"].mean()
        rows.append(
            {
                "percent": percent, "kind": kind, "learner": learner, "estimate": 100 * own["estimate"].mean(),
                "error": 100 * truth, "too low by": 100 * gap.mean(),
                "se": 100 * gap.groupby("split").mean().sem(), "of the error": gap.mean() / truth,
                "named positive": 100 * own["named"].mean(),
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def correlations(measured: pd.DataFrame) -> pd.DataFrame:
    """Rank correlation of estimate and truth: over the learners of a split, and over the splits of a learner."""
    rows = []
    for (percent, topic), own in measured.groupby(["percent", "topic"]):
        row = {"percent": percent, "topic": topic}
        for kind in ("cv", "dag"):
            of_kind = own[own["kind"] == kind]
            across = of_kind.groupby("learner")[["estimate", "error"]].apply(_rank_correlation)
            row |= {f"{kind}, all points": _rank_correlation(of_kind), f"{kind}, over splits": across.mean()}
        rows.append(row)
    return pd.DataFrame(rows)


def areas(measured: pd.DataFrame) -> pd.DataFrame:
    """The meta-selection by the area under the ROC curve in place of the error."""
    rows = []
    for percent in sorted(set(measured["percent"])):
        for reading in READINGS:
            for topic, own, _ in _questions(measured, percent, reading):
                truth = _wide(own, "auc")
                meta, means = chosen(own, "auc estimate", lowest=False)["auc"], truth.mean().sort_values()[::-1]
                rows.append(
                    {
                        "percent": percent, "reading": reading, "topic": topic,
                        "wrong %": 100 * np.mean(meta < truth.max(axis=1)), "choice": meta.mean(),
                        "2nd": means.iloc[1], "1st": means.iloc[0], "best": means.index[0],
                    }
                )  # fmt: skip
    return pd.DataFrame(rows)


def _questions(measured: pd.DataFrame, percent: int, reading: str) -> Iterator[tuple[str, pd.DataFrame, pd.DataFrame]]:
    """The rows of each topic, and their errors with a column for each learner of each kind."""
    of_reading = measured[(measured["percent"] == percent) & measured["learner"].isin(READINGS[reading])]
    for topic, own in of_reading.groupby("topic"):
        yield str(topic), own, _wide(own, "error")


def _wide(own: pd.DataFrame, what: str) -> pd.DataFrame:
    wide = own.pivot(index="split", columns=["kind", "learner"], values=what)
    wide.columns = [" ".join(name) for name in wide.columns]
    return wide


def _rank_correlation(own: pd.DataFrame) -> float:
    if own["estimate"].nunique() < 2 or own["error"].nunique() < 2:
        return np.nan
    return float(own["estimate"].corr(own["error"], method="spearman"))
