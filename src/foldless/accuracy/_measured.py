"""Any metric of a model on labeled rows, with an interval.

Metrics of the table of true and predicted classes have the interval of ``_confusion_interval.py``, which holds where
classes are rare. All others, such as AUC and log loss, have that of a jackknife over rows or groups; of a metric
between 0 and 1 it is made on the scale log(θ / (1 − θ)), where it stays inside.

Out-of-fold rows are judged by fits that share training rows, so that the variance is taken INFLATED times as large, as
it is for accuracy.
"""

import warnings
from dataclasses import dataclass

import numpy as np

from foldless.accuracy._confusion_interval import (
    FEWEST,
    MEASURES,
    Measure,
    confusion_interval,
    of_class,
    of_costs,
    rare_classes,
    with_interval,
)
from foldless.accuracy._held_out_accuracy import INFLATED, Interval
from foldless.accuracy._jackknife import jackknife
from foldless.core import Array, Response
from foldless.core._plain import plain_value
from foldless.errors import CannotAnswer
from foldless.judging._judge import Scoring, label_of
from foldless.judging._scoring import ClassJudge
from foldless.judging.costs import Costs
from foldless.judging.metric import OF_ONE_CLASS, Metric, why_not

UNIT = ("accuracy", "average_precision", "f1", "jaccard", "precision", "recall", "roc_auc", "top_k")
FEW = "there is no interval of {what}: it needs {least} rows of each class, and class {who} has {n}"
LEAST = 1e-3  # nearer to 0 and 1 a jackknife sees nothing


@dataclass(frozen=True, eq=False)
class ModelAnswers:
    """What a model says of labeled rows.

    ``labels`` are class codes, −1 for none; ``shares`` (n, K) its probabilities or scores, whose kind is ``response``;
    None where it has neither.
    """

    classes: Array
    truth: Array
    labels: Array
    shares: Array | None = None
    response: Response = "probabilities"

    def score(self, judge: ClassJudge, rows: Array | slice = slice(None)) -> float:
        """A metric of some rows."""
        wanted = judge.wanted
        if wanted[0] == "labels" or ("labels" in wanted and (self.shares is None or self.response not in wanted)):
            return judge.score("labels", self.truth[rows], self.labels[rows])
        if self.shares is None or self.response not in wanted:
            raise CannotAnswer(
                f"scoring {label_of(judge.scoring)} needs {' or '.join(wanted)}, which the model does not give: "
                f"choose a metric of labels such as 'f1_macro', or another model"
            )
        return judge.score(self.response, self.truth[rows], self.shares[rows])


def measured(
    scoring: Scoring,
    answers: ModelAnswers,
    units: Array,
    confidence: float,
    rng: np.random.Generator,
    *,
    out_of_fold: bool = False,
) -> tuple[Interval, list[str]]:
    """The metric with its interval, and notes on why there is none."""
    if (why := why_not(scoring, answers.classes)) is not None:
        raise why
    judge, n_classes = ClassJudge(scoring, answers.classes), len(answers.classes)
    value, inflated = answers.score(judge), INFLATED if out_of_fold else 1.0

    def of_cells(measure: Measure, predicted: Array) -> tuple[float, float]:
        return confusion_interval(
            measure, answers.truth, predicted, n_classes, confidence, rng, units, inflated=1.1 * inflated
        )

    if isinstance(scoring, Costs):
        decided = answers.labels  # by the model, where it has no probabilities to decide on
        if answers.shares is not None and answers.response == "probabilities":
            decided = scoring.decide(answers.shares, answers.classes)
        return with_interval(-value, of_cells(of_costs(scoring.with_none(answers.classes)), decided)), []
    if (of_table := _of_table(scoring, answers.classes)) is not None:
        counts = np.bincount(answers.truth, minlength=n_classes)
        if rare := rare_classes(scoring if isinstance(scoring, str) else "", counts):
            label = plain_value(answers.classes[rare[0]])
            who = FEW.format(what=label_of(scoring), least=FEWEST, who=repr(label), n=int(counts[rare[0]]))
            return with_interval(value, None), [who]
        return with_interval(value, of_cells(of_table, answers.labels)), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a class without rows
        try:
            plain = jackknife(lambda rows: answers.score(judge, rows), units, confidence, rng)
        except CannotAnswer as error:  # without some rows the metric is not defined
            return Interval(value, np.nan, np.nan), [f"there is no interval of {label_of(scoring)}: {error.problem}"]
    return _on_its_scale(scoring, plain, np.sqrt(inflated)), []


def _of_table(scoring: Scoring, classes: Array) -> Measure | None:
    """A metric of the table of true and predicted classes as a function of it; None for others."""
    if isinstance(scoring, str) and scoring in MEASURES:
        return MEASURES[scoring]
    name, positive = (scoring.name, scoring.positive) if isinstance(scoring, Metric) else (scoring, 1)
    if name in OF_ONE_CLASS[:4]:
        return of_class(str(name), [plain_value(label) for label in classes].index(plain_value(positive)))
    return None


def _on_its_scale(scoring: Scoring, plain: Interval, wider: float) -> Interval:
    """An interval that many times as wide, inside of 0 to 1 for metrics that are."""
    below, above = wider * (plain.value - plain.lower), wider * (plain.upper - plain.value)
    name = scoring.name if isinstance(scoring, Metric) else scoring
    if not isinstance(name, str) or not name.startswith(UNIT):
        return Interval(plain.value, plain.value - below, plain.value + above)
    inside = float(np.clip(plain.value, LEAST, 1 - LEAST))
    slope, logit = 1 / (inside * (1 - inside)), np.log(inside / (1 - inside))
    lower, upper = (1 / (1 + np.exp(-(logit + slope * step))) for step in (-below, above))
    return Interval(plain.value, min(plain.value, float(lower)), max(plain.value, float(upper)))
