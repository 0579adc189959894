"""decided: a chosen model that decides by costs or by a threshold, and what is estimated of its decisions."""

from dataclasses import replace
from typing import Any

import numpy as np

from foldless.accuracy import HeldOut, held_out_accuracy
from foldless.accuracy._assumptions import CONFIDENCE, ONE_POPULATION, ROUGH
from foldless.core import Array
from foldless.core._plain import plain_value
from foldless.data._class_labels import encode
from foldless.errors import BadInput, CannotAnswer, Note
from foldless.judging.costs import Costs
from foldless.judging.metric import Metric
from foldless.results.estimate import Estimate
from foldless.results.out_of_fold import OutOfFoldAnswers
from foldless.results.selection import Selection, shares_of
from foldless.selection._sanity import of_pool_shares
from foldless.selection.measured import BY_SAME_LABELS, NOT_LEFT_OUT, measured

GOALS = ("precision", "recall")
TRAINED_ON = 0.8  # of the labels, by fits on five folds


def decided(selection: Selection, rule: Any) -> Selection:
    """Let the chosen model of a selection decide by a rule, and estimate how good these decisions are.

    Parameters
    ----------
    selection : Selection
        That of a search with ``scoring=`` and ``estimate=True``, which keeps out-of-fold predictions.
    rule : `foldless.Costs` or `foldless.AtLeast`
        What decides: the least expected cost, or a threshold that is found on held-out labels.

    Returns
    -------
    Selection
        Its ``model`` is a `foldless.learners.DecidedClassifier`; ``estimate``, ``shares`` and ``measures`` are of what
        it decides.
    """
    known = selection.held_out.out_of_fold
    if isinstance(rule, Costs):
        return _with(selection, known, {"costs": rule.matrix(list(selection.label_shares.index))})
    if known is None or known.probabilities is None:
        raise CannotAnswer(f"a threshold needs out-of-fold probabilities: {NOT_LEFT_OUT}")
    positive, threshold, note = rule.threshold_for(known)
    chosen = _with(selection, known, {"positive": positive, "threshold": threshold})
    # a row left empty is no error
    chosen = replace(chosen, held_out=replace(chosen.held_out, estimate=None, measures=()))
    chosen = measured(chosen, [Metric(goal, positive) for goal in (rule.goal, *(g for g in GOALS if g != rule.goal))])
    return replace(chosen, notes=(note, *chosen.notes))


class AtLeast:
    """A threshold for one class: rows above it get the class, and all others get no label.

    The threshold is the one with the best recall among those whose precision on held-out labels is high enough (or the
    reverse). One more error is counted than was seen, because the threshold is found on the same rows.

    Parameters
    ----------
    positive : the class
    precision, recall : float, one of the two
        The smallest precision or recall that is accepted.

    Examples
    --------
    >>> from foldless import AtLeast
    >>> AtLeast("yes", precision=0.9)
    AtLeast('yes', precision=0.9)
    """

    def __init__(self, positive: Any, *, precision: float | None = None, recall: float | None = None):
        named = {goal: value for goal, value in (("precision", precision), ("recall", recall)) if value is not None}
        if len(named) != 1:
            raise BadInput("AtLeast takes either a precision or a recall: AtLeast('yes', precision=0.9)")
        ((self.goal, self.value),) = named.items()
        if not 0 < self.value < 1:
            raise BadInput(f"{self.goal} must be in (0, 1), got {self.value!r}")
        self.positive = positive

    def threshold_for(self, known: OutOfFoldAnswers) -> tuple[Any, float, Note]:
        """The class, its threshold on held-out labels, and a note that says so."""
        at = [plain_value(label) for label in known.classes].index(plain_value(self.positive))
        assert known.probabilities is not None
        shares, actual = known.probabilities[:, at], known.y == at
        order = np.argsort(-shares, kind="stable")
        right, taken = np.cumsum(actual[order]), np.arange(1, len(order) + 1)
        last = np.r_[shares[order][1:] != shares[order][:-1], True]  # equal rows are taken together
        reached = (right / (taken + 1) if self.goal == "precision" else right / (actual.sum() + 1)) >= self.value
        able = np.flatnonzero(last & reached)
        if not len(able):
            best = (right / (taken + 1))[last].max() if self.goal == "precision" else actual.sum() / (actual.sum() + 1)
            raise CannotAnswer(
                f"no threshold has {self.goal} {self.value:g} for {plain_value(self.positive)!r} on {len(order):,} "
                f"held-out labels and one error more: the most is {best:.3f}; ask for less, or label more rows"
            )
        place = able[-1] if self.goal == "precision" else able[0]
        threshold, n = float(shares[order][place]), int(taken[place])
        label = plain_value(known.classes[at])
        note = Note(
            f"{label!r} is predicted where its probability is at least {threshold:.3f}, as in {n:,} of the "
            f"{len(order):,} labeled rows out of fold; other rows are left empty"
        )
        return known.classes[at], threshold, note

    def __repr__(self) -> str:
        return f"AtLeast({self.positive!r}, {self.goal}={self.value:g})"


def _with(selection: Selection, known: OutOfFoldAnswers | None, rule: dict[str, Any]) -> Selection:
    """The selection with a model that decides, and what is known of its decisions."""
    from foldless.learners.decided_classifier import DecidedClassifier

    held_out, model = selection.held_out, selection.model
    if known is not None and known.probabilities is not None:
        judge = DecidedClassifier(None, **rule)
        judge.classes_ = np.asarray(known.classes)
        labels = encode(judge.decide(known.probabilities), judge.classes_)
        known = replace(known, labels=labels)
        held_out = replace(held_out, out_of_fold=known, estimate=_accuracy(selection, known))
    if model is None:
        return replace(selection, held_out=held_out)
    temperature = None if hasattr(model, "predict_proba") else selection.temperature
    if temperature is None and not hasattr(model, "predict_proba"):
        note = "the chosen model has no probabilities: its own labels are taken"
        return replace(selection, notes=(*selection.notes, note))
    model = DecidedClassifier(model, **rule, temperature=temperature).around(model)
    notes = tuple(note for note in selection.notes if not of_pool_shares(note))
    return replace(
        selection, model=model, notes=notes, held_out=held_out,
        data=replace(selection.data, shares=_shares(selection, model)),
        tested=replace(selection.tested, best_test_accuracy=_tested(selection, model)),
    )  # fmt: skip


def _accuracy(selection: Selection, known: OutOfFoldAnswers) -> Estimate | None:
    """The accuracy of what is decided, from held-out labels."""
    before = selection.estimate
    if before is None:
        return None
    held = HeldOut(known.labels == known.y, groups=known.units, trained_on=TRAINED_ON)
    interval = held_out_accuracy(held, CONFIDENCE, np.random.default_rng(0))
    return Estimate(
        "accuracy", interval.value, interval.lower, interval.upper, CONFIDENCE, "held-out labels",
        (ONE_POPULATION, BY_SAME_LABELS, ROUGH), len(known.y), fits=before.fits, population=before.population,
    )  # fmt: skip


def _shares(selection: Selection, model: Any) -> Any:
    """The class shares that are decided on in a pool that is in memory."""
    if selection.shares is None or selection.ground is None or selection.ground.task.pool.stored is not None:
        return None
    return shares_of(_codes(model, selection.ground.data.pool, model.classes_), np.asarray(selection.shares.index))


def _tested(selection: Selection, model: Any) -> float | None:
    """The accuracy of what is decided on the test rows, where there are any."""
    if selection.best_test_accuracy is None or selection.ground is None:
        return None
    data = selection.ground.data
    codes = _codes(model, data.test, data.classes)
    return float(np.mean((codes == data.test_y) & (data.test_y >= 0)))


def _codes(model: Any, X: Any, classes: Array) -> Array:
    return encode(np.asarray(model.predict(X)), np.asarray(classes))
