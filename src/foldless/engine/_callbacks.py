"""scikit-learn's callbacks (1.9 and later): every fit is a task of the search, and callbacks reach the candidates.

Where scikit-learn has no callbacks, the mixin is empty, and the decorator adds a frame as that of scikit-learn does:
warnings count the frames up to their user.
"""

from collections.abc import Callable, Mapping
from contextlib import contextmanager
from functools import wraps
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

        @wraps(method)
        def alone(*args: Any, **kwargs: Any) -> Any:
            return method(*args, **kwargs)

        return alone  # type: ignore[return-value]  # of the same signature


class Hook:
    """The place of one fit in the search's tree of tasks; travels to the worker."""

    def __init__(self, context: Any, search: Any):
        self._context, self._search = context, search
        self._given: dict[str, Any] | None = None

    @contextmanager
    def around(self, estimator: Any, X: Any = None, y: Any = None, params: Mapping[str, Any] | None = None) -> Any:
        """Tell the callbacks that a fit begins, and let the candidate tell them of its own steps."""
        with self._context.propagate_callback_context(estimator):
            self._begin(X=X, y=y, metadata=_weights(params))
            yield

    def end(self) -> bool:
        """Tell the callbacks that the fit ended; True where one of them wants no more.

        One that ended before its candidate was trained, such as a constant, has a beginning too.
        """
        if self._given is None:
            self._begin()
        return bool(self._context.call_on_fit_task_end(estimator=self._search, **(self._given or {})))

    def _begin(self, **passed: Any) -> None:
        self._given = passed
        self._context.call_on_fit_task_begin(estimator=self._search, **passed)


class Hooks:
    """Makes a hook for every fit of a search that has callbacks; use `of` to get one, or None.

    The tasks are named as in scikit-learn's searches: the search, its fits, and the fit of the chosen model.
    """

    def __init__(self, search: Any, root: Any, passed: dict[str, Any]):
        self._search, self._root, self._given, self._n = search, root, passed, 0
        self._searching = root.subcontext(task_name="search", max_subtasks=None, sequential_subtasks=False)
        self._searching.call_on_fit_task_begin(estimator=search)
        self._searched = False

    @classmethod
    def of(cls, search: Any, X: Any, y: Any, params: Mapping[str, Any]) -> "Hooks | None":
        """Begin the search's own task; None where nobody listens."""
        if not hasattr(search, "_init_callback_context"):
            return None
        root = search._init_callback_context(task_name="fit", max_subtasks=None)
        passed = {"X": X, "y": y, "metadata": _weights(params)}
        root.call_on_fit_task_begin(estimator=search, **passed)
        return cls(search, root, passed) if getattr(search, "_skl_callbacks", None) else None

    def next(self) -> Hook:
        """The hook of a fit by which candidates are judged."""
        self._n += 1
        context = self._searching.subcontext(task_name="candidate-split-evaluation", task_id=self._n - 1)
        return Hook(context, self._search)

    def refit(self) -> Hook:
        """The hook of the fit that becomes the model, after the search."""
        self._end_search()
        return Hook(self._root.subcontext(task_name="refit-with-best-params"), self._search)

    def end(self) -> None:
        self._end_search()
        self._root.call_on_fit_task_end(estimator=self._search, **self._given)

    def _end_search(self) -> None:
        if not self._searched:
            self._searching.call_on_fit_task_end(estimator=self._search)
            self._searched = True


def _weights(params: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What callbacks are told of the parameters of fit."""
    weights = (params or {}).get("sample_weight")
    return None if weights is None else {"sample_weight": weights}
