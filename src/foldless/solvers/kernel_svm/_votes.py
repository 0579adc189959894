"""One-vs-one: every pair of classes is a machine that votes, and the class with most votes wins, the first of equals.

The score of pair (a, b) is a sum over the support vectors of class a and one over those of class b. ``products[a]``
has the former for rows, partners of a and costs: b is at b − 1 where b > a, else at b. Positive scores are votes for a.
"""

from numba import njit

from foldless.solvers._lanes import KERNEL


@njit(**KERNEL)
def elect(products, intercepts, present, votes, labels):
    """Write the number of the winning class for every row and cost; classes that are not present do not stand."""
    n_classes, n_rows, _, n_costs = products.shape
    for row in range(n_rows):
        for at in range(n_costs):
            for k in range(n_classes):
                votes[at, k] = 0 if present[k] else -1
        pair = 0
        for a in range(n_classes):
            for b in range(a + 1, n_classes):
                if present[a] and present[b]:
                    for at in range(n_costs):
                        s = products[a, row, b - 1, at] + products[b, row, a, at] + intercepts[at, pair]
                        votes[at, a if s > 0 else b] += 1
                pair += 1
        for at in range(n_costs):
            first = 0
            for k in range(1, n_classes):
                first = k if votes[at, k] > votes[at, first] else first
            labels[row, at] = first


@njit(**KERNEL)
def score(products, intercepts, present, sums, scores):
    """Write a score for every row, cost and class: its votes, plus less than a third for the sum of its scores.

    With two classes it is the score of their machine, with the sign that makes it a score of the class.
    """
    n_classes, n_rows, _, n_costs = products.shape
    two = present.sum() == 2
    scores[:] = 0
    for row in range(n_rows):
        sums[:] = 0
        pair = 0
        for a in range(n_classes):
            for b in range(a + 1, n_classes):
                if present[a] and present[b]:
                    for at in range(n_costs):
                        s = products[a, row, b - 1, at] + products[b, row, a, at] + intercepts[at, pair]
                        scores[row, at, b if s < 0 else a] += 1
                        sums[at, a] += s
                        sums[at, b] -= s
                pair += 1
        for at in range(n_costs):
            for k in range(n_classes):
                total = sums[at, k]
                scores[row, at, k] = total if two else scores[row, at, k] + total / (3 * (abs(total) + 1))
