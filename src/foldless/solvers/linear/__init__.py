"""Numba kernels of ``foldless.learners.linear``."""
