/* The programs that read foreign files, and what becomes of darc when they
 * fail. */
#include "tests.h"

#include "base/scratch.h"
#include "data/reader.h"
#include "data/table.h"
#include "program.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static darc_err err;

/* Write the files once; NULL where a package is missing. */
static const char *folder(void)
{
    static int made = -1;
    const char *dir = program_directory();
    char line[1024];
    snprintf(line, sizeof line,
             "for p in /usr/bin/python3 python3; do $p -c 'import numpy, "
             "scipy, h5py' 2>/dev/null && exec $p tests/formats.py %s; done; "
             "exit 1",
             dir);
    if (made < 0 && system(line) != 0)
        fprintf(stderr, "skipped: formats need numpy, scipy and h5py\n");
    made = made < 0 ? access(dir, F_OK) == 0 : made;
    snprintf(line, sizeof line, "%s/plain.h5", dir);
    return access(line, R_OK) == 0 ? dir : NULL;
}

static darc_status load(const char *name, const char *column)
{
    char file[1024];
    darc_load_options o;
    darc_table *t = NULL;
    darc_load_options_init(&o);
    o.rate = 1000;
    darc_err_init(&err);
    snprintf(file, sizeof file, "%s/%s", folder(), name);
    darc_status status = darc_table_load(&t, file, &o, &err);
    if (status == DARC_OK)
        ck_assert_msg((darc_table_find(t, column) >= 0) == (column[0] != '-'),
                      "%s", column);
    darc_table_free(t);
    return status;
}

/* Values of a file that nobody named are not read. */
START_TEST(other_files_are_not_read)
{
    static const char *const names[] = {"external.h5:x", "virtual.h5:x"};
    if (folder() == NULL)
        return;
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(load(names[i], "x"), DARC_DATA);
        ck_assert_msg(strstr(err.message, "in other files") != NULL, "%s",
                      err.message);
    }
    ck_assert_int_eq(load("external.h5", "y"), DARC_OK);
    ck_assert_int_eq(load("plain.h5", "x"), DARC_OK);
}
END_TEST

START_TEST(a_claim_of_many_rows_is_refused)
{
    if (folder() == NULL)
        return;
    ck_assert_int_eq(load("huge.h5", "x"), DARC_DATA);
    ck_assert_msg(strstr(err.message, "longer than the file") != NULL, "%s",
                  err.message);
}
END_TEST

/* A program in the place of the reader. */
static void instead(const char *script)
{
    char path[300];
    snprintf(path, sizeof path, "%s/libexec", program_directory());
    mkdir(path, 0755);
    setenv("DARC_LIBEXEC", path, 1);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/libexec/read-%s", program_directory(),
                 i == 0 ? "hdf5" : "arrays");
        FILE *f = fopen(path, "w");
        ck_assert_ptr_nonnull(f);
        fprintf(f, "#!/bin/sh\n%s\n", script);
        fclose(f);
        ck_assert_int_eq(chmod(path, 0755), 0);
    }
}

/* Nothing of this is a fact of the file: none is DARC_DATA. */
START_TEST(a_reader_that_fails_is_no_damage)
{
    static const struct {
        const char *script, *says;
    } cases[] = {
        {"kill -9 $$", "signal 9"},
        {"kill -6 $$", "signal 6"},
        {"kill -7 $$", "its disk fails"},
        {"exit 5", "code 5"},
        {"head -c 8 /dev/zero >&4", "code 0"},
        {"head -c 16 /dev/zero >&4", "cannot be"},
        {"printf '\\0\\0\\0\\0\\0\\0\\0\\0\\4\\0\\0\\0\\0\\0\\0\\0////' >&4",
         "cannot be"},
        {"printf '\\0\\0\\0\\0\\0\\0\\0\\0\\377\\377\\377\\377\\377\\377\\377"
         "\\377' >&4",
         "cannot be"},
        {"printf '\\3\\0\\0\\0\\0\\0\\0\\0\\377\\377\\377\\377\\377\\377\\377"
         "\\377' >&4",
         "cannot be"},
    };
    if (folder() == NULL)
        return;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        instead(cases[i].script);
        ck_assert_int_eq(load(i % 2 ? "plain.h5" : "v5.mat", "x"), DARC_IO);
        ck_assert_msg(strstr(err.message, cases[i].says) != NULL, "%zu: %s", i,
                      err.message);
    }
    setenv("DARC_LIBEXEC", "/nowhere", 1);
    ck_assert_int_eq(load("plain.h5", "x"), DARC_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "is missing"));
    unsetenv("DARC_LIBEXEC");
    ck_assert_int_eq(load("plain.h5", "x"), DARC_OK);
}
END_TEST

/* Bytes that are inflated go to a temporary file, which has its own limit. */
START_TEST(the_cage_has_a_temporary_file)
{
    if (folder() == NULL)
        return;
    ck_assert_msg(load("long.mat", "x") == DARC_OK, "%s", err.message);
    setenv("TMPDIR", "/nowhere", 1);
    ck_assert_int_eq(load("long.mat", "x"), DARC_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "'/nowhere': No such file"));
    ck_assert_int_eq(load("v7.mat", "x"), DARC_OK); /* needs none */
    unsetenv("TMPDIR");
    darc_scratch_limit(1 << 20);
    ck_assert_int_eq(load("long.mat", "x"), DARC_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "--disk"));
    darc_scratch_limit(0);
}
END_TEST

/* That the reader lacks memory is no fact of the file. */
START_TEST(lack_of_memory_is_told)
{
    char script[600], darc[300];
    if (folder() == NULL)
        return;
    snprintf(darc, sizeof darc, "%s", getenv("DARC"));
    *strrchr(darc, '/') = '\0';
    snprintf(script, sizeof script,
             "ulimit -d 3000; exec %s/$(basename $0) \"$@\"", darc);
    instead(script);
    ck_assert_msg(load("long.npz", "x") == DARC_LIMIT, "%s", err.message);
    ck_assert_ptr_nonnull(strstr(err.message, "--memory"));
    unsetenv("DARC_LIBEXEC");
    ck_assert_int_eq(load("long.npz", "x"), DARC_OK);
}
END_TEST

static void *open_reader(void *where)
{
    char file[1024];
    darc_load_options o;
    darc_load_options_init(&o);
    snprintf(file, sizeof file, "%s/plain.h5", folder());
    ck_assert_int_eq(darc_reader_open(where, file, &o, NULL), DARC_OK);
    return NULL;
}

/* The thread that opened a file may end before it is read. */
START_TEST(a_thread_may_end)
{
    darc_reader *r = NULL;
    darc_block block;
    pthread_t thread;
    if (folder() == NULL)
        return;
    ck_assert_int_eq(pthread_create(&thread, NULL, open_reader, &r), 0);
    pthread_join(thread, NULL);
    ck_assert_int_eq(darc_reader_next(r, &block, NULL), DARC_OK);
    ck_assert_int_gt((int)block.samples, 0);
    darc_reader_close(r);
}
END_TEST

/* Nor what comes with it. */
START_TEST(the_main_program_links_no_hdf5)
{
    char line[1024];
    snprintf(line, sizeof line,
             "ldd %s | grep -E 'hdf5|curl|ssl|crypto' >/dev/null",
             getenv("DARC"));
    ck_assert_int_ne(system(line), 0);
}
END_TEST

Suite *suite_caged(void)
{
    Suite *s = suite_create("caged");
    TCase *c = tcase_create("caged");
    tcase_add_test(c, other_files_are_not_read);
    tcase_add_test(c, a_claim_of_many_rows_is_refused);
    tcase_add_test(c, a_reader_that_fails_is_no_damage);
    tcase_add_test(c, the_cage_has_a_temporary_file);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    tcase_add_test(c, lack_of_memory_is_told);
#else
    (void)lack_of_memory_is_told;
#endif
    tcase_add_test(c, a_thread_may_end);
    tcase_add_test(c, the_main_program_links_no_hdf5);
    suite_add_tcase(s, c);
    return s;
}
