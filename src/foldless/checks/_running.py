"""All checks of some data, and how much what they find matters, within a time budget.

A column that gives the label away hides everything else: once it is found, other faults are looked for and measured
without it.
"""

from collections.abc import Collection
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from foldless.checks._check import Check, Diagnosis, DoesNotApply, NoTime, registered
from foldless.checks._checked_data import CheckedData, Variant
from foldless.checks._impact import impact_of, impact_on_test
from foldless.checks._together import UNREADABLE
from foldless.checks._wording import NO_MODEL, columns_named, listed
from foldless.core import TimeBudget
from foldless.errors import BadInput, Overtime
from foldless.results.findings import KINDS, CheckedFinding, Findings, Impact

NO_TIME = "the time budget was spent"
SPENT = "the time budget was spent before {codes} could be made or measured: pass a larger one"
MASKED = "other findings are measured without {columns}"
TO_SAY = 2.0  # seconds before the end of all in which nothing is looked for any more


def run_checks(
    data: CheckedData,
    ignore: Collection[str] = (),
    about: str = "",
    notes: tuple[str, ...] = (),
    budget: TimeBudget | None = None,
) -> Findings:
    """Make all checks but those to ``ignore``; in the fast form of the data only those that need no model.

    Checks for which a budget has no time are skipped too.
    """
    started, known = monotonic(), registered()
    if strange := [code for code in ignore if code not in known]:
        raise BadInput(f"there is no check {strange[0]!r}: the codes are {', '.join(known)}", value=strange[0])
    outcomes = _Outcomes(data)
    for code in sorted(known, key=lambda code: (not known[code].first, code)):
        if code in ignore:
            outcomes.ignored[code] = known[code].title
        elif (data.fast and not known[code].fast) or (budget is not None and budget.spent > budget):
            outcomes.skipped[code] = known[code].title
        else:
            try:
                with _in_time(budget):
                    outcomes.make(known[code])
            except Overtime:
                if budget is None:  # the time of the caller, who has no use for a part
                    raise
                outcomes.skipped[code] = known[code].title
    notes = (*notes, MASKED.format(columns=columns_named(outcomes.masks))) if outcomes.masks else notes
    entries = outcomes.entries(budget)
    late = {*outcomes.skipped, *(entry.finding.code for entry in entries if entry.untold == NO_TIME)}
    if late and not data.fast:
        notes = (*notes, SPENT.format(codes=listed(sorted(late), len(late))))
    others = (outcomes.passed, outcomes.not_applicable, outcomes.skipped, outcomes.ignored)
    passed, not_applicable, skipped, ignored = (dict(sorted(part.items())) for part in others)
    seconds = monotonic() - started
    return Findings(entries, passed, not_applicable, skipped, ignored, about, notes, seconds=seconds)


@dataclass
class _Outcomes:
    """What came of the checks so far."""

    data: CheckedData
    measured: list[CheckedFinding] = field(default_factory=list)
    waiting: list[Diagnosis] = field(default_factory=list)
    masks: list[Any] = field(default_factory=list)
    passed: dict[str, str] = field(default_factory=dict)
    not_applicable: dict[str, str] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    ignored: dict[str, str] = field(default_factory=dict)

    def make(self, one: Check) -> None:
        """One check; what hides other faults is measured at once."""
        try:
            diagnoses = one.diagnoses(self.data)
        except NoTime:
            self.skipped[one.code] = one.title
            return
        except DoesNotApply as reason:
            self.not_applicable[one.code] = str(reason)
            return
        except UNREADABLE as error:
            self.not_applicable[one.code] = f"rows cannot be read by it ({type(error).__name__}: {error})"
            return
        if not diagnoses:
            self.passed[one.code] = one.title
        for diagnosis in diagnoses:
            if diagnosis.masks and self.data.fits is not None:
                self.measured.append(_measured(self.data, diagnosis))
                self.masks.extend(diagnosis.masks)
                self.data.fits.leave_out(diagnosis.masks)
            else:
                self.waiting.append(diagnosis)

    def entries(self, budget: TimeBudget | None) -> tuple[CheckedFinding, ...]:
        """All findings, in the order of a reader; issues are measured first, as time may end."""
        waiting = sorted(self.waiting, key=lambda diagnosis: KINDS.index(diagnosis.kind or "tip"))
        every = [*self.measured, *(_measured(self.data, diagnosis, budget) for diagnosis in waiting)]
        return tuple(sorted(every, key=_place))


def _in_time(budget: TimeBudget | None) -> AbstractContextManager[None]:
    """Raises `Overtime` in the block where what was found must be said."""
    return nullcontext() if budget is None else budget.until(budget.whole - TO_SAY)


def _measured(data: CheckedData, diagnosis: Diagnosis, budget: TimeBudget | None = None) -> CheckedFinding:
    kind, impact, untold = diagnosis.kind or "tip", None, diagnosis.untold
    if diagnosis.variant is not None:
        if data.fast:
            untold = "not measured in the fast form"
        else:
            try:
                with _in_time(budget):
                    impact = _impact(data, diagnosis.variant)
            except Overtime:
                if budget is None:
                    raise
                return CheckedFinding(diagnosis.finding, kind, None, NO_TIME)
            untold = "" if impact is not None else NO_MODEL if data.fits is None or data.fits.failed else NO_TIME
    return CheckedFinding(diagnosis.finding, kind, impact, untold)


def _impact(data: CheckedData, variant: Variant) -> Impact | None:
    if data.fits is None:
        return None
    if variant.test_rows is not None:
        right = data.fits.on_test()
        if right is None:
            return None
        return impact_on_test(right, variant.test_rows, variant.words, data.fits.model, data.fits.quantity)
    before, after = data.fits.answers(), data.fits.answers(variant)
    if before is None or after is None:
        return None
    return impact_of(before, after, variant.words, variant.units, data.fits.quantity)


def _place(entry: CheckedFinding) -> tuple[int, float, str]:
    """Issues first; in each kind, what changes the estimate most."""
    change = -1.0 if entry.impact is None else abs(entry.impact.difference)
    return KINDS.index(entry.kind), -change, entry.finding.code
