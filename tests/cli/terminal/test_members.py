"""The members of an average on the terminal: what each adds, at any width."""

import io
from typing import Any

import pytest
from rich.console import Console

from foldless.cli.terminal import _printing as printing
from foldless.cli.terminal._console import Screen

MEMBERS = [
    {"candidate": "svc(C=100)", "weight": 0.6, "accuracy_without": 0.66, "log_loss_without": 0.82},
    {"candidate": "pool-features(estimator=trees)", "weight": 0.4, "accuracy_without": 0.68, "log_loss_without": 0.8},
]
CHOICE = {"models": 2, "members": MEMBERS, "average": {"accuracy": 0.67, "log_loss": 0.8, "rows": 300}}


def shown(choice: dict[str, Any], width: int) -> str:
    screen = Screen()
    screen.console = Console(file=io.StringIO(), width=width, no_color=True)
    printing._members(screen, choice)
    return screen.console.file.getvalue()


@pytest.mark.parametrize("width", [50, 80, 200])
def test_changes_without_each_member_have_signs(width: int) -> None:
    text = shown(CHOICE, width)
    for cell in ("svc(C=100)", "0.60", "−0.010", "+0.020", "pool-features(estimator=trees)", "+0.010", "0.000"):
        assert cell in text
    assert "Changes if a member is left out, on the 300 held-out labels" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= max(width, 100)


def test_an_average_without_held_out_labels_names_its_members() -> None:
    bare = {"models": 2, "members": [{"candidate": "a", "weight": 0.6}, {"candidate": "b", "weight": 0.4}]}
    assert shown(bare, 80) == ""
    assert printing._model(bare) == "an average of 2 models: a 0.60, b 0.40"
    assert printing._model(CHOICE) == "an average of 2 models"
