"""Numba kernels and nothing else: short, flat, in place. Python decides what they work on."""
