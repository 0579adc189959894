"""A page on this machine for labels, pool and candidates: label rows, see who leads, save the model.

The command ``foldless app`` starts it; in Python:

>>> from pathlib import Path
>>> from foldless.app import Setup, serve
>>> setup = Setup("train.csv", "y", Path("train.foldless"), {"unlabeled": "pool.csv"})
>>> serve(setup)  # doctest: +SKIP

It needs ``pip install 'foldless[app]'``.
"""

from foldless.app.app_setup import Setup
from foldless.app.serving import Reach, serve

__all__ = ["Reach", "Setup", "serve"]
