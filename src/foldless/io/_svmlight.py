"""svmlight: a label and the nonzero features of one row per line, ``+1 3:0.5 17:2``.

Several labels stand between commas; a line may have none. Features keep the number they have in the file, so files
agree about them whether they count from 0 or from 1.
"""

import io
import math
import re
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from foldless.errors import BadInput
from foldless.io._atomic import reason
from foldless.io._sources import Source, check_text
from foldless.io._table import Table

LABEL = "label"
MAX_FEATURES = 2**27  # a linear model of so many features has 1 GB of weights per class
SEVERAL = re.compile(rb"^[ \t]*([^\s#:]+,|\d+:|qid:)", re.MULTILINE)
LIKE = "write a label and then feature:value with rising feature numbers, such as +1 3:0.5 17:2"


def read(source: Source) -> Table:
    """The labels as a column, the features as a sparse matrix."""
    check_text(source)
    content = source.read()
    several = SEVERAL.search(content) is not None
    try:
        from sklearn.datasets import load_svmlight_file  # imports much that other formats do not need

        X, y = load_svmlight_file(io.BytesIO(content), zero_based=True, multilabel=several)
    except (ValueError, OverflowError) as error:
        _check_lines(source)
        raise BadInput(f"{source.name} cannot be read as svmlight ({reason(error)}): {LIKE}") from error
    if not X.nnz:
        raise BadInput(f"{source.name} has no {'features' if X.shape[0] else 'rows'}: {LIKE}")
    if X.shape[1] > MAX_FEATURES:
        raise BadInput(
            f"{source.name} has a feature number {X.shape[1] - 1}, above {MAX_FEATURES}: renumber the features"
        )
    if not np.isfinite(X.data).all():
        row = int(np.searchsorted(X.indptr, int(np.argmax(~np.isfinite(X.data))), side="right"))
        raise BadInput(
            f"row {row} of {source.name} holds a value that is not a finite number: replace it, or leave it out"
        )
    frame = pd.DataFrame({LABEL: _labels(y) if several else y})
    narrow = np.int32 if max(X.nnz, X.shape[1]) < 2**31 else np.int64  # liblinear reads no others
    parts = (X.data, X.indices.astype(narrow), X.indptr.astype(narrow))
    return Table(source.name, frame, features=sparse.csr_array(parts, shape=X.shape))


def _labels(y: list[tuple[float, ...]]) -> "pd.Series[Any]":
    """Sets of labels; single labels where no line has more."""
    if max(map(len, y)) > 1:
        return pd.Series(y, dtype=object)
    return pd.Series([labels[0] if labels else None for labels in y], dtype=object)


def _check_lines(source: Source) -> None:
    """Raise an error that names the line that is not in the format."""
    with source.open() as file:
        for number, line in enumerate(file, 1):
            first, *others = line.decode("utf-8-sig").split("#")[0].split() or [""]
            pairs = [first, *others] if ":" in first else others
            bad = _bad_pair([pair for pair in pairs if not pair.startswith("qid:")])
            if ":" not in first and not all(math.isfinite(_number(part)) for part in first.split(",") if part):
                bad = f"the label {first!r}"
            if bad is not None:
                raise BadInput(f"line {number} of {source.name} holds {bad}: {LIKE}")


def _bad_pair(pairs: list[str]) -> str | None:
    last = -1
    for pair in pairs:
        index, colon, value = pair.partition(":")
        if not colon or not index.isdecimal() or len(index) > 20 or math.isnan(_number(value)):
            return repr(pair)
        if int(index) <= last:
            return f"feature {index} after feature {last}"
        if int(index) > MAX_FEATURES:
            return f"feature {index}, above {MAX_FEATURES} (renumber the features)"
        last = int(index)
    return None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
