"""Pools that stay in their files: Parquet, Arrow datasets and Dask frames, in blocks of rows."""

from foldless.data.pools._pool_opening import opened_pool, source_of

__all__ = ["opened_pool", "source_of"]
