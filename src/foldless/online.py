"""Classifiers that learn to estimate class shares (quantification), from streams and from tables."""

from foldless.learners.online import CAN, NEMSIS, SCAN, OnePassMiniBatch, SVMPerf

__all__ = ["CAN", "NEMSIS", "SCAN", "OnePassMiniBatch", "SVMPerf"]
