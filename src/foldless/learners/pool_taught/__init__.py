"""Classifiers taught by the pool: features learned on all rows, and labels that spread to neighbors."""

from foldless.learners.pool_taught.neighbor_spreading import NeighborSpreading
from foldless.learners.pool_taught.pool_features import PoolFeatures

__all__ = ["NeighborSpreading", "PoolFeatures"]
