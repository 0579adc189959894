import numpy as np

from foldless.bounds import _bentkus as bentkus
from foldless.bounds import _relative_entropy as relative_entropy
from foldless.bounds._hoeffding_bentkus import upper


def test_each_of_the_two_is_the_better_one_somewhere():
    rare, none = np.arange(2000) % 20 == 0, np.zeros(100, dtype=int)
    assert upper(rare, 1, 0.05) == bentkus.upper(rare, 1, 0.05) < relative_entropy.upper(rare, 1, 0.05)
    assert upper(none, 1, 0.05) == relative_entropy.upper(none, 1, 0.05) < bentkus.upper(none, 1, 0.05)
