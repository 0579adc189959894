"""Every command with its files: a table, a pool, models, and what it writes, under any names."""

import os
import random
import sys
import tempfile
import traceback
from collections.abc import Mapping
from pathlib import Path

from click.testing import CliRunner

from foldless.cli import main

LONGEST = 500
QUICK = ("--model", "naive-bayes", "--criterion", "hold-out")
TASK = ("{train}", "--label", "y", "--unlabeled", "{pool}")
READS = {
    "select": ("select", *TASK, *QUICK),
    "test": ("select", *TASK, *QUICK, "--test", "{train}"),
    "compare": ("compare", *TASK, "--model", "naive-bayes", "--criteria", "hold-out,k-fold:2"),
    "certify": ("certify", *TASK, "--model", "naive-bayes"),
    "quantify": ("quantify", *TASK, "--model", "naive-bayes", "--method", "cc"),
    "check": ("check", *TASK, "--fast"),
    "predict": ("predict", "{model}", "{pool}"),
    "evaluate": ("evaluate", "{model}", "{train}"),
    "estimate": ("estimate", "{model}", "{train}", "--unlabeled", "{pool}"),
    "check --test": ("check", *TASK, "--fast", "--test", "{train}"),
    "sampled": ("select", *TASK, *QUICK, "--pool-sample", "20"),
    "stream train": ("stream", "train", "{train}", "--label", "y", "--batch", "8"),
    "stream shares": ("stream", "shares", "{pool}", "--model", "{stream}", "--window", "8"),
}
WRITES = {
    "predict": (*READS["predict"], "--output", "{output}.csv"),
    "select --predict": (*READS["select"], "--predict", "{output}.csv"),
    "select --save": (*READS["select"], "--save", "{output}.skops"),
    "select --report": (*READS["select"], "--report", "{output}.html"),
    "select --journal": (*READS["select"], "--journal", "{output}"),
    "compare --predict": (*READS["compare"], "--predict", "{output}.parquet"),
    "certify --save": (*READS["certify"], "--save", "{output}.skops"),
    "suggest": ("suggest", *TASK, *QUICK, "--output", "{output}.csv", "-n", "3"),
    "evaluate --report": (*READS["evaluate"], "--report", "{output}.html"),
    "check --report": (*READS["check"], "--report", "{output}.html"),
    "quantify --picture": (*READS["quantify"], "--by", "day", "--picture", "{output}.svg"),
    "quantify --journal": (*READS["quantify"], "--journal", "{output}"),
    "quantify --report": (*READS["quantify"], "--report", "{output}.html"),
    "stream train --checkpoint": (*READS["stream train"], "--save", "m.skops", "--checkpoint", "{output}"),
    "stream train --save": (*READS["stream train"], "--save", "{output}.skops", "--every", "8"),
}


def table(n: int = 24, begin: int = 0, label: bool = True) -> bytes:
    """A table as the models of `write_models` read it."""
    rows = [
        f"{at % 2 * 3 + at % 5},{at % 7},2024-01-{at % 28 + 1:02}" + (f",{'ab'[at % 2]}" if label else "")
        for at in range(begin, begin + n)
    ]
    return ("\n".join(["x,z,day" + ",y" * label, *rows]) + "\n").encode()


def write_models(folder: Path) -> dict[str, bytes]:
    """A model and one of a stream, by the names in the commands."""
    (folder / "made.csv").write_bytes(table())
    for name in ("select", "stream train"):
        words = [word.format(train=folder / "made.csv", pool=folder / "made.csv") for word in READS[name]]
        result = CliRunner().invoke(main, [*words, "--save", str(folder / f"{name}.skops")])
        assert result.exit_code == 0, result.output
    return {"model": (folder / "select.skops").read_bytes(), "stream": (folder / "stream train.skops").read_bytes()}


def words_of(template: tuple[str, ...], names: Mapping[str, str]) -> list[str]:
    """A command with names of files in the places of its own."""
    return [word.format(**names) if word.startswith("{") else word for word in template]


def ended_badly(words: list[str], encoding: str | None = None) -> str:
    """What is wrong with how a command ends; empty where nothing is.

    With an encoding it runs in a process of its own, whose output and errors are files in it.
    """
    if encoding is None:
        result = CliRunner().invoke(main, words)
        if not isinstance(result.exception, SystemExit | type(None)):
            return f"{words}: {type(result.exception).__name__}: {result.exception}"[:1000]
        status, errors = result.exit_code, result.stderr
    else:
        status, errors = _apart(words, encoding)
    if status not in (0, 2):
        return f"{words}: status {status}: {errors}"[:1000]
    *notes, last = errors.splitlines() or [""]
    if status == 2 and not (last.startswith("Error: ") and len(last) < LONGEST):
        return f"{words}: no sentence: {errors}"[:1000]
    odd = [line for line in notes if "Warning" in line or "Traceback" in line]
    if odd or "\x1b" in errors:
        return f"{words}: printed {errors!r}"[:1000]
    return ""


def _apart(words: list[str], encoding: str) -> tuple[int, str]:
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        if (child := os.fork()) == 0:
            status = 1
            try:
                for number, file in ((1, out), (2, err)):
                    os.dup2(file.fileno(), number)
                sys.stdout, sys.stderr = (os.fdopen(number, "w", encoding=encoding, closefd=False) for number in (1, 2))
                sys.argv = ["foldless", *words]
                main()
            except SystemExit as ended:
                status = ended.code if isinstance(ended.code, int) else 0
                sys.stdout.flush()
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(status)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        err.seek(0)
        return status, err.read().decode(encoding, "replace")


def drawn(rng: random.Random, templates: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """One of the commands."""
    return templates[rng.choice(list(templates))]
