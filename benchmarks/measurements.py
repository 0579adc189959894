"""What can be measured again: the command of each folder of results, the modules that it measures, and its minutes.

``python -m benchmarks.figures --run NAME …`` runs them (`remeasuring`). A command is in the form whose numbers pages
show; where that takes hours, ``NAME_short`` asks the same of fewer settings, and pages say whether it is of the present
code. ``FOLDER`` is the folder of the results: lines that a stopped run has written there are not measured again while
the code is the same. Commands joined by ``&&`` run one after the other.
"""

from typing import NamedTuple

CHOOSING = ("criteria", "data", "engine", "judging", "learners", "portfolio", "selection", "solvers")
FILES = ("io", "tables")
COUNTING = ("accuracy", "quantifiers")
QUANZ = ("criteria/evidence.py", "learners/co_training", "learners/gaussian_process")
QUIET = "a quiet machine, since it compares times"
PEERS = "packages of other people"
HOURS = "hours, and its short form runs in its place"


class Measurement(NamedTuple):
    """A command, and what its numbers depend on."""

    command: str  # behind `python -m`
    measures: tuple[str, ...]  # modules of foldless without which a number could not have been computed
    minutes: int  # about, on two quiet cores
    needs: str = ""  # where this is not given, it is run only if it is named
    records: bool = False  # writes its tables and its meta.json itself


def _paper(name: str, minutes: int, *measures: str) -> Measurement:
    return Measurement(f"benchmarks.papers.{name}.run", measures, minutes, records=True)


MEASUREMENTS = {
    # papers
    "balikas2015": _paper("balikas2015", 20, "bounds", "criteria/quantification_bound.py", "learners/linear",
                          "quantifiers"),
    "kaariainen2005": _paper("kaariainen2005", 25, "bounds", "criteria/semi_supervised_cv.py", "learners/kernel_svm"),
    "kar2016": _paper("kar2016", 40, "learners/online", "measures", "solvers/online"),
    "pfahringer": _paper("pfahringer", 60, "criteria/dagging.py", "criteria/k_fold.py", "learners/ensembles",
                         "learners/kernel_svm"),
    "quanz2012": Measurement("benchmarks.papers.quanz2012.run", QUANZ, 240, HOURS, records=True),
    "quanz2012_short": Measurement("benchmarks.papers.quanz2012.run --only Synth --trials 40 --samples 20 "
                                   "--output FOLDER", QUANZ, 30, records=True),
    "ssl_book": _paper("ssl_book", 60, "criteria/ada.py", "criteria/similar_data.py", "criteria/tri.py",
                       "learners/linear"),
    # league
    "app_story": Measurement("benchmarks.league.app_story", (*CHOOSING, "accuracy", "app", "labeling"), 10,
                             "a browser, as `app_page` starts it"),
    "class_shares": Measurement("benchmarks.league.class_shares", ("criteria/prevalence_error.py", "quantifiers"), 5),
    "distilled": Measurement("benchmarks.league.distilled", CHOOSING, 5),
    "end_to_end": Measurement("benchmarks.league.end_to_end --again benchmarks/results/end_to_end/records.jsonl --out "
                              "FOLDER/records.jsonl", CHOOSING, 30),
    "few_labels": Measurement("benchmarks.league.few_labels --half report --out FOLDER/draws.jsonl", CHOOSING, 5),
    "few_labels_tuned": Measurement("benchmarks.league.few_labels --half tune --out FOLDER/draws.jsonl", CHOOSING, 5),
    "label_next": Measurement("benchmarks.league.label_next --out FOLDER/records.jsonl", (*CHOOSING, "labeling"), 600,
                              HOURS),
    "label_next_short": Measurement("benchmarks.league.label_next --quick --out FOLDER/records.jsonl",
                                    (*CHOOSING, "labeling"), 10),
    "label_proxy": Measurement("benchmarks.league.label_proxy --out FOLDER/records.jsonl", ("labeling",), 3),
    "label_story": Measurement("benchmarks.league.label_story --seeds 6 --out FOLDER/rounds.jsonl",
                               (*CHOOSING, "labeling"), 30),
    "league": Measurement("benchmarks.league.run", CHOOSING, 1200, "`make league`, which writes its pages"),
    "league_short": Measurement("benchmarks.league.run --quick --out FOLDER/records.jsonl", CHOOSING, 15),
    "optuna_race": Measurement("benchmarks.league.optuna_race",
                               ("criteria", "engine", "integrations/optuna_objective.py", "judging"), 10),
    "portfolio_bank": Measurement("benchmarks.league.portfolio bank && benchmarks.league.portfolio judge", CHOOSING,
                                  60),
    "quantify": Measurement("benchmarks.league.beside_quapy --out FOLDER/accuracy.jsonl", ("quantifiers",), 60, PEERS),
    "race_bank": Measurement("benchmarks.league.bank && benchmarks.league.bank --play", CHOOSING, 60),
    "regression": Measurement("benchmarks.league.regression --seeds 1,2,3 --out FOLDER/choices.jsonl", CHOOSING, 60),
    "shifted_pool": Measurement("benchmarks.league.shifted_pool --seeds 0", CHOOSING, 10),
    "word_vectors": Measurement("benchmarks.league.end_to_end --sets clinc150 sms_spam --labels 20 --seeds 0 --rows "
                                "foldless --out FOLDER/records.jsonl", ("learners", "portfolio", "text.py"), 10,
                                "`foldless[text]`, and a second run without it"),
    # coverage
    "bound_under_drift": Measurement("benchmarks.coverage.bound_under_drift --seeds 10",
                                     ("bounds", "criteria/k_fold.py", "criteria/quantification_bound.py",
                                      "learners/linear", "quantifiers", "solvers/linear"), 10),
    "certificates": Measurement("benchmarks.coverage.certificates --out FOLDER/bounds.csv",
                                ("bounds", "criteria/hold_out.py", "criteria/progressive.py",
                                 "criteria/semi_supervised_cv.py"), 60),
    "copies": Measurement("benchmarks.coverage.copies --draws 60", (*CHOOSING, "accuracy", "bounds"), 60),
    "estimates": Measurement("benchmarks.coverage.estimates --out FOLDER/draws.jsonl", (*CHOOSING, "accuracy"), 600,
                             HOURS),
    "estimates_short": Measurement("benchmarks.coverage.estimates --short", ("accuracy",), 5),
    "faults_beside_peers": Measurement("benchmarks.coverage.check_peers table build/planted", ("checks",), 240,
                                       "`make check-peers`, which runs all of it"),
    "faults_beside_peers_short": Measurement("benchmarks.coverage.planted_faults --fast --from 600 --seeds 1",
                                             ("checks",), 15),
    "labels_by_class": Measurement("benchmarks.coverage.labels_by_class",
                                   ("accuracy", "criteria/quantification_bound.py", "learners/linear",
                                    "selection/_estimating.py", "solvers/linear"), 2),
    "race_folds": Measurement("benchmarks.coverage.race_folds",
                              ("accuracy", "criteria", "engine", "judging", "learners/linear", "selection",
                               "solvers/linear"), 15),
    "share_coverage": Measurement("benchmarks.coverage.class_shares --out FOLDER/runs.jsonl", COUNTING, 10),
    "shift": Measurement("benchmarks.coverage.shift --draws 100 --moved 20", ("accuracy",), 10),
    "shift_by_month": Measurement("benchmarks.coverage.shift --by --runs 20", COUNTING, 10),
    "shift_of_shares": Measurement("benchmarks.coverage.shift --shares", COUNTING, 10),
    # scale
    "growth": Measurement("benchmarks.scale.growth --full", (*CHOOSING, *FILES, "streams"), 10),
    "larger_than_memory": Measurement("benchmarks.scale.larger_than_memory", (*CHOOSING, *FILES), 10,
                                      "7 GB of disk"),
    "many_classes": Measurement("benchmarks.scale.many_classes --full",
                                ("engine", "learners/linear", "saving", "selection", "solvers/linear"), 10),
    "overhead": Measurement("benchmarks.scale.cluster_overhead", ("engine/cluster",), 1),
    "parameter_mixing": Measurement("benchmarks.scale.parameter_mixing --rows 400000",
                                    ("learners/online", "solvers/online", "streams"), 5),
    "plan": Measurement("benchmarks.scale.plan", ("learners/linear", "solvers/linear"), 1),
    "scheduler": Measurement("benchmarks.scale.scheduler", ("engine/cluster",), 5, QUIET),
    "stream_memory": Measurement("benchmarks.scale.stream_memory", ("io", "learners/online", "streams"), 10,
                                 "5 GB of disk"),
    "traffic": Measurement("benchmarks.scale.traffic", ("engine",), 1),
    # speed
    "app_speed": Measurement("benchmarks.speed.app", ("app", "engine", "portfolio"), 1, QUIET),
    "app_speed_many": Measurement("benchmarks.speed.app --classes 1000", ("app", "engine", "portfolio"), 1, QUIET),
    "default_calls": Measurement("benchmarks.speed.default_calls --sets 20-classes 830-classes --calls "
                                 "quantification_bound auto --n-jobs 1", (*CHOOSING, "accuracy"), 6, QUIET),
    "share_speed": Measurement("benchmarks.speed.run class_shares class_shares_kde", ("quantifiers",), 10, QUIET),
    "speed": Measurement("benchmarks.speed.run --record", (*CHOOSING, "accuracy", "quantifiers", "streams"), 60, QUIET),
    "startup": Measurement("benchmarks.speed.run startup", ("cli", "engine", "tables"), 5, QUIET),
    "stream_speed": Measurement("benchmarks.speed.run stream_dense stream_sparse",
                                ("learners/online", "solvers/online", "streams"), 10, QUIET),
    "svc_speed": Measurement("benchmarks.speed.run svc_grid", ("learners/kernel_svm", "solvers/kernel_svm"), 30, QUIET),
    "time_left": Measurement("benchmarks.speed.time_left", ("engine", "portfolio", "selection"), 5, QUIET),
}  # fmt: skip
"""By the folder of the results, or the name that a page gives to numbers of which no file is kept."""
