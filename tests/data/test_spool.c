#include "tests.h"

#include "data/spool.h"
#include "data/table.h"
#include "fixture_quarter.h"
#include "pointwise/residual.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

START_TEST(columns_come_back_as_they_were)
{
    enum { N = 5000 };
    static double a[N], b[N];
    double *value[2];
    darc_spool *s;
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = -2.0 * i;
    }
    ck_assert_int_eq(darc_spool_new(&s, 2, NULL), DARC_OK);
    /* over the end of the first chunk, 2^22 values, in pieces */
    size_t rows = 0;
    for (; rows < ((size_t)1 << 22) + 3 * N; rows += N)
        ck_assert_int_eq(
            darc_spool_append(s, (const double *[]){a, b}, N, NULL), DARC_OK);
    ck_assert_int_eq(darc_spool_map(s, value, NULL), DARC_OK);
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < rows; i += 997)
            ck_assert(value[0][i] == (double)(i % N) &&
                      value[1][i] == -2.0 * (double)(i % N));
        darc_spool_done(s, 0, rows);
    }
    ck_assert(darc_spool_holds(s, value[1] + rows - 1));
    ck_assert(!darc_spool_holds(s, a));
    darc_spool_free(s);
}
END_TEST

/* Columns added to others are filled in any order. */
START_TEST(added_columns_are_filled_in_any_order)
{
    enum { N = 10000, PART = 1000 };
    static double a[N];
    double *value, *added[2];
    int column[2];
    darc_spool *s;
    for (int i = 0; i < N; i++)
        a[i] = i;
    ck_assert_int_eq(darc_spool_new(&s, 1, NULL), DARC_OK);
    ck_assert_int_eq(darc_spool_append(s, (const double *[]){a}, N, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_spool_map(s, &value, NULL), DARC_OK);
    for (int c = 0; c < 2; c++) {
        darc_spool_widen(s, &column[c]);
        for (int i = N - PART; i >= 0; i -= PART)
            ck_assert_int_eq(darc_spool_put(s, column[c], (size_t)i,
                                            a + (c == 0 ? i : N - PART - i),
                                            PART, NULL),
                             DARC_OK);
        ck_assert_int_eq(darc_spool_map_column(s, column[c], &added[c], NULL),
                         DARC_OK);
    }
    for (int i = 0; i < N; i++) {
        ck_assert(value[i] == i && added[0][i] == i);
        ck_assert(added[1][i] == N - PART - i / PART * PART + i % PART);
    }
    ck_assert(darc_spool_holds(s, added[1] + N - 1));
    darc_spool_free(s);
}
END_TEST

static void run_residual(darc_residual_series *series,
                         const darc_relation *relation, const quarter *q)
{
    const darc_table *tables[] = {&q->table, NULL};
    darc_diff_spec spec;
    darc_residual *r;
    darc_residual_errors errors[8];
    spec = (darc_diff_spec){.kind = DARC_DIFF_CENTRAL, .order = 4};
    ck_assert_int_eq(darc_residual_new(&r, relation, tables, &spec, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_residual_run(r, 3, NULL, errors, series, NULL),
                     DARC_OK);
    darc_residual_free(r);
}

/* Three groups of blocks in three segments, whose ends have bars of their
 * own. */
START_TEST(residuals_are_the_same_in_a_file)
{
    enum { N = 20000 };
    darc_segment pieces[] = {{0, 9001}, {9003, 9100}, {9101, N}};
    quarter_car car = quarter_car_default();
    darc_residual_series all, filed;
    darc_relation relation;
    quarter q;
    quarter_drive(&q, &car, N, 1e-3);
    quarter_relation(&relation, DARC_STRUCTURE, true);
    q.table.segment = pieces;
    q.table.segments = 3;
    run_residual(&all, &relation, &q);
    ck_assert_ptr_null(all.spool);
    ck_assert_int_eq(darc_spool_new(&q.table.spool, 0, NULL), DARC_OK);
    run_residual(&filed, &relation, &q);
    ck_assert_ptr_nonnull(filed.spool);
    size_t bytes = all.count * sizeof(double);
    ck_assert_uint_eq(all.count, filed.count);
    for (int pass = 0; pass < 2; pass++) {
        ck_assert_int_eq(memcmp(all.time, filed.time, bytes), 0);
        ck_assert_int_eq(memcmp(all.value, filed.value, bytes), 0);
        ck_assert_int_eq(memcmp(all.bar, filed.bar, bytes), 0);
        ck_assert_int_eq(memcmp(all.margin, filed.margin, bytes), 0);
        darc_residual_series_done(&filed, 0, filed.count);
    }
    darc_residual_series_clear(&all);
    darc_residual_series_clear(&filed);
    darc_spool_free(q.table.spool);
    quarter_relation_clear(&relation);
    quarter_clear(&q);
}
END_TEST

/* A file with a recording that has gaps and, unless `even`, uneven times. */
static void write_recording(char *name, int rows, bool even)
{
    strcpy(name, "/tmp/darc-test-XXXXXX");
    FILE *f = fdopen(mkstemp(name), "w");
    ck_assert_ptr_nonnull(f);
    fputs("t,x,y\n", f);
    for (int i = 0; i < rows; i++)
        fprintf(f, "%.6f,%s,%.17g\n",
                0.01 * i + (even || i % 2 == 0 ? 0 : 0.002),
                i % 1000 == 77 ? ""
                : i % 2 == 0   ? "1.5"
                               : "-2",
                sin(i));
    fclose(f);
}

static void compare(const char *name)
{
    darc_load_options o;
    darc_table *all, *some;
    darc_load_options_init(&o);
    ck_assert_int_eq(darc_table_load(&all, name, &o, NULL), DARC_OK);
    ck_assert_ptr_null(all->spool);
    o.memory = 100000;
    ck_assert_int_eq(darc_table_load(&some, name, &o, NULL), DARC_OK);
    ck_assert_ptr_nonnull(some->spool);
    ck_assert_uint_eq(all->samples, some->samples);
    ck_assert_double_eq(all->dt, some->dt);
    ck_assert_double_eq(all->t0, some->t0);
    ck_assert_int_eq(all->segments, some->segments);
    ck_assert_int_eq(memcmp(all->segment, some->segment,
                            (size_t)all->segments * sizeof *all->segment),
                     0);
    size_t bytes = all->samples * sizeof(double);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(
            memcmp(all->signal[i].value, some->signal[i].value, bytes), 0);
    ck_assert_int_eq(all->time == NULL, some->time == NULL);
    if (all->time != NULL)
        ck_assert_int_eq(memcmp(all->time, some->time, bytes), 0);
    darc_table_free(all);
    darc_table_free(some);
}

START_TEST(long_recordings_are_the_same_in_a_file)
{
    for (int even = 0; even < 2; even++) {
        char name[64];
        write_recording(name, 20000, even == 1);
        compare(name);
        remove(name);
    }
}
END_TEST

static darc_status load_with_little(const char *name, darc_err *err)
{
    darc_load_options o;
    darc_table *table;
    darc_load_options_init(&o);
    o.memory = 1000;
    darc_err_init(err);
    darc_status status = darc_table_load(&table, name, &o, err);
    if (status == DARC_OK)
        darc_table_free(table);
    return status;
}

START_TEST(a_full_disk_is_told)
{
    darc_err err;
    char name[64];
    write_recording(name, 20000, true);
    const char *tmpdir = getenv("TMPDIR");
    char *kept = tmpdir != NULL ? strdup(tmpdir) : NULL;
    setenv("TMPDIR", "/nowhere", 1);
    ck_assert_int_eq(load_with_little(name, &err), DARC_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "'/nowhere'"));
    ck_assert_ptr_nonnull(strstr(err.message, "set TMPDIR"));
    if (kept != NULL)
        setenv("TMPDIR", kept, 1);
    else
        unsetenv("TMPDIR");
    free(kept);

    struct rlimit old, few;
    getrlimit(RLIMIT_FSIZE, &old);
    few = old;
    few.rlim_cur = 50000;
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &few);
    darc_status status = load_with_little(name, &err);
    setrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, handler);
    ck_assert_int_eq(status, DARC_IO);
    ck_assert_ptr_nonnull(strstr(err.message, "writing fails in"));
    remove(name);
}
END_TEST

Suite *suite_spool(void)
{
    Suite *s = suite_create("spool");
    TCase *c = tcase_create("spool");
    tcase_add_test(c, columns_come_back_as_they_were);
    tcase_add_test(c, added_columns_are_filled_in_any_order);
    tcase_add_test(c, residuals_are_the_same_in_a_file);
    tcase_add_test(c, long_recordings_are_the_same_in_a_file);
    tcase_add_test(c, a_full_disk_is_told);
    suite_add_tcase(s, c);
    return s;
}
