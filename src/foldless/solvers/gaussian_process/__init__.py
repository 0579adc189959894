"""Numba kernels of ``foldless.learners.gaussian_process``: a folder because each family of learners has one here."""
