"""Certificates on the terminal: the bound of each candidate with its parts, and the certificate of the choice.

A bound never appears without its confidence and everything it rests on, and is rounded up.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from foldless.cli.terminal._console import Screen, dashed, named, number
from foldless.core.certificate import Certificate, raised, rounded_up

PARTS = ("by labels", "by pool")


def columns(document: Mapping[str, Any]) -> dict[str, list[str]]:
    """The bounds of a ranking, which hold all at once, and what they are made of."""
    ranking, terms = document["ranking"], document["certificate"]["terms"]
    parts = PARTS if len(terms) == len(PARTS) else ()
    tested = [entry for entry in ranking if "test_accuracy" in entry]
    return {
        "error at most": [_bound(entry["upper"]) for entry in ranking],
        **{title: [_bound((entry["parts"] or [None] * 2)[at]) for entry in ranking] for at, title in enumerate(parts)},
        "ranking score": [number(entry["score"]) for entry in ranking] if document["better"] == "higher" else [],
        "test error": [_error(entry) for entry in tested],
    }


def beside_scores(entries: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The bounds of a comparison, where there are any."""
    certificates = [entry["certificate"] for entry in entries]
    if not any(certificates):
        return {}
    return {
        "error at most": [_bound(certificate and certificate["upper"]) for certificate in certificates],
        "confidence": [str(certificate["confidence"]) if certificate else "–" for certificate in certificates],
    }


def both(screen: Screen, document: Mapping[str, Any]) -> None:
    """The certificate of a selection, and another one beside it."""
    block(screen, "Certificate:", document["certificate"], _tested(document, document["choice"]))
    other = document.get("beside")
    if other:
        whose = f"For comparison, for {named(other['model'], other['params'])}:"
        block(screen, whose, other["certificate"], _tested(document, other))
        screen.say(f"Why they differ: {other['difference']}")


def block(screen: Screen, title: str, plain: Mapping[str, Any], remark: str = "") -> None:
    """A certificate from its plain data: bound, summands and all that it assumes."""
    certificate = Certificate.from_dict(plain)
    covers = f", for all {certificate.candidates:,} candidates at once" if certificate.candidates > 1 else ""
    bound = f"{certificate.quantity} at most {rounded_up(certificate.upper)} with confidence {certificate.confidence}"
    screen.say(f"{title} {bound}{covers}, by {dashed(certificate.method)}", style="bold")
    sentences = (*map(str, certificate.terms), remark, certificate.nothing)
    screen.say(*(f"  {sentence}" for sentence in sentences if sentence))
    screen.listed("It holds if", certificate.assumes)
    screen.note(*certificate.notes)


def _tested(document: Mapping[str, Any], entry: Mapping[str, Any]) -> str:
    if entry.get("test_accuracy") is None:
        return ""
    return f"error of the model on the {document['rows']['test']:,} test rows: {_error(entry)}"


def _bound(upper: float | None) -> str:
    return "–" if upper is None else raised(upper)


def _error(entry: Mapping[str, Any]) -> str:
    accuracy = entry["test_accuracy"]
    return number(None if accuracy is None else 1.0 - accuracy)
