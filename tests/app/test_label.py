"""foldless.label: rows in memory, a page that is asked by HTTP, and the labels that come back."""

import json
import subprocess
import sys
import threading
import urllib.request
from http.cookiejar import CookieJar
from importlib import import_module

import numpy as np
import pandas as pd
import pytest

import foldless
from foldless.errors import BadInput

TEXTS = [f"text number {n} about {'money' if n % 2 else 'sport'}" for n in range(40)]


class Labeler:
    """Somebody who opens the page by its address, gives some labels, and says that it is done."""

    def __init__(self, do):
        self._do, self._errors = do, []

    def __call__(self, address):
        threading.Thread(target=self._work, args=(address,), daemon=True).start()

    def _work(self, address):
        self._open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar())).open
        self._root = address.partition("?")[0]
        try:
            self._open(address, timeout=30).read()
            self._do(self)
        finally:
            self.send("end")

    def send(self, what, **values):
        request = urllib.request.Request(
            f"{self._root}do/{what}", json.dumps(values).encode(), {"Content-Type": "application/json"}
        )
        return json.loads(self._open(request, timeout=30).read())

    def sections(self, *names):
        for _ in range(600):
            sections = json.loads(self._open(f"{self._root}state?since=0", timeout=30).read())["sections"]
            if all(sections.get(name) for name in names):
                return sections
            threading.Event().wait(0.1)
        raise AssertionError(f"no {names}")


def give_three(labeler):
    sections = labeler.sections("problem", "batch")
    assert sections["problem"]["can_end"]
    rows = [entry["row"] for entry in sections["batch"][:3]]
    labeler.send("label", row=rows[0], code=0)
    labeler.send("label", row=rows[1], code=1)
    labeler.send("new", row=rows[2], name="other")


@pytest.mark.slow
def test_texts_without_a_label_are_labeled_and_the_folder_is_gone_on_with(tmp_path):
    seen = {}

    def look(labeler):
        seen.update(labeler.sections("problem", "labels"))

    folder = tmp_path / "labels"
    labels = foldless.label(TEXTS, classes=["a", "b"], folder=folder, shown=Labeler(give_three), browse=None)
    assert list(labels) == ["row", "label", "who", "when", "probability", "hints"]
    assert sorted(labels["label"]) == ["a", "b", "other"]
    assert labels["probability"].isna().all()  # at random, like the pool
    again = foldless.label(TEXTS, classes=["a", "b"], folder=folder, shown=Labeler(look), browse=None)
    pd.testing.assert_frame_equal(again, labels)
    assert seen["problem"]["classes"] == ["a", "b", "other"]
    assert seen["labels"]["counts"] == [1, 1, 1]
    with pytest.raises(BadInput, match="labels of other rows"):
        foldless.label(TEXTS[1:], folder=folder, browse=None)


def test_rows_are_positions_where_some_have_labels(tmp_path):
    frame = pd.DataFrame({"x": np.arange(40.0) % 7, "color": ["red", "blue"] * 20}, index=np.arange(40) + 5)
    y = ["yes" if n < 5 else "no" if n < 10 else None for n in range(40)]
    labels = foldless.label(frame, y, folder=tmp_path / "labels", shown=Labeler(give_three), browse=None)
    assert labels["row"].between(10, 39).all()
    assert labels["row"].is_unique
    assert sorted(labels["label"]) == ["no", "other", "yes"]


@pytest.mark.slow
def test_a_script_without_a_guard_and_ctrl_c(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import _thread, threading, foldless\n"
        "print('once')\n"
        f"labels = foldless.label({TEXTS!r}, classes=['a', 'b'], browse=None, "
        "shown=lambda address: threading.Timer(1, _thread.interrupt_main).start())\n"
        "print(len(labels))\n"
    )
    done = subprocess.run([sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["once", "0"], done.stderr


def test_what_is_wrong_is_said_before_a_page_is_opened(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for wrong, match in [
        ({"X_pool": np.zeros((3, 2)), "columns": ["a"]}, "1 names for 2 columns"),
        ({"X_pool": [1, 2]}, "two dimensions, or be a list of texts"),
        ({"X_pool": TEXTS, "y": ["a"]}, "y has 1 entries for 40 rows"),
        ({"X_pool": TEXTS, "y": ["a"] * 40}, "nothing is left to label"),
        ({"X_pool": TEXTS, "classes": "ab"}, "list of strings"),
        ({"X_pool": TEXTS, "y": [1] * 5 + [None] * 35, "classes": ["a"]}, "pass y as strings"),
        ({"X_pool": pd.DataFrame({"label": [1.0, 2.0]})}, "pass another label_name"),
        ({"X_pool": pd.DataFrame({"a": [1, "b"]})}, "cannot be written as a table"),
    ]:
        with pytest.raises(BadInput, match=match):
            foldless.label(**wrong, browse=None)
    monkeypatch.setattr(import_module("foldless.app.label"), "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"pip install 'foldless\[app\]'"):
        foldless.label(TEXTS)


def test_rows_have_several_classes(tmp_path):
    def give(labeler):
        sections = labeler.sections("problem", "batch")
        assert sections["problem"]["several"]
        rows = [entry["row"] for entry in sections["batch"][:2]]
        labeler.send("label", row=rows[0], code=[1, 0])
        labeler.send("label", row=rows[1], code=[0], names=["other"])

    y = [["a"], {"b", "a"}, [], *[None] * 37]
    options = {"y": y, "several": True, "folder": tmp_path / "labels", "browse": None}
    labels = foldless.label(TEXTS, classes=["a", "b"], shown=Labeler(give), **options)
    assert sorted(labels["label"]) == [("a", "b"), ("a", "other")]
    again = foldless.label(TEXTS, classes=["a", "b"], shown=Labeler(lambda _: None), **options)
    assert again["label"].tolist() == labels["label"].tolist()
    with pytest.raises(BadInput, match="pass lists of labels"):
        foldless.label(TEXTS, ["a"] * 40, several=True, folder=tmp_path / "other", browse=None)
    with pytest.raises(BadInput, match="several=True"):
        foldless.label(TEXTS, [["a"]] * 40, folder=tmp_path / "other", browse=None)
