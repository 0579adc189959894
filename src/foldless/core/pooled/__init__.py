"""Sums over a pool, in memory or in its file."""
