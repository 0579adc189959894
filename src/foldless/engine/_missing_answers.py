"""Questions that have no answer: which of them a criterion can do without."""

from collections.abc import Callable, Container, Sequence

import numpy as np

from foldless.core import Ask
from foldless.errors import BadInput

NOTHING = np.empty(0)
"""The answer to a question that may fail, and did."""


def lacking(pending: Sequence[Ask], answers: Container[Ask], error_of: Callable[[Ask], Exception | None]) -> list[Ask]:
    """Questions without an answer, but for those that may fail, where others to the same candidate do not."""
    unanswered = [ask for ask in pending if ask not in answers]
    if not any(ask.may_fail for ask in unanswered):
        return unanswered
    for ask in unanswered:
        if ask.by is not None and isinstance(error := error_of(ask), BadInput):  # a scorer's fault, not a candidate's
            raise error
    answered = {ask.fit.candidate for ask in pending if ask.may_fail and ask in answers}
    return [ask for ask in unanswered if not ask.may_fail or error_of(ask) is None or ask.fit.candidate not in answered]
