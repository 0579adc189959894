"""Models on disk, under the name of 0.1: see `foldless.saving`."""

from foldless._deprecations import moved

HOMES = {
    "Kept": "foldless.saving",
    "Schema": "foldless.saving",
    "keep": "foldless.saving.model_files",
    "load": "foldless.saving",
    "save": "foldless.saving",
}
__all__ = list(HOMES)
__getattr__ = moved(__name__, HOMES, removed_in="0.5")
