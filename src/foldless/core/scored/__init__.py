"""Scores of candidates on splits, and scorers that are put to fitted models."""
