"""``auto``: resamples of the labels for all candidates, more for the better ones, and a vote of the pool."""

from foldless.criteria.racing._resamples import RESAMPLES, resamples, rows_asked

__all__ = ["RESAMPLES", "resamples", "rows_asked"]
