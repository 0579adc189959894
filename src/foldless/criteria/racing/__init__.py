"""Criteria that ask in rounds, and ask the better candidates more often."""

from foldless.criteria.racing._meaning import SAME, meaning_of
from foldless.criteria.racing._race import MIN_MERGING_ROWS, ROUNDS, margin, resamples, rows_asked

MOST_RESAMPLES = ROUNDS[-1]

__all__ = ["MIN_MERGING_ROWS", "MOST_RESAMPLES", "ROUNDS", "SAME", "margin", "meaning_of", "resamples", "rows_asked"]
