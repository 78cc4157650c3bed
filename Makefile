# build   the binary, in bin/
# test    installs what the tests need, then everything with the race detector
# soak    the runs that take minutes, SOAK (5m) each: processes let loose on each other, damaged files, mutated texts
# bench   the benchmarks, and calls of each kind on trees of 1,000 to 200,000 files of the clones in $SEXTANT_CORPUS
# lint    formatting, vet, staticcheck, types for macOS, and unclear phrases in comments
# accuracy resolved calls beside compilers, on the repositories in $SEXTANT_CORPUS
# crossings calls between services beside truths read by hand, on the clones in $SEXTANT_CORPUS
# quality search on committed questions, on the clones in $SEXTANT_CORPUS
# fit     the weights of the ranking, from the validation questions and the clones in $SEXTANT_CORPUS
# tokens  what answers cost an agent, beside grep, on the clones in $SEXTANT_CORPUS
# impact  which tests are named for real changes of code, on the clones in $SEXTANT_CORPUS
# embedder the built-in embedder's table, from the clones in $SEXTANT_CORPUS
# pictures terminals for docs/pictures: commands on a clone in $SEXTANT_CORPUS, drawn as they print
# mutate  how many of 200 random changes of PACKAGE its tests notice
# install the binary, in $(go env GOPATH)/bin

GO ?= go
SEXTANT_CORPUS ?= $(HOME)/.cache/sextant-corpus
SOAK ?= 5m
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS = -s -w -X main.version=$(VERSION)
FUZZTIME ?= 10s

.PHONY: build test tools soak bench accuracy crossings quality fit tokens impact embedder pictures mutate lint install static

build:
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o bin/sextant ./cmd/sextant

install:
	$(GO) install -trimpath -ldflags '$(LDFLAGS)' ./cmd/sextant

# static links the C library in; it needs one that can be (musl, or glibc's libc.a).
static:
	$(GO) build -trimpath -tags netgo,osusergo -ldflags '$(LDFLAGS) -linkmode external -extldflags "-static"' -o bin/sextant-static ./cmd/sextant

tools:
	./testdata/tools.sh

lint:
	@out=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$out" ]; then echo "not gofmt-ed: $$out"; exit 1; fi
	$(GO) vet ./...
	@if $(GO) build -C testdata/lint -o bin/staticcheck honnef.co/go/tools/cmd/staticcheck; then testdata/lint/bin/staticcheck ./...; \
	elif [ -n "$$SEXTANT_REQUIRE_TOOLS" ]; then exit 1; else echo "missing: staticcheck (it cannot be built; its checks are left out)" >&2; fi
	$(GO) run ./cmd/dev/typecheck darwin/arm64
	$(GO) run ./cmd/dev/comments

# The race detector watches Go's memory. SQLite, C code translated to Go, keeps its own outside of
# it; instrumented, it only runs many times slower. The same holds for checks of pointers in its C library.
RACE = -race -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc=-d=checkptr=0 \
	-gcflags=modernc.org/memory=-d=checkptr=0

# lint has vetted every package already.
test: tools lint
	$(GO) test $(RACE) -vet=off -timeout 60m ./...

# Tests named Soak take as long as SEXTANT_SOAK says, and little or nothing without it.
soak: tools
	SEXTANT_SOAK=$(SOAK) $(GO) test -count 1 -p 1 -timeout 4h -v -run Soak ./...

# BENCH="--files 1000 --runs 1" is quick; "--root DIR" measures a tree of your own.
bench:
	$(GO) test -run '^$$' -bench . -benchtime 1s ./...
	SEXTANT_CORPUS=$(SEXTANT_CORPUS) $(GO) run ./cmd/dev/bench $(BENCH)

# Oracles need node, python3, a JDK and others: testdata/oracles says which.
accuracy:
	SEXTANT_CORPUS=$(SEXTANT_CORPUS) $(GO) run ./cmd/dev/accuracy $(ACCURACY)

# CROSSINGS="--show ms" lists what is missed.
crossings:
	SEXTANT_CORPUS=$(SEXTANT_CORPUS) $(GO) run ./cmd/dev/crossings $(CROSSINGS)

# QUALITY="--all" fails where a repository is not there; "--write" keeps the figures.
quality:
	SEXTANT_CORPUS=$(SEXTANT_CORPUS) $(GO) run ./cmd/dev/quality $(QUALITY)

# FIT="--write" writes the weights of each kind of query that gains on repositories left out.
fit:
	SEXTANT_CORPUS=$(SEXTANT_CORPUS) $(GO) run ./cmd/dev/quality fit $(FIT)

# TOKENS="--repo bbolt --way default" is quick; "--write" keeps the figures and docs/tokens.md.
tokens:
	SEXTANT_CORPUS=$(SEXTANT_CORPUS) $(GO) run ./cmd/dev/tokens $(TOKENS)

# IMPACT="--repo bbolt" is quick.
impact:
	SEXTANT_CORPUS=$(SEXTANT_CORPUS) $(GO) run ./cmd/dev/tokens impact $(IMPACT)

pictures:
	SEXTANT_CORPUS=$(SEXTANT_CORPUS) $(GO) run ./cmd/dev/pictures

# MUTATE="--tests './l2meta/languages=TestDecoys/^go$$'" counts other tests, too; all changes are in one
# test binary, so that several packages at once cost little more than one. TMPDIR=/dev/shm is quicker.
mutate:
	$(GO) run ./cmd/dev/mutate $(MUTATE) $(or $(PACKAGE),./jit ./internal/navigate/search ./internal/navigate/search/rank ./l3lsp)

# The same list, questions, glossary and seed give the same table: docs/embedder.md.
embedder:
	$(GO) run ./cmd/dev/train-embedder train --corpus $(SEXTANT_CORPUS) --pairs $(SEXTANT_CORPUS)/.pairs $(EMBEDDER)
