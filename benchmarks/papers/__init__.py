"""The papers' tables and figures, a folder each: ``python -m benchmarks.papers.<paper>.run``."""
