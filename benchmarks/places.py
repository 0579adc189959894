"""Where things are: the data sets that benchmarks read, and the results and pictures that they keep."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("FOLDLESS_DATA", ROOT.parent / "shared" / "data"))
RESULTS = ROOT / "benchmarks" / "results"
PICTURES = ROOT / "docs" / "_static"
