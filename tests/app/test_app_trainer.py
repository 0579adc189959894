"""The work behind the page: the same answers as Python, rows that can be read, files that go on in other commands."""

import dataclasses
import json
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from helpers.app_server import write_files

import foldless
from foldless import FoldlessSearch
from foldless.app import _app_trainer as app_trainer
from foldless.app._app_trainer import AppTrainer, at_random, by_leaders
from foldless.app.app_setup import Setup
from foldless.errors import BadInput
from foldless.labeling._known_probabilities import inclusion, systematic
from foldless.saving import load
from foldless.tables import candidates, read_problem, with_labels

MODELS = {"naive-bayes": {"alpha": [0.1, 1.0]}}


def following(out, how="leaders", number=2, first=True):
    return {"out": list(out), "how": how, "number": number, "first": first}


def given(truth, rows, p=None, batch=1):
    """Labels of rows, drawn with this probability."""
    return [(row, ["ham", "spam"][truth[row]], p, batch) for row in rows]


@pytest.fixture
def opened(tmp_path):
    write_files(tmp_path)
    folder = tmp_path / "train.foldless"
    folder.mkdir()
    setup = Setup(
        str(tmp_path / "train.csv"), "label", folder, {"unlabeled": str(tmp_path / "pool.csv")}, MODELS,
        settings={"random_state": 0}, batch=5,
    )  # fmt: skip
    told = {}
    return AppTrainer(setup, told.__setitem__), told, setup, json.loads((tmp_path / "truth.json").read_text())


def test_it_says_what_it_read(opened):
    trainer, *_ = opened
    found = trainer.opened()
    assert (found["rows"]["pool"], found["classes"], found["labels"]) == (60, ["ham", "spam"], ["ham", "spam"])
    assert found["columns"] == [{"name": "text", "kind": "text"}, {"name": "count", "kind": "numeric"}]
    assert "gradient-boosting" not in [model["name"] for model in found["models"]]  # reads no text
    assert {"auto", "k_fold"} <= {each["name"] for each in found["criteria"]}
    json.dumps(found)


def test_what_is_wrong_with_the_files_is_said_while_the_first_rows_are_labeled(opened):
    trainer, told, setup, _ = opened
    trainer.look()
    assert "checked" not in told
    trainer._setup = dataclasses.replace(setup, first_look=lambda problem: [f"{problem.rows['pool']} rows"])
    trainer.look()
    assert told["checked"] == ["60 rows"]


def test_rows_are_found_by_words_of_any_column_without_case(opened, tmp_path):
    trainer, told, *_ = opened
    pool = pd.read_csv(tmp_path / "pool.csv")
    matching = [row for row, text in enumerate(pool["text"]) if "green1" in text]
    trainer.search(7, "GREEN1", matching[:1], 0)
    assert (told["found"]["number"], told["found"]["total"]) == (7, len(matching) - 1)
    assert [card["row"] for card in told["found"]["rows"]] == matching[1:21]
    assert told["found"]["rows"][0]["texts"] == [("text", pool["text"][matching[1]])]
    trainer.search(8, "number", [], 40)
    assert [card["row"] for card in told["found"]["rows"]] == list(range(40, 60))
    trainer.search(9, "number", [], 1000)
    assert told["found"]["offset"] == 40
    for nothing in ("", "no such words"):
        trainer.search(10, nothing, [], 0)
        assert told["found"]["rows"] == []


def test_the_first_rows_are_drawn_at_random_and_none_twice(opened):
    trainer, told, *_ = opened
    trainer.batch(**following([]))
    first = [entry["row"] for entry in told["batch"]]
    trainer.batch(**following([*first[:3], 50]))
    second = [entry["row"] for entry in told["batch"]]
    assert len(set(first)) == len(set(second)) == 5
    assert not {*first[:3], 50} & set(second)
    trainer.batch(**following(list(range(59))))
    assert [entry["row"] for entry in told["batch"]] == [59]
    trainer.batch(**following(list(range(60))))
    assert told["batch"] == []


def test_text_is_there_to_read_and_numbers_are_a_table(opened, tmp_path):
    trainer, told, *_ = opened
    pool = pd.read_csv(tmp_path / "pool.csv")
    trainer.batch(**following([]))
    for entry in told["batch"]:
        assert entry["texts"] == [("text", pool["text"][entry["row"]])]
        assert entry["cells"] == [("count", f"{pool['count'][entry['row']]:.6g}")]


def test_it_chooses_what_python_chooses_and_asks_for_rows_of_the_pool_that_is_left(opened, tmp_path):
    trainer, told, setup, truth = opened
    rows = [3, 41, 7]
    trainer.choose(["naive-bayes"], "auto", given(truth, rows), following([*rows, 11]))
    problem = read_problem(setup.train, "label", unlabeled=str(tmp_path / "pool.csv"))
    more = with_labels(problem, sorted(rows), [["ham", "spam"][truth[row]] for row in sorted(rows)])
    search = FoldlessSearch(candidates(MODELS, problem.columns), random_state=0)
    search.fit(more.X, more.y, X_unlabeled=more.X_unlabeled)
    result = told["result"]
    assert (result["labels"], result["given"]) == (27, 3)
    assert [entry["score"] for entry in result["ranking"]] == [choice.score for choice in search.selection_.ranking]
    assert result["estimate"]["value"] == search.selection_.estimate.value
    assert told["race"]["done"] == told["race"]["asked"] > 0
    suggested = [entry["row"] for entry in told["batch"]]
    assert len(suggested) == 5
    assert not {*rows, 11} & set(suggested)
    assert all(entry["why"] for entry in told["batch"])
    assert {(entry["p"], entry["batch"], entry["of"]) for entry in told["batch"]} == {(0.0, 2, 5)}  # chosen, not drawn
    json.dumps(told)
    trainer.batch(**following(rows, "valid", 3))
    assert all(0 < entry["p"] <= 1 for entry in told["batch"])
    trainer.batch(**following(rows, "random", 4, first=False))
    assert {entry["p"] for entry in told["batch"]} == {5 / 57}


@pytest.mark.slow
def test_the_estimate_leaves_chosen_rows_out_and_weighs_drawn_ones(opened):
    trainer, told, _, truth = opened
    wrong = [1 - code for code in truth]  # hard to predict
    trainer.choose(["naive-bayes"], "k_fold", given(wrong, range(12), 0.0), following(range(12)))
    chosen = told["result"]
    trainer.choose(["naive-bayes"], "k_fold", given(wrong, range(12), 0.2), following(range(12)))
    drawn = told["result"]
    assert chosen["labels"] == drawn["labels"] == 36
    assert chosen["estimate"]["assumes"][0] == drawn["estimate"]["assumes"][0]
    assert "probabilit" in drawn["estimate"]["assumes"][0]
    assert chosen["estimate"]["value"] > drawn["estimate"]["value"]


def test_one_row_of_a_new_class_is_enough_to_race(opened):
    trainer, told, *_ = opened
    trainer.choose(["naive-bayes"], "k_fold", [(4, "eggs", 0.0, 1)], following([4]))
    assert [share["class"] for share in told["result"]["shares"]] == ["eggs", "ham", "spam"]
    assert len(told["batch"]) == 5


@pytest.mark.nightly
def test_saved_files_go_on_in_python(opened, tmp_path):
    trainer, told, setup, truth = opened
    labels = given(truth, (9, 2), 0.0)
    trainer.save(labels)
    assert list(told["saved"]["files"]) == ["labels"]  # there is no model yet
    trainer.choose(["naive-bayes"], "k_fold", labels, following([9, 2]))
    trainer.save(labels)
    assert set(told["saved"]["files"]) == {"labels", "model", "report"}
    assert (told["saved"]["labels"], told["saved"]["trained_on"]) == (2, 2)
    train, pool = (pd.read_csv(tmp_path / name) for name in ("train.csv", "pool.csv"))
    written = pd.read_csv(setup.places["labels"])
    pd.testing.assert_frame_equal(written[:24][train.columns], train)
    assert written[24:]["text"].tolist() == [pool["text"][2], pool["text"][9]]
    assert written[24:]["label"].tolist() == [labels[1][1], labels[0][1]]
    assert written["foldless_probability"].tolist()[24:] == [0, 0]
    again = read_problem(str(setup.places["labels"]), "label", unlabeled=str(tmp_path / "pool.csv"))
    assert (again.rows["pool"], again.draws.label_probabilities[24:].tolist()) == (58, [0, 0])
    model = load(setup.places["model"]).model
    assert set(model.predict(again.X_unlabeled)) <= {"ham", "spam"}
    assert "k_fold" in setup.places["report"].read_text(encoding="utf-8")
    assert {path.name for path in setup.folder.iterdir()} == {"labeled.csv", "model.skops", "report.html"}


def test_what_cannot_be_labeled_is_refused(tmp_path):
    frame = pd.DataFrame({"x": np.arange(40.0), "y": np.arange(40) + 0.5})
    frame.to_csv(tmp_path / "numbers.csv", index=False)
    with pytest.raises(BadInput, match="numbers to predict, and the app labels rows with classes"):
        AppTrainer(Setup(str(tmp_path / "numbers.csv"), "y", tmp_path, {}), lambda *_: None)
    frame.assign(y=["a", "b"] * 20).to_csv(tmp_path / "classes.csv", index=False)
    with pytest.raises(BadInput, match="there is no pool"):
        AppTrainer(Setup(str(tmp_path / "classes.csv"), "y", tmp_path, {}), lambda *_: None)


N, BATCH, DONE, RUNS = 60, 12, 5, 1000


@pytest.fixture
def scores():
    return np.random.default_rng(0).random(N)


@pytest.fixture
def drawn(monkeypatch, scores):
    """Has suggest draw rows by their scores, in random order, or pick them, the highest first, without a search."""

    seeds = []

    def suggest(search, n, *, strategy, keep_valid, random_state):
        seeds.append(random_state)
        assert strategy == ("auto" if keep_valid else "diverse")
        rng, every = np.random.default_rng(random_state), inclusion(scores, n)
        rows = systematic(every, rng.permutation(N), rng)
        rows = rng.permutation(rows) if keep_valid else rows[np.argsort(-scores[rows])]
        chances = every[rows] if keep_valid else None
        return SimpleNamespace(rows=rows, reasons=["disputed"] * len(rows), probabilities=chances)

    monkeypatch.setattr(foldless, "suggest", suggest)
    return seeds


def mean_of_pool(picked, values):
    """The mean over the pool by the first rows of a batch, each weighed by its probability."""
    done = picked[:DONE]
    return sum(values[each.row] / (each.p * DONE / len(picked)) for each in done) / N


def beyond(estimates, truth):
    """How many standard errors the mean of estimates is from the truth."""
    return abs(np.mean(estimates) - truth) / (np.std(estimates) / np.sqrt(len(estimates)))


def test_the_first_rows_of_a_drawn_batch_are_a_sample_of_the_pool(drawn, scores):
    values, pool = (scores > 0.5).astype(float) + scores, np.arange(N)
    batches = [by_leaders(None, pool, set(), BATCH, seed, valid=True) for seed in range(RUNS)]
    assert {len(batch) for batch in batches} == {BATCH}
    assert beyond([mean_of_pool(batch, values) for batch in batches], values.mean()) < 4.5
    by_score = [sorted(batch, key=lambda each: -scores[each.row]) for batch in batches]
    assert beyond([mean_of_pool(batch, values) for batch in by_score], values.mean()) > 20


def test_a_second_batch_of_one_race_has_other_rows(drawn):
    first = {each.row for each in by_leaders(None, np.arange(N), set(), BATCH, 0, valid=True)}
    second = {each.row for each in by_leaders(None, np.arange(N), first, BATCH, 0, valid=True)}
    assert not first & second
    assert abs(len(second) - BATCH) <= 4
    assert len(set(drawn)) == 2  # a new draw, and not the same one of more rows


def test_disputed_rows_stay_in_their_order_and_have_no_probability(drawn, scores):
    picked = by_leaders(None, np.arange(100, 100 + N), {100, 101, 7}, BATCH, 0, valid=False)
    rows = [each.row for each in picked]
    assert len(rows) == BATCH
    assert not {100, 101} & set(rows)
    assert [scores[row - 100] for row in rows] == sorted((scores[row - 100] for row in rows), reverse=True)
    assert {each.p for each in picked} == {0.0}


def test_rows_at_random_are_all_equally_likely():
    out = {3, 4, 5, 6}
    counts = np.zeros(20)
    for seed in range(RUNS):
        picked = at_random(20, out, 4, seed, first=False)
        assert {each.p for each in picked} == {4 / 16}
        counts[[each.row for each in picked]] += 1
    assert counts[[3, 4, 5, 6]].max() == 0
    others = np.delete(counts, [3, 4, 5, 6])
    assert np.abs(others - RUNS / 4).max() < 5 * np.sqrt(RUNS * 0.25 * 0.75)
    assert {each.p for each in at_random(20, out, 4, 0, first=True)} == {None}
    assert len(at_random(20, set(range(18)), 4, 0, first=False)) == 2


def test_labels_with_hints_are_named_with_the_choice(opened):
    trainer, told, _, truth = opened
    trainer.choose(["naive-bayes"], "k_fold", given(truth, range(6)), following(range(6)), hinted=2)
    assert told["result"]["hinted"] == 2
    assert "2 of 6 labels were given with a model's opinion in view" in " ".join(told["result"]["notes"])
    trainer.choose(["naive-bayes"], "k_fold", given(truth, range(6)), following(range(6)))
    assert "opinion in view" not in " ".join(told["result"]["notes"])


def beside(**said):
    return {"state": "", "by": "", "at": "2026-11-18T00:00:00.000Z", "why": "drawn at random", "note": "", **said}


def test_saved_labels_say_who_and_when_and_leave_the_pool_they_came_from(opened, tmp_path):
    trainer, told, setup, truth = opened
    rows = {
        3: beside(by="anna", hints="likely"),
        41: beside(by="ben"),
        7: beside(),
        8: beside(state="unsure", note="two <b>topics</b>"),
    }
    trainer.save(given(truth, [3, 41, 7]), rows)
    assert set(told["saved"]["files"]) == {"labels", "parquet", "jsonl"}
    frame = pd.read_csv(setup.places["labels"])[24:]
    assert frame["foldless_row"].tolist() == [4, 8, 9, 42]
    assert frame["foldless_by"].fillna("").tolist() == ["anna", "", "", "ben"]
    assert frame["foldless_state"].fillna("").tolist() == ["", "", "unsure", ""]
    assert frame["foldless_note"].fillna("").tolist() == ["", "", "two <b>topics</b>", ""]
    assert frame["foldless_hints"].fillna("").tolist() == ["likely", "", "", ""]
    assert (frame["foldless_why"] == "drawn at random").all()
    typed = pd.read_parquet(setup.places["parquet"])
    lines = [json.loads(line) for line in setup.places["jsonl"].read_text().splitlines()]
    assert typed["label"].isna().sum() == sum(line["label"] is None for line in lines) == 1
    problem = read_problem(str(setup.places["labels"]), "label", unlabeled=str(tmp_path / "pool.csv"))
    assert problem.rows == {"labeled": 27, "pool": 57, "test": 0}  # the row without a class is in the pool
    assert list(problem.columns.kinds) == ["text", "count"]
    assert any("1 of 27 labels were given with a model's opinion in view" in note for note in problem.notes)
    assert any("4 rows of" in note and "left out of the pool" in note for note in problem.notes)


def test_labels_that_models_do_not_expect_are_doubted(opened, monkeypatch):
    monkeypatch.setattr("foldless.app._app_trainer.DOUBTING", 1e9)
    trainer, told, setup, truth = opened
    labels = given(truth, range(20))
    labels[0] = (0, ["ham", "spam"][1 - truth[0]], None, 1)
    trainer.choose(["naive-bayes"], "auto", labels, following(range(20), how="random"))
    doubts = told["doubts"]
    assert set(doubts) == set(range(20))
    assert doubts[0][0] == ["ham", "spam"][truth[0]]
    assert doubts[0][1] < 0.5
    assert min(doubts, key=lambda row: doubts[row][1]) == 0
    assert all("guess" in entry for entry in told["batch"])


def test_rows_with_answers_are_shown_for_the_list(opened):
    trainer, told, *_ = opened
    trainer.cards([5, 2])
    assert [card["row"] for card in told["cards"]] == [5, 2]
    assert told["cards"][0]["texts"][0][0] == "text"


def test_a_folder_of_an_earlier_release_keeps_its_rows(opened, tmp_path):
    """It numbered the rows of the pool with those that are labeled rows, which leave the pool now."""
    _, told, setup, _ = opened
    train, pool = pd.read_csv(setup.train), pd.read_csv(setup.reading["unlabeled"])
    pd.concat([train.drop(columns="label"), pool]).to_csv(setup.reading["unlabeled"], index=False)
    now = AppTrainer(setup, told.__setitem__).opened()
    assert now["rows"]["pool"] == len(pool)
    whole = read_problem(setup.train, "label", keep_labeled=True, **setup.reading)
    before = {"foldless labels": 1, "label": "label", "pool": app_trainer._digest(whole.X_unlabeled)}
    setup.places["journal"].write_text(json.dumps(before) + "\n")
    again = AppTrainer(setup, told.__setitem__).opened()
    assert again["rows"]["pool"] == len(pool) + len(train)
    assert again["digest"] == before["pool"]
    setup.places["journal"].write_text(json.dumps({**before, "pool": now["digest"]}) + "\n")
    assert AppTrainer(setup, told.__setitem__).opened()["digest"] == now["digest"]


def test_features_without_names_have_no_final_command(tmp_path):
    for name, labels in (("train", ["0", "1"]), ("pool", ["0", "0"])):
        lines = [f"{labels[at % 2]} {1 + at % 2}:1 3:{at}\n" for at in range(24)]
        (tmp_path / f"{name}.svm").write_text("".join(lines))
    setup = Setup(
        str(tmp_path / "train.svm"), None, tmp_path / "f", {"unlabeled": str(tmp_path / "pool.svm")}, MODELS,
        final=("select", "labeled.csv"),
    )  # fmt: skip
    trainer = AppTrainer(setup, {}.__setitem__)
    assert trainer.opened()["columns"] == []  # by which the page shows none
    with pytest.raises(BadInput, match=r"no command trains the final model: save, .* labels are in .*labels\.jsonl"):
        trainer.final([], {})
