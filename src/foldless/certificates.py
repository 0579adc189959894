"""Certificates, under the name of 0.1: see `foldless.core`."""

from typing import Any

from foldless._deprecations import moved

HOMES = dict.fromkeys(("Certificate", "Term"), "foldless.core")
__all__ = list(HOMES)


def __getattr__(name: str) -> Any:
    return moved(name, __name__, HOMES, removed_in="0.5")
