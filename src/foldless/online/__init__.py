"""Classifiers that learn to estimate class shares (quantification), from streams and from tables: one file each."""

from foldless.online.can import CAN
from foldless.online.nemsis import NEMSIS
from foldless.online.one_pass import OnePassMiniBatch
from foldless.online.scan import SCAN
from foldless.online.svm_perf import SVMPerf

__all__ = ["CAN", "NEMSIS", "SCAN", "OnePassMiniBatch", "SVMPerf"]
