# A thin front for Meson and ninja: everything here is one line of tools/ or ninja.
BUILD ?= build
PREFIX ?= /usr/local
FUZZ_SECONDS ?= 8
export BUILD PREFIX DESTDIR FUZZ_SECONDS

build:  ## builds build/covey and build/libcovey.so (the default)
	@tools/setup build
	@tools/configure $(BUILD)
	@ninja -C $(BUILD) program

demo: build  ## the main job, from a generated table to a verified release
	@tools/demo

test:  ## runs every test: plain, under sanitizers, with failing allocations, fuzzed
	@tools/run-tests

check:  ## the quick checks only: layers, headers, comments, symbols, names, format, circles, pages
	@tools/run-tests checks

asan:  ## unit, registry, law and command tests under the address and undefined-behaviour sanitizers
	@tools/run-tests asan

tsan:  ## the tests of threads under the thread sanitizer
	@tools/run-tests tsan

oom:  ## the tests that let allocations fail one by one
	@tools/run-tests oom

fuzz:  ## each fuzz target for FUZZ_SECONDS (8)
	@tools/run-tests fuzz

python:  ## the wheel of the Python package, with all that it links: build/wheelhouse/
	@tools/setup build python
	@tools/python wheel

bench: build  ## the benchmarks
	@bench/run

man:  ## the manual pages
	@tools/setup man
	@tools/configure $(BUILD)
	@ninja -C $(BUILD) man

install:  ## installs below PREFIX (/usr/local), staged in DESTDIR if set; says what it could not
	@tools/install

uninstall:  ## removes what the last `make install` of this folder installed
	@tools/install --remove

clean:  ## removes all build folders
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-tsan $(BUILD)-fuzz

help:  ## lists these targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile | expand -t 10

.PHONY: build demo test check asan tsan oom fuzz python bench man install uninstall clean help
