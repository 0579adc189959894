# Everything a contributor runs. Needs Python 3.10 or later with pip; the rest is installed into .venv.
PYTHON ?= python3
BIN := .venv/bin
# a file of tests stays with one worker, so that what its tests share is made once
PYTEST := -m pytest -n 2 --dist loadfile --no-loadscope-reorder -q
ONE_THREAD := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
# what a change usually breaks, and the rest: simulations, kills, terminals, generated commands, examples of pages
FAST := not slow and not nightly and not reproduction
SLOW := slow and not nightly and not reproduction
# many tests start the command line, which takes twice as long where Python may not keep compiled files
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-all test-slow test-oldest coverage golden fuzz drop-in check typed formatted linted layered docs dist dist-test benchmark league league-peers check-peers figures measurements reproduce clean

demo: $(BIN)/foldless
	$(BIN)/python examples/digits.py build/demo
	$(BIN)/foldless select build/demo/labeled.csv --label digit --unlabeled build/demo/pool.csv \
	  --test build/demo/test.csv --model linear-svc --grid C=1e-4:1e3:8 --predict build/demo/predicted.csv \
	  --save build/demo/model.skops --report build/demo/report.html
	$(BIN)/foldless predict build/demo/model.skops build/demo/test.csv --output build/demo/labeled_test.csv

test: check
	$(ONE_THREAD) $(BIN)/python $(PYTEST) -m "$(FAST)"

# everything that `make test` leaves out
test-all: test-slow test-oldest

test-slow: .venv/dev
	$(ONE_THREAD) $(BIN)/python $(PYTEST) -m "$(SLOW)"

# the lowest versions that pyproject.toml allows; they have wheels for Python 3.10 to 3.12
OLDEST := tests/core tests/criteria tests/judging tests/saving tests/selection tests/io/test_columnar.py \
  tests/io/test_delimited.py tests/cli/test_program.py
ifeq ($(shell $(PYTHON) -c 'import sys; print((3, 10) <= sys.version_info[:2] <= (3, 12))'),True)
test-oldest: .venv-oldest/ready
	$(ONE_THREAD) .venv-oldest/bin/python $(PYTEST) $(OLDEST)
else
test-oldest:
	@echo "the oldest supported versions have no wheels for this Python: their tests are skipped"
endif

# which lines `make test` and both runs reach, also where a test fails because it is traced; kernels, which Numba compiles,
# cannot be traced and are not counted
coverage: .venv/dev
	rm -rf build/coverage && mkdir -p build/coverage
	-$(ONE_THREAD) $(BIN)/coverage run $(PYTEST) -m "$(FAST)"
	$(BIN)/python .ci/covered_lines.py "make test"
	-$(ONE_THREAD) $(BIN)/coverage run $(PYTEST) -m "$(SLOW)"
	$(BIN)/python .ci/covered_lines.py "make test and make test-all"

# the golden runs of the files as they are and of the commit before, or of BASE, compared to the last digit
BASE ?=
golden: .venv/dev
	$(BIN)/python tests/golden/compare.py $(if $(BASE),--base $(BASE))

# thousands of generated commands and mutated files, a hundred kills, large files and a Dask cluster, for an hour or so
fuzz: .venv/dev
	$(ONE_THREAD) $(BIN)/python $(PYTEST) -m nightly tests

# scikit-learn's own tests of its searches, and a thousand searches beside GridSearchCV, for ten minutes or so
drop-in: .venv/dev
	$(ONE_THREAD) $(BIN)/python $(PYTEST) -m "nightly or not reproduction" \
	  tests/sklearn_suite tests/selection/test_same_as_grid_search.py tests/selection/test_configuration_in_workers.py

# the four of them side by side
check: .venv/dev
	$(MAKE) --no-print-directory -j 2 typed formatted linted layered

typed:
	$(BIN)/mypy

formatted:
	$(BIN)/ruff format --check .

linted:
	$(BIN)/ruff check .

layered:
	@$(BIN)/lint-imports --no-cache > build/imports.txt || (cat build/imports.txt; exit 1)

docs: .venv/docs
	OMP_NUM_THREADS=1 $(BIN)/sphinx-build -q -W --keep-going -d build/doctrees docs build/docs
	OMP_NUM_THREADS=1 $(BIN)/sphinx-build -q -W --keep-going -d build/doctrees -b doctest docs build/doctest
	@echo "The pages begin at build/docs/index.html"

# wheel and sdist in dist/, each installed in an empty environment and used
dist: .venv/dev
	.ci/dist $(BIN)/python

# the wheel with every Python that is installed here, and with each extra by itself
PYTHONS ?= python3.10 python3.11 python3.12 python3.13 python3.14
dist-test: .venv/dev
	.ci/dist $(BIN)/python --everywhere $(PYTHONS)

benchmark: .venv/dev
	$(BIN)/python -m benchmarks.speed.run

# what each criterion's choice costs, for hours; a run that was stopped goes on. It writes docs/league.md
league: .venv/dev
	$(BIN)/python -m benchmarks.league.run
	$(BIN)/python -m benchmarks.league.run --page
	$(BIN)/python -m benchmarks.ages league
	$(BIN)/python -m benchmarks.figures

# the model one walks away with, beside peers that live in an environment of their own, for hours
league-peers: .venv-peers/ready
	$(ONE_THREAD) .venv-peers/bin/python -m benchmarks.league.end_to_end

# planted faults through deepchecks, cleanlab and skore, each in an environment of its own: the table of docs/check.md
CHECK_PEERS = benchmarks/coverage/check_peers.py
check-peers: .venv/dev .venv-check-peers/ready
	$(BIN)/python -m benchmarks.coverage.check_peers write build/planted --from 600
	$(ONE_THREAD) $(BIN)/python -m benchmarks.coverage.check_peers run build/planted foldless
	$(ONE_THREAD) .venv-check-peers/deepchecks/bin/python $(CHECK_PEERS) run build/planted deepchecks
	$(ONE_THREAD) .venv-check-peers/others/bin/python $(CHECK_PEERS) run build/planted cleanlab
	$(ONE_THREAD) .venv-check-peers/others/bin/python $(CHECK_PEERS) run build/planted skore
	$(BIN)/python -m benchmarks.coverage.check_peers table build/planted

# the tables and pictures of README and docs that are made of benchmarks/results; a test compares them
figures: .venv/dev
	$(BIN)/python -m benchmarks.figures

# measures again what is older than the code, one after the other, and writes the pages; some of it takes hours, and a run
# that was stopped goes on: make measurements MINUTES=15, or make measurements RUN="growth shift"
RUN ?=
MINUTES ?=
measurements: .venv/dev
	$(ONE_THREAD) $(BIN)/python -m benchmarks.figures --run $(RUN) $(if $(MINUTES),--minutes $(MINUTES))

# a paper's tables and figures, kept in benchmarks/results: make reproduce PAPER=balikas2015
PAPER ?= balikas2015
reproduce: .venv/dev
	$(BIN)/python -m benchmarks.papers.$(PAPER).run

clean:
	rm -rf .venv .venv-oldest .venv-peers .venv-check-peers build dist docs/api docs/gallery

# modules are compiled when they are imported: all of those of the packages would take half a minute
$(BIN)/foldless: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --no-compile --quiet --disable-pip-version-check --editable .
	touch $@

.venv/dev: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	mkdir -p build
	touch $@

.venv/docs: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	mkdir -p build
	touch $@

.venv-peers/ready: pyproject.toml
	test -x .venv-peers/bin/python || $(PYTHON) -m venv .venv-peers
	.venv-peers/bin/python -m pip install --quiet --disable-pip-version-check --editable . \
	  autogluon.tabular "flaml[automl]" catboost lightgbm
	touch $@

# deepchecks 0.19 was measured with these releases; newer ones were not tried
.venv-check-peers/ready:
	mkdir -p .venv-check-peers
	test -x .venv-check-peers/others/bin/python || $(PYTHON) -m venv .venv-check-peers/others
	.venv-check-peers/others/bin/python -m pip install --quiet --disable-pip-version-check "cleanlab[datalab]" skore
	test -x .venv-check-peers/deepchecks/bin/python || $(PYTHON) -m venv .venv-check-peers/deepchecks
	.venv-check-peers/deepchecks/bin/python -m pip install --quiet --disable-pip-version-check --no-deps deepchecks
	.venv-check-peers/deepchecks/bin/python -m pip install --quiet --disable-pip-version-check "scikit-learn<1.4" \
	  "pandas<2.1" "numpy<1.26" "scipy<1.12" "plotly<6" "ipython<9" "ipywidgets<8" jsonpickle PyNomaly category-encoders \
	  statsmodels beautifulsoup4 requests tqdm typing_extensions "matplotlib<3.9" "setuptools<70"
	touch $@

.venv-oldest/ready: pyproject.toml .ci/oldest.py
	test -x .venv-oldest/bin/python || $(PYTHON) -m venv .venv-oldest
	mkdir -p build
	$(PYTHON) .ci/oldest.py > build/oldest.txt
	.venv-oldest/bin/python -m pip install --quiet --disable-pip-version-check --constraint build/oldest.txt \
	  --editable . "pytest==8.*" "pytest-xdist>=3.8" "hypothesis>=6.100" "polars>=1.5"
	touch $@
