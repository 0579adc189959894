"""Candidates that are right with a given probability, for races that are driven by hand."""

import numpy as np


def noisy(task, accuracies, *, per_fit=True, seed=0):
    """Answers of candidates that are right with these probabilities, on rows they left out and on the pool.

    The true classes of the pool alternate. Rows of the training set are known by heart.
    """
    n = len(task.labeled)
    truth = np.concatenate([task.y, np.arange(len(task.unlabeled)) % task.n_classes])

    def answer(ask):
        at = ask.fit.candidate.index
        key = [seed, at, int.from_bytes(ask.fit.rows.digest[:4], "little") if per_fit else 0]
        rng = np.random.default_rng(key)
        labels = np.where(rng.random(len(truth)) < accuracies[at], truth, (truth + 1) % task.n_classes)
        labels[ask.fit.rows.indices] = truth[ask.fit.rows.indices]
        labels = labels[ask.rows.indices]
        if ask.response == "probabilities":
            return np.eye(task.n_classes)[labels]
        return labels

    assert len(truth) == n + len(task.unlabeled)
    return answer


def fits_of(asked):
    return {ask.fit for ask in asked}
