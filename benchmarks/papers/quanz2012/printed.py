"""What Quanz and Huan (2012) print: Table 3, Tables 4 to 6 and Frac. Close, for the rows that stand beside ours."""

import pandas as pd

SETS = ("Synth", "WebKB", "Coil 20", "Citeseer", "Coil 40")
MEASURES = ("error", "mcc", "f1")
METHODS = ("GP - No SSL", "CV", ".632+", "MML", "ADA", "SDS", "SDS+ADA", "SDS-L", "Best Fixed")
TRIALS = 100
FRAC_CLOSE = {"Synth": "5/64", "WebKB": "44/125", "Coil 20": "16/36", "Citeseer": "23/125", "Coil 40": "18/36"}

# mean and standard deviation in thousandths, in the order of METHODS
_TABLE_3 = {
    ("Synth", "error"): "298 107, 217 154, 191 138, 294 139, 168 128, 171 127, 164 112, 40 50, 30 14",
    ("Synth", "mcc"): "403 214, 566 308, 619 277, 412 278, 664 255, 659 253, 671 224, 921 100, 941 27",
    ("Synth", "f1"): "701 107, 783 154, 809 139, 706 139, 832 128, 829 127, 835 113, 960 50, 970 13",
    ("WebKB", "error"): "216 60, 48 43, 57 54, n/a, 38 21, 28 17, 29 8, 31 8, 17 3",
    ("WebKB", "mcc"): "559 86, 881 82, 840 180, n/a, 891 47, 917 61, 914 24, 909 26, 950 10",
    ("WebKB", "f1"): "651 65, 905 69, 860 189, n/a, 911 40, 932 70, 931 20, 927 22, 961 8",
    ("Coil 20", "error"): "410 9, 75 47, 81 57, 95 66, 47 10, 68 34, 60 24, 55 10, 47 10",
    ("Coil 20", "mcc"): "225 28, 859 82, 848 100, 823 116, 909 19, 870 60, 885 43, 893 19, 909 19",
    ("Coil 20", "f1"): "164 34, 906 73, 895 90, 874 105, 945 12, 916 49, 928 33, 935 13, 945 12",
    ("Citeseer", "error"): "435 29, 140 63, 258 89, n/a, 149 83, 140 87, 137 94, 135 90, 117 70",
    ("Citeseer", "mcc"): "267 52, 501 264, 365 196, n/a, 576 212, 585 226, 595 234, 605 213, 602 240",
    ("Citeseer", "f1"): "423 27, 556 271, 456 202, n/a, 659 164, 664 180, 674 183, 681 167, 669 197",
    ("Coil 40", "error"): "375 10, 33 16, 31 16, 24 16, 24 16, 35 18, 30 17, 31 14, 24 16",
    ("Coil 40", "mcc"): "314 24, 935 31, 940 31, 954 31, 954 31, 932 35, 942 33, 939 27, 954 31",
    ("Coil 40", "f1"): "287 33, 961 19, 964 20, 973 19, 973 19, 960 22, 966 21, 964 21, 973 19",
}

# Tables 4, 5 and 6: +1 where the method of the table is significantly better than the other, -1 where it is worse
_TESTS = {
    "SDS": {
        "GP - No SSL": "+1 +1 +1 +1 +1", "CV": "+1 +1 0 +1 0", ".632+": "0 +1 0 +1 -1", "MML": "+1 n/a +1 n/a -1",
        "ADA": "0 +1 -1 0 -1",
    },
    "SDS+ADA": {
        "GP - No SSL": "+1 +1 +1 +1 +1", "CV": "+1 +1 +1 +1 +1", ".632+": "0 +1 +1 +1 0", "MML": "+1 n/a +1 n/a -1",
        "ADA": "0 +1 -1 0 -1", "SDS": "0 0 +1 0 +1",
    },
    "SDS-L": {
        "GP - No SSL": "+1 +1 +1 +1 +1", "CV": "+1 +1 +1 +1 +1", ".632+": "+1 +1 +1 +1 0", "MML": "+1 n/a +1 n/a -1",
        "ADA": "+1 +1 -1 0 -1", "SDS": "+1 0 +1 0 +1", "SDS+ADA": "+1 0 0 0 0",
    },
}  # fmt: skip


def table_3() -> pd.DataFrame:
    """Table 3, one row per set, measure and method; MML has none where the learner has no likelihood."""
    rows = []
    for (held, measure), numbers in _TABLE_3.items():
        for method, both in zip(METHODS, numbers.split(", "), strict=True):
            if both != "n/a":
                mean, sd = (int(number) / 1000 for number in both.split())
                rows.append((held, measure, method, mean, sd))
    return pd.DataFrame(rows, columns=["set", "measure", "method", "paper", "paper sd"])


def tests() -> pd.DataFrame:
    """Tables 4 to 6, one row per set and pair of methods."""
    rows = [
        (held, method, other, sign)
        for method, others in _TESTS.items()
        for other, signs in others.items()
        for held, sign in zip(SETS, signs.split(), strict=True)
    ]
    return pd.DataFrame(rows, columns=["set", "method", "against", "paper"])
