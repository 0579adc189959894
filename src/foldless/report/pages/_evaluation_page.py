"""The page of an evaluation: its numbers, the picture of the confusion, and the classes in a table."""

from collections.abc import Sequence

from foldless.report._wording import counted, number
from foldless.report.displays.confusion_display import ConfusionDisplay
from foldless.report.pages import _facts as facts
from foldless.report.pages import _tables as tables
from foldless.report.pages._page import NARROW, WIDE, figure_of
from foldless.report.pages._rendering import render, summarized
from foldless.results import Evaluation
from foldless.results import _drawn as drawn


@drawn.page.register(Evaluation)
def evaluation_page(evaluation: Evaluation, *, made_by: str | None = None, about: Sequence[str] = ()) -> str:
    display = ConfusionDisplay(evaluation.classes, evaluation.confusion)
    return render(
        "evaluation.html",
        title=f"Accuracy {evaluation.accuracy.value:.3f}",
        lede=_lede(evaluation),
        tiles=_tiles(evaluation),
        confusion=figure_of(display, "confusion", (WIDE, NARROW)),
        classes=tables.evaluated_classes(evaluation),
        assumes=evaluation.accuracy.assumes,
        **facts.provenance(evaluation, made_by, about),
    )


@drawn.summary.register(Evaluation)
def evaluation_summary(evaluation: Evaluation) -> str:
    name, table = f"Accuracy {evaluation.accuracy.value:.3f}", tables.evaluated_classes(evaluation)
    return summarized(name, _lede(evaluation), evaluation.notes, table=table)


def _lede(evaluation: Evaluation) -> str:
    right = int(evaluation.confusion.trace())
    interval = evaluation.accuracy.interval
    return (
        f"{right:,} of {counted(evaluation.rows, 'row')} have the right label: {interval}, where {evaluation.baseline}."
    )


def _tiles(evaluation: Evaluation) -> list[tuple[str, str, str]]:
    known = [row for row in evaluation.table().to_dict("records") if row["rows"]]
    worst = min(known, key=lambda row: float(row["recall"]))
    estimates = [each.estimate for each in evaluation.measures]
    named = [(each.quantity_in_words, f"{each.value:.3f}", each.interval) for each in estimates]
    of_class = f"of {counted(int(worst['rows']), 'row')} of {worst['class']}"
    return [
        *named,
        ("estimated accuracy on new rows", f"{evaluation.accuracy.value:.3f}", evaluation.accuracy.interval),
        (evaluation.baseline.name, f"{evaluation.baseline.share:.3f}", "accuracy of a constant"),
        ("estimated macro F1", f"{evaluation.macro_f1.value:.3f}", evaluation.macro_f1.interval),
        ("lowest recall", number(float(worst["recall"])), of_class),
        ("rows", f"{evaluation.rows:,}", counted(len(evaluation.classes), "class", "classes")),
    ]
