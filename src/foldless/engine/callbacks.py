"""scikit-learn's callbacks (1.9 and later): every fit is a task of the search, and callbacks reach the candidates.

Where scikit-learn has no callbacks, the mixin is empty and the decorator does nothing.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

__all__ = ["CallbackSupport", "Hook", "Hooks", "with_callbacks"]

F = TypeVar("F", bound=Callable[..., Any])

try:
    from sklearn.callback import CallbackSupportMixin as CallbackSupport
    from sklearn.callback import with_callbacks
except ImportError:  # scikit-learn before 1.9

    class CallbackSupport:  # type: ignore[no-redef]  # in place of the one that is missing
        """Nothing to support."""

    def with_callbacks(method: F) -> F:
        """The method as it is."""
        return method


@dataclass(frozen=True, eq=False)
class Hook:
    """The place of one fit in the search's tree of tasks; travels to the worker."""

    context: Any
    search: Any

    @contextmanager
    def around(self, estimator: Any) -> Iterator[None]:
        """Tell the callbacks that a fit begins, and let the candidate tell them of its own steps."""
        with self.context.propagate_callback_context(estimator):
            self.context.call_on_fit_task_begin(estimator=self.search)
            yield

    def end(self) -> bool:
        """Tell the callbacks that the fit ended; True where one of them wants no more."""
        return bool(self.context.call_on_fit_task_end(estimator=self.search))


class Hooks:
    """Makes a hook for every fit of a search that has callbacks; use `of` to get one, or None."""

    def __init__(self, search: Any, root: Any):
        self._search, self._root = search, root

    @classmethod
    def of(cls, search: Any) -> "Hooks | None":
        """Begin the search's own task; None where nobody listens."""
        if not hasattr(search, "_init_callback_context"):
            return None
        root = search._init_callback_context(task_name="fit", max_subtasks=None)
        root.call_on_fit_task_begin(estimator=search)
        return cls(search, root) if getattr(search, "_skl_callbacks", None) else None

    def next(self) -> Hook:
        return Hook(self._root.subcontext(task_name="candidate fit"), self._search)

    def end(self) -> None:
        self._root.call_on_fit_task_end(estimator=self._search)
