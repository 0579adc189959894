import numpy as np
from helpers.selections import HOSTILE, comparison, grid, selection

from foldless.report.pages import _tables as tables
from foldless.results import Finding


def column(table, title):
    at = [name for name, _ in table.columns].index(title)
    return [cells[at] for _, cells in table.rows]


def test_ranking():
    points, _ = grid(4)
    table = tables.ranking(selection(points, [0.1, 0.9, 0.9, 0.5], failed=(0,), unfinished=(3,), error="boom"))
    assert [title for title, _ in table.columns] == ["rank", "C", "ranking score ↑", "seconds", "notes"]
    assert [cell.text for cell in column(table, "rank")] == ["1", "1", "–", "–"]  # a tie is one rank
    assert [cell.text for cell in column(table, "ranking score ↑")] == ["0.9000", "0.9000", "–", "–"]
    assert [cell.text for cell in column(table, "notes")] == ["", "", "failed: RuntimeError: boom", "not finished"]
    assert [look for look, _ in table.rows] == ["chosen", "", "lost", "lost"]
    assert column(table, "C")[0].key == points[1]["C"]
    assert column(table, "seconds")[0].text == "0.750"


def test_spread_of_splits():
    chosen = selection(*grid(3), splits=5)
    cell = column(tables.ranking(chosen), tables.SPREAD)[0]
    assert abs(cell.key - np.std(chosen.best.splits)) < 1e-9


def test_scores_that_are_no_number_are_ranked_last_and_shown():
    table = tables.ranking(selection(*grid(3)[:1], [0.2, np.nan, 0.1]))
    assert [cell.text for cell in column(table, "ranking score ↑")] == ["0.2000", "0.1000", "–"]


def test_one_candidate_and_too_many_parameters_have_names():
    assert tables.ranking(selection([{}], [0.5], names=["nb"])).columns[1][0] == "candidate"
    many = [{f"p{i}": n for i in range(5)} for n in range(2)]
    assert tables.ranking(selection(many, [0.1, 0.2])).columns[1][0] == "candidate"


def test_candidates_with_equal_parameters_are_told_apart():
    table = tables.ranking(selection([{"C": 1, "e": "a"}, {"C": 1, "e": "a"}, {"C": 2, "e": "a"}], [0.1, 0.2, 0.3],
                                     names=["x", "y", "z"]))  # fmt: skip
    assert [cell.text for cell in column(table, "candidate")] == ["z", "y", "x"]


def test_long_strings_are_shortened_and_kept_within_a_budget():
    names = ["n" * 10_000 + str(i) for i in range(500)]
    table = tables.ranking(selection([{}] * 500, list(np.linspace(0, 1, 500)), names=names))
    cells = column(table, "candidate")
    assert max(len(cell.text) for cell in cells) == tables.SHOWN
    assert sum(len(cell.full) for cell in cells) < 1.1 * tables.BUDGET
    few = column(tables.ranking(selection([{}] * 2, [0.1, 0.2], names=names[:2])), "candidate")
    assert few[0].full == names[1]


def test_rows_beyond_the_most_are_counted():
    table = tables.ranking(selection(*grid(30)), most=10)
    assert (len(table.rows), table.left_out) == (10, 20)


def test_shares():
    chosen = selection(*grid(2), classes=("a", HOSTILE[5]))
    table = tables.shares(chosen)
    assert [title for title, _ in table.columns] == [
        "class",
        "share in the labels",
        "predicted share in the pool",
        "difference",
    ]
    difference = chosen.shares.iloc[0] - chosen.label_shares.iloc[0]
    assert abs(column(table, "difference")[0].key - difference) < 1e-9
    assert column(table, "class")[1].full == HOSTILE[5]
    assert len(tables.shares(selection(*grid(2), pool=False)).columns) == 2


def test_criteria_and_candidates_of_a_comparison():
    points, _ = grid(3)
    compared = comparison(
        {"a": selection(points, [0.1, 0.9, 0.3]), "b": selection(points, [0.5, 0.4, 0.3])},
        test=True, unable={"evidence": "no learner has it"},
    )  # fmt: skip
    table = tables.criteria(compared)
    assert [title for title, _ in table.columns][:3] == ["criterion", "choice", "score"]
    assert [cell.text for cell in column(table, "criterion")] == ["a", "b", "evidence"]
    assert column(table, "notes")[2].text == "n/a: no learner has it"
    assert column(table, "choice")[2].text == "–"
    every = tables.candidates(compared)
    assert [cell.kind for cell in column(every, "a ↑")] == ["", "chosen", ""]
    assert [cell.kind for cell in column(every, "b ↑")] == ["chosen", "", ""]
    assert column(every, "test accuracy ↑")[0].text == "0.5000"


def test_issues_come_before_tips():
    unsorted = [Finding(code, "what") for code in ("FL010", "FL004", "FL002", "FL020")]
    table = tables.findings(unsorted)
    assert [cells[0].text for _, cells in table.rows] == ["FL004", "FL020", "FL010", "FL002"]
