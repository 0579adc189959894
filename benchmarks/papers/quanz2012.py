"""Quanz and Huan (2012), Table 3 with Frac. Close, Tables 4 to 6 and Figure 2.

    python benchmarks/papers/quanz2012.py [--full] [--only NAME ...] [--data FOLDER] [--output FOLDER] [--seed 0]

In every trial 4 to 40 rows have labels and all others are the pool, on which errors are measured as in the paper. All
criteria choose in one comparison. Ties go to the first candidate of the grid, from large to small values as printed;
rows named "random tie" are what one of the tied candidates at random would have on average.

The default has fewer trials and sampled data sets than the paper on all sets but Synth; --full has the paper's 100.
The run may be stopped and started again: it goes on with the trial that was not finished.
"""

import argparse
from functools import partial
from typing import Any, NamedTuple

import pandas as pd
import quanz2012_printed as printed
from few_labels import Journal, Record, measures, trial
from few_labels_tables import choices
from quanz2012_choices import more_draws, study
from quanz2012_figure2 import draw, lowest, surfaces
from quanz2012_sets import SETTINGS, Setting
from quanz2012_tables import by_belief, candidates, frac_close, significance, table_3, wide
from reproducing import Book, options, parser, recorded

from foldless.criteria import ADA, Bootstrap632, Evidence, LeaveOneOut, RankSum, SimilarData


class Size(NamedTuple):
    """Trials, and data sets that each sampling criterion draws in one."""

    trials: int
    samples: int


PAPER = Size(100, 100)
SIZES = {
    "Synth": PAPER,
    "WebKB": Size(3, 10),
    "Coil 20": Size(10, 30),
    "Citeseer": Size(3, 10),
    "Coil 40": Size(10, 30),
}


def criteria(samples: int, scoring: str) -> dict[str, Any]:
    """Table 2 of the paper. Cross-validation counts errors also where SDS scores by MCC, as in the paper."""
    sds = SimilarData(samples, "probabilities", scoring=scoring)
    return {
        "CV": LeaveOneOut(),
        ".632+": Bootstrap632(samples),
        "MML": Evidence(),
        "ADA": ADA(),
        "SDS": sds,
        "SDS+ADA": RankSum(sds, ADA()),
        "SDS-L": SimilarData(samples, "labels", scoring=scoring),
    }


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
    ways = criteria(samples, setting.scoring) | (VARIANTS if name == "Synth" else {})
    record = trial(setting.learner, setting.grid, drawn, ways, 1000 * seed + number, setting.jobs)
    return record | {"fixed": {"GP - No SSL": measures(drawn.truth, setting.alone(drawn))}}


def run(typed: argparse.Namespace, sizes: dict[str, Size]) -> Journal:
    journal = Journal(typed.output / "journal.jsonl", {"seed": typed.seed})
    for name in typed.only:
        setting = SETTINGS[name](typed.data)
        trials, samples = sizes[name]
        make = partial(one_trial, name, setting, samples, typed.seed)
        journal.run(name, samples, range(trials), make)
    return journal


def report(book: Book, records: dict[str, list[Record]], beside: dict[str, pd.DataFrame]) -> None:
    """Everything that is printed; ``beside`` has the tables that are not of the trials."""
    chosen = pd.concat([choices(own) for own in records.values()])
    grids = pd.concat([candidates(own) for own in records.values()])
    third, tests, close = table_3(chosen), significance(chosen), frac_close(grids)
    belief = pd.concat([by_belief(own) for own in records.values()])
    for name, frame in {
        "trials": chosen, "candidates": grids, "table3": third, "tests": tests, "frac_close": close,
        "belief": belief,
        **beside,
    }.items():  # fmt: skip
        book.csv(name, frame)
    sections = {
        f"Table 3, {measure}: mean ± standard deviation here | in the paper": wide(third, measure)
        for measure in printed.MEASURES
    }
    sections["Candidates within 0.025 of the best fixed one"] = close
    for number, method in enumerate(("SDS", "SDS+ADA", "SDS-L"), 4):
        own = tests[tests["method"] == method].pivot(index="against", columns="set", values="both")
        shown = own.reindex(index=[m for m in printed.METHODS if m in own.index], columns=list(records)).reset_index()
        sections[f"Table {number}: {method} against others, paired t-tests at 5 %, here | in the paper"] = shown
    sections["Where the candidates are wrong, by the trial"] = belief
    sections["Figure 2: where each surface is lowest"] = lowest(beside["figure2"])
    sections["Synth on other draws"] = beside["more_draws"]
    sections["What the paper leaves open in its criteria, on Synth"] = variants(third)
    sections["What the paper leaves open in its sets and learners, on other draws"] = beside["choices"]
    book.tell(sections)


def variants(third: pd.DataFrame) -> pd.DataFrame:
    """The rows of Synth whose criteria have variants, and these."""
    shown = (
        third["method"].isin(["ADA", "SDS-L", *VARIANTS]) & (third["set"] == "Synth") & (third["measure"] == "error")
    )
    return third[shown].sort_values("method")[["method", "mean", "sd", "standard error", "trials", "paper", "paper sd"]]


def main() -> None:
    made = parser("quanz2012", __doc__, list(SETTINGS), cuts=False)
    made.add_argument("--trials", type=int, help="instead of the default of each set")
    made.add_argument("--samples", type=int, help="data sets drawn by each sampling criterion")
    typed = options(made, needed="webkb_course")
    sizes = {
        name: Size(typed.trials or size.trials, typed.samples or size.samples)
        for name, size in (dict.fromkeys(SIZES, PAPER) if typed.full else SIZES).items()
    }
    with recorded("quanz2012", typed):
        journal = run(typed, sizes)
        points = surfaces(
            typed.seed, every=1 if typed.full else 3, samples=typed.samples or (100 if typed.full else 20)
        )
        draw(points, typed.output / "figure2.png")
        beside = {
            "figure2": points,
            "more_draws": more_draws(journal, typed.data, typed.seed, typed.trials),
            "choices": study(journal, typed.data, typed.seed, typed.only, typed.trials),
        }
        report(Book(typed.output, ()), {name: journal.of(name, *sizes[name]) for name in typed.only}, beside)
        journal.path.unlink()


if __name__ == "__main__":
    main()
