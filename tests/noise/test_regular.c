#include "tests.h"

#include "../bench/weak_cases.h"
#include "data/table.h"
#include "noise/regular.h"

#include <math.h>

enum { N = 6000 };

static double pause; /* s, in the middle */

/* 100 Hz, stamps off by up to a tenth of a step, and one row in fifty lost, of
 * a sine of 3 Hz and noise of sd. */
static darc_table *record(double sd, uint64_t seed)
{
    static double time[N], x[N];
    static const char *name[] = {"y"};
    static const double *value[] = {x};
    uint64_t state = seed;
    size_t n = 0;
    for (int i = 0; i < N; i++) {
        double at = 0.01 * (i + 0.2 * case_uniform(&state) - 0.1);
        if (i > 0 && case_uniform(&state) < 0.02)
            continue;
        time[n] = at + (i > N / 2 ? pause : 0);
        x[n++] =
            sin(6.28318530717958647692 * 3 * at) + sd * case_normal(&state);
    }
    darc_samples from = {.name = "memory",
                         .samples = n,
                         .time = time,
                         .signals = 1,
                         .signal = name,
                         .value = value};
    darc_table *t;
    ck_assert_int_eq(darc_table_from_samples(&t, &from, NULL), DARC_OK);
    darc_table_bridge(t);
    return t;
}

/* Stamps off by up to a tenth of a step move the sine by .0077 (RMS): all but a
 * twentieth of that is gone.  The ends are lines. */
START_TEST(a_sine_is_moved_along_itself)
{
    darc_regular r;
    darc_table *t = record(0, 3);
    darc_regular_init(&r, t, 0);
    ck_assert_uint_eq(r.raw.samples, t->samples);
    ck_assert_double_eq_tol(r.table.dt, 0.01, 1e-5);
    ck_assert_int_eq(r.table.segments, 1);
    double sum = 0, n = 0;
    for (size_t k = 20; k + 20 < r.table.segment->end; k++, n++) {
        double at = darc_table_time(t, 0) + (double)k * r.table.dt;
        sum += pow(r.signal.value[k] - sin(6.28318530717958647692 * 3 * at), 2);
    }
    ck_assert_double_lt(sqrt(sum / n), 0.0077 / 20);
    darc_regular_clear(&r);
    darc_table_free(t);
}
END_TEST

/* The variance of the noise is what gain says: within 4 sd. */
/* What stands on the sides of a pause is apart: none of its places is made up.
 */
START_TEST(a_pause_is_left_out)
{
    darc_regular r;
    pause = 3e7;
    darc_table *t = record(0, 5);
    pause = 0;
    darc_regular_init(&r, t, 0);
    ck_assert_uint_eq(r.raw.samples, t->samples);
    ck_assert_int_eq(r.table.segments, 2);
    ck_assert_uint_lt(r.table.samples, N + 100);
    darc_regular_clear(&r);
    darc_table_free(t);
}
END_TEST

START_TEST(noise_is_known)
{
    darc_regular r;
    darc_table *t = record(0.1, 5);
    darc_regular_init(&r, t, 0);
    double sum = 0, n = 0;
    for (size_t k = 20; k + 20 < r.table.segment->end; k++, n++) {
        double at = darc_table_time(t, 0) + (double)k * r.table.dt;
        sum += pow(r.signal.value[k] - sin(6.28318530717958647692 * 3 * at), 2);
    }
    ck_assert_double_gt(r.gain, 0.9);
    ck_assert_double_eq_tol(sum / n / 0.01 / r.gain, 1, 4 * sqrt(2 / n));
    darc_regular_clear(&r);
    darc_table_free(t);
}
END_TEST

Suite *suite_regular(void)
{
    Suite *s = suite_create("regular");
    TCase *c = tcase_create("regular");
    tcase_add_test(c, a_sine_is_moved_along_itself);
    tcase_add_test(c, noise_is_known);
    tcase_add_test(c, a_pause_is_left_out);
    suite_add_tcase(s, c);
    return s;
}
