/* Slopes are those of differences, columns are where something varies. */
#include "tests.h"

#include "base/random.h"
#include "derivation.h"

#include <math.h>

enum { SAMPLES = 500 };

/* y and u, smooth and positive, moved by dy and du. */
static darc_table *record(double dy, double du)
{
    darc_table *t = derivation_table(SAMPLES, 0.01);
    for (int i = 0; i < SAMPLES; i++) {
        t->signal[0].value[i] = 1.1 + sin(0.031 * i) + dy;
        t->signal[1].value[i] = 0.7 + 0.5 * cos(0.017 * i) + du;
    }
    return t;
}

/* The slope that belongs to the signal, summed over shifts, at sample i. */
static double slope_of(const derivation *d, const char *signal, size_t i)
{
    int u = darc_names_find(darc_model_names(d->model), signal, 1);
    double sum = 0;
    for (int k = 0; k < d->of->influences; k++)
        if (d->of->influence[k].unknown == u)
            sum += derivation_slope(d->of->influence + k, i);
    return sum;
}

/* Central differences of the whole expression: moving a signal all along moves
 * it at every shift. */
static void compare(const char *derived)
{
    const double step = 1e-5;
    for (int s = 0; s < 2; s++) {
        double dy = s == 0 ? step : 0, du = step - dy;
        derivation d, above, below;
        derivation_make(&d, record(0, 0), derived, NULL);
        derivation_make(&above, record(dy, du), derived, NULL);
        derivation_make(&below, record(-dy, -du), derived, NULL);
        ck_assert_uint_eq(d.of->missing, 0);
        for (size_t i = 0; i < SAMPLES; i++) {
            double want = (above.value[i] - below.value[i]) / (2 * step);
            double is = slope_of(&d, s == 0 ? "y" : "u", i);
            if (!isnan(want))
                ck_assert_msg(fabs(is - want) < 1e-6 * (1 + fabs(want)),
                              "%s: sample %zu: %g, not %g", derived, i, is,
                              want);
        }
        derivation_clear(&d);
        derivation_clear(&above);
        derivation_clear(&below);
    }
}

START_TEST(slopes_are_those_of_differences)
{
    compare(" v = sqrt(y) + 3*y*u - y/u + 2");
    compare(" v = sin(y*u)*cos(u)^2 - tan(u/2)");
    compare(" v = exp(-y)*log(u) + y^(7/3) + u^-3 + y^0");
    compare(" v = asin(u/2) + acos(u/3) + atan(y) + sinh(y)/cosh(u) + tanh(y)");
    compare(" v = 1/(1 + y^2)/(7 - 1/u)");
    compare(" v = sqrt(2)*y - (3/4)^2*u - time*y");
}
END_TEST

/* Branches that meet change over between samples. */
START_TEST(slopes_of_branches)
{
    compare(" v = abs(y - 1.1) + min(y, u, 2*u - 0.3) - max(y^2, u)*y");
    compare(" v = if y > u then y*u else u^2 + y");
    compare(" v = table(y*u; -1 2, 0.5 1, 1.1 3, 9 -1)");
}
END_TEST

START_TEST(slopes_through_other_signals)
{
    compare(" a = sqrt(y)\n v = a*y + sin(a*u)");
    compare(" a = y*u\n b = a^2 + y\n v = a*b - log(b)");
    compare(" a = delay(y, 0.07)\n v = a*y + delay(a*u, 0.05)^2");
    compare(" v = delay(sin(y), 0.05)*delay(delay(u, 0.02) + y, 0.03)");
}
END_TEST

/* What is constant by the form of the expression needs no column; what depends
 * on nothing that is measured has no influence. */
START_TEST(constants_need_no_column)
{
    derivation d;
    derivation_make(&d, record(0, 0),
                    " a = u/4 - y + time\n v = 3*(a + 2*y) - delay(u, 0.03)",
                    NULL);
    ck_assert_int_eq(d.of->influences, 3);
    ck_assert_ptr_null(derivation_influence(&d, "y", 0)->slope);
    ck_assert(derivation_influence(&d, "y", 0)->constant == 3);
    ck_assert(derivation_influence(&d, "u", 0)->constant == 0.75);
    ck_assert(derivation_influence(&d, "u", 3)->constant == -1);
    ck_assert_ptr_null(d.of->sd);
    ck_assert_int_eq(d.table->signals, 4);
    derivation_clear(&d);
    derivation_make(&d, record(0, 0), " v = sin(time) + 0*y + u - u", NULL);
    ck_assert_int_eq(d.of->influences, 0);
    derivation_clear(&d);
}
END_TEST

/* The noise in a mean is that of its samples: 3.4 of them, 200 by 64. */
START_TEST(means_spread_their_slopes)
{
    static const double weight[] = {0.5 / 3.4, 1 / 3.4, 1 / 3.4, 0.9 / 3.4};
    derivation d;
    derivation_make(&d, record(0, 0), " v = mean(u, 0.034)", NULL);
    ck_assert_int_eq(d.of->influences, 4);
    for (int k = 0; k < 4; k++)
        ck_assert_double_eq_tol(derivation_influence(&d, "u", k)->constant,
                                weight[k], 1e-12);
    derivation_clear(&d);
    derivation_make(&d, record(0, 0), " v = mean(u, 2)", NULL);
    ck_assert_int_eq(d.of->influences, 65);
    double square = 0;
    for (int k = 0; k < d.of->influences; k++)
        square += pow(d.of->influence[k].constant, 2);
    ck_assert_double_eq_tol(square, 1.0 / 200, 5e-5);
    derivation_clear(&d);
}
END_TEST

START_TEST(delays_shift_their_slopes)
{
    derivation d;
    darc_table *t = record(0, 0);
    const double *y = t->signal[0].value, *u = t->signal[1].value;
    derivation_make(&d, t, " v = u*delay(y^2, 0.07) + delay(u, 0.034)", NULL);
    ck_assert_int_eq(d.of->influences, 3);
    const darc_influence *late = derivation_influence(&d, "y", 7);
    const darc_influence *now = derivation_influence(&d, "u", 0);
    ck_assert(derivation_influence(&d, "u", 3)->constant == 1);
    for (size_t i = 0; i < SAMPLES; i++) {
        ck_assert(isnan(d.value[i]) == (i < 7));
        ck_assert(isnan(late->slope[i]) == (i < 7));
        if (i < 7)
            continue;
        ck_assert_double_eq_tol(late->slope[i], 2 * u[i] * y[i - 7], 1e-14);
        ck_assert_double_eq_tol(now->slope[i], y[i - 7] * y[i - 7], 1e-14);
    }
    derivation_clear(&d);
}
END_TEST

/* Slopes at smoothed signals carry less of their noise; the signal itself is
 * computed from what was measured, also near the ends and around a gap. */
START_TEST(slopes_are_taken_at_smoothed_signals)
{
    double error[2];
    for (int k = 0; k < 2; k++) {
        const darc_derive_work how = {.threads = 1, .smooth = 5 * k};
        darc_table *t = record(0, 0);
        darc_random r;
        darc_random_init(&r, 11, 0);
        for (size_t i = 0; i < SAMPLES; i++)
            t->signal[0].value[i] += 0.05 * darc_random_normal(&r);
        derivation_gap(t, 200);
        const double *y = t->signal[0].value;
        derivation d;
        derivation_make(&d, t, " a = y - 1\n v = a^2", &how);
        const double *slope = derivation_influence(&d, "y", 0)->slope;
        error[k] = 0;
        for (size_t i = 0; i < SAMPLES; i++) {
            if (i == 200)
                continue;
            ck_assert_double_eq_tol(d.value[i], pow(y[i] - 1, 2), 1e-14);
            error[k] +=
                pow(slope[i] / 2 - 0.1 - sin(0.031 * (double)i), 2) / SAMPLES;
        }
        derivation_clear(&d);
    }
    /* weights 1 - (j/6)^2, |j| <= 5: the squares add up to .11 */
    ck_assert_double_lt(sqrt(error[1]), 0.4 * sqrt(error[0]));
    ck_assert_double_gt(sqrt(error[1]), 0.25 * sqrt(error[0]));
}
END_TEST

/* Where a slope is infinite, at sqrt(0), it counts as none. */
START_TEST(slopes_are_finite)
{
    derivation d;
    darc_table *t = derivation_table(SAMPLES, 0.01);
    for (size_t i = 0; i < SAMPLES; i++)
        t->signal[0].value[i] = i % 3 == 0 ? 0 : 4;
    derivation_make(&d, t, " v = sqrt(y)", NULL);
    const double *slope = derivation_influence(&d, "y", 0)->slope;
    for (size_t i = 0; i < SAMPLES; i++)
        ck_assert(slope[i] == (i % 3 == 0 ? 0 : 0.25));
    derivation_clear(&d);
}
END_TEST

Suite *suite_evaluate(void)
{
    Suite *s = suite_create("evaluate");
    TCase *c = tcase_create("evaluate");
    tcase_add_test(c, slopes_are_those_of_differences);
    tcase_add_test(c, slopes_of_branches);
    tcase_add_test(c, slopes_through_other_signals);
    tcase_add_test(c, constants_need_no_column);
    tcase_add_test(c, delays_shift_their_slopes);
    tcase_add_test(c, means_spread_their_slopes);
    tcase_add_test(c, slopes_are_taken_at_smoothed_signals);
    tcase_add_test(c, slopes_are_finite);
    suite_add_tcase(s, c);
    return s;
}
