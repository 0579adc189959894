"""Checkpoints: the same state to the bit, refused where files or options are others, damaged files messages."""

import gzip
import os

import numpy as np
import pandas as pd
import pytest
from helpers.stream_files import rows, same, trained, trainer
from scipy import sparse

from foldless.errors import BadInput
from foldless.io import _atomic as atomic
from foldless.io._atomic import placed, sweep
from foldless.online import NEMSIS, SCAN, OnePassMiniBatch
from foldless.streams import _checkpoints as checkpoints

LEARNERS = {
    "nemsis": NEMSIS("bakld"),
    "nemsis-ns": NEMSIS("q_measure", non_surrogate=True, average=False),
    "scan": SCAN("cq_reward"),
    "one-pass": OnePassMiniBatch("kld"),
}


def stop_after(n):
    """Says that it is enough when so many rows are learned."""
    return lambda trainer: trainer.state is None or trainer.state.rows < n


def kept(tmp_path, paths, n, **plan):
    """A checkpoint of a training that was left behind n rows."""
    left = trainer(paths, **plan)
    left.run(stop_after(n))
    checkpoints.write(tmp_path / "c", left.state, left.plan, left.stream.parts, left.ledger)
    return left


def gone_on(tmp_path, paths, **plan):
    again = trainer(paths, **plan)
    again.take(checkpoints.read(tmp_path / "c", again.plan, again.stream.parts, again.ledger))
    return again


@pytest.mark.slow
@pytest.mark.parametrize("file", ["a.csv", "a.parquet", "a.csv.gz"])
@pytest.mark.parametrize("n", [100, 450, 700])
def test_a_run_goes_on_to_the_same_bits(tmp_path, file, n):
    table = rows(700)
    table.loc[[30, 333, 555], "topic"] = None
    table.to_parquet(tmp_path / file, row_group_size=90) if file == "a.parquet" else table.to_csv(tmp_path / file)
    paths = [tmp_path / file]
    whole, left = trained(paths), kept(tmp_path, paths, n)
    again = gone_on(tmp_path, paths)
    assert again.state.rows == left.state.rows
    assert same(again.state, left.state)
    assert same(again.run(lambda _: True), whole)
    assert again.ledger.counts == {"missing label": 3}
    assert n != 100 or not same(left.state, whole)


def test_of_many_classes_a_run_goes_on_to_the_same_bits(tmp_path):
    at = np.arange(2000)
    pd.DataFrame({"x": at % 150, "z": at % 7, "topic": at % 150}).to_csv(tmp_path / "a.csv", index=False)
    paths = [tmp_path / "a.csv"]
    whole, left = trained(paths, batch=400), kept(tmp_path, paths, 800, batch=400)
    again = gone_on(tmp_path, paths, batch=400)
    assert sparse.issparse(again.state.evaluation.recent.table)
    assert same(again.state, left.state)
    assert same(again.run(lambda _: True), whole)


@pytest.mark.slow
@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_goes_on_to_the_same_bits(tmp_path, name):
    rows(900).to_parquet(tmp_path / "a.parquet")
    paths = [tmp_path / "a.parquet"]

    def fresh():
        begun = trainer(paths, hold=0)
        begun.learner = type(LEARNERS[name])(**LEARNERS[name].get_params())
        return begun

    whole, left = fresh(), fresh()
    whole.run(lambda _: True)
    left.run(stop_after(350))
    checkpoints.write(tmp_path / "c", left.state, left.plan, left.stream.parts, left.ledger)
    again = gone_on(tmp_path, paths, hold=0)
    again.run(lambda _: True)
    assert np.array_equal(again.state.learner.coef_, whole.state.learner.coef_)
    assert np.array_equal(again.state.learner.intercept_, whole.state.learner.intercept_)
    assert not np.array_equal(left.state.learner.coef_, whole.state.learner.coef_)


@pytest.mark.slow
def test_over_several_files(tmp_path):
    table = rows(900)
    paths = [tmp_path / f"{at}.csv" for at in range(3)]
    for at, path in enumerate(paths):
        table[300 * at : 300 * (at + 1)].to_csv(path, index=False)
    kept(tmp_path, paths, 500)
    assert same(gone_on(tmp_path, paths).run(lambda _: True), trained(paths))


@pytest.mark.slow
def test_more_files_may_follow(tmp_path):
    table = rows(900)
    paths = [tmp_path / f"{at}.csv" for at in range(3)]
    for at, path in enumerate(paths):
        table[300 * at : 300 * (at + 1)].to_csv(path, index=False)
    kept(tmp_path, paths[:2], 600)
    assert same(gone_on(tmp_path, paths).run(lambda _: True), trained(paths))


@pytest.mark.parametrize("how", ["longer", "touched", "rewritten", "gone"])
def test_a_parquet_file_that_has_changed(tmp_path, how):
    path = tmp_path / "a.parquet"
    rows(500).to_parquet(path)
    kept(tmp_path, [path], 200)
    seen, content = path.stat(), path.read_bytes()
    if how == "longer":
        path.write_bytes(content + b" ")
    elif how == "rewritten":
        path.write_bytes(content[:100] + b"?" + content[101:])
        os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    elif how == "touched":
        os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns + 1))
    else:
        path = path.rename(tmp_path / "b.parquet")
    words = {
        "longer": "its size differs",
        "rewritten": "its first bytes differ",
        "touched": "its modification time differs",
    }
    gone = "has read .*a.parquet as part 1 of the stream, where .*b.parquet is now"
    with pytest.raises(BadInput, match=words.get(how, gone)):
        gone_on(tmp_path, [path])


def test_a_text_file_before_the_one_where_a_run_was_left_must_be_as_it_was(tmp_path):
    table, paths = rows(600), [tmp_path / "a.csv", tmp_path / "b.csv"]
    for at, path in enumerate(paths):
        table[300 * at : 300 * (at + 1)].to_csv(path, index=False)
    kept(tmp_path, paths, 400)
    with paths[0].open("a") as file:
        file.write("1.0,2.0,red,a\n")
    with pytest.raises(BadInput, match=r"a\.csv has changed .*its size differs.* on_error='skip'"):
        gone_on(tmp_path, paths)


@pytest.mark.parametrize("packed", [False, True])
def test_a_row_that_stopped_a_run_may_be_mended(tmp_path, packed):
    path = tmp_path / ("a.csv.gz" if packed else "a.csv")
    lines = rows(500).to_csv(index=False).encode().splitlines(keepends=True)

    def write(text):
        path.write_bytes(gzip.compress(text) if packed else text)

    write(b"".join([*lines[:350], b"1.0,2.0\n", *lines[351:]]))
    stopped = trainer([path], on_error="stop")
    with pytest.raises(BadInput, match="row 350"):
        stopped.run(lambda _: True)
    checkpoints.write(tmp_path / "c", stopped.state, stopped.plan, stopped.stream.parts, stopped.ledger)
    write(b"".join(lines))
    again = gone_on(tmp_path, [path])
    assert again.state.rows == 300
    assert same(again.run(lambda _: True), trained([path]))


def test_a_text_file_that_has_grown_is_read_on(tmp_path):
    path = tmp_path / "a.csv"
    lines = rows(600).to_csv(index=False).splitlines(keepends=True)
    path.write_text("".join(lines[:401]).rstrip("\n"))  # 400 rows: the end of a batch, so that one run has the same
    kept(tmp_path, [path], 400)
    path.write_text("".join(lines) + "1.0,2.0\n")
    messages = []
    again = trainer([path], messages)
    again.take(checkpoints.read(tmp_path / "c", again.plan, again.stream.parts, again.ledger))
    assert same(again.run(lambda _: True), trained([path]))
    assert messages == [f"skipped: row 601 (line 602) of {path} has 2 values and the header has 4"]


def test_a_short_stream_that_has_grown_is_read_on(tmp_path):
    path = tmp_path / "a.csv"
    lines = rows(250).to_csv(index=False).splitlines(keepends=True)
    path.write_text("".join(lines[:51]))
    kept(tmp_path, [path], 50)
    path.write_text("".join(lines))
    assert gone_on(tmp_path, [path]).run(lambda _: True).rows == 250


@pytest.mark.parametrize("how", ["changed", "cut", "a line that has grown"])
def test_bytes_that_were_read_must_be_as_they_were(tmp_path, how):
    path = tmp_path / "a.csv"
    text = rows(200).to_csv(index=False).rstrip("\n")
    path.write_text(text)
    kept(tmp_path, [path], 200)
    at = len(text) // 2
    digit = str((int(text[at]) + 1) % 10) if text[at].isdigit() else "7"
    path.write_text(
        {"changed": text[:at] + digit + text[at + 1 :], "cut": text[:at], "a line that has grown": text + "b\n"}[how]
    )
    words = (
        "line 201 of .*a.csv was the last when the checkpoint was written, and has grown"
        if "line" in how
        else "has changed in its"
    )
    again = gone_on(tmp_path, [path])
    with pytest.raises(BadInput, match=words):
        again.run(lambda _: True)


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"params": {"measure": "kld"}}, "parameters measure=bakld and not measure=kld"),
        ({"batch": 50}, "batch 100 and not 50"),
        ({"hold": 0}, "hold 50 and not 0"),
        ({"seed": 5}, "seed 0 and not 5"),
        ({"drop": ("z",)}, "dropped columns nothing and not z"),
        ({"label": "color"}, "label topic and not color"),
        ({"kinds": {"z": "categorical"}}, "kinds of columns nothing and not z=categorical"),
        ({"missing": "impute"}, "missing values error and not impute"),
        ({"classes": ("a", "b")}, "classes nothing and not a, b"),
    ],
)
def test_other_options(tmp_path, other, words):
    rows(300).to_csv(tmp_path / "a.csv", index=False)
    kept(tmp_path, [tmp_path / "a.csv"], 200)
    with pytest.raises(BadInput, match=words):
        gone_on(tmp_path, [tmp_path / "a.csv"], **other)


def test_a_fault_may_be_skipped_after_it_stopped_a_run(tmp_path):
    table = rows(500)
    table.loc[350, "topic"] = "c"
    table.to_csv(tmp_path / "a.csv", index=False)
    stopped = trainer([tmp_path / "a.csv"], on_error="stop")
    with pytest.raises(BadInput, match="row 351"):
        stopped.run(lambda _: True)
    checkpoints.write(tmp_path / "c", stopped.state, stopped.plan, stopped.stream.parts, stopped.ledger)
    assert same(gone_on(tmp_path, [tmp_path / "a.csv"]).run(lambda _: True), trained([tmp_path / "a.csv"]))


def test_damage_is_found(tmp_path):
    rows(300).to_csv(tmp_path / "a.csv", index=False)
    kept(tmp_path, [tmp_path / "a.csv"], 200)
    content = (tmp_path / "c").read_bytes()
    where = content.index(b'"rows": 200')
    for bad in (b"", b"no archive", content[:-100], content[:where] + b'"rows": 201' + content[where + 11 :]):
        (tmp_path / "c").write_bytes(bad)
        with pytest.raises(BadInput, match=r"not a checkpoint of a stream|does not match its digest"):
            gone_on(tmp_path, [tmp_path / "a.csv"])


def test_a_checkpoint_is_replaced_in_one_step(tmp_path, monkeypatch):
    rows(300).to_csv(tmp_path / "a.csv", index=False)
    left = kept(tmp_path, [tmp_path / "a.csv"], 200)
    before = (tmp_path / "c").read_bytes()

    def killed(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", killed)
    with pytest.raises(KeyboardInterrupt):
        checkpoints.write(tmp_path / "c", left.state, left.plan, left.stream.parts, left.ledger)
    assert (tmp_path / "c").read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "c"]


def test_only_what_was_left_half_written_is_swept(tmp_path):
    """Files of the user with names like ours, and what a killed run has left."""
    mine = [".ck.20241115", ".ck.99999999", ".ck.foldless-1.unfinished", ".ck.foldless-20241115.csv"]
    left = ".ck.foldless-99999999-0123abcd.unfinished"
    for name in (*mine, left):
        (tmp_path / name).write_text("mine")
    sweep(tmp_path / "ck")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(mine)


def test_a_killed_write_leaves_what_a_sweep_finds(tmp_path, monkeypatch):
    with placed(tmp_path / "ck") as beside:
        beside.write_text("half")
        sweep(tmp_path / "ck")
        assert beside.exists()  # its process runs
        monkeypatch.setattr(atomic, "runs", lambda process: process != os.getpid())
        sweep(tmp_path / "ck")
        assert not beside.exists()
        beside.write_text("whole")
    assert [path.name for path in tmp_path.iterdir()] == ["ck"]
