"""Tables of the league: mean regret as a share of 5-fold's, with a standard error over data sets, and by regime.

A criterion is compared with 5-fold on the choices that both have made. Sets are the sampling unit: choices of one set
(other seeds, families, numbers of labels) are not independent, so standard errors are bootstraps over whole sets.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
from league_families import FAMILIES
from league_rows import BASE, ROWS, digests
from league_sets import KINDS, half_of, kind_of

KEYS = ["regime", "set", "n", "seed", "family"]
DRAWS, TINY, FEW = 1000, 1e-9, 4  # bootstraps over sets; equal regrets; sets below which a cell stays empty
AUTO, BOUND = "auto", "quantification bound"


def read(path: Path, protocol: int, *, stale: bool = False) -> pd.DataFrame:
    """The choices of a file, a line each; of criteria that were edited since only if ``stale``, under other names."""
    with path.open() as lines:
        found = [r for r in map(json.loads, lines) if r["protocol"] == protocol and r["family"]]
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
        parts += [markdown(summary(plain)), f"The shown estimate minus the accuracy on test rows:\n\n{_off(plain)}"]
        for title, by in (("number of labels", "n"), ("family", "family"), ("kind of set", "kind"), ("half", "half")):
            parts.append(f"Regret of 5-fold's by {title}:\n\n{markdown(ratios(plain, by))}")
        parts += [f"`auto` minus 5-fold, in points of accuracy, ± its standard error:\n\n{markdown(grid(plain))}"]
        parts += [checks(plain)]
    if len(shifted):
        parts.append(f"Under prior shift:\n\n{markdown(summary(shifted))}")
    parts.append(f"Training seconds per choice, which depend on the machine:\n\n{markdown(seconds(table))}")
    return "\n\n".join(parts)


def coverage(table: pd.DataFrame) -> str:
    """What the tables rest on."""
    choices = len(table[table.criterion == BASE])
    labels = ", ".join(map(str, sorted(table.n.unique())))
    return (
        f"{table['set'].nunique()} data sets, {table.seed.nunique()} seeds, {labels} labels, "
        f"{len(table[KEYS[:4]].drop_duplicates()):,} settings, {choices:,} choices of every criterion that ran in all."
    )


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """A row for each criterion, against 5-fold on the same choices."""
    wide, fits = _wide(table), table.groupby("criterion").of_fits.mean()
    lines = {}
    for name in _names(wide):
        both = wide[[name, BASE]].dropna() if name != BASE else wide[[BASE]].dropna()
        own, base = both[name], both[BASE]
        if both.empty:
            continue
        (mean, mean_se), (ratio, ratio_se) = _bootstrap(own, base)
        apart = (own - base).groupby(level="set").mean()
        lines[name] = {
            "choices": f"{len(both):,}",
            "sets": str(both.index.get_level_values("set").nunique()),
            "regret, points": f"{100 * mean:.2f} ± {100 * mean_se:.2f}",
            "of 5-fold's": "1" if name == BASE else f"{ratio:.2f} ± {ratio_se:.2f}",
            "fits, of 5-fold's": f"{fits[name]:.2f}",
            "won": f"{(own < base - TINY).mean():.0%}",
            "lost": f"{(own > base + TINY).mean():.0%}",
            "worst set": "" if name == BASE else f"{100 * apart.max():+.1f} {apart.idxmax()}",
        }
    return pd.DataFrame(lines).T


def ratios(table: pd.DataFrame, by: str) -> pd.DataFrame:
    """Mean regret as a share of 5-fold's, a column for each value of a key; a cell of few sets is empty."""
    keys = table.drop_duplicates(KEYS).set_index(KEYS)[by] if by not in KEYS else None
    wide = _wide(table)
    level = wide.index.get_level_values(by) if keys is None else keys.reindex(wide.index).to_numpy()
    values = [v for v in _order(by) if v in set(level)] if _order(by) else sorted(set(level))
    cells = {}
    for value in values:
        part = wide[level == value]
        cells[str(value)] = {name: _ratio(part, name) for name in _names(wide)}
    return pd.DataFrame(cells)


def grid(table: pd.DataFrame, name: str = AUTO, base: str = BASE) -> pd.DataFrame:
    """One criterion minus another in each regime, in points, with the standard error over sets."""
    cells = {}
    for (n, family), (mean, error, sets) in _apart(table, name, base).items():
        cells.setdefault(str(n), {})[family] = f"{100 * mean:+.2f} ± {100 * error:.2f}" if sets >= FEW else ""
    return pd.DataFrame(cells).reindex([f for f in FAMILIES if f in set(table.family)]).fillna("")


def checks(table: pd.DataFrame) -> str:
    """The regimes in which `auto` is worse than it should be."""
    worse = [
        f"{family} with {n} labels"
        for (n, family), (mean, error, sets) in _apart(table, AUTO, BASE).items()
        if sets >= FEW and mean > 2 * error
    ]
    papers = [name for name, row in ROWS.items() if row.paper and name in set(table.criterion)]
    means = _wide(table)[papers].groupby(level=["n", "family"]).mean()
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


def _off(table: pd.DataFrame) -> str:
    """The mean error of the estimates that criteria show, in points, by the number of labels."""
    own = table[table.criterion.map(lambda name: _row(name).estimates)]
    means = 100 * own.pivot_table(index="criterion", columns="n", values="off").assign(
        all=own.groupby("criterion").off.mean()
    )
    return markdown(means.loc[_names(means.T)].map(lambda x: f"{x:+.1f}" if np.isfinite(x) else ""))


def _row(name: str):
    return ROWS[name.split(" @")[0]]


def _wide(table: pd.DataFrame) -> pd.DataFrame:
    return table.pivot(index=KEYS, columns="criterion", values="regret")


def _names(wide: pd.DataFrame) -> list[str]:
    """The criteria of a table in the order of the league, those of edited code behind."""
    return sorted(wide.columns, key=lambda name: (list(ROWS).index(name.split(" @")[0]), "@" in name, name))


def _order(by: str) -> list:
    return {"kind": list(KINDS), "family": list(FAMILIES), "half": ["tune", "report"]}.get(by, [])


def _ratio(wide: pd.DataFrame, name: str) -> str:
    both = wide[[name]].join(wide[BASE].rename("base")).dropna()
    enough = both.index.get_level_values("set").nunique() >= FEW and both.base.sum() > 0
    return f"{both[name].sum() / both.base.sum():.2f}" if enough else ""


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


def _bootstrap(own: pd.Series, base: pd.Series) -> tuple[tuple[float, float], tuple[float, float]]:
    """The mean regret and its share of another, both with standard errors of whole sets drawn again."""
    sums = pd.DataFrame({"own": own, "base": base, "one": 1.0}).groupby(level="set").sum().to_numpy()
    drawn = sums[np.random.default_rng(0).integers(0, len(sums), (DRAWS, len(sums)))].sum(axis=1)
    mean, ratio = drawn[:, 0] / drawn[:, 2], drawn[:, 0] / np.maximum(drawn[:, 1], TINY)
    return (float(own.mean()), float(mean.std())), (float(own.sum() / max(base.sum(), TINY)), float(ratio.std()))
