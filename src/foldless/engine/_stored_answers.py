"""Answers about a pool that stays in its files, from the journal or by a pass with the models of all who ask.

Models are trained and kept as those of possible winners are. Where they take more room than ``keep_models``, questions
are answered in several passes, and a model that was not kept is trained once more.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from foldless.core import Array, Ask, Fit, Reduce, Response
from foldless.core.compiled_code import working_time
from foldless.engine._groups import Group
from foldless.engine._journal import Entry, can_answer
from foldless.engine._pool_pass import OfAnother, PoolPass, Sought, run_pass
from foldless.engine._run_state import RunState


class StoredAnswers:
    """The questions of a run about a stored pool.

    ``loan`` gives the model of a fit and its size in bytes; ``room`` is how many bytes of models a pass may hold.
    """

    def __init__(self, state: RunState, loan: Callable[[Fit], tuple[Any, int]], room: float):
        self._state, self._loan, self._room = state, loan, room
        self._rows = state.data.stored_rows
        self._signatures: dict[Fit, bytes] = {}

    def apart(self, asks: Sequence[Ask]) -> tuple[list[Ask], list[Ask]]:
        """Questions about other rows, and open ones about the stored pool."""
        if self._rows is None:
            return list(asks), []
        others = [ask for ask in asks if ask.rows != self._rows]
        about = dict.fromkeys(ask for ask in asks if ask.rows == self._rows)
        known = self._state.answers
        return others, [ask for ask in about if ask not in known and self._state.error(ask) is None]

    def recalled(self, about: Sequence[Ask], groups: Sequence[Group]) -> list[Ask]:
        """What the journal has no answer to; fits that are trained in a batch are known by all of it."""
        if self._rows is None:
            return []
        for group in groups:
            for batch in group.batches:
                self._signatures |= {order.fit: batch.signature for order, _ in batch.work}
        state, left = self._state, []
        if state.journal is None:
            return list(about)
        for ask in about:
            key = self._key(ask)
            entry = state.journal.read([key]).get(key)
            if entry is not None and can_answer(ask, entry.answer, len(state.data.classes)):
                state.answers[ask] = entry.answer
                state.resumed.add(ask.fit)
            else:
                left.append(ask)
        return left

    def answer(self, about: Sequence[Ask]) -> None:
        """Answer questions whose fits are trained, in as few passes over the pool as their models have room.

        A question that compares with a fit that failed stays open: it is asked again without that candidate.
        """
        able = [ask for ask in about if all(fit not in self._state.errors for fit in _fits(ask))]
        for asks, models in self._waves(able):
            self._pass(asks, models)

    def of_model(self, model: Any, response: Response, reduce: Reduce) -> Array:
        """The mean of what a model responds, over all rows of the pool."""
        data = self._state.data
        assert data.stored is not None
        work = PoolPass(data.stored, [model], [Sought((0,), response, reduce)], data.classes)
        answers = run_pass(work, self._state.n_jobs)
        assert answers is not None
        if isinstance(answers[0], Exception):
            raise answers[0]
        return answers[0]

    def _waves(self, asks: Sequence[Ask]) -> Iterator[tuple[list[Ask], dict[Fit, Any]]]:
        """Questions with their models, as many at a time as there is room for."""
        wave: list[Ask] = []
        models: dict[Fit, Any] = {}
        size, room = 0, self._room
        for ask in asks:
            if self._state.stop.reason is not None:
                break
            missing = [fit for fit in _fits(ask) if fit not in models]
            if wave and missing and size > room:
                yield wave, models
                wave, models, size = [], {}, 0
                missing = _fits(ask)
            for fit in missing:
                models[fit], its = self._loan(fit)
                size += its
            wave.append(ask)
        if wave:
            yield wave, models

    def _pass(self, asks: Sequence[Ask], models: Mapping[Fit, Any]) -> None:
        state, at = self._state, {fit: at for at, fit in enumerate(models)}
        assert state.data.stored is not None
        sought = []
        for ask in asks:
            assert ask.reduce is not None
            sought.append(Sought(tuple(at[fit] for fit in _fits(ask)), ask.response, ask.reduce))
        start = working_time()
        work = PoolPass(state.data.stored, list(models.values()), sought, state.data.classes)
        answers = run_pass(work, state.n_jobs, lambda: state.stop.reason is not None, state.observer.read)
        if answers is None:
            state.stopped = state.stop.reason
            return
        each = (working_time() - start) / len(asks)
        entries = []
        for ask, answer in zip(asks, answers, strict=True):
            if isinstance(answer, OfAnother):
                continue
            if isinstance(answer, Exception):
                state.errors[ask] = answer
                continue
            state.answers[ask] = answer
            spent = state.seconds.get(ask.fit)
            if spent is not None:
                spent.answer += each
            if state.journal is not None:
                entries.append((self._key(ask), Entry(answer, 0.0 if spent is None else spent.fit, each)))
        if state.journal is not None and entries:
            state.journal.write(entries)

    def _key(self, ask: Ask) -> bytes:
        beside = tuple(self._signatures.get(fit, b"") for fit in ask.beside)
        return self._state.keys.stored(ask, self._signatures.get(ask.fit, b""), beside)


def _fits(ask: Ask) -> list[Fit]:
    return [ask.fit, *ask.beside]
