"""Support vector classification with kernels, one-vs-one, that solves a grid of C and γ with all its folds at once.

Minimizes ½‖w‖² + Σ C_i max(0, 1 − y s) for every pair of classes, with an unregularized intercept: the optimum of
scikit-learn's ``SVC``, whose names and meanings are kept. Gram matrices are in single precision, as in libsvm.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Any, ClassVar

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array, compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, check_scalar, validate_data

from foldless.core import Array
from foldless.core.batch import Answered, Member, Question
from foldless.errors import BadInput, warn_user
from foldless.learners._inputs import FORMS, check_finite, check_positive
from foldless.learners._logits import SparseClassifier
from foldless.learners.kernel_svm._batch_grids import MemberSolution, solve_members
from foldless.learners.kernel_svm._kernels import Kernel, Linear, Polynomial, PrecomputedKernel, Rbf, in_blocks, scale
from foldless.learners.kernel_svm._one_vs_one import STEPS, Election, Machine, stretches
from foldless.learners.kernel_svm._shared_fits import Grid, TrainingRows, solve
from foldless.saving._names import saved

KERNELS = ("rbf", "linear", "poly", "precomputed")
HELD = 256 * 2**20  # bytes of candidate models; beyond, the best one is fitted once more


@saved("foldless.learners")
@dataclass(eq=False, repr=False, kw_only=True)
class KernelSVC(SparseClassifier):
    """Support vector classification with a kernel, one-vs-one.

    Parameters
    ----------
    C : float, default=1.0
        Weight of the loss against ½‖w‖².
    kernel : {"rbf", "linear", "poly", "precomputed"}, default="rbf"
        exp(−γ‖x − z‖²), x·z, (γ x·z + coef0)^degree, or kernel values in place of features.
    gamma : {"scale", "auto"} or float, default="scale"
        γ of the kernel; "scale" is 1 / (n_features · X.var()), "auto" is 1 / n_features.
    degree : int, default=3
        Degree of the polynomial kernel.
    coef0 : float, default=0.0
        Constant term of the polynomial kernel.
    tol : float, default=1e-3
        Largest violation of the optimality conditions, in units of the margin.
    max_iter : int, default=-1
        Maximum number of solver steps for a pair of classes; −1 means ten million.
    class_weight : dict, "balanced" or None, default=None
        Multiplies C for rows of a class.
    decision_function_shape : {"ovr", "ovo"}, default="ovr"
        Whether ``decision_function`` returns scores of classes or of pairs of classes; searches need "ovr".

    Attributes
    ----------
    classes_, n_features_in_, feature_names_in_
        The class labels, the number of features, and their names if X has names that are strings.
    support_ : ndarray of shape (n_SV,)
        Numbers of the training rows that are support vectors.
    support_vectors_ : ndarray or sparse matrix of shape (n_SV, n_features)
        Support vectors; empty for a precomputed kernel.
    n_support_ : ndarray of shape (n_classes,)
        Number of support vectors of each class.
    dual_coef_ : ndarray of shape (n_classes - 1, n_SV)
        Coefficients of the support vectors, arranged as in scikit-learn's ``SVC``.
    coef_ : ndarray of shape (n_classes * (n_classes - 1) / 2, n_features)
        Weights of the features; only with a linear kernel.
    intercept_ : ndarray of shape (n_classes * (n_classes - 1) / 2,)
        Intercepts.
    n_iter_ : ndarray of shape (n_classes * (n_classes - 1) / 2,)
        Number of solver steps for each pair of classes.
    fit_status_ : int
        0 if all pairs converged, 1 otherwise.
    gamma_ : float or None
        γ as a number, if the kernel has it.

    Notes
    -----
    Differences from scikit-learn's ``SVC``: there is no sigmoid kernel, no kernel function, no probability and no
    ``break_ties``; steps are limited to ten million where ``max_iter`` is −1; a class whose rows all have weight zero
    is not in ``classes_``.

    In a search, folds share their Gram matrix and nothing else: held-out labels do not change a digit of a fold's
    answers. Every ``C`` starts from the solution before.

    References
    ----------
    Chang and Lin (2011). LIBSVM: a library for support vector machines. ACM TIST 2.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from foldless.learners import KernelSVC
    >>> X, y = load_iris(return_X_y=True)
    >>> KernelSVC(C=10, gamma=0.1).fit(X, y).score(X, y) > 0.95
    True
    """

    C: float = 1.0
    kernel: str = "rbf"
    gamma: Any = "scale"
    degree: int = 3
    coef0: float = 0.0
    tol: float = 1e-3
    max_iter: int = -1
    class_weight: Any = None
    decision_function_shape: str = "ovr"

    batch_over: ClassVar[frozenset[str]] = frozenset({"C", "rows"})
    own_threads: ClassVar[bool] = True

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> "KernelSVC":
        """Fit the model on rows X with labels y; ``sample_weight`` multiplies C for each row."""
        X, y = validate_data(self, X, y, **FORMS)
        check_classification_targets(y)
        self._check()
        check_positive(self.C, "C")
        if self.kernel == "precomputed" and X.shape[0] != X.shape[1]:
            raise BadInput(f"a precomputed kernel must be square, one column for each training row: got {X.shape}")
        training = TrainingRows.of(X, [(None, y)])
        weights = training.spread(None, self._weights(y, sample_weight))
        grid = Grid(self._kernel(X, None, self.gamma), weights[None], (float(self.C),))
        ((_, solved),) = solve(training, [grid], float(self.tol), int(self.max_iter))
        solution = MemberSolution(0, training, grid.kernel, solved.machines, 0, 0, {})
        self._warn([self.C] if solution.unfinished else [])
        return self._take_over(solution)

    def decision_function(self, X: Any) -> Array:
        """Scores of the classes, of shape (n, K): votes plus less than a third for confidence; (n,) for two classes.

        With "ovo", scores of the pairs of classes, positive for the first class of a pair.
        """
        check_is_fitted(self)
        if self.decision_function_shape == "ovo" and len(self.classes_) > 2:
            X = validate_data(self, X, reset=False, **FORMS)
            values, coef = self._values(X), self._machine().by_pair().T
            blocks = in_blocks(X.shape[0], max(coef.shape))
            return np.concatenate([values(rows) @ coef for rows in blocks]) + self.intercept_
        scores = self._election(X, scores=True).scores[:, 0]
        return scores[:, 1] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> Array:
        """The label with the most votes."""
        labels = self._election(X, scores=False).labels[:, 0]  # first, as it says what is not fitted
        return self.classes_[labels]

    def answer_batch(self, blocks: Sequence[Any], members: Sequence[Member]) -> list[Answered]:
        """Solve the grid of all members, and answer for each."""
        self._check()
        scored = [m for m in members if any(question.response == "scores" for question in m.questions)]
        if self.decision_function_shape == "ovo" and any(len(np.unique(m.y)) > 2 for m in scored):
            raise BadInput("a search needs scores of classes, not of pairs: set decision_function_shape='ovr'")
        for member in members:
            check_positive(member.params["C"], "C")
        features = [check_array(block, **FORMS) for block in blocks]
        answered: dict[int, Answered] = {}
        open_at: set[float] = set()
        room = HELD
        settings = float(self.tol), int(self.max_iter)
        for solution in solve_members(features, members, self._kernel, self._weights, *settings):
            member = members[solution.number]
            if solution.unfinished:
                open_at.add(float(member.params["C"]))
            answers = tuple(_answer(solution, question) for question in member.questions)
            model = None
            if member.keep and room > 0:
                model = clone(self).set_params(**member.params)
                validate_data(model, blocks[member.train.block], reset=True, skip_check_array=True)
                model._take_over(solution, member.train.rows)
                room -= model.support_.size * (model.n_features_in_ + len(model.classes_)) * 8
            answered[solution.number] = Answered(answers, solution.classes, model)
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
        """The kernel, whose width may depend on the training rows; ``gamma=None`` means the learner's own."""
        gamma = self.gamma if gamma is None else gamma
        if self.kernel == "precomputed":
            return PrecomputedKernel()
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
        """The factor of C for each row."""
        classes, codes = np.unique(y, return_inverse=True)
        by_class = compute_class_weight(self.class_weight, classes=classes, y=y)
        if not (by_class >= 0).all():
            raise BadInput(f"class_weight must be 0 or more, got {self.class_weight!r}")
        weights = by_class[codes]
        if sample_weight is not None:
            factors = np.asarray(sample_weight, dtype=float)
            if factors.ndim == 0:
                factors = np.full(len(y), factors)
            if factors.shape != (len(y),) or not (factors >= 0).all() or not np.isfinite(factors).all():
                raise BadInput(f"sample_weight must hold {len(y)} finite numbers of zero or more")
            weights = weights * factors
        here = classes[np.bincount(codes, weights) > 0].tolist()
        if len(here) < 2:
            shown = f"one class: {here[0]!r}" if here else "no class whose sample_weight is not zero"
            raise BadInput(f"{type(self).__name__} needs at least 2 classes, the rows hold {shown}")
        return weights

    def _take_over(self, solution: MemberSolution, rows: Array | None = None) -> "KernelSVC":
        """Take over a solved fit, which was trained on these rows of its block."""
        machine = solution.machines.alone(solution.fit, solution.cost)
        numbers = solution.training.rows[machine.support]
        sign = -1 if len(solution.classes) == 2 else 1  # as in scikit-learn, positive scores are of the second class
        self.classes_ = solution.classes
        places = numbers
        if rows is not None:
            order = np.argsort(rows, kind="stable")
            places = order[np.searchsorted(rows, numbers, sorter=order)]
        self.support_ = places.astype(np.int32)
        self.support_vectors_ = solution.training.X[numbers[:0] if self.kernel == "precomputed" else numbers]
        self.n_support_ = machine.counts
        self.dual_coef_ = sign * machine.dual
        self.intercept_ = sign * machine.intercepts
        self.n_iter_ = machine.steps
        self.fit_status_ = int(solution.unfinished)
        self.gamma_ = getattr(solution.kernel, "gamma", None)
        return self

    @property
    def coef_(self) -> Any:
        """Weights of the features for every pair of classes, for a linear kernel."""
        if self.kernel != "linear":
            raise AttributeError(f"coef_ is only available with a linear kernel, got kernel={self.kernel!r}")
        check_is_fitted(self)
        return self._machine().by_pair() @ self.support_vectors_

    def _machine(self) -> Machine:
        return Machine(self.support_, self.n_support_, self.dual_coef_, self.intercept_, self.n_iter_)

    def _values(self, X: Any) -> Callable[[slice], Array]:
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

    def _warn(self, costs: Iterable[float]) -> None:
        if listed := ", ".join(f"{cost:g}" for cost in costs):
            limit = STEPS if self.max_iter == -1 else self.max_iter
            warn_user(
                f"KernelSVC did not converge in {limit} steps at C = {listed}: raise max_iter or tol, "
                f"or scale the features",
                ConvergenceWarning,
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags


def _answer(solution: MemberSolution, question: Question) -> Array:
    """Labels or scores as the predict methods return them."""
    election = solution.elections[id(question.part)]
    if question.response == "labels":
        return solution.training.classes[election.labels[:, solution.cost]]
    scores = election.scores[:, solution.cost][:, solution.machines.present[solution.fit]]
    return scores[:, 1] if scores.shape[1] == 2 else scores
