"""Checks of the data: a check looks at a `Sample` and returns findings, sentences with a code, rows or columns.

A check is a file with one question: are labeled rows copies of each other (FL004), or nearly (FL005), are pool rows or
test rows labeled rows (FL006, FL007), is a column of X the label (FL011). It reads features, asks what chance explains,
and reports only what is beyond that, as a `Finding` with the option that handles it. A check raises nothing and changes
no data. `checked` is what every call does with its sample, and there findings have consequences: copies are kept
together from then on.

Findings are notes, and go where notes go: ``selection_.findings``, terminal, report and JSON.
"""

from contextlib import suppress
from dataclasses import replace

from foldless.checks._label_column import label_columns
from foldless.checks._shared_rows import among, in_pool, in_test, of_test
from foldless.checks._together import UNREADABLE, with_copies_together
from foldless.data._sample import Sample

__all__ = ["among", "checked", "in_pool", "in_test", "of_test", "with_copies_together"]


def checked(sample: Sample) -> Sample:
    """The sample with what was found in it among its notes; copies among its labeled rows are in one group."""
    sample = with_copies_together(sample)
    findings = []
    for look in (in_pool, label_columns):
        with suppress(*UNREADABLE):
            findings += look(sample)
    return replace(sample, notes=(*sample.notes, *findings)) if findings else sample
