"""quantify: how many rows of each class are in the pool, also where its class shares are not those of the labels."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from foldless.accuracy._prior_shift import NOTE, prior_shift
from foldless.checks import checked
from foldless.core import Array, Evaluation, Task
from foldless.core._plain import plain_value
from foldless.core._resampling import check_share
from foldless.criteria.prevalence_error import PrevalenceError, well_known
from foldless.data._compared_columns import compared_columns
from foldless.data._features import n_rows, take
from foldless.data._minus_one import ASSUMED
from foldless.data._opening import open_sample
from foldless.data._sample import Sample
from foldless.data.pool import Pool
from foldless.data.pools import source_of
from foldless.engine._progress import observer
from foldless.errors import BadInput, CannotAnswer, PassPool, some
from foldless.judging._cross_fit import Counted, counted_answers
from foldless.quantifiers import Bags, Held, Quantifier, ill_conditioned
from foldless.quantifiers._intervals import ends_under_covariate_shift, shares_with_ends
from foldless.quantifiers.quantifier import PRIOR_SHIFT, codes_of
from foldless.results.prevalence import ALL, BOTH, NO_INTERVAL, PRIOR, Prevalence, group_text
from foldless.results.prior_shift import PriorShift
from foldless.selection import _failures as failures
from foldless.selection._request import Request
from foldless.selection._session import Session

CONFIDENCE = 0.95
FEW_LABELS, FEW_ROWS = 10, 30
MAX_GROUPS = 2000
MAX_GROUPS_BY_COLUMNS = 50  # with more groups each is tested by its answers only: time is the reason
MAX_TESTED = 1000  # labels, and twice as many pool rows, that columns are compared by
EITHER_SHIFT = (
    "labels and pool differ in their class shares only (prior shift), or rows that look alike have the same classes in "
    "both (covariate shift)"
)
EITHER_IN_SOME = f"{PRIOR_SHIFT}, or, in groups marked so, rows that look alike have the same classes (covariate shift)"
RANDOM_LABELS = "within a class, labeled rows and pool rows are independent draws from one population"
ROUGH = "at least ten rows of each class are labeled: the interval is a bootstrap, too narrow where labels are fewer"
FEW = "{names} {has} fewer than {n} labels: estimates for {it} are rough, and the intervals may be too narrow"
APART = "predictions hardly separate some classes: shares of those classes are uncertain, and their intervals wide"
CONSTANT = "predictions are the same for all rows, so they say nothing about shares: those of the labels are returned"
SMALL = "{what} {has} fewer than {n} rows: their shares are mostly noise"
OF_GROUPS = (
    "in {n} of {all} groups more than the class shares has changed: they have no interval, and their shares should not "
    "be trusted; label some of their rows ({by} {names})"
)
NOT_CORRECTED = (
    "{method} does not correct for shift: the intervals cover sampling error only, and miss a shift of the shares"
)


@dataclass(frozen=True, eq=False)
class Groups:
    """The bags that are counted: the pool, or the rows of each value of a column."""

    names: tuple[Any, ...]
    bags: Bags
    by: str | None


@dataclass(frozen=True)
class Counting(PrevalenceError):
    """As its base; ``found`` holds the best candidate, its answers on labels and pool, and how it counts best.

    One candidate is asked about labels and pool at once. Of several, the best is asked about the pool in the end.
    """

    found: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def evaluate(self, task: Task) -> Evaluation:
        folds, alone = self.folds(task), len(task.candidates) == 1
        every = yield from counted_answers(task, folds, task.candidates, pool=alone)
        if alone and self.method != "auto":
            judged = [(0.0, self.ways(every[0])[0])]
        else:
            judged = [self.judge(task, own) for own in every]
        best = int(np.argmin([score for score, _ in judged]))
        if not alone:
            (every[best],) = yield from counted_answers(task, folds, [task.candidates[best]], pool=True)
        self.found.update(candidate=task.candidates[best], counted=every[best], way=judged[best][1])
        return self.choices(task, judged)


def quantify(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    X_unlabeled: Any = None,
    unlabeled: Any = ASSUMED,
    method: str | Quantifier = "auto",
    confidence: float = CONFIDENCE,
    by: Any = None,
    param_grid: Any = None,
    groups: Any = None,
    n_jobs: int | None = None,
    journal: Any = None,
    verbose: int = 0,
    random_state: Any = None,
) -> Prevalence:
    """Estimate how many rows of each class are in a pool, with intervals.

    Five fits, each without a fifth of every class, predict the labels that they left out, and the pool. The labels show
    what predictions of each class look like; the shares are those for which a mixture of the classes looks like the
    pool. This is valid if labels and pool differ in their class shares only.

    Parameters
    ----------
    estimator, param_grid, n_jobs, journal, verbose, random_state
        As for `FoldlessSearch`. Of several candidates the one that counts best (criterion "prevalence_error") is used.
        To count with a fitted model and labels it has not seen, pass ``sklearn.frozen.FrozenEstimator(model)``.
    X, y, X_unlabeled, unlabeled, groups
        As for `FoldlessSearch` and its fit. Rows of one group count as one in intervals and tests; of a pool's rows,
        ``Pool(X, groups=...)`` says which belong together.
    method : "auto", "map", "em", "pacc", "acc", "kdey", "hdy", "dys", "ms", "max", "x", "t50", "pcc", "cc", Quantifier
        How to count. "auto" is map, or pacc or acc where labels are enough and show that they are clearly better.
    confidence : float
        How often the interval of a share contains the true share, each by itself.
    by : array-like, optional
        A value for each pool row, such as its day: every value is counted by itself. Missing values are one group.

    Returns
    -------
    Prevalence
        ``shares``, ``lower``, ``upper``, ``method`` and what it ``assumes``; ``to_frame()``, ``plot()``, ``report()``.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.linear_model import LogisticRegression
    >>> from foldless import quantify
    >>> rng = np.random.default_rng(0)
    >>> def mail(n, share):
    ...     spam = rng.random(n) < share
    ...     return rng.normal(size=(n, 3)) + 1.5 * spam[:, None], np.where(spam, "spam", "ham")
    >>> X, y = mail(1000, 0.2)
    >>> found = quantify(LogisticRegression(), X, y, X_unlabeled=mail(2000, 0.6)[0], random_state=0)
    >>> found.shares.round(2).to_dict()
    {'ham': 0.41, 'spam': 0.59}
    """
    check_share("confidence", confidence)
    sample = checked(open_sample(X, y, X_unlabeled, groups=groups, unlabeled=unlabeled, random_state=random_state))
    if (stored := sample.stored) is not None:
        notes_of_counts = tuple(stored.note_of_counts if note == stored.note else note for note in sample.notes)
        sample = replace(sample, notes=notes_of_counts)
    if sample.pool is None:
        raise CannotAnswer(
            "quantify estimates the class shares of unlabeled rows, and there are none", remedy=PassPool()
        )
    counted_by = _groups(by, n_rows(sample.pool), lambda: _n_passed(X_unlabeled, sample))
    request = Request(estimator, param_grid, n_jobs=n_jobs, journal=journal, random_state=random_state)
    session = Session(request, sample, observer(verbose))
    criterion = Counting(method)
    if (why := session.unable(criterion)) is not None:
        session.close()
        raise why
    (drive,) = session.run([criterion])
    if drive.refusal is not None:
        raise drive.refusal
    if not drive.choices:
        failed = {c: e for c in drive.dropped if (e := session.error(drive, c)) is not None}
        raise failures.no_choice(session, drive, failed, tuple(c for c in drive.dropped if c not in failed))
    way, counted, candidate = (criterion.found[name] for name in ("way", "counted", "candidate"))
    once = sample.one_of_each_copy()
    held = Held(counted.answers[once], sample.y[once], len(sample.classes), groups=_together(sample))
    shift = session.shift
    values, lower, upper, notes = _counted(way, held, counted, counted_by, session.task, confidence, sample.pool_groups)
    if held.groups is not None and sample.pool_groups is None:
        notes.append(
            "nobody said which rows of the pool belong together, so they are taken as independent: if they are not, "
            "the intervals are too narrow"
        )
    beyond, of_groups = _prior_shifts(sample, session, held, counted, counted_by)
    holds_under: tuple[str, ...] = ()
    if way.corrects and not _constant(held):
        wide = ends_under_covariate_shift(
            held, _answers(counted), counted_by.bags, confidence, counted.times, sample.pool_groups
        )
        lower, upper, holds_under = _checked(of_groups, lower, upper, *wide)
        notes = [*_alarms(beyond, of_groups, counted_by), *notes]
    notes = [*session.notes, *_doubts(sample.classes, held, counted_by, way, method == "auto"), *notes]
    sizes = counted_by.bags.sizes
    if stored is not None:  # about as many rows as its sample has
        sizes = np.rint(sizes * (stored.n / stored.n_sampled)).astype(sizes.dtype)
    return Prevalence(
        sample.classes, values, lower, upper, sizes, counted_by.names, held.shares, confidence,
        way.name, (*_assumed(way.assumes, holds_under), RANDOM_LABELS, ROUGH), counted_by.by, candidate.name,
        len(sample.y), shift, beyond, tuple(dict.fromkeys(notes)), of_groups, holds_under,
    )  # fmt: skip


def _prior_shifts(
    sample: Sample, session: Session, held: Held, counted: Counted, groups: Groups
) -> tuple[PriorShift | None, tuple[PriorShift | None, ...]]:
    """Whether more than class shares differs: in the whole pool, and in each group."""
    rng, n, pool = session.task.rng("prior shift"), groups.bags.n_rows, _answers(counted)
    answers = pool.reshape(counted.times, n, *pool.shape[1:])
    labeled = np.sort(rng.permutation(len(held.y))[:MAX_TESTED])
    tested = held.at(labeled)

    def test(rows: Array, by_columns: bool) -> PriorShift | None:
        bag = answers[:, rows].reshape(counted.times * len(rows), *answers.shape[2:])
        few = len(rows) <= 2 * MAX_TESTED
        read = rows if few else np.sort(rng.choice(rows, 2 * MAX_TESTED, replace=False))
        columns = None
        if by_columns and not session.pairwise:
            with suppress(TypeError, ValueError):  # rows that are neither numbers nor texts
                columns = compared_columns([take(sample.labeled, labeled), take(sample.pool, read)], rng)
        size = None if sample.pool_groups is None else len(rows) / len(np.unique(sample.pool_groups[rows]))
        return prior_shift(tested, bag, rng, counted.times, columns, size)

    whole = test(np.arange(n), True)
    if groups.by is None:
        return whole, (whole,)
    by_columns = len(groups.bags) <= MAX_GROUPS_BY_COLUMNS
    return whole, tuple(test(np.sort(rows), by_columns) for rows in groups.bags.parts())


def _checked(
    tests: tuple[PriorShift | None, ...], lower: Array, upper: Array, least: Array, most: Array
) -> tuple[Array, Array, tuple[str, ...]]:
    """The ends of intervals after the tests: as they are, wide enough for covariate shift too, or none."""
    doubtful = np.array([test is not None and test.doubtful for test in tests])[:, None]
    alarm = np.array([test is not None and test.alarm for test in tests])[:, None]
    lower = np.where(doubtful, np.minimum(lower, least), lower)
    upper = np.where(doubtful, np.maximum(upper, most), upper)
    holds_under = tuple(
        PRIOR if test is None else NO_INTERVAL if test.alarm else BOTH if test.doubtful else PRIOR for test in tests
    )
    return np.where(alarm, np.nan, lower), np.where(alarm, np.nan, upper), holds_under


def _assumed(sentences: Sequence[str], holds_under: Sequence[str]) -> list[str]:
    """What the intervals assume, in the words of ``holds_under``."""
    shown = {each for each in holds_under if each != NO_INTERVAL}
    sentence = PRIOR_SHIFT if BOTH not in shown else EITHER_SHIFT if shown == {BOTH} else EITHER_IN_SOME
    return [sentence if each == PRIOR_SHIFT else each for each in sentences]


def _alarms(beyond: PriorShift | None, tests: tuple[PriorShift | None, ...], groups: Groups) -> list[str]:
    """A note on the pool, or on the groups, in which more than class shares differs."""
    if groups.by is None:
        if beyond is None or not beyond.alarm:
            return []
        named = f"; columns that no class shares explain: {some(beyond.columns)}" if beyond.columns else ""
        return [NOTE.format(p=beyond.p_value) + named]
    rung = [name for name, test in zip(groups.names, tests, strict=True) if test is not None and test.alarm]
    if not rung:
        return []
    names = some([group_text(name) for name in rung])
    return [OF_GROUPS.format(n=len(rung), all=len(tests), by=groups.by, names=names)]


def _counted(
    way: Quantifier,
    held: Held,
    counted: Counted,
    groups: Groups,
    task: Task,
    confidence: float,
    pool_groups: Array | None,
) -> tuple[Array, Array, Array, list[str]]:
    """Shares with their ends, (groups, classes) each, and notes."""
    if _constant(held):
        shares = np.tile(held.shares, (len(groups.bags), 1))
        return shares, np.zeros(shares.shape), np.ones(shares.shape), [CONSTANT]
    rng = task.rng("intervals of shares")
    ends = shares_with_ends(way, held, _answers(counted), groups.bags, confidence, rng, counted.times, pool_groups)
    return *ends, []


def _answers(counted: Counted) -> Array:
    assert counted.pool is not None
    return counted.pool


def _together(sample: Sample) -> Array | None:
    """Codes of the groups of labeled rows, where the user named them; of copies one row is left, and none is."""
    if sample.groups is None or (sample.copies is not None and sample.copies.passed is None):
        return None
    return np.asarray(np.unique(sample.groups, return_inverse=True)[1])


def _constant(held: Held) -> bool:
    """Whether answers do not vary at all."""
    answers = held.answers if held.answers.ndim == 2 else held.answers[:, None]
    return bool(held.n_classes > 1 and np.ptp(answers, axis=0).max() < 1e-9)


def _doubts(classes: Array, held: Held, groups: Groups, way: Quantifier, automatic: bool) -> list[str]:
    """Sentences about labels that are too few, classes that are not told apart, and groups of few rows."""
    notes, sizes = [], held.sizes
    if len(few := [plain_value(classes[at]) for at in np.flatnonzero(held.independent < FEW_LABELS)]):
        one = len(few) == 1
        notes.append(FEW.format(names=some(few), has="has" if one else "have", n=FEW_LABELS,
                                it="it" if one else "them"))  # fmt: skip
    table = held.table(codes_of(held.answers), held.n_classes)
    seen = sizes > 0
    if not _constant(held) and ill_conditioned(table[np.ix_(seen, seen)] + 1e-9, np.random.default_rng(0)):
        notes.append(APART)
    if automatic and way.name == "map" and not well_known(held):
        notes.append(
            "the labels do not show that all classes can be separated, so auto uses map, which keeps shares near "
            "those of the labels where the pool says little"
        )
    if not way.corrects:
        notes.append(NOT_CORRECTED.format(method=way.name))
    small = [name for name, n in zip(groups.names, groups.bags.sizes, strict=True) if n < FEW_ROWS]
    if groups.by is None and small:
        notes.append(SMALL.format(what="the pool", has="has", n=FEW_ROWS))
    elif small:
        what = f"{len(small)} of {len(groups.names)} groups" if len(small) > 1 else f"group {group_text(small[0])!r}"
        notes.append(SMALL.format(what=what, has="have" if len(small) > 1 else "has", n=FEW_ROWS))
    return notes


def _n_passed(X_unlabeled: Any, sample: Sample) -> int:
    """How many rows were passed as the pool, without rows of ``y`` that have no label."""
    rows = X_unlabeled.X if isinstance(X_unlabeled, Pool) else X_unlabeled
    if sample.stored is not None:
        return sample.stored.n
    return n_rows(sample.pool if rows is None or source_of(rows) is not None else rows)


def _groups(by: Any, n: int, n_passed: Callable[[], int]) -> Groups:
    """A bag of rows for each value, in their order; one bag of all rows without values."""
    if by is None:
        return Groups((ALL,), Bags.whole(n), None)
    if np.ndim(by) != 1:
        raise BadInput(
            f"by must be one value for each pool row, got {np.ndim(by)} dimensions: pass one column", place="by"
        )
    values = pd.Series(by) if not isinstance(by, pd.Series) else by
    if len(values) != n:
        raise BadInput(f"by has {len(values)} values for {n} pool rows (of {n_passed()} rows passed)", place="by")
    codes, distinct = pd.factorize(values, sort=True, use_na_sentinel=True)
    names = [plain_value(name) if not isinstance(name, pd.Timestamp) else name for name in distinct]
    if (codes < 0).any():
        codes, names = np.where(codes < 0, len(names), codes), [*names, "(missing)"]
    if len(names) > MAX_GROUPS:
        raise BadInput(
            f"by has {len(names):,} different values, and {MAX_GROUPS:,} groups are the maximum",
            place="by", remedy="pass values that many rows share, such as the month instead of the second",
        )  # fmt: skip
    order = np.argsort(codes, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=len(names)))])
    name = str(values.name) if values.name is not None else "group"
    return Groups(tuple(names), Bags(order, starts, n), name)
