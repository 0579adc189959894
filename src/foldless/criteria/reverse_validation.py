"""Reverse validation: the candidate labels the pool, a fresh copy learns from that, and is scored on the true labels.

Where the pool's structure carries the classes, a good candidate hands on what its copy needs to find the labels again.
The copy is trained on as many pool rows as there are labels, so that both fits have the same size.

References
----------
Zhong et al. (2010). Cross validation framework to choose amongst models and datasets for transfer learning. ECML PKDD.
Pfahringer, Reutemann & Mayo. A novel two stage scheme utilizing the test set for model selection. Section 2.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from foldless.core import Array, Ask, Candidate, Choice, Classes, Criterion, Evaluation, Fit, Task, Traits
from foldless.criteria import register
from foldless.judging._judge import Scoring
from foldless.judging._scoring import judge_of


@register("reverse_validation")
@dataclass(frozen=True)
class ReverseValidation(Criterion):
    """Rank by the score, on the labeled rows, of a copy trained on a part of the pool as the candidate labels it.

    Parameters
    ----------
    scoring : str or callable
        A scikit-learn scorer.
    """

    scoring: Scoring = "accuracy"

    needs: ClassVar[frozenset[str]] = frozenset({"pool"})
    traits: ClassVar[Traits] = Traits(regression=True, trains_on_pool=True)
    assumes: ClassVar[tuple[str, ...]] = (
        "labeled and pool rows are drawn from the same population",
        "the structure of the pool carries the classes",
        "the score is optimistic: the candidate has seen the labels by which its copy is scored",
    )

    def evaluate(self, task: Task) -> Evaluation:
        judge = judge_of(self.scoring, task)
        responses = {c: judge.response(c) for c in task.candidates}
        drawn = np.sort(task.rng("reverse validation").permutation(len(task.unlabeled))[: len(task.labeled)])
        pool = task.unlabeled.at(drawn)
        labels = yield [Ask(task.full(c), pool, task.response) for c in task.candidates]
        copies = {c: _copy(task, c, codes, drawn) for c, codes in zip(task.candidates, labels, strict=True)}
        asked = [c for c in task.candidates if copies[c] is not None]
        answers = yield [Ask(fit, task.labeled, responses[c]) for c in asked if (fit := copies[c]) is not None]
        scores = {c: judge.score(responses[c], task.y, a) for c, a in zip(asked, answers, strict=True)}
        return [
            Choice(c, scores.get(c, np.nan), (task.full(c),), notes=_notes(task, codes))
            for c, codes in zip(task.candidates, labels, strict=True)
        ]


def _copy(task: Task, candidate: Candidate, codes: Array, drawn: Array) -> Fit | None:
    """A fit on the drawn pool rows that the candidate has given a class; None where it has given none."""
    named = codes >= 0 if isinstance(task.target, Classes) else np.full(len(codes), True)
    if not named.any():
        return None
    return Fit(candidate, task.unlabeled.at(drawn[named]), codes[named], task.labeled)


def _notes(task: Task, codes: Array) -> tuple[str, ...]:
    missing = np.setdiff1d(np.arange(task.n_classes), codes)
    if not len(missing):
        return ()
    return (f"predicts {task.n_classes - len(missing)} of {task.n_classes} classes on the pool",)
