"""Pools that stay in their files: Parquet, Arrow datasets and Dask frames, in blocks of rows."""

from foldless.io.pools.opened_pool import opened_pool

__all__ = ["opened_pool"]
