"""FL006: pool rows that are labeled rows, in memory and in files."""

import numpy as np
import pandas as pd
import pytest
from helpers.checked_data import codes_of, diagnoses, numbers

from foldless import Pool, check
from foldless.checks._check import DoesNotApply


def test_labeled_rows_in_the_pool_are_counted():
    labeled, pool = numbers(40), numbers(100, seed=1)
    both = {name: np.append(pool[name], labeled[name][:6]) for name in pool}
    (one,) = diagnoses("FL006", labeled, pool=both)
    assert one.finding.problem == "6 of 106 pool rows have the content of a labeled row"
    assert one.untold == "rows of the pool have no labels to measure by"
    assert codes_of("FL006", labeled, pool=pool) == []
    with pytest.raises(DoesNotApply, match="no pool"):
        diagnoses("FL006", labeled)


def test_a_pool_in_files_is_read_by_hashes(tmp_path):
    labeled, pool = pd.DataFrame(numbers(40)), pd.DataFrame(numbers(3000, seed=1))
    both = pd.concat([pool, labeled[:6], pool[:50]], ignore_index=True)
    both.to_parquet(tmp_path / "pool.parquet", index=False)
    y = np.arange(40) % 2
    ignore = ["FL012", "FL027", "FL028", "FL029", "FL020", "FL015"]
    findings = check(labeled, y, X_unlabeled=Pool(str(tmp_path / "pool.parquet"), sample=200), ignore=ignore)
    sentences = {finding.code: finding.problem for finding in findings.findings}
    assert sentences["FL006"] == "6 of 3,056 pool rows have the content of a labeled row"
    assert "FL030" not in sentences or sentences["FL030"] == "100 of 3,056 pool rows appear more than once"
