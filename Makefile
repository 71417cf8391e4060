# Every target fetches what it needs first; after any of them plain `cargo build`, `cargo test`, `cargo run` work too.
# CARGO_TARGET_DIR is honoured.

CARGO ?= cargo
PYTHON ?= python3
MINUTES ?= 10
SEED ?= 1
FUZZ_TARGET ?= murphi
SETUP_FLAGS ?=

.DEFAULT_GOAL := help
.PHONY: help setup build demo test test-fast lint bench bench-horn bench-hybrid bench-papers bench-peers bench-recursive bench-rtl papers conformance conformance-circuits \
	mutants agree campaign fuzz fuzz-check clean

help: ## list the targets
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## /\1\t/p' $(MAKEFILE_LIST) | while IFS='	' read -r name text; do \
		printf '  make %-12s %s\n' "$$name" "$$text"; done

setup: ## provide libz3 in .deps (from the system, else a pinned download)
	@$(PYTHON) tools/setup $(SETUP_FLAGS)

build: setup ## build the optimised binary
	$(CARGO) build --release --locked

TENET = $(CARGO) run --release --locked --quiet --
demo: CERTIFICATE = $(or $(CARGO_TARGET_DIR),target)/german.cert
demo: setup ## build, prove the German cache protocol for any number of caches, check the proof, and refute a broken variant
	$(CARGO) build --release --locked
	@echo; echo '$$ tenet prove models/german.m --certificate $(CERTIFICATE)'
	@$(TENET) prove models/german.m --certificate '$(CERTIFICATE)'
	@echo; echo '$$ tenet verify $(CERTIFICATE)'
	@$(TENET) verify '$(CERTIFICATE)'
	@# Exit code 10 says that a run was found, as it should be.
	@echo; echo '$$ tenet prove models/german_broken.m'
	@$(TENET) prove models/german_broken.m; test $$? -eq 10

test: setup ## run all the tests
	@# Everything runs, whatever fails before, and the names of all failures stand at the end.
	@$(PYTHON) -B -m unittest discover --start-directory tools; scripts=$$?; \
		$(PYTHON) -B tools/test-all $(CARGO) test --workspace --locked --no-fail-fast || exit 1; \
		test $$scripts -eq 0 || { echo 'failed: the tests of the scripts in tools'; exit 1; }

# The quick tier: the unit tests of every crate, and those integration tests that need no more than a few seconds each. A new
# integration test that is as quick belongs here; `make test` runs it in any case.
FAST_TESTS = \
	bitvectors deep normal_form printing sorts sparse \
	finite run \
	btor2 check_golden check_model cubicle docs docs_language horn instance syntax syntax_roundtrip unbounded_golden \
	freedom smoke text \
	bits closed clusters indexed monotone set \
	accept attacks systems \
	abstraction golden run_of_system \
	architecture doctor

test-fast: setup ## the unit tests and the quick integration tests: under two minutes once they are compiled
	@$(PYTHON) -B tools/test-all $(CARGO) test --workspace --locked --no-fail-fast --lib --bins \
		$(foreach test,$(FAST_TESTS),--test $(test))

lint: setup ## formatting, clippy, rustdoc, and the policy for third-party packages
	$(CARGO) fmt --all --check
	$(CARGO) fmt --manifest-path fuzz/Cargo.toml --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps --locked
	@# cargo-deny checks all that deny.toml says but advisories, which it would have to fetch; tools/licences only the
	@# licences and the sources.
	@if $(CARGO) deny --version >/dev/null 2>&1; then \
		echo '$(CARGO) deny --locked check licenses bans sources'; $(CARGO) deny --locked check licenses bans sources; \
	else \
		echo '$(PYTHON) tools/licences'; $(PYTHON) tools/licences; \
	fi

bench: setup ## states per second against Rumur: INPUTS=folder for models by others (needs `rumur`)
	$(PYTHON) benches/against_rumur.py $(if $(INPUTS),--inputs $(INPUTS))

bench-horn: setup ## proofs about Horn clauses beside Z3's Spacer: INPUTS=folder with .smt2 files, perhaps with expected.tsv
	@test -n '$(INPUTS)' || { echo 'make bench-horn needs INPUTS=folder; see benches/horn.py --help' >&2; exit 2; }
	$(PYTHON) benches/horn.py '$(INPUTS)'

bench-hybrid: setup ## hybrid abstraction in four modes, decision diagrams and IC3 on large designs: INPUTS=folder for designs by others (needs `yosys`)
	$(PYTHON) benches/hybrid.py $(if $(INPUTS),'$(INPUTS)')

bench-papers: setup ## proofs of the published experiments beside the published figures
	$(PYTHON) benches/papers/limits.py

bench-peers: setup ## proofs of models by others beside Cubicle's times: INPUTS=folder with expected.tsv, MURPHI=folder
	@test -n '$(INPUTS)$(MURPHI)' || { echo 'make bench-peers needs INPUTS=folder; see benches/peers.py --help' >&2; exit 2; }
	$(PYTHON) benches/peers.py $(if $(INPUTS),'$(INPUTS)') $(if $(MURPHI),--murphi '$(MURPHI)')

bench-recursive: setup ## recursive definitions: time and memory of every entailment and computation tree beside their limits
	$(PYTHON) benches/recursive.py

bench-rtl: setup ## hardware: hybrid abstraction in four modes beside the published figures, and data of growing width (needs `yosys`)
	$(PYTHON) benches/rtl.py

papers: setup ## repeat every published experiment: one page with all tables and drawings, and the tables of docs/papers (needs `yosys`)
	$(PYTHON) -B benches/papers

conformance: build ## check models by others and their known numbers of states: INPUTS=folder with expected.tsv
	@test -n '$(INPUTS)' || { echo 'make conformance needs INPUTS=folder; see tools/conformance --help' >&2; exit 2; }
	$(PYTHON) tools/conformance '$(INPUTS)'

conformance-circuits: build ## read, prove and replay BTOR2 files by others: INPUTS=folder, perhaps with expected.tsv
	@test -n '$(INPUTS)' || { echo 'make conformance-circuits needs INPUTS=folder; see tools/circuits --help' >&2; exit 2; }
	$(PYTHON) tools/circuits '$(INPUTS)'

mutants: build ## break our safe models, and compare what prove and explore say: SEED=1
	$(PYTHON) tools/mutants --seed $(SEED)

agree: build ## give models to every command and engine, and look for contradictions: INPUTS=folder for models by others
	$(PYTHON) -B tools/agree $(INPUTS)

# Fresh seeds, ten times the cases of `make test`; what is found stays in FINDINGS. SEED=n repeats a campaign.
FINDINGS ?= $(or $(CARGO_TARGET_DIR),target)/findings
campaign: build ## look for new cases with fresh seeds: MINUTES=60, SEED=n to repeat one, FINDINGS=folder
	$(PYTHON) -B tools/search --minutes $(MINUTES) --findings '$(FINDINGS)' $(if $(filter-out file,$(origin SEED)),--seed $(SEED))

# Coverage instrumentation is an unstable compiler flag, which RUSTC_BOOTSTRAP lets the stable compiler accept. No
# sanitizer: it would need a nightly toolchain and could find little, as unsafe code is forbidden here.
# New inputs go to the first folder; the others, and the dictionary, only give the fuzzer something to start from.
FUZZ_SEEDS = $(wildcard models crates/lang/tests/syntax/regress)
fuzz: setup ## fuzz a parser: MINUTES=10 FUZZ_TARGET=murphi, cubicle, horn, btor2 or clp (needs `cargo install cargo-fuzz` and a C++ compiler)
	mkdir -p fuzz/corpus/$(FUZZ_TARGET)
	RUSTC_BOOTSTRAP=1 $(CARGO) fuzz run --sanitizer none $(FUZZ_TARGET) fuzz/corpus/$(FUZZ_TARGET) $(FUZZ_SEEDS) -- \
		-max_total_time=$$(($(MINUTES) * 60)) -timeout=10 -rss_limit_mb=2048 -dict=fuzz/$(FUZZ_TARGET).dict

fuzz-check: setup ## check that the fuzz targets compile
	@# With the versions of the workspace; all that is added is the fuzzing runtime.
	@cp Cargo.lock fuzz/Cargo.lock
	$(CARGO) clippy --manifest-path fuzz/Cargo.toml --no-default-features -- -D warnings

clean: ## delete what was built (not .deps)
	$(CARGO) clean
