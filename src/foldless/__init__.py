"""Choose classifiers with the data nobody has labeled."""

from foldless._version import __version__
from foldless.data import Pool
from foldless.selection.certify import certify
from foldless.selection.compare import compare
from foldless.selection.estimate import estimate
from foldless.selection.search import FoldlessSearch

__all__ = ["FoldlessSearch", "Pool", "__version__", "certify", "compare", "estimate"]
