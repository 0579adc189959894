"""Adapters to other packages: scorers and ``cv`` objects of scikit-learn, an objective of Optuna, quantifiers of QuaPy."""
