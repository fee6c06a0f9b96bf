#include "tests.h"

#include "agree/compare.h"
#include "agree/measures.h"
#include "report/agreement.h"

#include "program.h"
#include "recording.h"

#include <math.h>
#include <string.h>

static darc_err err;
static darc_compare_options o;
static darc_comparison c;
static darc_table *t[4];

static void setup(void)
{
    darc_err_init(&err);
    darc_compare_options_init(&o);
    memset(&c, 0, sizeof c);
    memset(t, 0, sizeof t);
}

static void teardown(void)
{
    darc_comparison_clear(&c);
    for (int k = 0; k < 4; k++)
        darc_table_free(t[k]);
}

static void load(int k, const char *text)
{
    darc_load_options load_options;
    darc_load_options_init(&load_options);
    ck_assert_msg(recording_load(&t[k], text, strlen(text), &load_options,
                                 &err) == DARC_OK,
                  "%s", err.message);
}

/* Step response 1 - exp(-a time) + offset in y, and its square in z. */
static void load_step(int k, double a, double offset, double dt, double begin)
{
    darc_text_t s;
    darc_text_init(s);
    darc_text_puts(s, "t,y [m],z,only\n");
    for (int i = 0; begin + dt * i <= 10; i++) {
        double time = begin + dt * i, y = 1 - exp(-a * time) + offset;
        darc_text_printf(s, "%.17g,%.17g,%.17g,%d\n", time, y, y * y, k);
    }
    load(k, s->s);
    darc_text_clear(s);
}

static darc_status compare(int references, int simulations)
{
    darc_comparison_tables all = {references, simulations,
                                  (const darc_table *const *)t};
    return darc_comparison_init(&c, &all, &o, &err);
}

/* Every number of the result by the functions it is made of. */
START_TEST(one_run)
{
    static const char *const names[] = {"y"};
    o.outputs = 1;
    o.output = names;
    load_step(0, 1, 0, 0.01, 0);
    load_step(1, 1.2, 0.01, 0.01, 0);
    ck_assert_msg(compare(1, 1) == DARC_OK, "%s", err.message);
    const darc_compare_output *out = &c.output[0];
    const double *r = t[0]->signal[0].value, *s = t[1]->signal[0].value;
    size_t n = t[0]->samples;
    ck_assert_uint_eq(c.samples, n);
    ck_assert(!c.resampled);
    double theil = darc_theil_reference(r, s, n);
    ck_assert(out->mean.theil_reference == theil);
    ck_assert(out->mean.theil == darc_theil_classical(r, s, n));
    double shape = darc_grey_degree(r, s, n, 0.5).degree;
    double data = sqrt(exp(-0.5 * theil) * shape);
    ck_assert_double_eq_tol(out->mean.data_consistency, data, 1e-15);
    ck_assert_double_eq_tol(out->reference[DARC_FEATURE_RISE_TIME], log(9),
                            1e-2);
    ck_assert_double_eq_tol(out->mean.feature[DARC_FEATURE_RISE_TIME],
                            log(9) / 1.2, 1e-2);
    /* y and five features of a step, with equal weights. */
    ck_assert_int_eq(c.columns, 7);
    ck_assert_str_eq(c.column[0], "y");
    ck_assert_str_eq(c.column[1], "y rise_time");
    ck_assert(c.weights.equal);
    double sum = data;
    for (int f = 0; f < DARC_FEATURE_COUNT; f++)
        if (out->wanted[f] && out->missing[f] == NULL)
            sum += out->mean.consistency[f];
    ck_assert_double_eq_tol(c.consistency, sum / 7, 1e-14);
}
END_TEST

/* An input of 1 in one recording, 2 in the other: 100 % of the first. */
START_TEST(other_inputs_are_said)
{
    static const char *const names[] = {"only"};
    load_step(1, 1, 0, 0.01, 0);
    load_step(2, 1.2, 0, 0.01, 0);
    t[0] = t[1];
    t[1] = t[2];
    t[2] = NULL;
    o.inputs = 1;
    o.input = names;
    ck_assert_msg(compare(1, 1) == DARC_OK, "%s", err.message);
    ck_assert_int_eq(c.outputs, 2);
    ck_assert_ptr_nonnull(strstr(c.inputs->s, "only of"));
    ck_assert_ptr_nonnull(strstr(c.inputs->s, "differs by 100 % (RMS)"));
    darc_comparison_clear(&c);
    t[2] = t[0];
    o.inputs = 0;
    ck_assert_msg(compare(1, 1) == DARC_OK, "%s", err.message);
    ck_assert_str_eq(c.inputs->s, "");
    t[2] = NULL;
}
END_TEST

START_TEST(equal_files_agree_fully)
{
    load_step(0, 1, 0, 0.01, 0);
    load_step(1, 1, 0, 0.01, 0);
    darc_load_options options;
    darc_load_options_init(&options);
    ck_assert_int_eq(compare(1, 1), DARC_OK);
    ck_assert_int_eq(c.outputs, 3);
    ck_assert(c.output[0].mean.data_consistency == 1);
    ck_assert(c.output[0].run[0].errors.max_error == 0);
    ck_assert_double_eq_tol(c.output[0].run[0].iso.rating, 1, 1e-12);
}
END_TEST

/* A finer time base that begins later is cut and interpolated. */
START_TEST(other_times)
{
    static const char *const names[] = {"y"};
    o.outputs = 1;
    o.output = names;
    load_step(0, 1, 0, 0.01, 0);
    load_step(1, 1, 0, 0.003, 1.0005);
    ck_assert_int_eq(compare(1, 1), DARC_OK);
    ck_assert(c.resampled);
    ck_assert_double_eq_tol(c.begin, 1.01, 1e-12);
    ck_assert_uint_eq(c.offered, 1001);
    /* Straight lines between samples h apart: h^2/8 max |y''|. */
    ck_assert(c.output[0].run[0].errors.max_error < 0.003 * 0.003 / 8);
}
END_TEST

/* 1 m is 1000 mm; a length is no time. */
START_TEST(units_of_the_first)
{
    load(0, "t,y [m]\n0,1\n1,2\n2,4\n");
    load(1, "t,y [mm]\n0,1000\n1,2000\n2,4000\n");
    load(2, "t,y [s]\n0,1\n1,2\n2,4\n");
    ck_assert_msg(compare(1, 1) == DARC_OK, "%s", err.message);
    ck_assert(c.output[0].run[0].errors.max_error <= 1e-12);
    ck_assert_ptr_nonnull(strstr(c.units->s, " from mm to m"));
    darc_comparison_clear(&c);
    ck_assert_int_eq(compare(1, 2), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "'s' cannot be brought to 'm'"));
}
END_TEST

START_TEST(gaps_leave_the_longest_part)
{
    load(0, "t,y\n0,1\n1,2\n2,\n3,3\n4,5\n5,4\n6,2\n");
    load(1, "t,y\n0,1\n1,2\n2,7\n3,3\n4,4\n5,4\n6,\n");
    ck_assert_int_eq(compare(1, 1), DARC_OK);
    ck_assert_uint_eq(c.samples, 3);
    ck_assert(c.begin == 3 && c.end == 5);
    ck_assert(c.output[0].run[0].errors.max_error == 1);
    ck_assert(c.output[0].run[0].max_error_time == 4);
}
END_TEST

START_TEST(several_runs_of_both)
{
    static const char *const names[] = {"y"};
    o.outputs = 1;
    o.output = names;
    o.tolerance = 0.5;
    o.level = 0.95;
    load_step(0, 1, 0, 0.01, 0);
    load_step(1, 1.1, 0, 0.01, 0);
    load_step(2, 1.02, 0.01, 0.01, 0);
    load_step(3, 1.12, -0.01, 0.01, 0);
    ck_assert_int_eq(compare(2, 2), DARC_OK);
    const darc_compare_output *out = &c.output[0];
    ck_assert(out->interval_known[DARC_FEATURE_RISE_TIME]);
    const darc_interval *v = &out->interval[DARC_FEATURE_RISE_TIME];
    ck_assert_str_eq(v->method, "Welch");
    ck_assert(v->zero_inside);
    /* The reference is the average of its two runs. */
    double want = (log(9) + log(9) / 1.1) / 2;
    ck_assert_double_eq_tol(out->reference[DARC_FEATURE_RISE_TIME], want, 1e-2);
    o.paired = true;
    darc_comparison_clear(&c);
    ck_assert_int_eq(compare(2, 2), DARC_OK);
    ck_assert_str_eq(c.output[0].interval[DARC_FEATURE_MEAN].method,
                     "paired-t");
    darc_comparison_clear(&c);
    ck_assert_int_eq(compare(1, 3), DARC_OK);
    ck_assert(!c.output[0].interval_known[DARC_FEATURE_MEAN]);
    ck_assert_str_eq(c.weights.note,
                     "equal weights: 'y peak_time' is the same in every run");
    darc_comparison_clear(&c);
    o.choose = false;
    o.feature[DARC_FEATURE_RISE_TIME] = true;
    ck_assert_int_eq(compare(1, 3), DARC_OK);
    ck_assert_int_eq(c.columns, 2);
    ck_assert(!c.weights.equal);
}
END_TEST

START_TEST(refusals)
{
    static const char *const names[] = {"q"};
    load(0, "t,y\n0,1\n1,2\n");
    load(1, "t,w\n0,1\n1,2\n");
    load(2, "t,y\n5,1\n6,2\n");
    ck_assert_int_eq(compare(1, 1), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "no signal of this file is in "
                                              "all the others"));
    darc_err_init(&err);
    const darc_table *apart[] = {t[0], t[2]};
    darc_comparison_tables two = {1, 1, apart};
    ck_assert_int_eq(darc_comparison_init(&c, &two, &o, &err), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "fewer than two samples"));
    darc_err_init(&err);
    o.outputs = 1;
    o.output = names;
    ck_assert_int_eq(compare(1, 1), DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "no column 'q'"));
}
END_TEST

START_TEST(text_and_json)
{
    load_step(0, 1, 0, 0.01, 0);
    load_step(1, 1, 3, 0.01, 0);
    o.spectra = true;
    ck_assert_int_eq(compare(1, 1), DARC_OK);
    static const char *const file[] = {"a.csv", "b.csv"};
    darc_text_t s;
    darc_text_init(s);
    darc_agreement a = {.consistency = c.consistency};
    darc_agreement_print(s, &c, &a, NULL, false);
    ck_assert_ptr_nonnull(strstr(s->s, "warning: the signals lie at a nearly "
                                       "constant distance"));
    ck_assert_ptr_nonnull(strstr(s->s, "no confidence intervals: these "
                                       "take two runs"));
    darc_text_reset(s);
    darc_agreement_json(s, &c, &a, NULL, file, "compare a.csv b.csv");
    ck_assert_ptr_nonnull(strstr(s->s, "\"parallel_offset\": true"));
    ck_assert_ptr_nonnull(strstr(s->s, "\"shape\": 1"));
    darc_text_clear(s);
}
END_TEST

START_TEST(validation_in_four_steps)
{
    static const char *const names[] = {"y"};
    static const char *const file[] = {"a.csv", "b.csv"};
    darc_validation v;
    darc_comparison varied;
    o.outputs = 1;
    o.output = names;
    load_step(0, 1, 0, 0.01, 0);
    load_step(1, 1.1, 0, 0.01, 0);
    load_step(2, 1, 0.5, 0.01, 0); /* both rise by about the same */
    load_step(3, 1.1, 0.4, 0.01, 0);
    const darc_table *both[] = {t[2], t[3]}, *still[] = {t[2], t[1]};
    darc_comparison_tables tables = {1, 1, both};
    ck_assert_int_eq(compare(1, 1), DARC_OK);
    darc_validation_set(&v, &c, NULL, file, NULL, 0);
    for (int k = 0; k < DARC_STEP_COUNT; k++)
        ck_assert_int_eq(v.passed[k], DARC_UNKNOWN);
    ck_assert_int_eq(darc_comparison_init(&varied, &tables, &o, &err), DARC_OK);
    darc_validation_set(&v, &c, &varied, file, file + 1, 1);
    ck_assert_int_eq(v.passed[DARC_STEP_SENSITIVITY], DARC_TRUE);
    ck_assert_int_eq(v.passed[DARC_STEP_CALIBRATION], DARC_TRUE);
    darc_comparison_clear(&varied);
    tables.table = still; /* the simulation does not move */
    ck_assert_int_eq(darc_comparison_init(&varied, &tables, &o, &err), DARC_OK);
    darc_validation_set(&v, &c, &varied, file, file, 1);
    ck_assert_int_eq(v.passed[DARC_STEP_SENSITIVITY], DARC_FALSE);
    ck_assert_int_eq(v.passed[DARC_STEP_CALIBRATION], DARC_FALSE);
    ck_assert_str_eq(v.evidence[DARC_STEP_CALIBRATION],
                     "a.csv was used to calibrate: it cannot validate, too");
    darc_comparison_clear(&varied);
    darc_comparison_clear(&c);
    o.level = 0.95;
    ck_assert_int_eq(compare(2, 2), DARC_OK);
    darc_validation_set(&v, &c, NULL, file, NULL, 0);
    ck_assert(v.passed[DARC_STEP_STATISTICS] != DARC_UNKNOWN);
}
END_TEST

Suite *suite_compare(void)
{
    Suite *s = suite_create("compare");
    TCase *tc = tcase_create("compare");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_test(tc, one_run);
    tcase_add_test(tc, other_inputs_are_said);
    tcase_add_test(tc, equal_files_agree_fully);
    tcase_add_test(tc, other_times);
    tcase_add_test(tc, units_of_the_first);
    tcase_add_test(tc, gaps_leave_the_longest_part);
    tcase_add_test(tc, several_runs_of_both);
    tcase_add_test(tc, refusals);
    tcase_add_test(tc, text_and_json);
    tcase_add_test(tc, validation_in_four_steps);
    suite_add_tcase(s, tc);
    return s;
}
