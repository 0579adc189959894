"""What a run has and knows so far: the data, the answers, what failed, and what each fit took."""

from collections.abc import Sequence
from dataclasses import dataclass

from foldless.core import Ask, Fit
from foldless.data._sample import Sample
from foldless.engine._candidates import Recipe
from foldless.engine._journal import Journal
from foldless.engine._keys import Keys
from foldless.engine._progress import Observer
from foldless.engine._spilled_answers import Answers
from foldless.engine._stopping import Stop


@dataclass
class Seconds:
    """What a fit took to train and to answer."""

    fit: float
    answer: float


class RunState:
    """Everything that answering a question reads or changes."""

    def __init__(
        self,
        data: Sample,
        recipes: Sequence[Recipe],
        n_jobs: int | None,
        journal: Journal | None,
        stop: Stop,
        observer: Observer,
    ):
        self.data, self.recipes, self.n_jobs = data, recipes, n_jobs
        self.journal, self.keys = journal, Keys(data, recipes)
        self.stop, self.observer = stop, observer
        self.answers = Answers()
        self.errors: dict[Fit | Ask, Exception] = {}
        self.seconds: dict[Fit, Seconds] = {}
        self.resumed: set[Fit] = set()
        self.stopped: str | None = None

    def error(self, ask: Ask) -> Exception | None:
        """Why a question has no answer: its fit failed, or cannot answer this one; None where it was not reached."""
        return self.errors.get(ask.fit, self.errors.get(ask))
