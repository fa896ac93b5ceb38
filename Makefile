# A machine needs git, make, Python >= 3.10 and Node.js >= 20. Everything else is installed below this
# folder, in the exact versions of requirements-dev.txt and package-lock.json.

PYTHON ?= python3
# Two workers: starting more costs more (each loads CDK and a Node.js) than the tests would gain.
PYTEST_WORKERS ?= 2
PYTEST_ARGS ?=
# The oldest CDK that setup.py allows, and the first with aws_eks_v2; `make test` runs on the newest.
CDK_VERSIONS ?= 2.148.0 2.240.0

VENV := .venv
INSTALL := python -m pip install --quiet --progress-bar off

export PATH := $(CURDIR)/$(VENV)/bin:$(CURDIR)/node_modules/.bin:$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export NPM_CONFIG_UPDATE_NOTIFIER := false
# Nothing is reported to, or asked of, anybody.
export CDK_DISABLE_CLI_TELEMETRY := true
export CDK_DISABLE_VERSION_CHECK := true
# An old Node.js is CDK's business to refuse, not to warn about in every line of output.
export JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION := 20
export JSII_SILENCE_WARNING_UNTESTED_NODE_VERSION := true

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help setup synth test test-cdk-versions check format snapshots tables facts bench build lock clean

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(VENV)/.complete node_modules/.complete ## Install everything; the other targets do so themselves

synth: setup ## Synthesise app.py and show what it would make; no AWS account needed
	@cdk synth --quiet --no-notices --no-lookups --output cdk.out
	@python tools/show_template.py cdk.out

test: setup ## The whole test suite
	@pytest -n $(PYTEST_WORKERS) --dist worksteal $(PYTEST_ARGS)

test-cdk-versions: ## The synth tests on older releases of the CDK
	@PYTHON=$(PYTHON) tools/test_cdk_versions $(CDK_VERSIONS) -- -n $(PYTEST_WORKERS) $(PYTEST_ARGS)

check: setup ## Formatting, lint, types, and who may import whom
	ruff format --check .
	ruff check .
	mypy
	lint-imports

format: setup ## Format, and fix what ruff can fix
	ruff check --fix .
	ruff format .

snapshots: setup ## Write the snapshots anew; read the diff before committing it
	pytest -k snapshot -n $(PYTEST_WORKERS) --update-snapshots $(PYTEST_ARGS)

tables: setup ## Write the generated tables of README.md anew
	@python tools/tables.py

facts: setup ## What a release changes upstream: make facts TAG=v1.15.0 KARPENTER_UPSTREAM=../karpenter-provider-aws
	@python tools/facts.py $(TAG) $(if $(AGAINST),--against $(AGAINST)) $(if $(SAVE),--save $(SAVE))

bench: .venv-bench/.complete ## Time, memory and template size, ours beside the peer's
	@rm -rf build
	@.venv-bench/bin/$(INSTALL) --no-deps --no-build-isolation --force-reinstall .
	.venv-bench/bin/python bench/run.py $(BENCH_ARGS)

build: setup ## Wheel and sdist, checked and tried out in a clean environment
	rm -rf build dist
	python -m build --no-isolation
	twine check --strict dist/*
	python tools/try_wheel.py

lock: $(VENV)/.complete ## Write the lock files anew, with the newest versions that setup.py and package.json allow
	tools/lock

clean: ## Remove what the other targets made
	rm -rf .venv .venv-* node_modules build dist cdk.out *.egg-info .mypy_cache .ruff_cache .pytest_cache

$(VENV)/.complete: requirements-dev.txt setup.py
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.10 or later is needed, $(PYTHON) is " + sys.version.split()[0] + "; name another with make PYTHON=..." if sys.version_info < (3, 10) else 0)'
	@echo "Installing Python packages into $(VENV)"
	@$(PYTHON) -m venv $(VENV)
	@$(INSTALL) --requirement requirements-dev.txt
	@$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

node_modules/.complete: package.json package-lock.json
	@node -e 'if (parseInt(process.versions.node) < 20) { console.error("Node.js 20 or later is needed, node is " + process.version); process.exit(1) }'
	@echo "Installing the CDK command line into node_modules"
	@npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

.venv-bench/.complete: bench/requirements.txt
	@echo "Installing the peer into .venv-bench"
	@$(PYTHON) -m venv .venv-bench
	@.venv-bench/bin/$(INSTALL) --requirement bench/requirements.txt
	@touch $@
