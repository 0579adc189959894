"""The limit on the threads of BLAS is lifted when the last who asked for it is done."""

from threadpoolctl import ThreadpoolController, threadpool_limits

from foldless.core._threads import one_blas_thread, threads


def limits():
    return {library["num_threads"] for library in ThreadpoolController().info() if library["user_api"] == "blas"}


def test_the_first_to_leave_does_not_lift_it():
    with threadpool_limits(2, user_api="blas"):
        before = limits()
        first, second = one_blas_thread(), one_blas_thread()
        first.__enter__()
        assert limits() == {1}
        second.__enter__()
        first.__exit__(None, None, None)
        assert limits() == {1}
        second.__exit__(None, None, None)
        assert limits() == before


def test_it_is_lifted_after_an_error():
    before = limits()
    try:
        with one_blas_thread():
            raise RuntimeError
    except RuntimeError:
        pass
    assert limits() == before


def test_the_number_of_threads(monkeypatch):
    for wanted in ("", "0", "two"):
        monkeypatch.setenv("OMP_NUM_THREADS", wanted)
        assert threads() >= 1
