"""Gaussian process classifiers whose kernels know the pool."""

from foldless.learners.gaussian_process.gp_co_training import GPCoTraining
from foldless.learners.gaussian_process.manifold_gp import ManifoldGP
from foldless.learners.gaussian_process.multi_view_gp import MultiViewGP
from foldless.learners.gaussian_process.precomputed import Precomputed
from foldless.learners.gaussian_process.view_gp import ViewGP

__all__ = ["GPCoTraining", "ManifoldGP", "MultiViewGP", "Precomputed", "ViewGP"]
