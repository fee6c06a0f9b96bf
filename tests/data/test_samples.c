#include "tests.h"

#include "data/table.h"

#include <math.h>
#include <string.h>

static const double first[] = {1, 2, 3, NAN, 5, 6},
                    second[] = {7, 8, 9, 1, NAN, 2},
                    early[] = {0, 1, 2, 3, 4, 5};
static const double *const values[] = {first, second};
static const char *const names[] = {"x", "y"};

static const darc_samples usual = {.name = "memory",
                                   .samples = 6,
                                   .t0 = 2.5,
                                   .rate = 4,
                                   .signals = 2,
                                   .signal = names,
                                   .value = values};

START_TEST(copies_and_splits_at_gaps)
{
    darc_table *t;
    ck_assert_int_eq(darc_table_from_samples(&t, &usual, NULL), DARC_OK);
    ck_assert_uint_eq(t->samples, 6);
    ck_assert_int_eq(t->segments, 2);
    ck_assert_uint_eq(t->segment[0].begin, 0);
    ck_assert_uint_eq(t->segment[0].end, 3);
    ck_assert_uint_eq(t->segment[1].begin, 5);
    ck_assert_uint_eq(t->segment[1].end, 6);
    ck_assert_double_eq(t->dt, 0.25);
    ck_assert_double_eq(darc_table_time(t, 2), 3);
    ck_assert_double_eq(t->signal[darc_table_find(t, "y")].value[1], 8);
    ck_assert_ptr_ne(t->signal[0].value, first);
    darc_table_free(t);
}
END_TEST

START_TEST(finds_whether_times_are_uniform)
{
    darc_table *t;
    darc_samples from = usual;
    from.time = early;
    ck_assert_int_eq(darc_table_from_samples(&t, &from, NULL), DARC_OK);
    ck_assert_double_eq_tol(t->dt, 1, 1e-12);
    ck_assert_ptr_null(t->time);
    darc_table_free(t);
    const double uneven[] = {0, 1, 2, 3, 4.5, 5};
    from.time = uneven;
    ck_assert_int_eq(darc_table_from_samples(&t, &from, NULL), DARC_OK);
    ck_assert_double_eq(t->dt, 0);
    ck_assert_double_eq(darc_table_time(t, 4), 4.5);
    darc_table_free(t);
}
END_TEST

START_TEST(times_that_are_missing_are_gaps)
{
    static const double late[] = {0, 1, 2, 3, 6, 7};
    darc_table *t;
    darc_samples from = usual;
    from.time = late;
    ck_assert_int_eq(darc_table_from_samples(&t, &from, NULL), DARC_OK);
    ck_assert_uint_eq(t->samples, 8);
    ck_assert_double_eq_tol(t->dt, 1, 1e-12);
    ck_assert_ptr_null(t->time);
    ck_assert(isnan(t->signal[1].value[5]));
    ck_assert_double_eq(t->signal[1].value[7], 2);
    ck_assert_int_eq(t->segments, 2);
    ck_assert_uint_eq(t->segment[1].begin, 7);
    darc_table_free(t);
}
END_TEST

static void refuse(const darc_samples *from, const char *part)
{
    darc_table *t = NULL;
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(darc_table_from_samples(&t, from, &err), DARC_DATA);
    ck_assert_msg(strstr(err.message, part) != NULL, "%s", err.message);
    ck_assert_ptr_null(t);
}

START_TEST(refuses_what_is_no_recording)
{
    darc_samples from = usual;
    from.samples = 0;
    refuse(&from, "no samples");
    from = usual;
    from.rate = 0;
    refuse(&from, "sampling rate");
    from = usual;
    const double back[] = {0, 1, 2, 2, 3, 4};
    from.time = back;
    refuse(&from, "time 3 (2 s) does not increase");
    const double late[] = {0, 1, 2, 1.2e308, 1.3e308, 1.4e308};
    from.time = late;
    refuse(&from, "time 3 (1.2e+308 s) is too large");
    const double endless[] = {0, 1, INFINITY, 2, 3, 4};
    const double *with[] = {first, endless};
    from = usual;
    from.value = with;
    refuse(&from, "sample 2 of 'y' is infinite");
    const char *twice[] = {"x", "x"};
    from = usual;
    from.signal = twice;
    refuse(&from, "two signals are named 'x'");
    const double nothing[] = {NAN, NAN, NAN, NAN, NAN, NAN};
    const double *gaps[] = {first, nothing};
    from = usual;
    from.value = gaps;
    refuse(&from, "each of 6 samples has a gap");
}
END_TEST

Suite *suite_samples(void)
{
    Suite *s = suite_create("samples");
    TCase *t = tcase_create("samples");
    tcase_add_test(t, copies_and_splits_at_gaps);
    tcase_add_test(t, finds_whether_times_are_uniform);
    tcase_add_test(t, times_that_are_missing_are_gaps);
    tcase_add_test(t, refuses_what_is_no_recording);
    suite_add_tcase(s, t);
    return s;
}
