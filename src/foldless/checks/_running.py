"""All checks of some data, and how much what they find matters, within a time budget."""

from collections.abc import Collection
from time import monotonic
from typing import NamedTuple

from foldless.checks._check import Check, Diagnosis, DoesNotApply, registered
from foldless.checks._checked_data import CheckedData
from foldless.checks._impact import impact_of, impact_on_test
from foldless.checks._together import UNREADABLE
from foldless.checks._variant import Variant
from foldless.errors import BadInput
from foldless.results.findings import KINDS, CheckedFinding, Findings, Impact

NO_TIME = "the time budget was spent"
FAST = "not measured in the fast form"
NO_MODEL = "no cheap model can be trained on these rows"


class _Outcomes(NamedTuple):
    diagnoses: list[Diagnosis]
    passed: dict[str, str]
    not_applicable: dict[str, str]
    skipped: dict[str, str]
    ignored: dict[str, str]


def run_checks(
    data: CheckedData, ignore: Collection[str] = (), about: str = "", notes: tuple[str, ...] = ()
) -> Findings:
    """Make all checks but those to ``ignore``; in the fast form of the data only those that need no model."""
    started, known = monotonic(), registered()
    if strange := [code for code in ignore if code not in known]:
        raise BadInput(f"there is no check {strange[0]!r}: the codes are {', '.join(known)}", value=strange[0])
    outcomes = _Outcomes([], {}, {}, {}, {})
    for code, one in known.items():
        if code in ignore:
            outcomes.ignored[code] = one.title
        elif data.fast and not one.fast:
            outcomes.skipped[code] = one.title
        else:
            _make(one, data, outcomes)
    entries = sorted((_measured(data, each) for each in outcomes.diagnoses), key=_place)
    return Findings(tuple(entries), *outcomes[1:], about=about, notes=notes, seconds=monotonic() - started)


def _make(one: Check, data: CheckedData, outcomes: _Outcomes) -> None:
    try:
        diagnoses = one.diagnoses(data)
    except DoesNotApply as reason:
        outcomes.not_applicable[one.code] = str(reason)
    except UNREADABLE as error:
        outcomes.not_applicable[one.code] = f"rows cannot be read by it ({type(error).__name__}: {error})"
    else:
        outcomes.diagnoses.extend(diagnoses)
        if not diagnoses:
            outcomes.passed[one.code] = one.title


def _measured(data: CheckedData, diagnosis: Diagnosis) -> CheckedFinding:
    kind = diagnosis.kind or "tip"
    if diagnosis.variant is None:
        return CheckedFinding(diagnosis.finding, kind, untold=diagnosis.untold)
    if data.fast:
        return CheckedFinding(diagnosis.finding, kind, untold=FAST)
    if data.codes is None:
        return CheckedFinding(diagnosis.finding, kind, untold="measured for classes only")
    impact = _impact(data, diagnosis.variant)
    untold = "" if impact is not None else NO_MODEL if data.fits is None or data.fits.failed else NO_TIME
    return CheckedFinding(diagnosis.finding, kind, impact, untold)


def _impact(data: CheckedData, variant: Variant) -> Impact | None:
    if data.fits is None:
        return None
    if variant.test_rows is not None:
        right = data.fits.on_test()
        return None if right is None else impact_on_test(right, variant.test_rows, variant.words, data.fits.model)
    before, after = data.fits.answers(), data.fits.answers(variant)
    if before is None or after is None:
        return None
    return impact_of(before, after, variant.words, data.fits.model)


def _place(entry: CheckedFinding) -> tuple[int, float, str]:
    """Issues first; in each kind, what changes the estimate most."""
    change = -1.0 if entry.impact is None else abs(entry.impact.difference)
    return KINDS.index(entry.kind), -change, entry.finding.code
