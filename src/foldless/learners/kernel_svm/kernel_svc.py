"""Support vector classification with kernels, one-vs-one, that answers a grid of C and γ with all its folds at once.

Minimizes ½‖w‖² + Σ C_i max(0, 1 − y s) for every pair of classes, with an intercept that is not regularized: the
optimum of scikit-learn's ``SVC``, whose names and meanings are kept. Gram matrices are in single precision, as in
libsvm.

References
----------
Chang and Lin (2011). LIBSVM: a library for support vector machines. ACM TIST 2.
"""

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array, compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, check_scalar, validate_data

from foldless.core import Array, Response
from foldless.core.batch import Answered, Member
from foldless.errors import BadInput
from foldless.learners._inputs import FORMS, check_finite, check_positive
from foldless.learners.kernel_svm._batch_grids import Reply, replies
from foldless.learners.kernel_svm._kernels import Kernel, Linear, Polynomial, Precomputed, Rbf, in_blocks, scale
from foldless.learners.kernel_svm._one_vs_one import STEPS, Election, Machine, stretches
from foldless.learners.kernel_svm._shared_fits import solve
from foldless.learners.kernel_svm._training_rows import Grid, Training
from foldless.saving.names import saved

KERNELS = ("rbf", "linear", "poly", "precomputed")
HELD = 256 * 2**20  # bytes of models that may win; past it the winner is fitted once more


@saved("foldless.learners")
class KernelSVC(ClassifierMixin, BaseEstimator):
    """Support vector classification with a kernel, one-vs-one.

    Parameters
    ----------
    C : float
        Weight of the loss against ½‖w‖².
    kernel : "rbf", "linear", "poly" or "precomputed"
        exp(−γ‖x − z‖²), x·z, (γ x·z + coef0)^degree, or kernel values in place of features.
    gamma : "scale", "auto" or float
        γ; "scale" is 1 / (features · variance of X), "auto" is 1 / features.
    degree, coef0
        Of the polynomial kernel.
    tol : float
        Largest violation of the optimality conditions, in units of the margin.
    max_iter : int
        Steps of the solver for a pair of classes; −1 for ten million.
    class_weight : dict, "balanced" or None
        Multiplies C for rows of a class.
    decision_function_shape : "ovr" or "ovo"
        Scores of classes, or of pairs of classes; searches want the former.

    Attributes
    ----------
    classes_, support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_, n_iter_, fit_status_
        As in scikit-learn's ``SVC``; as there also ``n_features_in_`` and ``feature_names_in_``.
    gamma_ : float or None
        γ as a number, where the kernel has one.

    Notes
    -----
    What differs from ``SVC``: no sigmoid kernel, no kernel that is a function, no probabilities, no ``break_ties``;
    steps are limited to ten million where ``max_iter`` is −1; a class all of whose rows weigh nothing is not among
    ``classes_``.

    In a search, folds share their Gram matrix and nothing else: not a digit of a fold's answers depends on the labels
    held out from it. Every ``C`` starts from the one before.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from foldless.learners import KernelSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> KernelSVC(C=10, gamma=0.1).fit(X, y).score(X, y) > 0.95
    True
    """

    batch_over: ClassVar[frozenset[str]] = frozenset({"C", "rows"})
    own_threads: ClassVar[bool] = True

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: str = "rbf",
        gamma: Any = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        tol: float = 1e-3,
        max_iter: int = -1,
        class_weight: Any = None,
        decision_function_shape: str = "ovr",
    ):
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.tol = tol
        self.max_iter = max_iter
        self.class_weight = class_weight
        self.decision_function_shape = decision_function_shape

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "KernelSVC":
        """Train on rows X with labels y; ``sample_weight`` multiplies C row by row."""
        X, y = validate_data(self, X, y, **FORMS)
        check_classification_targets(y)
        self._check()
        check_positive(self.C, "C")
        if self.kernel == "precomputed" and X.shape[0] != X.shape[1]:
            raise BadInput(f"a precomputed kernel must be square, one column for each training row: got {X.shape}")
        training = Training.of(X, [(None, y)])
        weights = training.spread(None, self._weights(y, sample_weight))
        grid = Grid(self._kernel(X, None, self.gamma), weights[None], (float(self.C),))
        ((_, solved),) = solve(training, [grid], float(self.tol), int(self.max_iter))
        reply = Reply(0, training, grid.kernel, solved.machines, 0, 0, {})
        self._warn([self.C] if reply.unfinished else [])
        return self._take_over(reply)

    def decision_function(self, X: Any) -> Array:
        """Scores of shape (n, K), votes and less than a third for confidence; for two classes those of the second.

        With "ovo", one for each pair of classes in its order, positive for the first of the two.
        """
        check_is_fitted(self)
        if self.decision_function_shape == "ovo" and len(self.classes_) > 2:
            return self._pair_scores(X)
        scores = self._election(X, scores=True).scores[:, 0]
        return scores[:, 1] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> Array:
        """The label with most votes."""
        labels = self._election(X, scores=False).labels[:, 0]
        return self.classes_[labels]

    def answer_batch(self, blocks: Sequence[Any], members: Sequence[Member]) -> list[Answered]:
        """Solve the grid of all members, and answer for every one."""
        self._check()
        scored = [m for m in members if any(question.response == "scores" for question in m.questions)]
        if self.decision_function_shape == "ovo" and any(len(np.unique(m.y)) > 2 for m in scored):
            raise BadInput("a batch has no scores of pairs: set decision_function_shape='ovr'")
        for member in members:
            check_positive(member.params["C"], "C")
        features = [check_array(block, **FORMS) for block in blocks]
        answered: dict[int, Answered] = {}
        open_at: set[float] = set()
        room = HELD
        settings = float(self.tol), int(self.max_iter)
        for reply in replies(features, members, self._kernel, self._weights, *settings):
            member = members[reply.number]
            if reply.unfinished:
                open_at.add(float(member.params["C"]))
            answers = tuple(_spoken(reply.elections[id(q.part)], q.response, reply) for q in member.questions)
            model = None
            if member.keep and room > 0:
                model = clone(self).set_params(**member.params)
                validate_data(model, blocks[member.train.block], reset=True, skip_check_array=True)
                model._take_over(reply, member.train.rows)
                room -= model.support_.size * (model.n_features_in_ + len(model.classes_)) * 8
            answered[reply.number] = Answered(answers, reply.classes, model)
        self._warn(sorted(open_at))
        return [answered[number] for number in range(len(members))]

    def _check(self) -> None:
        if self.kernel not in KERNELS:
            raise BadInput(f"kernel must be one of {', '.join(map(repr, KERNELS))}, got {self.kernel!r}")
        if self.decision_function_shape not in ("ovr", "ovo"):
            raise BadInput(f"decision_function_shape must be 'ovr' or 'ovo', got {self.decision_function_shape!r}")
        check_positive(self.tol, "tol")
        check_scalar(self.degree, "degree", Integral, min_val=0)
        check_scalar(self.coef0, "coef0", Real)
        if self.max_iter != -1:
            check_scalar(self.max_iter, "max_iter", Integral, min_val=1)

    def _kernel(self, X: Any, rows: Array | None, gamma: Any) -> Kernel:
        """The kernel, whose width may depend on the training rows; None is the learner's own."""
        gamma = self.gamma if gamma is None else gamma
        if self.kernel == "precomputed":
            return Precomputed()
        if self.kernel == "linear":
            return Linear()
        if isinstance(gamma, str):
            if gamma not in ("scale", "auto"):
                raise BadInput(f"gamma must be 'scale', 'auto' or a number, got {gamma!r}")
            width = scale(X if rows is None else X[rows]) if gamma == "scale" else 1 / X.shape[1]
        else:
            check_scalar(gamma, "gamma", Real, min_val=0)
            check_finite(gamma, "gamma")
            width = float(gamma)
        return Rbf(width) if self.kernel == "rbf" else Polynomial(width, int(self.degree), float(self.coef0))

    def _weights(self, y: Array, sample_weight: Any = None) -> Array:
        """What multiplies C, row by row."""
        classes, codes = np.unique(y, return_inverse=True)
        by_class = compute_class_weight(self.class_weight, classes=classes, y=y)
        if not (by_class >= 0).all():
            raise BadInput(f"class_weight must be 0 or more, got {self.class_weight!r}")
        weights = by_class[codes]
        if sample_weight is not None:
            given = np.asarray(sample_weight, dtype=float)
            if given.ndim == 0:
                given = np.full(len(y), given)
            if given.shape != (len(y),) or not (given >= 0).all() or not np.isfinite(given).all():
                raise BadInput(f"sample_weight must hold {len(y)} finite numbers of zero or more")
            weights = weights * given
        here = classes[np.bincount(codes, weights) > 0].tolist()
        if len(here) < 2:
            told = f"one class: {here[0]!r}" if here else "no class whose sample_weight is not zero"
            raise BadInput(f"{type(self).__name__} needs at least 2 classes, the rows hold {told}")
        return weights

    def _take_over(self, reply: Reply, rows: Array | None = None) -> "KernelSVC":
        """Become a solved fit, which was trained on these rows of its block."""
        machine = reply.machines.alone(reply.fit, reply.cost)
        numbers = reply.training.rows[machine.support]
        sign = -1 if len(reply.classes) == 2 else 1  # as in scikit-learn, a positive score is one of the second class
        self.classes_ = reply.classes
        self.support_ = (numbers if rows is None else _first_places(rows, numbers)).astype(np.int32)
        self.support_vectors_ = reply.training.X[numbers[:0] if self.kernel == "precomputed" else numbers]
        self.n_support_ = machine.counts
        self.dual_coef_ = sign * machine.dual
        self.intercept_ = sign * machine.intercepts
        self.n_iter_ = machine.steps
        self.fit_status_ = int(reply.unfinished)
        self.gamma_ = getattr(reply.kernel, "gamma", None)
        return self

    @property
    def coef_(self) -> Any:
        """Weights of the features for every pair of classes, for a linear kernel."""
        if self.kernel != "linear":
            raise AttributeError(f"coef_ is there for a linear kernel only, not for {self.kernel!r}")
        check_is_fitted(self)
        return self._machine().by_pair() @ self.support_vectors_

    def _machine(self) -> Machine:
        return Machine(self.support_, self.n_support_, self.dual_coef_, self.intercept_, self.n_iter_)

    def _values(self, X: Any) -> Callable[[slice], Array]:
        """The kernel between some rows and those that support."""
        kernel = self._kernel(X, None, self.gamma_)
        anchors = self.support_ if self.kernel == "precomputed" else self.support_vectors_
        return lambda rows: kernel.of(kernel.base(X[rows], anchors))

    def _election(self, X: Any, *, scores: bool) -> Election:
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, **FORMS)
        machine = self._machine()
        if len(self.classes_) == 2:
            machine = replace(machine, dual=-machine.dual, intercepts=-machine.intercepts)
        election = Election(machine.as_machines(), X.shape[0], scores=scores)
        for write in stretches([election], self._values(X), len(self.support_)):
            write()
        return election

    def _pair_scores(self, X: Any) -> Array:
        X = validate_data(self, X, reset=False, **FORMS)
        values, coef = self._values(X), self._machine().by_pair().T
        blocks = in_blocks(X.shape[0], max(coef.shape))
        return np.concatenate([values(rows) @ coef for rows in blocks]) + self.intercept_

    def _warn(self, costs: Iterable[float]) -> None:
        if told := ", ".join(f"{cost:g}" for cost in costs):
            limit = STEPS if self.max_iter == -1 else self.max_iter
            warnings.warn(
                f"KernelSVC did not converge in {limit} steps at C = {told}: raise max_iter or tol, "
                f"or scale the features",
                ConvergenceWarning,
                stacklevel=3,
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags


def _spoken(election: Election, response: Response, reply: Reply) -> Array:
    """Class numbers or scores as the predict methods give them."""
    if response == "labels":
        return reply.training.classes[election.labels[:, reply.cost]]
    scores = election.scores[:, reply.cost][:, reply.machines.present[reply.fit]]
    return scores[:, 1] if scores.shape[1] == 2 else scores


def _first_places(rows: Array, numbers: Array) -> Array:
    """Where some numbers stand among the rows, for the first time."""
    order = np.argsort(rows, kind="stable")
    return order[np.searchsorted(rows, numbers, sorter=order)]
