"""One labeling session: the journal of labels, the process that trains, and the sections that pages show.

What a page asks for is a method here. Labels are on the disk before a method that takes them returns.
"""

import shlex
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timezone
from importlib import import_module
from itertools import chain
from typing import Any, get_args

from foldless.app._label_journal import LabelJournal
from foldless.app._label_review import Asked, LabelReview
from foldless.app._label_sections import agreement, beside_labels, new_classes, shown_labels
from foldless.app._page_sections import PageSections
from foldless.app._people_batches import PeopleBatches, with_repeats
from foldless.app._row_answers import OWNER, RowAnswers, classes_of
from foldless.app._row_searches import RowSearches
from foldless.app._sent_values import class_name, hint_names, label_of, note_text, row_number, state_name, tab_name
from foldless.app._training_process import TrainingProcess
from foldless.app.app_setup import How, Setup
from foldless.errors import BadInput

MOST_DEATHS = 3  # of the process that trains, one after the other
DIED = "the training process died, possibly out of memory: choose fewer models, and continue"
PULSE = 1.0  # seconds between two looks at the file of the labels


class LabelingSession:
    """What all pages of one server share."""

    journal: LabelJournal  # from `open` on

    def __init__(self, setup: Setup, ended: threading.Event | None = None):
        self.setup, self.sections, self._ended = setup, PageSections(), ended
        self._lock = threading.Lock()
        self._opened = threading.Event()
        self._refused: Exception | None = None
        self._deaths = 0
        self._shown: dict[str, Any] = {}
        self._batches = PeopleBatches(self.people, setup.overlap)
        self._asked_for: set[int] = set()  # rows whose content was asked for
        self._changes = -1  # of the file by others, when classes were last looked for
        self._how: How = "valid" if setup.keep_valid else "leaders"
        self.target: Any = None  # what labels are given for; the default until one is chosen
        self.review = LabelReview()
        self._searches = RowSearches()
        self._closed = threading.Event()
        self._training = TrainingProcess(setup, self._hear)

    @property
    def _n_rows(self) -> int:
        return int(self._shown["rows"]["pool"])

    @property
    def _several(self) -> bool:
        return bool(self._shown["several"])

    @property
    def people(self) -> tuple[str, ...]:
        """Who labels: the names, or the owner alone."""
        return tuple(self.setup.people) or (OWNER,)

    def start(self) -> None:
        """Begin to read the files; what needs numpy here is imported meanwhile."""
        self._training.start()
        import_module("foldless.app._label_target")

    def open(self) -> None:
        """Wait for the files, and read the labels that were given before; raises where that is not possible."""
        self._opened.wait()
        if self._refused is not None:
            self.close()
            raise self._refused
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the process that trains, and let go of the journal."""
        self._closed.set()
        self._training.close()
        if hasattr(self, "journal"):
            self.journal.close()

    def label(
        self, row: Any, code: Any, tab: Any = None, picked: Any = False, repeat: Any = False, hints: Any = None,
        names: Any = (), by: str = OWNER,
    ) -> int:  # fmt: skip
        """A row is of the class with this number; the number of the entry, for `undo`.

        Where rows have several classes, ``code`` is a list, and ``names`` are new classes that it has too.

        ``tab`` is the name of the tab of a browser that says so. ``picked`` says that a person has looked for the row:
        then its label never counts as one that was drawn. ``repeat`` says that the row was shown again, ``hints`` what
        the person saw of the model's opinion before.
        """
        row, seen = row_number(row, self._n_rows), hint_names(hints)
        label = label_of(code, self._shown["labels"], self._several)
        if self._several:
            label = list(dict.fromkeys([*label, *self._named(names)]))
            if not label:
                raise BadInput("no class is ticked: tick at least one, or say that no class fits")
        return self._enter(
            {"row": row, "label": label, **seen, **self._batches.how_shown(row, picked, repeat)}, tab, by
        )

    def _named(self, names: Any) -> list[str]:
        """Classes by their names; those that no row had before become known."""
        if not isinstance(names, list | tuple) or (names and not self._shown["open"]):
            raise BadInput("new classes need text labels: choose one of the existing classes")
        named = [class_name(name, self._shown["separator"]) for name in names]
        with self._lock:
            new = [name for name in dict.fromkeys(named) if name not in self._shown["labels"]]
            self._shown["labels"] += new
        if new:
            self._show_problem()
        return named

    def new_class(
        self, row: Any, name: Any, tab: Any = None, picked: Any = False, hints: Any = None, by: str = OWNER
    ) -> int:
        """A row is of a class that no row had before; the number of the entry."""
        row, seen = row_number(row, self._n_rows), hint_names(hints)
        (label,) = self._named([name])
        said = {"label": [label] if self._several else label, **seen}
        return self._enter({"row": row, **said, **self._batches.how_shown(row, picked, False)}, tab, by)

    def skip(
        self, row: Any, tab: Any = None, state: Any = "skip", note: Any = None, picked: Any = False,
        repeat: Any = False, hints: Any = None, by: str = OWNER,
    ) -> int:  # fmt: skip
        """A row gets no class, and why: it is skipped, somebody is unsure, no class fits, or it is flagged."""
        named = state_name(state)
        said: dict[str, Any] = {"skip": True} if named == "skip" else {"skip": True, "state": named}
        said |= {**hint_names(hints), **({} if note is None else {"note": note_text(note)})}
        return self._enter(
            {"row": row_number(row, self._n_rows), **said, **self._batches.how_shown(row, picked, repeat)}, tab, by
        )

    def settle(self, row: Any, code: Any = None, state: Any = None, tab: Any = None, by: str = OWNER) -> int:
        """Decide about a row of which people say different things; the number of the entry."""
        row = row_number(row, self._n_rows)
        with self.journal.reading() as answers:
            if row not in answers.disputed and answers.decision(row) is None:
                raise BadInput(f"nobody differs about row {row + 1}: change its label instead", value=row)
        said: dict[str, Any] = (
            {"label": label_of(code, self._shown["labels"], self._several)}
            if state is None
            else {"skip": True, "state": state_name(state)}
        )
        return self._enter({"row": row, **said, "settles": True}, tab, by)

    def undo(self, row: Any, entry: Any, tab: Any, repeat: Any = False, settles: Any = False, by: str = OWNER) -> None:
        """Take back the entry of a row that this tab made, while it is the last one of the row."""
        kinds = {"repeat": repeat is True, "settles": settles is True}
        self.journal.undo(row_number(row, self._n_rows), entry, tab_name(tab), by, **kinds)
        self._show_labels()

    def remark(self, row: Any, by: str = OWNER) -> dict[str, Any]:
        """What may be said about an answer after it was given: that the model says otherwise."""
        with self.journal.reading() as answers:
            last = answers.last(row, by)
        guess = self.review.guesses.get(row)
        if last is None or last.state is not None or guess is None or guess in classes_of(last.label):
            return {}
        return {"otherwise": str(guess)}

    def look_back(self, asked: Asked) -> dict[str, Any]:
        """A page of the list of all that was said of rows."""
        with self.journal.reading() as answers:
            return self.review.page(answers, self._codes(), asked)

    def search(self, words: str, offset: int = 0) -> dict[str, Any]:
        """Rows of the pool without an answer that contain all words, to pick one from.

        Those that are on a page to be labeled were drawn, and come anyway: picked before their turn they would be
        missing among the drawn ones.
        """
        out = sorted(self._batches.rows().union(*self.journal.state()))
        number = self._searches.asked()
        self._training.order("search", number=number, words=words, out=out, offset=offset)
        page = self._searches.wait(number)
        self.review.keep(page["rows"])
        return {**page, "words": words}

    def go_on(self, models: Any, criterion: Any, rows: Any) -> None:
        """Choose a model with all labels there are; ``rows`` says which to show next."""
        names = [model["name"] for model in self._shown["models"]]
        if not isinstance(models, list) or not models or not all(model in names for model in models):
            raise BadInput("no model is ticked: tick at least one", value=models)
        if criterion == _name(self.setup.criterion):
            criterion = self.setup.criterion
        elif criterion not in [offered["name"] for offered in self._shown["criteria"]]:
            raise BadInput(f"there is no criterion {criterion!r}: choose one of the list", value=criterion)
        if rows not in get_args(How):
            raise BadInput(f"rows are chosen by one of {', '.join(get_args(How))}, got {rows!r}", value=rows)
        with self._lock:
            work = self.sections.get("work")
            if work["doing"] == "choose":
                raise BadInput("a race is running: wait for its end, or stop it")
            self.sections.put("work", {"doing": "choose", "problem": None})
            self.sections.put("race", None)
            self._how = rows
        self._training.order(
            "choose", models=models, criterion=criterion, labels=self.journal.drawn(), next_batch=self._next(),
            hinted=self._said(RowAnswers.n_hinted),
        )  # fmt: skip

    def stop(self) -> None:
        """Start no further fit, and choose by the fits that are done."""
        self._training.order("stop")

    def more(self, by: str | None = None) -> None:
        """Show other rows; where a person asks, others keep theirs."""
        following = self._next()
        if by is not None:
            others = self._batches.asked_for(following["number"], by)
            following["out"] = sorted(others.union(following["out"]))
        self._training.order("batch", **following)

    def hints(self, likely: Any, words: Any) -> None:
        """Show what the leading model thinks before a label is given, with the rows to label."""
        wanted = self.sections.get("hints") or {"on": {"likely": False, "words": False}}
        # another page may want what this one does not: each shows what its own user wants
        on = {"likely": bool(likely) or wanted["on"]["likely"], "words": bool(words) or wanted["on"]["words"]}
        self._training.order("hints", **on)

    def aim(self, accuracy: Any, confidence: Any, per_class: Any) -> None:
        """Say what labels are given for: an accuracy with a confidence, and rows of each class."""
        from foldless.app import _label_target

        target = _label_target.read_target(accuracy, confidence, per_class)
        _label_target.keep_target(target, self.setup.places["target"])
        self.target = target
        self._show_target()

    def _show_target(self) -> None:
        from foldless.app import _label_target
        from foldless.labeling import LabelingTarget

        is_chosen = self.target is not None
        target = self.target if is_chosen else LabelingTarget()
        shown = _label_target.shown_target(target, list(self.journal.answers.rounds), self.setup.batch)
        self.sections.put("target", {**shown, "is_chosen": is_chosen})

    def save(self) -> None:
        """Write labels, model and report into the folder."""
        self._training.order("save", labels=self.journal.drawn(), beside=self._said(beside_labels))

    def train_final(self) -> None:
        """Save the labels, and train the final model with them."""
        self._training.order("final", labels=self.journal.drawn(), beside=self._said(beside_labels))

    def agreement(self) -> dict[str, Any]:
        return self._said(agreement)

    def end(self) -> None:
        """End the server, for whoever waits for the labels."""
        if self._ended is None:
            raise BadInput("this server is ended where it was started, by Ctrl-C")
        self._ended.set()

    def _begin(self) -> None:
        from foldless.app._label_target import kept_target

        shown, setup = self._shown, self.setup
        setup.check_places()
        setup.folder.mkdir(mode=0o700, exist_ok=True)
        self.target = kept_target(setup.places["target"])
        about = {"label": shown["label"], "pool": shown["digest"], **({"several": True} if self._several else {})}
        self.journal = LabelJournal(setup.places["journal"], about, shown["rows"]["pool"])
        self._batches.number = self.journal.last_batch
        self._learn_classes()
        self._show_problem()
        if setup.guide is not None:
            self.sections.put("guide", {"text": setup.guide_text()})
        self.sections.put("work", {"doing": None, "problem": None})
        self.sections.put("rounds", list(self.journal.answers.rounds))
        self._show_target()
        self._show_labels()
        self._ask_for_cards()
        self.more()
        self._training.order("look")
        threading.Thread(target=self._watch, name="journal", daemon=True).start()

    def _learn_classes(self) -> bool:
        """Whether the journal has labels of classes that the files have not."""
        if self._changes == self.journal.changes:
            return False
        self._changes = self.journal.changes
        with self.journal.reading() as answers:
            new = new_classes(answers, self._shown["labels"])
        self._shown["labels"] += new
        return bool(new)

    def _ask_for_cards(self, rows: list[int] | None = None) -> None:
        """Ask for the content of these rows, or of all that have an answer, if they were not shown since the start."""
        with self.journal.reading() as answers:
            said = answers.rows() if rows is None else rows
        rows = [row for row in said if row not in self.review.cards and row not in self._asked_for]
        if rows:
            self._asked_for |= set(rows)
            self._training.order("cards", rows=rows)

    def _watch(self) -> None:
        """Go on with a file that is put in the place of the journal, also while nobody labels, or say what is wrong."""
        last: str | None = None
        while not self._closed.wait(PULSE):
            try:
                if self.journal.look():
                    self._show_labels()
                    self._ask_for_cards()
                problem = None
            except BadInput as error:
                problem = self.setup.word(error)
            except OSError as error:
                problem = f"the labels cannot be written ({error.strerror}): check the folder {self.setup.folder}"
            if problem != last:
                self._show("problem", problem)
            last = problem

    def _enter(self, entry: dict[str, Any], tab: Any, by: str) -> int:
        who = {"by": by} if by else {}
        now = datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        number = self.journal.append({**entry, **who, "at": now}, tab_name(tab))
        self._show_labels()
        self._ask_for_cards([entry["row"]])
        return number

    def _show_problem(self) -> None:
        shared = {key: value for key, value in self._shown.items() if key not in ("digest", "labels")}
        shared["classes"] = [str(label) for label in self._shown["labels"]]
        chosen = {"models": list(self.setup.models), "criterion": _name(self.setup.criterion), "rows": self._how}
        final = self.setup.final_command(lists=self._several and self._shown["separator"] is None)
        command = shlex.join(["foldless", *final]) if final and self._shown["columns"] else None
        mine: dict[str, Any] = {"train": self.setup.train, "chosen": chosen, "people": list(self.setup.people)}
        mine |= {"command": command, "can_end": self._ended is not None}
        self.sections.put("problem", {**shared, **mine})
        for name in self.setup.people:
            self.sections.put("me", name, name)

    def _codes(self) -> dict[Any, int]:
        return {label: code for code, label in enumerate(self._shown["labels"])}

    def _show_labels(self) -> None:
        if self._learn_classes():
            self._show_problem()
        codes = self._codes()
        with self._lock, self.journal.reading() as answers:
            for by, section in shown_labels(answers, codes, self.people).items():
                self.sections.put("labels", section, by or None)

    def _said(self, what: Callable[[RowAnswers], Any]) -> Any:
        with self.journal.reading() as answers:
            return what(answers)

    def _next(self) -> dict[str, Any]:
        """Which rows are to be shown next."""
        self._batches.number += 1
        first = all(p is None for _, _, p, _ in self.journal.drawn())
        return {
            "out": list(chain(*self.journal.state())),
            "how": self._how,
            "number": self._batches.number,
            "first": first,
        }

    def _hear(self, kind: str, value: Any) -> None:
        """What the process that trains says; called in the thread that listens to it."""
        if kind == "opened":
            first = not self._opened.is_set()
            self._shown = value if first else self._shown  # classes may have been added
            self._opened.set()
            if not first:  # another process, after one has died
                self.more()
        elif kind == "refused":
            self._refused = value
            self._opened.set()
        elif kind == "died":
            self._replace()
        elif kind == "found":
            self._searches.answered(value.pop("number"), value)
        else:
            self._deaths = 0 if kind == "result" else self._deaths
            self._show(kind, value)

    def _show(self, kind: str, value: Any) -> None:
        work = self.sections.get("work") or {}
        if kind == "busy":
            self.sections.put("work", {"doing": value, "problem": None})
        elif kind == "done":
            self.sections.put("work", {**work, "doing": None})
        elif kind == "problem":
            self.sections.put("work", {**work, "problem": value})
        elif kind == "batch":
            self._show_batch(value)
        elif kind == "cards":
            self.review.keep(value)
        elif kind == "doubts":
            self.review.doubts = value
        else:
            self.sections.put(kind, value)
        if kind == "result":
            estimate = value["estimate"] and {key: value["estimate"][key] for key in ("value", "lower", "upper")}
            best = f"{value['best']['model']} {value['best']['params']}"
            chosen = {"labels": value["labels"], "best": best, "estimate": estimate, "test": value["test_accuracy"]}
            with suppress(OSError, BadInput):  # a full disk; what is shown is no promise
                self.journal.append({"round": chosen})
            self.sections.put("rounds", list(self.journal.answers.rounds))
            self._show_target()

    def _show_batch(self, batch: list[dict[str, Any]]) -> None:
        """Show the rows of a batch that have no label yet: some may have got one since they were drawn."""
        labels, skipped = self.journal.state()
        left = [entry for entry in batch if entry["row"] not in labels and entry["row"] not in skipped]
        left = [{**entry, "of": len(left)} for entry in left]
        for entry in left:
            guess = entry.pop("guess", None)
            if guess is not None:
                self.review.guesses[entry["row"]] = guess  # which no page sees before the row has its label
        parts = self._batches.dealt(batch, left)
        self.review.keep(left)
        for by, part in parts.items():
            with self.journal.reading() as answers:
                shown = with_repeats(part, by, answers, self.review.cards)
            self.sections.put("batch", shown, by or None)

    def _replace(self) -> None:
        """Start another process in place of one that has died."""
        if not self._opened.is_set():
            self._refused = BadInput(DIED)
            self._opened.set()
            return
        self._deaths += 1
        self.sections.put("work", {"doing": None, "problem": DIED})
        if self._deaths <= MOST_DEATHS:
            self._training.start()


def _name(criterion: Any) -> str:
    return criterion if isinstance(criterion, str) else str(criterion.name)
