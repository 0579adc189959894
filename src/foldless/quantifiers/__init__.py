"""Estimators of class shares from what a classifier says about the pool: one file each."""

from foldless.quantifiers.acc import adjusted_count, adjusted_interval, ill_conditioned
from foldless.quantifiers.cc import classify_and_count
from foldless.quantifiers.pcc import MeanProbabilities, SigmoidShares

__all__ = [
    "MeanProbabilities",
    "SigmoidShares",
    "adjusted_count",
    "adjusted_interval",
    "classify_and_count",
    "ill_conditioned",
]
