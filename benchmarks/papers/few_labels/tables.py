"""Records of trials as one table: what every criterion chose, and what no criterion could choose better."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from benchmarks.papers.few_labels.trial import MEASURES
from benchmarks.papers.journal import Record

BEST_FIXED, BEST_EACH = "Best Fixed", "best of each trial"
COUNTING = ("CV", "10-CV", ".632+")  # few labels give few values, so ties decide


def choices(records: Sequence[Record]) -> pd.DataFrame:
    """One row per trial and way of choosing: the chosen candidate and its measures."""
    grid = np.array([record["measures"] for record in records])
    best = int(np.nanargmin(grid[:, :, 0].mean(axis=0)))  # a candidate that failed once is none
    rows = []
    for record, measured in zip(records, grid, strict=True):
        each = int(np.nanargmin(measured[:, 0]))
        own = {name: (record["names"][at[0]], len(at), measured[at[0]]) for name, at in record["chosen"].items()}
        own |= {
            f"{name}, random tie": ("", len(at), measured[at].mean(axis=0))
            for name, at in record["chosen"].items()
            if name in COUNTING
        }
        own |= {name: (record["names"][at], 1, measured[at]) for name, at in ((BEST_FIXED, best), (BEST_EACH, each))}
        own |= {name: ("", 1, values) for name, values in record.get("fixed", {}).items()}
        rows += [
            {"set": record["set"], "trial": record["trial"], "samples": record["samples"], "method": name,
             "chosen": chosen, "tied": n, **dict(zip(MEASURES, values, strict=True))}
            for name, (chosen, n, values) in own.items()
        ]  # fmt: skip
    return pd.DataFrame(rows)
