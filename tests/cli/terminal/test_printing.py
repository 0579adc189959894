"""What must be known before a number is believed stands beside it."""

import numpy as np
from sklearn.dummy import DummyClassifier

from foldless import evaluate
from foldless.cli.terminal import _printing as printing
from foldless.cli.terminal._console import whole
from foldless.cli.terminal._layout import fitted, lines
from foldless.cli.terminal._printable import note


def test_notes_on_an_evaluation_follow_its_accuracy(capsys):
    X, y = np.arange(40.0)[:, None], np.array(["a", "b"] * 20)
    evaluation = evaluate(DummyClassifier().fit(X, y), X, y, X_train=X)
    printing.evaluated(evaluation, evaluation.to_dict())
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Accuracy on new rows about 0.500")
    assert lines[1].startswith("Note: 40 of 40 test rows are rows of the training data")
    assert lines.index("It holds if") < [line.startswith("Macro F1") for line in lines].index(True)


def test_an_interval_is_not_broken_into_two_lines():
    columns = {"class": ["a class with a long name"], "interval": [whole("0.656 to 0.871")], "why": ["some words " * 3]}
    layout = fitted(columns, 50)
    assert any("0.656 to 0.871" in line.text.replace("\u00a0", " ") for line in lines(layout, 50))


def test_one_mistake_is_one_row(capsys):
    X, y = np.arange(30.0)[:, None], np.array(["a"] * 29 + ["b"])
    evaluation = evaluate(DummyClassifier().fit(X, y), X, y)
    printing.evaluated(evaluation, evaluation.to_dict())
    assert "1 row of class b is labeled a" in capsys.readouterr().out


def test_notes_on_standard_error_end_between_words_on_a_terminal(monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    note("a sentence that is too long for one line")
    assert capsys.readouterr().err == "Note: a sentence that is too\nlong for one line\n"
