"""Protocols: which bags of labeled rows a quantifier is tried on; generators of row numbers, never of rows.

Each bag has class shares that the protocol asks for: rows of a class are drawn without replacement while there are
enough. A class without rows has no share in any bag: what was asked for it goes to the others.

* `artificial` (APP): every vector of a grid of shares, several times;
* `natural` (NPP): rows drawn at random, so shares differ by chance only;
* `uniform`: every vector of shares is equally likely (Kraemer's draw);
* `dirichlet`: shares drawn around a mean, such as those of the labels;
* `windows`: consecutive rows of an ordered file, with the drift that it has.

References
----------
Forman, G. (2008). Quantifying counts and costs via classification. Data Mining and Knowledge Discovery 17. (APP)
Smith & Tromble (2004). Sampling uniformly from the unit simplex. Johns Hopkins University. (Kraemer)
Esuli, Moreo & Sebastiani (2022). LeQua@CLEF2022: learning to quantify. ECIR.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.core._resampling import check_whole
from foldless.errors import BadInput
from foldless.quantifiers.bags import Bags
from foldless.quantifiers.quantifier import Held, Learned, Quantifier
from foldless.quantifiers.share_errors import ERRORS, SMOOTHED

MAX_BAGS = 100_000  # bags of a grid


def artificial(y: Any, size: int, *, points: int = 21, repeats: int = 10, random_state: Any = 0) -> Iterator[Array]:
    """Bags at every vector of a grid of ``points`` shares from 0 to 1, ``repeats`` times each.

    Examples
    --------
    >>> y = np.array([0, 0, 0, 1, 1, 1])
    >>> [y[bag].mean().round(1).item() for bag in artificial(y, 2, points=3, repeats=1)]
    [0.0, 0.5, 1.0]
    """
    check_whole("points", points, 2)
    check_whole("repeats", repeats)
    codes = _codes(y)
    k = int(codes.max()) + 1
    if comb(points + k - 2, k - 1) * repeats > MAX_BAGS:
        raise BadInput(
            f"a grid of {points} shares for {k} classes has {comb(points + k - 2, k - 1) * repeats:,} bags",
            value=points, place="points", remedy="use fewer points, or the protocol uniform",
        )  # fmt: skip
    for bars in combinations(range(points + k - 2), k - 1):  # stars and bars: all counts that add up to points − 1
        cut = np.array([-1, *bars, points + k - 2])
        shares = (np.diff(cut) - 1)[::-1] / (points - 1)
        yield from _drawn(codes, size, np.tile(shares, (repeats, 1)), (random_state, *bars))


def natural(y: Any, size: int, *, n: int = 100, random_state: Any = 0) -> Iterator[Array]:
    """``n`` bags of rows drawn at random."""
    codes, rng = _codes(y), np.random.default_rng(random_state)
    check_whole("size", size)
    for _ in range(n):
        yield rng.choice(len(codes), size, replace=size > len(codes))


def uniform(y: Any, size: int, *, n: int = 100, random_state: Any = 0) -> Iterator[Array]:
    """``n`` bags whose shares are uniform over all vectors of shares: gaps between sorted uniform numbers."""
    codes, rng = _codes(y), np.random.default_rng(random_state)
    cuts = np.sort(rng.random((n, int(codes.max()))), axis=1)
    yield from _drawn(codes, size, np.diff(cuts, prepend=0.0, append=1.0, axis=1), rng)


def dirichlet(y: Any, size: int, *, n: int = 100, alpha: Any = 1.0, random_state: Any = 0) -> Iterator[Array]:
    """``n`` bags whose shares have a Dirichlet law; ``alpha`` is one number, or one for each class."""
    codes, rng = _codes(y), np.random.default_rng(random_state)
    alpha = np.broadcast_to(np.asarray(alpha, dtype=float), int(codes.max()) + 1)
    if not (alpha > 0).all():
        raise BadInput(f"alpha must be above 0, got {alpha.tolist()}")
    yield from _drawn(codes, size, rng.dirichlet(alpha, n), rng)


def windows(n_rows: int, size: int, *, step: int | None = None) -> Iterator[Array]:
    """Consecutive rows of an ordered file, ``step`` (or ``size``) rows apart; a rest of fewer rows is left out.

    Examples
    --------
    >>> [bag.tolist() for bag in windows(5, 2)]
    [[0, 1], [2, 3]]
    """
    check_whole("size", size)
    step = size if step is None else step
    check_whole("step", step)
    for first in range(0, n_rows - size + 1, step):
        yield np.arange(first, first + size)


def protocol_errors(
    learned: Learned, answers: Array, y: Any, bags: Iterable[Any], error: str = "ae", eps: float | None = None
) -> Array:
    """The error of a quantifier on every bag of a protocol, from answers on all rows and their class codes.

    Examples
    --------
    >>> from foldless.quantifiers import CC, Held
    >>> y, predicted = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    >>> learned = CC().learn(Held(predicted, y, 2))
    >>> protocol_errors(learned, predicted, y, [[0, 1], [2, 3]])
    array([0.5, 0. ])
    """
    if error not in ERRORS:
        raise BadInput(f"error must be one of {', '.join(map(repr, ERRORS))}, got {error!r}", value=error)
    every = Bags.of(bags if isinstance(bags, np.ndarray | Bags) else list(bags), len(answers))
    true = every.counted(_codes(y), learned.n_classes)
    shares = learned.aggregate_many(answers, every)
    extra = {"eps": eps if eps is not None else 1 / (2 * float(every.sizes.mean()))} if error in SMOOTHED else {}
    return ERRORS[error](true, shares, **extra)


def half_errors(
    quantifiers: Iterable[Quantifier], held: Held, rng: np.random.Generator, *, n: int = 40, repeats: int = 2
) -> Array:
    """Mean absolute errors (quantifiers, 2 × repeats), learned from a half of the labeled rows, on bags of the other.

    Halves have half of each class, and bags are as large as a half. The shares of one half of the bags are uniform over
    all shares, those of the others are around the labels' (Dirichlet, ten rows): pools like the labels count too. No
    fit is made.
    """
    ways = list(quantifiers)
    errors = np.empty((len(ways), 2 * repeats))
    for at in range(repeats):
        order = rng.permutation(len(held.y))
        order = order[np.argsort(held.y[order], kind="stable")]
        halves = order[::2], order[1::2]
        for side, (one, other) in enumerate((halves, halves[::-1])):
            y, size = held.y[other], max(1, len(other))
            half = Held(held.answers[one], held.y[one], held.n_classes)
            near = 10 * np.bincount(y, minlength=int(y.max()) + 1) / size + 1e-3
            bags = [*uniform(y, size, n=n - n // 2, random_state=rng)]
            bags += dirichlet(y, size, n=n // 2, alpha=near, random_state=rng)
            for way, quantifier in enumerate(ways):
                bag_errors = protocol_errors(quantifier.learn(half), held.answers[other], y, np.array(bags))
                errors[way, 2 * at + side] = bag_errors.mean()
    return errors


def _codes(y: Any) -> Array:
    codes = np.asarray(y)
    if not len(codes) or codes.dtype.kind not in "iu" or codes.min() < 0:
        raise BadInput("a protocol needs the class code of each row, 0 or more, and at least one row")
    return codes


def _drawn(codes: Array, size: int, shares: Array, random_state: Any) -> Iterator[Array]:
    """A bag of rows for each vector of shares: whole numbers of rows that are nearest to it, and add up to the size."""
    check_whole("size", size)
    rng = random_state if isinstance(random_state, np.random.Generator) else np.random.default_rng(random_state)
    members = [np.flatnonzero(codes == k) for k in range(shares.shape[1])]
    there = np.array([len(rows) > 0 for rows in members])
    for wanted in shares:
        wanted = np.where(there, wanted, 0.0)
        wanted = wanted / wanted.sum() if wanted.sum() > 0 else there / there.sum()
        counts = np.floor(wanted * size + 1e-9).astype(int)
        rest = size - int(counts.sum())
        counts[np.argsort(counts - wanted * size, kind="stable")[:rest]] += 1
        drawn = [rng.choice(rows, n, replace=n > len(rows)) for rows, n in zip(members, counts, strict=True) if n]
        yield np.concatenate(drawn)
