"""What must be known before a number is believed stands beside it."""

import numpy as np
from sklearn.dummy import DummyClassifier

from foldless import evaluate
from foldless.cli.terminal import _printing as printing


def test_notes_on_an_evaluation_follow_its_accuracy(capsys):
    X, y = np.arange(40.0)[:, None], np.array(["a", "b"] * 20)
    evaluation = evaluate(DummyClassifier().fit(X, y), X, y, X_train=X)
    printing.evaluated(evaluation, evaluation.to_dict())
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Accuracy on new rows about 0.500")
    assert lines[1].startswith("Note: 40 of 40 test rows are rows of the training data")
    assert lines.index("It holds if") < [line.startswith("Macro F1") for line in lines].index(True)
