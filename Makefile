# Everything a developer runs; make alone lists it.

.DEFAULT_GOAL := help
.PHONY: help run build image generate migration snapshot test fuzz faults race mutants bench bench-web bench-scale web-full pictures advisories lint check
MAKEFLAGS += --no-print-directory

# How much each fuzz target runs: a count, since Go 1.26 now and then fails a
# target whose time, such as 3s, is up (go.dev/issue/75804).
FUZZTIME ?= 5000x

# The flags that look for data races; check sets them where there is a C compiler. SQLite,
# translated from C, takes three times as long under the detector and has no goroutines.
RACE ?=
WITHRACE := -race -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc=-race=false

# What check sets, since lint has vetted the tests.
VET ?=

# How many packages are tested at once: more than there are processors, which those that
# wait for servers leave idle.
JOBS ?= $(shell echo $$(( $$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN) * 2 )))

# How tests are run. To link their binaries is a quarter of the work: the compiler and the
# linker collect their memory less often than usual.
TESTS = go test $(VET) -shuffle=on -p $(JOBS) -toolexec='env GOGC=400' -timeout=30m

# The package of tests that measure what a request may cost, which the race detector
# would multiply, and other tests beside it too: it runs alone.
TIMED := workforce/internal/scenario/hostile

# Packages with long tests that do one thing at a time, of which the race detector would
# tell little that it does not of the others; make race has it look at them too.
PLAIN := workforce/\(ent/enttests\|graph/connection\|internal\|internal/\(demo\|errs\|image\|migration\|report/pdf\|report/workbook\|table\|timesheet\)\|internal/app/\(attendance\|organization\|peopleimport\|privacy\|timesheets\|worktime\)\|internal/scenario\(/\(hostile\|known\|messaging\|people\|permissions\|privacy\|size\|statements\|webapp\)\)\?\)

# The packages that take longest, which begin first, or one would run alone at the end.
LONGEST := $(addprefix workforce/internal/scenario/,durability live faults)
LONGEST_PLAIN := workforce/internal/scenario workforce/internal/scenario/permissions workforce/ent/enttests

# The test that renders deploy/chart has a go.mod of its own, too: Helm's packages are its alone. The go command
# keeps no results of files outside of a module, so that it runs each time.
CHART := cd .ci/chart && go test -count=1 .

# So has the one that compares the APIs with those of the last release, for oasdiff.
COMPAT := cd .ci/compat && go test -count=1 .

# The linters have a go.mod of their own, so that they decide no version of ours.
# Staticcheck passes over package ent, deadcode over all generated files.
STATICCHECK := go tool -modfile=.ci/tools/go.mod staticcheck
DEADCODE := go tool -modfile=.ci/tools/go.mod deadcode

# What deadcode may report: generated code names UnmarshalDegrees without calling
# it, FillMany makes a company for tests that count statements, RecordStatements
# tells tests their texts.
ALIVE := UnmarshalDegrees$$\|FillMany$$\|RecordStatements$$

help: ## Show this help
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: ## Serve on 127.0.0.1:8080 from data/, with the demo company
	@echo "Compiling, which takes some minutes the first time and seconds after that."
	go run ./cmd/workforce serve --demo

# What workforce version prints besides the revision that the go command records.
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null)

build: ## Build bin/workforce, one static binary
	CGO_ENABLED=0 go build -trimpath -ldflags='-s -w -X main.buildVersion=$(VERSION)' -o bin/workforce ./cmd/workforce

image: build ## Build the container image workforce:latest by buildah or docker
	deploy/root.sh bin/workforce bin/image
	if command -v buildah >/dev/null; then buildah build --isolation=chroot --format=docker --tag=workforce --file=deploy/Dockerfile bin/image; \
	else docker build --tag=workforce --file=deploy/Dockerfile bin/image; fi

generate: ## Regenerate all that is generated: ent, GraphQL, OpenAPI, documents, golden files, the web app
	go generate ./ent
	go run ./internal/generate ent
	go test ./internal/setting -count=1 -run '^TestDocuments$$' -update
	go tool gqlgen generate
	go run ./internal/generate gqlgen
	go test ./internal/errs -count=1 -run '^TestRaised$$' -update
	@.ci/need node
	go run ./cmd/workforce openapi --postman > docs/postman.json
	go test ./internal/scenario/reference -count=1 -run '^TestCollection$$' -update
	go run ./cmd/workforce openapi > docs/openapi.json
	go run ./cmd/workforce schema > docs/schema.graphql
	go test ./rest -count=1 -run '^TestOpenAPIGolden$$' -update
	go test ./internal/scenario/permissions -count=1 -run '^TestPermissionsDocument$$' -update
	web/build.sh

migration: ## Write the migration that the ent schema needs: make migration NAME=add_leave
	@test -n "$(NAME)" || { echo "usage: make migration NAME=add_leave"; exit 2; }
	go test ./ent/enttests -count=1 -run '^TestMigrations$$' -args -new="$(NAME)"

snapshot: ## Take the APIs as those of a release, with which later ones are compared
	cp docs/openapi.json docs/schema.graphql docs/release/
	breaks=$$(grep '^#' docs/release/breaks.txt) && echo "$$breaks" >docs/release/breaks.txt

test: ## Run all tests, on SQLite, on a MariaDB they start themselves, and in Chromium
	@.ci/need mariadb chromium galera strace redis node openpyxl pdftotext fonts sqlite3 soffice promtool buildah systemd
	$(CHART)
	$(COMPAT)
	$(if $(RACE),$(TESTS) $(RACE) $(LONGEST) $$(go list ./... | grep -vx '$(PLAIN)'))
	$(TESTS) $(LONGEST_PLAIN) $(if $(RACE),$$(go list ./... | grep -x '$(PLAIN)' | grep -vx '$(TIMED)'),$(LONGEST) $$(go list ./... | grep -vx '$(TIMED)'))
	$(TESTS) $(TIMED)
	@.ci/need --skipped

fuzz: ## Run every fuzz target FUZZTIME (5000x)
	@.ci/fuzz $(FUZZTIME)

# How long each test of faults goes on, and how often those of single commits run.
FAULTTIME ?= 10m
FAULTRUNS ?= 20

faults: ## Kill, freeze and cut servers and databases for FAULTTIME (10m) each, under load
	@.ci/need mariadb galera strace redis soffice
	go test -count=1 -timeout=20m -run '^TestLibreOffice' ./internal/report/workbook -args -soffice
	go test -count=1 -v -timeout=3h ./internal/scenario/faults -args -faults=$(FAULTTIME)
	go test -count=$(FAULTRUNS) -timeout=3h -run 'Kill|Commit|Rollback|Outage|LateFirst|Disconnected|TwoServers' ./internal/scenario/durability
	go test -count=1 -timeout=3h -run CatchUp ./internal/scenario/durability -args -stops=1000

race: ## Run the tests of all packages but those that measure under the race detector
	@.ci/need mariadb chromium galera strace redis node openpyxl pdftotext fonts sqlite3 soffice promtool buildah systemd
	go test $(WITHRACE) -timeout=60m $$(go list ./... | grep -vx '$(TIMED)')

mutants: ## Break each rule of a testdata/mutants.txt; the tests beside it must notice
	go run ./internal/mutants internal ent/enttests

# What make bench measures: a pattern of workloads, all when empty; and what
# CONTRIBUTING lists, such as -rounds 2.
BENCH ?=
BENCHFLAGS ?=

bench: ## Measure, and compare with a server written by hand: make bench BENCH='list-.*' BENCHFLAGS='-rounds 2'
	@.ci/need mariadb
	go test -run '^$$' -bench '^Benchmark(Servers|Overload|Report|Memory)$$' -benchtime 1x -timeout 120m ./internal/bench -args -workloads='$(BENCH)' $(BENCHFLAGS)

web-full: ## Do each job of the web app in all combinations of database, language, width, theme and input, and use every screen
	@.ci/need mariadb chromium node
	WEB_FULL=1 go test -count=1 -v -timeout=120m -parallel 2 ./internal/scenario/webapp

bench-web: ## Measure how long screens of the web app take, on the demo and with 5,000 people, and finding a face
	@.ci/need chromium node
	WEB_BENCH=1 go test -count=1 -v -timeout=60m -run '^TestMeasure' ./internal/scenario/webapp

pictures: ## Make the pictures of the README anew
	@.ci/need chromium node
	WEB_PICTURES=$(CURDIR)/docs/pictures go test -count=1 -run '^TestPictures$$' ./internal/scenario/webapp

bench-scale: ## Compare one, two and three server processes: make bench-scale BENCHFLAGS='-rounds 2'
	@.ci/need mariadb redis
	go test -run '^$$' -bench '^BenchmarkScale$$' -benchtime 1x -timeout 60m ./internal/bench -args -slice 1500ms -workloads='$(BENCH)' $(BENCHFLAGS)

lint: ## Check formatting, vet and lint, and find functions that nothing calls
	@unformatted=$$(gofmt -l .); test -z "$$unformatted" || { echo "not gofmt'ed:"; echo "$$unformatted"; exit 1; }
	go vet ./...
	$(STATICCHECK) $$(go list ./... | grep -vx workforce/ent)
	@echo "deadcode ./cmd/..."; dead=$$($(DEADCODE) ./cmd/...) || exit 1; \
		dead=$$(echo "$$dead" | grep -v '$(ALIVE)'); test -z "$$dead" || { echo "$$dead"; exit 1; }

advisories: ## Fail if a module has a known advisory, where the database of them can be downloaded
	@.ci/advisories

check: ## What CI runs; fails if generated files are stale
	@.ci/need mariadb chromium galera strace redis node openpyxl pdftotext fonts sqlite3 soffice promtool buildah systemd
	@.ci/fresh $(MAKE) generate
	@$(MAKE) lint
	@$(MAKE) advisories
	@$(MAKE) test VET=-vet=off RACE='$(if $(filter 1,$(shell go env CGO_ENABLED)),$(WITHRACE))'
	@.ci/fuzz $(FUZZTIME) ./internal/scenario/
	@echo "requests at random, for a minute:"
	cd internal/scenario/fuzz && FUZZTIME=1m go test -count=1 -run '^TestAPIs$$'
	@echo "time limits, without the race detector:"
	go test -count=1 -run 'TestBombs|Takes?AsLong' ./internal/graphqlhttp ./internal/scenario/auth
	go test -count=1 -run 'TestScenarios/sqlite/graphql' ./internal/scenario
