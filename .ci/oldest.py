"""Print a constraints file that pins every dependency of foldless at the lowest version that ``pyproject.toml`` allows.

python .ci/oldest.py > constraints.txt
"""

import re
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"

declared = re.search(r"^dependencies = \[(.*?)^\]", PROJECT.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
assert declared is not None
for requirement in re.findall(r'"(.+?)"', declared[1]):
    print(requirement.replace(">=", "=="))
