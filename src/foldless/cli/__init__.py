"""The command line: ``foldless select``, ``compare``, ``certify`` and ``predict`` on files, and what goes with them."""

from foldless.cli.terminal._interrupts import ends_quietly

with ends_quietly():
    from foldless.cli._program import main

__all__ = ["main"]
