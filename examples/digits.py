"""Write scikit-learn's bundled digits as three files: 60 labeled rows, a pool without labels, and a test part.

python examples/digits.py OUTDIR
"""

import sys
from pathlib import Path

from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

N_LABELED = 60


def main(folder: Path) -> None:
    digits = load_digits(as_frame=True).frame.rename(columns={"target": "digit"})
    training, test = train_test_split(digits, test_size=1 / 3, stratify=digits.digit, random_state=0)
    labeled, pool = train_test_split(training, train_size=N_LABELED, stratify=training.digit, random_state=0)
    folder.mkdir(parents=True, exist_ok=True)
    for name, part in {"labeled": labeled, "pool": pool.drop(columns="digit"), "test": test}.items():
        part.to_csv(folder / f"{name}.csv", index=False)
    print(f"{len(labeled)} labeled rows, {len(pool)} in the pool and {len(test)} test rows are in {folder}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python examples/digits.py OUTDIR")
    main(Path(sys.argv[1]))
