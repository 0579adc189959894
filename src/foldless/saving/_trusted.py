"""What a saved model may be made of: types that run in NumPy and SciPy, those of foldless, and types that are checked.

skops checks of which types a file is made, not what they hold. scikit-learn follows the numbers in trees, kernel
machines and sparse matrices without looking at their bounds, so a forged file of trusted types could read and write
foreign memory. Such types are trusted only together with a check of `foldless.saving.checks`, compiled parts only in
the place where they are used, and no attribute may stand in for a method. Other types of scikit-learn are refused.

Parts of a skops file that stand for others must be few: reading and predicting take the time that its size tells. A
part with the ``__id__`` of an earlier one is that part again. skops writes almost everything out, however often it
occurs. A forged file may be short and stand for very much: a vote of two votes of two votes, thirty times, is asked
for 2³⁰ predictions, and skops walks through all of them before it loads one.
"""

import inspect
import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from foldless.saving._names import names
from foldless.saving._old_names import SCHEMA
from foldless.saving.checks import CHECKS, CONTAINERS, PLACES

DISTANCES = (
    "BrayCurtis", "Canberra", "Chebyshev", "Dice", "Euclidean", "Hamming", "Haversine", "Jaccard", "Manhattan",
    "Minkowski", "RogersTanimoto", "RussellRao", "SokalSneath",
)  # fmt: skip
SPARSE = ("scipy.sparse._csr.csr_matrix", "scipy.sparse._csr.csr_array")
HARMLESS = (
    "numpy.dtype",
    "sklearn.compose._column_transformer._RemainderColsList",  # a list of columns, in scikit-learn 1.6
    *(f"sklearn.metrics._dist_metrics.{name}Distance64" for name in DISTANCES),
)
PLAIN = (
    "_loss.", "compose.", "covariance.", "cross_decomposition.", "decomposition.", "discriminant_analysis.", "dummy.",
    "ensemble._bagging.", "ensemble._stacking.", "ensemble._voting.", "ensemble._weight_boosting.",
    "ensemble._hist_gradient_boosting.binning.", "feature_extraction.text.TfidfTransformer", "feature_selection.",
    "frozen.", "gaussian_process.", "impute.", "isotonic.", "kernel_approximation.", "kernel_ridge.", "linear_model.",
    "metrics._dist_metrics.", "mixture.", "model_selection.", "multiclass.", "multioutput.", "naive_bayes.",
    "neighbors._nca.", "neighbors._nearest_centroid.", "neural_network.", "pipeline.", "preprocessing._data.",
    "preprocessing._discretization.", "preprocessing._encoders.OrdinalEncoder", "preprocessing._function_transformer.",
    "preprocessing._label.LabelBinarizer", "preprocessing._label.LabelEncoder",
    "preprocessing._polynomial.PolynomialFeatures", "preprocessing._target_encoder.", "random_projection.",
    "semi_supervised.", "svm._classes.LinearSVC", "svm._classes.LinearSVR",
)  # fmt: skip  # types of scikit-learn that predict with NumPy and SciPy, or call those that do
MERSENNE_TWISTER, PHILOX = 624, 4  # numbers of their states
MAX_REPEATS = 32  # times as many parts as are written: eight members of an average share what reads the columns


class RejectedPart(NamedTuple):
    """A part of a model that must not predict: its type, and whether it is one that can be checked."""

    part: str
    checked: bool


def trusted_types() -> list[str]:
    return [*names(), *HARMLESS, *CHECKS, *CONTAINERS, *PLACES, *SPARSE]


def fault_of(model: Any) -> RejectedPart | None:
    """The first part of a model that may follow a number out of its bounds, or that nobody can check; None."""
    for owner, attribute, part in references(model):
        name = _name(part)
        is_known = name in CHECKS or name in PLACES or name.removeprefix("sklearn.").startswith(PLAIN)
        if name.startswith("sklearn.") and not is_known:
            return RejectedPart(name, checked=False)
        with suppress(Exception):  # what is no such thing at all fails in its own way
            if _is_sound(owner, attribute, part):
                continue
        return RejectedPart(name, checked=True)
    return None


def harness(model: Any) -> Any:
    """Let the caller say how many processes and threads a model predicts with, and what it prints."""
    for _, _, part in references(model):
        inside = getattr(part, "__dict__", {})
        if "n_jobs" in inside:
            part.n_jobs = None
        if "_n_threads" in inside:
            part._n_threads = 1
        if inside.get("verbose"):
            part.verbose = 0
    return model


def references(model: Any) -> Iterator[tuple[Any, str, Any]]:
    """Everything inside a model, as often as it is referred to, with the object and the attribute that refer to it."""
    seen: set[int] = set()
    waiting: list[tuple[Any, str, Any]] = [(None, "", model)]
    while waiting:
        owner, attribute, value = waiting.pop()
        if isinstance(value, str | bytes | int | float | bool | type(None)):
            continue
        yield owner, attribute, value
        if id(value) in seen:
            continue
        seen.add(id(value))
        waiting += [
            (owner if name is None else value, attribute if name is None else name, part)
            for name, part in _inside(value)
        ]


def _inside(value: Any) -> list[tuple[str | None, Any]]:
    """What a value holds, by attributes, or by None in a container."""
    if isinstance(value, dict):
        return [(None, part) for pair in value.items() for part in pair]
    if isinstance(value, list | tuple | set | frozenset):
        return [(None, part) for part in value]
    if isinstance(value, np.ndarray):
        return [(None, part) for part in value.ravel().tolist()] if value.dtype == object else []
    return list(getattr(value, "__dict__", {}).items()) if not isinstance(value, type) else []


def _is_sound(owner: Any, attribute: str, part: Any) -> bool:
    """Whether a part is what it says, where it belongs."""
    name = _name(part)
    if isinstance(part, type):
        return issubclass(part, np.generic | int | float | str | bool | list | dict | tuple | set)
    if sparse.issparse(part):
        part.check_format(full_check=True)
        return name in SPARSE
    if isinstance(part, np.random.Generator):
        return _reads_its_state(part.bit_generator.state)
    if isinstance(part, np.random.RandomState):
        return _reads_its_state(part.get_state(legacy=False))
    if name in PLACES:
        return PLACES[name](owner, attribute, part)
    return not _stands_in(part) and (name not in CHECKS or CHECKS[name](part))


def _reads_its_state(state: Any) -> bool:
    """Whether a generator of random numbers takes the next one from its own numbers."""
    twister = state["bit_generator"] != "MT19937" or 0 <= state["state"]["pos"] <= MERSENNE_TWISTER
    return bool(twister and 0 <= state.get("buffer_pos", 0) <= PHILOX)


def _stands_in(part: Any) -> bool:
    """Whether an attribute hides what the class has under its name, such as a method that checks."""
    kind = type(part)
    if not kind.__module__.startswith(("sklearn.", "foldless.")):
        return False
    hidden = [name for name in getattr(part, "__dict__", {}) if hasattr(kind, name)]
    return bool(hidden) and not set(hidden) <= set(inspect.signature(kind).parameters)


def _name(value: Any) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


def check_repeated(content: bytes) -> None:
    """Raise a ValueError where the parts of a skops file, written out, are many times those that are written."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        schema = json.loads(archive.read(SCHEMA))
    sizes: dict[Any, int | None] = {}
    n_written = 0

    def size(part: Any) -> int:
        nonlocal n_written
        if isinstance(part, list):
            return sum(map(size, part))
        if not isinstance(part, dict):
            return 0
        key = part.get("__id__")
        n_written += 1
        if key in sizes:
            known = sizes[key]
            if known is None:
                raise ValueError("a part of it contains itself")
            return known
        if key is not None:
            sizes[key] = None
        n_parts = 1 + sum(map(size, part.values()))
        if key is not None:
            sizes[key] = n_parts
        return n_parts

    if size(schema) > MAX_REPEATS * n_written:
        raise ValueError(f"its {n_written:,} parts stand for more than {MAX_REPEATS} times as many")
