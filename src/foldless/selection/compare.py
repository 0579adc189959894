"""compare: several criteria on the same candidates, every common fit run once."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from foldless.core import Criterion
from foldless.core.certificate import SEVERAL
from foldless.core.scoring import Judge
from foldless.criteria import resolve
from foldless.data.opening import open_data
from foldless.engine.progress import observer
from foldless.engine.run import Drive
from foldless.errors import BadInput, CandidatesFailed, CannotAnswer, FoldlessError, Note, Unfinished
from foldless.selection.selection import Comparison, Selection
from foldless.selection.session import Request, Session, TestLabels


def compare(
    estimator: Any,
    param_grid: Any,
    X: Any,
    y: Any,
    *,
    X_unlabeled: Any = None,
    criteria: Sequence[str | Criterion] | Mapping[str, str | Criterion],
    X_test: Any = None,
    y_test: Any = None,
    groups: Any = None,
    n_iter: int | None = None,
    n_jobs: int | None = None,
    journal: Any = None,
    time_budget: float | None = None,
    keep_models: float = 512,
    tie_break: str = "first",
    verbose: int = 0,
    random_state: Any = None,
) -> Comparison:
    """Choose by several criteria at once; every fit that two of them need is run once.

    No model is trained only to be handed over: ``comparison[name].model`` is there where a criterion trained it anyway.

    Parameters
    ----------
    estimator, param_grid, n_iter, n_jobs, journal, time_budget, keep_models, tie_break, verbose, random_state
        As for `FoldlessSearch`.
    X, y, X_unlabeled, groups
        As for `FoldlessSearch.fit`.
    criteria : list of str or Criterion, or dict
        Ways of choosing; the keys of a dict are their names in the table. A criterion that cannot be served is a row
        without a choice.
    X_test, y_test : optional
        Labeled rows that only show the truth beside each choice.

    Returns
    -------
    Comparison
        ``table()`` has a row per criterion; ``n_fits`` counts the fits.
    """
    named = _named(criteria)
    data = open_data(X, y, X_unlabeled, X_test=X_test, y_test=y_test, groups=groups)
    request = Request(
        estimator, param_grid, n_iter, n_jobs, None if journal is None else str(journal), time_budget, keep_models,
        tie_break, random_state,
    )  # fmt: skip
    session = Session(request, data, observer(verbose))
    unable = {name: Note.of(why) for name, c in named.items() if (why := session.unable(c)) is not None}
    if len(unable) == len(named):
        remedies = dict.fromkeys(remedy for why in unable.values() for remedy in why.remedies)
        raise CannotAnswer("; ".join(why.problem for why in unable.values()), remedy=list(remedies))
    able = {name: c for name, c in named.items() if name not in unable}
    test = [] if data.test is None else [TestLabels(session.test_rows, data.test_y)]
    drives = session.run([*able.values(), *test])
    by_name = dict(zip(able, drives, strict=False))
    selections: dict[str, Selection] = {}
    nothing: list[FoldlessError] = []
    for name, one in by_name.items():
        try:
            selections[name] = session.selection(one, refit=False)
        except (CandidatesFailed, CannotAnswer, Unfinished) as error:
            unable[name] = Note.of(error)
            nothing.append(error)
    if not selections:
        raise nothing[0]
    if sum(one.certificate is not None for one in selections.values()) > 1:
        session.notes.append(SEVERAL)
    truth = {c.candidate: c.score for c in drives[-1].choices or ()} if test else None
    rows = [_row(session, name, by_name.get(name), selections.get(name), unable.get(name), truth) for name in named]
    n_fits = session.counts(drives)  # a row may have trained a model that only one criterion offers
    selections = {name: replace(one, n_fits=n_fits) for name, one in selections.items()}
    return Comparison(
        selections, unable, tuple(rows), n_fits, session.engine.stopped, tuple(session.notes), truth or {}
    )


def _named(criteria: Sequence[str | Criterion] | Mapping[str, str | Criterion]) -> dict[str, Criterion]:
    """Criteria by the names that the table shows."""
    if isinstance(criteria, str | Criterion):
        criteria = [criteria]
    if isinstance(criteria, Mapping):
        named = {name: resolve(criterion) for name, criterion in criteria.items()}
    else:
        named = {resolve(criterion).name: resolve(criterion) for criterion in criteria}
    if len(named) < len(criteria) or not named:
        raise BadInput(f"criteria must be at least one and differ from each other, got {criteria!r}")
    return named


def _row(
    session: Session,
    name: str,
    one: Drive | None,
    selection: Selection | None,
    why: str | None,
    truth: dict[Any, float] | None,
) -> dict[str, Any]:
    """A criterion's row in the table of a comparison."""
    row: dict[str, Any] = {"criterion": name, "params": None, "score": np.nan, "fits": 0, "seconds": np.nan}
    test: dict[str, Any] = {}
    if truth is not None:
        test = {"test_accuracy": np.nan, "test_macro_f1": np.nan, "regret": np.nan}
    if selection is None or one is None:
        return {**row, **test, "notes": f"n/a: {why}"}
    best = selection.best
    fits = {fit for fits in one.fits.values() for fit in fits}
    spent = [session.engine.seconds[fit] for fit in fits if fit in session.engine.seconds]
    row |= {
        "params": dict(best.candidate.params),
        "score": best.score,
        "fits": len(fits),
        "seconds": sum(s.fit + s.answer for s in spent),
    }
    if truth and best.candidate in truth and session.data.test_y is not None:
        labels = session.said(best, session.test_rows)
        accuracy = Judge("accuracy", session.data.classes).score("labels", session.data.test_y, labels)
        test = {
            "test_accuracy": accuracy,
            "test_macro_f1": Judge("f1_macro", session.data.classes).score("labels", session.data.test_y, labels),
            "regret": max(truth.values()) - accuracy,
        }
    return {**row, **test, "notes": "; ".join(best.notes)}
