"""The only door for user data: features, labels and pool are checked here, counted and sliced, and never converted."""

from foldless.data._opening import Data, open_data
from foldless.data.pool import Pool

__all__ = ["Data", "Pool", "open_data"]
