"""Fits on a Dask cluster: data go to a worker once, small fits go in bundles, and lost work is sent again."""
