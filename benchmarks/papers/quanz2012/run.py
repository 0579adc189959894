"""Quanz and Huan (2012), Table 3 with Frac. Close, Tables 4 to 6 and Figure 2.

    python -m benchmarks.papers.quanz2012.run [--full] [--only NAME ...] [--data FOLDER] [--output FOLDER] [--seed 0]

In every trial 4 to 40 rows have labels and all others are the pool, on which errors are measured as in the paper. All
criteria choose in one comparison. Ties go to the first candidate of the grid, from large to small values as printed;
rows named "random tie" are what one of the tied candidates at random would have on average.

The default has fewer trials and sampled data sets than the paper on all sets but Synth; --full has the paper's 100.
The run may be stopped and started again: it goes on with the trial that was not finished.
"""

import argparse
from functools import partial
from typing import NamedTuple

import pandas as pd

from benchmarks.papers.few_labels.tables import choices
from benchmarks.papers.few_labels.trial import measures, table_2, trial
from benchmarks.papers.journal import Journal, Record
from benchmarks.papers.quanz2012 import printed
from benchmarks.papers.quanz2012.beliefs import beliefs
from benchmarks.papers.quanz2012.choices import study
from benchmarks.papers.quanz2012.figure2 import draw, lowest, surfaces
from benchmarks.papers.quanz2012.seeds import over_seeds, summary
from benchmarks.papers.quanz2012.sets import SETTINGS, SUMMED, Setting
from benchmarks.papers.quanz2012.tables import by_belief, candidates, frac_close, significance, table_3, wide
from benchmarks.papers.reproducing import Book, options, parser, recorded
from foldless.criteria import ADA, SimilarData


class Size(NamedTuple):
    """Trials, and data sets that each sampling criterion draws in one."""

    trials: int
    samples: int


PAPER = Size(100, 100)
SIZES = {
    "Synth": PAPER,
    "WebKB": Size(50, 10),
    "Coil 20": Size(50, 30),
    "Citeseer": Size(50, 10),
    "Coil 40": Size(50, 30),
}
SUMMED_SIZES = {"WebKB": Size(4, 10), "Citeseer": Size(4, 10)}


# what the paper leaves open about its criteria, on Synth, where a trial is cheap
VARIANTS = {
    "ADA, 0-1 loss": ADA(loss="zero_one"),
    "ADA, clip 1e-6, floor 1e-12": ADA(clip=1e-6, ratio_floor=1e-12),
    "SDS-L, true labels kept": SimilarData(answers="labels", clamp_labeled=True),
    "SDS-L, 20 samples": SimilarData(20, "labels"),
}


def one_trial(name: str, setting: Setting, samples: int, seed: int, number: int) -> Record:
    """All criteria on one draw, and the supervised Gaussian process beside them."""
    drawn = setting.draw([seed, number])
    ways = table_2(samples, setting.scoring) | (VARIANTS if name == "Synth" else {})
    record = trial(setting.learner, setting.grid, drawn, ways, 1000 * seed + number, setting.jobs)
    return record | {"fixed": {"GP - No SSL": measures(drawn.truth, setting.alone(drawn))}}


def sized(sizes: dict[str, Size], typed: argparse.Namespace) -> dict[str, Size]:
    """The sizes that were typed, the paper's, or these."""
    return {
        name: Size(typed.trials or size.trials, typed.samples or size.samples)
        for name, size in (dict.fromkeys(sizes, PAPER) if typed.full else sizes).items()
    }


def run(typed: argparse.Namespace, sizes: dict[str, Size]) -> Journal:
    journal = Journal(typed.output / "journal.jsonl", {"seed": typed.seed})
    for name in typed.only:
        setting = SETTINGS[name](typed.data)
        trials, samples = sizes[name]
        make = partial(one_trial, name, setting, samples, typed.seed)
        journal.run(name, samples, range(trials), make)
    return journal


def summed(journal: Journal, typed: argparse.Namespace) -> dict[str, list[Record]]:
    """The sets of co-training once more, with λ beside the sum of losses; fits take three times as long there."""
    records = {}
    for name, (trials, samples) in sized(SUMMED_SIZES, typed).items():
        if name in typed.only:
            title, setting = f"{name}, λ beside the sum", SUMMED[name](typed.data)
            journal.run(title, samples, range(trials), partial(one_trial, name, setting, samples, typed.seed))
            records[name] = [own | {"set": name} for own in journal.of(title, trials, samples)]
    return records


class Tables(NamedTuple):
    """What is told of trials."""

    trials: pd.DataFrame
    candidates: pd.DataFrame
    table3: pd.DataFrame
    tests: pd.DataFrame
    frac_close: pd.DataFrame
    belief: pd.DataFrame

    @classmethod
    def of(cls, records: dict[str, list[Record]]) -> "Tables":
        chosen = pd.concat([choices(own) for own in records.values()])
        grids = pd.concat([candidates(own) for own in records.values()])
        belief = pd.concat([by_belief(own) for own in records.values()])
        return cls(chosen, grids, table_3(chosen), significance(chosen), frac_close(grids), belief)

    def sections(self) -> dict[str, pd.DataFrame]:
        sections = {
            f"Table 3, {measure}: mean ± standard deviation here | in the paper": wide(self.table3, measure)
            for measure in printed.MEASURES
        }
        sections["Candidates within 0.025 of the best fixed one"] = self.frac_close
        for number, method in enumerate(("SDS", "SDS+ADA", "SDS-L"), 4):
            own = self.tests[self.tests["method"] == method].pivot(index="against", columns="set", values="both")
            rows, columns = [m for m in printed.METHODS if m in own.index], self.frac_close["set"]
            title = f"Table {number}: {method} against others, paired t-tests at 5 %, here | in the paper"
            sections[title] = own.reindex(index=rows, columns=columns).rename_axis(columns=None).reset_index()
        sections["Where the candidates are wrong, by the trial"] = self.belief
        return sections


def report(
    book: Book, records: dict[str, list[Record]], other: dict[str, list[Record]], beside: dict[str, pd.DataFrame]
) -> None:
    """Everything that is printed: the paper's tables, the same in the other reading of λ, and tables of no trials."""
    tables = Tables.of(records)
    frames, sections = tables._asdict() | beside, tables.sections()
    if other:
        again = Tables.of(other)
        frames |= {f"summed_{name}": frame for name, frame in again._asdict().items()}
        sections |= {f"λ beside the sum: {title}": frame for title, frame in again.sections().items()}
        sections["Is it what the candidates believe? Errors on the first trials"] = beside["beliefs"]
    sections["Figure 2: where each surface is lowest"] = lowest(beside["figure2"])
    sections["Synth, by seed"] = beside["seeds"]
    sections["Synth, mean over these seeds"] = summary(beside["seeds"])
    sections["What the paper leaves open in its criteria, on Synth"] = variants(tables.table3)
    sections["What the paper leaves open in its sets and learners, on other draws"] = beside["choices"]
    for name, frame in frames.items():
        book.csv(name, frame)
    book.tell(sections)


def variants(third: pd.DataFrame) -> pd.DataFrame:
    """The rows of Synth whose criteria have variants, and these."""
    shown = (
        third["method"].isin(["ADA", "SDS-L", *VARIANTS]) & (third["set"] == "Synth") & (third["measure"] == "error")
    )
    return third[shown].sort_values("method")[["method", "mean", "sd", "standard error", "trials", "paper", "paper sd"]]


def main() -> None:
    arguments = parser("quanz2012", __doc__, list(SETTINGS), cuts=False)
    arguments.add_argument("--trials", type=int, help="instead of the default of each set")
    arguments.add_argument("--samples", type=int, help="data sets drawn by each sampling criterion")
    typed = options(arguments, needed="webkb_course")
    sizes = sized(SIZES, typed)
    with recorded("quanz2012", typed):
        journal = run(typed, sizes)
        other = summed(journal, typed)
        points = surfaces(
            typed.seed, every=1 if typed.full else 3, samples=typed.samples or (100 if typed.full else 20)
        )
        draw(points, typed.output / "figure2.png")
        beside = {
            "figure2": points,
            "seeds": over_seeds(journal, typed.data, typed.seed, typed.trials),
            "choices": study(journal, typed.data, typed.seed, typed.only, typed.trials),
        }
        if other:
            beside["beliefs"] = beliefs(journal, typed.data, typed.seed, {name: sizes[name] for name in other})
        records = {name: journal.of(name, *sizes[name]) for name in typed.only}
        report(Book(typed.output, ()), records, other, beside)
        journal.path.unlink()


if __name__ == "__main__":
    main()
