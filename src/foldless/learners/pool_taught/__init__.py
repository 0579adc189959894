"""Classifiers taught by the pool: features learned on all rows, and labels that spread to neighbors."""

from foldless.learners.pool_taught.neighbor_spreading import NeighborSpreading
from foldless.learners.pool_taught.pool_features import PoolFeatures
from foldless.learners.pool_taught.taught_view import TaughtView

__all__ = ["NeighborSpreading", "PoolFeatures", "TaughtView"]
