"""A way of choosing: a generator that asks questions of fits, is answered with arrays, and returns choices."""

import re
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Literal

import numpy as np

from foldless._deprecations import warn_deprecated
from foldless.core.ask import Ask
from foldless.core.choice import Choice
from foldless.core.rows import Array
from foldless.core.task import Task

Evaluation = Generator[list[Ask], list[Array], list[Choice]]
"""A criterion at work: it yields questions, is sent their answers in order, and returns its choices."""


class OutOfTime(Exception):
    """Thrown into an evaluation that is ``anytime`` when no further fit will be made: it returns what it has.

    ``answers`` are those to its last questions, None where there is none.
    """

    def __init__(self, answers: Sequence[Array | None] = ()):
        super().__init__()
        self.answers = tuple(answers)


IN_PYTHON = {"in Python only": True}  # metadata of a parameter that is not typed on the command line


@dataclass(frozen=True)
class Traits:
    """What a run has to know of a criterion beside its score; the defaults fit most.

    regression
        It can rank regressors too, whose answers are values in place of labels.
    compares
        The score of a candidate depends on the others.
    trains_on_pool
        It trains fits on pool rows with predicted labels; these rows have no sample weights.
    anytime
        It asks in rounds, and catches `OutOfTime` to choose by the rounds that were answered.
    asks_metrics
        It can put any scorer to the fits, and rank candidates without class codes.
    doubts_luck
        It judges by so few labels that a candidate that has learned nothing may win: such candidates are ranked last
        where there is a pool.
    weighs_constants
        It ranks candidates that name one class by held-out labels, so that they are not ranked below all others.
    tolerance
        Scores this near to each other are ties.
    assumes_alone
        The assumptions of the score without a pool, where they are others.
    """

    regression: bool = False
    compares: bool = False
    trains_on_pool: bool = False
    anytime: bool = False
    asks_metrics: bool = False
    doubts_luck: bool = False
    weighs_constants: bool = False
    tolerance: float = 1e-12  # rounding of sums and means
    assumes_alone: tuple[str, ...] | None = None


class Criterion(ABC):
    """A way of choosing. Subclasses are frozen dataclasses, so they have a repr and compare by value.

    ``better`` says which scores are, and ``needs`` what it cannot do without ("pool"); ``assumes`` has the assumptions
    of the score, as sentences.
    """

    better: ClassVar[Literal["higher", "lower"]] = "higher"
    needs: ClassVar[frozenset[str]] = frozenset()
    assumes: ClassVar[tuple[str, ...]] = ()
    traits: ClassVar[Traits] = Traits()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        flags = {trait.name: vars(cls)[trait.name] for trait in fields(Traits) if trait.name in vars(cls)}
        if flags:
            words = ", ".join(f"{name}={value!r}" for name, value in flags.items())
            warn_deprecated(
                f"{cls.__name__}'s way of setting traits as class attributes", removed_in="0.5",
                remedy=f"write traits = Traits({words})",
            )  # fmt: skip
            cls.traits = replace(cls.traits, **flags)

    @abstractmethod
    def evaluate(self, task: Task) -> Evaluation:
        """Ask, be answered, and return at least one choice for every candidate of the task."""

    def plan(self, task: Task) -> Sequence[tuple[int, int]]:  # noqa: ARG002 (for those that ask in rounds)
        """For each round the fits that a candidate has had after it, and how many candidates have them.

        It is read by progress bars. Nothing where all questions are asked at once.
        """
        return ()

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
        params = fields(self) if hasattr(self, "__dataclass_fields__") else ()  # type: ignore[arg-type]  # asked before
        values = {f.name: getattr(self, f.name) for f in params}
        changed = [f"{f.name}={_brief(values[f.name])}" for f in params if not np.all(values[f.name] == f.default)]
        return f"{plain}({', '.join(changed)})" if changed else plain


def _brief(value: Any) -> str:
    """As repr has it, unless it is a long collection."""
    value = value.tolist() if isinstance(value, np.ndarray) else value
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
