"""Quanz and Huan (2012). Model selection for semi-supervised learning with limited labeled data."""
