"""Streams: learn from rows that are read once, batch by batch, and estimate class shares of rows as they come.

`train` fits a classifier in one pass with prequential evaluation and checkpoints, `shares` estimates class shares
window by window, and `DriftAlarm` detects when they change.
"""

from foldless.results.stream_shares import PrevalenceWindow, StreamShares
from foldless.streams._registry import DEFAULT, LEARNERS, MEASURES
from foldless.streams.drift import DriftAlarm
from foldless.streams.prequential import ConfusionMatrix, PrequentialEvaluation
from foldless.streams.shares import shares
from foldless.streams.train import Progress, train
from foldless.streams.training import StreamTraining

__all__ = [
    "DEFAULT",
    "LEARNERS",
    "MEASURES",
    "ConfusionMatrix",
    "DriftAlarm",
    "PrequentialEvaluation",
    "PrevalenceWindow",
    "Progress",
    "StreamShares",
    "StreamTraining",
    "shares",
    "train",
]
