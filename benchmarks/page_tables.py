"""Tables of docs that are made of one kept result each: certificates, shares beside QuaPy, schedulers and plans."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from benchmarks.places import RESULTS
from benchmarks.records import read
from benchmarks.scale.plan import size

LARGE_POOL = 1_000  # rows, as in `benchmarks.coverage.certificates`
HOLD_OUT = "hold_out, 20 %"
CERTIFIED = {
    "progressive": "`progressive`",
    "progressive, refit": "with refit=True",
    HOLD_OUT: "`hold_out`, a fifth",
    "semi_supervised_cv, k=1": "`semi_supervised_cv`, k=1",
    "semi_supervised_cv, k=3": "with k=3",
    "semi_supervised_cv": "with k=5, the default",
}
QUANTIFIERS = {name: f"`{name}`" for name in ("cc", "pcc", "acc", "pacc")} | {
    "em": "`em` (no calibration)", "hdy": "`hdy`", "dys": "`dys` (Hellinger)", "ms": "`ms`", "kdey": "`kdey`",
    "max": "`max`", "x": "`x`", "t50": "`t50`",
}  # fmt: skip
"""Methods in the order of the page, as they are named there."""


def certificates() -> str:
    """Mean bounds at confidence 0.95, beside those of a hold-out."""
    rows = pd.read_csv(RESULTS / "certificates" / "bounds.csv")
    wide = rows.pivot_table(index=["set", "labels", "seed", "pool"], columns="method", values="upper")
    labels, pool = (wide.index.get_level_values(name) for name in ("labels", "pool"))
    large = wide[pool >= LARGE_POOL].mean()
    narrower = wide.lt(wide[HOLD_OUT], axis=0).mean()
    errors = rows.groupby("method")["error"].mean()
    false = (rows["error"] > rows["upper"]).groupby(rows["method"]).sum()
    lines = {
        shown: [
            part(wide[name].mean(), 3), _times(wide[name].mean() / wide[HOLD_OUT].mean()),
            _times(large[name] / large[HOLD_OUT]), *(part(wide[labels == n][name].mean(), 3) for n in (100, 300, 1000)),
            "" if name == HOLD_OUT else f"{100 * narrower[name]:.0f} %", part(errors[name], 3), str(false[name]),
        ]
        for name, shown in CERTIFIED.items()
    }  # fmt: skip
    head = ["all", "of the hold-out's", "1,000 pool rows or more", "100 labels", "300 labels", "1,000 labels",
            "narrower than the hold-out", "test error of the model", "false"]  # fmt: skip
    return table(["", *head], lines)


def beside_quapy() -> str:
    """Mean absolute errors of class shares over the sets, with the same posteriors and bags."""
    records = pd.DataFrame(read(RESULTS / "quantify" / "accuracy.jsonl"))
    means = records.groupby("method")[["ours", "QuaPy"]].mean()
    sets = records.groupby("method").size()
    lines = {
        shown: [str(sets[name]), part(means["ours"][name], 4), part(means["QuaPy"][name], 4),
                part(means["ours"][name] / means["QuaPy"][name], 3)]
        for name, shown in QUANTIFIERS.items()
        if name in means.index
    }  # fmt: skip
    return table(["method", "sets", "ours", "QuaPy 0.2.3", "ratio"], lines)


def bundles() -> str:
    """Seconds of 100,000 fits on 1,000 workers, by a queue with one server."""
    lines = {}
    for ms, curve in _scheduler()["curves"].items():
        fits = f"fits of {ms} ms" if float(ms) < 1_000 else f"fits of {float(ms) / 1_000:g} s"
        lines[fits] = [
            f"{curve['seconds'][0]:.0f} s", f"{curve['own']:.1f} s", f"{curve['calls']:,}", f"{curve['ideal']:g} s"
        ]  # fmt: skip
    return table(["", "one fit per call", "bundles", "calls", "no scheduler"], lines)


def queue() -> str:
    """The queue beside Dask's scheduler."""
    lines = {
        str(row["workers"]): [
            f"{row['calls']:,} of {row['ms']:g} ms", f"{row['dask']:.2f} s", f"{row['model']:.2f} s",
            f"{row['model'] / row['dask']:.2f}",
        ]
        for row in _scheduler()["checked"]
    }  # fmt: skip
    return table(["threads", "calls", "Dask", "queue", "queue / Dask"], lines)


def plans() -> str:
    """What 10⁹ rows and 10⁶ classes would take on many nodes."""
    kept = json.loads((RESULTS / "plan" / "plan.json").read_text(encoding="utf-8"))
    lines = {
        step["what"]: [
            f"{step['core_hours']:,.1f}", size(step["to_each_node"]), size(step["to_client"]),
            f"{step['minutes']:,.1f}", step["bottleneck"], f"${step['dollars']:,.2f}",
        ]
        for step in kept["steps"]
    }  # fmt: skip
    return table(["step", "core hours", "to each node", "to the client", "minutes", "bottleneck", "cost"], lines)


def table(head: Sequence[str], lines: Mapping[str, Sequence[str]]) -> str:
    """A table in Markdown; the first cell of each line is its name."""
    rows = [head, ["---"] * len(head), *([name, *cells] for name, cells in lines.items())]
    return "\n".join("| " + " | ".join(row) + " |" if row[0] != "---" else f"|{'|'.join(row)}|" for row in rows)


def part(value: float, digits: int) -> str:
    """A number below one without its zero."""
    return f"{value:.{digits}f}".removeprefix("0")


def _times(ratio: float) -> str:
    return "1" if ratio == 1 else part(ratio, 2)


def _scheduler() -> Any:
    return json.loads((RESULTS / "scheduler" / "scheduler.json").read_text(encoding="utf-8"))
