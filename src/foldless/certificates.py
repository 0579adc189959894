"""Certificates, under the name they had in 0.1: see `foldless.core`."""

from foldless.core.certificate import Certificate, Term

__all__ = ["Certificate", "Term"]
