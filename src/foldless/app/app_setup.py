"""What an app is started with. It travels to the process that trains."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from foldless.errors import BadInput
from foldless.io import check_apart

if TYPE_CHECKING:
    from foldless.core import Criterion

LONGEST_GUIDE = 500_000  # characters: a book
ELSEWHERE = "another program"
"""Who says what a file holds that another program changed at the same time: the name of no person."""
BATCH = 30  # rows to label before the next choice
How = Literal["leaders", "valid", "random"]
"""The most disputed rows to label; rows that are needed, drawn with known probabilities; or any."""


@dataclass(frozen=True)
class Setup:
    """Files, candidates and settings.

    Parameters
    ----------
    train, label : the file of labeled rows, and its column of labels
    reading : further arguments of `foldless.tables.read_problem`, such as ``unlabeled``
    models : names of models with their grids, or None for the model's own; those that are ticked at first
    criterion : the criterion that is selected at first
    settings : further arguments of `foldless.FoldlessSearch`
    folder : where the labels are kept, and the model and the report are put
    made_by : the command or code that starts the app, for reports
    word : how a note or an error becomes a sentence
    batch : rows to label before the next choice
    keep_valid : whether rows to label are drawn with known probabilities at first, so that estimates remain valid
    classes : classes that can be given before a row has them
    people : names of those who label, each of whom gets a link; without any, who has the address labels
    final : arguments of the command that trains the final model with the written labels; without any the page has none
    overlap : the share of rows that is shown to two of them
    around : what is open while models are trained, such as the line to a cluster
    guide : a file of guidelines in Markdown, which the page shows beside the rows
    several : whether rows may have several classes though no row of the file has, nor a separator of them is named
    first_look : what there is to say of the problem that was read, called while the first rows are labeled
    """

    train: str
    label: str | None
    folder: Path
    classes: Sequence[str] = field(default=(), kw_only=True)
    several: bool = field(default=False, kw_only=True)
    reading: Mapping[str, Any] = field(default_factory=dict)
    models: Mapping[str, Mapping[str, Sequence[Any]] | None] = field(default_factory=lambda: {"portfolio": None})
    criterion: "str | Criterion" = "combination"
    settings: Mapping[str, Any] = field(default_factory=dict)
    made_by: str | None = None
    word: Callable[[Any], str] = str
    batch: int = BATCH
    keep_valid: bool = True
    people: tuple[str, ...] = ()
    overlap: float = 0.2
    final: tuple[str, ...] = ()
    around: Callable[[], AbstractContextManager[Any]] = nullcontext
    guide: str | None = None
    first_look: Callable[[Any], Sequence[str]] | None = None

    def guide_text(self) -> str:
        """The guidelines, as the file has them now."""
        assert self.guide is not None
        try:
            text = Path(self.guide).read_text(encoding="utf-8-sig")
        except OSError as error:
            raise BadInput(f"{self.guide} cannot be read: {error.strerror}", place=self.guide) from error
        except UnicodeDecodeError as error:
            raise BadInput(f"{self.guide} is not UTF-8 text", place=self.guide) from error
        if len(text) > LONGEST_GUIDE:
            raise BadInput(f"{self.guide} has {len(text):,} characters: guidelines have at most {LONGEST_GUIDE:,}")
        return text

    @property
    def places(self) -> dict[str, Path]:
        """The files that the app writes; no others."""
        names = {
            "journal": "labels.jsonl", "labels": "labeled.csv", "parquet": "labeled.parquet",
            "jsonl": "labeled.jsonl", "model": "model.skops", "report": "report.html",
            "predictions": "predictions.csv", "target": "target.json",
        }  # fmt: skip
        return {what: self.folder / name for what, name in names.items()}

    def final_command(self, *, lists: bool) -> tuple[str, ...]:
        """The arguments of the final command; where labels are lists, it reads a file that has them."""
        labels, parquet = str(self.places["labels"]), str(self.places["parquet"])
        return tuple(parquet if lists and part == labels else part for part in self.final)

    def check_places(self) -> None:
        """Whether nothing that is read, and nothing that another program wrote, would be written over."""
        self.check_apart()
        if not self.places["journal"].exists():
            foreign = [str(place) for place in self.places.values() if place.exists() or place.is_symlink()]
            if foreign:
                raise BadInput(
                    f"{foreign[0]} is there already, and saving would write over it: name another folder, or move it",
                    place=foreign[0],
                )

    def check_apart(self) -> None:
        """Whether no file that the app writes is one that it reads."""
        inputs = [self.train, self.reading.get("unlabeled"), self.reading.get("test"), self.guide]
        check_apart({what: str(place) for what, place in self.places.items()}, inputs, "name another folder")
