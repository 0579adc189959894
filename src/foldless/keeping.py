"""Models on disk, under the name they had in 0.1: see `foldless.saving`."""

from foldless.saving.model_files import Kept, Schema, keep, load, save

__all__ = ["Kept", "Schema", "keep", "load", "save"]
