"""What a user says of the columns of files: one object for tables and for streams."""

from dataclasses import dataclass

from foldless.data._columns import Kind, Missing


@dataclass(frozen=True)
class ColumnOptions:
    """How files become columns.

    Columns to ``drop``, to take as ``text`` and as ``categorical``; what to do about ``missing`` values; the columns
    of each of two ``views``, and whether columns in no view are left out; columns to ``keep`` although they look like
    ids, and the column whose values are ``groups`` of rows that belong together.
    """

    drop: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    missing: Missing = "error"
    views: tuple[tuple[str, ...], ...] = ()
    only_views: bool = False
    keep: tuple[str, ...] = ()
    groups: str | None = None

    @property
    def named(self) -> dict[str, tuple[str, ...]]:
        """The columns that each argument names."""
        groups = () if self.groups is None else (self.groups,)
        kinds = {"text": self.text, "categorical": self.categorical}
        return {"drop": self.drop, **kinds, "keep": self.keep, "groups": groups}

    @property
    def kinds(self) -> dict[str, Kind]:
        text: dict[str, Kind] = dict.fromkeys(self.text, "text")
        return {**text, **dict.fromkeys(self.categorical, "categorical")}

    def named_twice(self, label: str) -> tuple[str, str, str] | None:
        """The first column that is named twice, and the two arguments that name it; one may be the label.

        A column may be kept and have a kind.
        """
        seen = {label: "label"}
        for argument, names in self.named.items():
            for name in names:
                if name in seen and not (argument == "keep" and seen[name] in ("text", "categorical")):
                    return name, seen[name], argument
                seen[name] = argument
        return None
