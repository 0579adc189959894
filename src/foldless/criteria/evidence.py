"""Maximum marginal likelihood: choose the candidate under whose prior the labels are most likely, argmax log p(y | m).

The probability of all labels together, with the latent function integrated out, penalizes flexibility: a model that
could explain any labels gives a low probability to the observed ones. The learner computes it, without folds or refits.
It compares only models of the same labels, and with few labels it is uncertain.

References
----------
MacKay (1992). Bayesian interpolation. Neural Computation 4.
Rasmussen & Williams (2006). Gaussian processes for machine learning. Chapter 5, equation 3.32 (Laplace).
"""

from dataclasses import dataclass
from typing import ClassVar

from foldless.core import Ask, Choice, Classes, Criterion, Evaluation, Rows, Task, Traits
from foldless.criteria import register
from foldless.errors import CannotAnswer, UseGaussianProcess


@register("evidence", place=13)
@dataclass(frozen=True)
class Evidence(Criterion):
    """Rank by the log marginal likelihood, of learners that have one, such as Gaussian processes."""

    traits: ClassVar[Traits] = Traits(regression=True)
    assumes: ClassVar[tuple[str, ...]] = (
        "labeled rows are independent given the latent function, and the prior of each candidate is plausible",
        "the learner approximates the integral well: for classifiers it is not exact",
        "candidates are models of the same labels: the evidence of different families may differ by constants",
    )

    def evaluate(self, task: Task) -> Evaluation:
        able = [c for c in task.candidates if "evidence" in c.responses]
        if not able:
            c = task.candidates[0]
            raise CannotAnswer(
                f"{self.name} needs learners with a log_marginal_likelihood, which candidate {c.name!r} does not have",
                value=c,
                remedy=(
                    UseGaussianProcess() if isinstance(task.target, Classes) else "use GaussianProcessRegressor",
                    "choose another criterion",
                ),
            )
        no_rows = Rows(range(0))
        answers = yield [Ask(task.full(c), no_rows, "evidence") for c in able]
        judged = [Choice(c, float(value[0]), (task.full(c),)) for c, value in zip(able, answers, strict=True)]
        others = [c for c in task.candidates if c not in able]
        notes = ("not judged: it has no log_marginal_likelihood",)
        return judged + [Choice(c, float("nan"), (task.full(c),), notes=notes) for c in others]
