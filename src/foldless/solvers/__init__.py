"""Numba kernels and nothing else: short, flat, in place. Python decides what they work on."""

from foldless.core.compiled_code import ensure_place, watch

ensure_place()
watch()
