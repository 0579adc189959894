"""Numba kernels of ``foldless.learners.co_training``."""
