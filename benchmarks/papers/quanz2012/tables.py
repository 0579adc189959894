"""The tables of Quanz and Huan (2012) from the records of trials, with the paper's numbers beside ours."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import stats

from benchmarks.papers.few_labels.tables import BEST_EACH
from benchmarks.papers.few_labels.trial import MEASURES
from benchmarks.papers.journal import Record
from benchmarks.papers.quanz2012 import printed

CLOSE = 0.025
LEVEL = 0.05
BELIEF = (0, 0.2, 0.3, 1)  # bins of the mean error of all candidates in a trial
ORDER = (*printed.METHODS[:2], "CV, random tie", ".632+", ".632+, random tie", *printed.METHODS[3:], BEST_EACH)


def candidates(records: Sequence[Record]) -> pd.DataFrame:
    """Mean measures of every candidate over the trials."""
    means = np.mean([record["measures"] for record in records], axis=0)
    frame = pd.DataFrame(means, columns=list(MEASURES))
    frame.insert(0, "candidate", records[0]["names"])
    frame.insert(0, "set", records[0]["set"])
    return frame


def frac_close(grids: pd.DataFrame) -> pd.DataFrame:
    """How many candidates are within 0.025 of the best fixed one, which counts, and how wrong all are on average."""
    rows = []
    for name, own in grids.groupby("set", sort=False):
        near = int((own["error"] <= own["error"].min() + CLOSE).sum())
        best = own.loc[own["error"].idxmin(), "candidate"]
        rows.append(
            {"set": name, "here": f"{near}/{len(own)}", "paper": printed.FRAC_CLOSE[name], "best fixed": best,
             "mean error of all": own["error"].mean()}
        )  # fmt: skip
    return pd.DataFrame(rows)


def by_belief(records: Sequence[Record]) -> pd.DataFrame:
    """What CV and SDS-L choose where the candidates, from whose mean SDS draws its labels, are wrong so often."""
    wrong = [np.mean([own[0] for own in record["measures"]]) for record in records]
    chosen = [
        {name: record["measures"][record["chosen"][name][0]][0] for name in ("CV", "SDS-L")} for record in records
    ]
    frame = pd.DataFrame(chosen).assign(trials=1, between=pd.cut(wrong, BELIEF, right=False).astype(str))
    table = frame.groupby("between").agg({"trials": "sum", "CV": "mean", "SDS-L": "mean"}).reset_index()
    return table.rename(columns={"between": "mean error of all candidates"}).assign(set=records[0]["set"])


def table_3(chosen: pd.DataFrame) -> pd.DataFrame:
    """Means over trials beside the paper's; ``apart`` is the difference in standard errors of the difference."""
    long = chosen.melt(["set", "trial", "samples", "method"], list(MEASURES), "measure", "value")
    table = long.groupby(["set", "measure", "method"], sort=False)["value"].agg(["mean", "std", "size"]).reset_index()
    table = table.rename(columns={"std": "sd", "size": "trials"})
    table["standard error"] = table["sd"] / np.sqrt(table["trials"])
    table["samples"] = table["set"].map(chosen.groupby("set")["samples"].first())
    table = table.merge(printed.table_3(), how="left", on=["set", "measure", "method"])
    error = np.hypot(table["standard error"], table["paper sd"] / np.sqrt(printed.TRIALS))
    table["apart"] = (table["mean"] - table["paper"]) / error
    return table


def wide(third: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Table 3 of one measure with a row per method, and the mean over the sets."""
    own = third[third["measure"] == measure]
    cells = own["mean"].map("{:.3f}".format) + " ± " + own["sd"].map("{:.3f}".format)
    theirs = " | " + own["paper"].map("{:.3f}".format) + " ± " + own["paper sd"].map("{:.3f}".format)
    shown = own.assign(cell=cells + theirs.where(own["paper"].notna(), " |"))
    shown["column"] = shown["set"] + " (" + shown["trials"].astype(str) + " × " + shown["samples"].astype(str) + ")"
    table = shown.pivot(index="method", columns="column", values="cell")[list(dict.fromkeys(shown["column"]))]
    table = table.reindex([name for name in ORDER if name in table.index])
    sets = own["set"].nunique()
    means = own.groupby("method")[["mean", "paper"]].mean()[own.groupby("method").size() == sets]
    average = means["mean"].map("{:.3f}".format) + " | " + means["paper"].map("{:.3f}".format).replace("nan", "")
    return table.assign(average=average).fillna("n/a").reset_index()


def significance(chosen: pd.DataFrame) -> pd.DataFrame:
    """Tables 4 to 6: +1 where a method is significantly better than another by a paired t-test, -1 where worse.

    Citeseer is tested by MCC, the others by error, as in the paper.
    """
    table = printed.tests()
    table = table[table["set"].isin(chosen["set"])].copy()
    results = [
        _paired(chosen[chosen["set"] == row.set], row.set, row.method, row.against) for row in table.itertuples()
    ]
    table["here"], table["difference"], table["p"] = zip(*results, strict=True)
    table["both"] = table["here"] + " | " + table["paper"]
    return table


def _paired(own: pd.DataFrame, name: str, method: str, against: str) -> tuple[str, float, float]:
    """The sign of a significant difference, how much better the method is on average, and p."""
    measure, sign = ("mcc", 1) if name == "Citeseer" else ("error", -1)
    values = own.pivot(index="trial", columns="method", values=measure)
    if method not in values or against not in values:
        return "n/a", np.nan, np.nan
    gain = sign * (values[method] - values[against])
    if len(gain) < 2 or np.ptp(gain) == 0:
        return "0", float(gain.mean()), 1.0
    p = float(stats.ttest_1samp(gain, 0).pvalue)
    return f"{int(np.sign(gain.mean())):+d}" if p < LEVEL else "0", float(gain.mean()), p
