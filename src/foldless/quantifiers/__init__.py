"""Estimators of class shares from what a classifier says about the pool: one file each."""

from foldless.quantifiers.acc import adjusted_count
from foldless.quantifiers.cc import classify_and_count
from foldless.quantifiers.pcc import MeanProbabilities, SigmoidShares

__all__ = ["MeanProbabilities", "SigmoidShares", "adjusted_count", "classify_and_count"]
