"""A pool in its files: its sample is drawn at random, from any units, and always the same with the same seed."""

from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from scipy.stats import binom

from foldless.data._stored_pool import Block, StoredPool


class Numbers:
    """The numbers from 0 on, in units of some sizes, read in blocks of three."""

    name, notes, most = "numbers", (), 3

    def __init__(self, *sizes: int):
        self.sizes, self.read = sizes, []

    def blocks(self, units: Sequence[int], columns: Sequence[str]) -> Iterator[Block]:
        starts = np.concatenate([[0], np.cumsum(self.sizes)])
        for unit in units:
            self.read.append(unit)
            rows = np.arange(starts[unit], starts[unit + 1])
            for at in range(0, len(rows), self.most):
                yield Block(f"unit {unit}", rows[at : at + self.most])

    def each(self, work, columns):
        return None

    def joined(self, tables):
        return np.concatenate(tables)

    def digest(self) -> bytes:
        return b""


def pool(source: Numbers, size: int, seed: int = 0) -> StoredPool:
    return StoredPool(source, np.asarray, ["x"], size, seed)


def test_the_sample_has_distinct_rows_in_order_and_is_the_same_with_the_same_seed():
    sample = pool(Numbers(7, 0, 5, 11), 9).sample
    assert len(sample) == len(set(sample.tolist())) == 9
    assert (np.diff(sample) > 0).all()
    assert sample.tolist() == pool(Numbers(7, 0, 5, 11), 9).sample.tolist()
    assert sample.tolist() != pool(Numbers(7, 0, 5, 11), 9, seed=1).sample.tolist()


def test_a_sample_as_large_as_the_pool_is_the_pool():
    assert pool(Numbers(4, 3), 100).sample.tolist() == list(range(7))
    assert pool(Numbers(4, 3), 100).error == 0


def test_units_without_a_sampled_row_are_not_read():
    source = Numbers(*[2] * 50)
    sample = pool(source, 5).sample
    assert source.read == sorted({row // 2 for row in sample.tolist()})


def test_blocks_are_all_rows_with_the_place_they_are_from():
    found = list(pool(Numbers(4, 2), 1).blocks())
    assert [place for place, _ in found] == ["unit 0", "unit 0", "unit 1"]
    assert np.concatenate([rows for _, rows in found]).tolist() == list(range(6))


@pytest.mark.parametrize("broken", [False, True])
def test_a_share_of_the_sample_is_within_the_stated_error_in_19_of_20_samples(broken, monkeypatch):
    """The rows are sorted by class, so that the first ones are no random sample: the broken twin."""
    monkeypatch.setattr(Numbers, "most", 1000)
    n, size, draws = 2000, 200, 400
    truth = np.arange(n) < 600
    pools = [pool(Numbers(1000, 1000), size, seed) for seed in range(draws)]
    samples = [np.arange(size) if broken else each.sample for each in pools]
    hits = sum(abs(truth[sample].mean() - 0.3) <= pools[0].error for sample in samples)
    assert (binom.cdf(hits, draws, 0.95) < 1e-6) == broken
