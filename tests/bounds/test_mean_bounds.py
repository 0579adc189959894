"""What all bounds on the mean of values in [0, 1] have in common."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foldless.bounds import _bentkus as bentkus
from foldless.bounds import _betting as betting
from foldless.bounds import _binomial as binomial
from foldless.bounds import _empirical_bernstein as empirical_bernstein
from foldless.bounds import _hoeffding as hoeffding
from foldless.bounds import _hoeffding_bentkus as hoeffding_bentkus
from foldless.bounds import _relative_entropy as relative_entropy

ALL = [hoeffding, relative_entropy, bentkus, hoeffding_bentkus, empirical_bernstein, betting]
OF_THE_SUM = [hoeffding, relative_entropy, bentkus, hoeffding_bentkus]
every = pytest.mark.parametrize("bound", ALL, ids=lambda one: one.__name__.split(".")[-1])
deltas = st.floats(1e-9, 0.3)


@st.composite
def samples(draw):
    of = draw(st.integers(1, 10))
    return np.array(draw(st.lists(st.integers(0, of), min_size=1, max_size=60))), of


@every
@given(samples(), deltas)
def test_it_is_at_most_1_and_above_0(bound, sample, delta):
    counts, of = sample
    assert 0 < bound.upper(counts, of, delta) <= 1


@every
@pytest.mark.parametrize("of", [1, 5])
def test_few_rows_and_rows_that_are_all_alike(bound, of):
    assert bound.upper(np.array([], dtype=int), of, 0.05) == 1
    assert 0.9 < bound.upper(np.array([0]), of, 0.05) <= 1
    assert bound.upper(np.array([of]), of, 0.05) == 1
    assert bound.upper(np.full(500, of), of, 0.05) == 1
    assert 0.005 < bound.upper(np.zeros(500, dtype=int), of, 0.05) < 0.06


@every
def test_a_tiny_delta_is_safe(bound):
    counts = np.arange(300) % 6
    found = [bound.upper(counts, 5, delta) for delta in (0.1, 1e-4, 1e-30, 1e-300)]
    assert (np.diff(found) > 0).all() or found[-1] == 1
    assert np.isfinite(found).all()


@pytest.mark.parametrize("bound", OF_THE_SUM)
@given(samples(), deltas, deltas)
def test_more_and_less_delta_never_lower_it(bound, sample, delta, other):
    counts, of = sample
    found = bound.upper(counts, of, delta)
    assert bound.upper(np.minimum(counts + 1, of), of, delta) >= found
    if other < delta:
        assert bound.upper(counts, of, other) >= found


@every
def test_small_integer_types_do_not_overflow(bound):
    counts = np.full(1000, 3)
    assert bound.upper(counts.astype(np.int8), 10, 0.05) == bound.upper(counts, 10, 0.05)


@given(samples(), deltas)
def test_who_is_narrower(sample, delta):
    counts, of = sample
    kl = relative_entropy.upper(counts, of, delta)
    assert kl <= hoeffding.upper(counts, of, delta) + 1e-12
    assert hoeffding_bentkus.upper(counts, of, delta) == min(kl, bentkus.upper(counts, of, delta))
    if of == 1:
        exact = float(binomial.upper(counts.sum(), len(counts), delta))
        assert exact <= kl + 1e-9
        assert exact <= bentkus.upper(counts, of, delta)


@every
def test_it_grows_narrow_around_the_mean(bound):
    rng = np.random.default_rng(0)
    widths = []
    for m in (200, 2000, 20_000):
        counts = rng.binomial(5, 0.1, m)
        widths.append(bound.upper(counts, 5, 0.05) - counts.mean() / 5)
    assert 0.2 > widths[0] > widths[1] > widths[2] > 0
    assert widths[2] < 0.012


SPEC = {  # 4.3: mean bound at δ = .05 for values spread around a mean of .05, by the number of rows
    2000: {betting: 0.0559, bentkus: 0.0618, relative_entropy: 0.0632, empirical_bernstein: 0.0616, hoeffding: 0.0777},
    200: {betting: 0.0738, bentkus: 0.0958, relative_entropy: 0.0969, empirical_bernstein: 0.1157, hoeffding: 0.1367},
}


@pytest.mark.parametrize("m", SPEC)
def test_widths_of_the_specification(m):
    rng = np.random.default_rng(m)
    drawn = [np.where(rng.random(m) < 0.2, rng.binomial(10, 0.25, m), 0) for _ in range(200)]
    for bound, expected in SPEC[m].items():
        found = np.mean([bound.upper(counts, 10, 0.05) for counts in drawn])
        assert found == pytest.approx(expected, abs=0.0025 if m == 200 else 0.0006)
