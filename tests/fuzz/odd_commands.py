"""Commands over all options: most values fit, some do not."""

from typing import NamedTuple

from fuzz.chooser import Chooser
from fuzz.odd_files import TABLES as COLUMNAR
from fuzz.odd_files import TEXT, File, pair

QUICK = ("naive-bayes", "linear-svc", "logistic-regression")
MODELS = ("nearest-neighbors", "svc", "random-forest", "gradient-boosting", "label-spreading", "no-such", "")
CRITERIA = ("k-fold:2", "hold-out", "hold-out:0.3", "quantification-bound", "k-fold:3", "ada", "tri",
            "hold-out|k-fold:2", "k-fold:2+hold-out", "calibrated-confidence")  # fmt: skip
ODD_CRITERIA = (
    "auto", "leave-one-out", "bootstrap-632", "adj", "evidence", "dagging", "semi-supervised-cv", "reverse-validation",
    "k-fold:0", "k-fold:999999999999", "k-fold:x", "nothing", "hold-out:2", "", "+", "k-fold:2:3:4", "contingency",
    "auto:effort=0", "hold-out:confidence=1.5", "k-fold:\x1b[2J", "similar-data", "k-fold:-1", "|", "k-fold:nan",
)  # fmt: skip
GRIDS = {"naive-bayes": ("alpha=0.1,1",), "linear-svc": ("C=1", "C=0.1,1", "C=1:2:3"),
         "logistic-regression": ("C=1", "C=1e-2:1e2:2")}  # fmt: skip
ODD_GRIDS = ("C=", "=1", "C", "C=-1", "C=nan", "C=1e400", "alpha=1", "linear-svc.C=1", "C=0:1:99999999999", "C=a",
             "n_neighbors=0", "C=1,,2", "gamma=scale", "C=1:2:0", "C=\x1b", "a" * 9000 + "=1",
             "C=" + "9" * 5000)  # fmt: skip
ODD_COLUMNS = ("y", "no", "", "x*", "\x1b", "n" * 4000)
TABLES = ("out.csv", "out.parquet", "out.jsonl", "old.csv", "out.tsv")
ODD_TABLES = (
    "no/out.csv",
    "folder",
    "t.csv",
    "out.xls",
    "out.arrow",
    "out.svm",
    "o" * 300 + ".csv",
    "",
    "-",
    "out.csv/x.csv",
)
ODD_SAVES = ("m.pkl", "no/m.skops", "old.csv", "folder", "t.csv", "m\n.skops", "", "s" * 300 + ".skops")


class Case(NamedTuple):
    """Files, and a command."""

    files: tuple[File, ...]
    args: tuple[str, ...]

    @property
    def outputs(self) -> set[str]:
        """The files that the command names as outputs."""
        named = ("--output", "--predict", "--save", "--report", "--journal", "--checkpoint", "--picture")
        return {value for option, value in zip(self.args, self.args[1:], strict=False) if option in named}


def case(seed: int) -> Case:
    """A command with its files; ``model.skops`` and ``stream.skops`` are there, trained on x and z, and ``old.csv``."""
    choose = Chooser(seed)
    command = choose.one(["select", "select", "compare", "certify", *["predict"] * 4, "estimate", "evaluate",
                          *["train"] * 3, *["shares"] * 3], ["other", "quantify"])  # fmt: skip
    with_model = ("x", "z") if command in ("predict", "estimate", "evaluate", "shares") else ()
    streamed = command in ("train", "shares")
    files = first, pool = pair(choose, with_model, (*TEXT, "parquet") if streamed else (*TEXT, *COLUMNAR))
    model = choose.one(["model.skops", "stream.skops"], ["old.csv", "no.skops", "folder", ""])
    if command in ("select", "compare", "certify"):
        return Case(files, tuple(_choosing(choose, command, *files)))
    if command == "predict":
        words = ["predict", model, first.name, *choose.option("--output", 0.5, TABLES, ODD_TABLES)]
        return Case(
            files, (*words, *_format(choose), *choose.flag("--probabilities", 0.2), *choose.flag("--json", 0.3))
        )
    if command == "estimate":
        return Case(files, ("estimate", model, first.name, *_estimating(choose, pool)))
    if command == "evaluate":
        return Case(files, ("evaluate", model, first.name, *_evaluating(choose)))
    if command == "quantify":
        return Case(files, ("quantify", first.name, *_counting(choose, pool)))
    if command == "train":
        return Case(
            files, ("stream", "train", first.name, *choose.one([[]], [[pool.name], [first.name]]), *_training(choose))
        )
    if command == "shares":
        return Case(files, ("stream", "shares", first.name, "--model", model, *_sharing(choose)))
    words = (
        "select",
        "stream",
        "completion",
        "bash",
        "--version",
        "--help",
        "-h",
        "9" * 5000,
        "\x1b[2J",
        "",
        "doctor",
        "ä",
    )
    return Case(files, tuple(choose.some(words, 3)))


def _choosing(choose: Chooser, command: str, first: File, pool: File) -> list[str]:
    model = choose.one(QUICK, MODELS)
    args = [
        command,
        first.name,
        "--model",
        model,
        *_shared(choose),
        *choose.option("--unlabeled", 0.6, [pool.name], ["no.csv"]),
    ]
    args += choose.option("--grid", 0.5, GRIDS.get(model, ODD_GRIDS), ODD_GRIDS)
    args += choose.option("--test", 0.2, [pool.name], ["no.csv", "folder"])
    args += choose.option("--label-separator", 0.05, [";"], [",", "", "ab"])
    args += choose.option("--view", 0.03, ["x", "z", "x,z"], ["*", "no", ""])
    args += choose.option("--min-per-class", 0.1, ["1", "2"], ["9", "0", "x"])
    args += choose.option("--journal", 0.1, ["j"], ["no/j", "t.csv", "folder", "old.csv", ""])
    args += choose.option("--time-budget", 0.05, ["9"], ["0", "1e-9", "nan"])
    args += choose.flag("--dry-run", 0.05)
    if command == "compare":
        return [*args, "--criteria", ",".join(choose.one(CRITERIA, ODD_CRITERIA) for _ in range(2))]
    if command == "select":
        args += ["--criterion", choose.one(CRITERIA, ODD_CRITERIA)]
    else:
        args += choose.option("--confidence", 0.3, ["0.9"], ["0", "1", "nan", "x"])
    args += choose.option("--predict", 0.3, TABLES, ODD_TABLES) + choose.option("--save", 0.3, ["m.skops"], ODD_SAVES)
    return args + choose.option("--report", 0.02, ["r.html"], ["no/r.html", "old.csv", "r.pdf", ""])


def _shared(choose: Chooser) -> list[str]:
    label = choose.one(
        [["--label", "y"]], [[], ["--label", "no"], ["--label", "x"], ["--label", ""], ["--label", "y"] * 2]
    )
    return [
        *label, *_format(choose), *choose.option("--drop", 0.05, ["x", "z"], ODD_COLUMNS),
        *choose.option("--text", 0.05, ["color", "x"], ODD_COLUMNS),
        *choose.option("--categorical", 0.05, ["color", "x"], ODD_COLUMNS),
        *choose.option("--missing", 0.4, ["impute"], ["error", "drop"]),
        *choose.option("--seed", 0.1, ["1", "4294967295"], ["-1", "4294967296", "x", "9" * 5000]),
        *choose.flag("--json", 0.3),
    ]  # fmt: skip


def _format(choose: Chooser) -> list[str]:
    return choose.one([[]], [["--format", fmt] for fmt in ("csv", "tsv", "jsonl", "parquet", "svmlight", "json")])


def _estimating(choose: Chooser, pool: File) -> list[str]:
    return [
        *_format(choose), *choose.option("--unlabeled", 0.4, [pool.name], ["no.csv", ""]), *choose.flag("--json", 0.3),
        *choose.option("--confidence", 0.3, ["0.9"], ["0", "1", "nan"]), *choose.option("--seed", 0.1, ["1"], ["-1"]),
        *choose.option("--scoring", 0.3, ["accuracy", "balanced_accuracy"], ["no", ""]),
    ]  # fmt: skip


def _evaluating(choose: Chooser) -> list[str]:
    return [
        *_format(choose), *choose.flag("--json", 0.3), *choose.option("--seed", 0.1, ["1"], ["-1"]),
        *choose.option("--confidence", 0.3, ["0.9"], ["0", "1", "nan"]),
        *choose.option("--report", 0.05, ["r.html"], ["no/r.html", "old.csv", "r.pdf", ""]),
    ]  # fmt: skip


def _counting(choose: Chooser, pool: File) -> list[str]:
    return [
        "--model", choose.one(QUICK, MODELS), *_shared(choose),
        *choose.option("--unlabeled", 0.9, [pool.name], ["no.csv", ""]),
        *choose.option("--by", 0.3, ["day", "color", "x"], ODD_COLUMNS),
        *choose.option("--every", 0.1, ["month", "week"], ["moon", ""]),
        *choose.option("--method", 0.5, ["cc", "acc", "em"], ["auto", "hdy", "no", ""]),
        *choose.option("--confidence", 0.2, ["0.9"], ["0", "1", "nan"]),
        *choose.option("--picture", 0.02, ["p.svg"], ["p.txt", "no/p.svg", "old.csv", ""]),
        *choose.option("--min-per-class", 0.1, ["1", "2"], ["9", "0"]),
    ]  # fmt: skip


def _training(choose: Chooser) -> list[str]:
    return [
        *_shared(choose), *choose.option("--on-error", 0.5, ["skip", "stop"], ["ask"]),
        *choose.option("--batch", 0.7, ["5", "10"], ["1", "0", "x"]), *choose.option("--hold", 0.3, ["0", "3"], ["-1"]),
        *choose.option("--learner", 0.2, ["nemsis", "one-pass", "scan"], ["no"]),
        *choose.option("--measure", 0.1, ["kld"], ["bakld", "no", "g-mean", ""]),
        *choose.option("--classes", 0.1, ["a,b"], ["a", "a,b,c", ",", "a,a", "1,2"]),
        *choose.option("--param", 0.1, ["eta0=0.1"], ["eta0=0", "cap=inf", "x=1", "eta0", "radius=nan", "="]),
        *choose.option("--save", 0.5, ["m.skops"], ODD_SAVES), *choose.option("--every", 0.2, ["5"], ["0"]),
        *choose.option("--checkpoint", 0.2, ["ck"], ["no/ck", "folder", "old.csv", "t.csv", ""]),
    ]  # fmt: skip


def _sharing(choose: Chooser) -> list[str]:
    return [
        *_format(choose), *choose.option("--window", 0.7, ["5", "10"], ["1", "0", "x"]), *choose.flag("--json", 0.3),
        *choose.option("--method", 0.3, ["cc", "acc"], ["no"]), *choose.option("--on-error", 0.5, ["skip", "stop"]),
        *choose.option("--false-alarm", 0.2, ["0.1"], ["0", "2", "nan"]),
    ]  # fmt: skip
