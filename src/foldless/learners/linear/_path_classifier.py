"""Linear classifiers, one-vs-rest, that solve a whole path of C at once.

Both minimize ½‖w‖² + Σ C_i loss(y s). As in liblinear the intercept is the weight of a constant feature and is
regularized with the others. The optimum is that of scikit-learn's classes of the same names (there with
``solver="liblinear"``), in single precision, by dual coordinate descent, or by Newton's method where rows are many and
features few.

References
----------
Fan et al. (2008). LIBLINEAR: a library for large linear classification. JMLR 9.
"""

import io
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from scipy.special import log_expit, log_softmax
from sklearn.base import clone
from sklearn.utils import check_array, check_random_state, compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_scalar, validate_data

from foldless.core import Array, Response
from foldless.core.batch import Answered, Member, Question
from foldless.errors import BadInput
from foldless.learners._inputs import EITHER_PRECISION, check_positive, classes_and_codes
from foldless.learners._logits import LinearClassifier
from foldless.learners.linear._one_vs_rest import Path
from foldless.learners.linear._problem import DualStart, PathSettings
from foldless.learners.linear._weights import Weights
from foldless.solvers.linear._csr_rows import as_csr

LARGEST = 1e15  # the sum of a thousand squares is within single precision
HINGES = ("squared_hinge", "hinge")  # losses whose descent keeps α itself
# tolerances of a fit that is judged and not kept: on eleven sets it moves the estimate by .0006 at most, where half the
# interval is .02 to .05
ROUGHLY = 10.0
HELD = 256 * 2**20  # bytes of weights that a path holds for candidates; beyond, the best one is fitted once more


@dataclass(eq=False, repr=False, kw_only=True)
class PathClassifier(LinearClassifier):
    """Everything that the two classifiers share; a subclass names its loss."""

    C: float = 1.0
    tol: float = 1e-3
    max_iter: int = 1000
    fit_intercept: bool = True
    intercept_scaling: float = 1.0
    class_weight: Any = None
    random_state: Any = None

    batch_over: ClassVar[frozenset[str]] = frozenset({"C"})
    frees_gil: ClassVar[bool] = True
    answers_cheaply: ClassVar[bool] = True

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit the model on rows X with labels y; ``sample_weight`` multiplies C for each row."""
        X, y = validate_data(self, X, y, **EITHER_PRECISION)
        path, classes = self._path(X, y, sample_weight)
        check_positive(self.C, "C")
        solved = path.solve([float(self.C)], [], hold=True)
        return self._take_over(classes, solved.weights[0], solved.passes[0])

    def answer_batch(self, blocks: Sequence[Any], members: Sequence[Member]) -> list[Answered]:
        """Solve the path of C once, and answer for every member."""
        matrices = [as_csr(check_array(block, **EITHER_PRECISION)) for block in blocks]
        train, y = members[0].train, members[0].y
        for member in members:
            check_positive(member.params["C"], "C")
        costs = sorted({float(member.params["C"]) for member in members})
        started = members[0].start is not None and len(costs) == 1
        path, classes = (clone(self).set_params(tol=ROUGHLY * self.tol) if started else self)._path(
            matrices[train.block] if train.rows is None else matrices[train.block][train.rows], y
        )
        questions = {_name(q): q for member in members for q in member.questions}
        rows = [(path.vocabulary.rows(matrices[q.part.block], q.part.rows), q.response) for q in questions.values()]
        hold = any(member.keep for member in members) and len(costs) * path.bytes_of_weights() <= HELD
        start = members[0].start.of(classes) if started else None
        solved = path.solve(costs, rows, hold=hold, start=start)
        by_question = dict(zip(questions, solved.answers, strict=True))
        answered = []
        for member in members:
            at = costs.index(float(member.params["C"]))
            answers = tuple(self._as_response(by_question[_name(q)][at], q.response, classes) for q in member.questions)
            model = None
            if hold and member.keep:
                model = clone(self).set_params(**member.params)
                validate_data(model, blocks[train.block], reset=True, skip_check_array=True)
                model = _Unbuilt(model, classes, solved.weights[at], solved.passes[at])
            answered.append(Answered(answers, classes, model))
        return answered

    @staticmethod
    def start_of(model: bytes, rows: Array) -> DualStart | None:
        """What fits on some of the rows may start from: y α of a model that was held as the sum of its rows.

        The optimum is unique, so that the start changes the last digits only.
        """
        unbuilt = _Unbuilding(io.BytesIO(model))
        unbuilt.load()
        if unbuilt.classes is None or unbuilt.weights is None or unbuilt.loss not in HINGES:
            return None
        alphas = unbuilt.weights.signed_alphas()
        return None if alphas is None else DualStart(unbuilt.classes, alphas[rows])

    def _path(self, X: Any, y: Any, sample_weight: Any = None) -> tuple[Path, Array]:
        """The problem behind rows and labels, and its classes."""
        if y.dtype.kind not in "biuSU":  # integers and strings are classes; scikit-learn's check would take a while
            check_classification_targets(y)
        check_positive(self.tol, "tol")
        check_positive(self.intercept_scaling, "intercept_scaling")
        check_scalar(self.max_iter, "max_iter", Integral, min_val=1)
        entries = X.data if sparse.issparse(X) else X
        if max(entries.max(initial=0), -entries.min(initial=0)) > LARGEST:
            raise BadInput(f"features must be at most {LARGEST:g} in size for single precision: scale them")
        classes, codes = classes_and_codes(y, type(self).__name__)
        if sample_weight is not None:
            sample_weight = np.asarray(sample_weight, dtype=float)
            if sample_weight.ndim == 0:
                sample_weight = np.full(len(y), sample_weight)
            good = sample_weight.shape == (len(y),) and (sample_weight >= 0).all() and np.isfinite(sample_weight).all()
            if not good or not sample_weight.any():
                raise BadInput(f"sample_weight must hold {len(y)} finite numbers of zero or more, not all of them zero")
        weight = self._class_weights(classes, codes, sample_weight)
        seed = _drawn(self.random_state) if isinstance(self.random_state, int) else _draw(self.random_state)
        scaling = float(self.intercept_scaling) if self.fit_intercept else 0.0
        settings = PathSettings(self._loss(), float(self.tol), int(self.max_iter), scaling, seed)
        return Path(X, codes, weight, sample_weight, settings), classes

    def _class_weights(self, classes: Array, codes: Array, sample_weight: Array | None) -> Array:
        if isinstance(self.class_weight, str) and self.class_weight == "balanced":
            counts = np.bincount(codes, sample_weight, minlength=len(classes))
            return counts.sum() / (len(classes) * np.where(counts > 0, counts, np.inf))
        if self.class_weight is None:
            return np.ones(len(classes))
        weight = compute_class_weight(self.class_weight, classes=classes, y=classes)
        if not (weight >= 0).all():
            raise BadInput(f"class_weight must be 0 or more, got {self.class_weight!r}")
        return weight

    def _take_over(self, classes: Array, weights: Weights, passes: int) -> Any:
        self.classes_ = classes
        self.coef_ = weights.coef
        self.intercept_ = weights.intercept
        self.n_iter_ = passes
        return self

    def _as_response(self, answer: Array, response: Response, classes: Array) -> Array:
        """Class numbers or scores as the predict methods return them."""
        if response != "labels":
            scores = answer.ravel() if len(classes) == 2 else answer
            return scores if response == "scores" else probabilities(scores)
        return classes[(answer.ravel() > 0).astype(int) if len(classes) == 2 else answer]


def _draw(random_state: Any) -> int:
    return int(check_random_state(random_state).randint(1, np.iinfo(np.int32).max))


_drawn = lru_cache(maxsize=16)(_draw)  # seeding takes as long as a small fit, and all fits of a search have one seed


class _Unbuilt:
    """A model that is built when it is unpickled: of all models on a path, only the best one is."""

    def __init__(self, *parts: Any):
        self._parts = parts

    def __reduce__(self) -> Any:
        return _build, self._parts


def _build(model: PathClassifier, classes: Array, weights: Weights, passes: int) -> Any:
    return model._take_over(classes, weights, passes)


class _Unbuilding(pickle.Unpickler):
    """Reads a pickled model for its parts, without building its weights."""

    classes: Array | None = None
    weights: Weights | None = None
    loss: str | None = None

    def find_class(self, module: str, name: str) -> Any:
        return self._take if (module, name) == (__name__, _build.__name__) else super().find_class(module, name)

    def _take(self, model: PathClassifier, classes: Array, weights: Weights, _: int) -> Any:
        self.classes, self.weights, self.loss = classes, weights, model._loss()
        return model


def probabilities(scores: Array) -> Array:
    """σ(s) / Σ σ(s)."""
    return np.exp(log_probabilities(scores))


def log_probabilities(scores: Array) -> Array:
    """log of σ(s) / Σ σ(s), also where all σ are zero in double precision."""
    scores = np.asarray(scores, dtype=float)
    if scores.ndim == 1:
        return log_expit(np.column_stack([-scores, scores]))
    return log_softmax(log_expit(scores), axis=1)


def _name(question: Question) -> tuple[int, int, str]:
    """Questions about the same rows share their answers."""
    return question.part.block, id(question.part), question.response
