"""Several criteria as one: what it assumes and needs is what they assume and need."""

from dataclasses import dataclass, replace
from typing import ClassVar

from foldless.core.criterion import Criterion
from foldless.errors import BadInput, CannotAnswer


@dataclass(frozen=True, init=False, repr=False)
class JoinedCriteria(Criterion):
    """Made of criteria, with a ``sign`` between their names; ``verb`` and ``example`` are for messages.

    The first of ``assumes`` is about the combination, the second stands for the assumptions of its criteria.
    """

    criteria: tuple[Criterion, ...] = ()

    sign: ClassVar[str]
    verb: ClassVar[str]
    example: ClassVar[tuple[str, str]]  # as a call, as a name

    def __init__(self, *criteria: Criterion):
        for criterion in criteria:
            if not isinstance(criterion, Criterion):
                raise BadInput(
                    f"{type(self)().name} {self.verb} criteria, such as {self.example[0]}, got {criterion!r}"
                )
        object.__setattr__(self, "criteria", criteria)
        general = self.assumes[:1] if criteria else self.assumes
        object.__setattr__(self, "assumes", (*general, *dict.fromkeys(s for c in criteria for s in c.assumes)))
        object.__setattr__(self, "needs", frozenset().union(*(c.needs for c in criteria)))
        trains_on_pool = any(c.traits.trains_on_pool for c in criteria)
        regression = all(c.traits.regression for c in criteria)
        traits = replace(self.traits, trains_on_pool=trains_on_pool, regression=regression)
        object.__setattr__(self, "traits", traits)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.criteria))})"

    @property
    def name(self) -> str:
        """The names of its criteria with the sign between them, as `resolve` reads them."""
        return self.sign.join(criterion.name for criterion in self.criteria) or super().name

    def check_two(self) -> None:
        if len(self.criteria) < 2:
            name, (call, joined) = type(self)().name, self.example
            raise CannotAnswer(
                f"{name} needs at least two criteria, got {len(self.criteria)}: {call}, or the name {joined!r}"
            )
