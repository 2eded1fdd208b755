# `make demo`, `make test` and `make lint` set up what they need in VENV; nothing has to be installed before.
PYTHON ?= python3
VENV ?= .venv
STAMP := $(VENV)/.installed
BIN := $(VENV)/bin

.PHONY: setup demo test lint format docs wheel clean

setup: $(STAMP)

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "hopsplit needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	@echo "Setting up $(VENV) (a minute or two the first time) ..." >&2
	@$(PYTHON) -m venv $(VENV)
	@PYTHONWARNINGS=ignore $(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[dev]'
	@touch $@
	@echo "Done. To have hopsplit at hand: source $(VENV)/bin/activate" >&2

demo: $(STAMP)
	@$(BIN)/hopsplit ask -k 3 "Who was the second wife of the man who directed Citizen Kane?"
	@echo
	@$(BIN)/hopsplit ask -k 3 "How many symphonies did the composer of Finlandia complete?"
	@echo
	@$(BIN)/hopsplit ask -k 3 "What work did the winner of the first Tour de France do in his youth?"

test: $(STAMP)
	@$(BIN)/python -m pytest -q

lint: $(STAMP)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy

format: $(STAMP)
	@$(BIN)/ruff check --quiet --fix .
	@$(BIN)/ruff format --quiet .

docs: $(STAMP)
	@$(BIN)/python tests/pages.py

wheel: $(STAMP)
	@rm -rf build
	@$(BIN)/python -m pip wheel -qq --disable-pip-version-check --no-deps --wheel-dir dist .

clean:
	@rm -rf .venv build dist hopsplit.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
