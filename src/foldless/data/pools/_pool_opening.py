"""A pool that is a path, an Arrow dataset or a Dask frame: read where it is small, else left in its files."""

import os
from pathlib import Path
from typing import Any

from foldless.core._resampling import check_whole
from foldless.data._stored_pool import SAMPLE, StoredPool
from foldless.data.pool import Pool
from foldless.data.pools._pool_forms import form_like
from foldless.errors import BadInput, some
from foldless.io._formats import by_ending

IN_MEMORY = 2**29  # bytes of a pool, as numbers in double precision, that is read as a whole
NOT_READ = "{names} of {pool} {are} not read: X has no such column"
NO_GROUPS = "a pool with groups is read as a whole: pass its rows and their groups as arrays"


def opened_pool(X_unlabeled: Any, X: Any, random_state: Any = None) -> tuple[Any, tuple[str, ...]]:
    """The pool as `foldless.data._opening.open_sample` takes it, and notes; what is in memory stays as it is."""
    X_pool = X_unlabeled.X if isinstance(X_unlabeled, Pool) else X_unlabeled
    if isinstance(X_pool, StoredPool):
        return X_pool, (*X_pool.source.notes, X_pool.note)
    source = source_of(X_pool)
    if source is None:
        return X_unlabeled, ()
    n_sample = X_unlabeled.sample if isinstance(X_unlabeled, Pool) else None
    if isinstance(X_unlabeled, Pool) and X_unlabeled.groups is not None:
        raise BadInput(NO_GROUPS, place="X_unlabeled")
    if n_sample is not None:
        check_whole("sample", n_sample)
    form, columns, unread = form_like(X, source.schema, source.name)
    notes = list(source.notes)
    if unread:
        notes.append(NOT_READ.format(names=some(unread, 3), pool=source.name, are="are" if len(unread) > 1 else "is"))
    # the seed of the search where it is a number, so that a resumed run draws the same rows
    seed = int(random_state) % 2**32 if hasattr(random_state, "__index__") else 0
    pool = StoredPool(source, form, columns, int(n_sample or SAMPLE), seed)
    if is_small(source, None if n_sample is None else int(n_sample), len(columns)):
        pool.n_sampled = pool.n
        return pool.sample, tuple(notes)
    return pool, (*notes, pool.note)


def source_of(X: Any) -> Any:
    """Where the rows of a pool are, if they are not in memory."""
    if isinstance(X, str | os.PathLike):
        from foldless.data.pools._parquet_pool import parquet_files

        path = Path(os.fspath(X))
        if not os.path.isdir(path) and by_ending(path)[0] != "parquet":
            raise BadInput(
                f"X_unlabeled names {path}, and a pool in files is Parquet: a file that ends in .parquet, or a folder",
                value=str(path), place="X_unlabeled", remedy="read it, and pass the rows",
            )  # fmt: skip
        return parquet_files(path)
    kind = f"{type(X).__module__}.{type(X).__qualname__}"
    if kind.startswith("pyarrow._dataset.") and hasattr(X, "get_fragments"):
        from foldless.data.pools._dataset_pool import arrow_dataset

        return arrow_dataset(X)
    if kind.startswith("dask") and hasattr(X, "map_partitions") and hasattr(X, "columns"):
        from foldless.data.pools._dask_pool import dask_frame

        return dask_frame(X)
    return None


def is_small(source: Any, sample: int | None, n_columns: int) -> bool:
    """Whether a pool is read as a whole: all of it is in the sample, or it is small and no sample was asked for."""
    n = sum(source.sizes)
    return n <= (sample or 0) or (sample is None and max(8 * n * n_columns, source.n_bytes) <= IN_MEMORY)
