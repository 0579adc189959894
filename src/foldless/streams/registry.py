"""The learners of streams by the names that they have on the command line."""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np

from foldless.errors import BadInput
from foldless.io.atomic import told
from foldless.measures import resolve
from foldless.online import NEMSIS, SCAN, OnePassMiniBatch
from foldless.streams.prequential import Counts

LEARNERS: Mapping[str, Any] = {"nemsis": NEMSIS, "scan": SCAN, "one-pass": OnePassMiniBatch}
USUAL = "nemsis"
MEASURES = {"nemsis": "bakld", "scan": "cq_reward", "one-pass": "kld"}
FIXED = ("measure", "passes", "shuffle", "random_state")  # a stream is read once, in its order


def make(name: str, params: Mapping[str, Any]) -> Any:
    """A learner with these parameters, checked."""
    known = LEARNERS[name]().get_params()
    for key in params:
        if key != "measure" and (key not in known or key in FIXED):
            usable = [one for one in known if one not in FIXED]
            near = get_close_matches(key, usable, n=1)
            hint = f"did you mean {near[0]}? " if near else ""
            raise BadInput(f"{key} is no parameter of {name} on a stream: {hint}there are {', '.join(usable)}")
    learner = LEARNERS[name](**params)
    try:
        LEARNERS[name](**params).partial_fit(np.zeros((2, 1)), [0, 1], classes=[0, 1])
    except BadInput:
        raise
    except (TypeError, ValueError) as error:  # scikit-learn's own words about a value
        raise BadInput(f"a parameter of {name} cannot have its value ({told(error)}): give another") from error
    return learner


def judged(measure: str, counts: Counts) -> float | None:
    """A measure's value at counts, larger is better; of more than two classes the mean of each against the rest."""
    if not counts.n:
        return None
    table = np.asarray(counts.table, dtype=float)
    sizes, said, right = table.sum(axis=1), table.sum(axis=0), np.diag(table)
    which = [1] if len(table) == 2 else range(len(table))
    values = []
    for k in which:
        rest = counts.n - sizes[k]
        P = right[k] / sizes[k] if sizes[k] else 1.0
        N = 1 - (said[k] - right[k]) / rest if rest else 1.0
        values.append(float(resolve(measure).value(P, N, sizes[k] / counts.n, counts.n)))
    return float(np.mean(values))
