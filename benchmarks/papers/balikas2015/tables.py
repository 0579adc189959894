"""What the finished tables of Balikas et al. say: the claims, how fast, why choices differ, and Table 3 as printed."""

import numpy as np
import pandas as pd

METHODS = ("bound_un", "bound_test", "hold_out", "5_cv")
MEASURES = ("accuracy", "maf")
CHECKS = ("bound_un", "5_cv"), ("bound_test", "5_cv"), ("bound_un", "hold_out"), ("5_cv", "best")


def claims(table: pd.DataFrame, source: str) -> pd.DataFrame:
    """Differences between methods, with the standard error over sets, for each learner and measure."""
    rows = []
    for (learner, measure), block in table.groupby(["learner", "measure"], sort=False):
        wide = block.pivot(index="set", columns="method", values="score")
        for method, other in CHECKS:
            if other in wide:
                gap = (wide[method] - wide[other]).to_numpy()
                rows.append(
                    {
                        "source": source, "learner": learner, "measure": measure, "difference": f"{method} − {other}",
                        "mean": gap.mean(), "se": gap.std(ddof=1) / np.sqrt(len(gap)) if len(gap) > 1 else np.nan,
                        "better": int((gap > 1e-9).sum()), "equal": int((abs(gap) <= 1e-9).sum()),
                        "worse": int((gap < -1e-9).sum()), "lowest": gap.min(), "sets": len(gap),
                    }
                )  # fmt: skip
    return pd.DataFrame(rows)


def speed(table: pd.DataFrame) -> pd.DataFrame:
    """How many times longer than the bound on the pool the others take; means are geometric, over sets."""
    rows = []
    for learner, block in table[table["measure"] == "accuracy"].groupby("learner", sort=False):
        alone = block.pivot(index="set", columns="method", values="seconds")
        whole = alone + block.pivot(index="set", columns="method", values="final")
        row = {"learner": learner}
        for other in ("5_cv", "hold_out", "bound_test"):
            row[f"{other} / bound_un"] = float(np.exp(np.log(alone[other] / alone["bound_un"]).mean()))
            row[f"{other} / bound_un, with final fit"] = float(np.exp(np.log(whole[other] / whole["bound_un"]).mean()))
        rows.append(row)
    return pd.DataFrame(rows)


def agreement(table: pd.DataFrame, curves: pd.DataFrame) -> pd.DataFrame:
    """Why choices differ: the mean log10 C of each method, and its rank correlation with the truth over C."""
    rows = []
    for (learner, measure, method), block in table.groupby(["learner", "measure", "method"], sort=False):
        row = {"learner": learner, "measure": measure, "method": method, "mean log10 C": block["log10_C"].mean()}
        if method in METHODS:
            own = curves[curves["learner"] == learner].groupby("set")
            row["rank correlation"] = own[[f"{method} {measure}", f"test {measure}"]].apply(
                lambda pair: pair.corr("spearman").iloc[0, 1]
            ).mean()  # fmt: skip
        rows.append(row)
    return pd.DataFrame(rows)


def as_printed(table: pd.DataFrame) -> pd.DataFrame:
    """Table 3 in the shape of the paper, the best in hindsight and seconds beside it."""
    table = table.assign(
        shown=[
            f"{row.score:.4f}" + (f" ±{row.sd:.4f}" if row.method == "hold_out" else "")
            for row in table.itertuples()
        ]
    )  # fmt: skip
    wide = table.pivot(index=["learner", "set"], columns=["method", "measure"], values="shown")
    order = [(m, s) for m in (*METHODS, "best") for s in MEASURES if (m, s) in wide.columns]
    wide = wide[order].reindex(list(dict.fromkeys(zip(table["learner"], table["set"], strict=True))))
    wide.columns = [f"{method} {'acc' if measure == 'accuracy' else 'MaF'}" for method, measure in order]
    if "seconds" in table:
        timed = table[(table["measure"] == "accuracy") & (table["method"] != "best")]
        seconds = timed.pivot(index=["learner", "set"], columns="method", values="seconds").reindex(wide.index)
        for method in METHODS:
            wide[f"s {method}"] = seconds[method].map("{:.2f}".format)
        wide["5_cv / bound_un"] = (seconds["5_cv"] / seconds["bound_un"]).map("{:.1f}".format)
    return wide.reset_index()
