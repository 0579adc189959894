"""Errors carry remedies, and each front end words them: Python names arguments, the command line names options."""

import ast
import pickle
import re
from dataclasses import fields
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from helpers.command import run
from helpers.sources import parsed

import foldless
from foldless.cli._program import main
from foldless.cli._remedies import WORDS, option_of, worded, words_of
from foldless.data._columns import recognize
from foldless.errors import (
    BadInput,
    CannotAnswer,
    DropColumns,
    FoldlessError,
    Impute,
    KeepJournal,
    Note,
    PassPool,
    Remedy,
    SetArgument,
    summary,
)

SOURCES = sorted(Path(foldless.__file__).parent.rglob("*.py"))
OUTSIDE = [path for path in SOURCES if "cli" not in path.relative_to(Path(foldless.__file__).parent).parts]
OPTION = re.compile(r"""(?<![\w-])--[a-z][a-z-]+""")
KINDS = Remedy.__subclasses__()


def strings(path):
    """The strings of a file, docstrings and parts of f-strings too."""
    return [
        node.value for node in ast.walk(parsed(path)) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]


def made(kind):
    """A remedy of a kind, with plain values in its fields."""
    given = {
        "columns": ("a b", "c"),
        "name": "missing",
        "value": "impute",
        "to": "impute values",
        "settings": (("decimal", ","),),
        "metric": "f1",
        "classes": ("no", "yes"),
    }
    return kind(**{field.name: given[field.name] for field in fields(kind) if field.name in given})


def options(command=main):
    """All options of all commands."""
    own = {option for param in command.params for option in param.opts}
    return own.union(*(options(inner) for inner in getattr(command, "commands", {}).values()))


def test_no_option_of_the_command_line_occurs_outside_of_it():
    found = {path.name: [text for text in strings(path) if OPTION.search(text)] for path in OUTSIDE}
    assert len(found) > 100
    assert not {name: texts for name, texts in found.items() if texts}


def test_the_search_for_options_would_find_one():
    assert OPTION.search("leave it out with --drop x")
    assert OPTION.search("'--missing impute'")
    assert not OPTION.search("a -- b")
    assert not OPTION.search("x--y")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_kind_of_remedy_is_worded_by_both_front_ends(kind):
    remedy = made(kind)
    python, typed = str(remedy), words_of(remedy)
    assert not OPTION.search(python)
    assert typed
    assert not re.search(r"\w=", typed)
    assert pickle.loads(pickle.dumps(remedy)) == remedy
    assert set(OPTION.findall(typed)) <= options()


def test_every_argument_that_a_remedy_names_has_an_option():
    calls = [
        node
        for path in SOURCES
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "SetArgument"
    ]
    names = {call.args[0].value for call in calls if isinstance(call.args[0], ast.Constant)}
    assert len(names) >= 3
    assert {option_of(name) for name in names} <= options()


def test_the_table_has_no_kind_that_is_gone():
    assert set(WORDS) == set(KINDS)


def test_an_error_joins_its_problem_and_its_remedies():
    error = BadInput("it is empty", value="x", place="train.csv", remedy=("fill it", DropColumns(("a b",))))
    assert str(error) == "it is empty: fill it, or leave it out with drop=['a b']"
    assert worded(error) == "it is empty: fill it, or leave it out with --drop 'a b'"
    assert (error.problem, error.value, error.place) == ("it is empty", "x", "train.csv")
    assert str(BadInput("plain words")) == worded(BadInput("plain words")) == "plain words"


def test_a_command_without_an_option_offers_another_way():
    error = BadInput("it is empty", remedy=("fill it", Impute(), DropColumns(("a",))))
    assert worded(error, {"--output"}) == "it is empty: fill it, or train the model with --missing impute"
    assert worded(BadInput("it is empty", remedy=DropColumns(("a",))), {"--output"}) == "it is empty"


@pytest.mark.parametrize("kind", [FoldlessError, BadInput, CannotAnswer, *FoldlessError.__subclasses__()])
def test_errors_travel_between_processes_with_their_remedies(kind):
    error = pickle.loads(pickle.dumps(kind("no pool", value=3, remedy=PassPool())))
    assert type(error) is kind
    assert error.remedies == (PassPool(),)
    assert error.value == 3
    assert str(error) == "no pool: pass X_unlabeled=, or mark them −1 in y"


def test_notes_are_strings_that_keep_their_remedies():
    note = Note("column 'a' differs in each row", remedy=DropColumns(("a",), "if it only identifies the row, "))
    assert note == "column 'a' differs in each row: if it only identifies the row, leave it out with drop=['a']"
    assert worded(note).endswith("if it only identifies the row, leave it out with --drop a")
    assert pickle.loads(pickle.dumps(note)).remedies == note.remedies
    assert Note.of(BadInput("no", remedy=KeepJournal())).remedies == (KeepJournal(),)
    assert worded("plain") == "plain"


def test_many_columns_are_not_all_named():
    many = DropColumns(tuple("abcdefgh"))
    assert str(many) == "leave them out with drop="
    assert words_of(many) == "leave them out with --drop"


def test_arguments_become_options():
    assert str(SetArgument("on_error", "skip", to="leave it out")) == "leave it out with on_error='skip'"
    assert words_of(SetArgument("on_error", "skip", to="leave it out")) == "leave it out with --on-error skip"
    assert str(SetArgument("journal")) == "pass journal="
    assert words_of(SetArgument("journal")) == "pass --journal"


def test_what_other_libraries_raise_begins_with_its_type():
    assert summary(ValueError("one\ntwo")) == "ValueError: one two"
    assert summary(BadInput("no pool", remedy=PassPool()), words_of).endswith(
        "pass --unlabeled, or leave some labels empty"
    )


def test_a_column_named_like_a_parameter_keeps_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"x": np.arange(12.0), "model__year": [None] * 12, "topic": ["a", "b"] * 6})
    frame.to_csv("train.csv", index=False)
    args = ("select", "train.csv", "--label", "topic", "--criterion", "k-fold:2", "--grid", "C=1")
    refused = run(*args, status=2).stderr
    assert "column 'model__year' of train.csv has no values: leave it out with --drop model__year" in refused
    run(*args, "--drop", "model__year")


def test_the_remedy_of_an_empty_column_holds_for_shells_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput) as caught:
        recognize(pd.DataFrame({"it's": [None, None]}), "train.csv")
    assert caught.value.remedies == (DropColumns(("it's",)),)
    assert worded(caught.value).endswith("""--drop 'it'"'"'s'""")


def test_texts_of_single_letters_name_options(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.DataFrame({"t": list("abcd") * 5, "y": ["x", "z"] * 10}).to_csv("t.csv", index=False)
    refused = run(
        "select", "t.csv", "--label", "y", "--text", "t", "--model", "linear-svc", "--no-check", status=2
    ).stderr
    assert "the texts have no word of two letters or more, and all 8 candidates failed to fit" in refused
    assert "read the column as categories with --categorical, or --drop it" in refused
