# A thin wrapper: every target does its own set-up, then calls what a person without make would call.
PYTHON ?= python3
VENV := .venv
# Windows keeps its programs in Scripts, everything else in bin.
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
READY := $(VENV)/ready

.PHONY: report docs test lab bench results wheel env clean

report: env
	$(BIN)/focuslab report

# The site: the lessons as the report has just executed them, then a browser that follows every link.
docs: report
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[test,docs]"
	FOCUSLAB_LESSONS=$(CURDIR)/report $(BIN)/python -m sphinx -q -W --keep-going docs site
	$(BIN)/python -m pytest tests/test_site.py
	@echo "open site/index.html"

test: env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 2 --dist loadfile
	TQDM_DISABLE=1 $(BIN)/python -m pytest -n 2 --dist loadfile --nbval --nbval-current-env --nbval-cell-timeout 600 notebooks

lab: env
	$(BIN)/jupyter lab notebooks

bench: env
	@for file in benchmarks/*/*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

results: env
	$(BIN)/focuslab reproduce --scale paper
	$(BIN)/focuslab reproduce --scale lesson

# The same bytes from the same commit.
wheel: env
	$(BIN)/python -m pip install --quiet --disable-pip-version-check ".[release]"
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) $(BIN)/python -m build
	$(BIN)/twine check dist/*

env: $(READY)

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[test]"
	@touch $(READY)

clean:
	rm -rf $(VENV) report site dist build docs/_made
