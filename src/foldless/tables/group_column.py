"""The groups of the pool's rows: the values of a column, or its dates joined by hour, day, week, month or year."""

from typing import TYPE_CHECKING, Any, Literal

import pandas as pd

from foldless.errors import BadInput
from foldless.tables._label_column import near

if TYPE_CHECKING:
    from foldless.tables.problem import Problem

Every = Literal["hour", "day", "week", "month", "quarter", "year"]
PERIODS = {"hour": "h", "day": "D", "week": "W", "month": "M", "quarter": "Q", "year": "Y"}
LIKE_DATES = 0.99  # of the values that are dates


def pool_groups(problem: "Problem", by: str, every: Every | None = None) -> "pd.Series[Any]":
    """A value for each row of the pool, as `foldless.quantify` takes it as ``by``.

    Parameters
    ----------
    problem : what `read_problem` has read
    by : a column of the pool
    every : "hour", "day", "week", "month", "quarter" or "year", optional
        Join the dates of the column that are in one period; it is named by its first moment.

    Examples
    --------
    >>> import pandas as pd
    >>> from foldless.tables import pool_groups, read_problem
    >>> rows = {"x": [0.0, 1.0, 0.1, 0.9], "topic": ["a", "b", "a", "b"]}
    >>> pd.DataFrame(rows).to_csv("train.csv", index=False)
    >>> pd.DataFrame({"x": [0.2, 0.7], "day": ["2026-01-03", "2026-01-30"]}).to_csv("pool.csv", index=False)
    >>> problem = read_problem("train.csv", "topic", unlabeled="pool.csv", drop=["day"])
    >>> [str(month.date()) for month in pool_groups(problem, "day", "month")]
    ['2026-01-01', '2026-01-01']
    """
    frame = problem.pool_rows
    if frame is None:
        raise BadInput("there is no pool, so there are no groups of its rows")
    if by not in frame:
        raise BadInput(f"the pool has no column {by!r}", value=by, place="by", remedy=near(by, list(frame)))
    values = frame[by].reset_index(drop=True)
    if every is None:
        return values
    if every not in PERIODS:
        raise BadInput(f"every must be one of {', '.join(map(repr, PERIODS))}, got {every!r}", value=every)
    if values.dtype.kind in "biufc":
        raise BadInput(f"the column {by!r} has numbers instead of dates", value=by, place="every")
    moments = pd.to_datetime(values, errors="coerce", format=None if values.dtype.kind == "M" else "mixed", utc=False)
    known_values = values.notna()
    if not known_values.any() or moments[known_values].notna().mean() < LIKE_DATES:
        wrong = values[known_values & moments.isna()]
        shown = f", such as {wrong.iloc[0]!r}" if len(wrong) else ""
        raise BadInput(f"the column {by!r} has values that are not dates{shown}", value=by, place="every")
    if getattr(moments.dt, "tz", None) is not None:
        moments = moments.dt.tz_localize(None)
    return moments.dt.to_period(PERIODS[every]).dt.start_time.rename(by)
