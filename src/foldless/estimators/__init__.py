"""Estimates of a classifier's accuracy on the pool from out-of-fold answers and answers on the pool: one file each."""

from foldless.estimators.calibrated_confidence import Calibration, calibrated_confidence, expected_confusion
from foldless.estimators.confidence_difference import confidence_difference
from foldless.estimators.confidence_threshold import confidence_threshold
from foldless.estimators.contingency import contingency
from foldless.estimators.difference import Difference, paired_difference
from foldless.estimators.held_out_accuracy import HeldOut, held_out_accuracy
from foldless.estimators.interval_estimate import Estimate
from foldless.estimators.prediction_powered import PredictionPowered, prediction_powered
from foldless.estimators.second_opinion import lead, second_opinion
from foldless.estimators.shift import Shift

__all__ = [
    "Calibration",
    "Difference",
    "Estimate",
    "HeldOut",
    "PredictionPowered",
    "Shift",
    "calibrated_confidence",
    "confidence_difference",
    "confidence_threshold",
    "contingency",
    "expected_confusion",
    "held_out_accuracy",
    "lead",
    "paired_difference",
    "prediction_powered",
    "second_opinion",
]
