"""Every command with its files: a table, a pool, models, and what it writes, under any names."""

import random
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


def ended_badly(words: list[str]) -> str:
    """What is wrong with how a command ends; empty where nothing is."""
    result = CliRunner().invoke(main, words)
    if not isinstance(result.exception, SystemExit | type(None)):
        return f"{words}: {type(result.exception).__name__}: {result.exception}"[:1000]
    if result.exit_code not in (0, 2):
        return f"{words}: status {result.exit_code}: {result.stderr}"[:1000]
    *notes, last = result.stderr.splitlines() or [""]
    if result.exit_code == 2 and not (last.startswith("Error: ") and len(last) < LONGEST):
        return f"{words}: no sentence: {result.stderr}"[:1000]
    odd = [line for line in notes if "Warning" in line or "Traceback" in line]
    if odd or "\x1b" in result.stderr:
        return f"{words}: printed {result.stderr!r}"[:1000]
    return ""


def drawn(rng: random.Random, templates: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """One of the commands."""
    return templates[rng.choice(list(templates))]
