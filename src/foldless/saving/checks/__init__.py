"""What the arrays of a model must agree on before it predicts: a small file for each family of types.

scikit-learn's compiled code and the kernels of foldless follow numbers without looking at bounds. A file of this
package has a table from the names of types to a check, a function that says whether the numbers of a model stay inside
its arrays, and whether predictions take no more time and memory than the size of its arrays suggests. A check that
raises anything refuses the model.
"""

from collections.abc import Callable
from typing import Any

from foldless.saving.checks import (
    _boosters,
    _column_numbers,
    _kernel_machines,
    _limited_work,
    _neighbor_trees,
    _tree_nodes,
    _weight_shapes,
)

Check = Callable[[Any], bool]
Place = Callable[[Any, str, Any], bool]

CHECKS: dict[str, Check] = {
    **_boosters.CHECKS,
    **_column_numbers.CHECKS,
    **_kernel_machines.CHECKS,
    **_limited_work.CHECKS,
    **_neighbor_trees.CHECKS,
    **_tree_nodes.CHECKS,
    **_weight_shapes.CHECKS,
}  # of estimators
CONTAINERS = _boosters.CONTAINERS  # what boosters keep things in
PLACES: dict[str, Place] = {**_neighbor_trees.PLACES, **_tree_nodes.PLACES}  # of compiled parts: owner, attribute, part
