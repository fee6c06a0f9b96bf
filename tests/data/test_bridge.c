#include "tests.h"

#include "data/table.h"
#include "recording.h"

#include <math.h>

enum { N = 4000 };

static double y[N], u[N];

/* A line and the number of the sample, 100 Hz. */
static darc_table *table_of(void)
{
    static const char *name[] = {"y", "u"};
    static const double *value[] = {y, u};
    return recording_of(N, 100, 2, name, value);
}

static void reset(void)
{
    for (int i = 0; i < N; i++) {
        y[i] = 3 + 0.25 * i;
        u[i] = i;
    }
}

/* Every fiftieth sample of y, u at a fifth of the rate, and a pause of both. */
START_TEST(short_holes_are_stepped_over)
{
    reset();
    for (int i = 0; i < N; i++) {
        y[i] = i % 50 == 25 || (i > 2000 && i < 2060) ? NAN : y[i];
        u[i] = i % 5 > 0 || (i > 2000 && i < 2060) ? NAN : u[i];
    }
    darc_table *t = table_of();
    ck_assert(!darc_table_is_patchy(t));
    ck_assert_double_eq_tol(darc_table_spacing(t, 1), 0.05, 1e-9);
    for (int twice = 0; twice < 2; twice++) {
        darc_table_bridge(t);
        ck_assert(darc_table_is_patchy(t));
        ck_assert_int_eq(t->segments, 2);
        ck_assert_uint_eq(t->segment[0].end, 2001);
        ck_assert_uint_eq(t->segment[1].begin, 2060);
        for (int i = 0; i < 1990; i++) {
            ck_assert_double_eq_tol(t->signal[0].value[i], 3 + 0.25 * i, 1e-9);
            ck_assert_double_eq_tol(t->signal[1].value[i], i, 1e-9);
            ck_assert(darc_table_absent(t, 0)[i] == (i % 50 == 25));
            ck_assert(darc_table_absent(t, 1)[i] == (i % 5 > 0));
        }
    }
    ck_assert_double_eq(darc_table_step(t), t->dt);
    ck_assert_double_eq_tol(darc_table_spacing(t, 1), 0.05, 1e-9);
    darc_table_free(t);
}
END_TEST

/* What is long as it is stays whole. */
START_TEST(long_segments_keep_their_gaps)
{
    reset();
    y[1700] = NAN;
    darc_table *t = table_of();
    darc_table_bridge(t);
    ck_assert_int_eq(t->segments, 2);
    ck_assert(isnan(t->signal[0].value[1700]) && !darc_table_is_patchy(t));
    ck_assert_ptr_null(darc_table_absent(t, 0));
    darc_table_free(t);
}
END_TEST

Suite *suite_bridge(void)
{
    Suite *s = suite_create("bridge");
    TCase *c = tcase_create("bridge");
    tcase_add_test(c, short_holes_are_stepped_over);
    tcase_add_test(c, long_segments_keep_their_gaps);
    suite_add_tcase(s, c);
    return s;
}
