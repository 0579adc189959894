"""One trial of choosing with few labels: every criterion on the same draw, and what the pool's labels say of all."""

import time
import warnings
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.metrics import f1_score

from benchmarks.papers.journal import Record
from foldless import compare
from foldless.core import Ask, Candidate, Choice, Criterion, Evaluation, Task, ranks_of
from foldless.criteria import ADA, Bootstrap632, Evidence, LeaveOneOut, RankSum, SimilarData
from foldless.judging._scoring import matthews
from foldless.results.selection import Selection

MEASURES = ("error", "mcc", "f1")
TRUTH = "truth"


def table_2(samples: int, scoring: str = "accuracy") -> dict[str, Criterion]:
    """Table 2 of Quanz and Huan (2012): their criteria, each of which draws so many data sets where it draws any.

    Cross-validation counts errors also where SDS has another score, as in the paper.
    """
    sds = SimilarData(samples, "probabilities", scoring=scoring)
    return {
        "CV": LeaveOneOut(),
        ".632+": Bootstrap632(samples),
        "MML": Evidence(),
        "ADA": ADA(),
        "SDS": sds,
        "SDS+ADA": RankSum(sds, ADA()),
        "SDS-L": SimilarData(samples, "labels", scoring=scoring),
    }


def measures(truth: Any, labels: Any) -> tuple[float, float, float]:
    """Error, Matthews correlation and F1 of class 1; both are 0 where they are not defined. −1 is never right."""
    counted = [1] if max(truth) == 1 else np.setdiff1d(np.union1d(truth, labels), [-1])
    f1 = f1_score(truth, labels, labels=counted, average="macro", zero_division=0)
    return float(np.mean(truth != labels)), matthews(truth, labels, max(truth) + 1), float(f1)


@dataclass(frozen=True)
class Truth(Criterion):
    """Rank by the accuracy on the pool, with the labels that no other criterion sees; ``splits`` are all measures."""

    truth: tuple[int, ...]

    needs: ClassVar[frozenset[str]] = frozenset({"pool"})

    def evaluate(self, task: Task) -> Evaluation:
        answers = yield [Ask(task.full(c), task.unlabeled) for c in task.candidates]
        measured = [measures(np.array(self.truth), labels) for labels in answers]
        return [
            Choice(c, 1 - own[0], (task.full(c),), splits=own) for c, own in zip(task.candidates, measured, strict=True)
        ]


def trial(
    learner: Any, grid: Any, drawn: Any, criteria: Mapping[str, Criterion], seed: int, jobs: int | None
) -> Record:
    """What each criterion chooses (all candidates that tie, the chosen one first), and the measures of all candidates.

    ``drawn`` has the labeled rows ``X`` and ``y``, the ``pool`` and its ``truth``; labels are 0, 1, …
    """
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what did not converge is ranked as it is
        comparison = compare(
            learner, grid, drawn.X, drawn.y, X_unlabeled=drawn.pool, keep_models=0, random_state=seed, n_jobs=jobs,
            criteria={**criteria, TRUTH: Truth(tuple(map(int, drawn.truth)))},
        )  # fmt: skip
    true = {choice.candidate: [round(value, 6) for value in choice.splits] for choice in comparison[TRUTH].ranking}
    asked = sorted([*true, *comparison[TRUTH].failed], key=lambda candidate: candidate.index)
    return {
        "names": [candidate.name for candidate in asked],
        "measures": [true.get(candidate, [np.nan] * len(MEASURES)) for candidate in asked],
        "chosen": {name: tied(comparison[name], true) for name in criteria if name in comparison.selections},
        "fits": comparison.n_fits["run"],
        "seconds": round(time.perf_counter() - start, 1),
    }


def tied(selection: Selection, usable: Collection[Candidate]) -> list[int]:
    """The candidates that have the best score and can be trained on all labels, in the order of the ranking."""
    ranking = [choice for choice in selection.ranking if choice.candidate in usable]
    ranks = ranks_of(selection.criterion, ranking)
    return [choice.candidate.index for choice in ranking if ranks[choice] == 1]
