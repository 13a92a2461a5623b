# One set of build flags for everything that tests: another set would compile Fyne and SQLite, minutes of work,
# once more. So vet, staticcheck, the tests and the programs that they start all build with -race.

# What does not need each other runs side by side: compiling SQLite keeps one core busy for minutes.
MAKEFLAGS += --jobs=2

.PHONY: help run build setup test lint bench package

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "%-8s %s\n", $$1, $$2 }' Makefile

run: build ## Build Sidekicks and open its window
	./sidekicks

build: ## Build ./sidekicks, after installing what that needs
	@scripts/setup
	go build -o sidekicks .

# A Docker engine and a display of the tests' own.
PRIVATE = scripts/engine scripts/headless

test: lint e2e/agents/node_modules/.package-lock.json e2e/box/node_modules/.package-lock.json e2e/compose/docker-compose ## Check and test everything, on a private display
	$(PRIVATE) go test -race -vet=off -timeout=45m ./...

setup:
	@scripts/setup test

lint: setup ## Check format, go vet and staticcheck
	@unformatted=$$(gofmt -l $$(git ls-files -co --exclude-standard '*.go')) && \
		test -z "$$unformatted" || { echo "gofmt -w is needed for:" "$$unformatted"; exit 1; }
	go vet -race ./...
	staticcheck=$$(go tool -n staticcheck) && GOFLAGS="$$(go env GOFLAGS) -race" $$staticcheck ./...

bench: e2e/compose/docker-compose ## Run the benchmarks, without the race detector
	$(PRIVATE) go test -run='^$$' -bench=. -benchmem ./...

# The agents that e2e drives, and the Node.js of the image that e2e/box builds on. npm writes this file last.
%/node_modules/.package-lock.json: %/package-lock.json | setup
	cd $* && npm ci

# The plugin of the docker command that Debian does not have.
e2e/compose/docker-compose: e2e/compose/go.sum | setup
	cd e2e/compose && go build -o docker-compose github.com/docker/compose/v5/cmd

package: ## Build what people install into dist/
	scripts/package
