"""What the arrays of a model must agree on before it predicts: a small file for each family of types.

scikit-learn's compiled code and the kernels of foldless follow numbers without looking at bounds. A file of this
package has a table from the names of types to a check, a function of the model that says whether its numbers lead
nowhere else, and that its predictions take no more time and memory than its arrays tell. A check may raise what it
likes: that is a no.
"""

from collections.abc import Callable
from typing import Any

from foldless.saving.checks import _column_numbers as column_numbers
from foldless.saving.checks import _kernel_machines as kernel_machines
from foldless.saving.checks import _limited_work as limited_work
from foldless.saving.checks import _neighbor_trees as neighbor_trees
from foldless.saving.checks import _tree_nodes as tree_nodes
from foldless.saving.checks import _weight_shapes as weight_shapes

Check = Callable[[Any], bool]
Place = Callable[[Any, str, Any], bool]

CHECKS: dict[str, Check] = {
    **column_numbers.CHECKS,
    **kernel_machines.CHECKS,
    **limited_work.CHECKS,
    **neighbor_trees.CHECKS,
    **tree_nodes.CHECKS,
    **weight_shapes.CHECKS,
}  # of estimators
PLACES: dict[str, Place] = {**neighbor_trees.PLACES, **tree_nodes.PLACES}  # of compiled parts: owner, attribute, part
