"""FL019: a share of missing values that differs by class, or between labels, pool and test rows.

For each column, one class against the others and one part against the labels: the number of missing values has a
hypergeometric distribution if it is missing at random. The level is corrected for all of these tests but those of two
parts without a missing value, which no draw of rows can reject.

References
----------
Tarone (1990). A modified Bonferroni method for discrete data. Biometrics 46, 515-522.
"""

from typing import Any

from scipy import stats

from foldless.checks._check import Diagnosis, DoesNotApply, check
from foldless.checks._checked_data import CheckedData, Variant, is_missing
from foldless.checks._tables import some_rows
from foldless.checks._wording import shown, table_of
from foldless.core import Array
from foldless.results.finding import Finding

LEVEL = 0.001
MOST = 5  # columns with a finding
READ = 20_000  # rows of another part


@check("FL019", "missing values that depend on the class or the file", kind="tip")
def missing_values(data: CheckedData) -> list[Diagnosis]:
    labeled = table_of(data)
    parts = {name: some_rows(frame, READ) for name, frame in data.others.items()}
    names = [name for name in data.read if name not in data.ids]
    lacking = {name: is_missing(labeled[name]) for name in names}
    elsewhere = {
        (name, part): is_missing(frame[name]) for part, frame in parts.items() for name in names if name in frame
    }
    if not any(mask.any() for mask in (*lacking.values(), *elsewhere.values())):
        raise DoesNotApply("no value is missing")
    tests = [(p, name, words) for name, mask in lacking.items() for p, words in _by_class(data, mask)]
    for (name, part), mask in elsewhere.items():
        if mask.any() or lacking[name].any():
            words = f"in {mask.mean():.0%} of {part}, {lacking[name].mean():.0%} of {data.names.labeled}"
            tests.append((_chance(mask, lacking[name]), name, words))
    level = LEVEL / max(1, len(tests))
    worst: dict[Any, tuple[float, str]] = {}
    for p, name, words in sorted(tests, key=lambda test: test[0]):
        if p < level:
            worst.setdefault(name, (p, words))
    diagnoses = []
    for name, (_, words) in list(worst.items())[:MOST]:
        problem = f"column {shown(name)} is missing {words}"
        remedy = "find out why; a model may read the class from it"
        finding = Finding("FL019", problem, columns=[name], remedy=remedy)
        diagnoses.append(Diagnosis(finding, Variant(columns=(name,), words="without it")))
    return diagnoses


def _by_class(data: CheckedData, mask: Array) -> list[tuple[float, str]]:
    """Each class against the others."""
    if data.codes is None or not mask.any() or mask.all():
        return []
    tests = []
    for code, name in enumerate(data.classes):
        inside = data.codes == code
        if inside.any() and not inside.all():
            words = f"in {mask[inside].mean():.0%} of class {name!r}, {mask[~inside].mean():.0%} of the others"
            tests.append((_chance(mask[inside], mask[~inside]), words))
    return tests


def _chance(first: Array, second: Array) -> float:
    """How probable it is at most that the missing values fall on two parts so unevenly."""
    n, total, k = len(first) + len(second), int(first.sum() + second.sum()), int(first.sum())
    below = stats.hypergeom.cdf(k, n, total, len(first))
    above = stats.hypergeom.sf(k - 1, n, total, len(first))
    return float(min(1.0, 2 * min(below, above)))
