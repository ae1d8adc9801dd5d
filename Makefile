# What a developer types. `make` alone lists it.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PYTEST := $(BIN)/python -m pytest
MANAGE := $(BIN)/python manage.py
NPM := node_modules
BIOME := $(BIN)/node $(NPM)/@biomejs/biome/bin/biome
TSC := $(BIN)/node $(NPM)/typescript/bin/tsc
API_TYPES := $(NPM)/.openapi/api.d.ts
COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --no-header --no-annotate $(UPGRADE)

# Python is started hundreds of times: what it has compiled is kept.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run test check long mutants screenshots format schema lock secrets pins

help: ## This list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-11s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(VENV)/requirements.installed ## The server on this machine: web, worker, scheduler; Ctrl-C stops it
	@$(MANAGE) run

# The core ones come first: what the larger half could not run is said last.
test: $(VENV)/requirements-dev.installed ## The core tests on SQLite, then all of them on PostgreSQL and Valkey
	DATABASE_URL=sqlite:///:memory: $(PYTEST) -n 2 --dist loadgroup --durations=10 -m core
	$(PYTEST) -n 2 --dist loadgroup --durations=10

# Settings as in production, read by every command of this target; nothing connects anywhere.
check: export TLS := 1
check: export TRUSTED_PROXIES := 1
check: export ALLOWED_HOSTS := play.example.org
check: export SECRET_KEY = $(shell head -c 48 /dev/urandom | base64)
check: export DATABASE_URL := postgres://pyramid@database.invalid/pyramid
check: export REDIS_URL := redis://valkey.invalid
check: $(VENV)/requirements-dev.installed $(API_TYPES) ## Format, lint, types, import contracts, migrations, deployment, schema, docs
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIOME) check --error-on-warnings
	$(TSC)
	DATABASE_URL=sqlite:///:memory: $(MANAGE) makemigrations --check --dry-run
	$(MANAGE) check --deploy --fail-level WARNING
	$(MANAGE) spectacular --validate --fail-on-warn | diff -u docs/openapi.yaml -
	DATABASE_URL=sqlite:///:memory: TLS=0 $(PYTEST) tests/test_docs.py

long: $(VENV)/requirements-dev.installed ## What takes minutes: every case of the vectors, a million results in order
	$(PYTEST) -n 2 -m exhaustive

MODULES ?=
MOST ?= 40
SEED ?= 1
mutants: $(VENV)/requirements-dev.installed ## Faults in MODULES (or all hot ones), MOST of each by SEED, that no test notices
	nice -n 10 $(BIN)/python -m tools.mutants --most $(MOST) --seed $(SEED) $(MODULES)

screenshots: $(VENV)/requirements-dev.installed ## Draws docs/screenshots anew, with Chromium
	REQUIRE_PROGRAMS=1 $(PYTEST) -n 0 tests/web/screenshots.py

format: $(VENV)/requirements-dev.installed $(NPM)/.installed ## Rewrites the code in its one format
	$(BIN)/ruff format
	$(BIN)/ruff check --fix
	$(BIOME) check --write

schema: $(VENV)/requirements-dev.installed ## Writes docs/openapi.yaml
	$(MANAGE) spectacular --validate --fail-on-warn --file docs/openapi.yaml

lock: $(VENV)/requirements-dev.installed ## Pins what pyproject.toml asks for; UPGRADE=--upgrade takes the newest
	$(COMPILE) --output-file requirements.lock pyproject.toml
	$(COMPILE) --constraint requirements.lock --group dev --output-file requirements-dev.lock pyproject.toml

SECRETS ?= secrets
secrets: ## The passwords that docker-compose.yml reads, where there are none yet
	@mkdir -p -m 700 $(SECRETS)
	@for name in secret_key postgres_password owner_password app_password; do \
		test -s $(SECRETS)/$$name || head -c 48 /dev/urandom | base64 | tr -d "\n" > $(SECRETS)/$$name; \
	done

DOCKER ?= docker
ENV ?= .env
pins: ## Pulls the images of .env.example and pins them in .env by digest
	@test -f $(ENV) || { echo "There is no $(ENV): cp .env.example .env"; exit 1; }
	@set -e; for image in $$(grep "_IMAGE=" .env.example); do \
		name=$${image%%=*}; \
		$(DOCKER) pull --quiet "$${image#*=}"; \
		digest=$$($(DOCKER) image inspect --format "{{index .RepoDigests 0}}" "$${image#*=}"); \
		sed -i.before "/^$$name=/d" $(ENV) && rm $(ENV).before; \
		echo "$$name=$$digest" >> $(ENV); \
	done

# The environment, made from a lock and renewed when the lock changes.
$(VENV)/%.installed: %.lock
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Python 3.11 or newer is needed: make PYTHON=...")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement $<
	@touch $@

# The tools of the browser client, renewed when their lock changes.
$(NPM)/.installed: package-lock.json | $(VENV)/requirements-dev.installed
	$(BIN)/npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

# The client's types of what the server answers, made from the schema that the server's tests prove.
$(API_TYPES): docs/openapi.yaml $(NPM)/.installed
	$(BIN)/node $(NPM)/openapi-typescript/bin/cli.js $< --root-types --root-types-no-schema-prefix --output $@
