"""Group fits that are cheaper together, also through the constant prefix of a Pipeline.

Two savings, which combine:

* **prefix**: candidates that are Pipelines and differ only in their last step share the steps before it. These are
  fitted once per training set and applied once per question. Before a learner ``of_row_sets``, which learns from rows
  without a label too, steps that look at no label are fitted once for all training sets that have the same rows,
  whichever of them are labeled.
* **batch**: a learner that can answer many fits at once says so with ``batch_over``, the names of what may differ
  inside a batch (its parameters, or ``"rows"``, ``"labels"`` and ``"unlabeled"`` rows of the training set), and with
  ``answer_batch``. Batches that differ only in parameters of ``series_over`` follow each other on one worker.

Who is in a batch may change its numbers (a path starts each value from the one before), so a batch never depends on
the number of workers, and its members are part of the journal's key: it is journaled whole or solved again. A learner
with ``independent = True`` gives every member the numbers it would have alone, and is journaled member by member.
Pipelines that only share a prefix give the same numbers however they are cut: they are cut to keep all workers busy.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from foldless.core import Fit, Opaque, Rows, digest
from foldless.core.batch import BatchLearner
from foldless.data._sample import Sample
from foldless.engine._candidates import Recipe, is_pipeline, last_step
from foldless.engine._fits import Order, codes_of, is_constant
from foldless.engine._keys import of_object
from foldless.engine._pairwise import is_pairwise
from foldless.learners import _forest_growth

OURS = ("foldless", "sklearn")
LABELS_UNSEEN = frozenset({
    "ColumnTransformer", "DateParts", "FeatureUnion", "MaxAbsScaler", "MinMaxScaler", "OneHotEncoder", "Pipeline",
    "ReadColumns", "SimpleImputer", "StandardScaler", "TfidfVectorizer", "WordDirections", "WordVectors",
})  # fmt: skip
"""Transformers that learn the same whatever the labels are, and transform rows that they learned from like others."""
OF_THE_FIT = ("rows", "labels", "unlabeled")  # what may differ in a batch beside parameters, as in a fit's key


class Work(NamedTuple):
    """An order and the recipe of its candidate."""

    order: Order
    recipe: Recipe


@dataclass(frozen=True, eq=False)
class Batch:
    """Orders that one learner answers at once, or a single one; those of one series have the learner in common."""

    work: tuple[Work, ...]
    series: tuple[Any, ...] | None = None

    @property
    def learner(self) -> bool:
        """Whether it goes to its learner, and not to fit and predict."""
        return self.series is not None

    @property
    def independent(self) -> bool:
        """Whether its numbers are the same whoever is in it."""
        return not self.learner or getattr(last_step(self.work[0].recipe.estimator), "independent", False)

    @cached_property
    def signature(self) -> bytes:
        """The members by their names, for the journal; nothing where each counts by itself."""
        if self.independent:
            return b""
        recipes = {recipe for _, recipe in self.work}
        tokens = {recipe: repr(_tokens(recipe.params, lambda _: True)) for recipe in recipes}
        return digest(*(digest(tokens[recipe], *order.fit.key[1:]) for order, recipe in self.work))


@dataclass(frozen=True, eq=False)
class Group:
    """Batches that run on one worker, behind one prefix if they have one; to one ``of_rows`` no label matters."""

    batches: tuple[Batch, ...]
    prefix: bool = False
    of_rows: bool = False

    @property
    def work(self) -> tuple[Work, ...]:
        return tuple(chain.from_iterable(batch.work for batch in self.batches))

    @property
    def threaded(self) -> bool:
        """Whether its learner keeps all cores busy by itself."""
        return self._all_say("own_threads")

    @property
    def shares_cores(self) -> bool:
        """Whether its learner works in threads that leave a core idle at times, whatever ``n_jobs`` is."""
        return self._all_say("frees_gil")

    @property
    def frees_gil(self) -> bool:
        """Whether its learner lets other threads of this process work beside it."""
        lasts = (last_step(batch.work[0].recipe.estimator) for batch in self.batches)
        return self.shares_cores or all(map(_forest_growth.frees_gil, lasts))

    def _all_say(self, name: str) -> bool:
        return all(
            batch.learner and getattr(last_step(batch.work[0].recipe.estimator), name, False) for batch in self.batches
        )


def group(work: Sequence[Work], sorting: "Sorting") -> list[Group]:
    """Cut the work into groups; fit parameters and callbacks do not reach into one, so with them all fits go alone."""
    by_prefix: dict[Any, list[Work]] = {}
    for item in work:
        by_prefix.setdefault(sorting.prefix_key(item), []).append(item)
    groups = []
    for key, items in by_prefix.items():
        by_batch: dict[Any, list[Work]] = {}
        for item in items:
            candidate = (item.recipe,) if key[0] == "rows" else ()  # complete before the next one, if time ends
            batch_key = item.order.fit.key if key[0] == "alone" else (*sorting.batch_key(item), *candidate)
            by_batch.setdefault(batch_key, []).append(item)
        batches = tuple(
            Batch(tuple(members), sorting.series_key(members[0]) if key[0] == "learner" else None)
            for key, members in by_batch.items()
        )
        groups.append(Group(batches, prefix=key[0] in ("prefix", "rows"), of_rows=key[0] == "rows"))
    return groups


def cut(groups: Sequence[Group], n_jobs: int) -> list[Group]:
    """Cut groups at the borders of batches where there are fewer groups than workers."""
    pieces: list[Group] = []
    for whole in groups:
        n = min(len(whole.batches), -(-n_jobs // len(groups)))
        pieces += [replace(whole, batches=whole.batches[at::n]) for at in range(n)]
    return pieces


def split(whole: Group, n_done: int) -> tuple[Group, list[Group]]:
    """The batches behind the first outcomes, and what is left of the group, if anything."""
    at = n = 0
    while n < n_done:
        n += len(whole.batches[at].work)
        at += 1
    rest = whole.batches[at:]
    return replace(whole, batches=whole.batches[:at]), [replace(whole, batches=rest)] if rest else []


def without_models(whole: Group) -> Group:
    """The same work, of which no model is kept."""
    batches = (
        replace(batch, work=tuple(Work(replace(order, keep=False), recipe) for order, recipe in batch.work))
        for batch in whole.batches
    )
    return replace(whole, batches=tuple(batches))


class _Manner(NamedTuple):
    """How the fits of a recipe may be grouped: the pipeline's prefix, what a batch and what a series must share, and
    what a batch may vary."""

    prefix: tuple[Any, ...] | None
    shared: tuple[Any, ...] | None
    series: tuple[Any, ...] | None
    over: frozenset[str]
    of_row_sets: bool = False


class Sorting:
    """The keys by which fits are grouped. There are many fits of few recipes on few sets: each is looked at once."""

    def __init__(self, data: Sample):
        self._data = data
        self._manners: dict[Recipe, _Manner] = {}
        self._constant: dict[tuple[bytes, bytes], bool] = {}
        self._row_sets: dict[tuple[bytes, bytes], bytes] = {}

    def prefix_key(self, item: Work) -> tuple[Any, ...]:
        """What must be equal for two fits to share a worker's group."""
        order, recipe = item
        fit, manner = order.fit, self._manner(recipe)
        alone = order.hook is not None or order.asks_metrics or isinstance(self._data.target, Opaque)
        if self._data.fit_params or alone or self._is_constant(fit):
            return ("alone", fit.key)
        if manner.of_row_sets and (rows := self._row_set(fit)):
            return ("rows", recipe.base, manner.prefix, rows)
        if manner.prefix is not None:
            return ("prefix", recipe.base, manner.prefix, *fit.key[1:])
        if manner.shared is not None and not is_pipeline(recipe.estimator):
            return ("batch", self.series_key(item))
        return ("alone", fit.key)

    def batch_key(self, item: Work) -> tuple[Any, ...]:
        """What must be equal for two fits to be answered by one call of their learner."""
        order, recipe = item
        manner = self._manner(recipe)
        if manner.shared is None:
            return ("single", order.fit.key)
        return ("learner", recipe.base, manner.shared, *_own(order.fit, manner))

    def series_key(self, item: Work) -> tuple[Any, ...]:
        """What must be equal for two batches to be answered by one learner object."""
        order, recipe = item
        manner = self._manner(recipe)
        return (recipe.base, manner.series, *_own(order.fit, manner))

    def _manner(self, recipe: Recipe) -> _Manner:
        if recipe not in self._manners:
            self._manners[recipe] = _manner(recipe)
        return self._manners[recipe]

    def _row_set(self, fit: Fit) -> bytes:
        """The rows of a fit, labeled or not, by their digest; nothing where a row is there twice."""
        key = fit.key[1], fit.key[3]
        if key not in self._row_sets:
            others = () if fit.unlabeled is None else fit.unlabeled.indices
            rows = np.sort(np.concatenate([fit.rows.indices, others]))
            self._row_sets[key] = b"" if (np.diff(rows) == 0).any() else Rows(rows).digest
        return self._row_sets[key]

    def _is_constant(self, fit: Fit) -> bool:
        key = fit.key[1:3]
        if key not in self._constant:
            self._constant[key] = is_constant(codes_of(fit, self._data))
        return self._constant[key]


def _own(fit: Fit, manner: _Manner) -> Iterator[Any]:
    """What a batch must share of the fit itself."""
    return (part for name, part in zip(OF_THE_FIT, fit.key[1:], strict=True) if name not in manner.over)


def _manner(recipe: Recipe) -> _Manner:
    estimator, learner = recipe.estimator, last_step(recipe.estimator)
    prefix: tuple[Any, ...] | None = None
    # a subclass may do anything between its steps, such as drawing other rows
    plain = is_pipeline(estimator, exactly=True) and len(estimator.steps) > 1 and estimator.transform_input is None
    if plain and not is_pairwise(estimator):
        last = estimator.steps[-1][0]
        prefix = _tokens(recipe.params, lambda name: name.split("__")[0] != last)
    if not isinstance(learner, BatchLearner):
        return _Manner(prefix, None, None, frozenset())
    shared = _tokens(recipe.params, lambda name: name.split("__")[-1] not in learner.batch_over)
    in_series = series_over(learner)
    series = tuple((name, token) for name, token in shared if name.split("__")[-1] not in in_series)
    of_row_sets = prefix is not None and getattr(learner, "of_row_sets", False) and _look_at_no_label(estimator)
    return _Manner(prefix, shared, series, learner.batch_over, of_row_sets)


def _look_at_no_label(pipeline: Any) -> bool:
    """Whether all steps but the last, and what is inside them, are known to learn the same whatever the labels are."""
    inside = pipeline[:-1].get_params(deep=True).values()
    kinds = {type(each) for each in inside if hasattr(each, "fit")}
    return all(kind.__name__ in LABELS_UNSEEN and kind.__module__.split(".")[0] in OURS for kind in kinds)


def series_over(learner: Any) -> frozenset[str]:
    """The parameters in which the batches of a series may differ."""
    return getattr(learner, "series_over", frozenset())


def _tokens(params: Mapping[str, Any], wanted: Any) -> tuple[tuple[str, str], ...]:
    """Parameters as something that can be compared: plain values by repr, others by content."""
    plain = (int, float, str, bool, type(None), tuple, np.generic)
    return tuple(
        (name, repr(value) if isinstance(value, plain) else of_object(value))
        for name, value in sorted(params.items())
        if wanted(name)
    )
