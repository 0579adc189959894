"""The journal: answers survive, and are never taken for those of something else."""

import multiprocessing
import sqlite3

import numpy as np
import pandas as pd
import polars as pl
import pytest
from helpers.learners import CALLS, Mean, Ridge
from helpers.searches import plain_search
from scipy import sparse
from sklearn.datasets import make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import foldless.engine._keys
from foldless import certify, compare, quantify
from foldless.criteria import KFold, QuantificationBound
from foldless.engine._journal import Entry, Journal
from foldless.errors import BadInput, JournalError, StoppedEarly
from foldless.learners import KernelSVC, LinearSVC, PoolFeatures

GRID = {"C": [0.1, 1.0, 10.0]}


@pytest.fixture
def blobs():
    X, y = make_classification(200, 6, n_informative=4, n_classes=3, random_state=1)
    CALLS.clear()
    return X[:60], y[:60], X[60:]


def run(path, blobs, estimator=None, grid=GRID, **settings):
    X, y, pool = blobs
    return plain_search(estimator or Ridge(), grid, journal=path, **{"random_state": 0, **settings}).fit(
        X, y, X_unlabeled=pool
    )


def test_a_second_run_trains_only_the_final_model(tmp_path, blobs):
    first = run(tmp_path / "j", blobs, criterion="k_fold")
    assert dict(first.selection_.n_fits) == {"run": 15, "shared": 0, "resumed": 0, "final": 1}
    CALLS.clear()
    again = run(tmp_path / "j", blobs, criterion="k_fold")
    assert dict(again.selection_.n_fits) == {"run": 0, "shared": 0, "resumed": 15, "final": 1}
    assert CALLS["fit"] == 1
    assert (first.cv_results_["mean_test_score"] == again.cv_results_["mean_test_score"]).all()
    assert again.cv_results_["mean_fit_time"] == pytest.approx(first.cv_results_["mean_fit_time"])


@pytest.mark.parametrize(
    ("learner", "grid"),
    [
        (PoolFeatures(), {"estimator": ["logistic", "discriminant"]}),
        (LinearSVC(), {"C": [0.1, 10.0]}),
        (KernelSVC(), {"gamma": [0.1, 1.0]}),
        (GaussianNB(), {"var_smoothing": [1e-9, 1e-1]}),
    ],
    ids=lambda given: type(given).__name__,
)
def test_a_new_journal_changes_no_score_nor_does_one_that_is_half_full(tmp_path, blobs, learner, grid):
    steps = Pipeline([("scale", StandardScaler()), ("model", learner)])
    ((name, values),) = grid.items()
    whole = {f"model__{name}": values}

    def scores(path, grid):
        return run(path, blobs, steps, grid, criterion="k_fold").cv_results_["mean_test_score"].tolist()

    plain = scores(None, whole)
    assert scores(tmp_path / "new", whole) == plain
    scores(tmp_path / "half", {f"model__{name}": values[1:]})
    assert scores(tmp_path / "half", whole) == plain


def test_the_bound_resumes_with_one_final_fit(tmp_path, blobs):
    run(tmp_path / "j", blobs)
    assert dict(run(tmp_path / "j", blobs).selection_.n_fits) == {"run": 0, "shared": 0, "resumed": 3, "final": 1}


def test_a_stopped_run_goes_on(tmp_path, blobs, clock):
    with pytest.warns(StoppedEarly):
        part = run(tmp_path / "j", blobs, Ridge(sleep=0.1), criterion="k_fold", time_budget=0.75)
    done = part.selection_.n_fits.run
    assert done == 8
    rest = run(tmp_path / "j", blobs, Ridge(sleep=0.1), criterion="k_fold")
    assert (rest.selection_.n_fits.run, rest.selection_.n_fits.resumed) == (15 - done, done)
    whole = run(None, blobs, Ridge(sleep=0), criterion="k_fold")
    assert (rest.cv_results_["mean_test_score"] == whole.cv_results_["mean_test_score"]).all()


def test_a_new_criterion_whose_questions_are_answered_trains_nothing(tmp_path, blobs):
    X, y, pool = blobs
    run(tmp_path / "j", blobs)
    comparison = compare(
        Ridge(), GRID, X, y, X_unlabeled=pool, journal=tmp_path / "j", random_state=0,
        criteria=[QuantificationBound(measure="macro_f1"), QuantificationBound(form="valid")],
    )  # fmt: skip
    assert dict(comparison.n_fits) == {"run": 0, "shared": 3, "resumed": 3, "final": 0}


def test_a_run_without_a_seed_resumes_too(tmp_path, blobs):
    first = run(tmp_path / "j", blobs, criterion="k_fold", random_state=None)
    again = run(tmp_path / "j", blobs, criterion="k_fold", random_state=None)
    assert again.selection_.n_fits.run == 0
    assert again.best_score_ == first.best_score_


def other_row(X, y, pool):
    X = X.copy()
    X[3, 2] += 1e-9
    return X, y, pool


def other_label(X, y, pool):
    y = y.copy()
    y[3] = (y[3] + 1) % 3
    return X, y, pool


def other_names(X, y, pool):
    return X, np.array(["a", "b", "c"])[y], pool


def other_pool(X, y, pool):
    return X, y, pool[1:]


def other_dtype(X, y, pool):
    return X.astype(np.float32), y, pool.astype(np.float32)


def as_frame(X, y, pool):
    return pd.DataFrame(X).rename(columns=str), y, pd.DataFrame(pool).rename(columns=str)


@pytest.mark.parametrize("change", [other_row, other_label, other_names, other_pool, other_dtype, as_frame])
def test_other_data_is_told_apart(tmp_path, blobs, change):
    run(tmp_path / "j", blobs)
    other = run(tmp_path / "j", change(*blobs))
    assert (other.selection_.n_fits.run, other.selection_.n_fits.resumed) == (3, 0)
    assert "none for this data" in " ".join(other.selection_.notes)
    assert "none for this data" not in " ".join(run(tmp_path / "j", blobs).selection_.notes)


def test_a_longer_pool_leaves_the_folds_valid(tmp_path, blobs):
    run(tmp_path / "j", blobs, criterion="k_fold")
    assert run(tmp_path / "j", other_pool(*blobs), criterion="k_fold").selection_.n_fits.run == 0


def test_a_release_with_other_answers_is_told_apart(tmp_path, blobs, monkeypatch):
    run(tmp_path / "j", blobs)
    monkeypatch.setattr(foldless.engine._keys, "ANSWERS_SINCE", "99")
    assert run(tmp_path / "j", blobs).selection_.n_fits.run == 3


def test_another_seed_or_parameter_is_told_apart(tmp_path, blobs):
    run(tmp_path / "j", blobs, criterion="k_fold")
    assert run(tmp_path / "j", blobs, criterion="k_fold", random_state=1).selection_.n_fits.run == 15
    assert run(tmp_path / "j", blobs, Ridge(sleep=0.001), criterion="k_fold").selection_.n_fits.run == 15
    more = run(tmp_path / "j", blobs, grid={"C": [0.1, 5.0]}, criterion="k_fold")
    assert (more.selection_.n_fits.run, more.selection_.n_fits.resumed) == (5, 5)


def test_an_edited_learner_is_told_apart(tmp_path, blobs, monkeypatch):
    source = "from helpers.learners import Ridge\nclass Mine(Ridge):\n    edition = {}\n"
    monkeypatch.syspath_prepend(tmp_path)

    def learner(edition):
        import importlib
        import sys

        from foldless.engine import _keys as keys

        (tmp_path / "mine.py").write_text(source.format(edition) + "#" * edition)
        sys.modules.pop("mine", None)
        importlib.invalidate_caches()
        keys._module_version.cache_clear()
        return importlib.import_module("mine").Mine()

    run(tmp_path / "j", blobs, learner(1))
    assert run(tmp_path / "j", blobs, learner(1)).selection_.n_fits.run == 0
    assert run(tmp_path / "j", blobs, learner(2)).selection_.n_fits.run == 3


def test_a_batch_is_journaled_whole(tmp_path, blobs):
    run(tmp_path / "j", blobs, Mean())
    assert run(tmp_path / "j", blobs, Mean()).selection_.n_fits.run == 0
    with sqlite3.connect(tmp_path / "j") as db:
        db.execute("DELETE FROM answers WHERE rowid = 2")
    db.close()
    assert run(tmp_path / "j", blobs, Mean()).selection_.n_fits.run == 3
    # another grid is another path, which may start its values from elsewhere
    assert run(tmp_path / "j", blobs, Mean(), grid={"C": [0.1, 1.0]}).selection_.n_fits.run == 2


@pytest.mark.parametrize(
    "form",
    [np.asarray, sparse.csr_array, lambda X: pd.DataFrame(X).rename(columns=str), lambda X: pl.DataFrame(X), list],
    ids=["array", "sparse", "pandas", "polars", "list"],
)
def test_every_form_of_data_resumes(tmp_path, blobs, form):
    X, y, pool = blobs
    data = (form(X), y, form(pool))
    run(tmp_path / "j", data, make_pipeline(FunctionTransformer(np.asarray), Ridge()) if form is list else None,
        {"ridge__C": [1.0]} if form is list else GRID, criterion=KFold(3))  # fmt: skip
    again = run(tmp_path / "j", (form(X.copy()), y, form(pool.copy())),
                make_pipeline(FunctionTransformer(np.asarray), Ridge()) if form is list else None,
                {"ridge__C": [1.0]} if form is list else GRID, criterion=KFold(3))  # fmt: skip
    assert again.selection_.n_fits.run == 0


def test_text_columns_are_told_apart(tmp_path):
    texts = pd.Series(["good", "bad", "fine", "poor"] * 5)
    from foldless.engine._keys import of_features

    changed = texts.copy()
    changed[3] = "poor "
    assert of_features(texts) == of_features(texts.copy()) != of_features(changed)
    assert of_features(list(texts)) == of_features([str(t) + "" for t in texts]) != of_features(list(changed))


def test_candidates_that_cannot_be_pickled_are_refused(tmp_path, blobs):
    pipeline = make_pipeline(FunctionTransformer(lambda X: X), StandardScaler(), Ridge())
    with pytest.raises(JournalError, match="can be pickled"):
        run(tmp_path / "j", blobs, pipeline, {"ridge__C": [1.0]})


def test_files_that_are_no_journal_stay_as_they_are(tmp_path, blobs):
    text = tmp_path / "notes.txt"
    text.write_text("not a journal " * 50)
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE mine (x)")
    db.close()
    newer = tmp_path / "newer"
    Journal(newer)
    with sqlite3.connect(newer) as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    for path, word in ((text, "not a database"), (other, "another program"), (newer, "format 99")):
        before = path.read_bytes()
        with pytest.raises(JournalError, match=word):
            run(path, blobs)
        assert path.read_bytes() == before
    for path in (tmp_path, tmp_path / "nowhere" / "j"):
        with pytest.raises(JournalError, match="existing folder"):
            run(path, blobs)


@pytest.mark.slow
def test_two_writers_keep_both(tmp_path):
    path = tmp_path / "j"
    Journal(path)
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=write_many, args=(str(path), at)) for at in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(60)
        assert writer.exitcode == 0
    journal = Journal(path)
    assert len(journal) == 150  # 100 each, 50 of them the same
    for at in (0, 75, 149):
        (entry,) = journal.read([str(at).encode()]).values()
        assert entry.answer.tolist() == [at] * 100


@pytest.mark.slow
def test_many_openers_of_a_new_journal(tmp_path):
    """Whoever comes second sees no file, or a whole journal."""
    context = multiprocessing.get_context("fork")
    for round_ in range(5):
        path = str(tmp_path / f"j{round_}")
        openers = [context.Process(target=open_and_count, args=(path,)) for _ in range(6)]
        for opener in openers:
            opener.start()
        for opener in openers:
            opener.join(60)
            assert opener.exitcode == 0


def open_and_count(path):
    assert len(Journal(path)) == 0


def write_many(path, which):
    journal = Journal(path)
    for at in range(100):
        number = at + 50 * which
        journal.write([(str(number).encode(), Entry(np.full(100, number), 0.0, 0.0))])


@pytest.mark.slow
def test_a_flipped_bit_changes_no_result(tmp_path, blobs):
    """Forty bits of the file, each flipped alone: the same result, or the journal is refused with a sentence."""
    path, rng = tmp_path / "j", np.random.default_rng(0)
    first = run(path, blobs, criterion="k_fold", random_state=None)
    whole = path.read_bytes()
    expected, dropped = first.cv_results_["mean_test_score"].tolist(), 0
    for bit in rng.choice(8 * len(whole), 40, replace=False).tolist():
        broken = bytearray(whole)
        broken[bit // 8] ^= 1 << bit % 8
        path.write_bytes(broken)
        try:
            again = run(path, blobs, criterion="k_fold", random_state=None)
        except JournalError:
            continue
        if any("damaged" in note for note in again.selection_.notes):
            dropped += 1
        assert again.cv_results_["mean_test_score"].tolist() == expected
    assert dropped


@pytest.mark.parametrize(
    "wrong",
    [
        lambda answer: answer[:-1],
        lambda answer: answer.astype(float),
        lambda answer: np.full(len(answer), np.nan),
        lambda answer: np.full_like(answer, -7),
        lambda answer: np.full_like(answer, 3),
        lambda answer: answer.reshape(-1, 1),
        lambda answer: answer.astype(str),
    ],
)
def test_what_cannot_be_an_answer_is_computed_again(tmp_path, blobs, wrong):
    first, journal = run(tmp_path / "j", blobs, criterion=QuantificationBound()), Journal(tmp_path / "j")
    with sqlite3.connect(tmp_path / "j") as db:
        keys = [key for (key,) in db.execute("SELECT key FROM answers").fetchall()]
        entries = journal.read(keys)
        db.execute("DELETE FROM answers")
    db.close()
    journal.write((key, entry._replace(answer=wrong(entry.answer))) for key, entry in entries.items())
    journal.close()
    again = run(tmp_path / "j", blobs, criterion=QuantificationBound())
    assert again.selection_.n_fits.run == 3
    assert f"damaged entries of {tmp_path / 'j'} are computed again" in " ".join(again.selection_.notes)
    assert again.best_score_ == first.best_score_
    assert run(tmp_path / "j", blobs, criterion=QuantificationBound()).selection_.n_fits.run == 0


def test_answers_of_releases_that_wrote_no_checksum_are_used(tmp_path, blobs):
    first = run(tmp_path / "j", blobs, criterion=QuantificationBound())
    with sqlite3.connect(tmp_path / "j") as db:
        db.execute("UPDATE answers SET answer = substr(answer, 1, length(answer) - 16)")
    db.close()
    again = run(tmp_path / "j", blobs, criterion=QuantificationBound())
    assert (again.selection_.n_fits.run, again.best_score_) == (0, first.best_score_)
    with sqlite3.connect(tmp_path / "j") as db:
        db.execute("UPDATE answers SET answer = substr(answer, 1, length(answer) - 1)")
    db.close()
    again = run(tmp_path / "j", blobs, criterion=QuantificationBound())
    assert (again.selection_.n_fits.run, again.best_score_) == (3, first.best_score_)


def test_damaged_text_that_sqlite_quotes_is_one_sentence(tmp_path):
    Journal(tmp_path / "j").close()
    content = (tmp_path / "j").read_bytes()
    (tmp_path / "j").write_bytes(content.replace(b"key BLOB PRIMARY KEY", b"key BLOB PRI\x84ARY KEY"))
    with pytest.raises(JournalError, match=r"cannot be used: .*; name another file"):
        Journal(tmp_path / "j")


@pytest.mark.parametrize("journal", [5, True, b"j", ["j"]])
@pytest.mark.parametrize("call", [compare, certify, quantify, plain_search])
def test_a_journal_is_a_path(tmp_path, monkeypatch, blobs, call, journal):
    monkeypatch.chdir(tmp_path)
    X, y, pool = blobs
    with pytest.raises(BadInput, match="journal must be the path of a file, or None, got "):
        if call is plain_search:
            run(journal, blobs)
        elif call is compare:
            compare(Ridge(), GRID, X, y, X_unlabeled=pool, journal=journal)
        else:
            call(Ridge(), X, y, param_grid=GRID, X_unlabeled=pool, journal=journal)
    assert not list(tmp_path.iterdir())
