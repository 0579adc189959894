"""Measurements that are run by hand; README.md says which command answers which question."""
