"""Kar et al. (2016). Online optimization methods for the quantification problem."""
