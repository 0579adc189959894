"""Adapters to other packages: scikit-learn, Optuna and QuaPy."""
