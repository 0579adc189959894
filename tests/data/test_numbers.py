import numpy as np
import pytest
from scipy import sparse

from foldless.data._numbers import as_numbers


@pytest.mark.parametrize("n_parts", [1, 2])
@pytest.mark.parametrize("dtype", [float, np.float32, int])
def test_sparse_rows_get_length_one_and_the_users_matrix_keeps_its_own(n_parts, dtype):
    X = sparse.csr_matrix(np.array([[3, 0, 4], [0, 2, 0]], dtype=dtype))
    rows = as_numbers([X] * n_parts, np.random.default_rng(0))
    assert rows.toarray() == pytest.approx(np.tile([[0.6, 0, 0.8], [0, 1, 0]], (n_parts, 1)))
    assert X.toarray().tolist() == [[3, 0, 4], [0, 2, 0]]
