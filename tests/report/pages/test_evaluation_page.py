"""The page of an evaluation and the picture of the confusion; classes of users stay text."""

import numpy as np
import pytest
from helpers.reading import Page
from sklearn.dummy import DummyClassifier

from foldless import evaluate
from foldless.report.displays.confusion_display import ConfusionDisplay
from foldless.report.pages._evaluation_page import evaluation_page


@pytest.fixture(scope="module")
def found():
    y = np.array(["<b>cat</b>", "$dog$"] * 20)
    return evaluate(DummyClassifier().fit(np.zeros((40, 1)), y), np.zeros((40, 1)), y, random_state=0)


def test_the_page_has_the_numbers_and_the_doubt(found):
    page = Page(evaluation_page(found, made_by="foldless evaluate m.skops a.csv", about=["a.csv"]))
    assert "Accuracy 0.500" in page.text
    assert "20 of 40 rows have the right label" in page.text
    assert "<b>cat</b>" in page.text
    assert "no better than always predicting" in page.text
    assert "The intervals hold if" in page.text
    assert "<b>cat</b>" not in found._repr_html_()
    assert "Accuracy 0.500" in found._repr_html_()


def test_the_picture_has_the_counts(found):
    display = ConfusionDisplay.from_evaluation(found)
    assert [text.get_text() for text in display.ax_.texts] == ["20", "·", "20", "·"]
    assert [label.get_text() for label in display.ax_.get_yticklabels()] == list(found.classes)


def test_many_classes_are_merged():
    counts = np.diag(np.arange(1, 31))
    display = ConfusionDisplay(range(30), counts)
    assert display.shown_.shape == (20, 20)
    assert display.shown_.sum() == counts.sum()
    assert display.shown_[-1, -1] == np.arange(1, 12).sum()
    assert "11 smaller classes are merged into one row and one column" in display.describe()
