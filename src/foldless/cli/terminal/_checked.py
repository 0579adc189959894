"""What is wrong with files on the terminal: a finding a line where it fits, else what to do below it."""

from collections.abc import Sequence
from dataclasses import replace

from rich.cells import cell_len

from foldless.cli._documents import with_options as finding_with_options
from foldless.cli._remedies import worded
from foldless.cli.terminal import _layout as layout
from foldless.cli.terminal._console import Screen
from foldless.results import CheckedFinding, ColumnSummary, Finding, Findings

CODE = 13  # characters before a sentence: "FL004 issue  "
MOST_NAMED = 10  # rows or columns
STYLES = {"issue": "bold", "tip": ""}
SHOWN, EXAMPLE = 10, 30  # columns that are listed without --verbose, and characters of an example
SHORT = 2  # lines of the short form
BETWEEN = "   "


def findings(findings: Findings, *, verbose: bool = False, report: str | None = None) -> None:
    """All findings, how much each matters and what to do; with ``verbose``, everything that is known."""
    screen = Screen()
    screen.say(findings.about, style="dim")
    _columns(screen, findings.columns, len(findings.columns) if verbose else SHOWN)
    screen.note(*findings.notes)
    for entry in findings.entries:
        _show(screen, entry)
        if verbose:
            for line in details(entry):
                screen.say(f"{' ' * CODE}{line}", style="dim")
    if verbose:
        for title, checks in (
            ("found nothing", findings.passed), ("does not apply", findings.not_applicable),
            ("skipped", findings.skipped), ("ignored", findings.ignored),
        ):  # fmt: skip
            for code, why in checks.items():
                screen.say(f"{code} {title}: {why}", style="dim")
    ways = [*([] if verbose else ["--verbose"]), *([] if report else ["--report check.html"])]
    more = f"   Details: {', '.join(ways)}" if ways else ""
    screen.say(f"{findings.summary}.{more}", style="dim")
    if report is not None:
        screen.say(f"The report is in {report}.")


def _columns(screen: Screen, columns: Sequence[ColumnSummary], n: int) -> None:
    """The columns of the file as they are taken; of many, those that are not as in the file come first."""
    if not columns:
        return
    plain = [not c.missing and c.taken_as in ("numeric", "boolean", "date", "categorical", "text") for c in columns]
    order = sorted(range(len(columns)), key=lambda at: (plain[at], at))
    shown = [columns[at] for at in sorted(order[:n])]
    screen.table(
        {
            "column": [column.name for column in shown],
            "taken as": [column.taken_as for column in shown],
            "missing": [f"{column.missing:,}" if column.missing else "" for column in shown],
            "example": [_cut(" ".join(column.example.split()), EXAMPLE) for column in shown],
        },
        max_rows=len(shown),
    )
    if len(columns) > n:
        left = f"{len(columns) - n:,} more column{'s' * (len(columns) - n != 1)}"
        screen.say(f"and {left}, which --verbose lists", style="dim")


def short(findings: Findings, screen: Screen) -> None:
    """At most two lines before another command: what was found, issues first, or the first of it and how many more."""
    entries = sorted(findings.entries, key=lambda entry: entry.kind != "issue")
    shown = entries[: SHORT if len(entries) <= SHORT else SHORT - 1]
    for entry in shown:
        lines = _short_enough(entry.finding.problem, screen.console.width, SHORT if len(entries) == 1 else 1)
        lines[0] = f"{entry.finding.code} {entry.kind:<5}  {lines[0][CODE:]}"
        for line in lines:
            screen.line(line, style="yellow" if entry.kind == "issue" else "dim")
    rest = entries[len(shown) :]
    if rest:
        n_issues = sum(entry.kind == "issue" for entry in rest)
        counts = {"issue": n_issues, "tip": len(rest) - n_issues}
        said = [f"{n} more {kind}{'s' * (n > 1)}" for kind, n in counts.items() if n]
        where = f"{' and '.join(said)}: foldless check shows them"
        whole = f"{where}, and how much they matter"
        screen.line(whole if len(whole) <= screen.console.width else where, style="dim")


def _short_enough(problem: str, width: int, n: int) -> list[str]:
    """A sentence in so many lines: whole, or without its details, which come behind a colon, or cut."""
    for text in (problem, problem.partition(": ")[0]):
        lines = list(layout.wrapped(f"{' ' * CODE}{text}", width))
        if len(lines) <= n:
            return lines
    return [_cut(f"{' ' * CODE}{problem.partition(': ')[0]}", width)]


def with_options(findings: Findings) -> Findings:
    """The same with remedies that name options."""
    pairs = [(entry, finding_with_options(entry.finding)) for entry in findings.entries]
    entries = tuple(replace(entry, finding=finding) for entry, finding in pairs if isinstance(finding, Finding))
    return replace(findings, entries=entries, notes=tuple(map(worded, findings.notes)))


def details(entry: CheckedFinding) -> list[str]:
    """Rows, columns and the interval of a finding."""
    lines = []
    for noun, values in (("rows", entry.finding.rows), ("columns", entry.finding.columns)):
        if values:
            more = f" and {len(values) - MOST_NAMED:,} more" if len(values) > MOST_NAMED else ""
            lines.append(f"{noun} {', '.join(map(str, values[:MOST_NAMED]))}{more}")
    if entry.impact is not None:
        change = entry.impact
        lines.append(
            f"the change is {change.difference:+.3f} ({change.lower:+.3f} to {change.upper:+.3f} with confidence "
            f"0.95), by {change.model} on {change.rows:,} rows"
        )
    elif entry.untold:
        lines.append(f"how much it matters is not known: {entry.untold}")
    return lines


def _show(screen: Screen, entry: CheckedFinding) -> None:
    """A finding: all on one line where it fits, else the rest below it, indented."""
    head = f"{entry.finding.code} {entry.kind:<5}  "
    rest = [str(entry.impact)] if entry.impact is not None else []
    rest += [str(remedy) for remedy in entry.finding.remedies[-1:]]
    width = screen.console.width
    line = f"{head}{entry.finding.problem}"
    if cell_len(BETWEEN.join([line, *rest])) <= width:
        screen.line(BETWEEN.join([line, *rest]), STYLES[entry.kind])
        return
    first, *more = layout.wrapped(f"{' ' * CODE}{entry.finding.problem}", width)
    screen.line(head + first[CODE:], STYLES[entry.kind])
    for text in more:
        screen.line(text, STYLES[entry.kind])
    below = BETWEEN.join(rest)
    parts = [below] if cell_len(below) + CODE <= width else rest
    for part in parts:
        for text in layout.wrapped(f"{' ' * CODE}{part}", width) if part else ():
            screen.line(text, "dim")


def _cut(text: str, width: int) -> str:
    return text if cell_len(text) <= width else f"{text[: width - 1]}…"
