"""Quantifiers that compare histograms of probabilities."""

from foldless.quantifiers.histograms.dys import DyS
from foldless.quantifiers.histograms.hdy import HDy

__all__ = ["DyS", "HDy"]
