"""certify: how wrong can this model be? An upper bound on its error, that holds after choosing."""

import time
from dataclasses import replace
from typing import Any

from foldless import criteria as kinds  # each is imported when it is used
from foldless.core import Criterion, Values
from foldless.core.certificate import Certificate
from foldless.data._minus_one import ASSUMED
from foldless.data._opening import open_sample
from foldless.errors import BadInput, CannotAnswer, Note
from foldless.judging._counted import EqualRows
from foldless.selection._default_candidates import candidates_for
from foldless.selection._request import Request

USUAL = 0.95
NUMBERS = "certify bounds the error of classifiers, and regressors predict numbers"
FOR_NUMBERS = ("estimate their R² with FoldlessSearch", "bin the values of y and pass a classifier")


def certify(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    X_unlabeled: Any = None,
    unlabeled: Any = ASSUMED,
    confidence: float | None = None,
    param_grid: Any = None,
    method: str | Criterion | None = None,
    equal_rows: EqualRows | None = None,
    compare_with: str | Criterion | None = None,
    X_test: Any = None,
    y_test: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
    journal: Any = None,
    time_budget: float | None = None,
    verbose: int = 0,
    random_state: Any = None,
) -> Certificate:
    """Train a model and bound its error; with a grid, choose and certify at once.

    By default the first seven tenths of the labels, in random order, choose and train the model, and the others certify
    it. ``method=Progressive(refit=True)`` certifies a model trained on every label: the pool bounds how far it is from
    the one that was tested, and the bound is wider.

    Parameters
    ----------
    estimator, param_grid, n_jobs, journal, time_budget, verbose, random_state
        As for `FoldlessSearch`. If ``estimator`` is None, the candidates are those of the portfolio that need no pool,
        and the best one is certified: an average has no certificate.
    X, y, X_unlabeled, unlabeled, groups
        As for `FoldlessSearch` and its fit. The pool must be other rows than the labeled ones, from the same
        population; the default needs none. Rows of one group count as one; with groups, pass
        ``X_unlabeled=Pool(X_unlabeled, groups=...)``.
    confidence : float, optional
        The probability with which the bound holds, also after choosing. 0.95 unless ``method`` is an object that has
        its own.
    method : "progressive", "semi_supervised_cv", "hold_out", or a criterion of these classes
        How to certify; "progressive" if None. Decide before you see a result. "semi_supervised_cv" certifies a model
        trained on every label and needs a pool; "hold_out" chooses by the labels that certify, and divides δ by the
        number of candidates.
    equal_rows : "either" or "draws", optional
        What rows of equal content are. By default the bound allows for copies of one draw; ``"draws"`` says that they
        are separate draws, as with a few categorical columns, and the bound is narrower.
    compare_with : "hold_out" or a `HoldOut` object, optional
        Also compute the certificate of a plain hold-out, as ``certificate.selection.beside``. Each certificate holds
        by itself: the smaller of the two does not hold at their confidence.
    X_test, y_test : optional
        Labeled rows on which the error of the model is measured; never used for choosing.

    Returns
    -------
    Certificate
        ``upper``, ``confidence`` and what it ``assumes``; ``terms`` are the summands, ``model`` is the model, and
        ``selection`` the ranking with a bound for each candidate.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.utils import shuffle
    >>> from foldless import certify
    >>> from foldless.learners import LogisticRegression
    >>> X, y = shuffle(*load_digits(return_X_y=True), random_state=0)
    >>> certificate = certify(LogisticRegression(), X[:900] / 16, y[:900], X_unlabeled=X[900:] / 16, random_state=0)
    >>> print(str(certificate).split(",")[0])
    error at most 0.07988 with confidence 0.95 (progressive)
    >>> for term in certificate.terms:
    ...     print(term)
    error of the fit on 630 of the labels, tested on the others: at most 0.07988 (observed 0.05185 on 270 rows, δ 0.05)
    """
    from foldless.selection._road import Wanted, choose  # the engine, once it is needed
    from foldless.selection.watching import observing

    started = time.monotonic()
    criteria = {"criterion": _certifying("progressive" if method is None else method, confidence, equal_rows)}
    if compare_with is not None:
        other = _certifying(compare_with, confidence, equal_rows)
        criteria["compare_with"] = _compared(criteria["criterion"], other)
    if estimator is None:
        estimator = candidates_for(X, y, X_unlabeled, unlabeled, param_grid=param_grid, pool_teaches=False)
    request = Request(
        estimator, param_grid, None, n_jobs, journal, time_budget, random_state=random_state, started=started
    )
    if request.kind is Values:
        raise CannotAnswer(NUMBERS, value=estimator, remedy=FOR_NUMBERS)
    sample = open_sample(
        X, y, X_unlabeled, kind=request.kind, X_test=X_test, y_test=y_test, groups=groups, unlabeled=unlabeled,
        random_state=random_state,
    )  # fmt: skip
    chosen = choose(request, criteria, sample, Wanted(["criterion"], required=list(criteria)), observing(verbose))
    if "criterion" in chosen.errors:
        raise chosen.errors["criterion"]
    selection, notes = chosen.selections["criterion"], list[str]()
    if (why := chosen.errors.get("compare_with")) is not None:
        problem = f"there is no certificate by {criteria['compare_with'].name} to compare with: {why.problem}"
        notes.append(Note(problem, remedy=why.remedies))
    selection = replace(selection, beside=chosen.selections.get("compare_with"), notes=(*selection.notes, *notes))
    assert selection.certificate is not None
    return replace(selection.certificate, model=selection.model, notes=selection.notes, selection=selection)


def _certifying(criterion: str | Criterion, confidence: float | None, equal_rows: EqualRows | None) -> Criterion:
    named = kinds.resolve(criterion)
    if not isinstance(named, kinds.SemiSupervisedCV | kinds.Progressive | kinds.HoldOut):
        raise BadInput(f"{named.name} gives no certificate: use 'progressive', 'semi_supervised_cv' or 'hold_out'")
    if isinstance(criterion, str) or named.confidence is None:
        named = replace(named, confidence=USUAL if confidence is None else confidence)
    elif confidence not in (None, named.confidence):
        raise BadInput(
            f"confidence={confidence!r} is not that of {named.name}, {named.confidence!r}: give it to one of them only"
        )
    return named if equal_rows is None else replace(named, equal_rows=equal_rows)


def _compared(criterion: Criterion, other: Criterion) -> Criterion:
    """The criterion to compare with, if it is one that holds labels out beside one that does not."""
    if not isinstance(other, kinds.HoldOut) or isinstance(criterion, kinds.HoldOut):
        raise BadInput(
            f"{criterion.name} cannot be compared with {other.name}: compare progressive or semi_supervised_cv with "
            f"hold_out"
        )
    return other
