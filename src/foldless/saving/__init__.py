"""Models on disk: written and read without pickle, by types that are trusted by name."""

from foldless.saving.model_files import Kept, Schema, load, save

__all__ = ["Kept", "Schema", "load", "save"]
