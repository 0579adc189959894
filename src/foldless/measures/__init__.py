"""Measures of quantification (estimating class shares): functions of two rates, with gradients, one file each."""

from typing import Any

from foldless.errors import BadInput
from foldless.measures.bakld import BAKLD
from foldless.measures.balanced_accuracy import BalancedAccuracy
from foldless.measures.bk_reward import BKReward
from foldless.measures.cq_reward import CQReward
from foldless.measures.cqb import CQB
from foldless.measures.f_measure import FMeasure
from foldless.measures.g_mean import GMean
from foldless.measures.kld import KLD
from foldless.measures.measure import Measure, rates
from foldless.measures.nested import Nested
from foldless.measures.nested_concave import NestedConcave
from foldless.measures.nss import NSS
from foldless.measures.pseudo_concave import PseudoConcave
from foldless.measures.q_measure import QMeasure

BY_NAME: dict[str, type[Measure]] = {
    "kld": KLD,
    "nss": NSS,
    "balanced_accuracy": BalancedAccuracy,
    "q_measure": QMeasure,
    "bakld": BAKLD,
    "cq_reward": CQReward,
    "bk_reward": BKReward,
    "f_measure": FMeasure,
    "g_mean": GMean,
    "cqb": CQB,
}


def resolve(measure: Any, kind: Any = Measure) -> Any:
    """A measure object from its name or from itself; one of another kind than wanted is refused."""
    if isinstance(measure, str) and measure.replace("-", "_") in BY_NAME:
        measure = BY_NAME[measure.replace("-", "_")]()
    if not isinstance(measure, Measure):
        fitting = [name for name, known in BY_NAME.items() if issubclass(known, kind)]
        raise BadInput(
            f"measure must be one of {', '.join(fitting)}, or an object of foldless.measures, got {measure!r}"
        )
    if not isinstance(measure, kind):
        raise BadInput(f"{measure} is {measure.kind}: {measure.remedy}")
    return measure


__all__ = [
    "BAKLD",
    "BY_NAME",
    "CQB",
    "KLD",
    "NSS",
    "BKReward",
    "BalancedAccuracy",
    "CQReward",
    "FMeasure",
    "GMean",
    "Measure",
    "Nested",
    "NestedConcave",
    "PseudoConcave",
    "QMeasure",
    "rates",
    "resolve",
]
