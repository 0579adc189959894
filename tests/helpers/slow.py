"""Parameters of which `make test` takes the first, and `make test-all` the others."""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks


def slow_beyond(n: int, values: Iterable[Any]) -> list[Any]:
    """Values for `pytest.mark.parametrize`; all behind the first ``n`` are slow."""
    return [value if at < n else _slow(value) for at, value in enumerate(values)]


def checks_of(estimators: Sequence[Any], **settings: Any) -> Any:
    """scikit-learn's checks of all estimators; those of estimators behind the first are slow."""
    mark = parametrize_with_checks(list(estimators), **settings).mark
    names, values, *_ = mark.args
    first = repr(estimators[0])
    marked = [value if repr(_parts(value)[0]) == first else _slow(value) for value in values]
    return pytest.mark.parametrize(names, marked, **mark.kwargs)


def _slow(value: Any) -> Any:
    marks = value.marks if hasattr(value, "marks") else ()
    return pytest.param(*_parts(value), marks=[*marks, pytest.mark.slow])


def _parts(value: Any) -> tuple[Any, ...]:
    if hasattr(value, "marks"):  # what pytest.param has made
        return tuple(value.values)
    return value if isinstance(value, tuple) else (value,)
