"""Classifiers that learn to estimate class shares (quantification), from streams and from tables: one file each."""

from foldless.learners.online.can import CAN
from foldless.learners.online.nemsis import NEMSIS
from foldless.learners.online.one_pass import OnePassMiniBatch
from foldless.learners.online.scan import SCAN
from foldless.learners.online.svm_perf import SVMPerf

__all__ = ["CAN", "NEMSIS", "SCAN", "OnePassMiniBatch", "SVMPerf"]
