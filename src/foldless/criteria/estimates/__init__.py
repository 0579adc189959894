"""Criteria that rank by an estimate of accuracy from `foldless.estimators`: one file for each estimate."""
