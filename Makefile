# Two commands: `make run` and `make test`. They need Python 3.11 or newer and make, nothing else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SDK_TS := ../sdk/typescript ../static/docs/samples ../tests/sdk  # TypeScript that the console's prettier lays out, too
.DEFAULT_GOAL := help
.PHONY: help setup assets guide axe test-console console-tools setup-dev setup-whatsapp run unit test test-stock test-all coverage format check snapshots released wheel sdk release feature operation lock bench bench-graphql bench-wire letters strangers-mcp strangers-resend strangers-smtp faults patroni instruments simulate killtest killtest-tools clean

help: ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

setup: $(VENV)/.installed assets ## the virtual environment with what the service needs, and `postern` in its bin/

assets: $(VENV)/.runtime # the files of /docs and /graphql; without a network they are left out, and it says so
	@$(BIN)/python -m postern assets || true

setup-dev: $(VENV)/.dev

$(VENV)/.runtime: requirements.lock
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed: make PYTHON=python3.12 …"; exit 1; }
	@echo "Installing the pinned dependencies …"
	@$(BIN)/python .ci/install.py requirements.lock
	@touch $@

# An editable installation: `.venv/bin/postern` runs this checkout, from any folder.
$(VENV)/.installed: pyproject.toml $(VENV)/.runtime
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: requirements-dev.lock $(VENV)/.runtime
	@echo "Installing what the tests need …"
	@$(BIN)/python .ci/install.py requirements-dev.lock
	@touch $@

setup-whatsapp: $(VENV)/.whatsapp ## what the WhatsApp driver needs (libmagic comes from the system)

$(VENV)/.whatsapp: requirements-whatsapp.lock $(VENV)/.runtime
	@echo "Installing the WhatsApp driver …"
	@$(BIN)/python .ci/install.py requirements-whatsapp.lock
	@touch $@

run: setup ## everything from nothing: servers, schema, demo data, API and worker on port 3000
	@exec $(BIN)/python -m postern serve --demo

axe: setup-dev # what tests the console's accessibility; without a network such tests are skipped
	@$(BIN)/python -m tests.console.axe

test-console: setup axe console-tools ## the web console in Chromium (Debian's package chromium), and its tests by vitest
	@$(BIN)/python tests/run.py tests/console

console-tools: # what checks and tests the console's source; without npm or a network that is skipped
	@$(MAKE) --no-print-directory console/node_modules/.installed || echo "The console's source is not checked: npm is not installed, or can't reach its registry."

console/node_modules/.installed: console/package-lock.json
	@cd console && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error && touch node_modules/.installed

unit: setup-dev ## the tests that need no server, in two minutes
	@$(BIN)/python tests/run.py unit

test: setup-dev axe console-tools ## what a change touches and a part of the rest: before each push; MODULE=people: its tests
	@$(BIN)/python tests/run.py test $(MODULE:%=--module=%)

test-all: setup-dev axe console-tools ## everything: all of the matrices, faults and pages, more generated input
	@$(BIN)/python tests/run.py all

strangers-smtp: setup-dev ## nodemailer, swaks and Postfix, unmodified, submit mails; what is not installed is skipped with a sentence
	@cd tests/strangers/smtp && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error || echo "nodemailer is left out: npm is not installed, or can't reach its registry."
	@$(BIN)/python -m pytest tests/strangers/smtp -q -rs

STOCK ?= tests/messages tests/engine tests/sending_projects tests/connections tests/authority tests/hosts
test-stock: setup-dev build/pgserver/.installed ## STOCK=tests/blocks: on Debian's PostgreSQL 15, PyPI's 16, and through Debian's PgBouncer, with a role that is no superuser
	@for lane in debian pypi pgbouncer; do echo "On PostgreSQL of $$lane:"; POSTERN_TEST_LANE=$$lane $(BIN)/python tests/run.py $(STOCK) || exit 1; done

build/pgserver/.installed: requirements-stock.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input --no-deps --require-hashes --upgrade --target build/pgserver -r requirements-stock.lock
	@touch $@

coverage: setup-dev ## the whole suite with branch coverage, some folders held to 90 %
	@$(BIN)/python tests/run.py --coverage

format: setup-dev console-tools ## the order of imports and the layout of all files, as `make check` wants them
	@$(BIN)/ruff check --quiet --select I --fix .
	@$(BIN)/ruff format --quiet .
	@if [ -e console/node_modules/.installed ]; then cd console && npx prettier --log-level warn --config .prettierrc.json --write . $(SDK_TS); fi

check: setup-dev console-tools ## lint, format, types, and our own rules
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-cache --no-logo
	@$(BIN)/python -m tests.linters
	@if [ -e console/node_modules/.installed ]; then cd console && npm run --silent check && npx prettier --log-level warn --config .prettierrc.json --check $(SDK_TS); fi

snapshots: $(VENV)/.runtime ## schema.graphql, openapi.json and the types in docs/events.md, as they are now
	@$(BIN)/python -m postern schema --all > schema.graphql.new && mv schema.graphql.new schema.graphql || { rm -f schema.graphql.new; exit 1; }
	@$(BIN)/python -m postern openapi --all > openapi.json.new && mv openapi.json.new openapi.json || { rm -f openapi.json.new; exit 1; }
	@$(BIN)/python -m tools.event_types

feature: setup-dev ## NAME=holidays: the skeleton of a feature in all folders (CONTRIBUTING.md)
	@$(BIN)/python -m tools.feature $(NAME) $(ONE)

operation: setup-dev ## FEATURE=blocks NAME=archive: the skeleton of an operation; READ=1 if it only reads (CONTRIBUTING.md)
	@$(BIN)/python -m tools.operation $(FEATURE) $(NAME) $(if $(READ),--read)

released: setup-dev ## at a release: the SDL that later changes are held against
	@$(BIN)/python -m tests.sdl.breaking

faults: setup-dev ## projects of 20,000 messages at real servers under kills, freezes and restarts; red if anything is lost
	@$(BIN)/python -m tests.faults $(FAULTS)

patroni: setup-dev ## kills PostgreSQL and nodes of a Patroni cluster while messages are sent; needs Debian's patroni and etcd-server
	@$(BIN)/python -m tests.patroni $(PATRONI)

KILLTEST ?= --adapter all
killtest: setup-dev killtest-tools ## other products and this one under kills, black holes and a full disk, by root (docs/proof.md)
	@$(BIN)/python -m killtest $(KILLTEST)

killtest-tools: $(VENV)/.runtime # the packages of PyPI and npm that it runs; Debian's are named in killtest/README.md
	@for name in post-office celery; do \
	  test -x build/killtest/$$name/bin/python || $(PYTHON) -m venv build/killtest/$$name || exit 1; \
	  build/killtest/$$name/bin/python -m pip install --quiet --disable-pip-version-check --no-input -r killtest/requirements/$$name.txt || exit 1; done
	@mkdir -p build/killtest/bullmq && cp killtest/programs/bullmq_sender/package*.json build/killtest/bullmq/
	@cd build/killtest/bullmq && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error || echo "BullMQ is left out: npm is not installed, or can't reach its registry."

instruments: setup-dev ## 15 faults, each named by doctor, alerts, console and log within a minute, and nothing false; needs Prometheus
	@$(BIN)/python -m tests.instruments $(INSTRUMENTS)

simulate: setup-dev ## ten thousand histories of the sending core, the schedules of its sessions, and twelve planted faults
	@$(BIN)/python -m tests.simulation
	@SCHEDULES=all $(BIN)/python -m pytest tests/stepper -q -s
	@$(BIN)/python -m tests.power.engine

bench: setup-dev ## ratios against bare SQL, in one run
	@$(BIN)/python -m bench

bench-graphql: setup-dev ## the GraphQL door against stock Strawberry, bare SQL and PostGraphile
	@$(BIN)/python -m bench.graphql $(BENCH)

bench-wire: setup-dev ## the sending path at real HTTP, SMTP and SMPP servers, against bare clients
	@$(BIN)/python -m bench.wire $(BENCH)

strangers-resend: setup-dev ## Resend's own clients for Node and Python against the door for them; needs npm and a network
	@$(BIN)/python -m tests.strangers.resend

letters: setup-dev console-tools ## twenty letters of the console's builder through readers of emails and linters of their HTML; needs npm
	@$(BIN)/python -m bench.letters

strangers-mcp: setup-dev ## MCP's conformance suite, inspector and Python client ask /mcp; without npm or a network it says so
	@$(BIN)/python -m tests.strangers.mcp

guide: setup-dev ## the pages of docs/ with a search, which the service shows at /docs/guide
	@$(BIN)/python -m tools.guide

wheel: setup-dev assets guide ## dist/postern-….whl, which has everything and installs like any other
	@rm -rf dist
	@$(BIN)/uv build --quiet --no-build-isolation --python $(BIN)/python

sdk: setup-dev ## dist/ with the SDKs of sdk/ (docs/sdks.md); needs npm
	@$(BIN)/python -m tools.sdk

release: setup-dev ## dist/ with the files of a release (docs/release.md); IMAGE=1 with the image, RELEASE_KEY=path signs
	@$(BIN)/python -m tools.release $(if $(IMAGE),--image) $(if $(RELEASE_KEY),--key "$(RELEASE_KEY)")

COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate $(UPGRADE) pyproject.toml
UPGRADE = --upgrade

lock: setup-dev ## pin the newest releases that pyproject.toml allows; UPGRADE= keeps those that are pinned
	@$(COMPILE) --extra all --group build -o requirements.lock
	@$(COMPILE) --extra all --group dev -c requirements.lock -o requirements-dev.lock
	@$(COMPILE) --extra all --extra whatsapp -c requirements.lock -o requirements-whatsapp.lock
	@for lock in requirements-dev.lock requirements-whatsapp.lock; do $(BIN)/python .ci/lock_difference.py $$lock || exit 1; done

clean: ## forget the virtual environment (data stays)
	rm -rf $(VENV)
