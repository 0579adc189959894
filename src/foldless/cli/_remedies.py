"""Remedies in the words of the command line: a table from each kind to the options that stand for it.

A command may lack an option: ``foldless predict`` cannot drop a column, and missing values are treated as they were in
training. Then the remedy names the training, or is left out.
"""

import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import click

from foldless.errors import (
    MAX_NAMED_COLUMNS,
    DecideMinusOne,
    DropColumns,
    FoldlessError,
    Impute,
    KeepColumns,
    KeepJournal,
    NamePositive,
    NameSavedModel,
    NameViews,
    Note,
    PassPool,
    ReadAs,
    ReadLetters,
    Remedy,
    SaveModel,
    SetArgument,
    StartOver,
    UseGaussianProcess,
)

OPTIONS = {"params": "--param", "X_unlabeled": "--unlabeled", "random_state": "--seed"}  # others: --the-same-name
Words = Callable[[Any, Collection[str] | None], str | None]


def worded(sentence: FoldlessError | str, options: Collection[str] | None = None) -> str:
    """An error or a note with remedies that name options; ``options`` are by default those of the command that runs."""
    if isinstance(sentence, FoldlessError | Note):
        return sentence.worded(lambda remedy: words_of(remedy, options))
    return sentence


def words_of(remedy: Remedy, options: Collection[str] | None = None) -> str | None:
    """A remedy by the options that a command has, or None where it has none for it; outside of a command it has any."""
    if options is None and (context := click.get_current_context(silent=True)) is not None:
        options = {option for param in context.command.params for option in param.opts}
    return WORDS[type(remedy)](remedy, options)


def option_of(argument: str) -> str:
    """The option that stands for an argument of a Python function."""
    return OPTIONS.get(argument, f"--{argument.replace('_', '-')}")


def _needing(option: str, words: Callable[[Any], str]) -> Words:
    """A remedy that a command has only with this option."""
    return lambda remedy, options: words(remedy) if options is None or option in options else None


def _set_argument(remedy: SetArgument, options: Collection[str] | None) -> str | None:
    name = option_of(remedy.name)
    if options is not None and name not in options:  # streams have classes only, and no --task
        return None
    value = "" if remedy.value is None or remedy.value is True else f" {shlex.quote(str(remedy.value))}"
    option = f"{name}{value}"
    return f"{remedy.to} with {option}" if remedy.to else f"pass {option}"


def _read_as(remedy: ReadAs) -> str:
    return f"{remedy.to} with " + " ".join(f"{option_of(name)} {shlex.quote(value)}" for name, value in remedy.settings)


def _drop(remedy: DropColumns) -> str:
    return f"{remedy.when}leave {remedy.them} out with {_repeated('--drop', remedy.columns)}"


def _keep(remedy: KeepColumns) -> str:
    them = "them" if len(remedy.columns) > 1 else "it"
    return f"read {them} all the same with {_repeated('--keep', remedy.columns)}"


def _repeated(option: str, columns: Sequence[str]) -> str:
    named = columns if len(columns) <= MAX_NAMED_COLUMNS else ()
    return " ".join(f"{option} {shlex.quote(name)}" for name in named) or option


def _positive(remedy: NamePositive) -> str:
    named = [f"--positive {shlex.quote(str(label))}" for label in remedy.classes]
    return f"name it with {' or '.join(named)}" if len(named) == 2 else "name the class with --positive"


def _impute(remedy: Impute, options: Collection[str] | None) -> str:
    here = options is None or "--missing" in options
    first = f"{remedy.first} and " if remedy.first else ""
    return f"{first}{'pass' if here else 'train the model with'} --missing impute"


WORDS: Mapping[type[Remedy], Words] = {
    SetArgument: _set_argument,
    ReadAs: _needing("--delimiter", _read_as),
    DropColumns: _needing("--drop", _drop),
    KeepColumns: _needing("--keep", _keep),
    Impute: _impute,
    NamePositive: _needing("--positive", _positive),
    PassPool: lambda *_: "pass --unlabeled, or leave some labels empty",
    DecideMinusOne: lambda *_: (
        "pass --minus-one-is-class if −1 is a class, or pass the pool as --unlabeled or leave labels empty (then −1 is "
        "one too)"
    ),
    NameViews: lambda *_: "name the columns of each view, such as --view 'page_*' --view links,anchors",
    UseGaussianProcess: lambda *_: "use --model manifold-gp, or --model gp-co-training, alone",
    ReadLetters: _needing("--categorical", lambda _: "read the column as categories with --categorical, or --drop it"),
    KeepJournal: lambda *_: "with --journal FILE a next run could continue",
    SaveModel: lambda *_: "save the model again with foldless select --save",
    NameSavedModel: lambda *_: "name a file that foldless select --save wrote",
    StartOver: lambda remedy, _: f"delete {remedy.checkpoint} to start over, or name another --checkpoint",
}
