"""Print which share of the lines of foldless was run since `make coverage` began, and the files below 90 %.

python .ci/covered_lines.py "make test"
"""

import json
import sys
from pathlib import Path

from coverage import Coverage

LEAST = 90  # per cent
SHOWN = Path("build/coverage/lines.json")

(commands,) = sys.argv[1:]
measured = Coverage()
measured.combine(keep=True)  # the next command adds to it
total = measured.json_report(outfile=str(SHOWN))
print(f"{commands}: {total:.1f} % of the lines")
files = json.loads(SHOWN.read_text(encoding="utf-8"))["files"]
for percent, name in sorted((each["summary"]["percent_covered"], name) for name, each in files.items()):
    if percent < LEAST:
        print(f"  {percent:5.1f} %  {name}")
