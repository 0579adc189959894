"""Who is given which parameter of ``fit``: the candidates, the scorers, the splitter.

With scikit-learn's metadata routing each says what it requests. Without it candidates are given everything, and sample
weights go to every scorer that takes them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sklearn import get_config
from sklearn.utils.metadata_routing import MetadataRouter, MethodMapping, process_routing

from foldless.core import Criterion
from foldless.core._resampling import Splitter
from foldless.data._metadata import ScoreParams
from foldless.engine._candidates import bases
from foldless.errors import BadInput, warn_user
from foldless.selection.as_grid_search._planning import SearchPlan, takes_weights


@dataclass(frozen=True, eq=False)
class Routed:
    """The parameters of fit by who is given them."""

    fit: Mapping[str, Any] = field(default_factory=dict)
    score: ScoreParams = field(default_factory=dict)
    groups: Any = None
    split: Mapping[str, Any] = field(default_factory=dict)

    def bound(self, criterion: Criterion) -> Criterion:
        """The criterion whose splitter is given what it requests."""
        if not self.split:
            return criterion
        folds = replace(criterion.k, params=self.split)  # type: ignore[attr-defined]  # it has a splitter
        return replace(criterion, k=folds)  # type: ignore[type-var]  # it is a dataclass


def router(search: Any) -> Any:
    """Where parameters may go; ``X_unlabeled``, ``X_test``, ``y_test`` and ``groups`` are the search's own too."""
    routes = MetadataRouter(owner=search).add_self_request(search)
    if isinstance(search.cv, Splitter):  # whose request decides about groups
        routes._self_request.fit.requests.pop("groups", None)
    mapping, scores = MethodMapping().add(caller="fit", callee="fit"), _has_scorer(search)
    if not scores:
        mapping.add(caller="score", callee="score")
    for name, base in _named_bases(search).items():
        routes.add(method_mapping=mapping, **{name: base})
    if scores:
        mapping = MethodMapping().add(caller="score", callee="score").add(caller="fit", callee="score")
        routes.add(scorer=_scorer(search), method_mapping=mapping)
    if isinstance(search.cv, Splitter):
        routes.add(splitter=search.cv, method_mapping=MethodMapping().add(caller="fit", callee="split"))
    return routes


def routed(search: Any, plan: SearchPlan, params: Mapping[str, Any], groups: Any) -> Routed:
    """The parameters of a fit, each with those who are given it."""
    if not get_config()["enable_metadata_routing"]:
        return Routed(params, _weights(search, plan, params.get("sample_weight")), groups)
    to_splitter = {"groups": groups} if groups is not None and isinstance(search.cv, Splitter) else {}
    if not params and not to_splitter:
        return Routed(groups=groups)
    routing = process_routing(search, "fit", **params, **to_splitter)
    wanted = [dict(routing[name].fit) for name in _named_bases(search)]
    if any(set(names) != set(wanted[0]) for names in wanted):
        raise BadInput("the estimators request different fit parameters: let all of them request the same")
    split = dict(routing.splitter.split) if isinstance(search.cv, Splitter) else {"groups": groups}
    groups = split.pop("groups", None)
    score: dict[str, Any] = {}
    if _has_scorer(search):
        score = {name: of_scorer(routing, name if plan.several else None, _scorer(search)) for name in plan.scorers}
    return Routed(wanted[0], {name: of_metric for name, of_metric in score.items() if of_metric}, groups, split)


def of_scorer(routing: Any, metric: str | None, scorer: Any = None) -> dict[str, Any]:
    """What one scorer is given; of several metrics, what this one requests."""
    requested = dict(routing["scorer" if "scorer" in routing else "estimator"].score)
    if metric is None or scorer is None or not requested:
        return requested
    return dict(process_routing(scorer, "score", **requested)[metric].score)


def _has_scorer(search: Any) -> bool:
    """Whether a scorer of its own requests parameters; by default candidates are judged without them."""
    return search.scoring is not None or search.cv is not None


def _named_bases(search: Any) -> dict[str, Any]:
    every = bases(search.estimators)
    return {"estimator": every[0]} if len(every) == 1 else {f"estimator_{at}": base for at, base in enumerate(every)}


def _scorer(search: Any) -> Any:
    """The scorer, or the scorers as one, which know what they request."""
    if callable(search.scoring):
        return search.scoring
    from sklearn.metrics import check_scoring

    return check_scoring(bases(search.estimators)[0], search.scoring)


def _weights(search: Any, plan: SearchPlan, weights: Any) -> dict[str, dict[str, Any]]:
    """Sample weights for the scorers that take them, and a warning for each of the others."""
    if weights is None or not plan.criterion.traits.asks_metrics:
        return {}
    for name, scorer in plan.scorers.items():
        if not takes_weights(scorer):
            shown = f"{name}={scorer}" if plan.several else f"{scorer}"
            warn_user(
                f"The scoring {shown} does not support sample_weight, which may lead to statistically incorrect "
                f"results when fitting {search} with sample_weight."
            )
    return {name: {"sample_weight": weights} for name, scorer in plan.scorers.items() if takes_weights(scorer)}
