"""Numba kernels of ``foldless.learners.kernel_svm``."""
