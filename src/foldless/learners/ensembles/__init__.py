"""Classifiers made of other classifiers."""
