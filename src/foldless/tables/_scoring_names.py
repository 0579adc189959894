"""Metrics as they are typed, for the classes of a table: names of scikit-learn, and the class they are of."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from foldless.core._plain import plain_value
from foldless.errors import BadInput, CannotAnswer, some
from foldless.judging._judge import Scoring, scorer_of
from foldless.judging.metric import OF_ONE_CLASS, Metric, why_not


def scorings(names: Sequence[str], positive: Any, classes: Sequence[Any]) -> list[Scoring]:
    """Metrics by their names, each once; those of one class are of ``positive``. Nobody is asked for the classes twice.

    ``classes`` is empty where numbers are predicted.
    """
    several = list(dict.fromkeys(names))
    for name in several:
        scorer_of(name)
    known = [plain_value(label) for label in classes]
    of_class = [name for name in several if name in OF_ONE_CLASS]
    if positive is not None:
        label = class_named(positive, known)
        if not of_class:
            raise BadInput(
                f"a positive class is for {', '.join(OF_ONE_CLASS)}, and {some(several) or 'no metric'} was named: "
                f"name one of these, or leave the class out",
                value=positive,
            )
        return [Metric(name, label) if name in OF_ONE_CLASS else name for name in several]
    why = next((why for name in several if (why := why_not(name, known)) is not None), None)
    if why is not None:
        problem = why.problem.replace(" cannot score these answers: it", "")
        raise CannotAnswer(problem, value=why.value, remedy=why.remedies)
    return list(several)


def class_named(typed: Any, classes: Sequence[Any]) -> Any:
    """The class that is called so, whatever its type."""
    if not len(classes):
        raise BadInput(f"there is no class {typed!r}, because numbers are predicted: leave it out", value=typed)
    matching = [label for label in classes if label == typed or str(label) == str(typed)]
    if not matching:
        near = get_close_matches(str(typed), list(map(str, classes)), n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise BadInput(f"there is no class {typed!r}: {hint}the classes are {some(list(classes))}", value=typed)
    return matching[0]
