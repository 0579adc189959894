"""Numba kernels of ``foldless.learners.online``."""
