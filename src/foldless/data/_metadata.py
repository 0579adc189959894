"""Parameters of ``fit`` and of scorers, such as sample weights: joined while rows are sorted, and taken apart again."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from foldless.core import Array
from foldless.data._features import n_rows
from foldless.errors import BadInput

ScoreParams = Mapping[str, Mapping[str, Any]]
"""What scorers are given beside a model, rows and labels, by the names of the scorers: sample weights, for example."""

DRAWS = "draws of the labels"  # in place of a scorer: with which probability each label was drawn, and in which round


def label_draws(probabilities: Any, rounds: Any, n: int) -> dict[str, dict[str, Array]]:
    """How labels were drawn, checked, as parameters that are cut to the labeled rows; none where nothing was said.

    A probability is NaN or None for labels drawn at random like the pool, and 0 for those that someone chose.
    """
    if probabilities is None:
        if rounds is not None:
            raise BadInput("label_rounds says when labels were drawn: pass label_probabilities too")
        return {}
    named = {"label_probabilities": probabilities, "label_rounds": np.zeros(n) if rounds is None else rounds}
    arrays = {}
    for name, values in named.items():
        try:
            arrays[name] = np.asarray(pd.to_numeric(np.asarray(values, dtype=object)), dtype=float)
        except (TypeError, ValueError) as error:
            raise BadInput(f"{name} must be numbers: {error}") from error
        if arrays[name].shape != (n,):
            raise BadInput(f"{name} has {len(arrays[name])} entries for {n} rows of X: they must be of equal length")
    chances, order = arrays.values()
    if ((chances < 0) | (chances > 1)).any():
        wrong = float(chances[(chances < 0) | (chances > 1)][0])
        raise BadInput(f"label_probabilities must be between 0 and 1, got {wrong}", value=wrong)
    if np.isnan(order[~np.isnan(chances)]).any():
        raise BadInput("label_rounds has no number for a label that has a probability: name its round, such as 1")
    return {DRAWS: {"probabilities": chances, "rounds": order}}


def joined(fit_params: Mapping[str, Any] | None, score_params: ScoreParams | None) -> dict[Any, Any]:
    """The parameters of fits by their names, and those of scorers by the name of the scorer and their own."""
    params: dict[Any, Any] = {name: value for name, value in (fit_params or {}).items() if value is not None}
    return params | {(scorer, name): v for scorer, own in (score_params or {}).items() for name, v in own.items()}


def apart(params: Mapping[Any, Any]) -> dict[str, Any]:
    """The same parameters as fields of `Sample`."""
    scorers: dict[str, dict[str, Any]] = {}
    for key, value in params.items():
        if isinstance(key, tuple):
            scorers.setdefault(key[0], {})[key[1]] = value
    draws = scorers.pop(DRAWS, {})
    fit_params = {key: value for key, value in params.items() if isinstance(key, str)}
    return {"fit_params": fit_params, "score_params": scorers, "draws": draws}


def is_per_row(value: Any, n: int) -> bool:
    """Whether a parameter has an entry for each of n rows."""
    return not isinstance(value, str | bytes | dict) and hasattr(value, "__len__") and n_rows(value) == n
