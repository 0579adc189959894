"""The command line: ``foldless select`` and ``foldless compare`` on files."""

from foldless.cli.commands import main

__all__ = ["main"]
