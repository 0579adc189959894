"""Results that a reader should doubt: sentences that an experienced colleague would say at first sight."""

from collections.abc import Sequence
from math import sqrt

import numpy as np
import pandas as pd
from scipy.special import gammaln

from foldless.core import Array, Certificate, Choice, Criterion, Task
from foldless.criteria import resolve
from foldless.data._targets import plain_label

NOTHING_LEARNED = (
    "no candidate has learned anything: each predicts one class, or is no better than chance on its training labels; "
    "label more rows, or try other models and a wider grid"
)
ELSEWHERE = (
    "{pool:.0%} of the pool goes to class {name!r}, which has {labels:.0%} of the labels: the pool is another "
    "population, or the model is poor"
)
# benchmarks.coverage.labels_by_class: with 5 of each of 150 classes .04 lower than at random, with 10 of each .01
FEW_OF_EACH, BY_CHANCE = 5, 0.001
APART = 0.2  # difference of shares from which on it is worth a sentence
SURE = 4.0  # standard errors of the share of the labels that it has to exceed
BALANCED = 0.1  # difference of two shares below which a bound by class shares tells nothing


def doubts(
    criterion: Criterion,
    ranking: Sequence[Choice],
    task: Task,
    label_shares: "pd.Series[float]",
    shares: "pd.Series[float] | None",
    certificate: Certificate | None,
) -> list[str]:
    """What to doubt about a selection."""
    found = [NOTHING_LEARNED] if ranking and all(choice.degenerate for choice in ranking) else []
    found += _about_labels(np.bincount(task.y, minlength=task.n_classes))
    found += _about_pool(label_shares, shares, len(task.labeled))
    found += _about_certificate(label_shares, certificate)
    found += _about_criterion(criterion, ranking, label_shares)
    return found


def of_pool_shares(note: str) -> bool:
    """Whether a note is about the class shares that a model predicts in the pool, which decisions change."""
    return "for every row of the pool" in note or "of the pool goes to class" in note


def _about_labels(counts: Array) -> list[str]:
    """Whether every class has as few labels as the others: of classes of equal share, n!/(c!^K K^n) of draws have."""
    n, k, each = int(counts.sum()), len(counts), int(counts.max())
    chance = gammaln(n + 1) - gammaln(counts + 1).sum() - n * np.log(k)
    if counts.min() < each or not 1 < each <= FEW_OF_EACH or chance > np.log(BY_CHANCE):
        return []
    return [
        f"every class has {each} labels, and if they were picked by class, the estimate can be too low: fits that "
        f"leave a label out know fewer of its class than the model does"
    ]


def _about_pool(labels: "pd.Series[float]", pool: "pd.Series[float] | None", n: int) -> list[str]:
    """The class whose share of the pool is furthest above its share of the labels."""
    if pool is None:
        return []
    at = int(np.argmax(pool.to_numpy() - labels.to_numpy()))
    name, own, predicted = plain_label(labels.index[at]), float(labels.iloc[at]), float(pool.iloc[at])
    if predicted == 1:
        return [f"the chosen model predicts {name!r} for every row of the pool"]
    far = predicted - own > max(APART, SURE * sqrt(own * (1 - own) / n))
    return [ELSEWHERE.format(pool=predicted, name=name, labels=own)] if far else []


def _about_certificate(labels: "pd.Series[float]", certificate: Certificate | None) -> list[str]:
    most, error = plain_label(labels.idxmax()), 1 - float(labels.max())
    if certificate is None or certificate.upper < error or certificate.upper >= 1:  # a bound of 1 says so itself
        return []
    return [
        f"the certificate allows an error of {certificate.upper:.3f}, and always answering {most!r} is wrong on "
        f"{error:.3f} of the labels: it does not show that the model is better than that"
    ]


def _about_criterion(criterion: Criterion, ranking: Sequence[Choice], labels: "pd.Series[float]") -> list[str]:
    """Where the page of a criterion says not to use it."""
    if type(criterion) is not type(resolve("quantification_bound")):
        return []
    reasons = []
    if len(labels) == 2 and float(np.ptp(labels.to_numpy())) < BALANCED:
        reasons.append("two classes of about equal share are in the labels")
    if len({choice.candidate.params.get("estimator") for choice in ranking}) > 1:
        reasons.append("the candidates are of several families")
    instead = "use auto, or k_fold"
    return [f"{criterion.name} is not reliable here, because {' and '.join(reasons)}: {instead}"] if reasons else []
