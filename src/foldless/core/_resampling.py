"""The only door to splitters: folds, hold-out splits, bootstrap resamples and batches, as arrays of positions.

Folds are plain random, never stratified: a bound on the error of a fold counts independent rows, and stratified folds
are not. A splitter object gives other folds to those who want them. Rows of one group stay together. scikit-learn's
splitters are imported when they are used.
"""

import copy
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from foldless.errors import BadInput, CannotAnswer, warn_user

Positions = NDArray[np.intp]


class Split(NamedTuple):
    """Positions to train on and positions to test on."""

    train: Positions
    test: Positions


@runtime_checkable
class Splitter(Protocol):
    """Any scikit-learn splitter."""

    def split(self, X: Any, y: Any = None, groups: Any = None, **params: Any) -> Iterator[tuple[Any, Any]]: ...


def as_splitter(how: Any) -> Any:
    """A list or generator of splits as a splitter that gives them as often as it is asked; anything else as it is."""
    if not isinstance(how, Iterable) or isinstance(how, str | bytes | Splitter):
        return how
    from sklearn.model_selection import check_cv

    return check_cv(list(how))


@dataclass(frozen=True)
class LikeScikitLearn:
    """The folds that scikit-learn's searches make of ``cv``: a number is stratified for a classifier, not shuffled.

    As there, groups go to the splitter only: one that tears them apart is not refused, but a warning says so.
    ``params`` are what the splitter requests beside them.
    """

    cv: Any
    classifier: bool
    params: Mapping[str, Any] = field(default_factory=dict)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Any, Any]]:
        yield from self.splitter(y).split(X, y, groups, **self.params)

    def splitter(self, y: Any) -> Any:
        from sklearn.model_selection import check_cv

        return check_cv(self.cv, y, classifier=self.classifier)

    def __repr__(self) -> str:
        return f"{self.cv} folds of scikit-learn" if isinstance(self.cv, int) else repr(self.cv)


def folds(
    how: int | Splitter, y: NDArray[Any], groups: NDArray[Any] | None, seed: int, X: Callable[[], Any] | None = None
) -> list[Split]:
    """Splits of the rows of ``y``: ``how`` random folds, or those of a splitter object, which is given the ``X``."""
    if isinstance(how, LikeScikitLearn):
        splitter = _seeded(how.splitter(y), seed)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The groups parameter is ignored")  # torn groups are told below
            splits = _splits(splitter, y, groups, X, how.params)
        if (torn := _torn(splits, groups)) is not None:
            warn_user(
                f"{type(splitter).__name__} puts rows of group {torn!r} on both sides of a split, so that scores may "
                "be too optimistic: pass cv=GroupKFold(), or another splitter that keeps groups whole"
            )
        return splits
    if isinstance(how, Splitter) and not isinstance(how, str | bytes | type):  # strings split too
        splits = _splits(_seeded(how, seed), y, groups, X)
        if (torn := _torn(splits, groups)) is not None:
            raise BadInput(
                f"{type(how).__name__} puts rows of group {torn!r} on both sides of a split: "
                f"use a splitter that keeps groups whole, such as GroupKFold"
            )
        return splits
    if isinstance(how, bool) or not isinstance(how, (int, np.integer)):
        raise BadInput(f"the number of folds must be a whole number or a splitter object with split(), got {how!r}")
    units = len(y) if groups is None else len(np.unique(groups))
    if not 2 <= how <= units:
        what = "labeled rows" if groups is None else "groups"
        raise CannotAnswer(f"{how} folds cannot be made of {units} {what}: choose between 2 and {units}")
    from sklearn.model_selection import GroupKFold, KFold

    kind = KFold if groups is None else GroupKFold
    return _splits(kind(how, shuffle=True, random_state=seed), y, groups)


def leave_one_out(y: NDArray[Any], groups: NDArray[Any] | None) -> list[Split]:
    """Every row, or every group, left out once."""
    from sklearn.model_selection import LeaveOneGroupOut, LeaveOneOut

    return _splits(LeaveOneOut() if groups is None else LeaveOneGroupOut(), y, groups)


def hold_outs(test_size: float, repeats: int, y: NDArray[Any], groups: NDArray[Any] | None, seed: int) -> list[Split]:
    """``repeats`` independent random splits that hold ``test_size`` of the rows out."""
    from sklearn.model_selection import GroupShuffleSplit, ShuffleSplit

    check_share("test_size", test_size)
    check_whole("repeats", repeats)
    units = len(y) if groups is None else len(np.unique(groups))
    if units < 2:
        raise CannotAnswer(f"a hold-out split needs at least 2 labeled rows or groups, got {units}")
    # scikit-learn rounds the test part up, which on tiny samples leaves nothing to train on.
    held = min(units - 1, max(1, round(test_size * units)))
    kind = ShuffleSplit if groups is None else GroupShuffleSplit
    return _splits(kind(repeats, test_size=held, random_state=seed), y, groups)


def bootstraps(
    resamples: int, codes: NDArray[Any], groups: NDArray[Any] | None, rng: np.random.Generator
) -> list[Split]:
    """Draws of rows (or of whole groups) with replacement; the test part is what was not drawn.

    A draw of one class only, or with nothing left out, is drawn again.
    """
    check_whole("resamples", resamples)
    _, group = np.unique(np.arange(len(codes)) if groups is None else groups, return_inverse=True)
    members = np.split(np.argsort(group, kind="stable"), np.cumsum(np.bincount(group))[:-1])
    drawn: list[Split] = []
    for _ in range(resamples * 100):
        units = np.sort(rng.integers(len(members), size=len(members)))
        train = units if groups is None else np.concatenate([members[at] for at in units])
        test = np.setdiff1d(np.arange(len(codes)), train)
        if len(test) and np.ptp(codes[train]) > 0:
            drawn.append(Split(train, test))
            if len(drawn) == resamples:
                return drawn
    raise CannotAnswer(
        f"too few bootstrap samples of the {len(codes)} labeled rows have two classes and leave rows out: "
        f"label more rows of the rare class"
    )


def batches(n_batches: int, codes: NDArray[Any], rng: np.random.Generator, *, stratify: bool = True) -> list[Positions]:
    """Disjoint random batches that cover all rows, their sizes at most 1 apart; so is each class, if stratified.

    Rows are dealt out like cards, sorted by class before where batches are stratified.
    """
    check_whole("n_batches", n_batches)
    if n_batches > len(codes):
        raise CannotAnswer(
            f"n_batches={n_batches} needs at least as many rows, got n_samples={len(codes)}: ask for fewer"
        )
    order = rng.permutation(len(codes))
    if stratify:
        order = order[np.argsort(codes[order], kind="stable")]
    return [np.sort(order[at::n_batches]) for at in range(n_batches)]


def check_whole(name: str, value: Any, least: int = 1) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise BadInput(f"{name} must be a whole number, {least} or more, got {value!r}")


def check_share(name: str, value: Any) -> None:
    """Refuse what is no number between 0 and 1, such as 95 or the text of one."""
    if not isinstance(value, Real) or not 0 < float(value) < 1:
        raise BadInput(f"{name} must be a number in (0, 1), got {value!r}")


def _splits(
    splitter: Splitter,
    y: NDArray[Any],
    groups: NDArray[Any] | None,
    X: Callable[[], Any] | None = None,
    params: Mapping[str, Any] | None = None,
) -> list[Split]:
    rows = np.zeros((len(y), 1)) if X is None else X()
    known = rows if y is None else y
    n = known.shape[0] if hasattr(known, "shape") else len(known)  # sparse arrays have no len
    try:
        pairs = [Split(_positions(a), _positions(b)) for a, b in splitter.split(rows, y, groups, **(params or {}))]
        expected = (
            splitter.get_n_splits(rows, y, groups, **(params or {}))
            if hasattr(splitter, "get_n_splits")
            else len(pairs)
        )
    except ValueError as error:
        raise CannotAnswer(f"{type(splitter).__name__} cannot split the {n} labeled rows: {error}") from error
    if not pairs:
        raise BadInput(
            f"{splitter!r} gave no split with rows on both sides. No fits were performed. Was the CV iterator empty? "
            f"Were there no candidates?"
        )
    if any(not len(a) or not len(b) for a, b in pairs):
        raise BadInput(f"{splitter!r} gave no split with rows on both sides")
    if len(pairs) != expected:
        raise BadInput(
            f"cv.split and cv.get_n_splits return inconsistent results. Expected {expected} splits, got {len(pairs)}"
        )
    return pairs


def _positions(chosen: Any) -> Positions:
    chosen = np.asarray(chosen)
    return np.flatnonzero(chosen) if chosen.dtype == bool else chosen.astype(np.intp)


def _torn(splits: list[Split], groups: NDArray[Any] | None) -> Any:
    """A group on both sides of a split, or None."""
    for split in splits if groups is not None else ():
        assert groups is not None
        if len(torn := np.intersect1d(groups[split.train], groups[split.test])):
            return torn[0]
    return None


def _seeded(splitter: Splitter, seed: int) -> Splitter:
    """A copy whose draws are the same each time it is asked, also when its random_state is None."""
    with suppress(Exception):  # one that cannot be copied, such as a generator of splits, is asked once
        splitter = copy.deepcopy(splitter)
    if getattr(splitter, "random_state", 0) is None and getattr(splitter, "shuffle", True):
        splitter.random_state = seed  # type: ignore[attr-defined]  # the protocol knows only split()
    return splitter
