"""Gaussian process classifiers whose kernels know the pool."""
