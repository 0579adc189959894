"""Parameters of ``fit`` and of scorers, such as sample weights: joined while rows are sorted, and taken apart again."""

from collections.abc import Mapping
from typing import Any

from foldless.data.features import n_rows

ScoreParams = Mapping[str, Mapping[str, Any]]
"""What scorers are given beside a model, rows and labels, by the names of the scorers: sample weights, for example."""


def joined(fit_params: Mapping[str, Any] | None, score_params: ScoreParams | None) -> dict[Any, Any]:
    """The parameters of fits by their names, and those of scorers by the name of the scorer and their own."""
    params: dict[Any, Any] = {name: value for name, value in (fit_params or {}).items() if value is not None}
    return params | {(scorer, name): v for scorer, own in (score_params or {}).items() for name, v in own.items()}


def apart(params: Mapping[Any, Any]) -> dict[str, Any]:
    """The same parameters as fields of `Data`."""
    scorers: dict[str, dict[str, Any]] = {}
    for key, value in params.items():
        if isinstance(key, tuple):
            scorers.setdefault(key[0], {})[key[1]] = value
    return {"fit_params": {k: v for k, v in params.items() if isinstance(k, str)}, "score_params": scorers}


def is_per_row(value: Any, n: int) -> bool:
    """Whether a parameter has an entry for each of n rows."""
    return not isinstance(value, str | bytes | dict) and hasattr(value, "__len__") and n_rows(value) == n
