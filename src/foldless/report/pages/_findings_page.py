"""The page of a check: what is wrong with the data and how much it matters, then everything that was looked for."""

from collections.abc import Sequence

from foldless.report._wording import counted
from foldless.report.pages import _facts as facts
from foldless.report.pages import _tables as tables
from foldless.report.pages._rendering import render, summarized
from foldless.results import Findings
from foldless.results import _drawn as drawn


@drawn.page.register(Findings)
def findings_page(findings: Findings, *, made_by: str | None = None, about: Sequence[str] = ()) -> str:
    outcomes = {
        "found nothing": findings.passed,
        "does not apply": findings.not_applicable,
        "skipped, as it takes time": findings.skipped,
        "ignored": findings.ignored,
    }
    return render(
        "findings.html",
        title=_title(findings),
        lede=findings.about,
        summary=findings.summary,
        table=tables.checked_findings(findings),
        checks=tables.made_checks(outcomes),
        **facts.provenance(findings, made_by, about),
    )


@drawn.summary.register(Findings)
def findings_summary(findings: Findings) -> str:
    notes = [findings.summary, *findings.notes]
    return summarized(_title(findings), findings.about, notes, table=tables.checked_findings(findings))


def _title(findings: Findings) -> str:
    n, tips = len(findings.issues), len(findings.tips)
    return f"{counted(n, 'issue')}, {counted(tips, 'tip')}" if n or tips else "Nothing was found"
