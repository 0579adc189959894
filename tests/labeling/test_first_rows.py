"""The first rows to label: typical, of all parts of the pool, and as likely as is said."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs

from foldless.labeling import _first_rows, first_rows
from foldless.labeling._first_rows import draw_typical, typicality

CENTERS = np.array([[0, 0], [0, 20], [20, 0], [20, 20]])


@pytest.fixture(scope="module")
def pool():
    """Three large and one small group of rows, and some far from all."""
    X, _ = make_blobs([300, 300, 300, 30], centers=CENTERS, shuffle=False, random_state=0)
    return np.vstack([X, np.random.default_rng(0).uniform(-40, 60, size=(40, 2))])


def test_rows_far_from_all_others_are_drawn_seldom_and_every_group_is(pool):
    seen = [first_rows(pool, 20, random_state=seed).rows for seed in range(20)]
    assert np.mean([np.mean(rows >= 930) for rows in seen]) < 0.8 * 40 / 970
    assert all(np.bincount(rows[rows < 900] // 300, minlength=3).min() >= 3 for rows in seen)
    assert all(len(set(rows.tolist())) == 20 for rows in seen)


def test_probabilities_are_those_of_the_draw(pool):
    sums = [(1 / first_rows(pool, 20, random_state=seed).probabilities).sum() for seed in range(30)]
    assert np.mean(sums) == pytest.approx(970, rel=0.08)  # Horvitz and Thompson: the rows of the pool
    assert first_rows(pool, 20).probabilities.min() >= 0.5 * 20 / 970
    again, same = first_rows(pool, 20, random_state=3), first_rows(pool, 20, random_state=3)
    assert again.rows.tolist() == same.rows.tolist()


def test_a_part_of_a_large_pool_is_read(pool, monkeypatch):
    monkeypatch.setattr(_first_rows, "MAX_READ", 200)
    sums = [(1 / first_rows(pool, 20, random_state=seed).probabilities).sum() for seed in range(40)]
    assert np.mean(sums) == pytest.approx(970, rel=0.1)


def test_parts_that_have_labels_have_fewer_of_the_new_ones(pool):
    labeled = np.tile(CENTERS[:1], (10, 1)) + np.random.default_rng(1).normal(size=(10, 2))
    scores, *_ = draw_typical(labeled, pool, 20, np.random.default_rng(0))
    assert scores[:300].mean() < 0.5 * scores[300:900].mean()


def test_texts_frames_constant_rows_and_few_of_them():
    texts = [f"words about {topic} number {n}" for n in range(30) for topic in ("sport", "money")]
    assert len(set(first_rows(texts, 10).rows.tolist())) == 10
    frame = pd.DataFrame({"a": np.arange(60.0), "b": ["x", "y"] * 30})
    assert len(set(first_rows(frame, 10, X=frame[:5]).rows.tolist())) == 10
    assert len(set(first_rows(np.ones((40, 2)), 10).rows.tolist())) == 10
    assert sorted(first_rows(frame[:3], 10).rows.tolist()) == [0, 1, 2]
    assert typicality(np.zeros((1, 2))).tolist() == [1.0]
