"""Ways of choosing, one file each, named as users write them."""

from foldless.core import Criterion
from foldless.criteria.ada import ADA
from foldless.criteria.adj import ADJ
from foldless.criteria.best_of import BestOf
from foldless.criteria.bootstrap_632 import Bootstrap632
from foldless.criteria.calibrated_confidence import CalibratedConfidence
from foldless.criteria.confidence_difference import ConfidenceDifference
from foldless.criteria.confidence_threshold import ConfidenceThreshold
from foldless.criteria.contingency import Contingency
from foldless.criteria.dagging import Dagging
from foldless.criteria.evidence import Evidence
from foldless.criteria.hold_out import HoldOut
from foldless.criteria.k_fold import KFold
from foldless.criteria.leave_one_out import LeaveOneOut
from foldless.criteria.prediction_powered import PredictionPowered
from foldless.criteria.quantification_bound import QuantificationBound
from foldless.criteria.rank_sum import RankSum
from foldless.criteria.repeated_k_fold import RepeatedKFold
from foldless.criteria.reverse_validation import ReverseValidation
from foldless.criteria.semi_supervised_cv import SemiSupervisedCV
from foldless.criteria.similar_data import SimilarData
from foldless.criteria.tri import TRI
from foldless.errors import BadInput

BY_NAME: dict[str, type[Criterion]] = {
    "quantification_bound": QuantificationBound,
    "k_fold": KFold,
    "leave_one_out": LeaveOneOut,
    "hold_out": HoldOut,
    "bootstrap_632": Bootstrap632,
    "semi_supervised_cv": SemiSupervisedCV,
    "similar_data": SimilarData,
    "ada": ADA,
    "tri": TRI,
    "adj": ADJ,
    "evidence": Evidence,
    "dagging": Dagging,
    "reverse_validation": ReverseValidation,
    "repeated_k_fold": RepeatedKFold,
    "prediction_powered": PredictionPowered,
    "contingency": Contingency,
    "confidence_threshold": ConfidenceThreshold,
    "confidence_difference": ConfidenceDifference,
    "calibrated_confidence": CalibratedConfidence,
}


def resolve(criterion: str | Criterion) -> Criterion:
    """A criterion object from its name or from itself; a plus between names adds ranks, a bar takes the best of all."""
    if isinstance(criterion, Criterion):
        return criterion
    name = str(criterion).replace("-", "_")
    if isinstance(criterion, str) and name in BY_NAME:
        return BY_NAME[name]()
    if isinstance(criterion, str) and "|" in name:
        return BestOf(*(resolve(one.strip()) for one in name.split("|")))
    if isinstance(criterion, str) and "+" in name:
        return RankSum(*(resolve(one.strip()) for one in name.split("+")))
    raise BadInput(
        f"criterion must be one of {', '.join(BY_NAME)}, several with a plus or a bar between them such as "
        f"'similar_data+ada' or 'k_fold|dagging', or a Criterion object, got {criterion!r}"
    )


__all__ = [
    "ADA",
    "ADJ",
    "BY_NAME",
    "TRI",
    "BestOf",
    "Bootstrap632",
    "CalibratedConfidence",
    "ConfidenceDifference",
    "ConfidenceThreshold",
    "Contingency",
    "Dagging",
    "Evidence",
    "HoldOut",
    "KFold",
    "LeaveOneOut",
    "PredictionPowered",
    "QuantificationBound",
    "RankSum",
    "RepeatedKFold",
    "ReverseValidation",
    "SemiSupervisedCV",
    "SimilarData",
    "resolve",
]
