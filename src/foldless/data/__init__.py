"""The only door for user data: features, labels and pool are checked here, counted and sliced, and never converted.

``foldless.data._opening.open_sample`` opens them, and makes a `Sample`.
"""

from foldless.data._sample import Sample
from foldless.data.pool import Pool

__all__ = ["Pool", "Sample"]
