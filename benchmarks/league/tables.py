"""Tables of the league: mean regret as a share of 5-fold's, with a standard error over data sets, and by regime.

A criterion is compared with 5-fold on the choices that both have made. Sets are the sampling unit: choices of one set
(other seeds, families, numbers of labels) are not independent, so standard errors are bootstraps over whole sets.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks import records
from benchmarks.league.families import FAMILIES
from benchmarks.league.rows import BASE, ROWS, Row, digests
from benchmarks.sets import KINDS, half_of, kind_of

KEYS = ["regime", "set", "n", "seed", "family"]
DRAWS, TINY, FEW = 1000, 1e-9, 4  # bootstraps over sets; equal regrets; sets below which a cell stays empty
VAGUE = 2.0  # a standard error of a share that says nothing
MOST_FAMILIES = 0.75  # of the families, in which a row must have run to lead
AUTO, BOUND = "auto", "quantification bound"


def read(path: Path, protocol: int, *, stale: bool = False) -> pd.DataFrame:
    """The choices of a file, a line each; of criteria that have changed since only if ``stale``, under other names."""
    held = (r for r in records.read(path) if r["protocol"] == protocol and r["criterion"] in ROWS)
    found = [r for r in held if ROWS[r["criterion"]].runs(r["n"], r["seed"], r["family"])]
    table, current = pd.DataFrame(found), digests()
    fresh = table.digest == table.criterion.map(current)
    named = table.criterion.where(fresh, table.criterion + " @" + table.digest)
    table = table.assign(criterion=named)[fresh | stale].drop_duplicates([*KEYS, "criterion"], keep="last")
    sets = table["set"]
    return table.assign(
        regret=table.best - table.accuracy, off=table.score - table.accuracy, kind=sets.map(kind_of),
        half=sets.map(half_of), of_fits=table.fits / (5 * table.candidates + 1),
    )  # fmt: skip


def text(table: pd.DataFrame) -> str:
    """All tables, in Markdown."""
    plain, shifted = (table[table.regime == regime] for regime in ("plain", "shift"))
    parts = [coverage(table)]
    if len(plain):
        parts += [
            markdown(summary(plain)),
            f"The shown estimate minus the accuracy on test rows, in points:\n\n{markdown(estimates(plain))}",
        ]
        for title, by in (("number of labels", "n"), ("family", "family"), ("kind of set", "kind"), ("half", "half")):
            parts.append(f"Regret of 5-fold's by {title}:\n\n{markdown(ratios(plain, by))}")
        for title, by in (("number of labels", "n"), ("kind of set", "kind"), ("family", "family")):
            parts.append(f"Least regret by {title}, minus 5-fold's, in points:\n\n{markdown(leaders(plain, by))}")
        for name in (name for name in _names(_wide(plain)) if name.startswith(AUTO)):
            parts.append(f"`{name}` minus 5-fold, in points, ± the standard error:\n\n{markdown(grid(plain, name))}")
        parts += [
            checks(plain),
            f"The best of the papers' criteria, minus 5-fold, in points:\n\n{markdown(papers(plain))}",
        ]
    if len(shifted):
        parts.append(f"Under prior shift:\n\n{markdown(summary(shifted))}")
    parts.append(
        f"Training seconds per choice, which depend on the machine and its load:\n\n{markdown(seconds(table))}"
    )
    return "\n\n".join(parts)


def coverage(table: pd.DataFrame) -> str:
    """What the tables rest on."""
    choices = len(table[table.criterion == BASE])
    labels, seeds = ", ".join(map(str, sorted(table.n.unique()))), table.seed.nunique()
    return (
        f"{table['set'].nunique()} data sets, {seeds} {'seed' if seeds == 1 else 'seeds'}, {labels} labels, "
        f"{len(table[KEYS[:4]].drop_duplicates()):,} settings, {choices:,} choices of every criterion that ran in all."
    )


def standings(table: pd.DataFrame) -> pd.DataFrame:
    """Numbers of each criterion, against 5-fold on the same choices."""
    wide, fits = _wide(table), table.groupby("criterion").of_fits.mean()
    lines = {}
    for name in _names(wide):
        own, base = _paired(wide, name)
        if own.empty:
            continue
        (mean, mean_se), (ratio, ratio_se), (less, less_se) = _bootstrap(own, base)
        apart = (own - base).groupby(level="set").mean()
        lines[name] = {
            "choices": len(own), "sets": len(apart), "regret": mean, "regret_se": mean_se, "ratio": ratio,
            "ratio_se": ratio_se, "less": less, "less_se": less_se, "fits": fits[name],
            "won": (own < base - TINY).mean(), "lost": (own > base + TINY).mean(), "worst": apart.max(),
            "worst_set": apart.idxmax(), "families": own.index.get_level_values("family").nunique(),
        }  # fmt: skip
    return pd.DataFrame(lines).T


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """A row for each criterion, to read."""
    lines = {
        name: {
            "choices": f"{row.choices:,}",
            "sets": row.sets,
            "regret, points": f"{100 * row.regret:.2f} ± {100 * row.regret_se:.2f}",
            "of 5-fold's": "1" if name == BASE else f"{row.ratio:.2f} ± {row.ratio_se:.2f}",
            "fits, of 5-fold's": f"{row.fits:.2f}",
            "won": "" if name == BASE else f"{row.won:.0%}",
            "lost": "" if name == BASE else f"{row.lost:.0%}",
            "worst set": "" if name == BASE else f"{100 * row.worst:+.1f} {row.worst_set}",
        }
        for name, row in standings(table).iterrows()
    }
    return pd.DataFrame(lines).T


def leaders(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """Who has the least regret for each value of a key: of all, for 5-fold's fits, for one or two a candidate."""
    lines = {}
    for value, part in _parts(table, by):
        numbers = standings(part)
        wide = numbers.families >= MOST_FAMILIES * numbers.families.max()
        numbers = numbers[wide & (numbers.sets >= FEW)].drop(index=BASE, errors="ignore")
        lines[str(value)] = {
            title: _leader(numbers[numbers.fits <= most])
            for title, most in (("of all", np.inf), ("at most 5-fold's fits", 1.05), ("at most 0.4 of them", 0.4))
        }
    return pd.DataFrame(lines).T


def ratios(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """Mean regret as a share of 5-fold's, a column for each value of a key; a cell of few sets is empty."""
    cells, names = {}, _names(_wide(table))
    for value, part in _parts(table, by):
        wide = _wide(part)
        cells[str(value)] = {name: _ratio(wide, name) if name in wide else "" for name in names}
    return pd.DataFrame(cells)


def grid(table: pd.DataFrame, name: str = AUTO, base: str = BASE) -> pd.DataFrame:
    """One criterion minus another in each regime, in points, with the standard error over sets."""
    cells = {}
    for (n, family), (mean, error, sets) in _apart(table, name, base).items():
        cells.setdefault(str(n), {})[family] = f"{100 * mean:+.2f} ± {100 * error:.2f}" if sets >= FEW else ""
    return pd.DataFrame(cells).reindex([f for f in FAMILIES if f in set(table.family)]).fillna("")


def estimates(table: pd.DataFrame) -> pd.DataFrame:
    """The mean error of the estimates that criteria show, in points, by the number of labels."""
    own = table[table.criterion.map(lambda name: _row(name).estimates)]
    means = 100 * own.pivot_table(index="criterion", columns="n", values="off")
    means["all"] = 100 * own.groupby("criterion").off.mean()
    return means.loc[_names(means.T)].map(lambda points: f"{points:+.1f}" if np.isfinite(points) else "")


def papers(table: pd.DataFrame) -> pd.DataFrame:
    """The best of the papers' criteria in each regime, with its difference to 5-fold's regret."""
    own = table[table.criterion.map(lambda name: name == BASE or _row(name).paper)]
    cells: dict[str, dict[str, str]] = {}
    for (n, family), part in own.groupby(["n", "family"]):
        numbers = standings(part).drop(index=BASE, errors="ignore")
        cells.setdefault(str(n), {})[family] = _leader(numbers[numbers.sets >= FEW])
    return pd.DataFrame(cells).reindex([f for f in FAMILIES if f in set(table.family)]).fillna("")


def checks(table: pd.DataFrame) -> str:
    """The regimes in which `auto` is worse than it should be."""
    worse = [
        f"{family} with {n} labels"
        for (n, family), (mean, error, sets) in _apart(table, AUTO, BASE).items()
        if sets >= FEW and mean > 2 * error
    ]
    published = [name for name, row in ROWS.items() if row.paper and name in set(table.criterion)]
    means = _wide(table)[published].groupby(level=["n", "family"]).mean()
    behind = [
        f"{family} with {n} labels"
        for (n, family), (mean, error, sets) in _apart(table, AUTO, BOUND).items()
        if sets >= FEW and means.loc[(n, family)].idxmin() == BOUND and mean > error
    ]
    return (
        f"Regimes in which `auto` is worse than 5-fold by two standard errors: {', '.join(worse) or 'none'}.\n"
        f"Regimes in which the quantification bound is the best of the papers' criteria and `auto` is worse by a "
        f"standard error: {', '.join(behind) or 'none'}."
    )


def seconds(table: pd.DataFrame) -> pd.DataFrame:
    """Mean training seconds of a choice, of all families and of the mixed bag, against 5-fold on the same choices."""
    lines = {}
    for part, own in (("all families", table), ("mixed", table[table.family == "mixed"])):
        wide = own.pivot(index=KEYS, columns="criterion", values="seconds")
        for name in _names(wide):
            both = wide[[name]].join(wide[BASE].rename("base")).dropna()
            if both.empty:
                continue
            lines.setdefault(name, {})[part] = f"{both[name].mean():.2f}"
            lines[name][f"{part}, of 5-fold's"] = f"{both[name].sum() / both.base.sum():.2f}"
    return pd.DataFrame(lines).T.fillna("")


def markdown(frame: pd.DataFrame) -> str:
    """A Markdown table; the index is its first column."""
    lines = [["", *map(str, frame.columns)], ["---"] * (frame.shape[1] + 1)]
    lines += [[str(name), *map(str, row)] for name, row in zip(frame.index, frame.to_numpy(), strict=True)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _row(name: str) -> Row:
    return ROWS[name.split(" @")[0]]


def _wide(table: pd.DataFrame) -> pd.DataFrame:
    return table.pivot(index=KEYS, columns="criterion", values="regret")


def _names(wide: pd.DataFrame) -> list[str]:
    """The criteria of a table in the order of the league, those that have changed behind."""
    return sorted(wide.columns, key=lambda name: (list(ROWS).index(name.split(" @")[0]), "@" in name, name))


def _order(by: str) -> list[str]:
    return {"kind": list(KINDS), "family": list(FAMILIES), "half": ["tune", "report"]}.get(by, [])


def _parts(table: pd.DataFrame, by: str) -> Iterator[tuple[Any, pd.DataFrame]]:
    """The parts of a table by the values of a key, in their order."""
    for value in _order(by) or sorted(table[by].unique()):
        part = table[table[by] == value]
        if len(part):
            yield value, part


def _paired(wide: pd.DataFrame, name: str) -> tuple[pd.Series, pd.Series]:
    """The regrets of a criterion and of 5-fold where both have chosen."""
    both = pd.DataFrame({"own": wide[name], "base": wide[BASE]}).dropna()
    return both.own, both.base


def _ratio(wide: pd.DataFrame, name: str) -> str:
    """A share of 5-fold's regret with its standard error; for 5-fold the regret, in points."""
    own, base = _paired(wide, name)
    if own.index.get_level_values("set").nunique() < FEW or base.sum() <= 0:
        return ""
    (mean, mean_se), (ratio, ratio_se), _ = _bootstrap(own, base)
    if name == BASE:
        return f"{100 * mean:.2f} ± {100 * mean_se:.2f} points"
    return f"{ratio:.2f} ± {ratio_se:.2f}" if ratio_se < VAGUE else ""


def _leader(numbers: pd.DataFrame) -> str:
    """The name of who has the least regret, and its difference to 5-fold in points."""
    if numbers.empty:
        return ""
    first = numbers.sort_values("less").iloc[0]
    return f"{first.name} {100 * first.less:+.2f} ± {100 * first.less_se:.2f}"


def _apart(table: pd.DataFrame, name: str, base: str) -> dict[tuple[int, str], tuple[float, float, int]]:
    """The mean over sets of the difference of two criteria in each regime, its standard error, and the sets."""
    wide = _wide(table)
    if not {name, base} <= set(wide.columns):
        return {}
    apart = (wide[name] - wide[base]).dropna().groupby(level=["n", "family", "set"]).mean()
    found = {}
    for key, part in apart.groupby(level=["n", "family"]):
        error = part.std(ddof=1) / np.sqrt(len(part)) if len(part) > 1 else np.inf
        found[key] = (float(part.mean()), float(error), len(part))
    return found


def _bootstrap(own: pd.Series, base: pd.Series) -> list[tuple[float, float]]:
    """The mean regret, its share of another and the difference, with standard errors of whole sets drawn again."""
    sums = pd.DataFrame({"own": own, "base": base, "one": 1.0}).groupby(level="set").sum().to_numpy()
    drawn = sums[np.random.default_rng(0).integers(0, len(sums), (DRAWS, len(sums)))].sum(axis=1)
    found = []
    for number in (_mean, _share, _difference):
        found.append((float(number(sums.sum(axis=0))), float(number(drawn.T).std())))
    return found


def _mean(sums: np.ndarray) -> np.ndarray:
    return sums[0] / sums[2]


def _share(sums: np.ndarray) -> np.ndarray:
    return sums[0] / np.maximum(sums[1], TINY)


def _difference(sums: np.ndarray) -> np.ndarray:
    return (sums[0] - sums[1]) / sums[2]
