"""certify: how wrong can this model be? An upper bound on its error, made without holding labels out."""

from dataclasses import replace
from typing import Any

from foldless.core import Criterion
from foldless.core.certificate import Certificate
from foldless.criteria import HoldOut, SemiSupervisedCV, resolve
from foldless.data.opening import open_data
from foldless.engine.progress import observer
from foldless.errors import BadInput
from foldless.selection.session import Request, Session

USUAL = 0.95


def certify(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    X_unlabeled: Any = None,
    confidence: float | None = None,
    param_grid: Any = None,
    criterion: str | Criterion = "semi_supervised_cv",
    groups: Any = None,
    n_jobs: int | None = None,
    journal: Any = None,
    time_budget: float | None = None,
    verbose: int = 0,
    random_state: Any = None,
) -> Certificate:
    """Train a model on every label and bound its error; with a grid, choose and certify at once.

    Parameters
    ----------
    estimator, param_grid, n_jobs, journal, time_budget, verbose, random_state
        As for `FoldlessSearch`.
    X, y, X_unlabeled, groups
        As for `FoldlessSearch.fit`; rows of one group are not independent, so they are refused. The pool must be other
        rows than the labeled ones, from the same population.
    confidence : float, optional
        The probability with which the bound holds, also after choosing. 0.95 unless ``criterion`` is an object that has
        its own.
    criterion : "semi_supervised_cv", "hold_out", or an object of theirs
        How to certify. ``"hold_out"`` needs no pool, and the model is trained without the labels held out.

    Returns
    -------
    Certificate
        ``upper``, ``confidence`` and what it ``assumes``; ``terms`` are the summands, ``model`` is the model.

    Examples
    --------
    >>> from sklearn.datasets import load_digits
    >>> from sklearn.utils import shuffle
    >>> from foldless import certify
    >>> from foldless.learners import LogisticRegression
    >>> X, y = shuffle(*load_digits(return_X_y=True), random_state=0)
    >>> made = certify(LogisticRegression(), X[:900] / 16, y[:900], X_unlabeled=X[900:] / 16, random_state=0)
    >>> print(str(made).split(",")[0])
    error at most 0.1325 with confidence 0.95 (semi_supervised_cv)
    >>> for term in made.terms:
    ...     print(term)
    error of the 5 fits without a fold, judged on their folds: at most 0.1106 (observed 0.05222 on 900 rows, δ 0.025)
    disagreement of the model with them, on the pool: at most 0.02184 (observed 0.01226 on 897 rows, δ 0.025)
    """
    chosen = _certifying(criterion, confidence)
    data = open_data(X, y, X_unlabeled, groups=groups)
    request = Request(
        estimator, param_grid, n_jobs=n_jobs, journal=None if journal is None else str(journal),
        time_budget=time_budget, random_state=random_state,
    )  # fmt: skip
    session = Session(request, data, observer(verbose))
    if (why := session.unable(chosen)) is not None:
        raise why
    (one,) = session.run([chosen])
    selection = session.selection(one, refit=True)
    assert selection.certificate is not None
    return replace(selection.certificate, model=selection.model, notes=selection.notes)


def _certifying(criterion: str | Criterion, confidence: float | None) -> Criterion:
    """The criterion with its confidence."""
    made = resolve(criterion)
    if not isinstance(made, SemiSupervisedCV | HoldOut):
        raise BadInput(f"{made.name} makes no certificate: use 'semi_supervised_cv' or 'hold_out'")
    if isinstance(criterion, str) or made.confidence is None:
        return replace(made, confidence=USUAL if confidence is None else confidence)
    if confidence not in (None, made.confidence):
        raise BadInput(
            f"confidence={confidence!r} is not that of {made.name}, {made.confidence!r}: give it to one of them only"
        )
    return made
