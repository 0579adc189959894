"""suggest: which pool rows to label next."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from foldless.core import Array, Candidate, Choice, Opaque
from foldless.core._resampling import check_whole
from foldless.errors import BadInput, CannotAnswer, PassPool
from foldless.labeling._drawing_rules import draw_at_random, draw_for_average, draw_needed, draw_unsure, pick_diverse
from foldless.labeling._known_probabilities import Draw, inclusion, systematic
from foldless.labeling._pool_view import PoolView, look
from foldless.labeling.suggestion import Suggestion
from foldless.results._selection_parts import SelectionInputs
from foldless.results.selection import Selection

MAX_LEADERS = 5  # candidates that are asked
MIN_WEIGHT = 0.05  # below which a candidate is left out
STANDARD_ERRORS = 2.0  # in half of a 95 % interval, about


class Strategy(NamedTuple):
    """How rows are drawn with known probabilities, and how they are picked where that is not asked for.

    draw : scores and order of the rows that are looked at
    pick : n of them; None for a strategy that always draws
    for_average : ``draw`` where the model is an average of classifiers, if it is another
    reason : why a row was chosen, where the leaders have no part in it
    """

    draw: Callable[[PoolView, int, np.random.Generator], Draw]
    pick: Callable[[PoolView, int, np.random.Generator], Array] | None = None
    reason: str = ""
    for_average: Callable[[PoolView, int, np.random.Generator], Draw] | None = None


STRATEGIES: dict[str, Strategy] = {
    "auto": Strategy(draw_needed, for_average=draw_for_average),
    "random": Strategy(draw_at_random, reason="drawn at random"),
    "diverse": Strategy(draw_unsure, pick_diverse),
}
"""The ways to suggest rows, by their names."""

GONE = (
    "the pool of this search is not available: only a search that was fitted in this process has it, not a saved or "
    "copied one"
)


def suggest(
    search: Any,
    n: int = 30,
    *,
    strategy: str = "auto",
    keep_valid: bool = False,
    random_state: Any = None,
) -> Suggestion:
    """Suggest pool rows whose labels would help most to choose among the leading candidates and to train the winner.

    Parameters
    ----------
    search : a fitted FoldlessSearch, or its ``selection_``
        It must have been fitted with a pool.
    n : int
        How many rows.
    strategy : "auto", "random" or "diverse"
        How to choose them. "auto" draws from the whole pool, with known probabilities that are higher where leaders are
        unsure or differ, or where labels are few; "random" draws all alike. "diverse" picks central rows of the
        clusters where leaders are most unsure: their labels are not a random sample of the pool.
    keep_valid : bool
        Draw the rows with known probabilities in every strategy; "diverse" then draws them by how unsure the leaders
        are. Pass them to the next fit as ``label_probabilities``, and estimates remain valid.
    random_state : int, RandomState or None
        The seed of every random draw; by default that of the search.

    Returns
    -------
    Suggestion
        ``rows``, positions in the pool; ``reasons``; ``probabilities``; ``table()``.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from foldless import FoldlessSearch, suggest
    >>> X, y = load_iris(return_X_y=True)
    >>> search = FoldlessSearch(LogisticRegression(max_iter=500), {"C": [0.01, 1, 100]}, random_state=0)
    >>> to_label = suggest(search.fit(X[::5], y[::5], X_unlabeled=X), 3)
    >>> len(to_label.rows)
    3
    """
    selection = _selection(search)
    ground = _ground(selection)
    check_whole("n", n)
    if strategy not in STRATEGIES:
        raise BadInput(f"strategy must be one of {', '.join(STRATEGIES)}, got {strategy!r}", value=strategy)
    how = STRATEGIES[strategy]
    rng = ground.task.rng("suggest")
    if random_state is not None:
        rng = np.random.default_rng(check_random_state(random_state).randint(np.iinfo(np.int32).max))
    ahead = leaders(selection)
    draw, looking = how.draw, dict[str, Any](copies=keep_valid or how.pick is None)
    if how.for_average is not None and is_average(selection) and not ground.task.regression:
        draw, looking = how.for_average, {**looking, "average": True, "resamples": 0}
    view = look(ground, ahead, rng, **looking)
    probabilities: Array | None = None
    if keep_valid or how.pick is None:
        scores, order, uniform = draw(view, n, rng)
        inclusion_probabilities = inclusion(scores, n, uniform)
        rows = systematic(inclusion_probabilities, order, rng)
        rows = rows[rng.permutation(len(rows))]  # in random order: who labels a part of them has a sample too
        probabilities = inclusion_probabilities[rows] * view.sampled
    else:
        rows = how.pick(view, min(n, len(view.read)), rng)
        rows = rows[np.lexsort((rows, -view.unsure[rows]))]
    names = {candidate.name: weight for candidate, weight in ahead.items()}
    labels = view.labels[rows] if view.regression else ground.task.classes[view.labels[rows]]
    reasons = (how.reason,) * len(rows) if how.reason else _reasons(view, rows)
    return Suggestion(view.read[rows], reasons, probabilities, view.unsure[rows], labels, strategy, names, view.n_fits)


def _selection(search: Any) -> Selection:
    if isinstance(search, Selection):
        return search
    if not hasattr(search, "selection_"):
        check_is_fitted(search)
    selection = getattr(search, "selection_", None)
    if not isinstance(selection, Selection):
        raise BadInput(f"suggest takes a fitted FoldlessSearch or its selection_, got {type(search).__name__}")
    return selection


def _ground(selection: Selection) -> SelectionInputs:
    ground = selection.ground
    if ground is None:
        raise BadInput(GONE, remedy="fit it again")
    if isinstance(ground.data.target, Opaque):
        raise CannotAnswer("suggest needs one label per row, and these rows have several targets")
    if ground.data.stored is not None:
        raise CannotAnswer(
            f"the pool of {ground.data.stored.n:,} rows stays on disk, and suggest needs a pool in memory: pass a "
            f"random part of it, such as 100,000 rows"
        )
    if not len(ground.task.unlabeled):
        raise CannotAnswer("there is no pool to suggest rows from", remedy=PassPool())
    return ground


def _reasons(view: PoolView, rows: Array) -> tuple[str, ...]:
    if view.regression:
        votes = view.votes[:, rows]
        ends = zip(votes.min(axis=0), votes.max(axis=0), strict=True)
        return tuple(f"predictions from {low:.4g} to {high:.4g}" for low, high in ends)
    classes = view.ground.task.classes
    words = []
    for row in rows:
        first, second = np.argsort(-view.shares[row], kind="stable")[:2]
        both = f"{classes[first]} or {classes[second]}"
        if len(np.unique(view.votes[:, row])) > 1:
            words.append(f"the leaders disagree: {both}")
        elif view.shares[row, first] > 0.9:
            words.append(f"the leaders agree: {classes[first]}")
        else:
            words.append(f"the leaders are unsure: {both}")
    return tuple(words)


def leaders(selection: Selection) -> dict[Candidate, float]:
    """The candidates that may still win, the best first, by exp(−behind / chance); of an average, its heaviest members.

    How far a candidate is behind the leader, and how far chance alone would put it there, come from the race of
    ``auto``; for other criteria from the differences on held-out labels. Where neither is known, the first ranks count
    alike. The weights add up to 1.
    """
    if is_average(selection):
        weights = dict(list(selection.members.items())[:MAX_LEADERS])
    else:
        weights = {selection.best.candidate: 1.0}
        for choice in selection.ranking:
            if choice.candidate in weights or choice.degenerate or np.isnan(choice.score):
                continue
            weight = _weight(selection, choice)
            if weight >= MIN_WEIGHT and len(weights) < MAX_LEADERS:
                weights[choice.candidate] = weight
    total = sum(weights.values())
    return {candidate: weight / total for candidate, weight in weights.items()}


def is_average(selection: Selection) -> bool:
    """Whether the model is an average and no race is open; a race says who may still win."""
    return len(selection.members) > 1 and "chance" not in selection.best.parts


def _weight(selection: Selection, choice: Choice) -> float:
    parts = choice.parts
    if "behind" in parts and "chance" in parts:
        if parts["resamples"] < selection.best.parts.get("resamples", 0.0):
            return 0.0  # it left the race, or labels the pool like one that did not
        return float(np.exp(-parts["behind"] / max(parts["chance"], 1e-12)))
    if (difference := selection.differences.get(choice.candidate)) is not None:
        chance = (difference.upper - difference.lower) / 2 / STANDARD_ERRORS
        return float(np.exp(-max(0.0, difference.value) / max(chance, 1e-12)))
    return 1.0 if not selection.differences else 0.0
