"""What a search gives back: a ranking of the candidates, the chosen model, and everything known about both."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

from foldless.core import Array, Candidate, Certificate, Choice, Criterion, ranks_of
from foldless.core._plain import plain_value
from foldless.core.certificate import difference
from foldless.errors import FoldlessError, Note, summary
from foldless.results import _drawn as drawn
from foldless.results._drawn import NotedResult
from foldless.results._selection_parts import (
    AccuracyOnTest,
    FromParts,
    LabelsAndPool,
    OnHeldOutLabels,
    RunRecord,
    SelectionInputs,
    grouped,
)
from foldless.results.baseline import Baseline, accuracy_line
from foldless.results.contribution import Contribution
from foldless.results.timing import Timing


@dataclass(frozen=True, eq=False)
class RankingEntry:
    """A row of a ranking: a choice, or a candidate without a score, and what is known about it.

    ``test_accuracy`` is None where it is not known, ``rank`` where there is no score.
    """

    choice: Choice
    rank: int | None
    status: Literal["ranked", "failed", "not finished"]
    notes: tuple[str, ...]
    certificate: Certificate | None
    test_accuracy: float | None
    timing: Timing


@dataclass(frozen=True, eq=False)
class Selection(FromParts, NotedResult):
    """A ranking of the candidates by one criterion, and the model that was chosen.

    Attributes
    ----------
    ranking : choices, the best first
    run : how it went: candidates that ``failed`` or are ``unfinished``, ``n_fits``, ``timings``, why it ``stopped``
    data : labels and pool: ``label_shares``, the ``shares`` predicted in the pool, and their ``shift``
    notes : sentences a user should read
    model : the chosen model, trained on every label unless the criterion holds some out; None if it was not asked for
    certificate : a guarantee about the chosen model; None unless the criterion certifies
    held_out : what held-out labels say: ``estimate``, ``temperature``, ``differences`` and ``average``
    tested : what test rows say: ``test_accuracy`` of candidates, ``best_test_accuracy`` of the chosen model
    beside : the selection by another criterion that `certify` was asked to compare with
    chosen : what was taken in place of the first of the ranking, by a function given as ``refit``
    ground : the rows and candidates behind it, which `foldless.suggest` reads; None after pickling or copying

    What ``run``, ``data``, ``held_out`` and ``tested`` hold is also an attribute of the selection itself.
    """

    criterion: Criterion
    ranking: tuple[Choice, ...]
    run: RunRecord = field(default_factory=RunRecord)
    data: LabelsAndPool = field(default_factory=LabelsAndPool)
    notes: tuple[str, ...] = ()
    model: Any = None
    certificate: Certificate | None = None
    held_out: OnHeldOutLabels = field(repr=False, default_factory=OnHeldOutLabels)
    tested: AccuracyOnTest = field(repr=False, default_factory=AccuracyOnTest)
    beside: "Selection | None" = field(repr=False, default=None)
    chosen: Choice | None = field(repr=False, default=None)
    ground: SelectionInputs | None = field(repr=False, default=None)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "ground": None}  # a file of results does not hold the rows

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(grouped(state))

    @property
    def baseline(self) -> Baseline | None:
        """What always saying the most frequent class has, beside which every accuracy stands; of regressors the mean.

        None where no accuracy is known: scores are by another metric, without an estimate and test rows.
        """
        if not self._has_accuracies:
            return None
        if self.regression:
            return Baseline(None, 0.0, self.test_baseline)
        shares = self.label_shares
        return Baseline(plain_value(shares.index[int(shares.argmax())]), float(shares.max()), self.test_baseline)

    @property
    def _has_accuracies(self) -> bool:
        """Whether anything here is an accuracy, or R² of regressors."""
        estimated = self.estimate is not None and self.estimate.quantity == self.quantity
        if estimated or self.best_test_accuracy is not None:
            return True
        return not self.regression and getattr(self.criterion, "scoring", "accuracy") == "accuracy"

    @property
    def accuracy_line(self) -> str:
        """What is known of the accuracy of the chosen model: the estimate first, then test rows; may be empty."""
        known = [value for value in self.test_accuracy.values() if not np.isnan(value)]
        named = [str(each) for each in self.measures if each.estimate.quantity != self.quantity]
        line = accuracy_line(
            self.estimate, self.baseline, quantity=self.quantity, on_test=self.best_test_accuracy,
            best_on_test=max(known) if len(known) > 1 else None,
        )  # fmt: skip
        return "; ".join([*named, *([line] if line else [])])

    @property
    def regression(self) -> bool:
        """Whether values were predicted, and not classes."""
        return not len(self.label_shares)

    @property
    def quantity(self) -> str:
        """What is measured on test rows and compared by differences: accuracy, or R² of regressors."""
        return "R²" if self.regression else "accuracy"

    @property
    def best(self) -> Choice:
        return self.ranking[0] if self.chosen is None else self.chosen

    @property
    def n_candidates(self) -> int:
        """The number of candidates that were ranked; a criterion may offer several choices of each."""
        return len({choice.candidate for choice in self.ranking})

    @property
    def assumes(self) -> tuple[str, ...]:
        """What the scores rest on."""
        alone = self.criterion.traits.assumes_alone if self.shares is None else None
        return self.criterion.assumes if alone is None else alone

    def certificate_of(self, choice: Choice) -> Certificate | None:
        """What is guaranteed of a choice; of the best one, of the very model that is handed out."""
        return self.certificate if choice is self.best else choice.certificate

    def test_accuracy_of(self, choice: Choice) -> float | None:
        """The accuracy of a choice on the test rows, where it is known."""
        if choice is self.best:
            return self.best_test_accuracy
        on_true_labels = all(fit.labels is None for fit in choice.fits)
        return self.test_accuracy.get(choice.candidate) if on_true_labels else None

    @property
    def members(self) -> dict[Candidate, float]:
        """The candidates of which the model is an average, with their weights, the largest first; one if it is none."""
        weights = self.best.vote.weights or (1.0,) * len(self.best.fits)
        shares: dict[Candidate, float] = {}
        for fit, weight in zip(self.best.fits, weights, strict=True):
            shares[fit.candidate] = shares.get(fit.candidate, 0.0) + weight / sum(weights)
        return dict(sorted(shares.items(), key=lambda each: -each[1]))

    def assuming(self, sentences: Sequence[str]) -> "Selection":
        """The same selection, whose certificate also rests on these sentences."""
        if self.certificate is None:
            return self
        beside = None if self.beside is None else self.beside.assuming(sentences)
        return replace(self, certificate=self.certificate.assuming(sentences), beside=beside)

    def entries(self) -> list[RankingEntry]:
        """Every choice, the best first, then the candidates that failed and those that were not finished."""
        ranks = ranks_of(self.criterion, self.ranking)
        rows = [
            RankingEntry(
                c, ranks[c], "ranked", (*c.notes, *self._part(c)), self.certificate_of(c), self.test_accuracy_of(c),
                self._timing(c),
            )
            for c in self.ranking
        ]  # fmt: skip
        lost = [Choice(c, np.nan, (), notes=(_failure(error),)) for c, error in self.failed.items()]
        lost += [Choice(c, np.nan, (), notes=("not finished",)) for c in self.unfinished]
        for c in lost:
            status: Literal["failed", "not finished"] = "failed" if c.candidate in self.failed else "not finished"
            known = self.test_accuracy.get(c.candidate)
            rows.append(RankingEntry(c, None, status, c.notes, None, known, self._timing(c)))
        return rows

    def _plain_average(self) -> dict[str, Any]:
        """The members of an average, and what it has on held-out labels where they are compared by them."""
        if len(self.members) < 2:
            return {}
        known, added = self.average, {} if self.average is None else self.average.members
        members = [
            {"candidate": candidate.name, **(added[candidate].to_dict() if candidate in added else {"weight": weight})}
            for candidate, weight in self.members.items()
        ]
        if known is None:
            return {"members": members}
        numbers = {"accuracy": known.accuracy, "log_loss": known.log_loss, "rows": known.rows}
        return {"members": members, "average": numbers}

    def _part(self, choice: Choice) -> tuple[str, ...]:
        weight = self.members.get(choice.candidate)
        return (f"{weight:.2f} of the average",) if weight and len(self.members) > 1 else ()

    @property
    def trace(self) -> pd.DataFrame:
        """The numbers behind the rank of each choice, the best first; no columns where a criterion has only scores."""
        index = pd.Index([choice.candidate.name for choice in self.ranking], name="candidate")
        return pd.DataFrame([dict(choice.parts) for choice in self.ranking], index=index)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the model, as plain data for JSON."""
        ranking = [self._plain(entry) for entry in self.entries()]
        pool: Mapping[Any, float] = {} if self.shares is None else dict(self.shares)
        return {
            "criterion": self.criterion.name,
            "better": self.criterion.better,
            "choice": {key: value for key, value in ranking[0].items() if key != "rank"}
            | {"models": len(self.best.fits), **self._plain_average()},
            "certificate": None if self.certificate is None else self.certificate.to_dict(),
            **({} if self.beside is None else {"beside": self._plain_beside(self.beside)}),
            "ranking": ranking,
            "shares": [
                {"class": plain_value(label), "labels": float(share), "pool": plain_value(pool.get(label))}
                for label, share in self.label_shares.items()
            ],
            "shift": None if self.shift is None else self.shift.to_dict(),
            "estimate": None if self.estimate is None else self.estimate.to_dict(),
            "baseline": None if self.baseline is None else self.baseline.to_dict(),
            **({"measures": [each.to_dict() for each in self.measures]} if self.measures else {}),
            "assumes": list(self.assumes),
            "n_fits": dict(self.n_fits),
            "stopped": self.stopped,
            "notes": list(self.notes),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def table(self) -> pd.DataFrame:
        """The ranking, one row per choice, failed and unfinished candidates last.

        Where candidates were judged on held-out labels, ``behind`` is how much less accurate each is
        than the chosen one on the same rows, ``behind_lower`` and ``behind_upper`` its 95 % interval, and ``tied``
        whether the interval holds 0: it is statistically tied. ``better`` says which scores are better. Of an average,
        ``weight`` is that of a member, and ``accuracy_without`` and ``log_loss_without`` are what the others have
        without it on held-out labels; `average` has what they have with it.
        """
        frame = pd.DataFrame(
            {
                "rank": entry.rank if entry.rank is None else at,
                "candidate": entry.choice.candidate.name,
                "params": dict(entry.choice.candidate.params),
                "score": entry.choice.score,
                "better": self.criterion.better,
                **self._behind(entry.choice.candidate),
                **self._adds(entry.choice.candidate),
                "notes": "; ".join(entry.notes),
            }
            for at, entry in enumerate(self.entries(), 1)
        )
        frame["rank"] = frame["rank"].astype("Int64")
        return frame

    def _adds(self, candidate: Candidate) -> dict[str, float]:
        """The columns of a member of an average, if there is one."""
        if self.average is None:
            return {}
        return self.average.members.get(candidate, Contribution(0.0, np.nan, np.nan)).to_dict()

    @property
    def not_told_apart(self) -> tuple[Candidate, ...]:
        """The candidates that are statistically tied with the chosen one on the held-out labels."""
        return tuple(candidate for candidate, difference in self.differences.items() if not difference.told_apart)

    def _behind(self, candidate: Candidate) -> dict[str, float | bool]:
        """The columns of a difference to the chosen candidate, if any candidate has one."""
        if not self.differences:
            return {}
        difference = self.differences.get(candidate)
        if candidate == self.best.candidate:
            return {"behind": 0.0, "behind_lower": 0.0, "behind_upper": 0.0, "tied": True}
        values = (np.nan,) * 3 if difference is None else (difference.value, difference.lower, difference.upper)
        behind = dict(zip(("behind", "behind_lower", "behind_upper"), values, strict=True))
        return {**behind, "tied": difference is not None and not difference.told_apart}

    def report(
        self, path: Any, *, made_by: str | None = None, about: Sequence[str] = (), beside: "Selection | None" = None
    ) -> Path:
        """Write one HTML file with the figures, the ranking and everything behind the choice.

        ``made_by`` is the command or code that makes it again; ``about`` are sentences on the data; ``beside`` is a
        selection by hold-out whose certificate is shown for comparison, else the one that is `beside` this selection.
        """
        return drawn.write_page(self, path, made_by=made_by, about=about, beside=beside or self.beside)

    def _plain(self, entry: RankingEntry) -> dict[str, Any]:
        """An entry of the ranking; bounds and test accuracy where the selection has any."""
        choice, certificate = entry.choice, entry.certificate
        plain = {"rank": entry.rank, **_candidate(choice.candidate), "score": plain_value(choice.score)}
        plain["splits"] = [plain_value(score) for score in choice.splits]
        plain["fit_seconds"], plain["answer_seconds"] = list(entry.timing.fit), list(entry.timing.answer)
        if self.certificate is not None:
            plain["upper"] = None if certificate is None else certificate.upper
            plain["parts"] = None if certificate is None else [term.upper for term in certificate.terms]
        if self.test_accuracy or self.best_test_accuracy is not None:
            plain["test_accuracy"] = plain_value(entry.test_accuracy)
        if (difference := self.differences.get(choice.candidate)) is not None:
            plain["difference"], plain["tied"] = asdict(difference), not difference.told_apart
        return {**plain, "notes": list(entry.notes)}

    def _plain_beside(self, other: "Selection") -> dict[str, Any]:
        """A certificate that is shown for comparison, of a model that is not handed out."""
        assert self.certificate is not None
        assert other.certificate is not None
        truth = {} if other.best_test_accuracy is None else {"test_accuracy": other.best_test_accuracy}
        return {
            "criterion": other.criterion.name, **_candidate(other.best.candidate), **truth,
            "certificate": other.certificate.to_dict(), "difference": difference(self.certificate, other.certificate),
        }  # fmt: skip

    def _timing(self, choice: Choice) -> Timing:
        return self.timings.get(choice.candidate, Timing())

    def __repr__(self) -> str:
        n = len(self.members)
        best = f"average of {n} models, " if n > 1 else f"best={self.best.candidate.name!r}, "
        if (estimate := self.estimate) is None:
            best += f"ranking score={self.best.score:.6g}"
        else:
            best += f"{estimate.quantity}={estimate.value:.3f} ({estimate.ends})"
        return f"Selection({self.criterion.name}, {best}, candidates={self.n_candidates}, fits: {self.n_fits})"


def shares_of(codes: Array, classes: Array, weights: Array | None = None) -> "pd.Series[float]":
    """Class shares by the user's labels; rows may have weights that add up to 1."""
    known = codes >= 0
    if weights is None:
        shares = np.asarray(np.bincount(codes[known], minlength=len(classes)) / max(1, len(codes)))
    else:
        shares = np.asarray(np.bincount(codes[known], weights[known], len(classes)), dtype=float)
    return named_shares(shares, classes)


def named_shares(shares: Array, classes: Array) -> "pd.Series[float]":
    """Class shares, in the order of the classes, by the user's labels."""
    return pd.Series(shares, index=pd.Index(classes, name="class"), name="share")


def _candidate(candidate: Candidate) -> dict[str, Any]:
    return {"candidate": candidate.name, "params": {key: plain_value(value) for key, value in candidate.params.items()}}


def _failure(error: Exception) -> str:
    """Why a candidate failed, on one line, with the remedies of the error where it has any."""
    if isinstance(error, FoldlessError):
        return Note(f"failed: {' '.join(error.problem.split())}", remedy=error.remedies)
    return f"failed: {summary(error)}"
