# darc - build, test, demo.  `make help` lists the targets.
#
# Objects go to build/FLAVOUR/; FLAVOUR is release, debug, asan, cover or fuzz.

PREFIX ?= /usr/local
CC ?= cc
FLAVOUR ?= release
B := build/$(FLAVOUR)

# Sub-makes use all cores unless the caller gave a -j.
JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$$(nproc))
SUB = --no-print-directory $(JOBS)

# Debian packages: to build and run, to test, to lint.  Nothing else is needed.
PACKAGES := gcc make pkg-config libc6-dev libflint-dev libgmp-dev libmpfr-dev \
    libsundials-dev liblapack-dev liblapacke-dev
PACKAGES_CHECK := check python3 python3-numpy
PACKAGES_LINT := clang clang-format clang-tidy libclang-rt-dev binutils
NEED = $(PACKAGES)

# Sanitizers make compilers warn of what is not there.
WERROR_release := -Werror
WERROR_debug := -Werror
WERROR_clang := -Werror
WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes \
    -Wmissing-prototypes -Wvla $(if $(CI),$(WERROR_$(FLAVOUR)))
# gcc takes jet->names, the first member of a jet, for the whole of it.
WARN += -Wno-stringop-overread -Wno-unknown-warning-option
OPT_release := -O3 -DNDEBUG
OPT_debug := -O1 -g
OPT_asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
    -fno-omit-frame-pointer -Wno-stringop-overflow -Wno-format-truncation
OPT_cover := -O0 -g --coverage
OPT_fuzz := -O1 -g -fsanitize=fuzzer-no-link,address,undefined
OPT_clang := -O1 -g
OPT := $(OPT_$(FLAVOUR))
# No contraction: the rounding bounds are proved for separate operations.
CFLAGS_ALL = -std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off $(WARN) \
    $(OPT) $(CFLAGS)
CPPFLAGS_ALL = -Iinclude -Isrc $(CPPFLAGS)
LIBS := -lsundials_cvode -lsundials_ida -lsundials_nvecserial \
    -lsundials_sunmatrixdense -lsundials_sunlinsoldense \
    -lflint -lmpfr -lgmp -llapacke -llapack -lblas -lpthread -lm

LIB_SRC := $(filter-out src/cli/%,$(wildcard src/*/*.c))
CLI_SRC := $(wildcard src/cli/*.c)
TEST_SRC := $(wildcard tests/*.c)
BENCH_SRC := $(wildcard bench/*.c)
FUZZ_SRC := $(wildcard tests/fuzz/*.c)
OBJ = $(patsubst %.c,$(B)/%.o,$(1))

.PHONY: help all demo check golden asan cover fuzz bench lint format install \
    uninstall clean deps test

all: deps
	@$(MAKE) $(SUB) $(B)/darc $(B)/libdarc.a

help:
	@echo "all demo check golden asan cover fuzz bench lint format install clean"

# Install what is missing, as root or by sudo; otherwise say what to install.
deps:
	@missing=; for p in $(NEED); do \
	    dpkg-query -W -f '$${Status}' $$p 2>/dev/null | \
	        grep -q 'ok installed' || missing="$$missing $$p"; done; \
	[ -z "$$missing" ] && exit 0; \
	run=; [ "$$(id -u)" = 0 ] || run=sudo; \
	if [ -n "$$run" ] && ! sudo -n true 2>/dev/null && ! [ -t 0 ]; then \
	    echo "darc needs these packages: apt-get install$$missing" >&2; \
	    exit 1; fi; \
	echo "installing:$$missing"; \
	$$run apt-get update -qq && \
	$$run env DEBIAN_FRONTEND=noninteractive \
	    apt-get install -y -qq --no-install-recommends $$missing >/dev/null

$(B)/%.o: %.c
	@mkdir -p $(@D); echo "cc $@"
	@$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

$(B)/libdarc.a: $(call OBJ,$(LIB_SRC))
	@rm -f $@; echo "ar $@"
	@ar rcs $@ $^

$(B)/darc: $(call OBJ,$(CLI_SRC)) $(B)/libdarc.a
	@echo "ld $@"
	@$(CC) $(OPT) $(LDFLAGS) $^ $(LIBS) -o $@

$(B)/test: $(call OBJ,$(TEST_SRC)) $(B)/libdarc.a
	@echo "ld $@"
	@$(CC) $(OPT) $(LDFLAGS) $^ $$(pkg-config --libs check) $(LIBS) -o $@

$(B)/bench_%: $(B)/bench/bench_%.o $(B)/libdarc.a
	@echo "ld $@"
	@$(CC) $(OPT) $(LDFLAGS) $^ $(LIBS) -o $@

-include $(patsubst %.o,%.d,$(call OBJ,$(LIB_SRC) $(CLI_SRC) $(TEST_SRC) \
    $(BENCH_SRC) $(FUZZ_SRC)))

demo: all
	@$(B)/darc demo

# All suites; fuzz seeds and golden cases are replayed by suites of their own.
check: NEED = $(PACKAGES) $(PACKAGES_CHECK)
check: deps
	@$(MAKE) $(SUB) FLAVOUR=debug test

test: $(B)/test $(B)/darc
	DARC=$(B)/darc $(B)/test $(SUITE)

# Show where chain.txt of systems/ and what darc computes now differ.
golden: NEED = $(PACKAGES) $(PACKAGES_CHECK)
golden: deps
	@$(MAKE) $(SUB) FLAVOUR=debug SUITE=golden test

asan: NEED = $(PACKAGES) $(PACKAGES_CHECK) $(PACKAGES_LINT)
asan: deps
	@CK_FORK=no CK_DEFAULT_TIMEOUT=0 ASAN_OPTIONS=detect_leaks=1 \
	    UBSAN_OPTIONS=print_stacktrace=1 \
	    $(MAKE) $(SUB) FLAVOUR=asan test

cover: NEED = $(PACKAGES) $(PACKAGES_CHECK)
cover: deps
	@CK_FORK=no $(MAKE) $(SUB) FLAVOUR=cover test
	@gcov -o build/cover/src/algebra build/cover/src/*/*.gcda 2>/dev/null | \
	    awk '/^File .src/ {f = $$2} /^Lines/ && f {print $$2, f; f = ""}' | \
	    sort -t: -k2 -n; rm -f *.gcov

# make fuzz FUZZ=model TIME=60 SEED=7; without FUZZ every harness in turn.
FUZZ ?= $(patsubst tests/fuzz/fuzz_%.c,%,$(FUZZ_SRC))
TIME ?= 60
SEED ?= 1
fuzz: NEED = $(PACKAGES) $(PACKAGES_LINT)
fuzz: deps
	@for f in $(FUZZ); do \
	    $(MAKE) $(SUB) FLAVOUR=fuzz CC=clang \
	        build/fuzz/fuzz_$$f && mkdir -p build/fuzz/corpus_$$f && \
	    echo "fuzz $$f" && \
	    { build/fuzz/fuzz_$$f -max_total_time=$(TIME) -seed=$(SEED) -timeout=10 \
	        -rss_limit_mb=4096 -print_final_stats=1 -verbosity=0 \
	        -artifact_prefix=build/fuzz/ build/fuzz/corpus_$$f \
	        $$(cat tests/fuzz/seeds_$$f 2>/dev/null) \
	        > build/fuzz/log_$$f 2>&1 || \
	        { tail -60 build/fuzz/log_$$f; exit 1; }; } && \
	    grep number_of_executed build/fuzz/log_$$f || exit 1; done

build/fuzz/fuzz_%: build/fuzz/tests/fuzz/fuzz_%.o build/fuzz/libdarc.a
	@echo "ld $@"
	@$(CC) -fsanitize=fuzzer,address,undefined $^ $(LIBS) -o $@

# make bench BENCH=csv; without BENCH every benchmark in turn.
BENCH ?= $(patsubst bench/bench_%.c,%,$(BENCH_SRC))
bench: all
	@for b in $(BENCH); do \
	    $(MAKE) -s --no-print-directory $(B)/bench_$$b $(B)/darc && \
	    echo "# $$b" && DARC=$(B)/darc $(B)/bench_$$b || exit 1; done

SOURCES = $(wildcard src/*/*.[ch] include/*.h include/darc/*.h tests/*.[ch] \
    tests/fuzz/*.[ch] bench/*.[ch])
format:
	clang-format -i $(SOURCES)

lint: NEED = $(PACKAGES) $(PACKAGES_CHECK) $(PACKAGES_LINT)
lint: deps
	@clang-format --dry-run -Werror $(SOURCES)
	@$(MAKE) $(SUB) $(B)/libdarc.a
	@.ci/lint $(B)/libdarc.a
	@echo "clang-tidy"; printf '%s\n' $(wildcard src/*/*.c) | \
	    xargs -P $$(nproc) -I{} clang-tidy --quiet {} -- -std=c11 \
	    -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc 2>/dev/null
	@echo "gcc -fanalyzer"; printf '%s\n' $(wildcard src/*/*.c) | \
	    xargs -P $$(nproc) -I{} gcc $(CPPFLAGS_ALL) -std=c11 \
	    -D_POSIX_C_SOURCE=200809L -O1 -fanalyzer \
	    -Wno-stringop-overread -Werror -c {} -o /dev/null

install: all
	install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(PREFIX)/lib/pkgconfig \
	    $(DESTDIR)$(PREFIX)/include/darc $(DESTDIR)$(PREFIX)/share/darc
	install $(B)/darc $(DESTDIR)$(PREFIX)/bin
	install -m 644 $(B)/libdarc.a $(DESTDIR)$(PREFIX)/lib
	install -m 644 include/darc.h $(DESTDIR)$(PREFIX)/include
	install -m 644 include/darc/*.h $(DESTDIR)$(PREFIX)/include/darc
	cp -r systems $(DESTDIR)$(PREFIX)/share/darc/
	rm -rf $(DESTDIR)$(PREFIX)/share/darc/systems/broken*
	printf '%s\n' 'prefix=$(PREFIX)' 'Name: darc' \
	    'Description: differential-algebra residual checker' \
	    'Version: 0.1.0' 'Cflags: -I$${prefix}/include' \
	    'Libs: -L$${prefix}/lib -ldarc $(LIBS)' \
	    > $(DESTDIR)$(PREFIX)/lib/pkgconfig/darc.pc

uninstall:
	rm -rf $(DESTDIR)$(PREFIX)/bin/darc $(DESTDIR)$(PREFIX)/lib/libdarc.a \
	    $(DESTDIR)$(PREFIX)/include/darc.h \
	    $(DESTDIR)$(PREFIX)/include/darc $(DESTDIR)$(PREFIX)/share/darc \
	    $(DESTDIR)$(PREFIX)/lib/pkgconfig/darc.pc

clean:
	rm -rf build
