"""Learners of two views of the same rows."""
