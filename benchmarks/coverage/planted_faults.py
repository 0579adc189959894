"""Does `foldless check` find what is wrong with files, and is the number that it moves right?

    python -m benchmarks.coverage.planted_faults [--seeds N] [--from SEED] [--sets NAME ...] [--kinds NAME ...]
        [--fast] [--alone] [--record FILE]

Files that a record has are not checked again: a run that was broken off goes on. One draw of each set comes before the
next, so that a run that is not over has all kinds.

One fault of each kind is planted into clean files. "found" is the share of files in which the code of the fault is
reported; "false" how often an issue with another code is. "possible" counts the files in which the fault is beyond
noise, which one can tell who knows more than the file:

* a fault that moves an estimate: the same cheap model on the clean file and on that with the fault, on the same folds;
  the change is beyond noise if its 95 % interval leaves out 0;
* wrong labels and weak segments: a property of the set, not of a file. They are possible where a test that knows more
  has power .8 or more at the level of the check, by `benchmarks.coverage.wrong_label_limit`.
  That of wrong labels knows the probabilities of the classes but not how sharp they are; that of a weak segment knows
  the segment;
* all others are there or not, and always possible.

"found possible" is the share of those in which it is found. "moved" is how often the change that is reported is beyond
noise, "sign" how often it then has the right sign, and "within" how often its interval holds the change to the estimate
of the clean files, where the other form of the data is that of the clean files.
"""

# ruff: noqa: ARG001 (all faults have one signature)

import argparse
import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from time import process_time
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import pandas as pd
from sklearn.datasets import load_breast_cancer, load_wine

from benchmarks.measuring import versions
from benchmarks.records import keep, kept
from foldless import check
from foldless.checks._check import registered
from foldless.checks._checked_data import HeldOutAnswers
from foldless.checks._impact import impact_of
from foldless.selection._cheap_fits import CheapFits

LABELS, POOL, TEST = 200, 800, 100
TOPICS = {
    "sport": "goal team match player season coach win league ball score",
    "money": "bank market price share profit tax loan budget trade fund",
    "health": "doctor patient hospital drug study heart cancer risk care trial",
}
FILLER = "the and of to in is that it for was with as on are this be have not at from by an or will they"
GERMAN = "der die und das ist nicht ein eine zu den mit auf ich sich von für auch wird war Haus Stadt Jahr"


@dataclass(frozen=True)
class Files:
    """Labeled rows, pool and test rows."""

    X: pd.DataFrame
    y: Any
    pool: pd.DataFrame
    test: pd.DataFrame
    y_test: Any
    y_pool: Any = None  # which no check sees

    def check(self, **options: Any) -> Any:
        return check(
            self.X, self.y, X_unlabeled=self.pool, X_test=self.test, y_test=self.y_test, random_state=0,
            **{"time_budget": 1e6, **options},
        )  # fmt: skip


def split(frame: pd.DataFrame, y: Any, rng: np.random.Generator) -> Files:
    """Rows in random order as labels, pool and test rows."""
    order, n = rng.permutation(len(frame)), min(LABELS, len(frame) // 2)
    m = min(POOL, (len(frame) - n) * 2 // 3)
    parts = [frame.iloc[at].reset_index(drop=True) for at in np.split(order, [n, n + m])]
    y = np.asarray(y)[order]
    return Files(parts[0], y[:n], parts[1], parts[2][:TEST], y[n + m :][:TEST], y[n : n + m])


def numbers(rng: np.random.Generator) -> Files:
    """Numbers of which some say something of three classes."""
    y = rng.integers(3, size=1100)
    X = rng.normal(size=(1100, 8))
    X[:, :3] += 1.2 * np.eye(3)[y]
    return split(pd.DataFrame(X, columns=[f"x{at}" for at in range(8)]), np.array(["a", "b", "c"])[y], rng)


def mixed(rng: np.random.Generator) -> Files:
    """Numbers, categories and dates."""
    n = 1100
    y = rng.integers(2, size=n)
    frame = pd.DataFrame(
        {
            "age": (40 + 10 * rng.normal(size=n) + 8 * y).round(1), "income": np.exp(rng.normal(10, 0.6, n)).round(2),
            "city": rng.choice(["Rome", "Oslo", "Lima", "Bonn"], n, p=[0.4, 0.3, 0.2, 0.1]),
            "plan": np.where(rng.random(n) < 0.3 + 0.4 * y, "full", "basic"), "score": rng.normal(size=n) + 0.8 * y,
            "when": pd.Timestamp("2026-01-01") + pd.to_timedelta(rng.uniform(0, 90, n), unit="D"),
        }
    )  # fmt: skip
    return split(frame, np.array(["leaves", "stays"])[y], rng)


def texts(rng: np.random.Generator) -> Files:
    """Short texts of three topics."""
    names = list(TOPICS)
    y = rng.integers(3, size=1100)
    rows = []
    for topic in y:
        own = rng.choice(TOPICS[names[topic]].split(), rng.integers(2, 5))
        other = rng.choice(TOPICS[names[rng.integers(3)]].split(), 2)
        rows.append(" ".join(rng.permutation([*own, *other, *rng.choice(FILLER.split(), 12)])))
    return split(pd.DataFrame({"text": rows}), np.array(names)[y], rng)


def cancer(rng: np.random.Generator) -> Files:
    frame, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return split(frame.iloc[:, :10], np.array(["malignant", "benign"])[y], rng)


def wine(rng: np.random.Generator) -> Files:
    frame, y = load_wine(return_X_y=True, as_frame=True)
    return split(frame, np.array(["x", "y", "z"])[y], rng)


SETS = {"numbers": numbers, "mixed": mixed, "texts": texts, "cancer": cancer, "wine": wine}
Plant = Callable[[Files, np.random.Generator], Files | None]


@dataclass(frozen=True)
class Fault:
    """A kind of fault: the code that should be reported, how it is planted, and where an estimate should move to."""

    code: str
    plant: Plant
    sign: int = 0
    undone: bool = False  # whether the other form of the data is that without the fault


def _number(files: Files) -> str | None:
    names = [name for name, dtype in files.X.dtypes.items() if dtype.kind == "f"]
    return str(names[0]) if names else None


def _under(files: Files, rows: Any, y: Any) -> Files:
    X = pd.concat([files.X, rows], ignore_index=True)
    return replace(files, X=X, y=np.concatenate([files.y, y]))


def _some(files: Files, rng: np.random.Generator, share: float) -> Any:
    return rng.choice(len(files.X), max(5, int(share * len(files.X))), replace=False)


def copies(files: Files, rng: np.random.Generator) -> Files:
    at = np.repeat(_some(files, rng, 0.3), 3)
    return _under(files, files.X.iloc[at], files.y[at])


def near_copies(files: Files, rng: np.random.Generator) -> Files | None:
    if _number(files) is None:
        return None
    at = np.repeat(_some(files, rng, 0.3), 3)
    moved = files.X.iloc[at].copy()
    for name in moved.columns:
        if moved[name].dtype.kind == "f":
            moved[name] += 1e-8 * files.X[name].std() * rng.normal(size=len(at))
    return _under(files, moved, files.y[at])


def respelled(files: Files, rng: np.random.Generator) -> Files | None:
    if "text" not in files.X:
        return None
    at = _some(files, rng, 0.3)
    return _under(files, files.X.iloc[at].assign(text=lambda X: X["text"].str.upper() + " !"), files.y[at])


def pool_copies(files: Files, rng: np.random.Generator) -> Files:
    return replace(files, pool=pd.concat([files.pool, files.X.iloc[_some(files, rng, 0.2)]], ignore_index=True))


def pool_repeats(files: Files, rng: np.random.Generator) -> Files:
    at = rng.choice(len(files.pool), len(files.pool) // 5, replace=False)
    return replace(files, pool=pd.concat([files.pool, files.pool.iloc[at]], ignore_index=True))


def test_copies(files: Files, rng: np.random.Generator) -> Files:
    at = _some(files, rng, 0.3)
    test = pd.concat([files.test, files.X.iloc[at]], ignore_index=True)
    return replace(files, test=test, y_test=np.concatenate([files.y_test, files.y[at]]))


def groups(files: Files, rng: np.random.Generator) -> Files | None:
    if _number(files) is None:
        return None
    at = np.repeat(np.arange(0, len(files.X), 5), 5)[: len(files.X)]
    X = files.X.iloc[at].reset_index(drop=True)
    for name in X.columns:
        if X[name].dtype.kind == "f":
            X[name] += 0.05 * files.X[name].std() * rng.normal(size=len(X))
    names = np.array([f"p{code:04}" for code in at])
    order = rng.permutation(len(X))
    return replace(
        files, X=X.assign(patient=names).iloc[order].reset_index(drop=True), y=files.y[at][order],
        pool=files.pool.assign(patient=[f"q{code:04}" for code in np.arange(len(files.pool)) // 5]),
        test=files.test.assign(patient=[f"r{code:04}" for code in np.arange(len(files.test)) // 5]),
    )  # fmt: skip


def _with_column(files: Files, name: str, *parts: Any) -> Files:
    X, pool, test = (
        frame.assign(**{name: part}) for frame, part in zip((files.X, files.pool, files.test), parts, strict=True)
    )
    return replace(files, X=X, pool=pool, test=test)


def ids(files: Files, rng: np.random.Generator) -> Files:
    n, m, t = len(files.X), len(files.pool), len(files.test)
    every = rng.permutation(5 * (n + m + t))[: n + m + t] + 10_000
    return _with_column(files, "case_id", *np.split(every, [n, n + m]))


def leak(files: Files, rng: np.random.Generator) -> Files:
    def of(codes: Any) -> Any:
        return codes + 0.05 * rng.normal(size=len(codes))

    classes = np.unique(files.y)
    drawn = rng.integers(len(classes), size=len(files.pool))
    return _with_column(
        files, "status", of(np.searchsorted(classes, files.y)), of(drawn), of(np.searchsorted(classes, files.y_test))
    )


def label_errors(files: Files, rng: np.random.Generator) -> Files:
    at, y, classes = _some(files, rng, 0.1), files.y.copy(), np.unique(files.y)
    y[at] = classes[(np.searchsorted(classes, y[at]) + rng.integers(1, len(classes), len(at))) % len(classes)]
    return replace(files, y=y)


def conflicts(files: Files, rng: np.random.Generator) -> Files:
    at, classes = _some(files, rng, 0.1), np.unique(files.y)
    other = classes[(np.searchsorted(classes, files.y[at]) + 1) % len(classes)]
    return _under(files, files.X.iloc[at], other)


def outliers(files: Files, rng: np.random.Generator) -> Files | None:
    name = _number(files)
    if name is None:
        X = files.X.copy()
        for at in _some(files, rng, 0.01)[:3]:
            X.loc[at, "text"] = " ".join(rng.choice(FILLER.split(), 5000))
        return replace(files, X=X)
    X = files.X.copy()
    X.loc[_some(files, rng, 0.01)[:3], name] *= 10_000
    return replace(files, X=X)


def by_class(files: Files, rng: np.random.Generator) -> Files:
    order = np.argsort(files.y, kind="stable")
    return replace(files, X=files.X.iloc[order].reset_index(drop=True), y=files.y[order])


def by_time(files: Files, rng: np.random.Generator) -> Files | None:
    if "when" not in files.X:
        return None
    order = np.argsort(files.X["when"].to_numpy(), kind="stable")
    return replace(files, X=files.X.iloc[order].reset_index(drop=True), y=files.y[order])


def constant(files: Files, rng: np.random.Generator) -> Files:
    return _with_column(files, "version", 3, 3, 3)


def twin(files: Files, rng: np.random.Generator) -> Files | None:
    name = _number(files)
    return None if name is None else _with_column(
        files, "twin", *(2.54 * frame[name] + 1 for frame in (files.X, files.pool, files.test))
    )  # fmt: skip


def words_among_numbers(files: Files, rng: np.random.Generator) -> Files | None:
    name = _number(files)
    if name is None:
        return None
    parts = []
    for frame in (files.X, files.pool, files.test):
        values = frame[name].astype(str).astype(object)
        values[rng.random(len(frame)) < 0.05] = "?"
        parts.append(values)
    return _with_column(files, name, *parts)


def missing_by_class(files: Files, rng: np.random.Generator) -> Files | None:
    name = _number(files)
    if name is None:
        return None
    X, most = files.X.copy(), files.y == files.y[0]
    X.loc[most & (rng.random(len(X)) < 0.5), name] = np.nan
    return replace(files, X=X)


def missing_by_file(files: Files, rng: np.random.Generator) -> Files | None:
    name = _number(files)
    if name is None:
        return None
    pool = files.pool.copy()
    pool.loc[rng.random(len(pool)) < 0.3, name] = np.nan
    return replace(files, pool=pool)


def drift(files: Files, rng: np.random.Generator) -> Files | None:
    name = _number(files)
    if name is None:
        return replace(files, pool=files.pool.assign(text="breaking news " + files.pool["text"]))
    return replace(files, pool=files.pool.assign(**{name: files.pool[name] + files.pool[name].std()}))


def later(files: Files, rng: np.random.Generator) -> Files | None:
    if "when" not in files.X:
        return None
    return replace(files, pool=files.pool.assign(when=files.pool["when"] + pd.Timedelta(days=60)))


def new_city(files: Files, rng: np.random.Generator) -> Files | None:
    if "city" not in files.X:
        return None
    city = files.pool["city"].where(rng.random(len(files.pool)) > 0.1, "Quito")
    return replace(files, pool=files.pool.assign(city=city))


def new_words(files: Files, rng: np.random.Generator) -> Files | None:
    if "text" not in files.X:
        return None
    some = rng.random(len(files.pool)) < 0.2
    return replace(
        files, pool=files.pool.assign(text=files.pool["text"].where(~some, files.pool["text"] + " pandemic"))
    )


def new_language(files: Files, rng: np.random.Generator) -> Files | None:
    if "text" not in files.X:
        return None
    other = [" ".join(rng.choice(GERMAN.split(), 15)) for _ in range(len(files.pool))]
    some = rng.random(len(files.pool)) < 0.2
    return replace(files, pool=files.pool.assign(text=files.pool["text"].where(~some, other)))


def lacking_column(files: Files, rng: np.random.Generator) -> Files | None:
    name = _number(files)
    return None if name is None else replace(files, pool=files.pool.drop(columns=name))


def other_type(files: Files, rng: np.random.Generator) -> Files | None:
    name = _number(files)
    if name is None:
        return None
    return replace(
        files, pool=files.pool.assign(**{name: np.where(files.pool[name] > files.pool[name].median(), "high", "low")})
    )


def rare_class(files: Files, rng: np.random.Generator) -> Files:
    y = files.y.astype(object)
    y[_some(files, rng, 0.01)[:3]] = "other"
    return replace(files, y=y)


def class_names(files: Files, rng: np.random.Generator) -> Files:
    y = files.y.astype(object)
    at = np.flatnonzero(y == y[0])
    y[rng.choice(at, len(at) // 3, replace=False)] = f"{str(y[0]).upper()} "
    return replace(files, y=y)


def imbalance(files: Files, rng: np.random.Generator) -> Files | None:
    if len(files.X) < LABELS:
        return None
    y = np.where(np.arange(len(files.y)) < 2, "rare", "common").astype(object)
    return replace(files, y=y, y_test=np.array(["common"] * len(files.y_test), dtype=object))


def weak_segment(files: Files, rng: np.random.Generator) -> Files | None:
    if "city" not in files.X:
        return None
    y = files.y.copy()
    there = (files.X["city"] == "Oslo").to_numpy() & (rng.random(len(y)) < 0.8)
    y[there] = np.where(y[there] == "stays", "leaves", "stays")
    return replace(files, y=y)


def no_skill(files: Files, rng: np.random.Generator) -> Files:
    return replace(files, y=rng.permutation(files.y))


FAULTS = {
    "copies": Fault("FL004", copies, -1, True), "near copies": Fault("FL005", near_copies, -1, True),
    "texts spelled otherwise": Fault("FL009", respelled, -1, True),
    "labeled rows in the pool": Fault("FL006", pool_copies),
    "copies in the pool": Fault("FL030", pool_repeats), "training rows in the test": Fault("FL007", test_copies, -1),
    "groups": Fault("FL008", groups, -1), "ids": Fault("FL010", ids), "a leak": Fault("FL011", leak, -1, True),
    "wrong labels": Fault("FL012", label_errors, 1), "equal rows, other labels": Fault("FL013", conflicts, 1),
    "outliers": Fault("FL014", outliers), "sorted by class": Fault("FL015", by_class),
    "sorted by time": Fault("FL015", by_time), "a constant column": Fault("FL016", constant),
    "a column twice": Fault("FL017", twin), "words among numbers": Fault("FL018", words_among_numbers),
    "missing by class": Fault("FL019", missing_by_class), "missing by file": Fault("FL019", missing_by_file),
    "drift": Fault("FL020", drift), "later dates": Fault("FL021", later), "a new category": Fault("FL022", new_city),
    "a new word": Fault("FL023", new_words), "a new language": Fault("FL024", new_language),
    "a column lacks": Fault("FL025", lacking_column), "a column of another type": Fault("FL025", other_type),
    "a class of three rows": Fault("FL001", rare_class), "class names": Fault("FL002", class_names, 1, True),
    "imbalance": Fault("FL003", imbalance), "a weak segment": Fault("FL029", weak_segment),
    "shuffled labels": Fault("FL027", no_skill),
}  # fmt: skip
ALSO = {
    "a column lacks": {"FL025"}, "missing by file": {"FL020"}, "later dates": {"FL020"}, "a new category": {"FL020"},
    "a new word": {"FL020"}, "a new language": {"FL020"}, "equal rows, other labels": {"FL004"}, "ids": {"FL020"},
    "groups": {"FL020"}, "words among numbers": {"FL020"}, "a leak": {"FL020"}, "missing by class": {"FL020"},
    "wrong labels": set(), "copies": {"FL013"},
}  # fmt: skip
"""Issues that come with a fault, and are not false."""
POWER = {
    "wrong labels": {"numbers": 0.38, "mixed": 0.16, "texts": 0.82, "cancer": 0.94, "wine": 0.99},
    "a weak segment": {"mixed": 0.59},
}
"""In which share of draws a test that knows more sees them: `wrong_label_limit --from 300`; of segments, 60 draws."""
ENOUGH = 0.8


def coded(y: Any) -> tuple[Any, int]:
    """Class codes, and how many classes there are."""
    classes, codes = np.unique(y, return_inverse=True)
    return codes, len(classes)


@cache
def clean_answers(name: str, seed: int) -> HeldOutAnswers:
    """What a cheap model says of the clean file."""
    files = SETS[name](np.random.default_rng([seed, 1]))
    answers = CheapFits(files.X, *coded(files.y), seed=0).answers()
    assert answers is not None
    return answers


def needs_fits(kind: str) -> bool:
    """Whether a model tells if there is the fault, or by how much it moves an estimate."""
    return bool(FAULTS[kind].sign) or not registered()[FAULTS[kind].code].fast


def beyond_noise(kind: str, name: str, planted: Files, estimate: Callable[[], HeldOutAnswers]) -> bool:
    """Whether one can tell that there is a fault who knows more than the file; kinds that no noise hides always."""
    if kind in POWER:
        return POWER[kind][name] >= ENOUGH
    if not FAULTS[kind].sign or kind == "training rows in the test":  # which moves the test, not the estimate
        return True
    answers = CheapFits(planted.X, *coded(planted.y), seed=0).answers()
    return answers is not None and impact_of(answers, estimate(), "").beyond_noise


def of_file(kind: str, name: str, seed: int, fast: bool = False, alone: bool = False) -> dict[str, Any] | None:
    """What a check, or that of this fault alone, says of one file; None where the set cannot have the fault."""
    fault, files = FAULTS[kind], SETS[name](np.random.default_rng([seed, 1]))
    planted = fault.plant(files, np.random.default_rng([seed, 2]))
    if planted is None:
        return None
    began = process_time()
    findings = planted.check(fast=fast, ignore=[code for code in registered() if code != fault.code] if alone else [])
    seconds = process_time() - began
    entries = [entry for entry in findings.entries if entry.finding.code == fault.code]
    false = [f.code for f in findings.issues if f.code not in {fault.code, *ALSO.get(kind, ())}]

    row: dict[str, Any] = {
        "kind": kind,
        "code": fault.code,
        "set": name,
        "found": bool(entries),
        "false": bool(false),
        "seconds": seconds,
        "codes": ",".join(sorted(set(false))),
    }
    if not fast or not needs_fits(kind):
        row["possible"] = beyond_noise(kind, name, planted, lambda: clean_answers(name, seed))
    impact = entries[0].impact if entries else None
    if fault.sign and impact is not None:
        clear = impact.beyond_noise
        row |= {"moved": clear, "sign": bool(np.sign(impact.difference) == fault.sign) if clear else None}
        row |= {"before": impact.before, "after": impact.after}
        if fault.undone:
            clean = float(clean_answers(name, seed).right.mean())
            row["within"] = bool(impact.lower <= clean - impact.before <= impact.upper)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--from", type=int, default=0, dest="first", help="the first seed")
    parser.add_argument("--sets", nargs="*", default=list(SETS), choices=list(SETS))
    parser.add_argument("--kinds", nargs="*", default=list(FAULTS), choices=list(FAULTS))
    parser.add_argument("--fast", action="store_true", help="kinds that need no model in the fast form")
    parser.add_argument("--alone", action="store_true", help="only the check of the fault, so that none can be false")
    parser.add_argument("--record", type=Path, help="a file of one line for each file that was checked")
    arguments = parser.parse_args()
    print(versions(), flush=True)
    rows = kept(arguments.record)
    made = {(row["kind"], row["set"], row["seed"]) for row in rows}
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    for seed, kind, name in product(seeds, arguments.kinds, arguments.sets):
        if (kind, name, seed) in made:
            continue
        fast = arguments.fast and not needs_fits(kind)
        if (row := of_file(kind, name, seed, fast, arguments.alone)) is None:
            continue
        rows.append({**row, "seed": seed})
        keep(arguments.record, rows[-1:])
        if not row["found"] or row["false"]:
            hidden = "" if row.get("possible", True) else "(within noise)"
            said = "missed" if not row["found"] else f"false {row['codes']}"
            print(said, kind, name, seed, hidden, flush=True)
    print_table(pd.DataFrame(rows))


def print_table(table: pd.DataFrame) -> None:
    """What came of all files, by kinds of faults."""
    hidden = table["kind"].isin(list(POWER))  # a record may be older than the powers
    enough = [POWER[kind][name] >= ENOUGH for kind, name in table.loc[hidden, ["kind", "set"]].itertuples(index=False)]
    table.loc[hidden, "possible"] = enough
    grouped = table.groupby(["kind", "code"], sort=False)
    shown = grouped[["found", "false", "seconds"]].mean().round(3).assign(files=grouped.size())
    if "possible" in table:
        shown["possible"] = grouped["possible"].sum()
        shown["found possible"] = table[table["possible"]].groupby(["kind", "code"])["found"].mean().round(3)
    for name in ("moved", "sign", "within", "before", "after"):
        if name in table:
            shown[name] = grouped[name].apply(lambda values: pd.to_numeric(values, errors="coerce").mean()).round(3)
    print(shown.to_string())
    if "possible" in table:
        if hidden.any():
            by_set = table[hidden].groupby(["kind", "set", "possible"], sort=False)
            print(by_set["found"].agg(["sum", "size"]).to_string())
        real = table[table["possible"]]
        print(f"found {real['found'].sum()} of {len(real)} files where the fault is beyond noise")
    print(f"found {table['found'].mean():.3f} of {len(table)}, files with a false issue {table['false'].mean():.3f}")


if __name__ == "__main__":
    main()
