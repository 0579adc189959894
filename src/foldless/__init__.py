"""Choose classifiers with the data nobody has labeled."""

from foldless._version import __version__
from foldless.certifying import certify
from foldless.comparing import compare
from foldless.data import Pool
from foldless.search import FoldlessSearch

__all__ = ["FoldlessSearch", "Pool", "__version__", "certify", "compare"]
