"""What the arrays of a model must agree on before it predicts: a small file for each family of types.

scikit-learn's compiled code and the kernels of foldless follow numbers without looking at bounds. A file of this
package has a table from the names of types to a check, a function of the model that says whether its numbers lead
nowhere else, and that its predictions take no more time and memory than its arrays tell. A check may raise what it
likes: that is a no.
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
