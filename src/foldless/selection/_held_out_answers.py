"""What candidates said of labels that their fits left out, as tables: no fit is made for it.

From these tables come what each member adds to an average, and what an average would have where one candidate was
chosen. By paired differences on the same rows candidates are statistically tied with the chosen one, or not.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from foldless.accuracy import paired_difference
from foldless.accuracy._temperature import probabilities, temperature
from foldless.core import Array, Ask, Candidate, Choice, Task
from foldless.engine._run import Engine
from foldless.errors import Note, SetArgument
from foldless.judging._combining import log_losses, member_weights
from foldless.results.contribution import AverageOutOfFold, Contribution
from foldless.results.difference import Difference

KINDS = ("probabilities", "scores", "labels")  # the first that a candidate was asked for is read
MAX_NUMBERS = 50_000_000  # candidates times rows times classes: 400 megabytes
FOLDS = 5
FEWEST = 20  # labels, below which a comparison of two accuracies says nothing
FIRST = 20  # candidates of a ranking that are compared with the first


def answers_about_labels(engine: Engine, task: Task) -> dict[Candidate, list[tuple[Ask, Array]]]:
    """What the fits of each candidate said of labeled rows."""
    by_candidate: dict[Candidate, list[tuple[Ask, Array]]] = {}
    for ask, answer in engine.answers.items():
        if _is_about_labels(ask, len(task.labeled)):
            by_candidate.setdefault(ask.fit.candidate, []).append((ask, answer))
    return by_candidate


def held_out_table(answers: Sequence[tuple[Ask, Array]], task: Task, heat: float | None = None) -> Array:
    """Probabilities (n, K) of the labeled rows by fits that left them out, the mean of several; NaN where none did.

    Scores are divided by ``heat``, or by the temperature that suits them; labels count as certain.
    """
    n = len(task.labeled)
    for kind in KINDS:
        total, times = np.zeros((n, task.n_classes)), np.zeros(n)
        for ask, answer in answers:
            if ask.response == kind:
                rows = ask.rows.indices
                held = (rows < n) & ~np.isin(rows, ask.fit.rows.indices)
                said = answer[held]
                votes = said[:, None] == np.arange(task.n_classes) if kind == "labels" else said  # −1 is no vote
                np.add.at(total, rows[held], votes)
                np.add.at(times, rows[held], 1)
        if times.any():
            known = times > 0
            with np.errstate(invalid="ignore", divide="ignore"):
                table = total / times[:, None]
                if kind == "scores":
                    fitted = temperature(table[known], task.y[known]) if heat is None else heat
                    table[known] = probabilities(table[known], fitted)
            table[known & ~np.isfinite(table).all(axis=1)] = 1 / task.n_classes
            return table
    return np.full((n, task.n_classes), np.nan)


def contributions(engine: Engine, task: Task, choice: Choice) -> AverageOutOfFold | None:
    """What each candidate of an average adds to it; None where it is none, or its labels are not known."""
    candidates = list(dict.fromkeys(fit.candidate for fit in choice.fits))
    if len(candidates) < 2 or task.regression or any(fit.labels is not None for fit in choice.fits):
        return None
    if len(candidates) * len(task.y) * task.n_classes > MAX_NUMBERS:
        return None
    heats = dict(zip((fit.candidate for fit in choice.fits), choice.vote.temperatures, strict=False))
    answers = answers_about_labels(engine, task)
    tables = np.array([held_out_table(answers.get(c, ()), task, heats.get(c)) for c in candidates])
    known = np.isfinite(tables).all(axis=(0, 2))
    if not known.any():
        return None
    weights = _weights(choice, candidates)
    rows = np.flatnonzero(known)
    shares = np.ones(len(rows)) if task.draws.comparing is None else task.draws.comparing[rows]
    shares = shares / shares.sum()
    tables, y = tables[:, rows], task.y[rows]
    accuracy, loss = _measured(weights, tables, y, shares)
    each = {}
    for at in np.argsort(-weights, kind="stable"):
        rest = weights.copy()
        rest[at] = 0
        without = _measured(rest / rest.sum(), tables, y, shares) if rest.any() else (np.nan, np.nan)
        each[candidates[at]] = Contribution(float(weights[at]), *without)
    return AverageOutOfFold(accuracy, loss, len(rows), each)


def average_beside(engine: Engine, task: Task, ranking: Sequence[Choice]) -> Note | None:
    """What an average of the candidates would have where the first was chosen, on labels that all of them left out.

    Both are judged without the fold of a row: the weights are found and the best is chosen by the other rows. None
    where one candidate is alone, or too few labels are known.
    """
    best = ranking[0].candidate
    candidates = list(dict.fromkeys(choice.candidate for choice in ranking if not choice.degenerate))
    families = {str(candidate.params.get("estimator", "")) for candidate in candidates}
    if task.regression or len(families) < 2 or len(candidates) * len(task.y) * task.n_classes > MAX_NUMBERS:
        return None
    answers = answers_about_labels(engine, task)
    tables = {candidate: held_out_table(answers.get(candidate, ()), task) for candidate in candidates}
    known: dict[Candidate, Array] = {c: np.asarray(np.isfinite(table).all(axis=1)) for c, table in tables.items()}
    rows = np.flatnonzero(known[best]) if best in known else np.zeros(0, dtype=np.intp)
    members = [candidate for candidate in candidates if len(rows) and known[candidate][rows].all()]
    if len(rows) < FEWEST or len(members) < 2:
        return None
    table, y = np.array([tables[candidate][rows] for candidate in members]), task.y[rows]
    p_true, correct = table[:, np.arange(len(rows)), y], table.argmax(axis=2) == y
    right, alone = 0, 0
    fold_of = task.rng("average beside").permutation(len(rows)) % FOLDS
    for fold in range(FOLDS):
        others, test = fold_of != fold, fold_of == fold
        share = np.full(int(others.sum()), 1 / max(1, int(others.sum())))
        weights = member_weights(p_true[:, others], correct[:, others], share, task.rng("members"))
        right += int((np.tensordot(weights, table[:, test], 1).argmax(axis=1) == y[test]).sum())
        alone += int(correct[int(correct[:, others].mean(axis=1).argmax())][test].sum())
    return Note(
        f"an average of the candidates would have accuracy {right / len(rows):.3f} on {len(rows):,} held-out labels, "
        f"and the best candidate {alone / len(rows):.3f}; its weights, and the best one, were found without them",
        remedy=[SetArgument("offer", "average", "combine them")] if right > alone else [],
    )


def differences(ranking: Sequence[Choice], right: Mapping[Candidate, Array], task: Task) -> dict[Candidate, Difference]:
    """The difference of the first-ranked candidates to the chosen one, where both were judged on held-out labels.

    Labels that were drawn with unequal probabilities weigh as they do in the scores of the race.
    """
    best = ranking[0].candidate
    if best not in right or len({fit.candidate for fit in ranking[0].fits}) > 1:  # the average was not asked itself
        return {}
    units = task.units
    others = dict.fromkeys(choice.candidate for choice in ranking if choice.candidate != best)
    compared = {
        c: paired_difference(right[best], right[c], units, weights=task.draws.comparing)
        for c in list(others)[:FIRST]
        if c in right
    }
    return {c: difference for c, difference in compared.items() if difference is not None}


def _is_about_labels(ask: Ask, n: int) -> bool:
    """Whether a fit on true labels answered about labeled rows, by itself and not in sums."""
    fit, rows = ask.fit, ask.rows
    return (
        fit.labels is None and ask.reduce is None and ask.by is None
        and bool(len(rows)) and rows.bounds[0] < n and fit.rows.bounds[1] < n
    )  # fmt: skip


def _weights(choice: Choice, candidates: Sequence[Candidate]) -> Array:
    votes = choice.vote.weights or (1.0,) * len(choice.fits)
    totals = np.zeros(len(candidates))
    for fit, vote in zip(choice.fits, votes, strict=True):
        totals[candidates.index(fit.candidate)] += vote
    return np.asarray(totals / totals.sum())


def _measured(weights: Array, tables: Array, y: Array, shares: Array) -> tuple[float, float]:
    """Accuracy and log loss of an average."""
    average = np.tensordot(weights, tables, 1)
    p_true = average[np.arange(len(y)), y]
    return float((average.argmax(axis=1) == y) @ shares), float(log_losses(p_true[None], shares)[0])
