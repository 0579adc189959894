"""suggest: which pool rows to label next."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils.validation import check_is_fitted

from foldless.core import Array, Opaque
from foldless.core._resampling import check_whole
from foldless.errors import BadInput, CannotAnswer, PassPool
from foldless.labeling import _committee as committee
from foldless.labeling import _core_set as core_set
from foldless.labeling import _diverse as diverse
from foldless.labeling import _needed as needed
from foldless.labeling import _random_rows as random_rows
from foldless.labeling import _uncertainty as uncertainty
from foldless.labeling._known_probabilities import Draw, inclusion, systematic
from foldless.labeling._leaders import leaders
from foldless.labeling._pool_view import PoolView, look
from foldless.labeling.suggestion import Suggestion
from foldless.results.selection import Selection, SelectionInputs


class Strategy(NamedTuple):
    """How rows are drawn with known probabilities, and how they are picked where that is not asked for.

    One that cannot draw has no ``draw``, one that always draws no ``pick``.
    """

    draw: Callable[[PoolView, int, np.random.Generator], Draw] | None
    pick: Callable[[PoolView, int, np.random.Generator], Array] | None = None


def _by(scores: Callable[[PoolView], Array]) -> Callable[[PoolView, int, np.random.Generator], Draw]:
    """Draw by scores, in the order of what the leaders say and how unsure they are."""

    def draw(view: PoolView, _: int, rng: np.random.Generator) -> Draw:
        return Draw(scores(view), np.lexsort((rng.random(len(view.unsure)), view.unsure, view.labels)))

    return draw


STRATEGIES: Mapping[str, Strategy] = {
    "auto": Strategy(needed.draw),
    "random": Strategy(random_rows.draw),
    "uncertainty": Strategy(_by(uncertainty.scores), uncertainty.pick),
    "committee": Strategy(_by(committee.scores), committee.pick),
    "diverse": Strategy(_by(uncertainty.scores), diverse.pick),
    "core_set": Strategy(None, core_set.pick),
}
"""The ways to suggest rows, by their names."""

BLIND = {"random": "drawn at random", "core_set": "far from all labels"}  # reasons of strategies that ask nobody
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
    strategy : "auto", "random", "uncertainty", "committee", "diverse" or "core_set"
        How to choose them. "auto" draws from the whole pool, with known probabilities that are higher where leaders are
        unsure, differ, or have few labels; "random" draws all alike. The others pick rows without a label: those that
        the leaders are least sure of; those on which their votes differ most; central rows of clusters that have much
        to learn; or those farthest from all labels.
    keep_valid : bool
        Draw the rows with known probabilities in every strategy; "diverse" then draws as "uncertainty" does. Pass
        ``probabilities`` to the next fit, and estimates remain valid.
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
    if keep_valid and how.draw is None:
        raise BadInput(f"{strategy} does not draw at random, so its rows have no probabilities: leave keep_valid out")
    rng = ground.task.rng("suggest") if random_state is None else _generator(random_state)
    ahead = leaders(selection)
    drawn = keep_valid or how.pick is None
    view = look(ground, ahead, rng, copies=drawn)
    chances: Array | None = None
    unsure, labels = uncertainty.scores(view), view.labels
    if how.draw is not None and drawn:
        scores, order = how.draw(view, n, rng)
        every = inclusion(scores, n)
        rows = systematic(every, order, rng)
        chances = every[rows] * view.sampled
    elif how.pick is not None:
        rows = how.pick(view, min(n, len(view.read)), rng)
    if chances is None:
        rows = rows[np.lexsort((rows, -unsure[rows]))]
    else:  # in random order: who labels a part of them has a sample too
        mixed = rng.permutation(len(rows))
        rows, chances = rows[mixed], chances[mixed]
    names = {leader.candidate.name: leader.weight for leader in ahead}
    said = labels[rows] if view.regression else ground.task.classes[labels[rows]]
    return Suggestion(
        view.read[rows], _reasons(view, rows, strategy), chances, unsure[rows], said, strategy, names, view.n_fits
    )  # fmt: skip


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
    if ground.task.pool.stored is not None:
        raise CannotAnswer(
            "the pool stays on disk, and the search keeps only a sample of it: pass a part of it in memory"
        )
    if ground.data.stored is not None:
        raise CannotAnswer(
            f"the pool of {ground.data.stored.n:,} rows stays on disk, and suggest needs a pool in memory: pass a "
            f"random part of it, such as 100,000 rows"
        )
    if not len(ground.task.unlabeled):
        raise CannotAnswer("there is no pool to suggest rows from", remedy=PassPool())
    return ground


def _generator(random_state: Any) -> np.random.Generator:
    from sklearn.utils import check_random_state

    return np.random.default_rng(check_random_state(random_state).randint(np.iinfo(np.int32).max))


def _reasons(view: PoolView, rows: Array, strategy: str) -> tuple[str, ...]:
    if strategy in BLIND:
        return (BLIND[strategy],) * len(rows)
    if view.regression:
        return tuple(f"predictions from {low:.4g} to {high:.4g}" for low, high in _span(view.votes[:, rows]))
    classes = view.ground.task.classes
    words = []
    for row in rows:
        first, second = np.argsort(-view.shares[row], kind="stable")[:2]
        disputed = len(np.unique(view.votes[:, row])) > 1
        how = (
            "the leaders disagree:"
            if disputed
            else "the leaders agree:"
            if view.shares[row, first] > 0.9
            else "unsure:"
        )
        named = f"{classes[first]}" if how == "the leaders agree:" else f"{classes[first]} or {classes[second]}"
        words.append(f"{how} {named}")
    return tuple(words)


def _span(values: Array) -> list[tuple[float, float]]:
    return list(zip(values.min(axis=0), values.max(axis=0), strict=True))
