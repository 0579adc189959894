import numpy as np

from foldless.core.target import Classes, Opaque, Values


def test_classes_give_the_labels_of_codes() -> None:
    target = Classes(np.array([1, 0, 1]), np.array(["ham", "spam"]))
    assert (target.response, target.n_classes) == ("labels", 2)
    assert target.restored(np.array([0, 0])).tolist() == ["ham", "ham"]
    assert target.as_passed().tolist() == ["spam", "ham", "spam"]


def test_what_the_user_passed_is_kept_until_labels_change() -> None:
    passed = ["spam", "ham"]
    target = Classes(np.array([1, 0]), np.array(["ham", "spam"]), passed=passed)
    assert target.as_passed() is passed
    other = target.relabeled(np.array([0, 0]))
    assert other.as_passed().tolist() == ["ham", "ham"]
    assert other.classes is target.classes


def test_values_are_their_own_labels() -> None:
    target = Values(np.array([0.5, -1.0]))
    assert (target.response, target.n_classes, len(target.classes)) == ("values", 0, 0)
    assert target.as_passed() is target.y


def test_opaque_targets_are_never_read() -> None:
    nothing, pairs = Opaque.of(None, 2), Opaque.of([(1, 2), (3, 4)], 2)
    assert nothing.as_passed() is None
    assert pairs.as_passed() == [(1, 2), (3, 4)]
    assert pairs.y.tolist() == [0, 0]
    assert pairs.response == "values"
