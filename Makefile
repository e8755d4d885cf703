# Everything is run through .ci/with, which installs what is missing (see .ci/setup) and then is done in a moment.
.DEFAULT_GOAL := help
.PHONY: help setup serve build check test bench docs clean

PORT ?= 8080
export PORT

help: ## List the targets
	@echo 'Headroom: make TARGET'
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 10

setup: ## Find or install the tools (about 10 minutes on a bare machine, then a second)
	@.ci/setup

serve: build ## Build the page and serve it on 127.0.0.1 (PORT=8080)
	@exec .ci/serve

build: ## Build the page into dist/, small
	@.ci/with .ci/build

check: ## Formatting, lints for each feature set, engine tests
	@.ci/with .ci/test fmt clippy engine

test: ## The whole suite: check, command line, charts, page, browser, real Envoy
	@.ci/with .ci/test

bench: build ## Time from a keystroke to the finished page, in Chromium; requests a second of the simulator, beside SimPy
	@HEADROOM_DIST=$(CURDIR)/dist .ci/with cargo bench --quiet --no-default-features --bench page
	@simpy=$$(.ci/simpy) && HEADROOM_SIMPY=$$simpy .ci/with cargo bench --quiet --no-default-features --bench sim

docs: ## Write the page of all rules and the learn pages again (docs/rules.md, public/rules.*, public/learn)
	@UPDATE_EXPECT=1 .ci/with cargo test --quiet --no-default-features --features read --test rules page
	@UPDATE_EXPECT=1 .ci/with cargo test --quiet --no-default-features --features read,simulator --test learn stale

clean: ## Remove what was built here (the tools stay in the cache folder)
	rm -rf target dist
