"""A way of choosing: a generator that asks questions of fits, is answered with arrays, and returns choices."""

import re
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from dataclasses import fields
from typing import Any, ClassVar, Literal

from foldless.core.ask import Ask
from foldless.core.choice import Choice
from foldless.core.rows import Array
from foldless.core.task import Task

Evaluation = Generator[list[Ask], list[Array], list[Choice]]
"""A criterion at work: it yields questions, is sent their answers in order, and returns its choices."""


class OutOfTime(Exception):
    """Thrown into an evaluation that is ``anytime`` when no further fit will be made: it returns what it has."""


IN_PYTHON = {"in Python only": True}  # metadata of a parameter that is not typed on the command line


class Criterion(ABC):
    """A way of choosing. Subclasses are frozen dataclasses, so they have a repr and compare by value.

    ``needs`` names what it cannot do without ("pool"); ``assumes`` has the assumptions of the score, as sentences,
    and ``assumes_alone`` those without a pool, where they are others. Scores within ``tolerance`` of each other are
    ties. A criterion that ``trains_on_pool`` trains fits on pool rows
    with predicted labels; these rows have no sample weights. One that is ``anytime`` asks in rounds, and catches
    `OutOfTime` to choose by the rounds that were answered. One that ``doubts_luck`` judges by so few labels that a
    candidate that has learned nothing may win: where there is a pool, such candidates are ranked last. One that
    ``weighs_constants`` ranks candidates that name one class by labels left out, and not below all others. One that
    ``asks_metrics`` can put any scorer to the fits, and rank candidates without class codes. One
    that can rank regressors too, whose
    answers are values in place of labels, says so by ``regression``, and one whose score of a candidate depends on the
    others by ``compares``.
    """

    better: ClassVar[Literal["higher", "lower"]] = "higher"
    needs: ClassVar[frozenset[str]] = frozenset()
    assumes: ClassVar[tuple[str, ...]] = ()
    assumes_alone: ClassVar[tuple[str, ...] | None] = None
    tolerance: ClassVar[float] = 1e-12  # rounding of sums and means
    trains_on_pool: ClassVar[bool] = False
    anytime: ClassVar[bool] = False
    doubts_luck: ClassVar[bool] = False
    weighs_constants: ClassVar[bool] = False
    asks_metrics: ClassVar[bool] = False
    regression: ClassVar[bool] = False
    compares: ClassVar[bool] = False

    @abstractmethod
    def evaluate(self, task: Task) -> Evaluation:
        """Ask, be answered, and return at least one choice for every candidate of the task."""

    def order_ties(self, tied: list[Choice]) -> list[Choice]:
        """Who goes first among equals: the first candidate, as in GridSearchCV."""
        return tied

    @property
    def holds_out(self) -> bool:
        """Whether the models it offers are trained without some of the labels."""
        return False

    @property
    def name(self) -> str:
        """The name users write, with the parameters that are not the defaults: ``k_fold(k=10)``."""
        plain = re.sub(r"(?<=[a-z])(?=[A-Z0-9])|(?<!^)(?=[A-Z][a-z])", "_", type(self).__name__).lower()
        own = fields(self) if hasattr(self, "__dataclass_fields__") else ()  # type: ignore[arg-type]  # asked before
        changed = [f"{f.name}={_brief(getattr(self, f.name))}" for f in own if getattr(self, f.name) != f.default]
        return f"{plain}({', '.join(changed)})" if changed else plain


def _brief(value: Any) -> str:
    """As repr has it, unless it is a long collection."""
    return reprlib.repr(value) if isinstance(value, Mapping | list | tuple) else repr(value)


def together(task: Task, criteria: Sequence[Criterion]) -> Generator[list[Ask], list[Array], list[list[Choice]]]:
    """Drive several criteria in lockstep inside one: their rounds are merged, so what they share is asked at once."""
    running = {at: criterion.evaluate(task) for at, criterion in enumerate(criteria)}
    done: dict[int, list[Choice]] = {}
    inbox: dict[int, list[Array] | None] = dict.fromkeys(running)
    while running:
        asked: dict[int, list[Ask]] = {}
        for at, evaluation in list(running.items()):
            answers = inbox[at]
            try:
                asked[at] = next(evaluation) if answers is None else evaluation.send(answers)
            except StopIteration as end:
                done[at] = end.value
                del running[at]
        if not asked:
            break
        replies = yield [ask for asks in asked.values() for ask in asks]
        for at, asks in asked.items():
            inbox[at], replies = replies[: len(asks)], replies[len(asks) :]
    return [done[at] for at in range(len(criteria))]
