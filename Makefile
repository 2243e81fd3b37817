# The work is done by scripts/; make help lists the targets.
PREFIX ?= /usr/local

.PHONY: build setup setup-program tests run test test-python test-timed test-full install package wheel bench figures fuzz soak netem kill campaign test-buttons docs reference clean help

build: setup-program ## build the library and the program into build/release
	@scripts/build --program release

setup: ## install what of packages.txt is missing
	@scripts/setup

setup-program:
	@scripts/setup --program

tests: setup
	@scripts/build release

run: build ## the showcase in the browser; without a terminal simulated and drawn
	@scripts/run-showcase

test: setup ## release build, every fact
	@scripts/test

test-python: tests ## tests of the Python package, with what takes long: Ray, notebooks in Jupyter; needs PyPI
	@scripts/test-python build/release --long

test-timed: tests ## tests that are held to the clock; needs an idle machine with two cores
	@ctest --test-dir build/release -L timed --output-on-failure

test-full: test ## sanitizers, compilers × optimisation levels, aarch64, fuzzers
	@scripts/test-full

install: setup-program ## install library, headers, program and models below PREFIX (/usr/local)
	@scripts/build --program release -DCMAKE_INSTALL_PREFIX=$(PREFIX) -DFATHOM_LANES=
	@cmake --install build/release

package: setup-program ## a Debian package into out/
	@scripts/package

wheel: setup-program ## a wheel of the Python package into out/wheel; needs python3-venv and PyPI
	@scripts/wheel

bench: build ## measure speed
	@scripts/bench

figures: setup ## draw every figure into out/figures
	@scripts/figures

fuzz: setup ## each fuzzer for 60 s
	@scripts/fuzz

soak: build ## a day of simulated time with everything on; memory stays flat
	@scripts/soak

netem: setup ## commands over a line that loses, doubles and disorders: each is done once
	@scripts/test-netem

kill: setup ## kill -9 of servers, clients and emulators at 200 random moments
	@scripts/test-kill

campaign: tests ## 10,000 random shots at things that must hold, 10,000 random scenes, rays against GSL (minutes)
	@build/release/tests/world_test_contact_campaign --shots 10000 --seed 1
	@build/release/tests/world_test_scene_campaign --scenes 10000 --seed 1
	@build/release/tests/acoustics_test_ray_campaign --whole

test-buttons: setup build ## presses every button of the page in every scenario (minutes)
	@node tests/npm/check_buttons.mjs build/release/fathom scenarios/*.xml

docs: ## build the documentation as a site into out/docs; needs python3-venv and PyPI
	@scripts/docs

reference: build ## write docs/reference/ and share/fathom.rng from the table of elements
	@mkdir -p docs/reference && build/release/fathom schema --manual -o docs/reference
	@mkdir -p share && build/release/fathom schema --rng > share/fathom.rng

clean: ## remove what was built
	rm -rf build build-* out

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile
