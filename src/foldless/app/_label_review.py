"""The list of rows with an answer: searched, filtered and cut into pages.

Each row has the beginning of its content, the answers of everybody, and, after a race, how likely its label is under
models that were not trained on it. A row that is changed here was picked, so its label does not count as drawn.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from foldless.app._row_answers import Answer, RowAnswers, classes_of, codes_of

SNIPPET = 240  # characters of a row in the list
MAX_PAGE = 100
ORDERS = ("unlikely", "newest", "oldest")
DISPUTED, OTHERWISE, LABELED = "disputed", "otherwise", "labeled"


@dataclass(frozen=True)
class Asked:
    """What a page asks the list for; empty texts ask for all.

    Parameters
    ----------
    words : all of which a row must contain
    label : the code of a class
    state : "labeled", one of the states, "disputed", or "otherwise" where the model says otherwise
    by : a person
    day : such as 2026-11-18
    order : which rows come first
    """

    words: str = ""
    label: int | None = None
    state: str = ""
    by: str = ""
    day: str = ""
    order: str = "newest"
    offset: int = 0
    limit: int = 20


class LabelReview:
    """Contents of rows, guesses and doubts of models about them, and the list."""

    def __init__(self) -> None:
        self.cards: dict[int, dict[str, Any]] = {}
        self.guesses: dict[int, Any] = {}
        self.doubts: dict[int, tuple[Any, float]] = {}
        self._texts: dict[int, str] = {}

    def keep(self, entries: list[dict[str, Any]]) -> None:
        """Keep the content of rows that are shown or have an answer."""
        for entry in entries:
            row, parts = entry["row"], [*entry.get("texts", ()), *entry.get("cells", ())]
            self.cards[row] = {key: entry[key] for key in ("row", "texts", "cells", "more") if key in entry}
            self._texts[row] = "\n".join(str(value) for _, value in parts)

    def page(self, answers: RowAnswers, codes: dict[Any, int], asked: Asked) -> dict[str, Any]:
        """The rows that are asked for, and how many there are of each kind."""
        rows = [self._entry(answers, codes, row) for row in answers.rows()]
        counts = Counter(kind for entry in rows for kind in entry["kinds"])
        chosen = [entry for entry in rows if self._matches(entry, asked)]
        if asked.order == "unlikely":
            chosen.sort(key=lambda entry: 2.0 if entry["likely"] is None else entry["likely"])
        else:
            chosen.sort(key=lambda entry: entry["order"], reverse=asked.order == "newest")
        limit = max(1, min(asked.limit, MAX_PAGE))
        start = max(0, min(asked.offset, max(0, len(chosen) - 1) // limit * limit))
        shown = [self._with_content(entry) for entry in chosen[start : start + limit]]
        return {
            "rows": shown, "total": len(chosen), "offset": start, "all": len(rows), "counts": counts,
            "people": answers.people(), "days": sorted({entry["at"][:10] for entry in rows if entry["at"]}),
        }  # fmt: skip

    def _entry(self, answers: RowAnswers, codes: dict[Any, int], row: int) -> dict[str, Any]:
        said, decision = answers.said(row), answers.decision(row)
        label, state = answers.labels.get(row), answers.states.get(row)
        otherwise, likely = self._model(row, label) if row in answers.labels else (None, None)
        disputed = row in answers.disputed
        kinds = [DISPUTED] if disputed else [state or LABELED]
        kinds += [OTHERWISE] if otherwise is not None else []
        return {
            "row": row,
            "code": codes_of(label, codes) if row in answers.labels else None,
            "state": DISPUTED if disputed else state,
            "kinds": kinds,
            "opinions": [_opinion(each, codes) for each in answers.opinions(row)],
            "settled": None if decision is None else _opinion(decision, codes),
            "note": "; ".join(each.note for each in said if each.note),
            "at": max((each.at for each in said if each.at), default=""),
            "order": max(each.order for each in said),
            "drawn": row in answers.draws and answers.draws[row].p != 0,
            "otherwise": codes.get(otherwise) if otherwise is not None else None,
            "likely": likely,
        }

    def _model(self, row: int, label: Any) -> tuple[Any, float | None]:
        """What the model says otherwise, and how likely it finds the label; out of fold where a race had it."""
        predicted, likely = self.doubts.get(row, (self.guesses.get(row), None))
        return (None if predicted in classes_of(label) else predicted), likely

    def _matches(self, entry: dict[str, Any], asked: Asked) -> bool:
        code = entry["code"]
        if asked.label is not None and asked.label not in (code if isinstance(code, list) else [code]):
            return False
        if asked.state and asked.state not in entry["kinds"]:
            return False
        if asked.by and asked.by not in [opinion["by"] for opinion in entry["opinions"]]:
            return False
        if asked.day and not entry["at"].startswith(asked.day):
            return False
        text = f"{self._texts.get(entry['row'], '')}\n{entry['note']}".casefold()
        return all(word in text for word in asked.words.casefold().split())

    def _with_content(self, entry: dict[str, Any]) -> dict[str, Any]:
        card, text = self.cards.get(entry["row"]), self._texts.get(entry["row"], "")
        beginning = text if len(text) <= SNIPPET else f"{text[:SNIPPET]}…"
        return {**entry, "beginning": beginning, "card": card}


def _opinion(answer: Answer, codes: dict[Any, int]) -> dict[str, Any]:
    code = codes_of(answer.label, codes) if answer.state is None else None
    return {"by": answer.by, "code": code, "state": answer.state, "at": answer.at, "note": answer.note}
