"""An Optuna objective whose trials race over the resamples of ``auto``.

A trial is a candidate. It is trained on one resample of the labels after the other, and scored on the rows left out.
After each round it is compared with the best complete trial on the same rows: if it is behind by more than Z standard
errors of the paired difference, it is pruned. A trial that answers about the pool like one that is complete (labels of
98 % of the rows, or values within 2 % of the standard deviation of y) takes its score, moved by their paired difference
so far, after one fit.

All trials have the same resamples, so that their scores are compared without the luck of a split.
"""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

try:
    import optuna
except ImportError as error:
    raise ImportError("foldless.optuna needs Optuna: pip install foldless[optuna]") from error

from foldless.checks import checked
from foldless.core import Array, Ask, Candidate, Classes, Fold, PoolRows, Response, Task, Values
from foldless.core._resampling import check_whole
from foldless.criteria.racing import RESAMPLES, resamples, rows_asked
from foldless.data._metadata import Metadata
from foldless.data._minus_one import ASSUMED
from foldless.data._opening import open_sample
from foldless.engine._candidates import are_regressors, build
from foldless.engine._run import Engine
from foldless.errors import BadInput
from foldless.judging._judge import Judge, Scoring
from foldless.judging._left_out import LeftOut
from foldless.judging._scoring import judge_of

ROUNDS = (1, 2, 3, 4, 6, 8, RESAMPLES)  # resamples after each round
Z, Z_ALONE, Z_OF_VALUES = 1.5, 1.0, 2.0  # with a pool, without one, and for squared errors, which have heavy tails
MANY, WIDER = 400, 4 / 3  # labels, or groups, from which the margin is so much wider
SAME = 0.02  # share of the pool on which labels of twins may differ, or of σ by which values may
MIN_TWIN_ROWS = 100  # rows of a pool by which twins are told

Space = Callable[[optuna.Trial], Any] | Mapping[str, optuna.distributions.BaseDistribution]


@dataclass(eq=False)
class TrialAnswers:
    """What the fits of a trial answered, by resample: about all rows that are asked, and what the metric wants."""

    number: int
    response: Response
    answers: list[tuple[Array, Array]] = field(default_factory=list)
    score: float = -np.inf


class FoldlessObjective:
    """An objective for ``study.optimize`` that stops trials early if they are behind.

    Parameters
    ----------
    estimator : classifier or regressor
        What the parameters are set on.
    space : dict of name -> distribution, or callable
        Optuna's distributions, or a function of a trial that returns parameters, or an estimator of its own.
    X, y, X_unlabeled, groups
        As for `FoldlessSearch.fit`. The pool makes pruning and scores better, and may be left out.
    unlabeled : -1 or None
        As for `FoldlessSearch`: None makes −1 a class where no ``X_unlabeled`` is given.
    scoring : str or callable
        A scikit-learn scorer; accuracy by default, R² for regressors.
    resamples : int
        The fits of a trial that is not pruned, up to 12.
    z : float, optional
        A trial is pruned if it is this many standard errors behind the best one; 1.5 with a pool, 1 without, 2 for
        regressors.
    n_jobs : int, optional
        Parallel workers within a trial.
    fit_params : dict, optional
        Passed to fit, such as ``sample_weight``.
    random_state : int, RandomState or None
        The seed of the resamples, and of estimators that have none.

    Attributes
    ----------
    n_fits : int
        The number of fits trained so far.

    Examples
    --------
    >>> import optuna
    >>> from optuna.distributions import FloatDistribution
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.linear_model import LogisticRegression
    >>> from foldless.optuna import FoldlessObjective
    >>> optuna.logging.set_verbosity(optuna.logging.WARNING)
    >>> X, y = load_iris(return_X_y=True)
    >>> space = {"C": FloatDistribution(1e-3, 1e3, log=True)}
    >>> objective = FoldlessObjective(
    ...     LogisticRegression(max_iter=1000), space, X[::3], y[::3], X_unlabeled=X, random_state=0
    ... )
    >>> study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=0))
    >>> study.optimize(objective, n_trials=10)
    >>> objective.n_fits < 10 * 6
    True
    >>> objective.refit(study.best_trial).predict(X[:3])
    array([0, 0, 0])
    """

    def __init__(
        self,
        estimator: Any,
        space: Space,
        X: Any,
        y: Any,
        *,
        X_unlabeled: Any = None,
        unlabeled: Any = ASSUMED,
        groups: Any = None,
        scoring: Scoring = "accuracy",
        resamples: int = 6,
        z: float | None = None,
        n_jobs: int | None = None,
        fit_params: Mapping[str, Any] | None = None,
        random_state: Any = None,
    ):
        check_whole("resamples", resamples)
        if resamples > RESAMPLES:
            raise BadInput(f"a race has {RESAMPLES} resamples, got resamples={resamples!r}: ask for fewer")
        if z is not None and not (isinstance(z, int | float) and z > 0):
            raise BadInput(f"z must be a number above 0, got {z!r}")
        self.estimator, self.space, self.n_jobs = estimator, space, n_jobs
        self.data = checked(open_sample(
            X, y, X_unlabeled, kind=Values if are_regressors(estimator) else Classes, groups=groups,
            metadata=Metadata(fit_params or {}), unlabeled=unlabeled, random_state=random_state,
        ))  # fmt: skip
        self._seed = int(check_random_state(random_state).randint(np.iinfo(np.int32).max))
        self._task = self._task_of(Candidate(0, "trial", {}), Candidate(1, "best trial", {}))
        self._judge: Judge = judge_of(scoring, self._task)
        self._draws = _resamples(self._task, resamples)
        self._rounds = [n for n in ROUNDS if n < resamples] + [resamples]
        self._rows = rows_asked(self._task)
        self._z = _margin(self._task) if z is None else z
        self._complete: dict[int, TrialAnswers] = {}
        self._lock = threading.Lock()
        self.n_fits = 0

    def __call__(self, trial: optuna.Trial) -> float:
        """The score of a trial; `optuna.TrialPruned` where it is behind."""
        if trial.study.direction != optuna.study.StudyDirection.MAXIMIZE:
            raise BadInput("higher scores are better: make the study with create_study(direction='maximize')")
        task, engine = self._opened(trial)
        runner = TrialAnswers(trial.number, self._judge.response(task.candidates[0]))
        done = 0
        for n in self._rounds:
            self._run(engine, task, runner, self._draws[done:n])
            done = n
            trial.report(self._standing([runner])[0], n)
            with self._lock:
                complete = dict(self._complete)
            if not complete:
                continue
            if n == self._rounds[0] and (twin := self._twin(runner, complete)) is not None:
                trial.set_user_attr("like", twin.number)
                ours, theirs = self._standing([runner, twin], n)
                return float(twin.score + ours - theirs)
            best = max(complete.values(), key=lambda other: other.score)
            standing = self._left_out([runner, best], n).standing([0, 1])
            behind, chance = float(standing.scores[1] - standing.scores[0]), float(standing.chance(1)[0])
            if behind > self._z * chance and n < self._rounds[-1]:
                trial.set_user_attr("pruned", f"{behind:.3g} behind trial {best.number}, standard error {chance:.2g}")
                raise optuna.TrialPruned(f"{behind:.3g} behind trial {best.number} after {n} resamples")
        runner.score = float(self._standing([runner])[0])
        with self._lock:
            self._complete[trial.number] = runner
        return runner.score

    def refit(self, trial: Any) -> Any:
        """The model of a trial, such as ``study.best_trial``, trained on every label."""
        task, engine = self._opened(optuna.trial.FixedTrial(trial.params))
        return engine.model(task.full(task.candidates[0]))

    def _opened(self, trial: Any) -> tuple[Task, Engine]:
        """The candidate of a trial: the estimator with its parameters, or an estimator of its own."""
        if isinstance(self.space, Mapping):
            suggested: Any = {name: _suggested(trial, name, how) for name, how in self.space.items()}
        else:
            suggested = self.space(trial)
        estimator, grid = suggested, dict[str, list[Any]]()
        if isinstance(suggested, Mapping):
            estimator, grid = self.estimator, {name: [value] for name, value in suggested.items()}
        elif not hasattr(suggested, "fit"):
            raise BadInput(f"space(trial) must return a dict of parameters or an estimator, got {suggested!r}")
        elif are_regressors(estimator) != self._task.regression:
            raise BadInput(f"{estimator!r} and {self.estimator!r} must both be classifiers, or both regressors")
        candidates, recipes = build(estimator, grid, None, self._seed)
        return self._task_of(*candidates), Engine(self.data, recipes, n_jobs=self.n_jobs)

    def _task_of(self, *candidates: Candidate) -> Task:
        sample = self.data
        labeled, unlabeled, _ = sample.rows()
        return Task(
            sample.target, labeled, PoolRows(unlabeled), candidates, len(candidates), self._seed, sample.groups,
            copies=sample.copies,
        )  # fmt: skip

    def _run(self, engine: Engine, task: Task, runner: TrialAnswers, draws: list[Fold]) -> None:
        """Train on some resamples, and keep what is answered."""
        fits = [task.fit(task.candidates[0], draw.train) for draw in draws]
        plain, of_metric = ([Ask(fit, self._rows, kind) for fit in fits] for kind in (task.response, runner.response))
        asks = list(dict.fromkeys([*plain, *of_metric]))  # the metric may want what is asked anyway
        engine.answer(asks)
        with self._lock:
            self.n_fits += len(fits)
        for ask in asks:
            if (error := engine.error(ask)) is not None:
                raise error
        runner.answers += [(engine.answers[a], engine.answers[b]) for a, b in zip(plain, of_metric, strict=True)]

    def _left_out(self, runners: list[TrialAnswers], n: int | None = None) -> LeftOut:
        left_out = LeftOut(self._task, self._judge)
        for at, runner in enumerate(runners):
            for draw, (every, answer) in zip(self._draws[:n], runner.answers, strict=False):
                test = draw.test.indices
                left_out.add(at, runner.response, draw.test, every[test], answer[test])
        return left_out

    def _standing(self, runners: list[TrialAnswers], n: int | None = None) -> list[float]:
        """The scores of trials on the rows left out of their first resamples."""
        return list(map(self._left_out(runners, n).score, range(len(runners))))

    def _twin(self, runner: TrialAnswers, complete: Mapping[int, TrialAnswers]) -> TrialAnswers | None:
        """A complete trial that answers like this one about the pool, where there is one of 100 rows or more."""
        n = len(self._task.labeled)
        if len(self._task.unlabeled) < MIN_TWIN_ROWS or self._judge.reads not in ("accuracy", "labels", "values"):
            return None
        ours, others = runner.answers[0][1][n:], list(complete.values())
        apart = [_difference(self._task, self._judge, ours, trial.answers[0][1][n:]) for trial in others]
        return others[int(np.argmin(apart))] if min(apart) <= SAME else None


def _margin(task: Task) -> float:
    """The standard errors behind the best trial at which a trial is pruned."""
    if task.regression:
        return Z_OF_VALUES
    return (Z if len(task.unlabeled) else Z_ALONE) * (WIDER if task.n_units >= MANY else 1.0)


def _difference(task: Task, judge: Judge, ours: Array, theirs: Array) -> float:
    """How far answers about the pool differ, by what the metric reads of them: values, labels, or labels by class.

    Metrics such as F1 count each class by itself: there it is 1 − F1 of labels against others, where it is largest.
    """
    if judge.reads == "values":
        return float(np.sqrt(np.mean(np.square(ours - theirs)) / (float(np.var(task.y)) or 1.0)))
    if judge.reads == "accuracy":
        return float(np.mean(ours != theirs))
    first, second, both = (
        np.bincount(codes[codes >= 0].astype(np.int64), minlength=task.n_classes)
        for codes in (ours, theirs, ours[ours == theirs])
    )
    named = first + second
    return float((1 - 2 * both[named > 0] / named[named > 0]).max(initial=0.0))


def _resamples(task: Task, n: int) -> list[Fold]:
    if len(task.y) < 2 or (not task.regression and np.bincount(task.y).max() < 2):
        raise BadInput("every class has one label, and none can be left out: label more rows")
    return resamples(task)[:n]


def _suggested(trial: Any, name: str, how: Any) -> Any:
    if isinstance(how, optuna.distributions.CategoricalDistribution):
        return trial.suggest_categorical(name, how.choices)
    if isinstance(how, optuna.distributions.IntDistribution):
        return trial.suggest_int(name, how.low, how.high, step=how.step, log=how.log)
    if isinstance(how, optuna.distributions.FloatDistribution):
        return trial.suggest_float(name, how.low, how.high, step=how.step, log=how.log)
    raise BadInput(f"the space of {name!r} must be one of Optuna's distributions, got {how!r}")
