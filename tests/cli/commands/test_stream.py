"""``foldless stream`` from files to files: what is printed, kept, refused."""

import json
import re
import shlex
import subprocess
import sys
from typing import get_args

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from helpers import command
from helpers.stream_files import rows

from foldless.cli import main
from foldless.cli.terminal._streamed import WHY, doubts, skipped
from foldless.io._faults import Kind
from foldless.quantifiers import adjusted_count
from foldless.saving import model_files


def run(*args, piped=None):
    return CliRunner().invoke(main, ["stream", *map(str, args)], input=piped)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    rows(6000).to_parquet(folder / "a.parquet")
    done = run(
        "train", folder / "a.parquet", "--label", "topic", "--batch", 500, "--hold", 400, "--save", folder / "m.skops"
    )
    assert done.exit_code == 0, done.stderr
    return folder / "m.skops"


@pytest.mark.slow
def test_a_training_is_told_and_kept(tmp_path):
    rows(3000).to_csv(tmp_path / "a.csv", index=False)
    done = run("train", tmp_path / "a.csv", "--label", "topic", "--batch", 500, "--save", tmp_path / "m.skops")
    assert done.exit_code == 0, done.stderr
    assert re.search(r"3,000 rows of 2 classes read by nemsis for bakld, \d{3} of them held out, ", done.stdout)
    assert "2 numeric scaled, 1 categorical hashed" in done.stdout
    for words in ("while learning", "held-out rows", "KLD of shares", "balanced accuracy", "The model is in"):
        assert words in done.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "m.skops"]
    kept = model_files.load(tmp_path / "m.skops")
    assert kept.selection["stream"]["rows"] == 3000
    assert kept.classes == ("a", "b")


@pytest.mark.slow
def test_predict_reads_the_model_of_a_stream(model, tmp_path):
    table = rows(300, seed=7)
    table.drop(columns="topic").to_csv(tmp_path / "new.csv", index=False)
    done = CliRunner().invoke(
        main, ["predict", str(model), str(tmp_path / "new.csv"), "--output", str(tmp_path / "o.csv")]
    )
    assert done.exit_code == 0, done.stderr
    assert "nemsis for bakld, trained on a stream" in done.stdout
    assert (pd.read_csv(tmp_path / "o.csv")["predicted_topic"] == table["topic"]).mean() > 0.75


@pytest.mark.parametrize("learner", ["nemsis", "scan", "one-pass"])
def test_every_learner_by_its_name(tmp_path, learner):
    rows(1500).to_parquet(tmp_path / "a.parquet")
    done = run("train", tmp_path / "a.parquet", "--label", "topic", "--learner", learner, "--batch", 300, "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["candidate"].startswith(f"{learner} for ")


def test_standard_input_is_a_stream_and_has_no_checkpoint(tmp_path):
    text = rows(800).to_csv(index=False)
    piped = run("train", "-", "--label", "topic", "--batch", 200, "--json", piped=text)
    (tmp_path / "a.csv").write_text(text)
    read = run("train", tmp_path / "a.csv", "--label", "topic", "--batch", 200, "--json")
    assert json.loads(piped.stdout)["stream"]["progressive"] == json.loads(read.stdout)["stream"]["progressive"]
    refused = run("train", "-", "--label", "topic", "--checkpoint", tmp_path / "c", piped=text)
    assert refused.exit_code == 2
    assert "standard input cannot be read again, so a run on it cannot be resumed" in refused.stderr


def test_a_named_checkpoint_stays_and_takes_more_files(tmp_path):
    table = rows(1200)
    for at in range(2):
        table[600 * at : 600 * (at + 1)].to_parquet(tmp_path / f"{at}.parquet")
    files = [tmp_path / "0.parquet", tmp_path / "1.parquet"]
    more = ["--label", "topic", "--batch", 200, "--json", "--checkpoint", tmp_path / "c"]
    assert run("train", files[0], *more).exit_code == 0
    gone_on = json.loads(run("train", *files, *more).stdout)
    whole = json.loads(run("train", *files, *more[:-1], tmp_path / "other").stdout)
    assert gone_on["stream"] == whole["stream"]
    assert gone_on["notes"] == [f"it resumed from {tmp_path / 'c'}, after 600 rows"]


def test_bad_lines_are_told_with_row_and_line(tmp_path):
    lines = rows(400).to_csv(index=False).splitlines()
    lines[10] = "1.0,2.0,red"
    lines[20] = '1.0,2.0,"red,a'
    lines[30] = ""
    lines[40] = "1.0,2.0,red,a,b"
    content = "\n".join(lines).encode().replace(lines[50].encode(), b"1.0,2.0,\xff,a", 1) + b"\n"
    (tmp_path / "a.csv").write_bytes(content)
    command = ["train", tmp_path / "a.csv", "--label", "topic", "--batch", 100]
    done = run(*command, "--on-error", "skip", "--json")
    assert done.exit_code == 0, done.stderr
    name = tmp_path / "a.csv"
    assert done.stderr.splitlines() == [
        f"Note: skipped: row 10 (line 11) of {name} has 3 values and the header has 4",
        f"Note: skipped: row 20 (line 21) of {name} opens a quote that it does not close",
        f"Note: skipped: row 39 (line 41) of {name} has 5 values and the header has 4",
        f"Note: skipped: row 49 (line 51) of {name} is not UTF-8 text (byte 0xff)",
    ]
    stream = json.loads(done.stdout)["stream"]
    assert stream["skipped"] == {"bad line": 4}
    assert stream["rows"] == 395
    stopped = run(*command)
    assert stopped.exit_code == 2
    assert "row 10 (line 11)" in stopped.stderr
    assert "--on-error skip" in stopped.stderr


def test_after_many_faults_they_are_only_counted(tmp_path):
    table = rows(400)
    table.loc[::5, "topic"] = None
    table.to_csv(tmp_path / "a.csv", index=False)
    done = run("train", tmp_path / "a.csv", "--label", "topic", "--on-error", "skip", "--batch", 100)
    assert len(done.stderr.splitlines()) == 21
    assert "80 rows were skipped (no label: 80)" in done.stdout


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["no.csv", "--label", "topic"], "there is no file no.csv"),
        (["{a}", "{a}", "--label", "topic"], "is in the stream twice"),
        (["{a}", "-", "--label", "topic"], "- is standard input, and 1 more parts are named"),
        (["{a}", "--label", "subject"], "no column 'subject'"),
        (["{a}", "--label", "topic", "--param", "eta=1"], "did you mean eta0?"),
        (["{a}", "--label", "topic", "--param", "passes=2"], "is not a parameter of nemsis on a stream"),
        (["{a}", "--label", "topic", "--param", "eta0"], "not of the form key=value"),
        (["{a}", "--label", "topic", "--param", "eta0=-1"], "eta0 == -1, must be > 0"),
        (["{a}", "--label", "topic", "--measure", "cq-reward"], "SCAN or CAN can learn it"),
        (["{a}", "--label", "topic", "--measure", "kdl"], "measure must be one of"),
        (["{a}", "--label", "topic", "--drop", "topic"], "column 'topic' is in label and in drop"),
        (["{a}", "--label", "topic", "--save", "{a}"], "models are saved as .skops"),
        (["{a}", "--label", "topic", "--checkpoint", "{a}"], "also read or saved in this run"),
        (["{a}", "--label", "topic", "--format", "parquet"], "is not a Parquet file"),
        (["-", "--label", "topic", "--format", "parquet"], "it cannot be piped: name the file"),
    ],
)
def test_what_cannot_be_is_one_line(tmp_path, args, words):
    path = tmp_path / "a.csv"
    rows(300).to_csv(path, index=False)
    done = run("train", *(arg.replace("{a}", str(path)) for arg in args), "--batch", 100)
    assert done.exit_code == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def shares(model, table, tmp_path, *args):
    table.to_parquet(tmp_path / "new.parquet")
    done = run("shares", tmp_path / "new.parquet", "--model", model, *args)
    assert done.exit_code == 0, done.stderr
    return done


def test_shares_are_adjusted_counts_of_windows(model, tmp_path):
    table = rows(2500, seed=5, share=0.6)
    printed = shares(model, table, tmp_path, "--window", 1000, "--json").stdout
    windows = [json.loads(line) for line in printed.splitlines()]
    assert [(window["first_row"], window["last_row"]) for window in windows] == [(1, 1000), (1001, 2000), (2001, 2500)]
    kept = model_files.load(model)
    predicted = kept.model.predict(table[["x", "z", "color"]][:1000]) == "b"
    held = np.array(kept.selection["stream"]["held"]["table"])
    by_hand = adjusted_count(np.array([1 - predicted.mean(), predicted.mean()]), held)
    assert list(windows[0]["shares"].values()) == pytest.approx(by_hand.tolist())
    counted = json.loads(
        shares(model, table, tmp_path, "--window", 1000, "--json", "--method", "cc").stdout.splitlines()[0]
    )
    assert counted["shares"]["b"] == pytest.approx(predicted.mean())
    assert counted["lower"] == counted["upper"] == {"a": None, "b": None}
    assert all(w["lower"]["b"] < w["shares"]["b"] < w["upper"]["b"] for w in windows)
    assert all(w["lower"]["b"] <= 0.6 <= w["upper"]["b"] for w in windows)
    assert abs(windows[0]["shares"]["b"] - 0.6) < 0.08


def test_the_alarm_rings_for_drift_and_is_silent_without(model, tmp_path):
    quiet = shares(model, rows(4000, seed=8), tmp_path, "--window", 500)
    header = "window,first_row,last_row,share_a,share_b,method,evidence,alarm,lower_a,lower_b,upper_a,upper_b"
    assert quiet.stdout.splitlines()[0] == header
    assert "true" not in quiet.stdout
    assert "drift" not in quiet.stderr
    loud = shares(model, pd.concat([rows(1000, seed=8), rows(2000, seed=9, share=0.7)]), tmp_path, "--window", 500)
    alarms = [line.split(",")[7] for line in loud.stdout.splitlines()[1:]]
    assert (alarms[:2], alarms[-1]) == (["false", "false"], "true")
    assert "the predicted class shares changed, most likely from row 1,001 on (window 3)" in loud.stderr
    assert "independent rows raise this alarm with probability 0.01 at most" in loud.stderr
    assert len(loud.stderr.splitlines()) == 1


def test_json_stays_json_in_a_long_drift(model, tmp_path):
    table = rows(16_000, share=1.0).assign(x=3.0)
    printed = shares(model, table, tmp_path, "--window", 4000, "--json").stdout

    def refuse(name):
        raise AssertionError(f"{name} is no JSON")

    windows = [json.loads(line, parse_constant=refuse) for line in printed.splitlines()]
    assert all(window["alarm"] and window["since_window"] == 1 for window in windows)
    assert windows[-1]["evidence"] == pytest.approx(1e300)


@pytest.mark.slow
def test_a_slip_in_the_first_rows_does_not_end_adjusted_counts(tmp_path):
    table = rows(3000)
    table.loc[77, "topic"] = "bb"
    table.to_parquet(tmp_path / "a.parquet")
    save = tmp_path / "m.skops"
    done = run("train", tmp_path / "a.parquet", "--label", "topic", "--batch", 500, "--save", save)
    assert "Note: 'bb' in column 'topic' has 1 of the first 500 rows (row 78 of" in done.stderr
    printed = shares(save, rows(2000, seed=3), tmp_path, "--window", 1000)
    assert "Note: fewer than 5 rows of 'bb' were held out" in printed.stderr
    assert [line.split(",")[6] for line in printed.stdout.splitlines()] == ["method", "acc", "acc"]
    plain = run("train", tmp_path / "a.parquet", "--label", "topic", "--batch", 500, "--hold", 0, "--save", save)
    assert plain.exit_code == 0, plain.stderr
    printed = shares(save, rows(2000, seed=3), tmp_path, "--window", 1000)
    assert "Note: shares are those of the predicted classes (cc)" in printed.stderr
    assert [line.split(",")[6] for line in printed.stdout.splitlines()] == ["method", "cc", "cc"]


def test_a_counter_of_rows_and_names_of_folders_are_told(tmp_path):
    (tmp_path / "day=1").mkdir()
    rows(1500).assign(id=np.arange(1500)).to_parquet(tmp_path / "day=1" / "a.parquet")
    done = run("train", tmp_path, "--label", "topic", "--batch", 500)
    assert "Note: column 'id' is outside the range of the first rows in 100% of the later rows" in done.stdout
    assert "--drop id" in done.stdout
    assert "Note: the columns of folder names, day, are left out" in done.stderr
    assert "use one with --categorical" in done.stderr
    used = run("train", tmp_path, "--label", "topic", "--batch", 500, "--categorical", "day", "--json")
    assert json.loads(used.stdout)["stream"]["families"]["day"] == "numeric"
    assert not used.stderr


def test_how_many_were_skipped_is_one_sentence():
    assert skipped({"bad line": 1}) == "1 row was skipped (bad lines: 1)"
    assert skipped({"value": 2, "schema": 1}) == (
        "2 rows and 1 file were skipped (value of another type: 2, other columns or truncated: 1)"
    )
    assert set(WHY) == set(get_args(Kind))


def test_labels_of_the_stream_and_other_columns_are_not_read(model, tmp_path):
    table = rows(600, seed=5)
    more = table.assign(topic="?", note="n")
    plain = table.drop(columns="topic")
    assert shares(model, more, tmp_path).stdout == shares(model, plain, tmp_path).stdout


def test_shares_by_a_model_that_was_selected(tmp_path):
    rows(200).to_csv(tmp_path / "train.csv", index=False)
    save = tmp_path / "m.skops"
    command = ["select", str(tmp_path / "train.csv"), "--label", "topic", "--criterion", "k-fold", "--grid", "C=0.1,1"]
    assert CliRunner().invoke(main, [*command, "--save", str(save)]).exit_code == 0
    done = shares(save, rows(900, seed=3), tmp_path, "--window", 300)
    assert len(done.stdout.splitlines()) == 4
    refused = run("shares", tmp_path / "new.parquet", "--model", save, "--method", "acc")
    assert "adjusted counts need rows held out in training" in refused.stderr


@pytest.mark.slow
def test_shares_come_line_by_line_from_standard_input(model):
    run_it = subprocess.Popen(
        [sys.executable, "-c", "from foldless.cli import main; main()", "stream", "shares", "-", "--model", str(model),
         "--window", "100"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    header, *lines = rows(250).drop(columns="topic").to_csv(index=False).splitlines(keepends=True)
    run_it.stdin.write(header + "".join(lines[:101]))
    run_it.stdin.flush()
    assert run_it.stdout.readline().startswith("window,")
    assert run_it.stdout.readline().startswith("1,1,100,")  # while the stream is open
    printed, _ = run_it.communicate("".join(lines[101:]), timeout=60)
    assert [line.split(",")[0] for line in printed.splitlines()] == ["2", "3"]


@pytest.mark.parametrize("name", ["train", "shares"])
def test_the_examples_of_each_page_parse(name):
    page = run(name, "--help").stdout
    typed = re.findall(r"^ +foldless stream (.*)$", page, flags=re.MULTILINE)
    assert typed
    for line in typed:
        command, *args = shlex.split(line)
        assert command == name
        with main.commands["stream"].commands[name].make_context(name, args) as context:
            assert context.params["files"]


def test_a_coin_is_called_one() -> None:
    scores = {"rows": 1000, "balanced_accuracy": 0.51}
    stream = {"classes": ["a", "b"], "held": scores, "progressive": scores}
    assert doubts(stream)[0].startswith(
        "balanced accuracy is 0.510 on 1,000 rows, not significantly better than guessing (0.500)"
    )
    assert not doubts(stream | {"held": {"rows": 1000, "balanced_accuracy": 0.6}})
    assert doubts(stream | {"held": {"rows": 10, "balanced_accuracy": 0.6}})
    assert not doubts(
        stream | {"held": {"rows": 0, "balanced_accuracy": None}, "progressive": {"rows": 0, "balanced_accuracy": None}}
    )


@pytest.mark.parametrize(("value", "delimiter"), [('"1,5"', ","), ("1,5", "\t"), ("25.12.2023", ","), ("1 234.5", ",")])
def test_what_a_table_would_read_as_a_number_or_a_date_is_refused_and_not_read_as_names(tmp_path, value, delimiter):
    path = tmp_path / ("a.tsv" if delimiter == "\t" else "a.csv")
    rows = [delimiter.join((value, str(at), "yn"[at % 2])) for at in range(40)]
    path.write_text("\n".join([delimiter.join(("size", "x", "kind")), *rows]) + "\n")
    said = command.run("stream", "train", str(path), "--label", "kind", status=2).stderr
    assert "column 'size'" in said
    assert "--drop size" in said
    assert "--categorical size" in said
    command.run("stream", "train", str(path), "--label", "kind", "--categorical", "size")
