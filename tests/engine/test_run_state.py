"""Answers beyond the budget are in files, and the same."""

import numpy as np
import pytest

from foldless.core import Ask, Candidate, Fit, Rows
from foldless.engine import _run_state as run_state
from foldless.engine._run_state import Answers


def asks(n: int) -> list[Ask]:
    rows = Rows(np.arange(5))
    return [Ask(Fit(Candidate(at, str(at), {"C": at}, ("labels",)), rows), rows) for at in range(n)]


def test_all_answers_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_state, "LEAST", 100)
    monkeypatch.setattr(run_state, "FILE", 4096)
    rng, answers = np.random.default_rng(0), Answers(budget=2000)
    kinds = (np.int8, np.float64, np.int32)
    given = {ask: rng.integers(0, 9, (1 + 40 * at, 3)).astype(kinds[at % 3]) for at, ask in enumerate(asks(30))}
    answers.update(given)
    assert len(answers) == 30
    for ask, answer in given.items():
        np.testing.assert_array_equal(answers[ask], answer)
        assert answers[ask].dtype == answer.dtype
    in_files = [not answer.flags.owndata and not answer.flags.writeable for answer in answers.values()]
    assert in_files[0] is False
    assert all(in_files[10:])


def test_without_room_on_the_disk_answers_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(run_state.tempfile, "TemporaryFile", full)
    answers, (ask,), answer = Answers(budget=0), asks(1), np.zeros(10**5)
    answers[ask] = answer
    assert answers[ask] is answer
