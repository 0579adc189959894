"""One labeling session: the journal of labels, the process that trains, and the sections that pages show.

What a page asks for is a method here. Labels are on the disk before a method that takes them returns.
"""

import threading
from contextlib import suppress
from itertools import chain
from typing import Any, get_args

from foldless.app import _label_target
from foldless.app._label_journal import LabelJournal
from foldless.app._page_sections import PageSections
from foldless.app._training_process import TrainingProcess
from foldless.app.app_setup import How, Setup
from foldless.errors import BadInput
from foldless.labeling import LabelingTarget

MOST_DEATHS = 3  # of the process that trains, one after the other
DIED = "the training process died, possibly out of memory: choose fewer models, and continue"
LATEST = 50  # labels that a page lists
PULSE = 1.0  # seconds between two looks at the file of the labels
LONGEST = 200  # letters of the name of a class


class LabelingSession:
    """What all pages of one server share."""

    def __init__(self, setup: Setup):
        self.setup, self.sections = setup, PageSections()
        self._lock = threading.Lock()
        self._opened = threading.Event()
        self._refused: Exception | None = None
        self._deaths = 0
        self._shown: dict[str, Any] = {}
        self._origins: dict[int, dict[str, Any]] = {}
        self._batch = 0
        self._how: How = "valid" if setup.keep_valid else "leaders"
        self.target: Any = None  # what labels are given for; the default until a page says otherwise
        self.journal: LabelJournal | None = None
        self._closed = threading.Event()
        self._training = TrainingProcess(setup, self._hear)

    def start(self) -> None:
        """Begin to read the files."""
        self._training.start()

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
        if self.journal is not None:
            self.journal.close()

    def label(self, row: Any, code: Any, tab: Any = None) -> int:
        """A row is of the class with this number; the number of the entry, for `undo`.

        ``tab`` is the name of the tab of a browser that says so.
        """
        labels = self._shown["labels"]
        if not _is_number(code, len(labels)):
            raise BadInput(f"there is no class {code!r}: there are {len(labels)} classes, numbered from 0", value=code)
        return self._enter({"row": self._row(row), "label": labels[code], **self._origins.get(row, {})}, tab)

    def new_class(self, row: Any, name: Any, tab: Any = None) -> int:
        """A row is of a class that no row had before; the number of the entry."""
        classes, row = self._shown["labels"], self._row(row)
        if not self._shown["open"]:
            raise BadInput("new classes need text labels: choose one of the existing classes")
        if not isinstance(name, str) or not name.strip() or len(name) > LONGEST or not name.isprintable():
            raise BadInput(f"a class name is one line of at most {LONGEST} characters", value=name)
        with self._lock:
            label = next((each for each in classes if each == name.strip()), name.strip())
            classes += [] if label in classes else [label]
        self._show_problem()
        return self._enter({"row": row, "label": label, **self._origins.get(row, {})}, tab)

    def skip(self, row: Any, tab: Any = None) -> int:
        """Show a row no more; the number of the entry."""
        return self._enter({"row": self._row(row), "skip": True, **self._origins.get(row, {})}, tab)

    def undo(self, row: Any, entry: Any, tab: Any) -> None:
        """Take back the entry of a row that this tab made, while it is the last one of the row."""
        assert self.journal is not None
        self.journal.undo(self._row(row), entry, _tab(tab))
        self._show_labels()

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
            "choose", models=models, criterion=criterion, labels=self._labels(), next_batch=self._next()
        )

    def stop(self) -> None:
        """Start no further fit, and choose by the fits that are done."""
        self._training.order("stop")

    def more(self) -> None:
        """Show other rows."""
        self._training.order("batch", **self._next())

    def hints(self, likely: Any, words: Any) -> None:
        """Show what the leading model thinks before a label is given, with the rows to label."""
        wanted = self.sections.get("hints") or {"on": {"likely": False, "words": False}}
        # another page may want what this one does not: each shows what its own user wants
        on = {"likely": bool(likely) or wanted["on"]["likely"], "words": bool(words) or wanted["on"]["words"]}
        self._training.order("hints", **on)

    def aim(self, accuracy: Any, confidence: Any, per_class: Any) -> None:
        """Say what labels are given for: an accuracy with a confidence, and rows of each class."""
        self.target = _label_target.read_target(accuracy, confidence, per_class)
        self._show_target()

    def _show_target(self) -> None:
        assert self.journal is not None
        is_chosen = self.target is not None
        target = self.target if is_chosen else LabelingTarget()
        shown = _label_target.shown_target(target, list(self.journal.rounds), self.setup.batch)
        self.sections.put("target", {**shown, "is_chosen": is_chosen})

    def save(self) -> None:
        """Write labels, model and report into the folder."""
        self._training.order("save", labels=self._labels())

    def _begin(self) -> None:
        shown, setup = self._shown, self.setup
        setup.check_places()
        setup.folder.mkdir(mode=0o700, exist_ok=True)
        about = {"label": shown["label"], "pool": shown["digest"]}
        self.journal = LabelJournal(setup.places["journal"], about, shown["rows"]["pool"])
        self._batch = self.journal.last_batch
        shown["labels"] += dict.fromkeys(
            label for label in self.journal.labels.values() if label not in shown["labels"]
        )
        self._show_problem()
        if setup.guide is not None:
            self.sections.put("guide", {"text": setup.guide_text()})
        self.sections.put("work", {"doing": None, "problem": None})
        self.sections.put("rounds", list(self.journal.rounds))
        self._show_target()
        self._show_labels()
        self.more()
        threading.Thread(target=self._watch, name="journal", daemon=True).start()

    def _watch(self) -> None:
        """Go on with a file that is put in the place of the journal, also while nobody labels, or say what is wrong."""
        assert self.journal is not None
        last: str | None = None
        while not self._closed.wait(PULSE):
            try:
                self.journal.look()
                problem = None
            except BadInput as error:
                problem = self.setup.word(error)
            except OSError as error:
                problem = f"the labels cannot be written ({error.strerror}): check the folder {self.setup.folder}"
            if problem != last:
                self._show("problem", problem)
            last = problem

    def _enter(self, entry: dict[str, Any], tab: Any) -> int:
        assert self.journal is not None
        number = self.journal.append(entry, _tab(tab))
        self._show_labels()
        return number

    def _show_problem(self) -> None:
        shared = {key: value for key, value in self._shown.items() if key not in ("digest", "labels")}
        shared["classes"] = [str(label) for label in self._shown["labels"]]
        chosen = {"models": list(self.setup.models), "criterion": _name(self.setup.criterion), "rows": self._how}
        self.sections.put("problem", {**shared, "train": self.setup.train, "chosen": chosen})

    def _show_labels(self) -> None:
        assert self.journal is not None
        codes = {label: code for code, label in enumerate(self._shown["labels"])}
        with self._lock:
            labels, skipped = self.journal.state()
            latest = list(labels.items())[-LATEST:]
            counts = [0] * len(codes)
            for label in labels.values():
                counts[codes[label]] += 1
            self.sections.put(
                "labels",
                {
                    "given": {row: codes[label] for row, label in labels.items()},
                    "skipped": sorted(skipped),
                    "latest": [[row, codes[label]] for row, label in latest],
                    "counts": counts,
                },
            )

    def _labels(self) -> list[tuple[int, Any, float | None, int]]:
        assert self.journal is not None
        return self.journal.drawn()

    def _next(self) -> dict[str, Any]:
        """Which rows are to be shown next."""
        assert self.journal is not None
        self._batch += 1
        first = all(p is None for _, _, p, _ in self.journal.drawn())
        return {"out": list(chain(*self.journal.state())), "how": self._how, "number": self._batch, "first": first}

    def _row(self, row: Any) -> int:
        n = self._shown["rows"]["pool"]
        if not _is_number(row, n):
            raise BadInput(f"there is no row {row!r}: the pool has {n} rows, numbered from 0", value=row)
        return int(row)

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
        else:
            self.sections.put(kind, value)
        if kind == "result" and self.journal is not None:
            estimate = value["estimate"] and {key: value["estimate"][key] for key in ("value", "lower", "upper")}
            best = f"{value['best']['model']} {value['best']['params']}"
            chosen = {"labels": value["labels"], "best": best, "estimate": estimate, "test": value["test_accuracy"]}
            with suppress(OSError, BadInput):  # a full disk; what is shown is no promise
                self.journal.append({"round": chosen})
            self.sections.put("rounds", list(self.journal.rounds))
            self._show_target()

    def _show_batch(self, batch: list[dict[str, Any]]) -> None:
        """Show the rows of a batch that have no label yet: some may have got one since they were drawn."""
        assert self.journal is not None
        labels, skipped = self.journal.state()
        left = [entry for entry in batch if entry["row"] not in labels and entry["row"] not in skipped]
        left = [{**entry, "of": len(left)} for entry in left]
        self._origins |= {entry["row"]: {key: entry[key] for key in ("p", "batch", "of")} for entry in left}
        self.sections.put("batch", left)

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


def _is_number(value: Any, below: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < below


def _tab(name: Any) -> str | None:
    if name is not None and (not isinstance(name, str) or not 0 < len(name) <= LONGEST):
        raise BadInput(f"the name of a tab has 1 to {LONGEST} characters, got {name!r:.50}", value=name)
    return name


def _name(criterion: Any) -> str:
    return criterion if isinstance(criterion, str) else str(criterion.name)
