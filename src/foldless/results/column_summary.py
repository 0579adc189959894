"""How each column of a file is taken, so that users can see what a model reads."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class ColumnSummary:
    """A column of a file, and what it is taken as.

    Attributes
    ----------
    name : its name
    taken_as : "numeric", "boolean", "date", "categorical" or "text"; "label", "groups", or why it is left out
    missing : how many rows have no value
    example : the first value, as the file has it
    """

    name: str
    taken_as: str
    missing: int
    example: str

    def to_dict(self) -> dict[str, object]:
        """The same as plain data."""
        return asdict(self)
