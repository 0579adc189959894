"""From the members of a batch to grids of fits, and from their solutions to answers.

Members share a grid if they are trained on rows of one block, agree about the labels of these rows, and have the same
kernel. Questions about rows of the Gram matrix read their kernel values there. For other rows, such as a pool, kernel
values are computed block by block, once for all fits and costs that are asked about them.

Fits share kernel values and nothing else. Each is solved and answers from its own rows, in an order that does not
depend on the labels of other rows: held-out labels do not change a digit.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from foldless.core import Array
from foldless.core.batch import Member, Part
from foldless.learners.kernel_svm._kernels import Kernel
from foldless.learners.kernel_svm._one_vs_one import Election, Machines, stretches
from foldless.learners.kernel_svm._shared_fits import Grid, SolvedGrid, TrainingRows, solve

KernelOf = Callable[[Any, Array | None, Any], Kernel]


@dataclass(frozen=True, eq=False)
class MemberSolution:
    """A solved member: where its fit and its cost are among the machines, and their answers, by the id of the part."""

    number: int
    training: TrainingRows
    kernel: Kernel
    machines: Machines
    fit: int
    cost: int
    elections: Mapping[int, Election]

    @property
    def classes(self) -> Array:
        return self.training.classes[self.machines.present[self.fit]]

    @property
    def unfinished(self) -> bool:
        return bool((self.machines.steps[self.fit, self.cost] < 0).any())


def solve_members(
    features: Sequence[Any],
    members: Sequence[Member],
    kernel_of: KernelOf,
    weights_of: Callable[[Array], Array],
    tol: float,
    max_iter: int,
) -> Iterator[MemberSolution]:
    """Solve all members, grid by grid; ``kernel_of`` takes features, rows and γ, ``weights_of`` labels."""
    for numbers in _groups(members, features):
        group = {number: members[number] for number in numbers}
        X = features[members[numbers[0]].train.block]
        sets = {id(m.train.rows): (m.train.rows, m.y) for m in group.values()}
        training = TrainingRows.of(X, sets.values())
        for grid, solved in solve(training, _plan(training, group, kernel_of, weights_of), tol, max_iter):
            held = _elections_of(features, training, grid, solved, group)
            local = {int(fit): at for at, fit in enumerate(solved.fits)}
            for number, (fit, cost) in grid.places.items():
                if fit in local:
                    yield MemberSolution(number, training, grid.kernel, solved.machines, local[fit], cost, held[fit])


def _groups(members: Sequence[Member], features: Sequence[Any]) -> list[list[int]]:
    """Numbers of members that may share a Gram matrix: trained on one block, and no row under two labels."""
    known: list[tuple[int, Array, Array]] = []
    groups: list[list[int]] = []
    for number, member in enumerate(members):
        block, y = member.train.block, np.asarray(member.y)
        rows = np.arange(len(y)) if member.train.rows is None else member.train.rows
        fitting = (at for at, group in enumerate(known) if group[0] == block and _agree(*group[1:], rows, y))
        at = next(fitting, len(known))
        if at == len(known):
            n = features[block].shape[0]
            known.append((block, np.zeros(n, bool), np.empty(n, y.dtype)))
            groups.append([])
        _, seen, labels = known[at]
        seen[rows], labels[rows] = True, y
        groups[at].append(number)
    return groups


def _agree(seen: Array, labels: Array, rows: Array, y: Array) -> bool:
    """Whether rows that were seen before have the label that they had then."""
    again = seen[rows]
    return bool((labels[rows[again]] == y[again]).all())


def _plan(
    training: TrainingRows,
    members: Mapping[int, Member],
    kernel_of: KernelOf,
    weights_of: Callable[[Array], Array],
) -> list[Grid]:
    """Cut a group of members into grids, one for each kernel."""
    weights: dict[Any, Array] = {}
    kernels: dict[Any, Kernel] = {}
    grouped: dict[Kernel, dict[int, tuple[Any, float]]] = {}
    for number, member in members.items():
        key = id(member.train.rows)
        if key not in weights:
            weights[key] = training.spread(member.train.rows, weights_of(member.y))
        named = key, member.params.get("gamma")
        if named not in kernels:
            kernels[named] = kernel_of(training.X, member.train.rows, named[1])
        grouped.setdefault(kernels[named], {})[number] = key, float(member.params["C"])
    grids = []
    for kernel, wanted in grouped.items():
        fits = list(dict.fromkeys(key for key, _ in wanted.values()))
        costs = sorted({cost for _, cost in wanted.values()})
        places = {number: (fits.index(key), costs.index(cost)) for number, (key, cost) in wanted.items()}
        grids.append(Grid(kernel, np.stack([weights[key] for key in fits]), costs, places))
    return grids


def _elections_of(
    features: Sequence[Any],
    training: TrainingRows,
    grid: Grid,
    solved: SolvedGrid,
    members: Mapping[int, Member],
) -> dict[int, dict[int, Election]]:
    """The answers of the solved fits to their members, by the number of the fit, then by the id of the part."""
    alone = {int(fit): solved.machines.only(at) for at, fit in enumerate(solved.fits)}
    asked: dict[int, tuple[Part, dict[int, bool]]] = {}
    for number, (fit, _) in grid.places.items():
        for question in members[number].questions if fit in alone else ():
            _, wanted = asked.setdefault(id(question.part), (question.part, {}))
            wanted[fit] = wanted.get(fit, False) or question.response == "scores"
    held: dict[int, dict[int, Election]] = {fit: {} for fit in alone}
    work: list[Callable[[], None]] = []
    for key, (part, wanted) in asked.items():
        X = features[part.block]
        rows = np.arange(X.shape[0]) if part.rows is None else part.rows
        in_gram = solved.gram is not None and X is training.X and bool((training.places[rows] >= 0).all())
        # a single fit needs the kernel with its support vectors only
        support = alone[next(iter(wanted))][1] if len(wanted) == 1 and not in_gram else None
        anchors = training.ascending if support is None else training.rows[support]
        for fit, scores in wanted.items():
            machines, used = alone[fit]
            columns = training.ranks[used] if support is None else None
            held[fit][key] = Election(machines, len(rows), scores=scores, columns=columns)
        values = (
            _from_gram(solved.gram, training.ranks[training.places[rows]])
            if in_gram
            else _computed(grid.kernel, X, rows, grid.kernel.anchors(training.X, anchors))
        )
        work += stretches([held[fit][key] for fit in wanted], values, len(anchors))
    list(solved.each(lambda run: run(), work))
    return held


def _from_gram(gram: Any, places: Array) -> Callable[[slice], Array]:
    return lambda stretch: gram[places[stretch]]


def _computed(kernel: Kernel, X: Any, rows: Array, anchors: Any) -> Callable[[slice], Array]:
    return lambda stretch: kernel.of(kernel.base(X[rows[stretch]], anchors))
