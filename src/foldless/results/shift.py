"""Whether the pool is like the labels: the outcome of tests of one against the other."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from html import escape
from typing import Any

from foldless.core._plain import date_of, plain_value
from foldless.results.finding import Finding

CODE = "FL020"
LEVEL = 0.01
WITHOUT_POOL = "estimates are of rows like the labeled ones, not of the pool"
ASSUMED = "scores and certificates assume one population"
REMEDIES = ("label rows drawn at random from the pool", "pass a pool like the labels")
ZONES, IN_ZONE = "time zones", "share of dates with a time zone"
SHOWN = 3  # columns in a sentence


@dataclass(frozen=True)
class ShiftedColumn:
    """A column that tells labels from pool.

    Attributes
    ----------
    name : of the column; a part of a date is "when: hour", a word "text: refund", two columns "a with b"
    difference : what differs, such as "median" or "share of 'red'"
    in_labels, in_pool : that number in labels and pool
    p_value : corrected for the number of columns
    bins, labels, pool : the shares of labels and pool in bins of the column, or in its most different values
    unit : "date" where the numbers are days since 1970-01-01, "days" where they are a number of days; else empty
    """

    name: Any
    difference: str
    in_labels: float
    in_pool: float
    p_value: float
    bins: tuple[str, ...] = ()
    labels: tuple[float, ...] = ()
    pool: tuple[float, ...] = ()
    unit: str = ""

    def __str__(self) -> str:
        name = f"column {self.name}" if isinstance(self.name, int) else self.name
        name = str(name).removesuffix(": days") if self.unit else name
        in_labels, in_pool = self.shown
        return f"{name} ({self.difference} {in_labels} in the labels, {in_pool} in the pool)"

    @property
    def shown(self) -> tuple[str, str]:
        """Both numbers as a person reads them: dates as dates."""
        numbers = self.in_labels, self.in_pool
        if self.unit == "date":
            one_day = date_of(self.in_labels) == date_of(self.in_pool)
            return date_of(self.in_labels, one_day), date_of(self.in_pool, one_day)
        first, second = (f"{number:.3g}{' days' * (self.unit == 'days')}" for number in numbers)
        return first, second


@dataclass(frozen=True)
class Shift:
    """Tests of labels against pool, and what they found.

    It is ``selection_.shift`` of a search, and ``shift`` of what `foldless.estimate` and `foldless.quantify` return.

    Attributes
    ----------
    alarm : whether labels and pool differ: ``p_value`` is at most ``level``
    p_value : how probable a difference as large is at most, if they do not
    auc : the out-of-fold AUC of a classifier that tells labels from pool; 0.5 is chance
    auc_p_value, shares_p_value : of this classifier, and of the mean class scores of kernel ridge regression
    moved, in_labels, in_pool : the class whose share moves most among its predictions, and the shares of labeled and
        pool rows for which it is predicted
    labeled, pool : how many rows were compared
    level : the p-value at which there is an alarm
    found_by : what raised the alarm: "columns", "many columns", "classifier", "class scores", "model outputs",
        or "time zones": one part has them and the other has not
    columns : the columns that tell labels from pool, the most different first
    p_values : by test, each before it is combined with the others
    columns_read, columns_total : how many columns were compared, and how many there are
    """

    alarm: bool
    p_value: float
    auc: float
    auc_p_value: float
    shares_p_value: float
    moved: Any
    in_labels: float
    in_pool: float
    labeled: int
    pool: int
    level: float = LEVEL
    found_by: tuple[str, ...] = ()
    columns: tuple[ShiftedColumn, ...] = ()
    p_values: Mapping[str, float] = field(default_factory=dict)
    columns_read: int = 0
    columns_total: int = 0

    def __post_init__(self) -> None:
        columns = tuple(c if isinstance(c, ShiftedColumn) else ShiftedColumn(**c) for c in self.columns)  # from JSON
        object.__setattr__(self, "columns", columns)
        object.__setattr__(self, "found_by", tuple(self.found_by))

    def __str__(self) -> str:
        return ": ".join(filter(None, [f"{self.verdict} ({self.strength})", ", ".join(self._evidence())]))

    @property
    def verdict(self) -> str:
        """Whether a difference was detected, in words."""
        return "labels and pool differ" if self.alarm else "no difference between labels and pool detected"

    @property
    def strength(self) -> str:
        """The p-value, with the tests that found a difference, or with the rows in which none was detected."""
        if not self.alarm:
            return f"p {self.p_value:.2g}, {self.labeled:,} labeled and {self.pool:,} pool rows compared"
        return f"p {self.p_value:.2g}{f', found by {_listed(self.found_by)}' if self.found_by else ''}"

    def _evidence(self) -> list[str]:
        """After an alarm the columns that differ, and what the tests have that raised it."""
        if not self.alarm:
            return []
        evidence = [str(column) for column in self.columns[:SHOWN]]
        if len(self.columns) > SHOWN:
            evidence[-1] += f" and {len(self.columns) - SHOWN} more columns"
        if "classifier" in self.found_by:
            evidence.append(f"a classifier of labels against pool has AUC {self.auc:.2f} (p {self.auc_p_value:.2g})")
        if "class scores" in self.found_by:
            evidence.append(
                f"the class scores of kernel ridge regression differ (p {self.shares_p_value:.2g}), which predicts "
                f"class {self.moved} for {self.in_labels:.0%} of the labeled rows and {self.in_pool:.0%} of the pool"
            )
        return evidence

    def with_zones(self, labels: Mapping[str, float], pool: Mapping[str, float]) -> "Shift":
        """The same with an alarm for dates that have time zones in one part only, whatever their distribution is.

        Each is the share of dates with a time zone, by column. Hours that are all equally frequent
        are so in every zone, so that no test of distributions sees it.
        """
        apart = [name for name in labels if name in pool and (labels[name] == 0) != (pool[name] == 0)]
        if not apart:
            return self
        columns = tuple(ShiftedColumn(name, IN_ZONE, labels[name], pool[name], 0.0) for name in apart)
        return replace(
            self, alarm=True, p_value=0.0, found_by=(ZONES, *self.found_by), columns=(*columns, *self.columns),
            p_values={ZONES: 0.0, **self.p_values},
        )  # fmt: skip

    @property
    def note(self) -> str:
        """What a user should read and do, where they differ; else empty."""
        return self.finding or ""

    @property
    def finding(self) -> Finding | None:
        """The same with a code and the columns; None where no difference was detected."""
        if not self.alarm:
            return None
        names = [plain_value(column.name) for column in self.columns]
        return Finding(CODE, f"{self}; {WITHOUT_POOL}; {ASSUMED}", columns=names, remedy=REMEDIES)

    def _repr_html_(self) -> str:
        """The verdict, and a table of the columns that differ; it has the colors of the page around it."""
        rows = "".join(
            f"<tr>{_cell(escape(str(column.name)))}{_cell(escape(column.difference))}"
            f"{''.join(_cell(text, 'right') for text in column.shown)}{_cell(f'{column.p_value:.2g}', 'right')}</tr>"
            for column in self.columns
        )
        sides = {"column": "left", "what differs": "left", "labels": "right", "pool": "right", "p": "right"}
        head = f"<tr>{''.join(_cell(title, side, 'th') for title, side in sides.items())}</tr>"
        table = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>" if rows and self.alarm else ""
        return f"<div><p><b>{self.verdict}</b> ({self.strength})</p>{table}</div>"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON."""
        plain = asdict(self)
        for column in plain["columns"]:
            column |= {"name": plain_value(column["name"])}
            column |= {key: list(column[key]) for key in ("bins", "labels", "pool")}
        return plain | {
            "columns": list(plain["columns"]),
            "found_by": list(self.found_by),
            "p_values": dict(self.p_values),
        }


def _cell(text: str, side: str = "left", tag: str = "td") -> str:
    return f'<{tag} style="text-align:{side};padding-right:1em">{text}</{tag}>'


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
