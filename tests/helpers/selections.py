"""Results made by hand, for tests of what is shown: any scores, any names, without a fit."""

from typing import Any

import numpy as np
import pandas as pd

from foldless.core import Candidate, Choice, FitCounts, ranked
from foldless.criteria import KFold, QuantificationBound
from foldless.results._selection_parts import LabelsAndPool, RunRecord
from foldless.results.comparison import Comparison
from foldless.results.selection import Selection
from foldless.results.timing import Timing

HOSTILE = (
    "<script>window.pwned = 1</script>",
    "\"'><img src=x onerror=\"window.pwned = 1\">",
    "]]></style></svg><script>window.pwned = 1</script>",
    "$x$ and $\\frac{1}{2$",
    "{{ 7 * 7 }} {% raw %}",
    "x" * 10_000,
    "שלום עולם \u202eabc",
    "🙂 👩‍👩‍👧‍👦 漢字 \U0001f9ff",
    "nul \x00 bell \x07 line\nbreak \ud800 \uffff",
    "_hidden javascript:alert(1)",
)  # fmt: skip


def candidates(points: list[dict[str, Any]], names: list[str] | None = None) -> list[Candidate]:
    named = names or [
        ", ".join(f"{k}={v:g}" if isinstance(v, float) else f"{k}={v}" for k, v in p.items()) for p in points
    ]
    return [Candidate(at, name, point) for at, (name, point) in enumerate(zip(named, points, strict=True))]


def selection(
    points: list[dict[str, Any]],
    scores: list[float],
    *,
    names: list[str] | None = None,
    classes: tuple[Any, ...] = ("ham", "spam"),
    pool: bool = True,
    splits: int = 0,
    failed: tuple[int, ...] = (),
    unfinished: tuple[int, ...] = (),
    error: str = "no fit",
    criterion: Any = None,
    notes: tuple[str, ...] = (),
    stopped: str | None = None,
    **others: Any,
) -> Selection:
    """A selection of these candidates; those that failed or are unfinished have no score."""
    every = candidates(points, names)
    rng = np.random.default_rng(0)
    choices = [
        Choice(c, score, (), tuple(score + rng.normal(0, 0.02, splits)), notes)
        for c, score in zip(every, scores, strict=True)
        if c.index not in (*failed, *unfinished)
    ]
    judge = criterion or (KFold() if splits else QuantificationBound())
    shares = rng.dirichlet(np.ones(len(classes)), 2)
    index = pd.Index(list(classes), dtype=object, name="class")
    return Selection(
        judge,
        tuple(ranked(judge, choices)),
        RunRecord(
            {every[at]: RuntimeError(error) for at in failed},
            tuple(every[at] for at in unfinished),
            n_fits=FitCounts(run=len(every), shared=3, resumed=2, final=1),
            timings={c: Timing((0.25,), (0.5,)) for c in every},
            stopped=stopped,
        ),
        LabelsAndPool(pd.Series(shares[0], index=index), pd.Series(shares[1], index=index) if pool else None),
        **{"notes": (), "model": object(), **others},
    )


def hostile(classes: tuple[Any, ...] = HOSTILE) -> Selection:
    """Every string that a user could bring is one that must stay text."""
    points = [{"estimator": name, "key" + name: at} for at, name in enumerate(HOSTILE)]
    return selection(
        points, list(np.linspace(0.4, 0.9, len(points))), names=list(HOSTILE), classes=classes, failed=(3,),
        unfinished=(4,), error=HOSTILE[0] + HOSTILE[5], notes=HOSTILE,
        stopped=HOSTILE[1],
    )  # fmt: skip


def comparison(
    selections: dict[str, Selection], *, test: bool = False, unable: dict[str, str] | None = None
) -> Comparison:
    """A comparison of selections over the same candidates."""
    first = next(iter(selections.values()))
    every = sorted((choice.candidate for choice in first.ranking), key=lambda c: c.index)
    truth = {c: 0.5 + 0.4 * at / len(every) for at, c in enumerate(every)} if test else {}
    rows: list[dict[str, Any]] = []
    for name, chosen in selections.items():
        best = chosen.best
        rows.append(
            {"criterion": name, "params": dict(best.candidate.params), "score": best.score, "fits": 3, "seconds": 0.5}
            | ({"test_accuracy": truth[best.candidate], "test_macro_f1": 0.4, "regret": 0.1} if test else {})
            | {"notes": "; ".join(best.notes)}
        )
    for name, why in (unable or {}).items():
        none = {"criterion": name, "params": None, "score": np.nan, "fits": 0, "seconds": np.nan}
        gone = dict.fromkeys(("test_accuracy", "test_macro_f1", "regret"), np.nan) if test else {}
        rows.append(none | gone | {"notes": f"n/a: {why}"})
    return Comparison(selections, unable or {}, tuple(rows), FitCounts(run=9, shared=4), test_accuracy=truth)


def grid(n: int, seed: int = 0) -> tuple[list[dict[str, Any]], list[float]]:
    """n values of C and a score for each."""
    values = np.logspace(-4, 3, n)
    return [{"C": float(value)} for value in values], list(np.random.default_rng(seed).uniform(0.3, 0.9, n))
