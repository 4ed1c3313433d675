# make report      the Spanish 21 report on the six-deck rules, into out/
# make test        every check, as on the build server
# make benchmarks  speed, against plain versions in the same run
# make lock        requirements.lock anew from pyproject.toml
# make clean       away with everything made here

PYTHON ?= python3
BIN := .venv/bin
OUT ?= out/

.DEFAULT_GOAL := help
.PHONY: help setup report test benchmarks lock clean

help:
	@sed -n 's/^# //p' Makefile

# A stamp: installed once, and again when what is to be installed has changed.
.venv/installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("needs Python 3.11 or later: make PYTHON=python3.11 ..." if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv --clear .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	touch $@

# numba keeps a compiled kernel until its own file changes, not one that it calls: forget them all when any changes.
.venv/kernels: .venv/installed $(wildcard casinomath/kernels/*.py)
	find casinomath -name '*.nb[ic]' -delete
	touch $@

setup: .venv/installed .venv/kernels

report: setup
	$(BIN)/casinomath report spanish21_strategy -p decks 6 -p dealer_hits_soft_17 true --output $(OUT)

test: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest --numprocesses auto --maxprocesses 8 --dist worksteal

benchmarks: setup
	$(BIN)/python -m pytest benchmarks

# Needs uv. No index address is written, and `pip install --require-hashes` takes it as it is.
lock:
	uv pip compile pyproject.toml --extra dev --universal --python-version 3.11 --upgrade \
		--generate-hashes --no-annotate --no-header --no-emit-index-url --output-file requirements.lock

clean:
	rm -rf .venv .benchmarks .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist out
