"""What fits share is kept while a search runs, the last used first, and no longer."""

from foldless.learners._search_memory import SearchMemory, remembering

N_KEPT = 2
memory = SearchMemory(N_KEPT)


def made_of(*keys):
    made = []
    for key in keys:
        memory.recalled(key, lambda key=key: made.append(key) or [key])
    return made


def test_nothing_is_kept_outside_of_a_search():
    assert made_of(b"a", b"a") == [b"a", b"a"]


def test_it_is_made_once_in_a_search_and_forgotten_after_the_last():
    with remembering():
        with remembering():
            assert made_of(b"a", b"a") == [b"a"]
        assert made_of(b"a") == []
    with remembering():
        assert made_of(b"a") == [b"a"]


def test_what_was_not_used_for_longest_goes_first():
    keys = [bytes([at]) for at in range(N_KEPT + 1)]
    with remembering():
        assert made_of(*keys[:N_KEPT], keys[0], keys[-1]) == keys
        assert made_of(keys[0], keys[1]) == [keys[1]]
