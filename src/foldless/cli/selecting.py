"""One choice from files to files: what ``select`` and ``certify`` have in common."""

from collections.abc import Mapping
from typing import Any

from foldless.cli import documents, options, printing, running
from foldless.cli import model_catalog as models
from foldless.cli.group import command_as_typed
from foldless.core import Criterion
from foldless.errors import BadInput
from foldless.io import write_table
from foldless.saving import model_files as keeping


def choose(
    criterion: Criterion, given: Mapping[str, Any], *, beside: Criterion | None = None, keep: bool = False
) -> None:
    """Choose, write what was asked for, and tell. Nothing is written before all that was typed is known to be good."""
    predict, save, report = given["predict"], given["save"], given["report"]
    settings = options.settings(given, {"--predict": predict, "--save": save, "--report": report})
    problem = options.problem(given)
    if predict is not None and problem.pool is None:
        raise BadInput("--predict labels the pool, and there is none: pass --unlabeled, or leave some labels empty")
    candidates = models.candidates(given["names"], given["grid"], problem.columns, problem.views)
    run = running.select(
        problem, candidates, criterion, settings, predict=predict is not None, keep=keep or save is not None,
        beside=beside,
    )  # fmt: skip
    document = documents.of_selection(problem, run, {"predicted": predict, "saved": save, "report": report})
    if save is not None:
        keeping.save(run.result, save, keeping.Schema(problem.label, problem.columns))
    if predict is not None and problem.pool_rows is not None:
        labeled = problem.pool_rows.copy()
        labeled[problem.label] = run.pool_labels
        write_table(labeled, predict)
    if report is not None:
        run.result.report(report, made_by=command_as_typed(), about=documents.about(document), beside=run.beside)
    options.show(document, given["as_json"], printing.selection, settings)
