"""The model that there is time to train on every label: the best one, an average of fewer members, or a lesser one.

What a candidate takes is known from the fits that chose it. A model that was kept takes nothing.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from foldless.core import Choice, Fit
from foldless.engine._run import Engine
from foldless.errors import Overtime

MORE = 1.5  # times what a fit took: on every label, and with nothing to start from
LESSER = "{stopped} before {better} could be trained on every label, so the model is the next one that could"


class TrainingInTime:
    """What of a ranking can be trained before its time is up; ``notes`` say what is left out."""

    def __init__(self, engine: Engine):
        self._engine, self._stop = engine, engine.stop
        self.notes: list[str] = []

    def seconds(self, choice: Choice) -> float:
        return sum(map(self._seconds, dict.fromkeys(choice.fits)))

    def leaves(self, fit: Fit) -> bool:
        """Whether the model of a fit is there, or can be trained in time."""
        return not (seconds := self._seconds(fit)) or self._stop.leaves(seconds)

    def reachable(self, ranking: Sequence[Choice]) -> list[Choice]:
        """A ranking from the first choice on that there is time for, with the members that there is time for."""
        for at, choice in enumerate(ranking):
            if any(map(self.leaves, choice.fits)):
                if at:
                    better = ranking[0].candidate.name
                    self.notes.append(LESSER.format(stopped=self._stop.reason, better=better))
                return [self._with_members(choice), *ranking[at + 1 :]]
        return list(ranking)

    def _seconds(self, fit: Fit) -> float:
        known = fit in self._engine.trained or self._engine.has_model(fit)
        return 0.0 if known else MORE * self._engine.alone.get(fit.candidate, 0.0)

    def _with_members(self, choice: Choice) -> Choice:
        """The choice with as many members of an average, the heaviest first, as there is time to train."""
        votes = dict(zip(choice.fits, choice.vote.weights, strict=False))
        if len(votes) < 2 or any(fit.labels is not None for fit in votes):
            return choice
        trained = set[Fit]()
        with suppress(Overtime), self._stop.to_the_end():
            for fit in sorted(votes, key=lambda fit: -votes[fit]):
                if self.leaves(fit):
                    self._engine.model(fit)
                    trained.add(fit)
        if len(trained) in (0, len(votes)):
            return choice
        self.notes.append(f"{self._stop.reason}: the average has {len(trained)} of its {len(votes)} members")
        kept = [at for at, fit in enumerate(choice.fits) if fit in trained]
        weights = [choice.vote.weights[at] for at in kept]
        temperatures = tuple(choice.vote.temperatures[at] for at in kept) if choice.vote.temperatures else ()
        vote = replace(choice.vote, weights=tuple(w / sum(weights) for w in weights), temperatures=temperatures)
        return replace(choice, fits=tuple(choice.fits[at] for at in kept), vote=vote)
