"""What is shared begins with its first user, and ends with its last one, also where one of them fails."""

import threading

import pytest

from foldless.core._shared_use import SharedUse


def test_it_begins_once_and_ends_with_the_last_user() -> None:
    told: list[str] = []
    use = SharedUse(lambda: told.append("begins") or (lambda: told.append("ends")))
    with use():
        with pytest.raises(KeyError), use():
            raise KeyError
        assert told == ["begins"]
    assert told == ["begins", "ends"]
    with use():
        assert use.users == 1
    assert told == ["begins", "ends"] * 2


def test_users_in_other_threads_count() -> None:
    ended = threading.Event()
    use, within, leave = SharedUse(lambda: ended.set), threading.Event(), threading.Event()

    def work() -> None:
        with use():
            within.set()
            leave.wait()

    thread = threading.Thread(target=work)
    with use():
        thread.start()
        within.wait()
    assert not ended.is_set()
    leave.set()
    thread.join()
    assert ended.is_set()
