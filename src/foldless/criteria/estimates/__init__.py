"""Criteria that rank by an estimate of accuracy from `foldless.accuracy`: one file for each estimate."""
