"""Estimates of a classifier's accuracy on the pool from out-of-fold answers and answers on the pool: one file each."""

from foldless.accuracy._calibrated_confidence import Calibration, calibrated_confidence, expected_confusion
from foldless.accuracy._confidence_difference import confidence_difference
from foldless.accuracy._confidence_threshold import confidence_threshold
from foldless.accuracy._contingency import contingency
from foldless.accuracy._difference import paired_difference
from foldless.accuracy._held_out_accuracy import HeldOut, held_out_accuracy
from foldless.accuracy._prediction_powered import PredictionPoweredMean, prediction_powered
from foldless.accuracy._second_opinion import lead, second_opinion

__all__ = [
    "Calibration",
    "HeldOut",
    "PredictionPoweredMean",
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
