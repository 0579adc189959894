"""What labels are: class codes, values, or targets that only the candidates and scorers can read.

=========  ====================  ===============================  =============================
type       ``y``                 ``classes``                      ``restored(answer)``
=========  ====================  ===============================  =============================
`Classes`  codes 0, 1, … K − 1   the user's labels by their code  the user's label of each code
`Values`   finite floats         none                             the values themselves
`Opaque`   0 for each row        none                             the values themselves
=========  ====================  ===============================  =============================

A criterion asks what every candidate answers (``target.response``) and how many classes there are, and where classes
differ from values, whether the target ``isinstance(target, Classes)``.
"""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from foldless.core.ask import Response
from foldless.core.rows import Array

if TYPE_CHECKING:
    from typing import Self  # Python 3.10 has none

NO_CLASSES: Array = np.empty(0)


@dataclass(frozen=True, eq=False)
class Target:
    """The labels of the labeled rows. ``passed`` is what the user passed, where it has an entry for each of them."""

    y: Array
    passed: Any = field(default=None, kw_only=True)

    response: ClassVar[Response] = "values"  # what every candidate can be asked for

    @property
    def classes(self) -> Array:
        """The user's labels in the order of their codes; none where there are no classes."""
        return NO_CLASSES

    @property
    def n_classes(self) -> int:
        return len(self.classes)

    def restored(self, answer: Array) -> Any:
        """The user's labels for codes of classes; values are as they are."""
        return answer

    def as_passed(self) -> Any:
        """The targets as the user passed them, or what they mean: for splitters and scorers."""
        return self.restored(self.y) if self.passed is None else self.passed

    def relabeled(self, y: Array) -> "Self":
        """The same rows with other codes or values."""
        return replace(self, y=y, passed=None)


@dataclass(frozen=True, eq=False)
class Classes(Target):
    """Labels of two or more classes; ``y`` has their codes."""

    names: Array

    response: ClassVar[Response] = "labels"

    @property
    def classes(self) -> Array:
        return self.names

    def restored(self, answer: Array) -> Any:
        return self.names[answer]


@dataclass(frozen=True, eq=False)
class Values(Target):
    """Numbers, which regressors learn."""


@dataclass(frozen=True, eq=False)
class Opaque(Target):
    """Labels that are not one for each row: none at all, several in a row, or other objects. Only metrics read them.

    They are cut by rows and never read: ``y`` is 0 for each row, and ``passed`` may be None.
    """

    @classmethod
    def of(cls, passed: Any, n: int) -> "Self":
        """The targets of n rows."""
        return cls(np.zeros(n), passed=passed)

    def as_passed(self) -> Any:
        return self.passed
