# darc - build, test, demo.  `make help` lists the targets.
#
# Objects go to build/FLAVOUR/; FLAVOUR is release, debug, asan, tsan, cover or
# fuzz.

VERSION := $(shell sed -n 's/^#define DARC_VERSION "\(.*\)"/\1/p' include/darc.h)
SONAME := libdarc.so.1

PREFIX ?= /usr/local
CC ?= cc
FLAVOUR ?= release
B := build/$(FLAVOUR)

# Sub-makes use all cores unless the caller gave a -j.
JOBS = $(if $(findstring -j,$(MAKEFLAGS)),,-j$$(nproc))
SUB = --no-print-directory $(JOBS)

# Debian packages: to build and run, to test, to lint.  Nothing else is needed.
PACKAGES := gcc make pkg-config libc6-dev libflint-dev libgmp-dev libmpfr-dev \
    libsundials-dev liblapack-dev liblapacke-dev libblas-dev libhdf5-dev \
    zlib1g-dev libexpat1-dev libsqlite3-dev libudunits2-0
PACKAGES_CHECK := check g++ python3 python3-numpy python3-scipy python3-h5py \
    python3-pandas
# For campaigns on many machines: what fleet-rank is built with.  Not
# installed unasked.
PACKAGES_FLEET := libopenmpi-dev openmpi-bin
PACKAGES_LINT := clang clang-format clang-tidy libclang-rt-dev binutils \
    universal-ctags mypy
PACKAGES_DEB := dpkg-dev lintian
NEED = $(PACKAGES)

# Sanitizers make compilers warn of what is not there.
WERROR_release := -Werror
WERROR_debug := -Werror
WARN := -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes \
    -Wmissing-prototypes -Wvla $(if $(CI),$(WERROR_$(FLAVOUR)))
# gcc takes jet->names, the first member of a jet, for the whole of it.
WARN += -Wno-stringop-overread -Wno-unknown-warning-option
# The same objects serve the static and the shared library.  Lengths and the
# stack are checked, and no path of the machine gets in (.ci/hardened).
OPT_release := -O3 -DNDEBUG -fPIC -fno-semantic-interposition \
    -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 \
    -ffile-prefix-map=$(CURDIR)=.
LINK_release := -pie -Wl,-z,relro,-z,now,-z,noexecstack
OPT_debug := -O1 -g
# Assertions stay; of the rooms where suites spend their time loops are faster.
FAST_debug := -O3
FAST := stats noise derive weak fit terms simulate
OPT_asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all \
    -fno-omit-frame-pointer -Wno-stringop-overflow -Wno-format-truncation
OPT_tsan := -O1 -g -fsanitize=thread
OPT_cover := -O0 -g --coverage
OPT_fuzz := -O1 -g -fsanitize=fuzzer-no-link,address,undefined \
    -fno-sanitize-recover=all
OPT := $(OPT_$(FLAVOUR))
# No contraction: the rounding bounds are proved for separate operations.
CFLAGS_ALL = -std=c11 -D_POSIX_C_SOURCE=200809L -ffp-contract=off $(WARN) \
    $(OPT) $(FASTER) $(CFLAGS)

# SUNDIALS 7 has a core library, and Debian builds it with MPI.
SUNDIALS_CORE := $(if $(findstring /,$(shell $(CC) \
    -print-file-name=libsundials_core.so 2>/dev/null)),-lsundials_core)
MPI := $(if $(SUNDIALS_CORE),$(shell \
    printf '\043include <sundials/sundials_config.h>\n' | $(CC) -E -dM - 2>/dev/null | grep -q 'SUNDIALS_MPI_ENABLED 1' && \
    echo mpi-c))
MPI_CFLAGS := $(if $(MPI),$(shell pkg-config --cflags $(MPI)))
MPI_LIBS := $(if $(MPI),$(shell pkg-config --libs $(MPI)))
# A rank of a fleet is a program of its own, too: without MPI it says so.
FLEET := $(shell pkg-config --exists mpi-c 2>/dev/null && echo mpi-c)
FLEET_CFLAGS := $(if $(FLEET),-DDARC_MPI $(patsubst -I%,-isystem %,$(shell pkg-config --cflags $(FLEET))))
FLEET_LIBS := $(if $(FLEET),$(shell pkg-config --libs $(FLEET)))
HDF5_CFLAGS := $(shell pkg-config --cflags hdf5-serial 2>/dev/null)
HDF5_LIBS := $(shell pkg-config --libs hdf5-serial 2>/dev/null)
CPPFLAGS_ALL = -Iinclude -Isrc -I$(B) $(MPI_CFLAGS) $(CPPFLAGS)
# Of libraries of thousands of small functions the few that are called are taken
# into the program, where there are archives: it starts a millisecond sooner.
archives = $(foreach l,$(1),$(if $(findstring /,$(shell $(CC) \
    -print-file-name=lib$(l).a 2>/dev/null)),-l:lib$(l).a,-l$(l)))
# LAPACK with the BLAS of its authors, as archives: the same results everywhere.
# What other packages put in their places has threads, sums as the processor
# likes it, and takes memory for both.
REFERENCE := /usr/lib/$(shell $(CC) -print-multiarch 2>/dev/null)
LAPACK := $(wildcard $(REFERENCE)/lapack/liblapack.a $(REFERENCE)/blas/libblas.a)
LAPACK := $(if $(word 2,$(LAPACK)),$(LAPACK) -l:libgfortran.so.5,-llapack -lblas)
LIBS := $(call archives,sundials_cvode sundials_ida sundials_nvecserial \
    sundials_sunmatrixdense sundials_sunlinsoldense) \
    $(SUNDIALS_CORE) $(MPI_LIBS) -lsqlite3 -lexpat -lz \
    -lflint -lmpfr -lgmp $(call archives,lapacke) $(LAPACK) -lpthread -lm

# The loader binds every function of a library, called or not: half of what the
# smallest command takes.  A shared library cannot take in all archives; and what
# libgfortran does as it is loaded ends a program that lacks memory.
FLINT := $(call archives,flint)
PROGRAM_LIBS := $(patsubst -lsqlite3,$(call archives,sqlite3),$(if $(filter %.a,$(FLINT)),\
    $(patsubst -lflint,$(call archives,flint mpfr gmp),$(LIBS)),$(LIBS)))
ARCHIVES = $(filter %.a,$(PROGRAM_LIBS))

LIB_SRC := $(filter-out src/commands/%,$(wildcard src/*/*.c))
# What reads foreign bytes are programs of their own; one links libhdf5, and
# what comes with it.
READERS := read-hdf5 read-arrays fleet-rank
READER_SRC := $(addprefix src/commands/,read_hdf5.c hdf5_arrays.c read_arrays.c sheets.c serial.c \
    serve.c fleet_rank.c)
CLI_SRC := $(filter-out $(READER_SRC),$(wildcard src/commands/*.c))
SUITE_SRC := $(sort $(wildcard tests/*/test_*.c))
TEST_SRC := $(wildcard tests/*.c) $(SUITE_SRC)
BENCH_SRC := $(wildcard bench/*.c)
FUZZ_SRC := $(wildcard tests/fuzz/*.c)
OBJ = $(patsubst %.c,$(B)/%.o,$(1))

.PHONY: always help all demo check golden asan tsan valgrind cover fuzz torture bench lint format install \
    installcheck install-texts uninstall deb wheel sdist dist symbols clean deps test rules tidy analyse reproducible

all: deps
	@$(MAKE) $(SUB) $(B)/darc $(B)/libdarc.a

help:
	@echo "all demo check golden asan tsan valgrind cover fuzz torture bench lint format install" \
	    "installcheck uninstall deb wheel sdist dist symbols clean"

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

# Bytes as numbers for a C array.
BYTES = od -An -v -tu1 | sed 's/ *\([0-9][0-9]*\)/\1,/g'

# The manual: a row {name, title, text} a file of src/manual, written only when
# it changes.  `darc help TOPIC` shows it.
MANUAL := $(sort $(wildcard src/manual/*.md))
TOPICS := $(patsubst src/manual/%.md,%,$(MANUAL))
$(B)/manual.inc: always
	@mkdir -p $(@D); for t in $(TOPICS); do f=src/manual/$$t.md; \
	    echo "{\"$$t\", (const char[]){"; \
	    sed -n '1s/^# //p' $$f | tr -d '\n' | $(BYTES); \
	    echo '0}, (const char[]){'; sed 1,2d $$f | $(BYTES); \
	    echo '0}},'; done > $@.tmp
	@cmp -s $@.tmp $@ || cp $@.tmp $@; rm -f $@.tmp

$(B)/src/commands/command.o: $(B)/manual.inc

# Of the one description of reports: the schema, what darc_json_put writes, and
# types in Python.
$(B)/described.inc: src/manual/json.md src/emit/describe.awk
	@mkdir -p $(@D); awk -v make=formats -f src/emit/describe.awk $< > $@
$(B)/schema.inc: src/manual/json.md src/emit/describe.awk
	@mkdir -p $(@D); awk -v make=schema -f src/emit/describe.awk $< | $(BYTES) > $@
$(B)/_described.py: src/manual/json.md src/emit/describe.awk
	@mkdir -p $(@D); awk -v make=python -f src/emit/describe.awk $< > $@
$(B)/src/commands/help.o: $(B)/schema.inc

# The commands, and the options, of their tables.
$(B)/commands.inc $(B)/options.inc: $(B)/%.inc: src/session/%.txt src/session/%.awk
	@mkdir -p $(@D); awk -f src/session/$*.awk $< > $@

# The words of loggers, likewise.
$(B)/words.inc: src/files/words.txt src/files/words.awk
	@mkdir -p $(@D); awk -f src/files/words.awk $< > $@

# What files begin with.
$(B)/signatures.inc: src/formats/signatures.txt src/formats/signatures.awk
	@mkdir -p $(@D); awk -f src/formats/signatures.awk $< > $@
$(B)/src/formats/recognise.o: $(B)/signatures.inc

# Statements of the database, in one line.
$(B)/%.sql.inc: src/archive/%.sql
	@mkdir -p $(@D); tr -d '\n' <$< | $(BYTES) > $@
$(B)/src/archive/archive.o: $(B)/schema.sql.inc
$(B)/src/archive/merge.o: $(B)/join.sql.inc

# What programs in C that darc writes carry.
CARRIED := $(addprefix $(B)/,determinant.txt.inc row_norms.txt.inc cofactors.txt.inc)
$(CARRIED): $(B)/%.inc: src/emit/%
	@mkdir -p $(@D); <$< $(BYTES) > $@
$(B)/src/emit/emit_code.o: $(CARRIED)

# What every page of --html carries, likewise.
PAGE := $(patsubst src/page/assets/%,$(B)/page/%.inc,$(wildcard src/page/assets/*))
$(B)/page/%.inc: src/page/assets/%
	@mkdir -p $(@D); <$< $(BYTES) | sed '$$s/,$$//' > $@.tmp
	@mv $@.tmp $@

$(B)/src/page/sheet.o: $(PAGE)

# The texts of pages.
$(B)/texts.inc: src/page/texts.html src/page/texts.awk
	@mkdir -p $(@D); awk -f src/page/texts.awk $< > $@

# The list of suites, one a test file; written only when it changes.
ROW = X($(notdir $(patsubst %/,%,$(dir $(1)))), $(patsubst test_%.c,%,$(notdir $(1))))
$(B)/suites.inc: always
	@mkdir -p $(@D); echo '#define DARC_SUITES(X) $(foreach f,$(SUITE_SRC),$(call ROW,$(f)))' > $@.tmp
	@cmp -s $@.tmp $@ || cp $@.tmp $@; rm -f $@.tmp

$(call OBJ,$(TEST_SRC)): $(B)/suites.inc
$(call OBJ,$(TEST_SRC)): CPPFLAGS += -Itests

$(call OBJ,$(wildcard $(FAST:%=src/%/*.c))): FASTER = $(FAST_$(FLAVOUR))

$(B)/%.o: %.c | $(addprefix $(B)/,described.inc commands.inc options.inc words.inc texts.inc)
	@mkdir -p $(@D); echo "cc $@"
	@$(CC) $(CPPFLAGS_ALL) $(CFLAGS_ALL) -MMD -MP -c $< -o $@

$(B)/libdarc.a: $(call OBJ,$(LIB_SRC))
	@rm -f $@; echo "ar $@"
	@ar rcs $@ $^

# Exactly the functions that include/ declares leave the shared library.
$(B)/libdarc.so.$(VERSION): $(call OBJ,$(LIB_SRC)) src/libdarc.map
	@echo "ld $@"
	@$(CC) -shared -Wl,-soname,$(SONAME) -Wl,-z,defs -Wl,--as-needed \
	    -Wl,--version-script=src/libdarc.map $(LDFLAGS) \
	    $(filter %.o,$^) $(LIBS) -o $@

symbols: all
	.ci/symbols $(B)/libdarc.a > src/libdarc.map

$(B)/darc: LIBS := $(PROGRAM_LIBS)
$(B)/darc: $(call OBJ,$(CLI_SRC)) $(B)/libdarc.a | $(READERS:%=$(B)/%)
	@echo "ld $@"
	@$(CC) $(OPT) $(LINK_$(FLAVOUR)) $(LDFLAGS) $^ $(LIBS) -o $@

$(call OBJ,$(READER_SRC)): CPPFLAGS += $(HDF5_CFLAGS)
$(B)/src/commands/fleet_rank.o: CPPFLAGS += $(FLEET_CFLAGS)
$(B)/fleet-rank: $(B)/src/commands/fleet_rank.o $(B)/libdarc.a
	@echo "ld $@"
	@$(CC) $(OPT) $(LINK_$(FLAVOUR)) $(LDFLAGS) $^ $(FLEET_LIBS) -lpthread -lm -o $@

$(B)/read-hdf5: LIBS := $(HDF5_LIBS) -lm
$(B)/read-hdf5: $(call OBJ,src/commands/hdf5_arrays.c)
$(B)/read-arrays: LIBS := -lexpat -lz -lm
$(B)/read-arrays: $(call OBJ,src/commands/sheets.c src/commands/serial.c)
$(B)/read-%: $(B)/src/commands/read_%.o $(B)/src/commands/serve.o $(B)/libdarc.a
	@echo "ld $@"
	@$(CC) $(OPT) $(LINK_$(FLAVOUR)) $(LDFLAGS) $(filter %.o,$^) \
	    $(B)/libdarc.a $(LIBS) -o $@

$(B)/test: $(call OBJ,$(TEST_SRC)) $(B)/libdarc.a | $(READERS:%=$(B)/%)
	@echo "ld $@"
	@$(CC) $(OPT) $(LDFLAGS) $^ $$(pkg-config --libs check) $(LIBS) -o $@

RANDOM := $(call OBJ,$(wildcard tests/random_[mrce]*.c tests/taylor.c))
$(B)/bench/bench_models.o: CPPFLAGS += -Itests
$(B)/bench_models: $(RANDOM)
$(B)/bench_%: $(B)/bench/bench_%.o $(B)/libdarc.a
	@echo "ld $@"
	@$(CC) $(OPT) $(LDFLAGS) $(filter %.o,$^) $(B)/libdarc.a $(LIBS) -o $@

-include $(patsubst %.o,%.d,$(call OBJ,$(LIB_SRC) $(CLI_SRC) $(READER_SRC) $(TEST_SRC) \
    $(BENCH_SRC) $(FUZZ_SRC)))

demo: all
	@$(B)/darc demo

# All suites; fuzz seeds and golden cases are replayed by suites of their own.
check: NEED = $(PACKAGES) $(PACKAGES_CHECK)
check: deps
	@$(MAKE) $(SUB) FLAVOUR=debug THEN='-- $(MAKE) $(SUB) installcheck' test

# make check ROOM=weak: the suites of one room; SUITE=gls: one suite; with a
# minus, all others.  PART=1/3: of those every third, from the first.
test: $(B)/test $(B)/darc
	@DARC=$(B)/darc PART=$(PART) .ci/suites $(B)/test $(SUITE) $(ROOM) $(THEN)

# Show where chain.txt of systems/ and what darc computes now differ.
golden: NEED = $(PACKAGES) $(PACKAGES_CHECK)
golden: deps
	@$(MAKE) $(SUB) FLAVOUR=debug SUITE=golden test

# What reads bytes or owns memory of many kinds.  Left out: rooms whose memory is
# FLINT's (algebra to relation) or plain columns (stats, noise, derive,
# pointwise), and suites that spend seconds on numbers (eight times as many
# here) and reach what others reach.  make asan ROOM=chain takes the rest.
ASAN := agree archive base commands data decide emit files fit formats library \
    model page report session simulate syntax terms weak \
    -disturbed -manual -wide
asan: NEED = $(PACKAGES) $(PACKAGES_CHECK) $(PACKAGES_LINT)
asan: deps
	@CK_FORK=no CK_DEFAULT_TIMEOUT=0 ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1 \
	    UBSAN_OPTIONS=print_stacktrace=1 \
	    $(MAKE) $(SUB) FLAVOUR=asan SUITE="$(or $(strip $(SUITE) $(ROOM)),$(ASAN))" ROOM= test

cover: NEED = $(PACKAGES) $(PACKAGES_CHECK)
cover: deps
	@CK_FORK=no $(MAKE) $(SUB) FLAVOUR=cover test
	@gcov -o build/cover/src/algebra build/cover/src/*/*.gcda 2>/dev/null | \
	    awk '/^File .src/ {f = $$2} /^Lines/ && f {print $$2, f; f = ""}' | \
	    sort -t: -k2 -n; rm -f *.gcov

# make fuzz FUZZ=model TIME=60 SEED=7; without FUZZ every harness in turn, but
# for hdf5: libhdf5 hangs on damaged files, for which it has a cage and an alarm.
FUZZ ?= $(filter-out hdf5,$(patsubst tests/fuzz/fuzz_%.c,%,$(FUZZ_SRC)))
TIME ?= 60
SEED ?= 1
fuzz: NEED = $(PACKAGES) $(PACKAGES_LINT)
fuzz: deps
	@$(MAKE) $(SUB) FLAVOUR=fuzz CC=clang $(FUZZ:%=build/fuzz/fuzz_%)
	@printf '%s\n' $(FUZZ) | xargs -P $$(nproc) -I{} sh -c ' \
	    mkdir -p build/fuzz/corpus_{}; \
	    build/fuzz/fuzz_{} -max_total_time=$(TIME) -seed=$(SEED) -timeout=10 \
	        -rss_limit_mb=4096 -print_final_stats=1 -verbosity=0 \
	        -artifact_prefix=build/fuzz/ build/fuzz/corpus_{} \
	        $$(cat tests/fuzz/seeds_{} 2>/dev/null) \
	        >build/fuzz/log_{} 2>&1 || \
	        { tail -60 build/fuzz/log_{}; exit 255; }; \
	    echo "{} $$(grep number_of_executed build/fuzz/log_{})"'

build/fuzz/fuzz_hdf5: build/fuzz/src/commands/hdf5_arrays.o
build/fuzz/fuzz_hdf5: LIBS += $(HDF5_LIBS)
build/fuzz/fuzz_xlsx: $(patsubst %,build/fuzz/src/commands/%.o,sheets serial)
build/fuzz/fuzz_%: build/fuzz/tests/fuzz/fuzz_%.o build/fuzz/libdarc.a
	@echo "ld $@"
	@$(CC) -fsanitize=fuzzer,address,undefined $(filter %.o,$^) \
	    $(filter %.a,$^) $(LIBS) -o $@

# make torture TIME=1800 SEED=7: calls fail one by one, runs are killed; in a
# program that uses the library, and its children, allocations fail.
$(B)/faults.so: tests/faults/shim.c
	@mkdir -p $(@D); echo "cc $@"
	@$(CC) -shared -fPIC -O1 $< -o $@ -ldl

$(B)/faults_library: tests/faults/library.c $(B)/libdarc.a
	@echo "ld $@"
	@$(CC) -Iinclude $(OPT) $(LDFLAGS) $^ $(LIBS) -o $@

torture: NEED = $(PACKAGES) $(PACKAGES_CHECK)
torture: deps
	@$(MAKE) $(SUB) FLAVOUR=debug build/debug/darc build/debug/faults.so \
	    build/debug/faults_library
	@build/debug/faults_library $$((10 + $(TIME) / 4)) $(SEED)
	@python3 tests/faults/torture.py build/debug/darc build/debug/faults.so \
	    $(TIME) $(SEED)

# Threads under ThreadSanitizer: a campaign, isolate, sums, readers, sessions on
# one model.
TSAN := parallel drift isolate library session caged arrayfile
tsan: NEED = $(PACKAGES) $(PACKAGES_CHECK)
tsan: deps
	@CK_FORK=no CK_DEFAULT_TIMEOUT=0 TSAN_OPTIONS="halt_on_error=1 \
	    report_signal_unsafe=0 die_after_fork=0" $(MAKE) $(SUB) FLAVOUR=tsan \
	    SUITE="$(or $(strip $(SUITE) $(ROOM)),$(TSAN))" ROOM= test

# What owns memory and reads bytes, under valgrind; what libraries keep to the end
# is no leak.
VALGRIND := text status number units scratch budget store arrayfile
valgrind: NEED = $(PACKAGES) $(PACKAGES_CHECK) valgrind
valgrind: deps
	@$(MAKE) $(SUB) FLAVOUR=debug \
	    build/debug/test build/debug/darc
	@CK_FORK=no CK_DEFAULT_TIMEOUT=0 DARC=build/debug/darc valgrind -q \
	    --error-exitcode=9 --leak-check=full --show-leak-kinds=definite \
	    --errors-for-leak-kinds=definite build/debug/test $(or $(SUITE),$(VALGRIND))

# make bench BENCH=csv; without BENCH every benchmark in turn.
BENCH ?= $(patsubst bench/bench_%.c,%,$(BENCH_SRC))
bench: all
	@for b in $(BENCH); do \
	    $(MAKE) -s --no-print-directory $(B)/bench_$$b $(B)/darc && \
	    echo "# $$b" && DARC=$(B)/darc $(B)/bench_$$b $(ARGS) || exit 1; done

SOURCES = $(wildcard src/*/*.[ch] include/*.h include/darc/*.h tests/*.[ch] \
    tests/*/*.[ch] bench/*.[ch])
format:
	clang-format -i $(SOURCES)

lint:
	@for t in rules tidy analyse; do \
	    $(MAKE) $(SUB) $$t || exit 1; done

rules tidy analyse: NEED = $(PACKAGES) $(PACKAGES_CHECK) $(PACKAGES_LINT)
rules: deps
	@clang-format --dry-run -Werror $(SOURCES)
	@$(MAKE) $(SUB) $(B)/darc $(B)/_described.py
	@.ci/lint $(B)/libdarc.a
	@rm -rf build/typed; cp -r src/python build/typed; cp $(B)/_described.py build/typed/darc
	@mypy --strict --no-error-summary --cache-dir build/mypy build/typed/darc
	@[ $(FLAVOUR) != release ] || .ci/hardened $(addprefix $(B)/,darc $(READERS))
	@.ci/dependencies $(addprefix $(B)/,darc $(READERS)) $(ARCHIVES) >/dev/null

# clang's own analyser takes four times as long as all other checks together,
# and gcc's looks for the same: make tidy CHECKS= runs it, too.
CHECKS ?= '--checks=-clang-analyzer-*'
GENERATED := $(addprefix $(B)/,manual.inc described.inc schema.inc commands.inc options.inc words.inc texts.inc \
    signatures.inc schema.sql.inc join.sql.inc) $(CARRIED) $(PAGE)
EACH = printf '%s\n' $(wildcard src/*/*.c) | xargs -P $$(nproc) -I{}
tidy: deps $(GENERATED)
	@echo clang-tidy; $(EACH) clang-tidy --quiet $(CHECKS) {} -- -std=c11 \
	    -D_POSIX_C_SOURCE=200809L $(CPPFLAGS_ALL) $(HDF5_CFLAGS) $(FLEET_CFLAGS) 2>/dev/null

analyse: deps $(GENERATED)
	@echo gcc -fanalyzer; $(EACH) gcc $(CPPFLAGS_ALL) $(HDF5_CFLAGS) $(FLEET_CFLAGS) -std=c11 \
	    -D_POSIX_C_SOURCE=200809L -O1 -fanalyzer \
	    -Wno-stringop-overread -Werror -c {} -o /dev/null

D = $(DESTDIR)$(PREFIX)
LIBDIR ?= lib
# The Python that Debian's packages are for, and where it looks under a prefix.
export PYTHON3 ?= $(firstword $(wildcard /usr/bin/python3) python3)
PYTHONDIR ?= lib/python$(if $(filter /usr,$(PREFIX)),3,$(shell $(PYTHON3) -c \
    'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || echo 3))/dist-packages
COMMANDS = $$(sed -n 's/^\([a-z]*\) | .*/\1/p' src/session/commands.txt)

install: all build/darc.pc
	@$(MAKE) $(SUB) $(B)/libdarc.so.$(VERSION) $(B)/_described.py
	install -d $D/bin $D/$(LIBDIR)/pkgconfig $D/include/darc $D/share/darc
	install $(B)/darc $D/bin
	install -d $D/libexec/darc
	install $(READERS:%=$(B)/%) $D/libexec/darc
	install -m 644 $(B)/libdarc.a $(B)/libdarc.so.$(VERSION) $D/$(LIBDIR)
	ln -sf libdarc.so.$(VERSION) $D/$(LIBDIR)/$(SONAME)
	ln -sf $(SONAME) $D/$(LIBDIR)/libdarc.so
	install -m 644 build/darc.pc $D/$(LIBDIR)/pkgconfig
	install -d $D/$(PYTHONDIR)/darc $D/share/darc/matlab
	install -m 644 src/python/darc/*.py $(B)/_described.py src/python/darc/py.typed \
	    $D/$(PYTHONDIR)/darc
	install -m 644 src/matlab/darc.m $D/share/darc/matlab
	install -m 644 include/darc.h $D/include
	install -m 644 include/darc/*.h $D/include/darc
	@$(MAKE) $(SUB) install-texts D=$D
	-command -v dpkg-query >/dev/null && .ci/dependencies \
	    $(addprefix $(B)/,darc $(READERS)) $(ARCHIVES) > $D/share/doc/darc/darc.spdx

# Manual pages, completions, examples, systems: what reads alike everywhere.
install-texts: MAN = awk -v version=$(VERSION) -f src/commands/man.awk
install-texts:
	install -d $D/share/man/man1 $D/share/man/man7 \
	    $D/share/bash-completion/completions $D/share/zsh/site-functions \
	    $D/share/fish/vendor_completions.d $D/share/doc/darc/examples $D/share/darc
	$(B)/darc --help | $(MAN) -v name= > $D/share/man/man1/darc.1
	for c in $(COMMANDS); do \
	    $(B)/darc help $$c | $(MAN) -v name=$$c > $D/share/man/man1/darc-$$c.1 || exit 1; done
	for t in $(TOPICS); do \
	    $(B)/darc help $$t | $(MAN) -v name=$$t > $D/share/man/man7/darc-$$t.7 || exit 1; done
	install -m 644 src/commands/shells/darc.bash \
	    $D/share/bash-completion/completions/darc
	install -m 644 src/commands/shells/_darc $D/share/zsh/site-functions
	install -m 644 src/commands/shells/darc.fish \
	    $D/share/fish/vendor_completions.d
	install -m 644 tests/examples/* README.md LICENSE $D/share/doc/darc/examples
	mv $D/share/doc/darc/examples/*[DE] $D/share/doc/darc/examples/*.md \
	    $D/share/doc/darc
	cp -r systems $D/share/darc/
	rm -rf $D/share/darc/systems/broken*

build/darc.pc: Makefile include/darc.h
	@mkdir -p build; printf '%s\n' 'prefix=$(PREFIX)' \
	    'libdir=$${prefix}/$(LIBDIR)' 'Name: darc' \
	    'Description: differential-algebra residual checker' \
	    'Version: $(VERSION)' 'Cflags: -I$${prefix}/include' \
	    'Libs: -L$${libdir} -ldarc' 'Libs.private: $(LIBS)' > $@

uninstall:
	rm -rf $D/bin/darc $D/libexec/darc $D/$(LIBDIR)/libdarc.* $D/$(LIBDIR)/pkgconfig/darc.pc \
	    $D/include/darc.h $D/include/darc $D/share/darc $D/share/doc/darc \
	    $D/$(PYTHONDIR)/darc \
	    $D/share/man/man1/darc.1 $D/share/man/man1/darc-*.1 \
	    $D/share/man/man7/darc-*.7 \
	    $D/share/bash-completion/completions/darc \
	    $D/share/zsh/site-functions/_darc \
	    $D/share/fish/vendor_completions.d/darc.fish

# Install into build/root and use what lies there, as a user would.
installcheck: NEED = $(PACKAGES) $(PACKAGES_CHECK)
installcheck: deps
	@rm -rf build/root build/darc.pc
	@$(MAKE) $(SUB) FLAVOUR=release PREFIX=$(CURDIR)/build/root install \
	    >build/install.log || { cat build/install.log; exit 1; }
	@rm -f build/darc.pc; .ci/installed build/root

# Debian packages of the program, the library and its headers.
deb: NEED = $(PACKAGES) $(PACKAGES_DEB)
deb: deps
	@rm -rf build/deb build/darc.pc
	@$(MAKE) $(SUB) FLAVOUR=release PREFIX=/usr DESTDIR=$(CURDIR)/build/deb/root \
	    LIBDIR=lib/$$(gcc -print-multiarch) install >build/install.log
	@rm -f build/darc.pc; .ci/deb build/deb $(VERSION) $(ARCHIVES)

# A wheel for Python that needs nothing of its host but NumPy: FLINT is linked in
# (make dist builds it, once), all other libraries come along.  NATIVE=yes: one
# for machines like this one, which takes a minute.
PACKAGES_WHEEL := python3-numpy python3-setuptools python3-wheel patchelf binutils
wheel: NEED = $(PACKAGES) $(PACKAGES_WHEEL) $(PACKAGES_DIST)
wheel: deps
ifdef NATIVE
	@$(MAKE) $(SUB) FLAVOUR=release build/release/libdarc.so.$(VERSION) \
	    $(addprefix build/release/,$(READERS))
	@.ci/wheel build/wheel build/release/libdarc.so.$(VERSION) \
	    $(addprefix build/release/,$(READERS))
else
	@.ci/archive build/dist $(VERSION) libdarc.so.$(VERSION)
	@.ci/wheel --carry build/wheel build/dist/objects/libdarc.so.$(VERSION) \
	    $(addprefix build/dist/objects/,$(filter read-%,$(READERS)))
endif

# The sources as Python's tools take them; built and installed by them, too, where
# the packages of README are there.
S := build/sdist/darc-$(VERSION)
sdist: NEED = $(PACKAGES) $(PACKAGES_WHEEL)
sdist: deps
	@rm -rf build/sdist; mkdir -p $S
	@git archive HEAD | tar -x -C $S
	@cp $S/src/python/setup.py $S; printf 'graft *\nprune build\n' > $S/MANIFEST.in
	@sed 's|^packages = .*|&\npackage-dir = {"" = "src/python"}|; s|"python.md"|"src/manual/python.md"|' \
	    $S/src/python/pyproject.toml > $S/pyproject.toml
	@cd $S && $(PYTHON3) -c "from setuptools import build_meta as b; b.build_sdist('..')" \
	    >../log 2>&1 || { cat ../log; exit 1; }
	@ls build/sdist/*.tar.gz

# One file for any Linux, with all that it needs inside (.ci/archive); the
# first time FLINT and HDF5 are built for it.  .ci/dist tries what came of it.
PACKAGES_DIST := dpkg-dev xz-utils libexpat1-dev
dist: NEED = $(PACKAGES) $(PACKAGES_DIST)
dist: deps
	@.ci/archive build/dist $(VERSION)

print-%:
	@echo $($*)

# Two builds of what is committed, in two folders, are equal to the byte.
reproducible: deps
	@rm -rf build/twice; for i in 1 22; do \
	    mkdir -p build/twice/$$i && git archive HEAD | tar -x -C build/twice/$$i && \
	    $(MAKE) $(SUB) -C build/twice/$$i CI= FLAVOUR=release build/release/darc \
	        build/release/libdarc.so.$(VERSION) >build/twice/$$i.log || exit 1; done
	@for f in darc $(READERS) libdarc.a libdarc.so.$(VERSION); do \
	    cmp build/twice/1/build/release/$$f build/twice/22/build/release/$$f \
	        || exit 1; done; echo reproducible

clean:
	rm -rf build
