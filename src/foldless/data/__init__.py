"""The only door for user data: features, labels and pool are checked here, counted and sliced, and never converted."""

from foldless.data._opening import open_data
from foldless.data._sample import Sample
from foldless.data.pool import Pool

__all__ = ["Pool", "Sample", "open_data"]
