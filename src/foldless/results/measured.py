"""A metric of a chosen model on new rows, with its interval, beside that of a constant prediction."""

from dataclasses import dataclass
from typing import Any

from foldless.results.baseline import Baseline, beside_test
from foldless.results.estimate import Estimate


@dataclass(frozen=True)
class MeasuredScore:
    """A metric that was named with ``scoring=``, and that of a constant prediction.

    Attributes
    ----------
    estimate : the metric on new rows, with its interval
    baseline : what always saying one class has; None where the metric is not defined for it
    better : "higher" or "lower"
    on_test : the metric of the same model on test rows; None where there are none

    Examples
    --------
    >>> print(MeasuredScore(Estimate("f1_macro", 0.8, 0.7, 0.9, 0.95, "held-out labels", (), 50), Baseline("no", 0.4)))
    macro F1 on new rows about 0.800, 0.700 to 0.900 with confidence 0.95 (from 50 held-out labels), where always \
saying 'no' has 0.400
    """

    estimate: Estimate
    baseline: Baseline | None = None
    better: str = "higher"
    on_test: float | None = None

    @property
    def tested(self) -> str:
        """What test rows say, beside the baseline on them; empty where there are none."""
        if self.on_test is None:
            return ""
        return f"{self.estimate.quantity_in_words} {self.on_test:.4f}{beside_test(self.baseline, '; ')}"

    @property
    def short(self) -> str:
        """The number with its interval and the baseline, in one line."""
        known = self.estimate
        interval = f" ({known.ends}, {100 * known.confidence:g} %)" * known.has_interval
        constant = self.baseline
        beside = "" if constant is None else f"; {constant.name} has {constant.share:.3f}"
        population = "" if known.about_pool else f" on {known.population}"
        return f"{known.quantity_in_words} about {known.value:.3f}{population}{interval}{beside}"

    def __str__(self) -> str:
        tested = f"; on the test rows {self.tested}" if self.tested else ""
        return f"{self.estimate}{'' if self.baseline is None else f', where {self.baseline}'}{tested}"

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data for JSON."""
        constant = None if self.baseline is None else self.baseline.to_dict()
        tested = {} if self.on_test is None else {"on_test": self.on_test}
        return {"estimate": self.estimate.to_dict(), "baseline": constant, "better": self.better, **tested}

    @classmethod
    def from_dict(cls, plain: dict[str, Any]) -> "MeasuredScore":
        """What `to_dict` wrote."""
        constant = None if plain["baseline"] is None else Baseline(**plain["baseline"])
        estimate = plain["estimate"]
        ends = {key: float("nan") if estimate[key] is None else estimate[key] for key in ("lower", "upper")}
        return cls(Estimate(**estimate | ends), constant, plain["better"], plain.get("on_test"))
