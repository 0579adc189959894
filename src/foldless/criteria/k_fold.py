"""k-fold cross-validation: each fold is scored with the fit on the other folds.

The estimate is the mean over the folds. For log loss, AUC and other metrics of probabilities it is one value for all
out-of-fold predictions together where a fold lacks a class. Folds are random and not stratified unless a splitter
object is given.

References
----------
Stone, M. (1974). Cross-validatory choice and assessment of statistical predictions. JRSS B 36.
"""

from dataclasses import dataclass, field, replace
from typing import ClassVar

from foldless.core import Criterion, Evaluation, Task, Traits
from foldless.core._resampling import LikeScikitLearn, Splitter, as_splitter
from foldless.core.criterion import IN_PYTHON
from foldless.criteria import INDEPENDENT, OF_PARTS, register
from foldless.judging._split_scores import Scorings, choices, scored


@register("k_fold", place=3)
@dataclass(frozen=True)
class KFold(Criterion):
    """Rank by cross-validated score.

    Parameters
    ----------
    k : int, splitter, or list of splits
        The number of random folds, any scikit-learn splitter, or pairs of row numbers to train and to test on.
    scoring : str, callable, list or dict
        A scikit-learn scorer, or several. A callable that make_scorer has not made is called with the fitted model,
        the rows and their labels, as in GridSearchCV.
    by : str, optional
        Of several metrics the one that ranks; the first by default.
    train_scores : bool
        Whether the scores on the training rows of each fold are computed too.
    """

    k: int | Splitter = 5
    scoring: Scorings = "accuracy"
    by: str | None = field(default=None, metadata=IN_PYTHON)
    train_scores: bool = field(default=False, metadata=IN_PYTHON)

    traits: ClassVar[Traits] = Traits(regression=True, asks_metrics=True)
    assumes: ClassVar[tuple[str, ...]] = (INDEPENDENT, OF_PARTS)

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", as_splitter(self.k))
        if isinstance(self.k, LikeScikitLearn):  # ties are scikit-learn's too: scores that are equal to the last digit
            object.__setattr__(self, "traits", replace(self.traits, tolerance=0.0))

    def evaluate(self, task: Task) -> Evaluation:
        folds = task.folds(self.k)
        scores = yield from scored(task, folds, self.scoring, by=self.by, train=self.train_scores)
        return choices(task, scores)
