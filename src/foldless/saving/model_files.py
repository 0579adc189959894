"""Models to keep: a skops file, which holds no pickle, with everything inside that is needed to use it again.

The file is a zip archive that ``skops.io.load`` reads too. Its member ``foldless.json`` tells the columns that the
model reads, its classes, how it was chosen and with which versions, and holds a SHA-256 digest of all the rest. The
digest finds damage; it is no signature. Against forged files stand the types, each of which must be trusted by name,
and the checks of `foldless.saving._trusted`.
"""

import base64
import hashlib
import io
import json
import warnings
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import numpy as np
import sklearn
from sklearn.base import is_regressor

from foldless._version import __version__
from foldless.core._plain import plain_value as plain_value
from foldless.core.certificate import Certificate
from foldless.data._columns import Columns, Kind, Missing
from foldless.data._overlap import hashes
from foldless.errors import BadInput, NameSavedModel, SaveModel, some
from foldless.io._atomic import check_name, check_readable, placed, reason
from foldless.io._dialect import Dialect
from foldless.io._json_of_others import parse_json
from foldless.io._sources import check_archive
from foldless.saving._old_names import SCHEMA, with_public_names
from foldless.saving._plain_shapes import LABEL, NUMBER, EachValue, misfit
from foldless.saving._trusted import check_repeated, fault_of, harness, trusted_types
from foldless.saving._words import written_as_one

if TYPE_CHECKING:
    from foldless.results.selection import Selection

FORMAT = 3  # 1: classes had the names of foldless 0.1; 2: each word of a vocabulary was a part of the file
MEMBER = "foldless.json"
MAX_DOCUMENT = 2**28  # bytes; hashes of the training rows are in it
MAX_HASHES = 20_000  # of training rows: 200 kB at most
COLUMNS = {
    "kinds": EachValue(get_args(Kind)), "missing?": get_args(Missing), "n_categories?": int, "notes?": [str],
    "chosen?": [str], "width?": int, "n_characters?": NUMBER,
}  # fmt: skip
DIALECT = {"delimiter": str, "decimal": (".", ","), "encoding": str, "date_format": str | None}
PARTS = {
    "versions": EachValue(str),
    "classes": [LABEL],
    "schema": dict | None,
    "selection": {
        "criterion": str | None, "candidate": str, "score": NUMBER | None, "assumes": [str],
        "certificate": dict | None,
    },
    "digest": str,
}  # fmt: skip


@dataclass(frozen=True)
class Schema:
    """What the model reads: columns by their kind, and the column that holds the labels.

    ``dialect`` is that of the text it was trained on, for files to come that leave theirs open; None where it is plain.
    """

    label: str
    columns: Columns
    dialect: Dialect | None = None


@dataclass(frozen=True, eq=False)
class Kept:
    """A model from a file, and what the file tells about it.

    Attributes
    ----------
    model : the fitted classifier or regressor
    classes : its labels, as plain values; none of a regressor
    schema : the columns it reads; None where it was not trained on a table
    selection : how it was chosen, as plain data: criterion, ranking, score, shares, assumes, n_fits, certificate
    versions : what it was made with
    notes : sentences a user should read
    """

    model: Any
    classes: tuple[Any, ...]
    schema: Schema | None
    selection: Mapping[str, Any] = field(repr=False)
    versions: Mapping[str, str] = field(repr=False)
    notes: tuple[str, ...] = ()

    @property
    def temperature(self) -> float | None:
        """The number by which scores are divided, so that their softmax are probabilities; None if there is none."""
        saved = self.selection.get("temperature")
        return saved if isinstance(saved, float) and 0 < saved < np.inf else None

    @property
    def trained_on(self) -> Any:
        """The hashes of the rows that the model was trained on, or of some of them; None where the file has none."""
        saved = self.selection.get("trained_on")
        try:
            return np.frombuffer(base64.b64decode(saved or "", validate=True), dtype="<u8") if saved else None
        except (TypeError, ValueError):
            return None


def prepare() -> None:
    """Import all that saving needs: skops looks at all of scikit-learn, which takes longer than to write a model."""
    import_module("skops.io")
    trusted_types()


def save(selection: "Selection", path: str | Path, schema: Schema | None = None) -> None:
    """Write the chosen model of a selection to a file, whole or not at all."""
    if selection.model is None:
        raise BadInput("this selection has no model to save: make it with FoldlessSearch(refit=True)")
    keep(selection.model, path, selection.label_shares.index.tolist(), record_of(selection), schema)


def keep(
    model: Any, path: str | Path, classes: Sequence[Any], record: Mapping[str, Any], schema: Schema | None = None
) -> None:
    """Write a model to a file with its classes, the record of how it was made, and the columns that it reads."""
    from skops.io import dumps  # looks at all of scikit-learn when it is imported

    try:
        with written_as_one(model):
            content = dumps(model, compression=zipfile.ZIP_DEFLATED)
    except Exception as error:  # every type may refuse in its own way
        raise BadInput(f"the chosen model cannot be saved ({reason(error)}): choose among other models") from error
    model, strange = opened(content)
    if strange:
        raise BadInput(
            f"the chosen model holds types that foldless does not load, {some(strange, written=str)}: choose among "
            "other models"
        )
    if (fault := fault_of(model)) is not None:
        raise BadInput(f"the chosen model holds a {fault.part} that foldless cannot check: choose among other models")
    document = {
        "format": FORMAT,
        "versions": {"foldless": __version__, "scikit-learn": sklearn.__version__, "numpy": np.__version__},
        "classes": [plain_value(label) for label in classes],
        "schema": None
        if schema is None
        else {key: value for key, value in asdict(schema).items() if value is not None},
        "selection": dict(record),
    }
    with placed(path) as beside:
        beside.write_bytes(sealed(content, document))


def load(path: str | Path) -> Kept:
    """Load the model in a file that `save` wrote; a damaged, forged or foreign file raises `BadInput`."""
    path = Path(path)
    check_name(path)
    content = _read(path)
    document = _document(content, path)
    then = document["versions"].get("scikit-learn")
    other = f"it was saved with scikit-learn {then} and this is {sklearn.__version__}"
    notes = (f"{path}: {other}, so check what it predicts",) if then != sklearn.__version__ else ()
    why = other if notes else "the file is damaged or forged"
    remedy = f"install scikit-learn {then}" if notes else SaveModel()
    try:
        content = with_public_names(content)
        check_repeated(content)
        model, strange = opened(content)
    except MemoryError as error:
        raise BadInput(f"{path} does not fit into memory: use a machine with more", place=str(path)) from error
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        raise BadInput(f"{path} holds a model of {package}, which is not installed: pip install {package}") from error
    except Exception as error:  # skops and scikit-learn raise anything on what they did not write
        raise BadInput(f"{path} cannot be loaded ({reason(error)}): {why}", place=str(path), remedy=remedy) from error
    unknown = f", and {other}: install scikit-learn {then}" if notes else ": load only what foldless saved"
    if strange:
        raise BadInput(f"{path} holds untrusted types, {some(strange, written=str)}{unknown}")
    why = f"{other}: install scikit-learn {then}" if notes else "it is forged, do not use it"
    if (fault := fault_of(model)) is not None:
        if not fault.checked:
            raise BadInput(f"{path} holds untrusted types, {fault.part}{unknown}")
        raise BadInput(f"{path} holds a {fault.part} that no training makes: {why}")
    if not _predicts(model):
        raise BadInput(f"{path} holds a {type(model).__name__}, which cannot label rows: {why}")
    schema = None if document["schema"] is None else _schema(document["schema"], path)
    return Kept(harness(model), tuple(document["classes"]), schema, document["selection"], document["versions"], notes)


def record_of(selection: "Selection") -> dict[str, Any]:
    """A selection as the file keeps it: plain data, without its model."""
    plain = selection.to_dict()
    keys = ("rank", "candidate", "params", "score", "notes")
    members = plain["choice"].get("members", ())
    name = {"candidate": f"an average of {len(members)} models"} if members else {}
    return {
        "criterion": plain["criterion"],
        "better": plain["better"],
        **{key: plain["choice"][key] for key in ("candidate", "params", "score")},
        **name,
        "ranking": [{key: entry[key] for key in keys} for entry in plain["ranking"]],
        **{key: plain[key] for key in ("shares", "assumes", "notes", "n_fits", "stopped", "certificate")},
        "temperature": selection.temperature,
        "trained_on": _trained_on(selection),
    }


def _trained_on(selection: "Selection") -> str | None:
    """The hashes of the labeled rows, by which an evaluation knows them again; the smallest where they are many."""
    if selection.ground is None:
        return None
    try:
        seen = np.unique(hashes(selection.ground.data.labeled))[:MAX_HASHES]
    except (TypeError, ValueError, AttributeError):  # rows that are anything at all
        return None
    return base64.b64encode(seen.astype("<u8").tobytes()).decode()


def sealed(content: bytes, document: Mapping[str, Any]) -> bytes:
    """A skops file with a document inside that holds the digest of both."""
    buffer = io.BytesIO(content)
    with zipfile.ZipFile(buffer, "a", compression=zipfile.ZIP_DEFLATED) as archive:
        seal = {**document, "digest": _digest(archive, document)}
        archive.writestr(MEMBER, json.dumps(seal, indent=2, allow_nan=False))
    return buffer.getvalue()


def _digest(archive: zipfile.ZipFile, document: Mapping[str, Any]) -> str:
    text = json.dumps({key: value for key, value in document.items() if key != "digest"}, sort_keys=True)
    members = sorted(set(archive.namelist()) - {MEMBER})
    return bordered_digest([text.encode(), *(part for name in members for part in (name.encode(), archive.read(name)))])


def bordered_digest(parts: Iterable[bytes]) -> str:
    """SHA-256 over several parts, each with its length before it."""
    state = hashlib.sha256()
    for part in parts:
        state.update(len(part).to_bytes(8, "little"))
        state.update(part)
    return state.hexdigest()


def _read(path: Path) -> bytes:
    if path.is_dir():
        raise BadInput(f"{path} is a folder", remedy=NameSavedModel())
    if not path.exists():
        raise BadInput(f"there is no file {path}: check the name and the folder")
    try:
        check_readable(path)
        return path.read_bytes()
    except MemoryError as error:
        raise BadInput(f"{path} does not fit into memory: use a machine with more") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({reason(error)}): check its permissions") from error


def _document(content: bytes, path: Path) -> dict[str, Any]:
    """What the file tells, once its digest is known to match."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            check_archive(archive, str(path))
            names = archive.namelist()
            if MEMBER not in names:
                foreign = "a zip archive without a model in it"
                if SCHEMA in names:
                    foreign = "a plain skops file, which does not record the columns of its model"
                raise BadInput(f"{path} is {foreign}", remedy=NameSavedModel())
            document: Any = parse_json(archive.read(MEMBER), object, max_bytes=MAX_DOCUMENT, nan=False)
            _check_format(document, path)
            if len(set(names)) < len(names) or _digest(archive, document) != document["digest"]:
                raise BadInput(f"{path} does not match its digest, so it was damaged or changed", remedy=SaveModel())
    except BadInput:
        raise
    except zipfile.BadZipFile as error:
        if zipfile.is_zipfile(io.BytesIO(content)):
            raise BadInput(f"{path} is damaged ({reason(error)})", remedy=SaveModel()) from error
        raise BadInput(f"{path} is not a saved model, or it is truncated: name a file that foldless wrote") from error
    except Exception as error:  # zipfile raises errors of many kinds on what nobody wrote
        raise BadInput(f"{path} is damaged ({reason(error)})", remedy=SaveModel()) from error
    return {"schema": None, **document}


def _check_format(document: Any, path: Path) -> None:
    number = document.get("format") if isinstance(document, dict) else None
    if not isinstance(number, int):
        raise BadInput(f"{path} does not record its format, got {number!r}", remedy=SaveModel())
    if number > FORMAT:
        raise BadInput(
            f"{path} has format {number}, and foldless {__version__} reads formats up to {FORMAT}: update foldless"
        )
    parts = dict(PARTS)
    if number == 1 and document.get("selection") == {}:  # 0.1 kept models too that no search has chosen
        del parts["selection"]
    wrong = misfit({key: document.get(key) for key in parts}, parts)
    if wrong is not None:
        raise BadInput(f"{path} does not record its {wrong}", remedy=SaveModel())
    certificate = document["selection"].get("certificate")
    if certificate is not None:
        str(Certificate.from_dict(certificate))  # as it will be shown


def opened(content: bytes) -> tuple[Any, list[str]]:
    """The model in a skops file; None, and the types that nobody trusts, where there are any."""
    from skops.io import get_untrusted_types, loads

    types, trusted = get_untrusted_types(data=content), set(trusted_types())
    if strange := [name for name in types if name not in trusted]:
        return None, strange
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a note says that the version is another
        return loads(content, trusted=types), []  # skops compares each part with all types that it is given


def _predicts(model: Any) -> bool:
    try:
        return callable(model.predict) and (is_regressor(model) or len(model.classes_) > 0)
    except Exception:  # properties of what nobody trained fail in their own way
        return False


def _schema(saved: Mapping[str, Any], path: Path) -> Schema:
    columns = saved.get("columns")
    unknown = sorted(set(columns) - {each.name for each in fields(Columns)}) if isinstance(columns, dict) else []
    wrong = f"unknown {unknown[0]}" if unknown else misfit(saved, {"label": str, "columns": COLUMNS})
    if wrong is None and min(saved["columns"].get(key, 0) for key in ("width", "n_categories")) < 0:
        wrong = "a number below 0"
    if wrong is not None or columns is None:
        raise BadInput(f"{path} records its columns in a way this foldless does not know ({wrong})", remedy=SaveModel())
    dialect = saved.get("dialect")
    if dialect is not None and (wrong := misfit(dialect, DIALECT)) is not None:
        raise BadInput(f"{path} records how its table is written in an unknown way ({wrong})", remedy=SaveModel())
    return Schema(
        saved["label"],
        Columns(**with_tuples(columns)),
        None if dialect is None else Dialect(*(dialect[key] for key in DIALECT)),
    )


def with_tuples(saved: Mapping[str, Any]) -> dict[str, Any]:
    """What JSON has as lists, as tuples."""
    return {key: tuple(value) if isinstance(value, list) else value for key, value in saved.items()}
