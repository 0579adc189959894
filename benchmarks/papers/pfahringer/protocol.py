"""One split of one question: every learner with its cross-validated estimate, its ensemble with its own, and the truth.

Learners are WEKA's as far as scikit-learn and foldless have them: multinomial naive Bayes with a smoothed prior; a
linear SVM (hinge, C = 1, features scaled to [0, 1] on the training rows); the same with logistic outputs, fitted either
to its scores on the training rows, as WEKA does ("SMO-L"), or to scores of rows left out of three folds with the
targets of Platt ("SMO-P"), the option that the paper's reference describes.
"""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.metrics import roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from benchmarks.papers.pfahringer.sets import Parts
from foldless import compare
from foldless.core import Ask, Choice, Criterion, Evaluation, Task
from foldless.criteria import Dagging, KFold
from foldless.learners import LinearSVC, LogisticOutputs, MultinomialNB

SMO = {"loss": "hinge", "C": 1.0}
LEARNERS: dict[str, Any] = {
    "NBM": MultinomialNB(),
    "SMO": make_pipeline(MaxAbsScaler(), LinearSVC(**SMO)),
    "SMO-L": make_pipeline(MaxAbsScaler(), LogisticOutputs(LinearSVC(**SMO))),
    "SMO-P": make_pipeline(MaxAbsScaler(), LogisticOutputs(LinearSVC(**SMO), targets="platt")),
}


@dataclass(frozen=True, eq=False)
class Single(Criterion):
    """The error on the pool of every candidate trained on the labels; splits hold AUC and the share named positive."""

    hidden: Any

    def evaluate(self, task: Task) -> Evaluation:
        answers = yield [
            Ask(task.full(c), task.unlabeled, response) for c in task.candidates for response in ("labels", _ranks(c))
        ]
        return [
            Choice(c, float(np.mean(labels != self.hidden)), (task.full(c),), facts(self.hidden, labels, scores))
            for c, labels, scores in zip(task.candidates, answers[::2], answers[1::2], strict=True)
        ]


@dataclass(frozen=True, eq=False)
class Ensemble(Criterion):
    """The same of the ensemble that every candidate teaches; it asks the fits of ``dagging`` in the same rounds."""

    hidden: Any
    dagging: Dagging

    def evaluate(self, task: Task) -> Evaluation:
        stages = yield from self.dagging.second_stages(task, task.unlabeled, ["labels"] * len(task.candidates))
        choices = []
        for c, stage in zip(task.candidates, stages, strict=True):
            shares = self.dagging.vote.shares(stage.answers, task.n_classes)
            labels = self.dagging.vote.winners(shares)
            notes = facts(self.hidden, labels, shares)
            choices.append(Choice(c, float(np.mean(labels != self.hidden)), stage.fits, notes))
        return choices


def measure(
    parts: Parts, ensembles: Mapping[str, Dagging], learners: Mapping[str, Any], seed: int, *, auc: bool = True
) -> list[dict[str, Any]]:
    """Estimate and truth of every learner, by itself ("cv") and as each kind of ensemble."""
    classes, hidden = np.unique(np.concatenate([parts.y, parts.hidden]), return_inverse=True)
    hidden = hidden[len(parts.y) :]
    criteria: dict[str, Criterion] = {"cv": KFold(10), "cv truth": Single(hidden)}
    for name, dagging in ensembles.items():
        criteria |= {name: dagging, f"{name} truth": Ensemble(hidden, dagging)}
    auc = auc and len(classes) == 2
    if auc:
        criteria |= {"cv auc": KFold(10, scoring="roc_auc")}
        criteria |= {f"{name} auc": replace(dagging, scoring="roc_auc") for name, dagging in ensembles.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what did not converge is ranked as it is
        comparison = compare(
            learners, None, parts.X, parts.y, X_unlabeled=parts.pool, criteria=criteria, keep_models=0,
            random_state=seed,
        )  # fmt: skip
    rows = []
    for kind in ("cv", *ensembles):
        estimates, truths = _by_learner(comparison[kind]), _by_learner(comparison[f"{kind} truth"])
        areas = _by_learner(comparison[f"{kind} auc"]) if auc else {}
        for learner, truth in truths.items():
            row = {"kind": kind, "learner": learner, "estimate": 1 - estimates[learner].score, "error": truth.score}
            if auc:
                row |= {"auc estimate": areas[learner].score}
            row |= dict(zip(("auc", "named"), truth.splits, strict=False))
            rows.append(row | {"batches": len(truth.fits) if kind != "cv" else 0})
    return rows


def facts(hidden: Any, labels: Any, scores: Any) -> tuple[float, ...]:
    """For two classes: the area under the curve, and the share that is named positive."""
    if scores.shape[1] != 2:
        return ()
    return float(roc_auc_score(hidden, scores[:, 1])), float(np.mean(labels == 1))


def _ranks(candidate: Any) -> Any:
    return candidate.respond("scores", "probabilities")


def _by_learner(selection: Any) -> dict[str, Choice]:
    return {choice.candidate.params["estimator"]: choice for choice in selection.ranking}
