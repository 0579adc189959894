"""Support vector machines with kernels."""

from foldless.learners.kernel_svm.kernel_svc import KernelSVC

__all__ = ["KernelSVC"]
