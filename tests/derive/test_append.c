/* Where a derived signal has no value it has a gap; what is known of it stays
 * out of the list of signals. */
#include "tests.h"

#include "base/random.h"
#include "derivation.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 1000 };

/* y falls to about 0 and rises again; u is time - 1. */
static darc_table *record(double noise)
{
    darc_table *t = derivation_table(SAMPLES, 0.01);
    darc_random r;
    darc_random_init(&r, 2, 0);
    for (int i = 0; i < SAMPLES; i++) {
        t->signal[0].value[i] =
            pow(i * 0.01 - 5, 2) + noise * darc_random_normal(&r);
        t->signal[1].value[i] = i * 0.01 - 1;
    }
    return t;
}

/* Return how many samples of v in begin .. end - 1 are gaps; no segment holds
 * one. */
static size_t gaps(const derivation *d, size_t begin, size_t end)
{
    size_t count = 0;
    for (int s = 0; s < d->table->segments; s++)
        for (size_t i = d->table->segment[s].begin;
             i < d->table->segment[s].end; i++)
            ck_assert(isfinite(d->value[i]));
    for (size_t i = begin; i < end; i++)
        count += isnan(d->value[i]) ? 1 : 0;
    return count;
}

/* A root of what noise makes negative. */
START_TEST(no_value_is_a_gap)
{
    derivation d;
    derivation_make(&d, record(0.01), " v = 2*sqrt(y) + u", NULL);
    size_t count = gaps(&d, 0, SAMPLES);
    ck_assert_uint_gt(count, 2);
    ck_assert_uint_lt(count, 40);
    ck_assert_uint_eq(d.of->missing, count);
    ck_assert_uint_eq(count, gaps(&d, 480, 520));
    ck_assert_int_gt(d.table->segments, 2);
    ck_assert_ptr_nonnull(strstr(d.of->reason, "sqrt(y) has no value at t = "));
    ck_assert_ptr_nonnull(strstr(d.of->reason, "where its argument is -0.0"));
    const double *slope = derivation_influence(&d, "y", 0)->slope;
    for (size_t i = 0; i < SAMPLES; i++)
        ck_assert(isnan(slope[i]) == isnan(d.value[i]));
    derivation_clear(&d);
    derivation_make(&d, record(0), " v = y/u + exp(100*u)", NULL);
    ck_assert_uint_eq(d.of->missing, 1 + 190);
    ck_assert_str_eq(d.of->reason, "1/u has no value at t = 1 s, where its "
                                   "argument is 0");
    derivation_clear(&d);
}
END_TEST

/* A branch that is not taken needs none. */
START_TEST(branches_need_no_value)
{
    derivation d;
    derivation_make(&d, record(0.01), " v = if y > 0 then sqrt(y) else 0",
                    NULL);
    ck_assert_uint_eq(d.of->missing, 0);
    ck_assert_ptr_null(d.of->reason);
    ck_assert_int_eq(d.table->segments, 1);
    derivation_clear(&d);
}
END_TEST

/* What delays and derivatives reach over is no loss; what they make of a
 * missing value is. */
START_TEST(ends_of_segments_are_no_loss)
{
    derivation d;
    darc_table *t = record(0);
    derivation_gap(t, 700);
    derivation_make(&d, t, " v = (delay(y, 0.105)*u)'' + delay(y', 0.2)", NULL);
    ck_assert_uint_eq(d.of->missing, 0);
    ck_assert_uint_gt(gaps(&d, 0, SAMPLES), 20);
    derivation_clear(&d);
    derivation_make(&d, record(0), " v = delay(1/u, 0.5)", NULL);
    ck_assert_uint_eq(d.of->missing, 1);
    ck_assert_str_eq(d.of->reason, "1/u has no value at t = 1 s, where its "
                                   "argument is 0");
    ck_assert_uint_eq(gaps(&d, 50, SAMPLES), 1);
    derivation_clear(&d);
    derivation_make(&d, record(0), " v = delay(y, 0.005)",
                    NULL); /* no sample */
    ck_assert_uint_eq(d.of->missing, 0);
    ck_assert_uint_eq(gaps(&d, 0, SAMPLES), 1);
    derivation_clear(&d);
    derivation_make(&d, record(0), " v = (1/u)'", NULL);
    ck_assert_uint_ge(d.of->missing, 5);
    derivation_clear(&d);
}
END_TEST

START_TEST(points_of_tables)
{
    derivation d;
    derivation_make(&d, record(0), " v = table(u; -2 1, 0 3, 1 -1, 7 5)", NULL);
    ck_assert_double_eq_tol(d.value[0], 2, 1e-12);   /* u = -1 */
    ck_assert_double_eq_tol(d.value[125], 2, 1e-12); /* u = 0.25 */
    ck_assert_double_eq_tol(d.value[500], 2, 1e-12); /* u = 4 */
    ck_assert_uint_eq(gaps(&d, 0, SAMPLES), 199);
    ck_assert_uint_eq(gaps(&d, 801, SAMPLES), 199);
    ck_assert_str_eq(d.of->reason,
                     "7.01 at t = 8.01 s lies outside the table, -2 .. 7");
    derivation_clear(&d);
}
END_TEST

START_TEST(no_value_at_most_samples_is_an_error)
{
    derivation_refuse(
        record(0), " v = sqrt(3.905 - u)",
        "made.csv: derived signal 'v': sqrt(3.905 - u) has no value "
        "at t = 4.91 s, where its argument is -0.005");
    derivation_refuse(record(0), " v = log(u - 9)", "has no value at t = 0 s");
    derivation_refuse(record(0), " v = delay(y, 10)",
                      "'v' is known nowhere: the segments of the recording are "
                      "too short for it");
    derivation_refuse(record(0), " w = sqrt(-y)\n v = w + u",
                      "derived signal 'w': sqrt(-y) has no value");
}
END_TEST

/* Whoever lists the signals of the table finds those of the model. */
START_TEST(columns_of_errors_are_not_listed)
{
    derivation d;
    derivation_make(&d, record(1e-3), " w = y'\n v = sign(w)*y + sin(u)", NULL);
    ck_assert_int_eq(d.table->signals, 4);
    ck_assert_str_eq(d.table->signal[2].name, "w");
    ck_assert_str_eq(d.table->signal[3].name, "v");
    ck_assert_int_eq(d.table->derivations, 2);
    const darc_derivation *w = d.table->derivation;
    ck_assert_ptr_nonnull(w->sd);
    ck_assert_ptr_nonnull(w->switching);
    ck_assert_int_eq(w->influences, 0);
    ck_assert_ptr_nonnull(d.of->sd);
    ck_assert_ptr_null(d.of->switching);
    ck_assert_int_eq(d.of->influences, 2);
    int y = darc_names_find(darc_model_names(d.model), "y", 1);
    ck_assert_ptr_null(darc_table_derivation(d.table, y));
    derivation_clear(&d);
}
END_TEST

/* The RMS of all errors is that of what reaches the signal and its own. */
START_TEST(errors_add_up)
{
    double noise[16];
    for (int u = 0; u < 16; u++)
        noise[u] = 0.01;
    const darc_derive_work how = {.threads = 1, .noise = noise, .block = 77};
    derivation d;
    derivation_make(&d, record(0.01), " v = y*u + 3*delay(u, 0.05) + u'", &how);
    double sum = 0, known = 0;
    const darc_influence *y = derivation_influence(&d, "y", 0);
    const darc_influence *u = derivation_influence(&d, "u", 0);
    ck_assert(derivation_influence(&d, "u", 5)->constant == 3);
    for (size_t i = 0; i < SAMPLES; i++)
        if (!isnan(d.value[i])) {
            sum += 1e-4 * (pow(y->slope[i], 2) + pow(u->slope[i], 2) + 9) +
                   pow(d.of->sd[i], 2);
            known += 1;
        }
    ck_assert_double_eq_tol(d.of->error, sqrt(sum / known), 1e-12);
    derivation_clear(&d);
}
END_TEST

Suite *suite_append(void)
{
    Suite *s = suite_create("append");
    TCase *c = tcase_create("append");
    tcase_add_test(c, no_value_is_a_gap);
    tcase_add_test(c, branches_need_no_value);
    tcase_add_test(c, ends_of_segments_are_no_loss);
    tcase_add_test(c, points_of_tables);
    tcase_add_test(c, no_value_at_most_samples_is_an_error);
    tcase_add_test(c, columns_of_errors_are_not_listed);
    tcase_add_test(c, errors_add_up);
    suite_add_tcase(s, c);
    return s;
}
