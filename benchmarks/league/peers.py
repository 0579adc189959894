"""What others do, as criteria, so that the league judges it on the same fits: successive halving and Optuna."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor, log
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.utils import resample

from foldless.core import Ask, Candidate, Choice, Criterion, Evaluation, Rank, Rows, Task
from foldless.errors import CannotAnswer

FACTOR = 3  # of HalvingGridSearchCV
TRIALS = 3  # trials of Optuna for each candidate, if fits are left: a repeated trial takes none


@dataclass(frozen=True)
class HalvingSearch(Criterion):
    """HalvingGridSearchCV with its defaults: few rows for all candidates, three times as many for the best third, ...

    The subsets are those that scikit-learn draws with the same seed.
    """

    def evaluate(self, task: Task) -> Evaluation:
        n, n_all = len(task.y), len(task.candidates)
        least = 5 * 2 * len(np.unique(task.y))
        if least > n:
            raise CannotAnswer(f"HalvingGridSearchCV needs {least} labels, got {n}")
        required = 1 + floor(log(n_all, FACTOR))
        least = max(least, n // FACTOR ** (required - 1))
        rounds = min(1 + floor(log(n // least, FACTOR)), required)
        seed = int(task.rng("halving").integers(2**31))
        left, places = list(task.candidates), dict.fromkeys(task.candidates, (-1, 0.0, 0))
        scores: dict[Candidate, float] = {}
        for at in range(rounds):
            splits = list(_subsets(task, min(FACTOR**at * least, n) / n, seed))
            answers = iter((yield [Ask(task.fit(c, train), test) for c in left for train, test in splits]))
            means = np.array(
                [np.mean([np.mean(next(answers) == task.codes(test)) for _, test in splits]) for _ in left]
            )
            scores |= dict(zip(left, means.tolist(), strict=True))
            places |= {c: (at, scores[c], -place) for place, c in enumerate(left)}
            left = [left[place] for place in np.argsort(means)[-ceil(len(left) / FACTOR) :]]
        ranks = {c: rank for rank, c in enumerate(sorted(places, key=lambda c: places[c]))}
        return [Choice(c, scores[c], (task.full(c),), rank=Rank(float(ranks[c]))) for c in task.candidates]


def _subsets(task: Task, fraction: float, seed: int) -> Iterator[tuple[Rows, Rows]]:
    try:
        folds = list(StratifiedKFold(5).split(task.y, task.y))
    except ValueError as error:
        raise CannotAnswer(str(error)) from error
    for fold in folds:
        train, test = (
            resample(part, replace=False, random_state=seed, n_samples=int(fraction * len(part))) for part in fold
        )
        yield task.labeled.at(train), task.labeled.at(test)


@dataclass(frozen=True)
class OptunaSearch(Criterion):
    """Optuna's TPE with its median pruner, fold by fold, until it has trained ``share`` of the fits of 5-fold."""

    share: float = 1.0

    def evaluate(self, task: Task) -> Evaluation:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        folds, space = task.folds(StratifiedKFold(5)), _space(task.candidates)
        sampler = optuna.samplers.TPESampler(seed=int(task.rng("tpe").integers(2**31)))
        study = optuna.create_study(direction="maximize", sampler=sampler, pruner=optuna.pruners.MedianPruner())
        known: dict[tuple[Candidate, int], float] = {}
        finished: dict[Candidate, float] = {}
        most = max(5, self.share * 5 * len(task.candidates))
        for _ in range(TRIALS * len(task.candidates)):
            trial = study.ask()
            candidate, state = _suggested(trial, space), optuna.trial.TrialState.COMPLETE
            values: list[float] = []
            for at, (train, test) in enumerate(folds):
                if (candidate, at) not in known:
                    if len(known) + 1 > most:
                        state = optuna.trial.TrialState.FAIL
                        break
                    (labels,) = yield [Ask(task.fit(candidate, train), test)]
                    known[candidate, at] = float(np.mean(labels == task.codes(test)))
                values.append(known[candidate, at])
                trial.report(float(np.mean(values)), at)
                if at < len(folds) - 1 and trial.should_prune():
                    state = optuna.trial.TrialState.PRUNED
                    break
            if state is optuna.trial.TrialState.COMPLETE:
                finished[candidate] = float(np.mean(values))
                study.tell(trial, finished[candidate])
            else:
                study.tell(trial, state=state)
            if state is optuna.trial.TrialState.FAIL:
                break
        order = {c: -rank for rank, c in enumerate(finished)}  # of equals the first that was tried
        return [
            Choice(
                c, finished.get(c, np.nan), (task.full(c),), rank=Rank(finished.get(c, 0.0) + 1e-9 * order.get(c, 0))
            )
            for c in task.candidates
        ]


def _space(candidates: tuple[Candidate, ...]) -> dict[tuple[str, ...], Any]:
    """Candidates by the names of their parameters, with the values that each may have, in their order."""
    groups: dict[tuple[str, ...], list[Candidate]] = {}
    for c in candidates:
        groups.setdefault((str(c.params.get("estimator")), *(k for k in c.params if k != "estimator")), []).append(c)
    return {
        key: ({name: list(dict.fromkeys(c.params[name] for c in own)) for name in key[1:]}, own)
        for key, own in groups.items()
    }


def _suggested(trial: Any, space: dict[tuple[str, ...], Any]) -> Candidate:
    """The candidate that a trial suggests; grid values are numbered, so that their order is known."""
    keys = {" ".join(key): key for key in space}
    chosen = keys[trial.suggest_categorical("estimator", list(keys))] if len(keys) > 1 else next(iter(space))
    values, own = space[chosen]
    point = {}
    for name, each in values.items():
        at = trial.suggest_int(f"{' '.join(chosen)} {name}", 0, len(each) - 1) if len(each) > 1 else 0
        point[name] = each[at]
    return next(c for c in own if all(c.params[name] == value for name, value in point.items()))
