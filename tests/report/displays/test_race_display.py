import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

from foldless import FoldlessSearch
from foldless.errors import BadInput
from foldless.report import RaceDisplay
from foldless.report.displays._bars import MOST_BARS

X, Y = load_iris(return_X_y=True)


def search(criterion="auto", depths=(1, 2)):
    candidates = {
        "bayes": (GaussianNB(), {}),
        "tree": (DecisionTreeClassifier(random_state=0), {"max_depth": list(depths)}),
        "near": (KNeighborsClassifier(), {"n_neighbors": [1, 15]}),
    }
    return FoldlessSearch(candidates, criterion=criterion, random_state=0).fit(X[::3], Y[::3], X_unlabeled=X)


def test_bars_are_as_long_as_the_race_was():
    selection = search().selection_
    display = RaceDisplay.from_selection(selection)
    assert [bar.get_width() for bar in display.bars_] == [c.parts["resamples"] for c in selection.ranking]
    shown = [text.get_text() for text in display.ax_.texts]
    assert shown[0] == "the leader"
    assert all(text.endswith("behind") or text == "the leader" for text in shown)
    assert selection.best.candidate.name in display.describe()


@pytest.mark.slow
def test_the_report_has_the_race_of_auto_only(tmp_path):
    page = search().selection_.report(tmp_path / "race.html").read_text()
    assert "The race" in page
    assert "resamples it was scored on" in page
    other = search("k_fold").selection_
    assert "The race" not in other.report(tmp_path / "folds.html").read_text()
    with pytest.raises(BadInput, match="k_fold is not a race: use auto"):
        RaceDisplay(other)


def test_many_candidates_are_cut():
    display = RaceDisplay(search(depths=range(1, MOST_BARS + 10)).selection_)
    assert display.left_out == 12
    assert "12 candidates further behind not shown" in display.describe()
