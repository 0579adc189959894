"""The command line: ``foldless select``, ``compare``, ``certify`` and ``predict`` on files, and what goes with them."""

from foldless.cli.terminal.interrupts import ends_quietly

with ends_quietly():
    from foldless.cli.commands import main

__all__ = ["main"]
