# Two commands for users: `make demo` and `make test`. Everything is set up in .venv, from pinned versions.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

.PHONY: demo serve test quick lint bench results pictures format clean

demo: $(VENV)/.run
	$(BIN)/ipomdp analyze figure-1
	$(BIN)/ipomdp paper
	@echo "Now play against it: $(BIN)/ipomdp play, or make serve for the browser"

serve: $(VENV)/.web
	$(BIN)/ipomdp serve

# a process for each core; the tests of a module stay together, for they share a server or a table
PYTEST := $(BIN)/python -m pytest -n auto --dist loadfile
test: lint
	$(PYTEST)

quick: lint
	$(PYTEST) -m "not slow"

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(VENV)/.bench
	$(BIN)/python -m benchmarks.figure1
	$(BIN)/python -m benchmarks.engine
	$(BIN)/python -m benchmarks.referee
	$(BIN)/python -m benchmarks.pages

# The matches behind the README's table of results: half an hour to an hour, or as long as is left of
# it after an interrupt. `ipomdp standings out/results/NAME` prints one again.
ARENA := $(BIN)/ipomdp arena --seed 1 --seconds 0.05 --longest 400
results: $(VENV)/.run
	mkdir -p out/results
	$(ARENA) los random --games 60 --out out/results/los-random
	$(ARENA) aosp random --games 100 --out out/results/aosp-random
	$(ARENA) hs random --games 100 --out out/results/hs-random
	$(ARENA) ipomdp random --games 100 --out out/results/ipomdp-random
	$(ARENA) hs los --games 60 --out out/results/hs-los
	$(ARENA) ipomdp hs --games 200 --out out/results/ipomdp-hs --picture docs/arena.svg
	$(ARENA) ipomdp random --board 4x4 --games 100 --out out/results/4x4-ipomdp-random
	$(ARENA) ipomdp hs --board 4x4 --games 100 --out out/results/4x4-ipomdp-hs

# The pictures of the README and of docs/. Its other commands write to out/, which git ignores.
pictures: $(VENV)/.bench $(VENV)/.test
	$(BIN)/ipomdp analyze figure-1 --svg docs/board.svg
	$(BIN)/ipomdp compare figure-1 --out docs/compare.svg
	$(BIN)/ipomdp network figure-1 --figure 2 --out docs/figure2.svg
	$(BIN)/ipomdp network figure-1 --figure 3 --out docs/figure3.svg
	$(BIN)/ipomdp network figure-1 --figure 4 --out docs/figure4.svg
	$(BIN)/ipomdp network figure-1-level-2 --figure 3 --out docs/figure3-level-2.svg
	$(BIN)/ipomdp particles middle-game --out docs/particles.svg
	$(BIN)/ipomdp levels figure-1-all-moves --levels 0-6 --rationality 0.001:0.1:13 --out docs/levels.svg
	$(BIN)/ipomdp conjecture --out docs/conjecture.svg
	$(BIN)/ipomdp strength --out docs/strength.svg
	$(BIN)/python -m benchmarks.engine --out docs/growth.svg
	$(BIN)/python -m tests.web.screenshots home docs/page-home.png
	$(BIN)/python -m tests.web.screenshots game docs/page-game.png
	$(BIN)/python -m tests.web.screenshots analyse docs/page-analyse.png
	$(BIN)/python -m tests.web.screenshots replay docs/page-replay.png
	$(BIN)/python -m tests.web.screenshots join docs/page-join.png
	$(BIN)/python -m tests.web.screenshots arena docs/page-arena.png

format: $(VENV)/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) build dist

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "ipomdp needs Python 3.11 or newer; try: make PYTHON=python3.12 ..." >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: $(VENV)/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/.web: $(VENV)/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[web]"
	@touch $@ $(VENV)/.run

$(VENV)/.test: $(VENV)/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[test]"
	@touch $@ $(VENV)/.run $(VENV)/.web

$(VENV)/.bench: $(VENV)/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[bench]"
	@touch $@ $(VENV)/.run
