"""What a certificate is: an upper bound with its confidence, its summands and everything it rests on.

Shown numbers are rounded to the safe side: a bound up, so that no digit promises more than was computed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from decimal import ROUND_CEILING, Context, Decimal
from html import escape
from typing import Any

from foldless._deprecations import deprecated
from foldless.errors import counted

UNTOUCHED = (
    "nothing that training sees (scaling, chosen features, sample weights, frozen models) was computed from these rows "
    "outside the candidates"
)
FIXED = (
    "the candidates, all settings and the seed were fixed before the data was seen, and no run was repeated for a "
    "better number"
)
APART = "no pool row is one of the labeled rows, and chance decided which rows were labeled"
HELPS = "use more labels, a larger pool, fewer candidates, or a lower confidence"
SEVERAL = "each certificate holds by itself: the smallest of several does not hold at their confidence"


@dataclass(frozen=True)
class Term:
    """One summand of a bound: what it bounds, how much, what was observed on how many rows, and its share of δ.

    ``delta`` is what this term took for this candidate, after δ was divided among the candidates.
    """

    what: str
    upper: float
    observed: float
    rows: int
    delta: float

    def __str__(self) -> str:
        seen = f"observed {self.observed:.4g} on {counted(self.rows, 'row')}"
        return f"{self.what}: at most {rounded_up(self.upper)} ({seen}, δ {self.delta:.2g})"


@dataclass(frozen=True)
class Certificate:
    """An upper bound with its confidence and everything it rests on; never shown without all of them.

    Attributes
    ----------
    quantity : what is bounded, "error"
    upper : the bound, at most 1
    confidence : the probability, over the draw of labels and pool, with which it holds
    method : the criterion that made it
    assumes : sentences that must be true for it to hold
    terms : the summands of the bound
    candidates : how many candidates the confidence covers at once
    notes : sentences that its reader should know
    model : the model it is about, where `foldless.certify` returned it
    selection : the `Selection` behind it, where `foldless.certify` returned it
    """

    quantity: str
    upper: float
    confidence: float
    method: str
    assumes: tuple[str, ...]
    terms: tuple[Term, ...] = ()
    candidates: int = 1
    notes: tuple[str, ...] = ()
    model: Any = field(default=None, repr=False, compare=False)
    selection: Any = field(default=None, repr=False, compare=False)

    @property
    def nothing(self) -> str:
        """Why it says nothing, and what would help, where the bound is 1; else empty."""
        if self.upper < 1:
            return ""
        parts = " + ".join(rounded_up(term.upper) for term in self.terms)
        return f"a bound of 1 is vacuous{f' (its parts are {parts})' if len(self.terms) > 1 else ''}: {HELPS}"

    def __str__(self) -> str:
        bound = f"{self.quantity} at most {rounded_up(self.upper)} with confidence {self.confidence} ({self.method})"
        notes = ". ".join(sentence for sentence in (self.nothing, *self.notes) if sentence)
        return f"{bound}, if {'; '.join(self.assumes)}{f'. Note: {notes}' if notes else ''}"

    def __repr__(self) -> str:
        rests_on = f"assumptions: {len(self.assumes)}{f', notes: {len(self.notes)}' if self.notes else ''}"
        bound = f"{self.quantity} at most {rounded_up(self.upper)}, confidence={float(self.confidence):g}"
        return f"Certificate({self.method}, {bound}, candidates={self.candidates}, {rests_on})"

    def assuming(self, sentences: Sequence[str]) -> "Certificate":
        """The same certificate, resting on these sentences too."""
        selection = None if self.selection is None else self.selection.assuming(sentences)
        return replace(self, assumes=(*self.assumes, *sentences), selection=selection)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the model and the selection, as plain data for JSON."""
        plain = asdict(replace(self, model=None, selection=None))
        lists = {name: list(plain[name]) for name in ("assumes", "terms", "notes")}
        return {name: value for name, value in {**plain, **lists}.items() if name not in ("model", "selection")}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> "Certificate":
        """The certificate of which `to_dict` gave this data."""
        terms = tuple(Term(**term) for term in plain.get("terms", ()))
        sentences = {"assumes": tuple(plain["assumes"]), "notes": tuple(plain.get("notes", ()))}
        return cls(**{**plain, **sentences, "terms": terms})

    @deprecated(removed_in="0.5", instead="to_dict")
    def plain(self) -> dict[str, Any]:
        """As `to_dict`, by its name in 0.1."""
        return self.to_dict()

    @classmethod
    @deprecated(removed_in="0.5", instead="from_dict")
    def from_plain(cls, plain: Mapping[str, Any]) -> "Certificate":
        """As `from_dict`, by its name in 0.1."""
        return cls.from_dict(plain)

    def _repr_html_(self) -> str:
        """The bound, a bar of its parts from 0 to 1, and all that it rests on."""
        parts = self.terms or (Term("the bound", self.upper, self.upper, 0, 0.0),)
        bars = "".join(
            f'<span title="{escape(str(part))}" style="width:{100 * min(1.0, max(0.0, part.upper)):.1f}%;height:100%;'
            f'background:#c2410c;opacity:{(0.9, 0.55)[at % 2]}"></span>'
            for at, part in enumerate(parts)
        )
        named = "".join(f"<li>{escape(str(part))}</li>" for part in self.terms)
        notes = "".join(f"<p>Note: {escape(note)}</p>" for note in (self.nothing, *self.notes) if note)
        return (
            f'<div style="max-width:60em;line-height:1.45"><p>{escape(self.quantity)} at most '
            f'<b style="font-size:1.5em">{rounded_up(self.upper)}</b> with confidence {self.confidence} '
            f"({escape(self.method)})</p>"
            f'<div style="display:flex;max-width:24em;height:.8em;border:1px solid #8888;overflow:hidden">{bars}</div>'
            f"<ul>{named}</ul><p>It holds if</p>"
            f"<ul>{''.join(f'<li>{escape(sentence)}</li>' for sentence in self.assumes)}</ul>{notes}</div>"
        )


def difference(mine: Certificate, held: Certificate) -> str:
    """Why a certificate differs from one by a plain hold-out: which model each bounds, and how."""
    (labels, *pool), (out,) = mine.terms, held.terms
    by_hold_out = f"{out.rows:,} rows held out at δ {out.delta:.2g}"
    if not pool:
        return (
            f"{mine.method} ranks the candidates on the labels that train, so that {labels.rows:,} other labels test "
            f"its choice at δ {labels.delta:.2g}; {held.method} ranks and tests them by the same {by_hold_out}"
        )
    (disagreement,) = pool
    return (
        f"{mine.method} bounds the error of a model trained on every label by the sum of {rounded_up(labels.upper)}, "
        f"from {labels.rows:,} labels that test other fits, and {rounded_up(disagreement.upper)}, from the pool; "
        f"{held.method} bounds the error of a model trained on fewer labels by one term, from {by_hold_out}"
    )


def rounded_up(value: float, digits: int = 4) -> str:
    """A number with so many significant digits, never below its value."""
    up = Context(prec=digits, rounding=ROUND_CEILING).create_decimal(Decimal(str(float(value))))
    return format(up.normalize(), "f")


def raised(value: float, decimals: int = 4) -> str:
    """A number with so many decimals, never below its value: for columns, where points stand under each other."""
    return format(Decimal(str(float(value))).quantize(Decimal(1).scaleb(-decimals), ROUND_CEILING), "f")
