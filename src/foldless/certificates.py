"""Certificates, under the name of 0.1: see `foldless.core`."""

from foldless._deprecations import moved

HOMES = dict.fromkeys(("Certificate", "Term"), "foldless.core")
__all__ = list(HOMES)
__getattr__ = moved(__name__, HOMES, removed_in="0.5")
