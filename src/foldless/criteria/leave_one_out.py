"""Leave-one-out: every labeled row is predicted by the fit on all the others.

One row has no F1 and no AUC, so every metric is computed once, on the out-of-fold predictions of all rows. With few
labels scores take few values (n + 1 for accuracy) and many candidates tie: the first of the grid wins.

References
----------
Lachenbruch & Mickey (1968). Estimation of error rates in discriminant analysis. Technometrics 10.
Quanz & Huan (2012). Section 4, where the rule for ties decides the published row.
"""

from dataclasses import dataclass
from typing import ClassVar

from foldless.core import Ask, Choice, Criterion, Evaluation, Task, Traits
from foldless.criteria import INDEPENDENT, OPTIMISTIC, register
from foldless.judging._judge import Scoring
from foldless.judging._scoring import judge_of


@register("leave_one_out", place=4)
@dataclass(frozen=True)
class LeaveOneOut(Criterion):
    """Rank by the leave-one-out score; with groups, a whole group is left out at a time.

    Parameters
    ----------
    scoring : str or callable
        A scikit-learn scorer, computed on all out-of-fold predictions together.
    """

    scoring: Scoring = "accuracy"

    traits: ClassVar[Traits] = Traits(regression=True)
    assumes: ClassVar[tuple[str, ...]] = (INDEPENDENT, OPTIMISTIC)

    def evaluate(self, task: Task) -> Evaluation:
        folds = task.leave_one_out()
        judge = judge_of(self.scoring, task)
        answers = yield [
            Ask(task.fit(c, train), test, judge.response(c)) for c in task.candidates for train, test in folds
        ]
        truths = [task.codes(test) for _, test in folds]
        return [
            Choice(
                c,
                judge.pooled(judge.response(c), truths, answers[at * len(folds) : (at + 1) * len(folds)]),
                (task.full(c),),
            )
            for at, c in enumerate(task.candidates)
        ]
