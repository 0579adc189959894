"""Estimators of class shares from what a classifier says about the pool: one file each.

`Quantifier.learn` reads out-of-fold answers of labeled rows (`Held`), and ``aggregate_many(answers, bags)`` of what it
returns counts many bags of rows at once. ``METHODS`` has them by their names.
"""

from collections.abc import Mapping

from foldless.errors import BadInput
from foldless.quantifiers.acc import ACC, adjusted_count, ill_conditioned
from foldless.quantifiers.bags import Bags
from foldless.quantifiers.cc import CC, classify_and_count
from foldless.quantifiers.dys import DyS
from foldless.quantifiers.em import EM
from foldless.quantifiers.hdy import HDy
from foldless.quantifiers.kdey import KDEy
from foldless.quantifiers.pacc import PACC
from foldless.quantifiers.pcc import PCC, MeanProbabilities, SigmoidShares
from foldless.quantifiers.posterior import MAP
from foldless.quantifiers.quantifier import Held, Learned, Quantifier
from foldless.quantifiers.thresholds import MAX, MS, T50, X

__all__ = [
    "ACC",
    "CC",
    "EM",
    "MAP",
    "MAX",
    "METHODS",
    "MS",
    "PACC",
    "PCC",
    "T50",
    "Bags",
    "DyS",
    "HDy",
    "Held",
    "KDEy",
    "Learned",
    "MeanProbabilities",
    "Quantifier",
    "SigmoidShares",
    "X",
    "adjusted_count",
    "classify_and_count",
    "ill_conditioned",
    "resolve",
]

METHODS: Mapping[str, type[Quantifier]] = {
    "cc": CC, "pcc": PCC, "acc": ACC, "pacc": PACC, "em": EM, "map": MAP, "hdy": HDy, "dys": DyS, "kdey": KDEy,
    "ms": MS, "max": MAX, "x": X, "t50": T50,
}  # fmt: skip


def resolve(method: str | Quantifier) -> Quantifier:
    """A quantifier by its name, or as it is."""
    if isinstance(method, Quantifier):
        return method
    if method not in METHODS:
        raise BadInput(
            f"method must be one of {', '.join(map(repr, METHODS))}, or a Quantifier, got {method!r}",
            value=method, place="method",
        )  # fmt: skip
    return METHODS[method]()
