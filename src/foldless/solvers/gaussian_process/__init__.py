"""Numba kernels of ``foldless.learners.gaussian_process``."""
