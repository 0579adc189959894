"""A model that another scikit-learn saved predicts the same and says so, or is refused in one sentence.

The other one is the oldest that is supported, in the environment of ``make test-oldest``.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OLDEST = ROOT / ".venv-oldest" / "bin" / "python"
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(not OLDEST.exists(), reason="make test-oldest makes the environment of the oldest versions"),
]

SAVING = """
import sys
from saving.test_model_files import FEW, LABELS, MODELS, candidates, model_files, prepared, selected

for name in MODELS:
    X, columns = prepared(["x", "color", "flag", "when"], "error")
    pipeline, grid = candidates({name: FEW.get(name)}, columns)[name]
    selection = selected(pipeline, X, LABELS, {key: values[:1] for key, values in grid.items()})
    model_files.save(selection, f"{sys.argv[1]}/{name}.skops", model_files.Schema("topic", columns))
    with open(f"{sys.argv[1]}/{name}.txt", "w") as file:
        print(*selection.model.predict(X), sep="\\n", file=file)
"""
LOADING = """
import json, sys
from pathlib import Path
from foldless.errors import BadInput
from saving.test_model_files import model_files, prepared

said = {}
X, _ = prepared(["x", "color", "flag", "when"], "error")
for path in sorted(Path(sys.argv[1]).glob("*.skops")):
    before = path.with_suffix(".txt").read_text().split()
    try:
        kept = model_files.load(path)
        said[path.stem] = [sum(a != b for a, b in zip(kept.model.predict(X), before, strict=True)), *kept.notes]
    except BadInput as error:
        said[path.stem] = str(error)
print(json.dumps(said))
"""


def run(python: Path | str, script: str, folder: Path) -> str:
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONWARNINGS": "ignore"}
    ended = subprocess.run(
        [python, "-c", script, str(folder)], capture_output=True, text=True, env=environment, check=False
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    return ended.stdout


@pytest.mark.parametrize("older", [True, False])
def test_a_model_of_another_version_is_the_same_or_refused(tmp_path: Path, older: bool) -> None:
    saving, loading = (OLDEST, sys.executable) if older else (sys.executable, OLDEST)
    run(saving, SAVING, tmp_path)
    said = json.loads(run(loading, LOADING, tmp_path))
    refused = {name: told for name, told in said.items() if isinstance(told, str)}
    assert len(said) > 10
    assert all("scikit-learn" in told and told.count("\n") == 0 for told in refused.values()), refused
    for name, told in said.items():
        if name not in refused:
            assert told[0] == 0, f"{name} predicts {told[0]} rows differently"
            assert [note.endswith("so check what it predicts") for note in told[1:]] == [True]
