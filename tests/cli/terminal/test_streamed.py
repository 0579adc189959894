"""The line of a training: it fits 80 columns, and a longer one is cut instead of wrapped."""

import io
import re

import numpy as np
import pytest
from rich.console import Console

from foldless.cli.terminal import _streamed as streamed
from foldless.cli.terminal._streamed import sentence
from foldless.measures import BY_NAME
from foldless.streams import Progress
from foldless.streams.prequential import ConfusionMatrix


def progress(measure: str, skipped: int = 0) -> Progress:
    recent = ConfusionMatrix(np.array([[499_000, 1000], [1010, 3000]]))
    return Progress(123_456_789, 123_456.0, skipped, recent, measure)


@pytest.mark.parametrize("measure", list(BY_NAME))
def test_the_line_fits_80_columns(measure: str) -> None:
    assert len(sentence(progress(measure))) <= 80


def test_each_score_is_named_once() -> None:
    text = sentence(progress("bakld", skipped=1234))
    assert re.fullmatch(
        r"123,456,789 rows \(123,456/s\), now bakld 0\.\d{4}, KLD \S+, bal\. acc\. 0\.\d{3}, 1,234 skipped", text
    )
    assert sentence(progress("balanced_accuracy")).count("bal. acc.") == 1
    assert sentence(progress("kld")).count("KLD") == 1


def test_a_longer_line_is_cut_and_never_wraps(monkeypatch: pytest.MonkeyPatch) -> None:
    file = io.StringIO()
    narrow = Console(file=file, width=40, force_terminal=True, no_color=True)
    monkeypatch.setattr(streamed, "Console", lambda **_: narrow)
    with streamed.progress_line() as show:
        show(progress("bakld", skipped=1234))
    lines = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", file.getvalue()).replace("\r", "\n").splitlines()
    assert any(line.endswith("…") for line in lines)
    assert max(map(len, lines)) <= 40
    assert not any("skipped" in line for line in lines)
