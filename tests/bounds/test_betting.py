import numpy as np
import pytest

from foldless.bounds import _betting as betting
from foldless.bounds._betting import upper


def by_the_book(counts, of, delta):
    """The smallest q on a grid at which the capital, played row by row, reaches 1/δ."""
    values = [count / of for count in counts]
    for q in np.arange(0.0005, 1, 0.0005):
        capital, richest, total, squares, n = 1.0, 1.0, 0.5, 0.25, 1
        for value in values:
            stake = min(np.sqrt(2 * np.log(1 / delta) / (len(values) * squares / n)), 0.75 / (1 - q))
            capital *= 1 + stake * (q - value)
            richest = max(richest, capital)
            total, n = total + value, n + 1
            squares += (value - total / n) ** 2
        if richest >= 1 / delta:
            return q
    return 1.0


@pytest.mark.parametrize("seed", range(6))
def test_it_is_where_a_gambler_gets_rich(seed):
    rng = np.random.default_rng(seed)
    counts, delta = rng.binomial(5, rng.beta(0.3, 2), 40), rng.choice([0.1, 0.01])
    found, expected = upper(counts, 5, delta), by_the_book(counts, 5, delta)
    assert expected - 0.0006 <= found <= expected + 0.0001


def test_no_row_makes_nobody_rich():
    assert by_the_book([], 5, 0.1) == upper(np.array([], dtype=int), 5, 0.1) == 1


def test_lucky_first_rows_may_bring_it_below_the_mean():
    counts = np.concatenate([np.zeros(500, dtype=int), np.ones(30, dtype=int)])
    assert upper(counts, 1, 0.05) < counts.mean()


def test_a_million_rows_are_passed_a_few_times(monkeypatch):
    passes, bisection = [], betting.smallest_rejected

    def counted(rejects, *bracket):
        return bisection(lambda q: passes.append(q) or rejects(q), *bracket)

    monkeypatch.setattr(betting, "smallest_rejected", counted)
    counts = np.random.default_rng(0).binomial(5, 0.02, 10**6)
    assert 0.02 < upper(counts, 5, 1e-4) < 0.0206
    assert len(passes) < 25
