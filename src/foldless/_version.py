"""The version, read by the build and by the journal's keys."""

__version__ = "0.1.0"
