"""A digest of what a criterion does: the questions it asks and the choices it makes on a few made-up tasks, and the
constants beside its code, some of which matter on other tasks only.

Code that is moved, rewritten or documented does the same as before, and so its records stay valid.
"""

import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import numpy as np

from foldless.core import Array, Ask, Candidate, Choice, Classes, Criterion, Fit, PoolRows, Rows, Task, ranked
from foldless.core.rows import digest
from foldless.errors import CannotAnswer

PRIVATE = ("foldless.criteria.", "foldless.judging._left_out")  # where criteria keep what is their own
TASKS = ((14, 2, 60, 6), (40, 3, 450, 10), (110, 4, 150, 12))  # labels, classes, pool rows, candidates


def digest_of(criterion: Criterion) -> str:
    """Equal for criteria that ask and choose alike, and have the same constants."""
    state = sha256(repr(sorted(_constants(criterion), key=repr)).encode())
    for seed, sizes in enumerate(TASKS):
        for line in _behavior(criterion, _Made(seed, *sizes)):
            state.update(line.encode())
    return state.hexdigest()[:10]


def _constants(criterion: Criterion) -> set[tuple[str, Any]]:
    """Names and values of the numbers in the modules of a criterion, and of the criteria in it."""
    inner = [value for value in vars(criterion).values() if isinstance(value, Criterion)]
    found = set().union(*(_constants(each) for each in inner))
    left, seen = [type(criterion).__module__], set()
    while left:
        seen.add(name := left.pop())
        held = vars(sys.modules[name])
        found |= {(key, value) for key, value in held.items() if key.isupper() and _is_number(value)}
        modules = {str(getattr(value, "__module__", "")) for value in held.values()}
        left += [each for each in modules - seen - {*left} if each.startswith(PRIVATE)]
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) or (isinstance(value, tuple) and all(map(_is_number, value)))


class _Made:
    """A task, and answers of candidates of which each two are nearly alike."""

    def __init__(self, seed: int, n: int, n_classes: int, n_pool: int, n_candidates: int):
        rng = np.random.default_rng(seed)
        self.truth = rng.choice(
            n_classes, n + n_pool, p=np.arange(2, n_classes + 2) / np.arange(2, n_classes + 2).sum()
        )
        self.truth[:n_classes] = np.arange(n_classes)
        responses = frozenset({"labels", "scores"} if seed == 0 else {"labels", "probabilities"})
        candidates = tuple(
            Candidate(at, f"candidate {at}", {"estimator": "ab"[at % 3 == 2], "C": at}, responses)
            for at in range(n_candidates)
        )
        classes, pool = np.arange(n_classes), Rows(range(n, n + n_pool))
        self.task = Task(
            Classes(self.truth[:n], classes), Rows(range(n)), PoolRows(pool), candidates, n_candidates, seed
        )
        self._said: dict[Fit, tuple[Array, Array]] = {}

    def answer(self, ask: Ask) -> Array:
        """What a fit answers; a larger training set and an earlier candidate are better."""
        if ask.response == "evidence":
            return np.array([-float(ask.fit.candidate.index)])
        if ask.fit not in self._said:
            self._said[ask.fit] = self._all_rows(ask.fit)
        labels, probabilities = (values[ask.rows.indices] for values in self._said[ask.fit])
        answer = {"labels": labels, "probabilities": probabilities, "scores": np.log(probabilities)}[ask.response]
        return ask.reduced(answer)

    def _all_rows(self, fit: Fit) -> tuple[Array, Array]:
        k, pair = len(self.task.classes), fit.candidate.index // 2
        rng = np.random.default_rng(np.frombuffer(digest(str(pair), *fit.key[1:3]), dtype=np.uint32))
        wrong = rng.random(len(self.truth)) < 0.1 + 0.05 * pair + 2 / len(fit.rows)
        labels = np.where(wrong, rng.integers(k, size=len(wrong)), self.truth)
        if fit.candidate.index % 2:
            labels = np.where(rng.random(len(wrong)) < 0.01, 0, labels)
        probabilities = rng.dirichlet(np.ones(k), len(wrong)) + 2 * np.eye(k)[labels]
        return labels, probabilities / 3


def _behavior(criterion: Criterion, made: _Made) -> Iterator[str]:
    try:
        evaluation = criterion.evaluate(made.task)
        asks = next(evaluation)
        while True:
            for ask in asks:
                yield f"{ask.fit.key} {ask.rows.digest!r} {ask.response}"
            asks = evaluation.send([made.answer(ask) for ask in asks])
    except CannotAnswer:
        yield "no answer"
    except StopIteration as end:
        for choice in ranked(criterion, end.value):
            yield _written(choice)


def _written(choice: Choice) -> str:
    fits = [fit.key for fit in choice.fits]
    numbers = [choice.score, choice.rank.by, *(choice.vote.weights or ()), *sorted(choice.parts.items())]
    return f"{choice.candidate.index} {fits} {[_short(number) for number in numbers]}"


def _short(value: Any) -> str:
    """Without the last digits, which depend on the machine."""
    if isinstance(value, tuple):
        return f"{value[0]} {_short(value[1])}"
    return "" if value is None else f"{float(value):.6g}"
