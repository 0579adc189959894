"""Members of an average that begin with the same preparation have it in common: in memory, in files, in predictions.

Words are counted and features learned once for all members, however many there are, and saved once.
"""

import pickle
from collections import Counter
from collections.abc import Sequence
from copy import copy
from typing import Any

from sklearn.pipeline import Pipeline

from foldless.learners.ensembles._counted_words import counting_once, vectorizers_of

Steps = tuple[int, ...]


def share_steps(members: Sequence[Any]) -> None:
    """Let members whose first steps, or taught views, are equal have the same objects."""
    known: dict[bytes, Any] = {}

    def one_of(part: Any) -> Any:
        try:
            return known.setdefault(pickle.dumps(part), part)
        except Exception:  # a step of the user's that cannot be pickled is its own
            return part

    views = []
    for member in members:
        pipeline = _pipeline(member)
        if pipeline is None:
            continue
        pipeline.steps = [*((name, one_of(step)) for name, step in pipeline.steps[:-1]), pipeline.steps[-1]]
        last = pipeline.steps[-1][1]
        if hasattr(last, "view_"):
            last.view_ = one_of(last.view_)
            views.append(last.view_)
    for view in views:
        for other in views:
            view.share_base(other)


class FirstSteps:
    """Rows behind the first steps that several members have in common."""

    def __init__(self, members: Sequence[Any], X: Any):
        self._rows, self._behind = X, dict[Steps, Any]()
        self._components = dict[tuple[Steps, int], Any]()
        keys = [_first_steps(member) for member in members]
        self._common = {key for key, n in Counter(keys).items() if key and n > 1}
        self._prefixes = _reading_words(members)
        self._common |= self._prefixes.keys()

    def behind(self, member: Any) -> tuple[Any, Any]:
        """The rest of a member, and the rows as it takes them."""
        key = _first_steps(member)
        if key not in self._common:
            return member, self._rows
        pipeline = _pipeline(member)
        if key not in self._behind:
            self._behind[key] = self._transformed(key, pipeline)
        last, rows = self._behind_view(key, pipeline.steps[-1][1])
        if pipeline is member:
            return last, rows
        rest = copy(member)
        rest.estimator_ = last
        return rest, rows

    def _transformed(self, key: Steps, pipeline: Any) -> Any:
        if key not in self._prefixes:
            return pipeline[:-1].transform(self._rows)
        rows = self._rows
        for step in self._prefixes[key]:
            rows = rows if step is None or step == "passthrough" else step.transform(rows)
        return rows

    def _behind_view(self, key: Steps, last: Any) -> tuple[Any, Any]:
        """A last step that learned features of its own, as the classifier of these; others as they are."""
        rows, base = self._behind[key], getattr(getattr(last, "view_", None), "base_", None)
        if base is None:
            return last, rows
        if (key, id(base)) not in self._components:
            self._components[key, id(base)] = base.transform(rows)
        return last.on_features(), last.view_.of_base(self._components[key, id(base)])


def _reading_words(members: Sequence[Any]) -> dict[Steps, list[Any]]:
    """The first steps of those that read words, if there are several: words are then counted once for all."""
    steps = {_first_steps(member): [step for _, step in _pipeline(member).steps[:-1]] for member in members
             if _pipeline(member) is not None}  # fmt: skip
    reading = {key: each for key, each in steps.items() if any(vectorizers_of(step) for step in each)}
    if len(reading) < 2:
        return {}
    return dict(zip(reading, counting_once(list(reading.values())), strict=True))


def _pipeline(member: Any) -> Any:
    """The Pipeline that a member is, or that it hands its rows to as they are; None for others."""
    inner = member.__dict__.get("estimator_") if getattr(type(member), "hands_rows_on", False) else member
    return inner if type(inner) is Pipeline and len(inner.steps) > 1 else None


def _first_steps(member: Any) -> Steps:
    pipeline = _pipeline(member)
    return () if pipeline is None else tuple(id(step) for _, step in pipeline.steps[:-1])
