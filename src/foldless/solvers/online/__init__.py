"""Numba kernels of ``foldless.online``."""
