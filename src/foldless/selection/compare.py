"""compare: several criteria on the same candidates, every common fit run once."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from foldless.core import Criterion
from foldless.core.certificate import SEVERAL
from foldless.criteria import resolve
from foldless.data._metadata import Draws, Metadata
from foldless.data._minus_one import ASSUMED
from foldless.data._opening import open_sample
from foldless.engine._candidates import are_regressors
from foldless.errors import BadInput, Note
from foldless.judging._judge import Scoring
from foldless.judging._scoring import ClassJudge
from foldless.judging._value_scoring import r2
from foldless.results.comparison import Comparison
from foldless.selection._default_candidates import candidates_for
from foldless.selection._request import Request

if TYPE_CHECKING:
    from foldless.selection._road import Chosen


def compare(
    estimator: Any = None,
    param_grid: Any = None,
    X: Any = None,
    y: Any = None,
    *,
    X_unlabeled: Any = None,
    unlabeled: Any = ASSUMED,
    criteria: Sequence[str | Criterion] | Mapping[str, str | Criterion] | None = None,
    scoring: Scoring | None = None,
    X_test: Any = None,
    y_test: Any = None,
    groups: Any = None,
    label_probabilities: Any = None,
    label_rounds: Any = None,
    refit: str | bool = False,
    n_iter: int | None = None,
    n_jobs: int | None = None,
    journal: Any = None,
    time_budget: float | None = None,
    keep_models: float = 512,
    verbose: int = 0,
    random_state: Any = None,
) -> Comparison:
    """Choose by several criteria at once; every fit that two of them need is run once.

    Unless ``refit`` asks for one, no model is trained only to be returned: ``comparison[name].model`` is there where a
    criterion trained it anyway.

    Parameters
    ----------
    estimator, param_grid, n_iter, n_jobs, journal, time_budget, keep_models, verbose, random_state
        As for `FoldlessSearch`.
    X, y, X_unlabeled, unlabeled, groups, label_probabilities, label_rounds
        As for `FoldlessSearch` and its fit. Several named estimators have their grids with them:
        ``compare(estimators, X, y)``. Without an estimator, ``compare(X=X, y=y)``, the portfolio is compared.
    criteria : list of str or Criterion, or dict, optional
        Ways of choosing; the keys of a dict are their names in the table. A criterion that the candidates or the data
        cannot serve is a row without a choice. By default ``auto``, ``k_fold`` and ``quantification_bound``, and for
        the portfolio ``combination`` before them; among regressors, which have no bound, ``repeated_k_fold`` takes its
        place.
    scoring : str, callable or `foldless.Metric`, optional
        The metric to choose by, for the criteria that have one; a criterion with a score of its own keeps it. By
        default such a criterion is then left out.
    X_test, y_test : optional
        Labeled rows on which each choice is measured; never used for choosing.
    refit : bool or str
        The criterion whose chosen model is wanted, as ``comparison.best(refit).model``; True is the first one.

    Returns
    -------
    Comparison
        ``table()`` has a row per criterion; ``best()`` is the selection of the first one, or of one that is named.
    """
    from foldless.selection._road import Wanted, choose  # the engine, once it is needed
    from foldless.selection.watching import observing

    started = time.monotonic()
    if isinstance(estimator, Mapping) and y is None and param_grid is not None:  # compare(estimators, X, y)
        param_grid, X, y = None, param_grid, X
    if X is None:
        raise BadInput("compare needs rows: pass X and y, as compare(estimator, param_grid, X, y)")
    first: tuple[str, ...] = ()
    if estimator is None:
        estimator, first = candidates_for(X, y, X_unlabeled, unlabeled, param_grid=param_grid), ("combination",)
    named = _named((*first, *usual(estimator, by_metric=scoring is not None)) if criteria is None else criteria)
    if scoring is not None:
        named = {name: _by_metric(criterion, scoring) for name, criterion in named.items()}
    if isinstance(refit, str) and refit not in named:
        raise BadInput(f"refit names {refit!r}, which is not one of the criteria: name one of {', '.join(named)}")
    refitted = [refit] if isinstance(refit, str) else list(named)[:1] if refit else []
    request = Request(
        estimator, param_grid, n_iter, n_jobs, journal, time_budget, keep_models, random_state, started=started
    )
    metadata = Metadata(draws=Draws(label_probabilities, label_rounds))
    sample = open_sample(
        X, y, X_unlabeled, kind=request.kind, X_test=X_test, y_test=y_test, groups=groups, metadata=metadata,
        unlabeled=unlabeled, random_state=random_state,
    )  # fmt: skip
    wanted = Wanted(refitted, required=refitted, measure_all=True)
    chosen = choose(request, named, sample, wanted, observing(verbose))
    unable = {name: Note.of(why) for name, why in chosen.errors.items()}
    rows = tuple(_row(chosen, name, unable.get(name)) for name in named)
    n_fits = next(iter(chosen.selections.values())).n_fits
    certified = sum(selection.certificate is not None for selection in chosen.selections.values())
    notes = (*chosen.session.notes, *_own_notes(chosen), *([SEVERAL] if certified > 1 else []))
    stopped = chosen.session.engine.stopped
    return Comparison(chosen.selections, unable, rows, n_fits, stopped, notes, chosen.test_accuracy, chosen.shift)


def usual(estimator: Any, *, by_metric: bool = False) -> tuple[str, ...]:
    """The criteria of a comparison for which none are named; ``by_metric`` those that a metric can be named for."""
    return ("auto", "k_fold", "repeated_k_fold" if by_metric or are_regressors(estimator) else "quantification_bound")


def _by_metric(criterion: Criterion, scoring: Scoring) -> Criterion:
    """The criterion with another metric, where it has one."""
    if "scoring" not in getattr(criterion, "__dataclass_fields__", {}):
        return criterion
    return replace(criterion, scoring=scoring)  # type: ignore[type-var]  # it is a dataclass


def _named(criteria: Sequence[str | Criterion] | Mapping[str, str | Criterion]) -> dict[str, Criterion]:
    if isinstance(criteria, str | Criterion):
        criteria = [criteria]
    if isinstance(criteria, Mapping):
        named = {name: resolve(criterion) for name, criterion in criteria.items()}
    else:
        named = {resolve(criterion).name: resolve(criterion) for criterion in criteria}
    if len(named) < len(criteria) or not named:
        raise BadInput(f"criteria must be one or more different criteria, got {criteria!r}")
    return named


def _own_notes(chosen: "Chosen") -> list[str]:
    """What is to be said of single criteria, with their names; the notes of certificates stand beside these."""
    whose: dict[str, list[str]] = {}
    for name, selection in chosen.selections.items():
        elsewhere = (*chosen.session.notes, *(() if selection.certificate is None else selection.certificate.notes))
        for note in selection.notes:
            if note not in elsewhere:
                whose.setdefault(note, []).append(name)
    return [f"{', '.join(names)}: {note}" for note, names in whose.items()]


def _row(chosen: "Chosen", name: str, why: str | None) -> dict[str, Any]:
    session, selection = chosen.session, chosen.selections.get(name)
    row: dict[str, Any] = {"criterion": name, "params": None, "score": np.nan, "better": None}
    row |= {"fits": 0, "seconds": np.nan}
    test: dict[str, Any] = {}
    if session.sample.test_y is not None:
        test = dict.fromkeys(_measures(session.task.regression), np.nan)
    if selection is None:
        return {**row, **test, "notes": f"n/a: {why}"}
    best, (fits, seconds) = selection.best, session.cost(chosen.drives[name])
    row |= {"params": dict(best.candidate.params), "score": best.score, "fits": fits, "seconds": seconds}
    row["better"] = selection.criterion.better
    if name in chosen.test_labels:
        labels, y, best_known = chosen.test_labels[name], np.asarray(session.sample.test_y), chosen.test_accuracy
        if session.task.regression:
            measured = [r2(y, labels), float(np.sqrt(np.mean(np.square(y - labels))))]
        else:
            judges = [ClassJudge(metric, session.sample.classes) for metric in ("accuracy", "f1_macro")]
            measured = [judge.score("labels", y, labels) for judge in judges]
        known = (*measured, max(best_known.values()) - measured[0])
        test = dict(zip(_measures(session.task.regression), known, strict=True))
    return {**row, **test, "notes": "; ".join(best.notes)}


def _measures(regression: bool) -> tuple[str, str, str]:
    """The columns of a table that are known with test rows."""
    return ("test_r2", "test_rmse", "regret") if regression else ("test_accuracy", "test_macro_f1", "regret")
