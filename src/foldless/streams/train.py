"""Train a classifier on a stream: one pass, in constant memory, resumable at any row."""

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib

from foldless.data._column_options import ColumnOptions
from foldless.data._columns import Missing
from foldless.engine._stopping import Stop
from foldless.errors import BadInput, SetArgument
from foldless.io._atomic import check_place, resolved
from foldless.io._faults import Ledger, OnError, silent
from foldless.io._formats import Format
from foldless.streams._batches import Stream, stream_of
from foldless.streams._plan import Plan
from foldless.streams._registry import DEFAULT, learner_of
from foldless.streams._resume import Resumable, interrupted
from foldless.streams._trainer import State, Trainer
from foldless.streams.prequential import ConfusionMatrix
from foldless.streams.training import StreamTraining, check_model_file

EVERY = 500_000  # rows between two checkpoints


@dataclass(frozen=True, eq=False)
class Progress:
    """How far a training is: rows of the stream, rows per second of this run, rows skipped, the recent evaluation."""

    rows: int
    rows_per_second: float
    skipped: int
    recent: ConfusionMatrix
    measure: Any


def train(
    data: Any,
    label: str,
    *,
    learner: Any = DEFAULT,
    measure: Any = None,
    params: Mapping[str, Any] | None = None,
    classes: Sequence[Any] = (),
    drop: Sequence[str] = (),
    text: Sequence[str] = (),
    categorical: Sequence[str] = (),
    missing: Missing = "error",
    on_error: OnError = "stop",
    batch: int = 10_000,
    hold: int = 10_000,
    random_state: int = 0,
    checkpoint: str | os.PathLike[str] | None = None,
    every: int = EVERY,
    save: str | os.PathLike[str] | None = None,
    n_jobs: int = 1,
    format: Format | None = None,  # noqa: A002 (the word of the command line, and of pandas)
    on_message: Callable[[str], None] = silent,
    on_progress: Callable[[Progress], None] | None = None,
) -> StreamTraining:
    """Train a classifier on rows that are read once, in their order and in constant memory.

    The first batch fixes the classes and the scale of numbers; strings are hashed. Each batch is predicted before it is
    learned from (prequential evaluation), and a sample of the rows is held out to evaluate the final model. With a
    checkpoint the same call resumes after an interruption, or a kill, to the same weights.

    Parameters
    ----------
    data : path, list of paths, data frame or iterable of data frames
        CSV, TSV or Parquet files one after the other, folders of Parquet, glob patterns, "-" for standard input; or
        data frames of pandas, polars or Arrow.
    label : str
        The column that holds the classes.
    learner : {"nemsis", "scan", "one-pass"} or estimator
        What learns; an estimator needs ``partial_fit``, as `foldless.online.NEMSIS` or scikit-learn's SGDClassifier.
    measure : str or object of foldless.measures
        What the learner optimizes; "bakld", "cq_reward" and "kld" are the defaults of the three.
    params : dict
        Further parameters of a learner by name, such as ``{"eta0": 0.1}``.
    classes : sequence
        All classes, where the first batch may lack some.
    drop, text, categorical : sequences of str
        Columns to leave out, to take as text, and to take as categories.
    missing : {"error", "impute"}
        Whether a row with a missing value is invalid, or the value is imputed.
    on_error : {"stop", "skip"}
        What to do with an invalid row; nothing is learned from it.
    batch : int
        Rows taken together.
    hold : int
        The maximum number of held-out rows; one in ten is held out until then.
    random_state : int
        The random seed, which draws the held-out rows.
    checkpoint : path or None
        Where the state of the run is kept, and stays; None: at ``save`` + ".checkpoint" until the model is saved.
    every : int
        Rows between two checkpoints.
    save : path or None
        Write the model there as .skops, for `shares` and ``foldless predict``.
    n_jobs : int
        Read so many files at once, where the order of rows does not matter: as many learners read the files, and the
        model is the average of their weights (parameter mixing). It learns a little less than one that reads all rows.
    format : {"csv", "tsv", "parquet"} or None
        Of standard input, and of files whose ending does not say it.
    on_message : callable
        Called with each sentence about the data on the way; all of them are in ``messages`` of the result too.
    on_progress : callable or None
        Called with a `Progress` after each batch.

    Returns
    -------
    StreamTraining
        The model, its evaluation, and notes.

    Examples
    --------
    >>> import numpy as np, pandas as pd
    >>> from foldless.streams import train
    >>> rng = np.random.default_rng(0)
    >>> spam = rng.random(5000) < 0.2
    >>> mail = pd.DataFrame({"links": rng.poisson(1 + 4 * spam), "words": rng.normal(size=5000), "spam": spam})
    >>> training = train(mail, "spam", batch=500)
    >>> training.rows, training.classes.tolist()
    (5000, [False, True])
    >>> bool(training.evaluation.whole.scores()["balanced_accuracy"] > 0.8)
    True
    >>> training.predict(pd.DataFrame({"links": [9, 0], "words": [0.1, 0.1]})).tolist()
    [True, False]
    """
    fitted = learner_of(learner, measure, params, random_state)
    options = ColumnOptions(tuple(drop), tuple(text), tuple(categorical), missing)
    if (twice := options.named_twice(label)) is not None:
        problem = "column {!r} is in {} and in {}".format(*twice)
        raise BadInput(problem, value=twice[0], place=twice[2], remedy="name it in one of them")
    plan = Plan(
        label, fitted.name, fitted.params, options.drop, options.kinds, options.missing, tuple(map(str, classes)),
        batch, hold, random_state,
    )  # fmt: skip
    with Stop() as stop:  # to the very end: Ctrl-C during the last steps does not undo the others
        stream = stream_of(data, batch, format, wants_stop=lambda: stop.reason is not None)
        path = _checkpoint(stream, checkpoint, save)
        _check_save(stream, save)
        ledger = Ledger(on_error, on_message)
        if n_jobs != 1:
            from foldless.streams._mixed_training import train_mixed

            if not isinstance(n_jobs, int) or not (n_jobs == -1 or n_jobs > 1):
                problem = f"n_jobs must be a number of workers, or -1 for all cores, got {n_jobs!r}"
                raise BadInput(problem, value=n_jobs)
            workers, start = joblib.effective_n_jobs(n_jobs), time.monotonic()
            state, plan, notes = train_mixed(stream, plan, fitted.estimator, ledger, workers, path, every)
            rate = state.rows / max(time.monotonic() - start, 1e-9)
        else:
            trainer = Trainer(stream, plan, fitted.estimator, ledger)
            state, notes, rate = _to_the_end(trainer, path, every, stop, on_progress)
        training = StreamTraining.of(state, plan, ledger, notes, rate)
        if save is not None:
            training.save(save)
        if path is not None and checkpoint is None and n_jobs == 1:
            path.unlink(missing_ok=True)
    return training


def _to_the_end(
    trainer: Trainer, path: Path | None, every: int, stop: Stop, on_progress: Callable[[Progress], None] | None
) -> tuple[State, list[str], float]:
    """The state at the end of the stream, or where Ctrl-C ended one that cannot be resumed; notes; rows per second."""

    def rows_per_second() -> float:
        return trainer.learned / max(time.monotonic() - start, 1e-9)

    def show(trainer: Trainer) -> None:
        if on_progress is not None and (state := trainer.state) is not None:
            measure, recent = str(trainer.plan.params["measure"]), state.evaluation.recent
            on_progress(Progress(state.rows, rows_per_second(), trainer.ledger.total, recent, measure))

    run, stream = Resumable(trainer, path, every, stop, show), trainer.stream
    notes: list[str] = []
    if run.resume() and trainer.state is not None:
        notes.append(f"it resumed from {path}, after {trainer.state.rows:,} rows")
    start = time.monotonic()
    state = run.run()
    rate = rows_per_second()
    if stop.interrupted and not stream.resumable:
        notes.append(f"it was interrupted: {stream.name} ended after {state.rows:,} rows, and cannot be resumed")
    elif stop.interrupted and not trainer.ended:
        raise interrupted(f"interrupted after {state.rows:,} rows", path)
    return state, notes, rate


def _checkpoint(
    stream: Stream, named: str | os.PathLike[str] | None, save: str | os.PathLike[str] | None
) -> Path | None:
    """Where the checkpoint is; a stream that cannot be read again has none."""
    if not stream.resumable:
        if named is not None:
            raise BadInput(
                f"{stream.name} cannot be read again, so a run on it cannot be resumed",
                value=named, place="checkpoint", remedy="name files, or leave the checkpoint out",
            )  # fmt: skip
        return None
    if named is None:
        return None if save is None else Path(f"{os.fspath(save)}.checkpoint")
    taken = [part.path for part in stream.parts if part.path is not None] + ([Path(save)] if save is not None else [])
    if resolved(named) in [resolved(path) for path in taken]:
        raise BadInput(
            f"{named} is also read or saved in this run",
            value=named, place="checkpoint", remedy=SetArgument("checkpoint", to="name another file"),
        )  # fmt: skip
    return check_place(named)


def _check_save(stream: Stream, save: str | os.PathLike[str] | None) -> None:
    """Whether the model can be written, known before any work is done."""
    if save is None:
        return
    place = check_model_file(save).resolve()
    if place in [resolved(part.path) for part in stream.parts if part.path is not None]:
        raise BadInput(
            f"{save} is also read in this run", value=save, place="save",
            remedy=SetArgument("save", to="name another file"),
        )  # fmt: skip
