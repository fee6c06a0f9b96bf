#include "tests.h"

#include "decide/pointwise.h"

#include "fixture_quarter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 3000
#define DT 1e-3

/* The seven examples of [HMMS15]: 0 is not used. */
static const darc_test test_of[] = {
    0,          DARC_STRUCTURE, DARC_STRUCTURE, DARC_EQUAL,
    DARC_EQUAL, DARC_CHANGED,   DARC_CHANGED,   DARC_CHANGED};
static const bool holds[] = {false, true, false, true,
                             false, true, false, true};

static void drive_example(int example, quarter *q, size_t n, double dt)
{
    quarter_car a = quarter_car_default(), b = a;
    b.road = 2;
    a.cubic = example == 2 ? 0.18 : 0;
    b.m = example >= 4 ? 305 : 300;
    b.c *= example == 7 ? 1.1 : 1;
    b.d *= example >= 6 ? 1.1 : 1;
    quarter_drive(q, &a, n, dt);
    quarter_drive(q + 1, &b, n, dt);
}

static const darc_pointwise_options plain = {.alpha = 0.01, .threads = 1};

static darc_pointwise check(const quarter *q, darc_test test, bool expanded,
                            const char *diff, const darc_pointwise_options *set)
{
    darc_relation r;
    darc_pointwise p;
    darc_pointwise_options o = set != NULL ? *set : plain;
    darc_err err;
    const darc_table *tables[] = {&q[0].table, &q[1].table};
    ck_assert_int_eq(darc_diff_spec_parse(&o.diff, diff, NULL), DARC_OK);
    quarter_relation(&r, test, expanded);
    darc_err_init(&err);
    ck_assert_msg(darc_pointwise_check(&p, &r, tables, &o, NULL, &err) ==
                      DARC_OK,
                  "%s", err.message);
    quarter_relation_clear(&r);
    return p;
}

static darc_verdict verdict_of(const quarter *q, darc_test test,
                               const char *diff)
{
    return check(q, test, true, diff, NULL).decision.verdict;
}

START_TEST(seven_examples)
{
    int example = _i;
    quarter q[2];
    drive_example(example, q, SAMPLES, DT);
    for (int expanded = 0; expanded < 2; expanded++) {
        darc_pointwise p =
            check(q, test_of[example], expanded, "central4", NULL);
        darc_verdict want =
            holds[example] ? DARC_CONSISTENT : DARC_INCONSISTENT;
        ck_assert_msg(p.decision.verdict == want, "%s: %s",
                      darc_verdict_text(p.decision.verdict), p.decision.reason);
    }
    quarter_clear(q);
    quarter_clear(q + 1);
}
END_TEST

/* Relative residuals published for these cars within a factor of 2. */
START_TEST(figures_as_published)
{
    static const struct {
        int example;
        const char *diff;
        double relative;
    } row[] = {{1, "central2", 3.2e-3}, {1, "central4", 5.9e-5},
               {1, "central6", 1.3e-6}, {4, "central2", 5.1e-3},
               {4, "central4", 5.3e-3}, {4, "central6", 5.3e-3},
               {6, "central4", 1.6e-2}, {2, "central4", 3.0e-2}};
    quarter q[2];
    int driven = 0;
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        if (row[i].example != driven) {
            if (driven > 0) {
                quarter_clear(q);
                quarter_clear(q + 1);
            }
            driven = row[i].example;
            drive_example(driven, q, SAMPLES, DT);
        }
        double got = check(q, test_of[driven], true, row[i].diff, NULL)
                         .residual.relative_rms;
        ck_assert_msg(got < 2 * row[i].relative && got > row[i].relative / 2,
                      "example %d, %s: %g, not %g", driven, row[i].diff, got,
                      row[i].relative);
    }
    quarter_clear(q);
    quarter_clear(q + 1);
}
END_TEST

START_TEST(second_order_never_wrong)
{
    for (int example = 1; example <= 7; example++) {
        quarter q[2];
        drive_example(example, q, SAMPLES, DT);
        darc_verdict v = verdict_of(q, test_of[example], "central2");
        ck_assert_int_ne(v,
                         holds[example] ? DARC_INCONSISTENT : DARC_CONSISTENT);
        quarter_clear(q);
        quarter_clear(q + 1);
    }
}
END_TEST

/* From far too few samples a period to plenty. */
START_TEST(coarse_sampling_never_wrong)
{
    static const double dt[] = {3e-2, 1e-2, 5e-3, 3e-3, 2e-3};
    for (int example = 1; example <= 5; example += example == 1 ? 2 : 1)
        for (int i = 0; i < 5; i++) {
            quarter q[2];
            drive_example(example, q, 800, dt[i]);
            darc_verdict v = verdict_of(q, test_of[example], "central4");
            ck_assert_msg(
                v != (holds[example] ? DARC_INCONSISTENT : DARC_CONSISTENT),
                "example %d, dt %g", example, dt[i]);
            quarter_clear(q);
            quarter_clear(q + 1);
        }
}
END_TEST

START_TEST(coarse_sampling_is_named)
{
    quarter_car car = quarter_car_default();
    quarter q[2];
    quarter_drive(q, &car, 800, 5.7e-3);
    darc_pointwise p = check(q, DARC_STRUCTURE, true, "central2", NULL);
    ck_assert_int_eq(p.decision.verdict, DARC_UNDECIDED);
    ck_assert_ptr_nonnull(strstr(p.decision.reason, "too coarse"));
    quarter_clear(q);
}
END_TEST

START_TEST(noise_never_wrong)
{
    int example = 3 + _i % 2;
    for (int decade = -7; decade <= -1; decade++) {
        quarter q[2];
        drive_example(example, q, 1500, DT);
        quarter_add_noise(q, pow(10, decade), 1);
        quarter_add_noise(q + 1, pow(10, decade), 2);
        darc_verdict v = verdict_of(q, test_of[example], "central4");
        ck_assert_int_ne(v,
                         holds[example] ? DARC_INCONSISTENT : DARC_CONSISTENT);
        if (decade == -7)
            ck_assert_int_ne(v, DARC_UNDECIDED);
        if (decade >= -3)
            ck_assert_int_eq(v, DARC_UNDECIDED);
        quarter_clear(q);
        quarter_clear(q + 1);
    }
}
END_TEST

static void make_flat(quarter *q, double value)
{
    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < q->table.samples; i++)
            q->signal[s].value[i] = value;
}

/* A residual of 0 proves nothing when the signals are flat. */
START_TEST(flat_signals_are_undecided)
{
    quarter_car car = quarter_car_default();
    static const double level[] = {0, 1, 0.1, -2.385e6, 1e-200};
    for (int i = 0; i < 5; i++)
        for (int test = DARC_STRUCTURE; test <= DARC_CHANGED; test++)
            for (int noisy = 0; noisy < 2; noisy++) {
                quarter q[2];
                for (int k = 0; k < 2; k++) {
                    quarter_drive(q + k, &car, 300, DT);
                    make_flat(q + k, level[i]);
                    if (noisy)
                        quarter_add_noise(q + k, 1e-6, (unsigned long)k + 1);
                }
                darc_pointwise p =
                    check(q, (darc_test)test, i % 2, "central4", NULL);
                ck_assert_msg(p.decision.verdict == DARC_UNDECIDED,
                              "level %g, test %d, noisy %d: %s", level[i], test,
                              noisy, p.decision.reason);
                quarter_clear(q);
                quarter_clear(q + 1);
            }
}
END_TEST

START_TEST(one_flat_signal_is_undecided)
{
    quarter_car car = quarter_car_default();
    for (int s = 0; s < 2; s++)
        for (int test = DARC_STRUCTURE; test <= DARC_CHANGED; test++) {
            quarter q[2];
            for (int k = 0; k < 2; k++) {
                car.road = 1 + k;
                quarter_drive(q + k, &car, 600, DT);
                for (size_t i = 0; i < 600; i++)
                    q[k].signal[s].value[i] = 0;
            }
            darc_pointwise p =
                check(q, (darc_test)test, true, "central4", NULL);
            ck_assert_int_eq(p.decision.verdict, DARC_UNDECIDED);
            ck_assert_ptr_nonnull(strstr(p.decision.reason, "does not excite"));
            quarter_clear(q);
            quarter_clear(q + 1);
        }
}
END_TEST

/* The same recording twice: the matrix has two equal rows. */
START_TEST(a_recording_against_itself_is_undecided)
{
    quarter_car car = quarter_car_default();
    quarter q[2];
    quarter_drive(q, &car, 600, DT);
    q[1] = q[0];
    ck_assert_int_eq(verdict_of(q, DARC_EQUAL, "central4"), DARC_UNDECIDED);
    ck_assert_int_eq(
        check(q, DARC_EQUAL, false, "central4", NULL).decision.verdict,
        DARC_UNDECIDED);
    quarter_clear(q);
}
END_TEST

START_TEST(few_samples_are_undecided)
{
    quarter_car car = quarter_car_default();
    quarter q[2];
    quarter_drive(q, &car, 55, DT);
    ck_assert_int_eq(verdict_of(q, DARC_STRUCTURE, "central4"), DARC_UNDECIDED);
    quarter_clear(q);
}
END_TEST

START_TEST(tolerance_moves_the_verdict)
{
    static const struct {
        double tolerance;
        darc_verdict verdict;
    } row[] = {{0.005, DARC_INCONSISTENT},
               {0.01, DARC_INCONSISTENT},
               {0.03, DARC_CONSISTENT},
               {0.1, DARC_CONSISTENT}};
    quarter q[2];
    drive_example(4, q, SAMPLES, DT);
    for (int i = 0; i < 4; i++) {
        darc_pointwise_options o = plain;
        o.tolerance = row[i].tolerance;
        darc_pointwise p = check(q, DARC_EQUAL, true, "central4", &o);
        ck_assert_int_eq(p.decision.verdict, row[i].verdict);
        /* 5 kg of 300 kg. */
        ck_assert_double_eq_tol(p.decision.defect, 5 / 300., 0.004);
        ck_assert_double_le(p.decision.defect_low, p.decision.defect);
        ck_assert_double_ge(p.decision.defect_high, p.decision.defect);
    }
    quarter_clear(q);
    quarter_clear(q + 1);
}
END_TEST

START_TEST(given_noise_counts)
{
    double sd[] = {0.05, NAN}; /* of a, z */
    quarter q[2];
    drive_example(4, q, 1000, DT);
    darc_pointwise_options o = plain;
    o.noise_sd = sd;
    darc_pointwise p = check(q, DARC_EQUAL, true, "central4", &o);
    ck_assert_int_eq(p.decision.verdict, DARC_UNDECIDED);
    ck_assert_ptr_nonnull(strstr(p.decision.reason, "noise explains"));
    sd[0] = 1e-9;
    p = check(q, DARC_EQUAL, true, "central4", &o);
    ck_assert_int_eq(p.decision.verdict, DARC_INCONSISTENT);
    quarter_clear(q);
    quarter_clear(q + 1);
}
END_TEST

/* Rounded to 6 and to 3 digits, as a file may hold them. */
START_TEST(quantised_data_never_wrong)
{
    for (int example = 3; example <= 4; example++)
        for (int digits = 3; digits <= 8; digits++) {
            quarter q[2];
            drive_example(example, q, 1500, DT);
            for (int k = 0; k < 2; k++)
                for (int s = 0; s < 2; s++)
                    for (size_t i = 0; i < 1500; i++) {
                        double step = pow(10, -digits) * (s == 0 ? 10 : 0.01);
                        double *y = q[k].signal[s].value + i;
                        *y = step * round(*y / step);
                    }
            darc_verdict v = verdict_of(q, DARC_EQUAL, "central4");
            ck_assert_int_ne(v, holds[example] ? DARC_INCONSISTENT
                                               : DARC_CONSISTENT);
            quarter_clear(q);
            quarter_clear(q + 1);
        }
}
END_TEST

/* Squares of numbers leave the range long before these do. */
START_TEST(scale_is_never_an_answer)
{
    quarter q[2];
    darc_relation r;
    double x[2][300];
    const darc_table *tables[] = {&q[0].table, &q[1].table};
    drive_example(2, q, 300, DT);
    for (int s = 0; s < 2; s++)
        memcpy(x[s], q[0].signal[s].value, sizeof x[s]);
    quarter_relation(&r, DARC_STRUCTURE, true);
    for (int twentieth = -1160; twentieth <= 1060; twentieth++) {
        if (abs(twentieth) < 960)
            twentieth += 60;
        darc_pointwise p;
        darc_pointwise_options o = plain;
        for (int s = 0; s < 2; s++)
            for (size_t i = 0; i < 300; i++)
                q[0].signal[s].value[i] = x[s][i] * pow(10, twentieth / 20.);
        ck_assert_int_eq(darc_diff_spec_parse(&o.diff, "central4", NULL),
                         DARC_OK);
        darc_status status =
            darc_pointwise_check(&p, &r, tables, &o, NULL, NULL);
        ck_assert(status == DARC_OK || status == DARC_DATA);
        ck_assert_msg(status == DARC_DATA ||
                          p.decision.verdict != DARC_CONSISTENT,
                      "1e%g: %s", twentieth / 20., p.decision.reason);
        if (abs(twentieth) < 900)
            ck_assert_int_eq(p.decision.verdict, DARC_INCONSISTENT);
    }
    quarter_relation_clear(&r);
    quarter_clear(q);
    quarter_clear(q + 1);
}
END_TEST

START_TEST(series_has_its_bars)
{
    quarter q[2];
    drive_example(3, q, 700, DT);
    darc_pointwise_options o = plain;
    o.series = true;
    darc_pointwise p = check(q, DARC_EQUAL, true, "central4", &o);
    ck_assert_uint_eq(p.series.count, 700 - 4);
    ck_assert_uint_eq(p.residual.used, 700 - 4);
    ck_assert(p.series.time[0] == 2 * DT);
    size_t beyond = 0, vanish = 0;
    for (size_t i = 0; i < p.series.count; i++) {
        beyond += fabs(p.series.value[i]) > 2 * p.series.bar[i];
        vanish += p.series.margin[i] < 1;
    }
    ck_assert_uint_lt(beyond, p.series.count / 20);
    ck_assert_uint_lt(vanish, p.series.count / 20);
    darc_pointwise_clear(&p);
    ck_assert_ptr_null(p.series.value);
    quarter_clear(q);
    quarter_clear(q + 1);
}
END_TEST

Suite *suite_pointwise(void)
{
    Suite *s = suite_create("pointwise");
    TCase *c = tcase_create("pointwise");
    tcase_add_loop_test(c, seven_examples, 1, 8);
    tcase_add_test(c, figures_as_published);
    tcase_add_test(c, second_order_never_wrong);
    tcase_add_test(c, coarse_sampling_never_wrong);
    tcase_add_test(c, coarse_sampling_is_named);
    tcase_add_loop_test(c, noise_never_wrong, 0, 2);
    tcase_add_test(c, flat_signals_are_undecided);
    tcase_add_test(c, one_flat_signal_is_undecided);
    tcase_add_test(c, a_recording_against_itself_is_undecided);
    tcase_add_test(c, few_samples_are_undecided);
    tcase_add_test(c, tolerance_moves_the_verdict);
    tcase_add_test(c, given_noise_counts);
    tcase_add_test(c, quantised_data_never_wrong);
    tcase_add_test(c, scale_is_never_an_answer);
    tcase_add_test(c, series_has_its_bars);
    suite_add_tcase(s, c);
    return s;
}
